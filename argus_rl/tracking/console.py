"""The run in a terminal: a progress bar for the episode at work, then one line that says it all.

Where the output is no terminal (a file, a pipe, a CI log) there is no bar and no colour, and the
same lines are printed plainly. The line gives each figure with its interval, because a trend of
-0.03 is a reason to refuse an update where its error is 0.01 and is nothing where it is 0.05.
"""

import math
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.panel import Panel
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from argus_rl.core.signals.across import Health
from argus_rl.core.signals.middle import DetectorReading, RetestReading, Ruling, Verdict
from argus_rl.core.stats.estimate import Estimate
from argus_rl.ledger.events import Event
from argus_rl.ledger.journal import LEDGER
from argus_rl.ledger.records import EpisodeRecord, RunHeader, RunSummary
from argus_rl.tracking.sink import Figures

COLOURS = {
    Ruling.accept: "green",
    Ruling.refuse: "bold red",
    Ruling.underpowered: "yellow",
}
HEALTH = {
    Health.healthy: "green",
    Health.consolidating: "yellow",
    Health.collapsing: "red",
    Health.unmeasured: "dim",
}


def retest_text(retest: RetestReading) -> str:
    """The retest trend with Student's interval and n, as in `+0.012 [-0.010, +0.034] n=48`."""
    if not retest.n:
        return "none yet"
    interval = Estimate(value=retest.trend, se=retest.se, n=retest.n).interval()
    if math.isinf(interval.high):
        return f"{retest.trend:+.3f} n={retest.n}"
    return f"{retest.trend:+.3f} {interval:+.3f} n={retest.n}"


def verdict_text(verdict: Verdict) -> str:
    """The ruling in a word, with the severity of a refusal."""
    if verdict.ruling is Ruling.refuse:
        return f"REFUSED {verdict.severity:.2f}"
    return "accepted" if verdict.ruling is Ruling.accept else "underpowered"


def firings_text(firings: Sequence[DetectorReading]) -> str:
    """The types that fired, strongest first, with the cluster where it is one's own."""
    names = [d.lie.value if d.cluster < 0 else f"{d.lie.value}{d.cluster}" for d in firings]
    return f"fired {' '.join(names)}" if names else "quiet"


def episode_line(record: EpisodeRecord) -> str:
    """The line of an episode, in rich markup."""
    census, epi = record.census, record.epiplexity
    gain = f"{epi.gain:+.3f} [{epi.gain_low:+.3f}, {epi.gain_high:+.3f}]" if epi.n else "nothing"
    parts = [
        f"ep {record.episode:2d}  easy {census.easy} frontier {census.frontier} hard {census.hard}",
        f"epi {escape(gain)}",
        f"retest {escape(retest_text(record.retest))}",
        _in(COLOURS[record.verdict.ruling], verdict_text(record.verdict)),
        _in("magenta" if record.bank.firings else "dim", firings_text(record.bank.firings)),
    ]
    if record.spsi.health is not Health.unmeasured:
        parts.append(_in(HEALTH[record.spsi.health], f"SPSI {record.spsi.value:+.2f}"))
    if record.learning.skipped:
        parts.append(_in("red", f"skipped {record.learning.skipped} non-finite steps"))
    return " | ".join(parts)


def _in(style: str, text: str) -> str:
    return f"[{style}]{escape(text)}[/]"


def closing_text(summary: RunSummary, run_dir: Path) -> str:
    """What to know when a run is over: the verdict, what was refused, and what to type next."""
    lines = [summary.verdict or "Nothing was evaluated, so nothing can be claimed.", ""]
    counted = (
        f"{summary.episodes} episodes, {summary.refusals} updates refused, "
        f"{summary.underpowered} underpowered, {summary.firings} detector firings, "
        f"{summary.frontier_pairs} pairs learned"
    )
    if not math.isnan(summary.spsi):
        counted += f", wasted share {summary.wasted_share:.2f}, SPSI {summary.spsi:+.2f}"
    if not math.isnan(summary.label_accuracy):
        counted += f", {summary.label_accuracy:.0%} of audited labels true"
    if summary.information is not None:
        info = summary.information
        counted += (
            f", {info.bits:.0f} bits learnable in what was solved "
            f"({info.mdl:.2f} bits a token after {info.epochs} passes)"
        )
    lines += [counted, f"ledger  {run_dir / LEDGER}"]
    lines.append(f"page    {run_dir / 'report.html'}")
    return "\n".join([*lines, f"next    python -m argus_rl.compare {run_dir} OTHER_RUN_DIR..."])


class ConsoleSink:
    """Shows a run in a terminal, or as plain lines where there is none."""

    def __init__(self, console: Console, run_dir: Path) -> None:
        self._console = console
        self._run_dir = run_dir
        self._episodes = 0
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    def started(self, header: RunHeader) -> None:
        """Say what runs and where it is written."""
        self._episodes = header.episodes
        self._print(f"[bold]{escape(header.preset)}[/] seed {header.seed}: {escape(header.model)}")
        self._print(f"[dim]written to {escape(str(self._run_dir))}[/]")

    def phase(self, episode: int, phase: str, done: float) -> None:
        """Move the bar of the episode; nothing where the output is no terminal."""
        if not self._console.is_terminal:
            return
        if self._bar is None:
            self._bar = Progress(
                TextColumn("{task.description}"),
                BarColumn(bar_width=30),
                TimeElapsedColumn(),
                console=self._console,
                transient=True,
            )
            self._bar.start()
            self._task = self._bar.add_task("", total=1.0)
        if self._task is not None:
            text = f"episode {episode + 1} of {self._episodes}  {phase:8s}"
            self._bar.update(self._task, description=escape(text), completed=done)

    def episode(self, record: EpisodeRecord, events: Sequence[Event]) -> None:
        """Print the line of an episode, and one for each defense that was ordered."""
        self.close()
        self._print(episode_line(record))
        for event in events:
            if event.kind.value in ("defense_applied", "attribution"):
                self._print(f"       [dim]{escape(event.done)}[/]")

    def evaluated(self, episode: int, figures: Figures) -> None:
        """Print held-out accuracy with its interval."""
        self.close()
        names = ("eval/all/mean", "eval/all/mean_low", "eval/all/mean_high")
        if all(name in figures for name in names):
            value, low, high = (100 * figures[name] for name in names)
            when = "before the run" if episode < 0 else f"after episode {episode}"
            text = f"held-out accuracy {when}: {value:.1f} % [{low:.1f}, {high:.1f}]"
            self._print(escape(text))

    def finished(self, summary: RunSummary) -> None:
        """Print the closing panel."""
        self.close()
        text = escape(closing_text(summary, self._run_dir))
        if self._console.is_terminal:
            self._console.print(Panel(text, title="verdict", title_align="left", padding=(1, 2)))
        else:
            self._print(text)

    def close(self) -> None:
        """Take the bar away; safe to call at any time, also after an interrupt."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None
            self._task = None

    def _print(self, text: str) -> None:
        self._console.print(text, highlight=False, soft_wrap=True)
