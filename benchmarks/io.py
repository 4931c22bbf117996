"""Reading files: svmlight against scikit-learn, CSV against pyarrow and polars, the cache against
a plain memory map; all in one run and in turns, with the arrays compared.

Writes docs/benchmarks/io.md and io.json. The files are made anew in a temporary folder
(TMPDIR chooses where). `--small` tries everything on files of a tenth the size.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numba
import numpy as np
import polars
import pyarrow
import pyarrow.csv
import pyarrow.parquet
import sklearn
from sklearn.datasets import load_svmlight_file

from novikoff.io import read, scan
from timing import in_turns, seconds

ROOT = Path(__file__).resolve().parent.parent
ROUNDS = 5


def write_sparse(path: Path, n: int, form: str, digits: int | None) -> None:
    """Rows of 75 entries among 100,000 columns, as svmlight or Vowpal Wabbit text."""
    rng = np.random.default_rng(0)
    with path.open("w") as file:
        for _ in range(n):
            columns = np.sort(rng.choice(100_000, 75, replace=False)) + 1
            values = rng.random(75)
            words = [repr(v) if digits is None else f"{v:.{digits}f}" for v in values.tolist()]
            entries = " ".join(f"{c}:{w}" for c, w in zip(columns.tolist(), words, strict=True))
            bar = " |f" if form == "vw" else ""
            file.write(f"{1 if values[0] < 0.5 else -1}{bar} {entries}\n")


def write_csv(path: Path, n: int, digits: int | None) -> None:
    rng = np.random.default_rng(1)
    with path.open("w") as file:
        file.write(",".join(f"x{c + 1}" for c in range(30)) + ",y\n")
        for row in rng.normal(size=(n, 30)).tolist():
            words = [repr(v) if digits is None else f"{v:.{digits}g}" for v in row]
            file.write(",".join(words) + f",{'yes' if row[0] > 0 else 'no'}\n")


def same_matrix(ours: Any, theirs: Any) -> bool:
    return bool(
        ours.data.tobytes() == theirs.data.tobytes()
        and np.array_equal(ours.indices, theirs.indices)
        and np.array_equal(ours.indptr, theirs.indptr)
    )


def svmlight(path: Path, name: str) -> dict[str, Any]:
    taken = in_turns(
        {"ours": lambda: read(path), "scikit-learn": lambda: load_svmlight_file(str(path))}, ROUNDS
    )
    X, y = read(path)
    their_X, their_y = load_svmlight_file(str(path))
    return {
        "file": name,
        "MB": path.stat().st_size / 1e6,
        **taken,
        "asked": 1.0,
        "same bits": same_matrix(X, their_X) and np.array_equal(y, their_y),
    }


def by_pyarrow(path: Path) -> np.ndarray:
    table = pyarrow.csv.read_csv(path)
    return np.column_stack([table.column(c).to_numpy() for c in range(table.num_columns - 1)])


def by_polars(path: Path) -> np.ndarray:
    frame = polars.read_csv(path)
    return frame[:, :-1].to_numpy(order="c")


def csv(path: Path, name: str) -> dict[str, Any]:
    taken = in_turns(
        {
            "ours": lambda: read(path),
            "scan": lambda: sum(len(y) for _, y in scan(path)),
            "pyarrow": lambda: by_pyarrow(path),
            "polars": lambda: by_polars(path),
        },
        ROUNDS,
    )
    X = read(path).X
    return {
        "file": name,
        "MB": path.stat().st_size / 1e6,
        **taken,
        "asked": 150.0,
        "same bits": X.tobytes() == np.ascontiguousarray(by_pyarrow(path)).tobytes(),
    }


def others(folder: Path, table: Path, text: Path) -> list[dict[str, Any]]:
    """Other formats, for which nothing was asked but that they are there."""
    X, y = read(table)
    parquet, npz = folder / "t.parquet", folder / "t.npz"
    columns = {f"x{c + 1}": X[:, c] for c in range(X.shape[1])} | {"y": y}
    pyarrow.parquet.write_table(pyarrow.table(columns), parquet)
    np.savez(npz, X=X, y=y)
    works = {
        "Vowpal Wabbit, hashed": (text, lambda: read(text, bits=18)),
        "Vowpal Wabbit, by name": (text, lambda: read(text)),
        "Parquet": (parquet, lambda: read(parquet)),
        "npz": (npz, lambda: read(npz)),
    }
    taken = in_turns({name: work for name, (_, work) in works.items()}, ROUNDS)
    return [
        {"file": name, "MB": path.stat().st_size / 1e6, "ours": taken[name]}
        for name, (path, _) in works.items()
    ]


@numba.njit(nogil=True, fastmath={"reassoc"})
def total(values):
    result = 0.0
    for k in range(values.shape[0]):
        result += values[k]
    return result


def sum_blocks(blocks: Any) -> float:
    """The sum of every number of every block: a pass that reads all and does little else."""
    result = 0.0
    for block in blocks:
        values = block.X if isinstance(block.X, np.ndarray) else block.X.data
        result += total(np.asarray(values).reshape(-1))
        if not isinstance(block.X, np.ndarray):
            result += total(np.asarray(block.X.indices))
    return result


def sum_maps(paths: list[tuple[Path, str]]) -> float:
    """The same of .npy files, whose numbers begin after 128 bytes."""
    maps = (np.memmap(path, dtype=dtype, mode="r", offset=128) for path, dtype in paths)
    return sum(total(np.asarray(numbers)) for numbers in maps)


def cached(path: Path, name: str, folder: Path) -> dict[str, Any]:
    lazy = scan(path, cache=folder)
    made = seconds(lambda: lazy.cached())
    place = next(entry for entry in folder.iterdir() if entry.name.startswith(path.name))
    arrays = json.loads((place / "header.json").read_text())["arrays"]
    read_by_a_pass = [
        (place / f"{part}.npy", arrays[part]["dtype"])
        for part in ("X", "values", "columns")
        if part in arrays
    ]
    taken = in_turns(
        {
            "ours": lambda: sum_blocks(scan(path, cache=folder)),
            "memory map": lambda: sum_maps(read_by_a_pass),
        },
        ROUNDS,
    )
    if not np.isclose(sum_blocks(scan(path, cache=folder)), sum_maps(read_by_a_pass)):
        raise SystemExit("the cache does not hold what the scan gives")
    size = sum(part.stat().st_size for part, _ in read_by_a_pass)
    return {"file": name, "MB": size / 1e6, "made": made, "asked": 0.5, **taken}


MEMORY = """
import resource
from novikoff.io import scan
def peak(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
sum(len(y) for _, y in scan({warm!r}))
before = peak()
sum(len(y) for _, y in scan({path!r}{extra}))
print(peak() - before)
"""


def growth(path: Path, extra: str = "") -> float:
    """MB by which the peak memory of a process grows while it scans the file.

    It has scanned the file's first 400 kB before, so that all code is loaded.
    """
    warm = path.with_name(f"warm{path.suffix}")
    text = path.read_bytes()[:400_000]
    warm.write_bytes(text[: text.rfind(b"\n") + 1])
    code = MEMORY.format(path=str(path), warm=str(warm), extra=extra)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    return int(done.stdout) * (1 if sys.platform == "darwin" else 1024) / 1e6


def report(found: dict[str, Any]) -> str:
    facts = found["machine"]
    lines = [
        "# Reading files, timed",
        "",
        f"`python benchmarks/io.py`, medians of {ROUNDS}, in one process and in turns; files are "
        "in the system's page cache. Times in seconds, sizes in MB of 10⁶ bytes. Everything is "
        "compared: the arrays are the peers' to the last bit where it says so.",
        "",
        f"{facts['cores']} cores, {facts['machine']}, Python {facts['python']}, pyarrow "
        f"{pyarrow.__version__}, polars {polars.__version__}, scikit-learn {sklearn.__version__}; "
        f"load before the run {facts['load']:.1f}.",
        "",
        "## svmlight",
        "",
        "`nk.read` against `sklearn.datasets.load_svmlight_file`.",
        "",
        "| file | MB | ours | MB/s | scikit-learn | MB/s | ratio | asked | same bits |",
        "|---|--:|--:|--:|--:|--:|--:|--:|---|",
    ]
    for r in found["svmlight"]:
        lines.append(
            f"| {r['file']} | {r['MB']:.0f} | {r['ours']:.2f} | {r['MB'] / r['ours']:.0f} | "
            f"{r['scikit-learn']:.2f} | {r['MB'] / r['scikit-learn']:.0f} | "
            f"**{r['scikit-learn'] / r['ours']:.1f}×** | {r['asked']:.0f}× | "
            f"{'yes' if r['same bits'] else 'NO'} |"
        )
    lines += [
        "",
        "## CSV",
        "",
        "`nk.read` to one array, `nk.scan` block by block, and the peers to one array of rows. "
        "In MB of text a second.",
        "",
        "| file | MB | read | scan | pyarrow | polars | asked | same bits |",
        "|---|--:|--:|--:|--:|--:|--:|---|",
    ]
    for r in found["csv"]:
        speeds = " | ".join(
            f"{'**' * (name == 'ours')}{r['MB'] / r[name]:.0f}{'**' * (name == 'ours')}"
            for name in ("ours", "scan", "pyarrow", "polars")
        )
        lines.append(
            f"| {r['file']} | {r['MB']:.0f} | {speeds} | {r['asked']:.0f} | "
            f"{'yes' if r['same bits'] else 'NO'} |"
        )
    lines += [
        "",
        "## Other formats",
        "",
        "| file | MB | seconds | MB/s |",
        "|---|--:|--:|--:|",
    ]
    for r in found["others"]:
        lines.append(
            f"| {r['file']} | {r['MB']:.0f} | {r['ours']:.2f} | {r['MB'] / r['ours']:.0f} |"
        )
    lines += [
        "",
        "## A pass over the cache",
        "",
        "The sum of all numbers, block by block through `nk.scan(path, cache=…)`, against the "
        "same sum over the same files through plain memory maps. Giving passed pages back to the "
        "system, which keeps memory constant, is part of our time.",
        "",
        "| file | MB of arrays | made in | ours, GB/s | memory map, GB/s | share | asked |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for r in found["cached"]:
        ours, plain = (r["MB"] / r[name] / 1e3 for name in ("ours", "memory map"))
        lines.append(
            f"| {r['file']} | {r['MB']:.0f} | {r['made']:.2f} s | {ours:.1f} | {plain:.1f} | "
            f"**{ours / plain:.0%}** | {r['asked']:.0%} |"
        )
    lines += [
        "",
        "## Memory of a scan",
        "",
        "By how much the peak memory of a process grows while it scans a file.",
        "",
        "| file | MB of text | grows by, MB |",
        "|---|--:|--:|",
    ]
    for r in found["memory"]:
        lines.append(f"| {r['file']} | {r['MB']:.0f} | {r['growth']:.0f} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", action="store_true", help="files of a tenth the size")
    share = 10 if parser.parse_args().small else 1
    found: dict[str, Any] = {
        "machine": {
            "cores": os.cpu_count(),
            "machine": platform.machine(),
            "python": platform.python_version(),
            "load": os.getloadavg()[0],
        }
    }
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        short, long, text = folder / "short.svm", folder / "long.svm", folder / "text.vw"
        plain, digits = folder / "plain.csv", folder / "digits.csv"
        write_sparse(short, 100_000 // share, "svmlight", 4)
        write_sparse(long, 50_000 // share, "svmlight", None)
        write_sparse(text, 20_000 // share, "vw", 4)
        write_csv(plain, 400_000 // share, 6)
        write_csv(digits, 200_000 // share, None)
        found["svmlight"] = [
            svmlight(short, "100,000 rows of 75, 4 decimals"),
            svmlight(long, "50,000 rows of 75, 16 digits"),
        ]
        found["csv"] = [
            csv(plain, "400,000 × 30, 6 digits"),
            csv(digits, "200,000 × 30, 16 digits"),
        ]
        found["others"] = others(folder, plain, text)
        kept = folder / "cache"
        kept.mkdir()
        found["cached"] = [cached(plain, "CSV", kept), cached(short, "svmlight", kept)]
        found["memory"] = [
            {"file": what, "MB": path.stat().st_size / 1e6, "growth": growth(path, extra)}
            for what, path, extra in (
                ("CSV", plain, ""),
                ("svmlight", short, ""),
                ("CSV, from its cache", plain, f", cache={str(kept)!r}"),
            )
        ]
    text_of = report(found)
    target = ROOT / "docs" / "benchmarks"
    target.mkdir(parents=True, exist_ok=True)
    (target / "io.md").write_text(text_of, encoding="utf-8")
    (target / "io.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(text_of)


if __name__ == "__main__":
    main()
