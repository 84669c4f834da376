"""Write docs/tracking.md: every figure that a run logs, as the code declares it.

python scripts/metrics_page.py
"""

from pathlib import Path

from argus_rl.tracking.metrics import metrics_page

PAGE = Path(__file__).parents[1] / "docs" / "tracking.md"

HEAD = """\
# Tracking: where a run can be watched

Made by `scripts/metrics_page.py` from `argus_rl/tracking/`; do not edit by hand.

The ledger (`ledger.md`) is the source of truth and is written in any case. Besides it:

| where | how |
|---|---|
| the terminal | a progress bar and one line an episode; plain lines where there is none |
| one page of plots | `python -m argus_rl.report RUN_DIR` |
| wandb, online | `tracking=wandb` (after `wandb login`) |
| wandb, offline | `tracking=offline`; later `wandb sync RUN_DIR/wandb/offline-run-*` |
| nothing but the ledger | `tracking=off`, the default |
| wandb, afterwards | `python -m argus_rl.report RUN_DIR --to wandb` (or `wandb-offline`) |

In wandb every figure has `episode` as its step axis. The evaluation before the run is logged at
episode -1 and the one after it at the last episode. A run that was killed and resumed goes on in
the same wandb run; feeding it afterwards makes a new one, from the ledger alone.

The line of an episode reads

```
ep  7  easy 26 frontier 15 hard 14 | epi +0.053 [+0.045, +0.061] |
       retest -0.175 [-0.200, -0.150] n=48 | REFUSED 1.00 | fired D D2 | SPSI +0.18
```

(here broken in two): zones of the solved problems; information gained on the lesson in nats per
token, with its bootstrap interval; change of skill on past problems, with Student's interval and
the number of problems; what ERCV ruled (`accepted`, `REFUSED` with its severity, `underpowered`);
the types of the detectors that fired, with a number where it is one cluster's; the self-play
stability index, out of the reachable range -0.5 to +0.5.

## Metrics

Each episode logs those that can be told. `eval/` figures have their 95 % interval in `..._low` and
`..._high`; SCOPE is `all`, `easy`, `harder` or `level_N`.

"""


def page() -> str:
    """Return the text of the page."""
    return HEAD + metrics_page() + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"wrote {PAGE}")
