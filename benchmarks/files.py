"""From a file to a model: against Vowpal Wabbit, and with less memory than the file has bytes.

Writes docs/benchmarks/files.md and files.json. Files are made anew in a temporary folder (TMPDIR
chooses where; the large one needs about 8 GB with its cache). `--small` tries everything on
small files; `--against-vw` measures that part anew and keeps the figures of the other. The memory
limit is that of a control group, which needs root; without it the peak
is only watched.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import vowpalwabbit
from sklearn.exceptions import ConvergenceWarning

import novikoff as nk
from timing import in_turns

ROOT = Path(__file__).resolve().parent.parent
GROUP = Path("/sys/fs/cgroup/memory/novikoff-benchmark")
LIMIT = 500_000_000  # bytes
COLUMNS = 100
ROUNDS = 5


# Against Vowpal Wabbit.


def write_sparse(folder: Path, n: int) -> tuple[Path, Path]:
    """The same rows, 75 entries each among 100,000 columns, as svmlight and as vw text."""
    rng = np.random.default_rng(0)
    weights = rng.normal(size=100_001)
    ours, theirs = folder / "rows.svm", folder / "rows.vw"
    with ours.open("w") as svm, theirs.open("w") as vw:
        for _ in range(n):
            columns = np.sort(rng.choice(100_000, 75, replace=False)) + 1
            values = np.round(rng.random(75), 4)
            sign = 1 if weights[columns] @ values > 0 else -1
            entries = " ".join(
                f"{c}:{v:.4f}" for c, v in zip(columns.tolist(), values.tolist(), strict=True)
            )
            svm.write(f"{sign} {entries}\n")
            vw.write(f"{sign} |f {entries}\n")
    return ours, theirs


def learn(path: Path, passes: int) -> nk.Perceptron:
    return nk.Perceptron(max_iter=passes).fit(nk.read(path))


def vw_words(path: Path, passes: int) -> str:
    cache = path.with_suffix(".cache")
    more = f" --passes {passes} --holdout_off --cache_file {cache} -k" if passes > 1 else ""
    return f"-d {path} -f {path.with_suffix('.model')} -b 18 --quiet{more}"


def vw(path: Path, passes: int) -> None:
    vowpalwabbit.Workspace(vw_words(path, passes)).finish()


def learn_typed(path: Path, passes: int) -> None:
    """The command as a person types it, start-up included."""
    words = ["fit", str(path), "-o", str(path.with_suffix(".model")), "--passes", str(passes)]
    run([sys.executable, "-m", "novikoff", *words])


def vw_typed(path: Path, passes: int) -> None:
    """The same of Vowpal Wabbit: its command where there is one, else by its Python package."""
    words, command = vw_words(path, passes), shutil.which("vw")
    program = "import sys, vowpalwabbit; vowpalwabbit.Workspace(sys.argv[1]).finish()"
    run([command, *words.split()] if command else [sys.executable, "-c", program, words])


def run(command: list[str]) -> None:
    subprocess.run(command, check=True, capture_output=True)


def against_vw(folder: Path, n: int) -> dict[str, Any]:
    ours, theirs = write_sparse(folder, n)
    works = {
        "ours": (learn, ours), "vw": (vw, theirs),
        "ours typed": (learn_typed, ours), "vw typed": (vw_typed, theirs),
    }  # fmt: skip
    taken = in_turns(
        {
            f"{name} {passes}": partial(work, path, passes)
            for passes in (1, 10)
            for name, (work, path) in works.items()
        },
        ROUNDS,
    )
    return {"MB": ours.stat().st_size / 1e6, "rows": n, **taken}


# Larger than memory.


def write_large(path: Path, size: int) -> int:
    """A CSV file of at least `size` bytes; how many rows it has."""
    rng = np.random.default_rng(0)
    weights = rng.normal(size=COLUMNS)
    chunks = []
    for _ in range(4):
        X = np.round(rng.normal(size=(20_000, COLUMNS)), 6)
        X = X[np.abs(X @ weights) > 0.5]
        signs = np.where(X @ weights > 0, "yes", "no").tolist()
        rows = [",".join(map(repr, row)) for row in X.tolist()]
        chunks.append("".join(f"{r},{s}\n" for r, s in zip(rows, signs, strict=True)))
    n_rows = 0
    with path.open("w") as file:
        file.write(",".join([*(f"x{c + 1}" for c in range(COLUMNS)), "y"]) + "\n")
        while file.tell() < size:
            for chunk in chunks:
                file.write(chunk)
                n_rows += chunk.count("\n")
    return n_rows


def limited(words: list[str]) -> dict[str, Any]:
    """Run a command under the limit; how long it took and its peaks of memory."""
    group = None
    try:
        GROUP.mkdir(exist_ok=True)
        (GROUP / "memory.limit_in_bytes").write_text(str(LIMIT))
        (GROUP / "memory.max_usage_in_bytes").write_text("0")
        group = GROUP
    except OSError:
        pass
    start = time.perf_counter()
    process = subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=lambda: group and (group / "cgroup.procs").write_text(str(os.getpid())),
    )  # fmt: skip
    own = 0
    while process.poll() is None:
        own = max(own, own_memory(process.pid))
        time.sleep(0.05)
    _, errors = process.communicate()
    if process.returncode:
        raise SystemExit(f"{' '.join(words)}: exit {process.returncode}\n{errors}")
    return {
        "command": words[3],
        "seconds": time.perf_counter() - start,
        "own memory MB": own / 1e6,
        "limit MB": LIMIT / 1e6 if group else None,
    }


def own_memory(pid: int) -> int:
    """What the process has in memory for itself; pages of files can be given back at any time."""
    try:
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("RssAnon"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0


def larger_than_memory(folder: Path, size: int) -> dict[str, Any]:
    path, cache = folder / "large.csv", folder / "cache"
    n_rows = write_large(path, size)
    os.sync()
    if os.access("/proc/sys/vm/drop_caches", os.W_OK):
        Path("/proc/sys/vm/drop_caches").write_text("3")
    model, proof = folder / "model", folder / "proof.json"
    base = [sys.executable, "-m", "novikoff"]
    runs = []
    for words in (
        ["fit", path, "-o", model, "--cache", cache, "--passes", "3", "--label", "y"],
        ["certify", path, "--cache", cache, "--proof", proof, "--label", "y"],
        ["predict", model, path, "-o", folder / "labels.csv"],
        ["verify", proof, path, "--cache", cache, "--label", "y"],
    ):
        runs.append(limited([*base, *map(str, words)]))
        print(runs[-1], file=sys.stderr, flush=True)
    lines = sum(1 for _ in (folder / "labels.csv").open()) - 1
    kept = sum(file.stat().st_size for file in cache.rglob("*.bin"))
    if lines != n_rows:
        raise SystemExit(f"{lines} predictions for {n_rows} rows")
    return {"GB": path.stat().st_size / 1e9, "cache GB": kept / 1e9, "rows": n_rows, "runs": runs}


def _line(small: dict[str, Any], passes: int, asked: int) -> str:
    """Both programs, without their start-up and as typed."""

    def pair(how: str) -> str:
        ours, theirs = small[f"ours{how} {passes}"], small[f"vw{how} {passes}"]
        return f"{ours:.2f} s | {theirs:.2f} s | **{theirs / ours:.1f}×**"

    return f"| {passes} | {pair('')} | {asked}× | {pair(' typed')} |"


def report(small: dict[str, Any], large: dict[str, Any], loads: tuple[float, float]) -> str:
    lines = [
        "# From a file to a model",
        "",
        f"`python benchmarks/files.py` on {os.cpu_count()} cores, {platform.machine()}, Python "
        f"{platform.python_version()}, vowpalwabbit {vowpalwabbit.__version__}. Load average "
        f"{loads[0]:.1f} before the run and {loads[1]:.1f} after it.",
        "",
        "## Against Vowpal Wabbit",
        "",
        f"{small['rows']:,} rows of 75 entries among 100,000 columns, {small['MB']:.0f} MB of "
        "text: svmlight for novikoff, the same rows as Vowpal Wabbit text for it. From the file "
        "to the model, in one process and in turns, medians. Vowpal Wabbit runs with its cache "
        "where it makes ten passes; novikoff keeps the rows in memory. *As typed* is a command in "
        "a process of its own, start-up included: `novikoff fit`, and `vw` where there is such a "
        "command, else the same by its Python package.",
        "",
        "| passes | novikoff | Vowpal Wabbit | ratio | asked | novikoff as typed "
        "| Vowpal Wabbit as typed | ratio |",
        "|--:|--:|--:|--:|--:|--:|--:|--:|",
        *(_line(small, passes, asked) for passes, asked in ((1, 1), (10, 5))),
        "",
        "## Larger than memory",
        "",
        f"A CSV file of {large['GB']:.1f} GB ({large['rows']:,} rows of {COLUMNS} numbers and a "
        f"label; what is cached of it has {large['cache GB']:.1f} GB), each command in a control "
        f"group that "
        f"may use {LIMIT / 1e6:.0f} MB of memory in all, pages of files included. *Own memory* is "
        "the peak of what the process holds for itself.",
        "",
        "| command | seconds | own memory | limit |",
        "|---|--:|--:|--:|",
    ]
    for run in large["runs"]:
        limit = f"{run['limit MB']:.0f} MB" if run["limit MB"] else "none"
        lines.append(
            f"| `novikoff {run['command']}` | {run['seconds']:.0f} | "
            f"{run['own memory MB']:.0f} MB | {limit} |"
        )
    lines += [
        "",
        "`fit` parses the text once, writes the cache, and makes three passes over the map; "
        "`certify` and `verify` work on the same one; `predict` reads the text again, block by "
        "block.",
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    warnings.simplefilter("ignore", ConvergenceWarning)
    parser = argparse.ArgumentParser()
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--against-vw", action="store_true")
    given = parser.parse_args()
    tiny, where = given.small, ROOT / "docs" / "benchmarks"
    before = os.getloadavg()[0]
    folder = Path(tempfile.mkdtemp(prefix="novikoff-files-"))
    try:
        small = against_vw(folder, 5_000 if tiny else 58_000)
        print(small, file=sys.stderr, flush=True)
        if given.against_vw:
            kept = json.loads((where / "files.json").read_text(encoding="utf-8"))
            large = kept["larger than memory"]
        else:
            large = larger_than_memory(folder, 100_000_000 if tiny else 4_000_000_000)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    loads = (before, os.getloadavg()[0])
    text = report(small, large, loads)
    print(text)
    if not tiny:
        (where / "files.md").write_text(text, encoding="utf-8")
        facts = {"load": loads, "against vw": small, "larger than memory": large}
        (where / "files.json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
