"""Published optima, decided again in both conventions. Writes docs/studies/optima.md.

python scripts/study_optima.py FOLDER: FOLDER has cryotherapy.csv, caesarian.csv, haberman_283.csv
and voicepath_data.csv, without a header, the label last.

A row on the hyperplane counts as wrong, as `fewest_mistakes` counts; or as right, as some papers
count. The second count is at most

    min over hyperplanes of the rows strictly on the wrong side.

A hyperplane that reaches it can be moved, with no right row getting strictly wrong, until it holds
d rows that fix it. So with up to five columns every hyperplane through d rows is visited, in
integers: the count is exact. With more it is what a 0-1 program says, a float and no proof.
"""

from __future__ import annotations

import csv
import math
import sys
import time
from fractions import Fraction
from pathlib import Path

import numba
import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp

import novikoff as nk

DOCS = Path(__file__).resolve().parent.parent / "docs"
PUBLISHED = {"voicepath_data": 19, "haberman_283": 65, "caesarian": 18, "cryotherapy": 6}
MOST_COLUMNS = 5  # of tables whose hyperplanes are all visited: 24 million for caesarian
LARGEST = 2**62  # products beyond it would not fit into 64 bits


def read(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Whole numbers, each column times a power of ten, with a last column of ones; and signs."""
    with path.open(encoding="utf-8") as file:
        lines = [line for line in csv.reader(file) if line]
    cells = [[Fraction(cell) for cell in line[:-1]] for line in lines]
    scales = [math.lcm(*(row[j].denominator for row in cells)) for j in range(len(cells[0]))]
    rows = [[int(v * s) for v, s in zip(row, scales, strict=True)] + [1] for row in cells]
    signs = np.where(np.array([float(line[-1]) for line in lines]) == 1.0, 1, -1)
    return np.array(rows, dtype=np.int64), signs


def fits(rows: np.ndarray) -> bool:
    """Whether `normal` and the scores stay within 64 bits: no minor is larger than this one."""
    minor = math.factorial(rows.shape[1]) * math.prod(np.abs(rows).max(axis=0).tolist())
    return (minor if rows.shape[1] == 3 else 2 * minor**2) < LARGEST


@numba.njit
def normal(rows, chosen, work, w):
    """Set w to integers with rows[chosen] @ w = 0; False where the rows do not fix it.

    A cross product in two columns; else elimination without fractions (Bareiss).
    """
    d = len(chosen)
    if d == 2:
        a, b = rows[chosen[0]], rows[chosen[1]]
        for j in range(3):
            w[j] = a[j - 2] * b[j - 1] - a[j - 1] * b[j - 2]
        return w[0] != 0 or w[1] != 0 or w[2] != 0
    for i in range(d):
        for j in range(d + 1):
            work[i, j] = rows[chosen[i], j]
    order = np.arange(d + 1)
    last = 1
    for k in range(d):
        pivot = -1
        for j in range(k, d + 1):
            if work[k, order[j]] != 0:
                pivot = j
                break
        if pivot < 0:
            return False
        order[k], order[pivot] = order[pivot], order[k]
        head = work[k, order[k]]
        for i in range(d):
            factor = work[i, order[k]]
            for j in range(d + 1):
                if i != k:
                    work[i, j] = (work[i, j] * head - factor * work[k, j]) // last
        last = head
    for k in range(d):
        w[order[k]] = -work[k, order[d]]
    w[order[d]] = last
    return True


@numba.njit
def fewest_strictly_wrong(rows, signs):
    """The fewest rows strictly on the wrong side, over hyperplanes through d rows that fix them."""
    n, dim = rows.shape
    d = dim - 1
    chosen = np.arange(d)
    work, w = np.zeros((d, dim), dtype=np.int64), np.zeros(dim, dtype=np.int64)
    best, on_best, visited = n + 1, 0, 0
    while True:
        if normal(rows, chosen, work, w):
            visited += 1
            above, below, on = 0, 0, 0
            for i in range(n):
                score = 0
                for j in range(dim):
                    score += rows[i, j] * w[j]
                score *= signs[i]
                above += score > 0
                below += score < 0
                on += score == 0
            wrong = min(above, below)
            if wrong < best or (wrong == best and on < on_best):
                best, on_best = wrong, on
        k = d - 1
        while k >= 0 and chosen[k] == n - d + k:
            k -= 1
        if k < 0:
            return best, on_best, visited
        chosen[k] += 1
        for j in range(k + 1, d):
            chosen[j] = chosen[j - 1] + 1


def by_program(rows: np.ndarray, signs: np.ndarray) -> int:
    """The same by a 0-1 program in floats: one for each column and sign that w_j = ±1 may have."""
    scaled = rows / np.abs(rows).max(axis=0)
    z = scaled * signs[:, None]
    n, dim = z.shape
    best = n
    for column in range(dim - 1):
        for value in (-1.0, 1.0):
            low = np.r_[np.full(dim, -100.0), np.zeros(n)]
            high = np.r_[np.full(dim, 100.0), np.ones(n)]
            low[column] = high[column] = value
            big = 100.0 * np.abs(z).sum(axis=1)
            found = milp(
                np.r_[np.zeros(dim), np.ones(n)],
                constraints=LinearConstraint(np.hstack([z, np.diag(big)]), 0.0, np.inf),
                integrality=np.r_[np.zeros(dim), np.ones(n)],
                bounds=Bounds(low, high),
                options={"time_limit": 60.0},
            )
            if found.x is not None:
                best = min(best, round(found.fun))
    return best


def main() -> None:
    folder = Path(sys.argv[1])
    lines = []
    for name, published in PUBLISHED.items():
        rows, signs = read(folder / f"{name}.csv")
        began = time.perf_counter()
        few = nk.fewest_mistakes(rows[:, :-1], signs, time_limit=300)
        seconds = time.perf_counter() - began
        answer = f"{few.lower}" if few.optimal else f"{few.lower} to {few.upper}"
        d = rows.shape[1] - 1
        if d <= MOST_COLUMNS and fits(rows):
            wrong, on, visited = fewest_strictly_wrong(rows, signs)
            other, how = f"{wrong}, with {on} on it", f"{visited:,} hyperplanes"
        else:
            other, how = f"{by_program(rows, signs)}", "a 0-1 program in floats, no proof"
        cells = (f"{name.split('_')[0]}, {len(rows)} × {d}", published, answer,
                 f"{seconds:.1f}", other, how)  # fmt: skip
        lines.append("| " + " | ".join(map(str, cells)) + " |")
        print(lines[-1], file=sys.stderr, flush=True)
    (DOCS / "studies" / "optima.md").write_text(TEXT.replace("ROWS", "\n".join(lines)), "utf-8")


TEXT = """# Published optima, decided again

Written by `python scripts/study_optima.py FOLDER`; FOLDER has the four data sets of the literature
on exact 0-1 loss. Two conventions are in use. In the first a row *on* the hyperplane counts as
wrong: that is what `fewest_mistakes` counts, and each of its answers below is proven from both
sides. In the second such a row counts as right: the least number of rows strictly on the wrong
side.

| set, rows × columns | published | row on it wrong | seconds | row on it right | found by |
|---|--:|--:|--:|--:|---|
ROWS

A classifier that says + at a score of 0 is counted by the first convention: move its hyperplane a
little towards the negative rows, and what was on it is strictly on the positive side. Where the
second convention counts fewer, it is by rows for which the hyperplane decides nothing. Columns with
few values have hyperplanes that hold many rows, and the more rows are on it, the better that
convention likes it.
"""

if __name__ == "__main__":
    main()
