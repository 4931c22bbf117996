"""What `make run` shows: one set of each status, its proof, and the proof checked from outside.

The last check runs checker.py, one plain file that needs Python's standard library and
nothing else: not novikoff, not numpy, no solver.
"""

from __future__ import annotations

import csv
import subprocess
import sys
from pathlib import Path

import novikoff as nk
from novikoff.certificates import checker

FOLDER = Path("proofs")
SETS = {
    "iris": "iris:setosa,versicolor",
    "touching": "touching",
    "xor": "xor",
}


def write_csv(path: Path, dataset: nk.datasets.Dataset) -> None:
    names = dataset.columns or [f"x{j + 1}" for j in range(dataset.X.shape[1])]
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*names, "label"])
        writer.writerows([*row, label] for row, label in zip(*dataset, strict=True))


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for stem, name in SETS.items():
        data, proof = FOLDER / f"{stem}.csv", FOLDER / f"{stem}.proof.json"
        write_csv(data, nk.datasets.load(name))
        novikoff = [sys.executable, "-m", "novikoff"]
        print(f"$ novikoff certify {data} --proof {proof}", flush=True)
        subprocess.run([*novikoff, "certify", str(data), "--proof", str(proof)], check=True)
        print(f"\n$ python checker.py {proof} {data}", flush=True)
        alone = [sys.executable, "-I", "-S", checker.__file__, str(proof), str(data)]
        subprocess.run(alone, check=True)
        print()


if __name__ == "__main__":
    main()
