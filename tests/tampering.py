"""Proofs that were tampered with: none that is false, or of other data, may be accepted.

`tamper(seed, trials)` breaks proofs and data at random and recomputes whatever is
accepted with plain fractions. Three kinds of attack:

    file      the data as it was, the proof file changed in one place
    data      the proof as it was, the data changed in one place, or only stored otherwise
    claim     claim or data changed, and a correct stamp put on it: here the checker must
              say exactly what the fractions say
"""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from scipy import sparse

from novikoff.certificates import (
    Complete,
    Obstruction,
    QuasiSeparator,
    RowsAlone,
    Separator,
    Stamp,
)
from novikoff.certificates.files import from_bytes
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


def rank(vectors: Rows) -> int:
    """Gauss's elimination, nothing else."""
    left, found = [list(vector) for vector in vectors], 0
    while left:
        vector = left.pop()
        pivot = next((j for j, value in enumerate(vector) if value), None)
        if pivot is not None:
            found += 1
            for other in left:
                factor = other[pivot] / vector[pivot]
                other[:] = [a - factor * b for a, b in zip(other, vector, strict=True)]
    return found


def relation(vectors: Rows) -> list[Fraction] | None:
    """The factors of Σ factor_i·v_i = 0, if they are the only ones but for multiples."""
    n = len(vectors)
    lines = [[*v, *(Fraction(i == j) for j in range(n))] for i, v in enumerate(vectors)]
    width = len(vectors[0])
    for j in range(width):
        pivot = next((line for line in lines if line[j]), None)
        if pivot is None:
            continue
        lines = [line for line in lines if line is not pivot]
        for line in lines:
            factor = line[j] / pivot[j]
            line[:] = [a - factor * b for a, b in zip(line, pivot, strict=True)]
    return lines[0][width:] if len(lines) == 1 else None


def are_obstruction(z: Rows, chosen: list[int], among: list[int]) -> bool:
    """Have the rows one relation, is it positive, and do they span those of `among`?"""
    few = [z[i] for i in chosen]
    factors = relation(few) if chosen else None
    one_side = factors is not None and (min(factors) > 0 or max(factors) < 0)
    return one_side and rank(few) == rank(few + [z[i] for i in among])


def holds(fields: dict[str, Any], rows: Rows, labels: list[str]) -> bool:
    """Is the claim of this proof true of these rows and labels?"""
    data = fields["data"]
    sign = {data["negative"]: -1, data["positive"]: 1}
    one = Fraction(int(fields["offset"]))
    z = [
        [sign[label] * value for value in (*row, one)]
        for row, label in zip(rows, labels, strict=True)
    ]
    if fields["kind"] == "complete":
        vectors = [[*row, one] for row in rows]
        return holds_completely(fields, vectors, [sign[label] for label in labels])
    if fields["kind"] == "rows":
        return are_obstruction(z, fields["rows"], list(range(len(z))))
    true = True
    if "weights" in fields:
        w = [Fraction(float.fromhex(t) if "p" in t else int(t, 16)) for t in fields["weights"]]
        scores = [sum(a * b for a, b in zip(row, w, strict=True)) for row in z]
        weakly = min(scores) >= 0 and max(scores) > 0
        true = min(scores) > 0 if fields["kind"] == "separator" else weakly
    if "rows" in fields:
        pairs = list(zip(fields["rows"], fields["multipliers"], strict=True))
        true = true and all(int(m, 16) > 0 for _, m in pairs) and len(set(fields["rows"])) > 0
        for j in range(len(z[0])):
            true = true and sum(int(m, 16) * z[i][j] for i, m in pairs) == 0
        if fields.get("spans"):
            true = true and rank([z[i] for i, _ in pairs]) == rank(z)
    return true


def holds_completely(fields: dict[str, Any], vectors: Rows, signs: list[int]) -> bool:
    """Is the claim of a complete proof true of these vectors, some of which may be equalities?"""
    w = [Fraction(float.fromhex(t) if "p" in t else int(t, 16)) for t in fields["weights"]]
    scores = [sum(a * b for a, b in zip(vector, w, strict=True)) for vector in vectors]
    sides = [sign * score for sign, score in zip(signs, scores, strict=True)]
    held = [i for i, sign in enumerate(signs) if sign == 0]
    core = [i for i, sign in enumerate(signs) if sign and scores[i] == 0]
    if fields["multipliers"] is None:  # of which the rows themselves are the proof
        z = [[sign * v for v in vector] for vector, sign in zip(vectors, signs, strict=True)]
        return (
            min(sides) >= 0
            and not any(scores[i] for i in held)
            and (fields["settled"], fields["core"]) == (sum(s > 0 for s in sides), len(core))
            and set(fields["rows"]) <= set(core)
            and are_obstruction(z, fields["rows"], core)
        )
    pairs = list(zip(fields["rows"], fields["multipliers"], strict=True))
    others = list(zip(fields["equalities"], fields["factors"], strict=True))
    factors = [(i, signs[i] * int(m, 16)) for i, m in pairs] + [(i, int(m, 16)) for i, m in others]
    basis = [vectors[i] for i in [*fields["rows"], *held]]
    return (
        min(sides) >= 0
        and not any(scores[i] for i in held)
        and all(signs[i] and int(m, 16) > 0 for i, m in pairs)
        and all(signs[i] == 0 and int(m, 16) for i, m in others)
        and not any(sum(m * vectors[i][j] for i, m in factors) for j in range(len(w)))
        and (fields["settled"], fields["core"]) == (sum(s > 0 for s in sides), len(core))
        and rank(basis) == rank(basis + [vectors[i] for i in core])
    )


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


KINDS = ("separator", "obstruction", "spanning", "quasi", "complete", "rows", "alone")


def examples(seed: int, count: int) -> list[Example]:
    """True proofs of every kind, form, offset and status, on a few rows."""
    rng = random.Random(seed)
    made: list[Example] = []
    while len(made) < count:
        form = ("float", "int", "csr", "decimal", "fraction")[len(made) % 5]
        kind = KINDS[len(made) // 5 % len(KINDS)]
        offset = bool(len(made) // (5 * len(KINDS)) % 2 == 0)
        make = _alone if kind in ("rows", "alone") else _example
        example = make(rng, form, kind, offset)
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
    n, d = rng.randint(2, 7), rng.randint(1, 3)
    rows = [[_number(rng, form) for _ in range(d)] for _ in range(n)]
    signs = [rng.choice((-1, 1)) for _ in range(n)]
    w = [Fraction(rng.randint(-4, 4)) for _ in range(d)] + [Fraction(rng.randint(-4, 4)) * offset]
    if rng.random() < 0.5:
        w = [Fraction(float(v) * 0.7) for v in w]
    scores = [sum(a * b for a, b in zip((*row, 1), w, strict=True)) for row in rows]
    pairs: list[tuple[int, int]] = []
    if kind in ("separator", "quasi", "complete"):
        signs = [1 if score > 0 else -1 for score in scores]
    if kind == "separator" and 0 in scores:
        return None
    if kind != "separator":  # some rows in both classes
        both = [i for i in range(n) if scores[i] == 0 or kind not in ("quasi", "complete")]
        for i in both[: rng.randint(1, n)] if kind == "obstruction" else both:
            multiplier = rng.choice([1, 2, 3, 10**25])
            pairs += [(i, multiplier), (len(rows), multiplier)]
            rows.append(list(rows[i]))
            signs.append(-signs[i])
    if len(set(signs)) < 2 or (kind != "separator" and not pairs):
        return None
    labels = ["yes" if sign > 0 else "no" for sign in signs]
    table = read_table(give(rows, form))
    stamp = Stamp.of(table, read_labels(labels, len(rows), "yes"), offset, "answer")
    chosen, multipliers = [i for i, _ in pairs], [m for _, m in pairs]
    weights: Any = w if rng.random() < 0.5 else np.array([float(v) for v in w])
    certificate = (
        Separator(weights, stamp)
        if kind == "separator"
        else QuasiSeparator(weights, chosen, multipliers, stamp)
        if kind == "quasi"
        else Complete(weights, chosen, multipliers, (), (), *_counts(scores), stamp)
        if kind == "complete"
        else Obstruction(chosen, multipliers, kind == "spanning", stamp)
    )
    fields = certificate.to_dict()
    return Example(rows, labels, form, fields) if holds(fields, rows, labels) else None


def _alone(rng: random.Random, form: str, kind: str, offset: bool) -> Example | None:
    """Rows that determine their multipliers; of a complete proof, with others that are settled."""
    d = rng.randint(1, 3)
    rows = [[_number(rng, form) for _ in range(d)] for _ in range(d + offset + 1)]
    factors = relation([[*row, *[Fraction(1)] * offset] for row in rows])
    if factors is None or 0 in factors:
        return None
    signs, chosen = [1 if factor > 0 else -1 for factor in factors], list(range(len(rows)))
    for _ in range(rng.randint(0, 2)):
        rows.append([_number(rng, form) for _ in range(d)])
        signs.append(rng.choice((-1, 1)))
    core = len(rows)
    if kind == "alone":
        rows = [[*row, Fraction(0)] for row in rows]
        for sign in rng.choices((-1, 1), k=rng.randint(0, 2)):
            rows.append([*(_number(rng, form) for _ in range(d)), Fraction(sign)])
            signs.append(sign)
    if len(set(signs)) < 2:
        return None
    labels = ["yes" if sign > 0 else "no" for sign in signs]
    stamp = Stamp.of(
        read_table(give(rows, form)), read_labels(labels, len(rows), "yes"), offset, "answer"
    )
    certificate: Any = RowsAlone(chosen, stamp)
    if kind == "alone":
        weights = [0] * d + [1, 0]
        certificate = Complete(weights, chosen, None, (), (), len(rows) - core, core, stamp)
    fields = certificate.to_dict()
    return Example(rows, labels, form, fields) if holds(fields, rows, labels) else None


# ------------------------------------------------------------------ attacks


def _counts(scores: list[Fraction]) -> tuple[int, int]:
    """Rows that are settled; rows on the hyperplane, where each has its like in the other class."""
    return sum(score != 0 for score in scores), 2 * sum(score == 0 for score in scores)


STRANGE = [None, True, False, 0, 1, -1, 2, 2**70, 1.5, "", "0", "1", "0x1", "-0x1", "0x0", [], {}]
STRANGE += ["0x1.8p+1", "nan", "inf", "0x1.0p+9999", "1/2", "binary64", "decimal", "rational"]
STRANGE += ["sparse", "dense", "yes", "no", "separator", "obstruction", "quasi-separator", "0X1"]
STRANGE += ["complete", "classes", "poisson"]


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
        if value.lstrip("-").startswith("0x") and "p" not in value and rng.random() < 0.7:
            return hex(rng.choice([int(value, 16) + 1, int(value, 16) - 1, -int(value, 16)]))
        if value.lstrip("-").startswith("0x") and rng.random() < 0.7:
            number = float.fromhex(value)
            return rng.choice([-number, number * 2, np.nextafter(number, 9.0).item()]).hex()
        at = rng.randrange(len(value) + 1)
        return value[:at] + rng.choice("0123456789abcdef-xp. ") + value[at + rng.randint(0, 1) :]
    if isinstance(value, list) and not value:
        return [copy.deepcopy(rng.choice(STRANGE))]
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


def outcome(text: str, rows: Rows, labels: list[str], form: str) -> str:
    """What the checker says: 'accepted', 'refused', or 'malformed' where no proof was read."""
    try:
        certificate = from_bytes(text.encode(), "the proof")
    except CertificateError:
        return "malformed"
    try:
        certificate.verify(give(rows, form), labels)
    except (CertificateError, InputError):
        return "refused"
    return "accepted"


CLAIM = ("weights", "multipliers", "rows", "spans", "equalities", "factors", "settled", "core")


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
    fields["data"].update(
        rows=len(rows), columns=len(rows[0]), layout=stamp.layout, digest=stamp.digest
    )
    return fields, rows, labels


def tamper(seed: int, trials: int) -> Counter[str]:
    """Attack `trials` times; AssertionError with the proof if a false one is accepted."""
    rng = random.Random(seed)
    known = examples(seed, 150)
    seen: Counter[str] = Counter()
    for example in known:
        text = json.dumps(example.fields)
        assert outcome(text, example.rows, example.labels, example.form) == "accepted", text
    for trial in range(trials):
        example = known[trial % len(known)]
        rows, labels, form = example.rows, example.labels, example.form
        attack = rng.choice(("file", "file", "data", "claim"))
        text = json.dumps(example.fields)
        if attack == "file":
            if rng.random() < 0.2:
                text = changed_text(rng, text)
            else:
                text = json.dumps(changed_fields(rng, example.fields))
        elif attack == "data":
            if rng.random() < 0.9:
                rows, labels = changed_data(rng, rows, labels)
            form = rng.choice((form, "float", "csr", "decimal", "fraction"))
        elif (made := restamped(rng, example)) is not None:
            fields, rows, labels = made
            text = json.dumps(fields)
        else:
            continue
        if not rows:
            continue
        said = outcome(text, rows, labels, form)
        seen[f"{attack} {said}"] += 1
        if said == "accepted":
            assert holds(json.loads(text), rows, labels), text
            assert attack == "claim" or (rows, labels) == (example.rows, example.labels), text
        if said == "refused" and attack == "claim":
            assert not holds(json.loads(text), rows, labels), text
    return seen
