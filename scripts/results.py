"""Run every condition of docs/results.md over seeds, then compare them.

A finished run is kept and an unfinished one is resumed, so this can be stopped and started again.

    python scripts/results.py --seeds 5 --jobs 2 --out runs/results
"""

import argparse
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

CONDITIONS = {
    "argus_full": ("+preset=argus_full",),
    "baseline": ("+preset=baseline",),
    "argus_no_refusal": (
        "+preset=argus_full",
        "control.ercv_rollback=false",
        "control.active_defense=false",
    ),
}
"""Words of each condition. Without refusal and defenses, soft rollback, z-scores and replay decay
have nothing to do and are off as well."""


def command(name: str, seed: int, folder: Path, words: list[str]) -> list[str]:
    """The command that starts or resumes one run."""
    front = [sys.executable, "-m", "argus_rl.train"]
    if (folder / "config.json").is_file():
        return [*front, f"resume={folder}"]
    common = (f"seed={seed}", "model.threads=1", "audit_per_level=20", f"run_dir={folder}")
    return [*front, *CONDITIONS[name], *common, *words]


def run_one(name: str, seed: int, out: Path, words: list[str]) -> Path:
    """Bring one run to its end; its output goes to a file beside it."""
    folder = out / f"{name}-seed{seed}"
    if not (folder / "summary.json").is_file():
        with (out / f"{name}-seed{seed}.log").open("a", encoding="utf-8") as log:
            subprocess.run(command(name, seed, folder, words), check=True, stdout=log, stderr=log)
    sys.stdout.write(f"{folder} is finished\n")
    return folder


def main() -> int:
    """Run everything, then compare."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seeds", type=int, default=5, help="seeds per condition (%(default)s)")
    parser.add_argument("--jobs", type=int, default=2, help="runs at a time, one thread each")
    parser.add_argument("--out", type=Path, default=Path("runs/results"), help="folder of the runs")
    parser.add_argument("words", nargs="*", help="more words for every run, such as episodes=6")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(options.jobs) as pool:
        waiting = [
            pool.submit(run_one, name, seed, options.out, options.words)
            for name in CONDITIONS
            for seed in range(options.seeds)
        ]
        folders = [str(job.result()) for job in waiting]
    figures = options.out / "comparison.json"
    compare = [sys.executable, "-m", "argus_rl.compare", *folders, "--reference", "baseline"]
    return subprocess.run([*compare, "--json", str(figures)], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
