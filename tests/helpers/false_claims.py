"""Claims that are true, nearly true and false, with multipliers that balance nearly or not at all.

`attack(seed, trials)` draws small sets of rows, some of them equalities, some nearly dependent,
with columns of 1e-150 to 1e150; a direction; the multipliers that balance best, sometimes spoilt;
and the relations between the columns, sometimes wrong, incomplete or repeated. Whatever the library
or the stand-alone checker accepts must be true by Fourier-Motzkin elimination, and where the sum is
said to be exact, both must say what fractions say.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from scipy.optimize import nnls

from elimination import relations_of
from novikoff.certificates import Claim, Stamp, Witness, checker
from novikoff.errors import CertificateError
from novikoff.inputs import read_table
from tampering import Rows, claim_holds, give, is_unmoved

SCALES = [Fraction(1)] * 4 + [Fraction(10) ** 150, Fraction(1, 10**150), Fraction(2) ** 900,
          Fraction(2) ** -960, Fraction(1, 3), Fraction(2**22 - 3)]  # fmt: skip
FORMS = ("float", "float", "csr", "fraction")


@dataclass
class Drawn:
    """Rows without their constant, and what is claimed of them."""

    rows: Rows
    signs: list[int]
    offset: bool
    weights: list[int]
    witness: Witness
    form: str


def attack(seed: int, trials: int) -> Counter[str]:
    """So many claims; AssertionError with the claim where one is not taken for what it is."""
    rng, seen = random.Random(seed), Counter[str]()
    for _ in range(trials):
        seen[judge(draw(rng))] += 1
    return seen


# ------------------------------------------------------------------ rows


def draw(rng: random.Random) -> Drawn:
    offset, n, d = rng.random() < 0.5, rng.randint(1, 6), rng.randint(1, 2)
    rows = [[Fraction(rng.randint(-2, 2)) for _ in range(d)] for _ in range(n)]
    if rng.random() < 0.3:  # rows that are nearly dependent
        for row in rows:
            row[-1] = row[0] + rng.randint(-1, 1) * Fraction(1, 2 ** rng.choice([20, 40, 50]))
    signs = [rng.choice((-1, 1, 1, 0) if rng.random() < 0.4 else (-1, 1)) for _ in rows]
    for i in range(n):  # rows in both classes
        if len(rows) < 8 and rng.random() < 0.4:
            rows.append(list(rows[i]))
            signs.append(-signs[i] or 1)
    weights = [0] * (d + 1)
    if rng.random() < 0.4:
        weights = [rng.randint(-1, 1) for _ in range(d)] + [rng.randint(-1, 1) * offset]
        for i, row in enumerate(rows):
            score = sum(a * b for a, b in zip((*row, offset), weights, strict=True))
            if score and rng.random() < 0.95:
                signs[i] = 1 if score > 0 else -1
    if rng.random() < 0.3:  # a column that depends on the others
        shares = [rng.randint(-1, 1) for _ in range(d + 1)]
        rows = [
            [*row, sum(a * b for a, b in zip((*row, offset), shares, strict=True))] for row in rows
        ]
        weights.insert(-1, 0)
    scales = [rng.choice(SCALES) for _ in rows[0]]
    rows = [[scale * v for scale, v in zip(scales, row, strict=True)] for row in rows]
    common = math.lcm(*(scale.numerator for scale in scales))
    weights = [int(w * common / s) for w, s in zip(weights, [*scales, Fraction(1)], strict=True)]
    return Drawn(rows, signs, offset, weights, witness(rng, rows, signs, offset, weights),
                 rng.choice(FORMS))  # fmt: skip


def core_of(vectors: Rows, signs: list[int], weights: list[int]) -> list[int]:
    scores = [sum(a * b for a, b in zip(vector, weights, strict=True)) for vector in vectors]
    return [i for i, sign in enumerate(signs) if sign and not scores[i]]


def witness(
    rng: random.Random, rows: Rows, signs: list[int], offset: bool, weights: list[int]
) -> Witness:
    vectors = [[*row, Fraction(offset)] for row in rows]
    core, held = core_of(vectors, signs, weights), [i for i, sign in enumerate(signs) if not sign]
    used, denominator = core + held, rng.choice([1, 2**20, 2**50, 2**100, 3 * 10**30])
    numbers = balance(rng, vectors, signs, core, held, denominator) if used else []
    numbers = spoilt(rng, numbers, denominator)
    named = [k for k in range(len(used)) if k >= len(core) or rng.random() < 0.9]
    relations = []
    if used:
        found = relations_of([rows[i] for i in used], offset)
        for j, shares in found.items():
            scale = math.lcm(*(share.denominator for share in shares.values()))
            relations.append([int(scale * shares.get(k, 0)) - scale * (k == j)
                              for k in range(len(vectors[0]))])  # fmt: skip
    relations = wrong_relations(rng, relations, len(vectors[0]))
    relations = [[*one[:-1], one[-1] * offset] for one in relations]  # else it is malformed
    return Witness(
        [used[k] for k in named],
        [max(1, numbers[k]) if k < len(core) else numbers[k] for k in named],
        denominator,
        None if rng.random() < 0.2 else relations,
    )


def balance(
    rng: random.Random, vectors: Rows, signs: list[int], core: list[int], held: list[int],
    denominator: int,
) -> list[int]:  # fmt: skip
    """Multipliers of at least a half, or of any sign, with the smallest remainder, in floats."""
    tops = [max(abs(vectors[i][j]) for i in core + held) or 1 for j in range(len(vectors[0]))]
    z = np.array([[float(v / t) * (signs[i] or 1) for v, t in zip(vectors[i], tops, strict=True)]
                  for i in core + held])  # fmt: skip
    lines = np.vstack([z, -z[len(core) :]])  # equalities once for either sign
    found = nnls(lines.T, -0.5 * z[: len(core)].sum(axis=0))[0]
    found = np.concatenate([found[: len(core)] + 0.5, found[len(core) : len(z)] - found[len(z) :]])
    if rng.random() < 0.5:
        found = np.concatenate(
            [np.maximum(0.5, np.round(found[: len(core)], 3)), found[len(core) :]]
        )
    return [round(Fraction(value) * denominator) for value in found.tolist()]


def spoilt(rng: random.Random, numbers: list[int], denominator: int) -> list[int]:
    """One of the multipliers changed, or none."""
    numbers = list(numbers)
    if numbers and rng.random() < 0.4:
        at = rng.randrange(len(numbers))
        numbers[at] = rng.choice([
            numbers[at] + 1, numbers[at] - 1, 0, 1, -numbers[at], 2 * numbers[at], denominator,
            numbers[at] + denominator // 10**9, 10**400 * denominator, denominator // 10**9,
        ])  # fmt: skip
    return numbers


def wrong_relations(rng: random.Random, relations: list[list[int]], width: int) -> list[list[int]]:
    relations = [list(relation) for relation in relations]
    action = rng.choice(["none"] * 5 + ["drop", "repeat", "change", "more", "sum"])
    at = rng.randrange(len(relations)) if relations else None
    if action == "drop" and at is not None:
        del relations[at]
    elif action == "repeat" and at is not None:
        relations.append([2 * v for v in relations[at]])
    elif action == "change" and at is not None:
        relations[at][rng.randrange(width)] += rng.choice((-1, 1, 2**70))
    elif action == "more":
        relations.append([rng.randint(-1, 1) for _ in range(width)])
    elif action == "sum" and len(relations) > 1:
        relations[0] = [a + b for a, b in zip(*relations[:2], strict=True)]
    return relations


# ------------------------------------------------------------------ who says what


def judge(drawn: Drawn) -> str:
    """What all say of the claim."""
    rows, signs, offset, weights = drawn.rows, drawn.signs, drawn.offset, drawn.weights
    vectors = [[*row, Fraction(offset)] for row in rows]
    scores = [sum(a * b for a, b in zip(vector, weights, strict=True)) for vector in vectors]
    core = core_of(vectors, signs, weights)
    settled = sum(sign * score > 0 for sign, score in zip(signs, scores, strict=True))
    table = read_table(give(rows, drawn.form))
    stamp = Stamp.of_rows(len(rows), len(rows[0]), offset)
    claim = Claim(weights, drawn.witness, settled, len(core), stamp)
    fields = claim.to_dict()
    is_true = claim_holds(fields, vectors, signs)
    library, alone = library_says(claim, table, signs), checker_says(drawn, claim, vectors)
    assert is_true or (library, alone) not in (("accepted", alone), (library, "accepted")), drawn
    if drawn.witness.is_exact:
        assert library == alone == ("accepted" if is_true else "refused"), drawn
    assert alone != "refused" or library == "refused", drawn
    kind = "exact" if drawn.witness.is_exact else "near"
    if is_true:
        return f"{kind}: true, {'accepted' if library == 'accepted' else 'and not proven'}"
    moved = core and not is_unmoved(vectors, signs, core)
    return f"{kind}: {'the core can be moved' if moved else 'false'}, refused"


def library_says(claim: Claim, table: Any, signs: list[int]) -> str:
    try:
        claim.check(table, np.array(signs, dtype=np.int8))
    except CertificateError:
        return "refused"
    return "accepted"


def checker_says(drawn: Drawn, claim: Claim, vectors: Rows) -> str:
    found = claim.witness
    fields = {
        "weights": drawn.weights, "settled": claim.n_settled, "core": claim.n_core,
        "rows": list(found.rows), "multipliers": list(found.multipliers),
        "denominator": found.denominator,
        "relations": found.relations and [list(relation) for relation in found.relations],
    }  # fmt: skip
    try:
        checker.check_claim(fields, checker.whole(vectors)[0], drawn.signs)
    except checker.ProofError:
        return "refused"
    except checker.CannotTellError:
        return "unknown"
    return "accepted"
