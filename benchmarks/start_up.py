"""What a person waits for: small commands as they are typed, start-up included.

Writes docs/benchmarks/start_up.md and start_up.json. Each command is a process of its own, on a
warm disk and with Python's bytecode in place. The time of the processor, which others on the
machine disturb less, is given beside that of the clock.
"""

from __future__ import annotations

import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from sklearn.datasets import load_iris

ROOT = Path(__file__).resolve().parent.parent
ROUNDS = 15
ASKED = {"fit": 0.35, "predict": 0.35, "certify": 0.3}
COMMANDS = {
    "python": ["-c", "pass"],
    "python and click": ["-c", "import click"],
    "python, click and numpy": ["-c", "import click, numpy"],
    "`novikoff --version`": ["--version"],
    "`novikoff --help`": ["--help"],
    "`novikoff fit iris.csv -o model`": ["fit", "iris.csv", "-o", "model"],
    "`novikoff predict model iris.csv`": ["predict", "model", "iris.csv"],
    "`novikoff certify two.csv`, separable": ["certify", "two.csv", "--proof", "proof.json"],
    "`novikoff certify other.csv`, overlapping": ["certify", "other.csv"],
    "`novikoff verify proof.json two.csv`": ["verify", "proof.json", "two.csv"],
}


def write_iris(folder: Path) -> None:
    """All three species, the first two, and the last two."""
    iris = load_iris()
    rows = [
        ",".join([*map(repr, row), str(iris.target_names[code])])
        for row, code in zip(iris.data.tolist(), iris.target.tolist(), strict=True)
    ]
    for name, part in (("iris", rows), ("two", rows[:100]), ("other", rows[50:])):
        (folder / f"{name}.csv").write_text("a,b,c,d,species\n" + "\n".join(part) + "\n")


def timed(words: list[str], folder: Path, environment: dict[str, str]) -> tuple[float, float]:
    """Seconds by the clock, and of the processor."""
    command = [sys.executable, *([] if words[0] == "-c" else ["-m", "novikoff"]), *words]
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=True)
    taken, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return taken, used


def measure(folder: Path) -> dict[str, dict[str, float]]:
    write_iris(folder)
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in COMMANDS}
    for number in range(ROUNDS + 1):
        for name, words in COMMANDS.items():
            taken = timed(words, folder, environment)
            if number:  # the first round warms up
                times[name].append(taken)
    return {
        name: {
            "median": statistics.median(clock for clock, _ in taken),
            "least": min(clock for clock, _ in taken),
            "processor": statistics.median(used for _, used in taken),
        }
        for name, taken in times.items()
    }


def report(found: dict[str, dict[str, float]], loads: tuple[float, float]) -> str:
    told = [
        "# As typed",
        "",
        f"`python benchmarks/start_up.py` on {os.cpu_count()} cores, {platform.machine()}, Python "
        f"{platform.python_version()}. Load average {loads[0]:.1f} before the run and "
        f"{loads[1]:.1f} after it.",
        "",
        f"Small commands as a person types them, each a process of its own, {ROUNDS} times in "
        "turns, on a warm disk. *Median* and *least* are by the clock; *processor* is the time of "
        "all threads, which other work on the machine disturbs less.",
        "",
        "| command | median | least | processor | asked |",
        "|---|--:|--:|--:|--:|",
    ]
    for name, taken in found.items():
        asked = next((f"{goal} s" for word, goal in ASKED.items() if f" {word} " in name), "")
        figures = " | ".join(f"{taken[kind]:.2f} s" for kind in ("median", "least", "processor"))
        told.append(f"| {name} | {figures} | {asked} |")
    told += [
        "",
        "The first three are what no command can go below: Python itself, its command line and "
        "its arrays. A command imports its own file and its own kind of perceptron; scikit-learn, "
        "pandas, scipy and numba are imported by none of these, which a test holds them to.",
    ]
    return "\n".join(told) + "\n"


def main() -> None:
    before = os.getloadavg()[0]
    with tempfile.TemporaryDirectory(prefix="novikoff-start-up-") as folder:
        found = measure(Path(folder))
    loads = (before, os.getloadavg()[0])
    text = report(found, loads)
    print(text)
    where = ROOT / "docs" / "benchmarks"
    (where / "start_up.md").write_text(text, encoding="utf-8")
    facts: dict[str, Any] = {"load": loads, "seconds": found}
    (where / "start_up.json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
