"""Claims with a right stamp, true and false, of the kinds of proof whose check is not plain sums.

    rows        an obstruction by its rows alone, of full rank and of deficient rank
    complete    a weak separator whose obstruction has no multipliers
    arrows      contests: circles of wins, with one-way cuts
    held        rows that equalities must span: a Poisson model, dense and sparse
    null        all relations between the columns of some integers
    signs       multipliers of up to thirty rows, one of which is zero, or on the wrong side

`attack(seed, trials)` draws data on which primes, floats and signs go wrong, makes a true claim of
it, breaks claim or data in most cases, and stamps it anew. Then the library, the stand-alone
checker (both from files) and plain fractions must agree whether it is true.
"""

from __future__ import annotations

import copy
import json
import math
import random
import tempfile
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import flint
import numpy as np
from scipy import sparse

from novikoff.certificates import Complete, RegressionProof, RowsAlone, Stamp, checker
from novikoff.certificates import rank as rank_of_rows
from novikoff.certificates.determined import positive_relation
from novikoff.certificates.files import from_bytes
from novikoff.certificates.lifted import null_space
from novikoff.certificates.model import Model
from novikoff.certificates.modular import PRIMES
from novikoff.certificates.regression import stamp_of_comparisons, stamp_of_table
from novikoff.certificates.sparse_null import PRIMES as LONG_PRIMES
from novikoff.certificates.verified import proves_obstruction
from novikoff.errors import CertificateError
from novikoff.inputs import integers_of_floats, read_labels, read_table
from novikoff.io.data import csr_over
from tampering import Rows, are_obstruction, give, holds_completely, rank, relation

KINDS = ("rows", "complete", "arrows", "held", "null", "signs")
FORMS = ("float", "csr", "decimal", "fraction")
CHECKED = (PRIMES[0], PRIMES[1], LONG_PRIMES[0], LONG_PRIMES[1], checker.PRIME)
UNKNOWN = ("is not known", "too long to be held")  # what the library may say of sparse rows
ULP = Fraction(1, 2**52)
EPSILON = Fraction(1, 2**45)


def attack(seed: int, trials: int) -> Counter[str]:
    """So many claims; AssertionError with the claim where one is not taken for what it is."""
    rng, seen = random.Random(seed), Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        for trial in range(trials):
            kind = KINDS[trial % len(KINDS)]
            seen[f"{kind}: {ATTACKS[kind](rng, Path(folder))}"] += 1
    return seen


# ------------------------------------------------------------------ plain fractions


def scores_of(vectors: Rows, w: list[Fraction]) -> list[Fraction]:
    return [sum(map(Fraction.__mul__, vector, w), Fraction(0)) for vector in vectors]


# ------------------------------------------------------------------ data on which checks go wrong


def number(rng: random.Random, style: int, row: int, column: int) -> Fraction:
    if style == 0:  # like Hilbert's matrix
        return Fraction(1.0 / (row + column + 1))
    if style == 1:  # rows that differ in their last bits
        return 1 + rng.randint(-2, 2) * ULP
    if style == 2:
        return rng.choice([0, 1, -1]) * Fraction(rng.choice(CHECKED[:4])) + rng.randint(-1, 1)
    return Fraction(rng.randint(-2, 2))


def columns_of(rng: random.Random, base: Rows, offset: bool) -> Rows:
    """The base with columns that depend on it, twins and zeros, each column times some number."""
    columns = [list(column) for column in zip(*base, strict=True)]
    for _ in range(rng.choice([0, 0, 1, 1, 2])):
        shares = [rng.choice([-1, 0, 1, 2, CHECKED[0]]) for _ in base[0]]
        shift = rng.randint(-1, 1) * offset
        columns.append([sum((s * v for s, v in zip(shares, row, strict=True)), Fraction(shift))
                        for row in base])  # fmt: skip
    scales = [Fraction(1)] * 6 + [Fraction(p) for p in CHECKED]
    scales += [Fraction(2) ** 900, Fraction(2) ** -960, Fraction(1, 3), Fraction(1, 10)]
    some = [scales[rng.randrange(len(scales))] for _ in columns]
    if rng.random() < 0.3:
        some = [some[0]] * len(some)
    scaled = [[scale * v for v in column] for scale, column in zip(some, columns, strict=True)]
    return [list(row) for row in zip(*scaled, strict=True)]


def change_number(rng: random.Random, rows: Rows, among: list[int]) -> None:
    row = rows[rng.choice(among)]
    j = rng.randrange(len(row))
    v = row[j]
    row[j] = rng.choice([v + 1, -v, v * (1 + ULP), v + rng.choice(CHECKED), v * 2, Fraction(0),
                         v + Fraction(2) ** -900])  # fmt: skip


# ------------------------------------------------------------------ the kinds of claims


def attack_rows(rng: random.Random, folder: Path) -> str:
    offset = rng.random() < 0.6
    rows, signs, chosen = obstruction(rng, offset)
    mutate(rng, rows, signs, chosen)
    one = [Fraction(1)] * offset
    z = [[sign * v for v in (*row, *one)] for row, sign in zip(rows, signs, strict=True)]
    is_true = bool(chosen) and are_obstruction(z, chosen, list(range(len(rows))))
    return judge(rng, folder, rows, signs, offset, {"rows": chosen}, is_true)


def attack_complete(rng: random.Random, folder: Path) -> str:
    """One more column is 0 on the rows above, and on the side of their sign on others."""
    offset = rng.random() < 0.6
    rows, signs, chosen = obstruction(rng, offset)
    rows = [[*row, Fraction(0)] for row in rows]
    for _ in range(rng.randint(0, 3)):
        sign = rng.choice((-1, 1))
        high = sign * rng.choice([Fraction(1), ULP, Fraction(2) ** 900])
        rows.append([*rows[rng.randrange(len(rows))][:-1], high])
        signs.append(sign)
    w = [Fraction(0)] * (len(rows[0]) - 1) + [Fraction(1), Fraction(0)]
    if rng.random() < 0.1:
        w = [Fraction(0)] * len(w)
    mutate(rng, rows, signs, chosen)
    if rng.random() < 0.1:
        w[rng.randrange(len(w) - 1)] += rng.choice([-1, 1])
    vectors = [[*row, Fraction(offset)] for row in rows]
    sides = [s * v for s, v in zip(signs, scores_of(vectors, w), strict=True)]
    core = [i for i, side in enumerate(sides) if side == 0]
    counts = [sum(side > 0 for side in sides), len(core)]
    claimed = list(counts)
    if rng.random() < 0.08:
        claimed[rng.randrange(2)] += rng.choice((-1, 1))
    z = [[sign * v for v in vector] for vector, sign in zip(vectors, signs, strict=True)]
    is_true = (
        min(sides) >= 0
        and claimed == counts
        and len(chosen) > 1
        and set(chosen) <= set(core)
        and are_obstruction(z, chosen, core)
    )
    claim = {
        "weights": [hex(int(v)) for v in w], "rows": chosen, "multipliers": None, "equalities": [],
        "factors": [], "settled": claimed[0], "core": claimed[1],
    }  # fmt: skip
    return judge(rng, folder, rows, signs, offset, claim, is_true)


def obstruction(rng: random.Random, offset: bool) -> tuple[Rows, list[int], list[int]]:
    """Rows, signs, and which of the rows are an obstruction, if their relation has no zero."""
    k, style = rng.randint(1, 4), rng.randint(0, 6)
    n = k + offset + 1
    base = [[number(rng, style, i, j) for j in range(k)] for i in range(n + rng.randint(0, 3))]
    if rng.random() < 0.2:  # a multiplier that is nearly zero
        base[1] = [a + EPSILON * (b - a) for a, b in zip(base[0], base[-1], strict=True)]
    rows = columns_of(rng, base, offset)
    order = list(range(len(rows)))
    rng.shuffle(order)
    rows, chosen = [rows[i] for i in order], [order.index(i) for i in range(n)]
    signs = [rng.choice((-1, 1)) for _ in rows]
    factors = relation([[*rows[i], *[Fraction(1)] * offset] for i in chosen]) or []
    for i, factor in zip(chosen, factors, strict=False):
        signs[i] = 1 if factor > 0 else -1
    if rng.random() < 0.1:
        for row in rows:
            row.insert(0, Fraction(0))
    return rows, signs, chosen


def mutate(rng: random.Random, rows: Rows, signs: list[int], chosen: list[int]) -> None:
    """One change, or none."""
    others = [i for i in range(len(rows)) if i not in chosen]
    action = rng.choice(["none"] * 5 + ["sign", "number", "number", "other", "swap", "fewer",
                         "more", "copy"])  # fmt: skip
    if action == "sign":
        signs[rng.choice(chosen)] *= -1
    elif action == "number":
        change_number(rng, rows, chosen)
    elif action == "other" and others:
        change_number(rng, rows, others)
    elif action == "swap" and others:
        chosen[rng.randrange(len(chosen))] = rng.choice(others)
    elif action == "fewer":
        del chosen[rng.randrange(len(chosen))]
    elif action == "more" and others:
        chosen.append(rng.choice(others))
    elif action == "copy":
        rows[rng.choice(chosen)] = list(rng.choice(rows))


def attack_arrows(rng: random.Random, folder: Path) -> str:
    """Circles among players of one height, and wins of higher players over lower ones."""
    n_players = rng.randint(2, 7)
    ground = n_players  # of height 0
    heights = [rng.choice([0, 0, 1, 2]) for _ in range(n_players)] + [0]
    edges, flows = [], []
    for _ in range(rng.randint(1, 3)):
        height = rng.choice(heights)
        level = [p for p in range(n_players + 1) if heights[p] == height]
        rng.shuffle(level)
        circle = level[: rng.randint(1, len(level))]
        for a, b in zip(circle, [*circle[1:], circle[0]], strict=True):
            edges.append((a, b))
            flows.append(1)
    n_circles = len(edges)
    for _ in range(rng.randint(0, 4)):
        a, b = rng.randrange(n_players + 1), rng.randrange(n_players + 1)
        edges.append((a, b) if heights[a] >= heights[b] else (b, a))
    if rng.random() < 0.3:
        at = rng.randrange(len(edges))
        edges[at] = (rng.randrange(n_players + 1), rng.randrange(n_players + 1))
    w = [heights[p] for p in range(n_players)] + [0]
    if rng.random() < 0.15:
        w[rng.randrange(n_players)] += rng.choice((-1, 1))
    rows, signs, sizes = [], [], []
    for a, b in edges:
        row, size, sign = [Fraction(0)] * (n_players + 1), rng.choice([1, 1, 2, 128]), 1
        row[a] += size
        row[b] -= size
        sign = rng.choice((-1, 1))
        rows.append([sign * v for v in row[:ground]])
        signs.append(sign)
        sizes.append(size)
    if rng.random() < 0.2:
        change_number(rng, rows, list(range(len(rows))))
    if rng.random() < 0.1:
        signs[rng.randrange(len(signs))] *= -1
    chosen = list(range(n_circles))
    multipliers = [128 * flow // size for flow, size in zip(flows, sizes, strict=False)]
    if rng.random() < 0.15:
        at = rng.randrange(n_circles)
        del chosen[at], multipliers[at]
    vectors = [[*row, Fraction(0)] for row in rows]
    scores = scores_of(vectors, [Fraction(v) for v in w])
    draws = [i for i in range(n_circles, len(edges)) if rng.random() < 0.5]
    if draws and rng.random() < 0.5:  # equalities, which two classes do not have
        signs = [0 if i in draws else sign for i, sign in enumerate(signs)]
        return with_draws(rows, signs, w, chosen, multipliers)
    claim = {
        "weights": [hex(v) for v in w], "rows": chosen, "multipliers": [*map(hex, multipliers)],
        "equalities": [], "factors": [], "settled": sum(map(bool, scores)),
        "core": scores.count(Fraction(0)),
    }  # fmt: skip
    is_true = holds_completely(claim, vectors, signs)
    return judge(rng, folder, rows, signs, False, claim, is_true, form="csr")


def with_draws(
    rows: Rows, signs: list[int], w: list[int], chosen: list[int], multipliers: list[int]
) -> str:
    """The claim of contests some of which are draws."""
    vectors = [[*row, Fraction(0)] for row in rows]
    sides = [
        abs(s) * v for s, v in zip(signs, scores_of(vectors, [*map(Fraction, w)]), strict=True)
    ]
    core = sum(bool(sign) and side == 0 for sign, side in zip(signs, sides, strict=True))
    claim: dict[str, Any] = {
        "weights": [hex(v) for v in w], "rows": chosen, "multipliers": [*map(hex, multipliers)],
        "equalities": [], "factors": [], "settled": sum(map(bool, sides)), "core": core,
    }  # fmt: skip
    is_true = holds_completely(claim, vectors, signs)
    stamp = stamp_of_comparisons(len(rows), len(rows[0]), False)
    complete = Complete(w, chosen, multipliers, [], [], claim["settled"], core, stamp)
    plain = claim | {"kind": "complete", "weights": w, "multipliers": multipliers}
    said = []
    for check in (
        lambda: complete.check(read_table(give(rows, "csr")), np.array(signs, dtype=np.int8)),
        lambda: checker.check_claim(plain, rows, signs),
    ):
        try:
            check()
            said.append(True)
        except (CertificateError, checker.ProofError):
            said.append(False)
    assert said == [is_true] * 2, (claim, rows, signs)
    return f"with draws, {'true, accepted' if is_true else 'false, refused'}"


def attack_held(rng: random.Random, folder: Path) -> str:
    """Equalities (y > 0), and rows (y = 0) that they span, by themselves or with a pair."""
    offset, k = rng.random() < 0.5, rng.randint(1, 4)
    style = rng.randint(2, 6)
    base = [[number(rng, style, i, j) for j in range(k)] for i in range(rng.randint(1, 4))]
    held = list(range(len(base)))
    claim: dict[str, Any] = {"rows": [], "multipliers": [], "equalities": [], "factors": []}
    if rng.random() < 0.5:  # a + b = e + f
        e, f = rng.choice(held), rng.choice(held)
        a = [number(rng, style, 9, j) for j in range(k)]
        claim["rows"], claim["multipliers"] = [len(base), len(base) + 1], ["0x1", "0x1"]
        claim["equalities"] = sorted({e, f})
        claim["factors"] = ["0x1", "0x1"] if e != f else ["0x2"]
        base += [a, [p + q - r for p, q, r in zip(base[e], base[f], a, strict=True)]]
    for _ in range(rng.randint(0, 3)):
        e, f, g = (base[rng.randrange(len(base))] for _ in range(3))
        c = rng.choice([0, 1, -1, CHECKED[0]])
        base.append([p + c * (q - r) for p, q, r in zip(e, f, g, strict=True)])
    rows = columns_of(rng, base, offset)
    if rng.random() < 0.5:
        change_number(rng, rows, list(range(len(rows))))
    y = [Fraction(i in held) for i in range(len(rows))]
    vectors = [[*row, Fraction(offset)] for row in rows]
    signs = [0 if value else -1 for value in y]
    claim |= {"weights": ["0x0"] * (len(rows[0]) + 1), "settled": 0, "core": signs.count(-1)}
    is_true = holds_completely(claim, vectors, signs)
    form = rng.choice(("float", "csr", "csr", "fraction"))
    given = stored(rng, give([[*row, value] for row, value in zip(rows, y, strict=True)], form))
    table = read_table(given)
    stamp = stamp_of_comparisons(len(rows), len(rows[0]), offset)
    empty = Complete([0] * (len(rows[0]) + 1), [], [], [], [], 0, 0, stamp)
    fields = (
        RegressionProof(
            empty, Model("poisson", ("y",), offset), stamp_of_table(table, None)
        ).to_dict()
        | claim
    )
    lines = [[*row, value] for row, value in zip(rows, y, strict=True)]
    kept, rank_of_rows.WIDE = rank_of_rows.WIDE, rng.choice([0, rank_of_rows.WIDE])
    try:
        return agreed(
            folder, fields, lines, lambda proof: proof.verify_table(table, csr_over), is_true
        )
    finally:
        rank_of_rows.WIDE = kept


def attack_null(rng: random.Random, folder: Path) -> str:  # noqa: ARG001 - no file
    """All relations, and no others, of integers that primes divide."""
    n, d, r = rng.randint(1, 7), rng.randint(1, 7), rng.randint(0, 5)
    bits = rng.choice([1, 2, 20, 60, 200])
    left = [[_with_factors(rng, bits) for _ in range(r)] for _ in range(n)]
    right = [[_with_factors(rng, 2) for _ in range(d)] for _ in range(r)]
    whole = np.zeros((n, d), dtype=object)
    for i in range(n):
        for j in range(d):
            whole[i, j] = sum(left[i][k] * right[k][j] for k in range(r))
    basis = null_space(whole.copy())
    exact = [[Fraction(v) for v in row] for row in whole]
    assert not (whole @ basis).any(), whole
    found = [[Fraction(int(v)) for v in column] for column in basis.T]
    assert len(found) == d - rank(exact) == rank(found), whole
    return "the relations of exact elimination"


def attack_signs(rng: random.Random, folder: Path) -> str:  # noqa: ARG001 - no file
    """Floats never prove signs that are not so, however near to zero a multiplier is."""
    n, style = rng.randint(2, 30), rng.randint(0, 4)
    d = n - 1
    draw = np.random.default_rng(rng.getrandbits(32))
    i, j = np.arange(n)[:, None], np.arange(d)[None, :]
    z = [
        lambda: 1.0 / (i + j + 1.0),
        lambda: (1.0 + i / n) ** j,
        lambda: 1.0 + draw.integers(-9, 10, (n, d)) * 2.0**-52,
        lambda: draw.standard_normal((n, d)),
        lambda: draw.integers(-9, 10, (n, d)).astype(float),
    ][style]()
    kept = z.copy()
    if n > 2 and rng.random() < 0.7:  # a row that the others but one nearly balance
        z[0] = (z[1] + z[2]) * 0.5 + z[-1] * 2.0 ** -rng.randint(20, 60)
    if rng.random() < 0.3:
        with np.errstate(over="ignore", under="ignore"):
            z = np.ldexp(z, draw.integers(-400, 400, (n, 1)) + draw.integers(-600, 600, (1, d)))
        z = z if np.isfinite(z).all() else kept
    factors = nullspace(z)
    if factors is None:
        assert not proves_obstruction(z), z.tolist()
        return "false, refused"
    sides = np.array([1.0 if factor > 0 else -1.0 for factor in factors])
    is_true = 0 not in factors
    if is_true and rng.random() < 0.6:
        least = min(range(n), key=lambda k: abs(factors[k]))
        sides[least if rng.random() < 0.8 else rng.randrange(n)] *= -1.0
        is_true = False
    told = proves_obstruction(z * sides[:, None])
    assert is_true or not told, (z * sides[:, None]).tolist()
    whole = integers_of_floats(z * sides[:, None])[0]
    assert checker.floats_tell(whole.tolist()) <= is_true, (z * sides[:, None]).tolist()
    if is_true:
        positive_relation(whole)
        return "true, accepted" if told else "true, and left to integers"
    try:
        positive_relation(whole)
    except CertificateError:
        return "false, refused"
    raise AssertionError((z * sides[:, None]).tolist())


def nullspace(z: np.ndarray) -> list[int] | None:
    """The relation between the rows, if there is but one."""
    basis, count = flint.fmpz_mat(integers_of_floats(z)[0].T.tolist()).nullspace()
    return [int(basis[k, 0]) for k in range(len(z))] if count == 1 else None


def _with_factors(rng: random.Random, bits: int) -> int:
    value = rng.randint(-(2**bits), 2**bits)
    return value * math.prod(rng.choice(CHECKED) for _ in range(rng.choice([0, 0, 0, 1, 1, 3])))


ATTACKS = {
    "rows": attack_rows, "complete": attack_complete, "arrows": attack_arrows,
    "held": attack_held, "null": attack_null,
    "signs": attack_signs,
}  # fmt: skip


# ------------------------------------------------------------------ who says what


def stored(rng: random.Random, X: Any) -> Any:
    """The same numbers: in float32 where it holds them, with zeros written out, out of order, or
    in two parts of one place."""
    if X.dtype != object and rng.random() < 0.3:
        with np.errstate(over="ignore", under="ignore"):
            short = X.astype(np.float32)
        X = short if not (short.astype(np.float64) != X).sum() else X
    if isinstance(X, np.ndarray) or rng.random() < 0.5:
        return X
    n, d = X.shape
    dense = X.toarray()
    places = [rng.sample(range(d), d) for _ in range(n)]
    values = [[float(dense[i, j]) for j in line] for i, line in enumerate(places)]
    if rng.random() < 0.5:
        places = [[*line, line[0]] for line in places]
        values = [[*line, 0.0] for line in values]
    starts = np.arange(n + 1) * len(places[0])
    parts = (np.array(values, dtype=X.dtype).ravel(), np.array(places).ravel(), starts)
    return sparse.csr_matrix(parts, X.shape)


def judge(
    rng: random.Random, folder: Path, rows: Rows, signs: list[int], offset: bool,
    claim: dict[str, Any], is_true: bool, form: str | None = None,
) -> str:  # fmt: skip
    """What all say of a claim about two classes."""
    if len(set(signs)) < 2:
        return "one class only"
    labels = ["yes" if sign > 0 else "no" for sign in signs]
    given = stored(rng, give(rows, form or rng.choice(FORMS)))
    table = read_table(given)
    stamp = Stamp.of(table, read_labels(labels, len(rows), "yes"), offset)
    fields = RowsAlone([0], stamp).to_dict() | copy.deepcopy(claim)
    fields["kind"] = "complete" if "weights" in claim else "rows"
    lines = [[*row, label] for row, label in zip(rows, labels, strict=True)]
    return agreed(folder, fields, lines, lambda proof: proof.verify(given, labels), is_true)


def agreed(
    folder: Path, fields: dict[str, Any], lines: list[list[Any]], verify: Any, is_true: bool
) -> str:
    text, reason = json.dumps(fields), ""
    try:
        verify(from_bytes(text.encode(), "the proof"))
        said = True
    except CertificateError as error:
        said, reason = False, str(error)
    (folder / "proof.json").write_text(text)
    cells = ([_cell(value, fields["numbers"]) for value in line] for line in lines)
    (folder / "rows.csv").write_text("".join(",".join(line) + "\n" for line in cells))
    try:
        checker.check(str(folder / "proof.json"), str(folder / "rows.csv"), header=False)
        alone = True
    except checker.ProofError as error:
        alone, why = False, str(error)
        assert "digest" not in why, (text, lines, why)
    assert alone == is_true, (text, lines, is_true)
    if is_true and any(words in reason for words in UNKNOWN):
        return "true, and said to be unknown"
    assert said == is_true, (text, lines, is_true, reason)
    return "true, accepted" if is_true else "false, refused"


def _cell(value: Any, numbers: str) -> str:
    if isinstance(value, str):
        return value
    if numbers == "binary64":
        return repr(float(value))
    if numbers == "rational":
        return f"{value.numerator}/{value.denominator}"
    return f"{int(value * 10**30)}e-30"
