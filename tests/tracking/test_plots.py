import dataclasses
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import pytest

from argus_rl.core.signals.across import Health
from argus_rl.core.stats.intervals import wilson
from argus_rl.ledger.reading import read_run
from argus_rl.tracking import plots, plots_problems
from argus_rl.tracking.page import page
from argus_rl.tracking.plot_style import INK, PAPER, RULE, to_svg, write_png
from argus_rl.tracking.views import LabelAudit, Rate, RunView, accuracy_of, read_audit

PICTURES = {
    "gauges": lambda r: plots.gauges(r, 0.05),
    "detectors": plots.detectors,
    "spsi": plots.spsi,
    "zones": plots_problems.zones,
    "sampling": plots_problems.sampling,
    "clusters": plots_problems.clusters,
    "labels": lambda r: plots_problems.labels(
        [LabelAudit(episode=one.episode, accuracy=wilson(3, 4)) for one in r]
    ),
}


@pytest.mark.parametrize("name", PICTURES)
@pytest.mark.parametrize("episodes", [1, 12])
def test_a_picture_takes_its_ink_and_paper_from_the_page(records, name, episodes):
    svg = to_svg(PICTURES[name](records[:episodes]), name, 'a "label" & more')
    ET.fromstring(svg)
    for colour in (INK, RULE, PAPER):
        assert colour not in svg
    assert "currentColor" in svg
    assert 'aria-label="a &quot;label&quot; &amp; more"' in svg
    assert "<text" in svg


def test_equal_records_give_equal_pictures_and_ids_differ_between_pictures(records):
    first, again = (to_svg(plots.gauges(records), "a", "x") for _ in range(2))
    other = to_svg(plots.gauges(records), "b", "x")
    assert first == again
    ids = [{e.get("id") for e in ET.fromstring(svg).iter()} - {None} for svg in (first, other)]
    assert ids[0] & ids[1] == set()


def test_a_refused_episode_is_marked(records):
    assert "refused" in to_svg(plots.gauges(records), "g", "x")
    assert "refused" not in to_svg(plots.gauges(records[:5]), "g", "x")


def test_the_gauges_can_be_written_as_a_png(records, tmp_path):
    write_png(plots.gauges(records), tmp_path / "gauges.png")
    assert (tmp_path / "gauges.png").read_bytes().startswith(b"\x89PNG")


def test_what_was_never_measured_has_no_picture(records):
    off = [
        dataclasses.replace(
            r,
            spsi=dataclasses.replace(r.spsi, health=Health.unmeasured),
            capability=dataclasses.replace(r.capability, clusters=()),
        )
        for r in records
    ]
    assert plots.spsi(off) is None
    assert plots_problems.clusters(off) is None


class Outline(HTMLParser):
    """Checks that elements nest, and collects ids, links and whatever a browser would load."""

    VOID = ("meta", "br", "path", "use", "rect")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.loads: list[str] = []

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        if tag not in self.VOID:
            self.open.append(tag)
        if "id" in found:
            self.ids.append(found["id"])
        if tag == "a":
            self.links.append(found["href"])
        if tag in ("script", "link", "img", "iframe"):
            self.loads.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if tag not in self.VOID:
            assert self.open.pop() == tag


def view_of(run_dir, **words) -> RunView:
    given = {"accuracy": None, "start": None, "audit": (), "command": "python -m argus_rl.report x"}
    return RunView(run=read_run(run_dir), **{**given, **words})


def test_the_page_is_whole_and_asks_nobody_for_anything(made_run, tmp_path):
    made_run.write(tmp_path)
    html = page(view_of(tmp_path))
    outline = Outline()
    outline.feed(html)
    assert outline.open == []
    assert outline.loads == []
    assert len(set(outline.ids)) == len(outline.ids)
    assert {link.removeprefix("#") for link in outline.links} <= set(outline.ids)
    assert "url(http" not in html
    assert "@import" not in html


def test_a_text_that_looks_like_html_stays_text(made_run, tmp_path):
    made_run.write(tmp_path, episodes=1)
    view = view_of(tmp_path)
    evil = "<script>alert(1)</script><b>&"
    record = view.run.records[0]
    sample = dataclasses.replace(record.samples[0], text=evil, label=evil, source=evil)
    refused = dataclasses.replace(record.refused[0], text=evil, reason=evil)
    changed = dataclasses.replace(record, samples=(sample,), refused=(refused,))
    run = dataclasses.replace(view.run, records=(changed,), warnings=(evil,))
    html = page(dataclasses.replace(view, run=run, command=evil))
    assert "<script" not in html
    assert "&lt;script&gt;" in html
    outline = Outline()
    outline.feed(html)
    assert outline.open == []


def test_a_run_without_episodes_still_has_a_page(made_run, tmp_path):
    made_run.write(tmp_path, episodes=0)
    html = page(view_of(tmp_path))
    assert "No episode of this run was committed yet" in html
    assert "Not evaluated" in html


def test_a_run_that_was_only_evaluated_before_it_began_is_unfinished(made_run, tmp_path):
    made_run.write(tmp_path, episodes=1)
    html = page(view_of(tmp_path, start=Rate(value=55.2, low=50.5, high=59.8)))
    assert ">Unfinished</h1>" in html
    assert f"1 of {view_of(tmp_path).run.header.episodes} episodes are committed" in html
    assert "55.2 [50.5, 59.8] % before the run" in html


def test_the_page_says_which_episode_was_refused_and_what_each_defense_did(made_run, tmp_path):
    made_run.write(tmp_path)
    html = page(view_of(tmp_path))
    assert 'chip bad">refused<' in html
    assert "force context: waits for the next episode" in html
    assert "frontier share 0.12 to" in html
    assert "<mark>3 boxes of 8 cups, which is 26 cup</mark>" in html
    assert "python -m argus_rl.train +preset=argus_full seed=0" in html
    assert "control.ercv_rollback" in html


def test_held_out_accuracy_leads_the_page(made_run, tmp_path):
    made_run.write(tmp_path)
    estimate = {"value": 0.5, "low": 0.4, "high": 0.6, "level": 0.95, "n": 9}
    scope = {
        "scope": "all", "items": 9, "before": estimate, "after": estimate,
        "change": {**estimate, "value": -0.1, "low": -0.2, "high": -0.01},
        "detectable": 0.07, "p_value": 0.03, "outcome": "regressed",
    }  # fmt: skip
    result = accuracy_of({"outcome": "regressed", "sentence": "Regressed: so.", "scopes": [scope]})
    html = page(view_of(tmp_path, accuracy=result))
    assert '<h1 class="regressed">Regressed</h1>' in html
    assert "-10.0 [-20.0, -1.0]" in html


def test_a_damaged_line_of_the_audit_is_named_and_skipped(tmp_path):
    assert read_audit(tmp_path) == ((), ())
    (tmp_path / "audit.jsonl").write_text('{"episode":0,"right":3,"n":4}\nrubbish\n{"n":1}\n')
    audit, warnings = read_audit(tmp_path)
    assert [a.accuracy.value for a in audit] == [0.75]
    assert len(warnings) == 2
    assert "line 2" in warnings[0]
