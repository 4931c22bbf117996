"""Proofs that were tampered with: none that is false, or of other data, may be accepted.

`tamper(seed, trials)` breaks proofs and data at random. Library and stand-alone checker, both
from files, are held against plain fractions and, where floats decide, Fourier-Motzkin
elimination. Three kinds of attack:

    file      the data as it was, the proof file changed in one place
    data      the proof as it was, the data changed in one place
    claim     claim or data changed, and a correct stamp put on it
"""

from __future__ import annotations

import copy
import json
import math
import random
import re
import tempfile
from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from elimination import relations_of
from fourier_motzkin import settled_of
from novikoff.certificates import Claim, Obstruction, Stamp, Witness, checker
from novikoff.certificates.certificate import from_bytes
from novikoff.errors import CertificateError, InputError
from novikoff.inputs import read_labels, read_table

Rows = list[list[Fraction]]


@dataclass(frozen=True)
class Example:
    """A true proof (as its JSON object) and its data, as exact numbers and as given."""

    rows: Rows
    labels: list[str]
    form: str  # how X is given: 'float', 'int', 'csr', 'decimal' or 'fraction'
    fields: dict[str, Any]


# ------------------------------------------------------------------ plain fractions


def holds(fields: dict[str, Any], rows: Rows, labels: list[str]) -> bool:
    """Is the claim of this proof true of these rows and labels?"""
    data = fields["data"]
    sign = {data["negative"]: -1, data["positive"]: 1}
    signs = [sign[label] for label in labels]
    vectors = [[*row, Fraction(int(fields["offset"]))] for row in rows]
    if fields["kind"] == "claim":
        return claim_holds(fields, vectors, signs)
    pairs = list(zip(fields["rows"], fields["multipliers"], strict=True))
    factors = {i: signs[i] * int(m, 16) for i, m in pairs}
    is_formed = len(factors) == len(pairs) > 0 and all(int(m, 16) > 0 for _, m in pairs)
    return is_formed and not any(total_of(vectors, factors))


def claim_holds(fields: dict[str, Any], vectors: Rows, signs: list[int]) -> bool:
    """The definition, word by word; what floats prove must be so by Fourier-Motzkin elimination."""
    w = [int(text, 16) for text in fields["weights"]]
    scores = [sum(a * b for a, b in zip(vector, w, strict=True)) for vector in vectors]
    core = [i for i, sign in enumerate(signs) if sign and scores[i] == 0]
    one = int(fields["denominator"], 16)
    named = {i: int(m, 16) for i, m in zip(fields["rows"], fields["multipliers"], strict=True)}
    held = {i: m for i, m in named.items() if not signs[i]}
    named = {i: m for i, m in named.items() if signs[i]}
    settled = sum(sign * score > 0 for sign, score in zip(signs, scores, strict=True))
    if (
        any(sign * score < 0 for sign, score in zip(signs, scores, strict=True))
        or any(score and not sign for sign, score in zip(signs, scores, strict=True))
        or (settled, len(core)) != (fields["settled"], fields["core"])
        or not (one > 0 and named.keys() <= set(core) and min(named.values(), default=1) > 0)
        or len({*fields["rows"]}) < len(fields["rows"])
    ):
        return False
    factors = {i: signs[i] * named.get(i, one) for i in core} | held
    if fields["relations"] is None:
        return not any(total_of(vectors, factors))
    relations = [[int(v, 16) for v in relation] for relation in fields["relations"]]
    return all(
        not sum(a * b for a, b in zip(vectors[i], relation, strict=True))
        for i in factors
        for relation in relations
    ) and is_unmoved(vectors, signs, core)


def total_of(vectors: Rows, factors: dict[int, int]) -> list[Fraction]:
    columns = range(len(vectors[0]))
    return [sum((m * vectors[i][j] for i, m in factors.items()), Fraction(0)) for j in columns]


def is_unmoved(vectors: Rows, signs: list[int], core: list[int]) -> bool:
    """Whether no direction that opposes no row, and keeps the equalities, moves the core."""
    whole = []
    for vector in vectors:
        scale = math.lcm(*(v.denominator for v in vector))
        whole.append([int(v * scale) for v in vector])
    return set(core).isdisjoint(settled_of(whole, signs, False))


# ------------------------------------------------------------------ true proofs to begin with


def give(rows: Rows, form: str) -> Any:
    """X in the given form; a form that cannot hold the numbers gives way to one that can."""
    is_binary = all(Fraction(float(v)) == v for row in rows for v in row)
    is_decimal = all(v * 10**30 % 1 == 0 for row in rows for v in row)
    is_whole = all(v.denominator == 1 for row in rows for v in row)
    if form == "int" and is_whole:
        return np.array([[int(v) for v in row] for row in rows])
    if form in ("float", "csr", "int") and is_binary:
        X = np.array([[float(v) for v in row] for row in rows])
        return sparse.csr_matrix(X) if form == "csr" else X
    exact = np.empty((len(rows), len(rows[0])), dtype=object)
    for i, row in enumerate(rows):
        for j, v in enumerate(row):
            exact[i, j] = v
            if form == "decimal" and is_decimal:
                exact[i, j] = Decimal(f"{int(v * 10**30)}e-30")
    return exact


KINDS = ("separable", "quasi-separable", "overlapping", "near", "obstruction")
FORMS = ("float", "int", "csr", "decimal", "fraction")


def examples(seed: int, count: int) -> list[Example]:
    """True proofs of every kind, form and offset, on a few rows."""
    rng = random.Random(seed)
    made: list[Example] = []
    while len(made) < count:
        form, kind = FORMS[len(made) % 5], KINDS[len(made) // 5 % 5]
        example = _example(rng, form, kind, len(made) // 25 % 2 == 0)
        if example is not None:
            made.append(example)
    return made


def _number(rng: random.Random, form: str) -> Fraction:
    if form == "int":
        return Fraction(rng.randint(-3, 3))
    if form in ("float", "csr"):
        return Fraction(rng.choice([0.0, 0.0, 0.1, -0.3, 1.0, 2.0, rng.gauss(0, 1), 1e-300]))
    if form == "decimal":
        return Fraction(rng.randint(-30, 30), 10)
    return Fraction(rng.randint(-6, 6), rng.randint(1, 7))


def _example(rng: random.Random, form: str, kind: str, offset: bool) -> Example | None:
    """Rows on the hyperplane are in both classes: these pairs balance."""
    n, d = rng.randint(2, 4), rng.randint(1, 2)
    rows = [[_number(rng, form) for _ in range(d)] for _ in range(n)]
    w = [Fraction(rng.randint(-4, 4)) for _ in range(d)] + [Fraction(rng.randint(-4, 4)) * offset]
    w = [Fraction(float(v) * 0.7) for v in w] if rng.random() < 0.5 else w
    if kind in ("overlapping", "near", "obstruction"):
        w = [Fraction(0)] * (d + 1)
    scores = [sum(a * b for a, b in zip((*row, 1), w, strict=True)) for row in rows]
    signs = [1 if score > 0 else -1 for score in scores]
    pairs = []
    for i in [i for i in range(n) if scores[i] == 0]:
        pairs.append((i, len(rows)))
        rows.append(list(rows[i]))
        signs.append(1)
    expected = {"separable": not pairs, "quasi-separable": pairs and any(scores)}
    if len(set(signs)) < 2 or not expected.get(kind, True):
        return None
    labels = ["yes" if sign > 0 else "no" for sign in signs]
    table = read_table(give(rows, form))
    stamp = Stamp.of(table, read_labels(labels, len(rows), "yes"), offset, "answer")
    chosen = rng.sample(pairs, rng.randint(kind == "obstruction", len(pairs)))
    denominator = 2**45 if kind == "near" else rng.choice([1, 1, 2, 3, 10**25])
    multipliers = [m for _ in chosen for m in [rng.choice([1, 2, 3, 10**25])] * 2]
    named, relations = [i for pair in chosen for i in pair], None
    if kind == "near":
        multipliers = [denominator + rng.randint(0, 9) for _ in named]
        relations = [_whole(j, one, d) for j, one in relations_of(rows, offset).items()]
    weights: Any = w if rng.random() < 0.5 else np.array([float(v) for v in w])
    witness = Witness(named, multipliers, denominator, relations)
    try:
        certificate: Any = Claim.checked(weights, witness, stamp, table, _signs(labels))
    except CertificateError:
        return None
    if kind == "obstruction":
        certificate = Obstruction(named, multipliers, stamp)
    fields = certificate.to_dict()
    assert holds(fields, rows, labels), fields
    return Example(rows, labels, form, fields)


def _whole(j: int, shares: dict[int, Fraction], d: int) -> list[int]:
    """Column j is the sum of these shares of others: as a relation of integers."""
    scale = math.lcm(*(share.denominator for share in shares.values()))
    return [int(scale * shares.get(k, 0)) - scale * (k == j) for k in range(d + 1)]


def _signs(labels: list[str]) -> np.ndarray:
    return np.array([1 if label == "yes" else -1 for label in labels], dtype=np.int8)


# ------------------------------------------------------------------ attacks


STRANGE = [None, True, False, 0, 1, -1, 2, 2**70, 1.5, "", "0", "1", "0x1", "-0x1", "0x0", [], {}]
STRANGE += ["0x1.8p+1", "nan", "inf", "0x1.0p+9999", "1/2", "binary64", "decimal", "rational"]
STRANGE += ["sparse", "dense", "yes", "no", "claim", "obstruction", "mistakes", "0X1", 2**53]


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path of every value inside a JSON object."""
    if not isinstance(value, (dict, list)):
        return [path]
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    return [path, *(p for key, part in inner for p in places(part, (*path, key)))]


def changed(rng: random.Random, value: Any) -> Any:
    """Another value, near to or far from this one."""
    if rng.random() < 0.3:
        return copy.deepcopy(rng.choice(STRANGE))
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + rng.choice((-1, 1, 2))
    if isinstance(value, str):
        if re.fullmatch("-?0x[0-9a-f]+", value) and rng.random() < 0.7:
            return hex(rng.choice([int(value, 16) + 1, int(value, 16) - 1, -int(value, 16)]))
        at = rng.randrange(len(value) + 1)
        return value[:at] + rng.choice("0123456789abcdef-xp. ") + value[at + rng.randint(0, 1) :]
    if isinstance(value, list):
        other = list(value)
        if not value:
            return [copy.deepcopy(rng.choice(STRANGE))]
        i, j = rng.randrange(len(value)), rng.randrange(len(value))
        action = rng.randrange(5)
        if action == 0:
            del other[i]
        elif action == 1:
            other.insert(j, value[i])
        elif action == 2:
            other[i], other[j] = other[j], other[i]
        elif action == 3:
            other.append(copy.deepcopy(rng.choice(STRANGE)))
        else:
            other[i] = value[j]
        return other
    if isinstance(value, dict):
        other = dict(value)
        key = rng.choice(list(value))
        if rng.random() < 0.5:
            del other[key]
        else:
            other[rng.choice([key + "s", "note", key.upper()])] = value[key]
        return other
    return "answer"


def changed_fields(rng: random.Random, fields: dict[str, Any]) -> Any:
    """The proof with one value changed."""
    path = rng.choice(places(fields))
    if not path:
        return changed(rng, fields)
    result = copy.deepcopy(fields)
    target = result
    for key in path[:-1]:
        target = target[key]
    target[path[-1]] = changed(rng, target[path[-1]])
    return result


def changed_text(rng: random.Random, text: str) -> str:
    """The proof file with a few characters lost, added or doubled."""
    at = rng.randrange(len(text))
    action = rng.randrange(4)
    if action == 0:
        return text[:at]
    if action == 1:
        return text[:at] + rng.choice('0123456789{}[]",:x \\') + text[at + rng.randint(0, 1) :]
    if action == 2:
        return text.replace('"offset":', rng.choice(['"offset": true, "offset":', '"offset":\n']))
    return text[:at] + text[max(0, at - rng.randint(1, 9)) :]


def changed_data(rng: random.Random, rows: Rows, labels: list[str]) -> tuple[Rows, list[str]]:
    """The data with one number, label, row or column changed."""
    rows, labels = copy.deepcopy(rows), list(labels)
    i, j = rng.randrange(len(rows)), rng.randrange(len(rows[0]))
    k = rng.randrange(len(rows))
    action = rng.randrange(9)
    if action <= 3:
        v = rows[i][j]
        near = Fraction(float(np.nextafter(float(v), 9.0)))
        rows[i][j] = rng.choice([v + 1, v - 1, -v, Fraction(0), near, v + Fraction(1, 10**20)])
    elif action == 4:
        labels[i] = "no" if labels[i] == "yes" else "yes"
    elif action == 5:
        rows[i], rows[k], labels[i], labels[k] = rows[k], rows[i], labels[k], labels[i]
    elif action == 6:
        rows.insert(k, list(rows[i]))
        labels.insert(k, labels[i])
    elif action == 7:
        del rows[i], labels[i]
    else:
        for row in rows:
            row[j], row[0] = row[0], row[j]
    return rows, labels


CLAIM = ("weights", "settled", "core", "rows", "multipliers", "denominator", "relations")


def restamped(
    rng: random.Random, example: Example
) -> tuple[dict[str, Any], Rows, list[str]] | None:
    """The claim or the data changed, and the stamp made right again."""
    rows, labels = example.rows, example.labels
    fields = copy.deepcopy(example.fields)
    if rng.random() < 0.5:
        rows, labels = changed_data(rng, rows, labels)
    else:
        key = rng.choice([k for k in CLAIM if k in fields])
        if isinstance(fields[key], list) and fields[key] and rng.random() < 0.8:
            at = rng.randrange(len(fields[key]))
            fields[key][at] = changed(rng, fields[key][at])
        else:
            fields[key] = changed(rng, fields[key])
    if rng.random() < 0.1:
        fields["offset"] = not fields["offset"]
    if not rows or set(labels) != {"yes", "no"}:
        return None
    table = read_table(give(rows, example.form))
    stamp = Stamp.of(table, read_labels(labels, len(rows), "yes"), fields["offset"], "answer")
    fields["numbers"] = stamp.numbers
    fields["data"].update(rows=len(rows), columns=len(rows[0]), digest=stamp.digest)
    return fields, rows, labels


# ------------------------------------------------------------------ who says what


def library_says(text: str, rows: Rows, labels: list[str], form: str) -> str:
    """'accepted', 'refused', or 'malformed' where no proof was read."""
    try:
        certificate = from_bytes(text.encode(), "the proof")
    except CertificateError:
        return "malformed"
    try:
        certificate.verify(give(rows, form), labels)
    except (CertificateError, InputError):
        return "refused"
    return "accepted"


def checker_says(folder: Path, text: str, rows: Rows, labels: list[str], numbers: str) -> str:
    """'accepted', 'refused' or 'unknown', from two files."""
    (folder / "proof.json").write_text(text)
    lines = [[f"x{j}" for j in range(len(rows[0]))] + ["answer"]]
    for row, label in zip(rows, labels, strict=True):
        lines.append([*(cell(value, numbers) for value in row), label])
    (folder / "data.csv").write_text("".join(",".join(line) + "\n" for line in lines))
    return alone_says(folder)


def alone_says(folder: Path, data: str = "data.csv") -> str:
    try:
        checker.check(str(folder / "proof.json"), str(folder / data))
    except checker.ProofError:
        return "refused"
    except checker.CannotTellError:
        return "unknown"
    return "accepted"


def cell(value: Fraction, numbers: str) -> str:
    if numbers == "binary64":
        return repr(float(value))
    if numbers == "decimal":
        return f"{int(value * 10**30)}e-30"
    return f"{value.numerator}/{value.denominator}"


def as_written(rows: Rows, numbers: str) -> Rows:
    """The numbers that the cells stand for."""
    exact = float if numbers == "binary64" else Fraction
    return [[Fraction(exact(cell(value, numbers))) for value in row] for row in rows]


def tamper(seed: int, trials: int) -> Counter[str]:
    """Attack `trials` times; AssertionError with the proof if a false one is accepted."""
    rng, known, seen = random.Random(seed), examples(seed, 150), Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        for trial in range(-len(known), trials):
            example = known[trial % len(known)]
            attack = "none" if trial < 0 else rng.choice(("file", "file", "data", "claim"))
            judge(rng, example, attack, Path(folder), seen)
    return seen


def judge(
    rng: random.Random, example: Example, attack: str, folder: Path, seen: Counter[str]
) -> None:
    """One attack of an example, and what both say of it."""
    rows, labels, fields = example.rows, example.labels, copy.deepcopy(example.fields)
    if attack == "data":
        rows, labels = changed_data(rng, rows, labels)
        rows = as_written(rows, fields["numbers"])
    elif attack == "claim":
        fields, rows, labels = restamped(rng, example) or (None, rows, labels)
    if not rows or fields is None:
        return
    numbers, text = fields["numbers"], json.dumps(fields)
    if attack == "file":
        is_text = rng.random() < 0.2
        text = changed_text(rng, text) if is_text else json.dumps(changed_fields(rng, fields))
    library = library_says(text, rows, labels, example.form)
    alone = checker_says(folder, text, rows, labels, numbers)
    seen[f"{attack} {library}"] += 1
    seen[f"{attack} {alone} by the checker alone"] += 1
    if "accepted" in (library, alone):
        is_same = (rows, labels) == (example.rows, example.labels)
        assert is_same or attack in ("none", "claim"), text
        assert holds(json.loads(text), rows, labels), text
    if attack in ("none", "claim") and not isinstance(fields.get("relations"), list):
        is_read = library != "malformed"
        assert (library == "accepted") == (is_read and holds(fields, rows, labels)), text
    # The library is given numbers and labels, and does not read them. Where floats decide, one of
    # two bounds may close where the other does not.
    is_bounded = '"relations": [' in text and library == "refused"
    if f'"numbers": "{numbers}"' in text and '"label": "answer"' in text:
        agree = alone == "unknown" or (library == "accepted") == (alone == "accepted")
        assert agree or is_bounded, (text, library, alone)
