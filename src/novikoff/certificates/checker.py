"""Check a novikoff proof with nothing but Python: python checker.py proof.json data.csv

One plain file of the standard library alone, which shares no code with the rest of novikoff. It
says what is proven of which data, and ends with the exit code

    0   the proof holds: its claim is true of this data
    1   the proof does not hold, for the reason that is printed
    4   cannot tell: a file cannot be read, the proof is too large for plain Python, or its sum is
        not exactly zero and no bound on the remainder was found  (2 is wrong usage)

Rows have the sign +1, -1 or 0: z_i = sign_i·(x_i, 1) for the first two, or sign_i·x_i without an
offset; rows of sign 0 are equalities e_k, which only models have. The three kinds of proof:

    claim        z_i·w >= 0 for every row and e_k·w = 0 for every equality: rows with z_i·w > 0 are
                 settled, those with z_i·w = 0 are the core. And Σ λ_i·z_i + Σ μ_k·e_k = 0, with
                 λ_i > 0 on every row of the core: 1 where the proof gives no multiplier. For any
                 direction v with z_i·v >= 0 and e_k·v = 0, no term of 0 = Σ λ_i·(z_i·v) is
                 negative, so v is zero on the core: nothing settles more than w. In a claim with a
                 model the rows are the comparisons that the model makes of its data: along such a
                 v the likelihood never falls, so the estimate is finite just when none is settled
    obstruction  Σ λ_i·z_i = 0 with λ_i > 0 on a few rows: no hyperplane has all on their side
    mistakes     the rows with z_i·w <= 0 cost `upper`, and those of any other w that is right on
                 the trusted rows at least `lower`

How the data were made from another file (`reading`, `derivation`) is left to `novikoff verify`; its
option --rows writes the very rows of a proof as a CSV file for this program.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import math
import re
import struct
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from fractions import Fraction
from operator import mul
from pathlib import Path
from typing import Any

DERIVED = "; it is about rows made from a file: novikoff verify PROOF DATA --rows FILE writes them"
MOST_BYTES = 64 * 2**20  # of a proof file
MOST_CLASSES = 1_000_000
MOST_DEPTH = 300  # of a tree
MOST_BITS = 13_000  # of a cost, so that it can be printed: Python prints 4,300 digits
MOST_CELLS = 50_000_000  # numbers of the data, and of all comparisons: some gigabytes
MOST_PRODUCTS = 2 * 10**10  # of integers in one try of the bound: half an hour
PLACES = 200  # binary ones: enough for columns that depend on each other but for 1e-28
Table = list[list[float | Fraction]]  # both are exact
Integers = Sequence[Sequence[int]]
Fields = dict[str, Any]


class ProofError(Exception):
    """Why the proof does not hold."""


class CannotTellError(Exception):
    """Why it is not known whether the proof holds."""


def need(condition: Any, reason: str, error: type[Exception] = ProofError) -> None:
    if not condition:
        raise error(reason)


# ---------------------------------------------------------------- 1. the proof file
# Each object of the file is a table of fields and what they hold: a text, true or false (flag), a
# JSON integer (count), a text that is an integer in hexadecimal (hex), an object of another table,
# or one of some texts (a|b). * is a list of these, ? may be null. Only fields whose name ends in ?
# may be missing, and there are no others.

TABLES = {
    "claim": """model:?model weights:*hex settled:count core:count rows:*count multipliers:*hex
        denominator:hex relations:?**hex""",
    "obstruction": "rows:*count multipliers:*hex",
    "mistakes": """weights:?*hex mistakes:*count costs:?*hex unit:*hex trusted:*count
        obstructions:*obstruction scale:hex tree:object lower:?hex upper:?hex""",
    "proof": """format:text version:count kind:text numbers:binary64|decimal|rational offset:flag
        data:data""",
    "data": """rows:count columns:count negative:?text positive:?text label:?text digest:text
        reading?:object derivation?:object""",
    "model": "name:text response:*text classes:count reference:count ties:breslow|exact",
    "branch": "row:count removed:object kept:object",
    "leaf": "obstructions:*count shares:*hex",
}
# The response columns of each model with what they hold, and which of constant, classes, reference
# and ties it has.
MODELS = {
    "logistic": ("y:bit", "constant"),
    "binomial": ("successes:amount trials:amount", "constant"),
    "poisson": ("y:amount", "constant"),
    "multinomial": ("class:class", "constant classes reference"),
    "ordinal": ("class:class", "classes"),
    "conditional": ("case:bit set:code", ""),
    "cox": ("time:any event:bit entry?:any stratum?:code", "ties"),
    "bradley-terry": ("winner:class loser:class result:amount", "classes reference"),
}
STATUSES = {
    (False, True): "overlapping: no hyperplane separates the two classes, not even weakly",
    (True, False): "separable: every row is strictly on its side of a hyperplane",
    (True, True): "quasi-separable: {} rows are strictly on their side of a hyperplane and the "
    "other {} on it, and no hyperplane settles more",
}
TYPES = {"flag": bool, "count": int, "object": dict, "text": str, "hex": str}
INTEGER = re.compile(r"-?0x(0|[1-9a-f][0-9a-f]{0,999999})")


def read_fields(fields: Any, tables: str) -> Fields:
    """Exactly the fields of these tables, with integers as Python's."""
    need(isinstance(fields, dict), f"the {tables} is not a JSON object")
    forms = dict(field.split(":") for name in tables.split() for field in TABLES[name].split())
    odd = {name for name in forms if name[-1] != "?"} - fields.keys()
    odd |= fields.keys() - {name.rstrip("?") for name in forms}
    need(not odd, f"the {tables} has missing or unknown fields: {', '.join(sorted(odd))[:200]}")
    return {n: read_value(v, forms.get(n) or forms[f"{n}?"], n) for n, v in fields.items()}


def read_value(value: Any, form: str, name: str) -> Any:
    if form in TABLES:
        return read_fields(value, form)
    if form[0] == "?":
        return None if value is None else read_value(value, form[1:], name)
    if form[0] == "*":
        need(isinstance(value, list), f"{name} is not a list")
        return [read_value(one, form[1:], name) for one in value]
    fits = value in form.split("|") if "|" in form else type(value) is TYPES[form]
    fits = fits and (form != "count" or 0 <= value < 2**62)
    need(fits and (form != "hex" or INTEGER.fullmatch(value)), f"{name} has a value of no {form}")
    return int(value, 16) if form == "hex" else value


def without_repeats(pairs: list[tuple[str, Any]]) -> Fields:
    need(len(dict(pairs)) == len(pairs), "a field is there twice")
    return dict(pairs)


def read_proof(path: str) -> Fields:
    """The fields of the proof, each of them checked by itself."""
    with Path(path).open("rb") as file:
        content = file.read(MOST_BYTES + 1)
    need(len(content) <= MOST_BYTES, f"the proof has more than {MOST_BYTES} bytes")
    try:
        given: Any = json.loads(content.decode("utf-8"), object_pairs_hook=without_repeats)
    except (ValueError, RecursionError) as error:
        raise ProofError(f"the proof is not JSON: {error}") from None
    head = [given.get(n) for n in ("format", "version", "kind")] if type(given) is dict else []
    known = [["novikoff certificate", 1, kind] for kind in ("claim", "obstruction", "mistakes")]
    need(head in known, "this is no novikoff certificate of version 1 and of a known kind")
    proof = read_fields(given, f"proof {given['kind']}")
    data, model = proof["data"], proof.get("model")
    need(re.fullmatch("[0-9a-f]{64}", data["digest"]), "the digest has not 64 digits")
    need(min(data["rows"], data["columns"]) >= 1, "there are no rows, or no columns")
    labels = {data["negative"], data["positive"]}
    are_two = len(labels - {None}) == 2 and "derivation" not in data
    fits = labels == {None} if model else are_two
    need(fits, "a proof has two different labels, or else a model")
    return proof


# ---------------------------------------------------------------- 2. the data and its digest

DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,4})?")
LARGEST = sys.float_info.max
RATIO = re.compile(r"[+-]?[0-9]+/[0-9]*[1-9][0-9]*")


def read_data(path: str, proof: Fields) -> tuple[Table, list[int]]:
    """The rows and signs of a CSV file. The last columns of a model's table are its response.

    The label is the column that a header calls so, or that of this number, from 1, or the last.
    """
    data, model = proof["data"], proof.get("model")
    width = data["columns"] + (model is None)
    try:
        content = Path(path).read_bytes().decode("utf-8-sig")
        delimiter = max(",;\t", key=content.partition("\n")[0].count)
        reader = csv.reader(io.StringIO(content, newline=""), delimiter=delimiter, strict=True)
        lines = [line for line in ([c.strip() for c in cells] for cells in reader) if any(line)]
    except (csv.Error, UnicodeDecodeError) as error:
        raise ProofError(f"the data is not a CSV file: {error}") from None
    need(lines, "the data file is empty")
    for number, line in enumerate(lines, 1):
        need(len(line) == width, f"line {number} has {len(line)} cells; the proof needs {width}")
    size = len(lines) * width
    need(size <= MOST_CELLS, f"{size:,} numbers are too many", CannotTellError)
    first, label, has_header = lines[0], data["label"], True
    if model is None:  # the first line is a row if all its cells but the label are numbers
        words = {j for j, v in enumerate(first) if not (DECIMAL.fullmatch(v) or RATIO.fullmatch(v))}
        names = [{str(j + 1)} if words <= {j} else {name, name.removeprefix("column ")}
                 for j, name in enumerate(first)]  # fmt: skip
        found = [j for j in range(width) if label in names[j] or (label is None and j == width - 1)]
        need(found, f"the data has no column {label!r}")
        has_header = not words <= {found[0]}
    else:
        response = model["response"]
        need(first[-len(response) :] == response, f"the last columns are not called {response}")
    del lines[:has_header]
    said = f"{len(lines)} rows{' below its header' * has_header}"
    need(len(lines) == data["rows"], f"the data has {said}; the proof speaks of {data['rows']}")
    signs, sign_of = [1] * len(lines), {data["negative"]: -1, data["positive"]: 1}
    for i, line in enumerate(lines if model is None else ()):
        text = line.pop(found[0])
        need(text in sign_of, f"row {i} has the label {text!r}")
        signs[i] = sign_of[text]
    return [[read_number(cell, proof["numbers"]) for cell in line] for line in lines], signs


def read_number(cell: str, numbers: str) -> float | Fraction:
    """The number of a cell: a float where one is equal to it, and else a fraction."""
    is_ratio = numbers == "rational" and RATIO.fullmatch(cell)
    need(is_ratio or DECIMAL.fullmatch(cell), f"{cell[:40]!r} is not a number")
    need(len(cell) <= 4000, f"a number of {len(cell)} characters is too long", CannotTellError)
    if numbers == "binary64":
        need(abs(float(cell)) <= LARGEST, f"{cell[:40]} is beyond binary64")
        return float(cell)
    value = Fraction(cell)
    return float(value) if abs(value) <= LARGEST and float(value) == value else value


def digest(rows: Table, signs: list[int]) -> str:
    """SHA-256 over the digests of blocks of 4096 rows, each with how many numbers are not zero.

    Where these are at least a quarter, all numbers follow as doubles, and else these alone, each
    after its place. Infinity stands for a number that is no double; then come those as fractions,
    and the signs.
    """
    table = hashlib.sha256(f"novikoff rows 1\n{len(rows)} {len(rows[0])}\n".encode())
    for start in range(0, len(rows), 4096):
        numbers = [value for row in rows[start : start + 4096] for value in row]
        doubles = [v + 0.0 if isinstance(v, float) else math.inf for v in numbers]  # no -0.0
        places = [place for place, value in enumerate(doubles) if value]
        block = hashlib.sha256(struct.pack("<q", len(places)))
        if 4 * len(places) >= len(numbers):
            block.update(struct.pack(f"<{len(doubles)}d", *doubles))
        else:
            for place in places:
                block.update(struct.pack("<qd", place, doubles[place]))
        for p, q in (v.as_integer_ratio() for v in numbers if not isinstance(v, float)):
            block.update(f"{p:x}/{q:x}\n".encode())
        block.update(bytes(sign % 256 for sign in signs[start : start + 4096]))
        table.update(block.digest())
    return table.hexdigest()


def whole(table: Table) -> tuple[list[list[int]], int]:
    """The table times one positive number, and that number.

    All that follows is about these integers: each row is a multiple of itself, and by the same
    number as all others, so signs of scores and multipliers that balance rows stay what they are.
    """
    one = math.lcm(*{value.as_integer_ratio()[1] for row in table for value in row})
    ratios = ([value.as_integer_ratio() for value in row] for row in table)
    return [[p * (one // q) for p, q in row] for row in ratios], one


# ---------------------------------------------------------------- 3. the rows of each model

Rows = Iterator[tuple[list[int], int]]  # each with the sign +1, -1, or 0: an equality
Response = dict[str, tuple[float | Fraction, ...]]  # columns by name


def comparisons(table: Table, proof: Fields) -> tuple[Integers, list[int]]:
    """The comparisons of the model; the last number is that of its constant, or 0."""
    model, offset, columns = proof["model"], proof["offset"], [*zip(*table, strict=True)]
    name, cut = model["name"], len(columns) - len(model["response"])
    r = dict(zip(model["response"], columns[cut:], strict=True))
    check_model(model, offset, r)
    X, one = whole([row[:cut] for row in table])
    if name == "multinomial":  # whose classes have a constant each
        X, offset = [row + [one] * offset for row in X], False
    is_pairs = name in ("cox", "conditional")
    vectors, signs = list[list[int]](), list[int]()
    for vector, sign in differences(X, r, model) if is_pairs else rows_of(X, one, r, model):
        vectors.append([*vector, one * offset])
        signs.append(sign)
        size = len(vectors) * len(vectors[0])
        need(size <= MOST_CELLS, f"{size:,} numbers are too many", CannotTellError)
    need(vectors and len(vectors[0]) > 1, "there is nothing to compare")
    return vectors, signs


def check_model(model: Fields, constant: bool, r: Response) -> None:
    """Raise unless there is such a model, and it may have these response columns."""
    name, classes, reference = model["name"], model["classes"], model["reference"]
    need(name in MODELS, f"the model {name[:40]!r} is unknown here")
    columns, parts = (text.split() for text in MODELS[name])
    kinds = dict(column.split(":") for column in columns if "?" not in column)
    kinds |= {n: kind for n, kind in (c.split("?:") for c in columns if "?" in c) if n in r}
    need(model["response"] == [*kinds], "the response columns are not the model's")
    need("constant" in parts or not constant, f"a {name} model has no constant")
    need("ties" in parts or model["ties"] == "breslow", f"a {name} model has no such ties")
    fits = 1 <= classes <= MOST_CLASSES if "classes" in parts else classes == 0
    need(fits, f"a {name} model cannot have {classes} classes")
    need(reference < classes if "reference" in parts else reference == 0, "impossible reference")
    most, used = {"bit": 1, "class": classes - 1}, set[float | Fraction]()
    for column, kind in kinds.items():
        for v in r[column]:
            is_fit = 0 <= v <= most.get(kind, v) and (kind == "amount" or v % 1 == 0)
            need(is_fit or kind == "any", f"a {name} model cannot have {v} as its {column}")
        used |= set(r[column]) if kind == "class" else set()
    need(name == "ordinal" or len(used) == classes, "a class of the model has no row")
    for first, *more in zip(*r.values(), strict=True):
        if name == "binomial":
            need(first <= more[0] > 0, "more successes than trials, or no trials")
        if name == "bradley-terry":
            need(first != more[0] and 0 < more[1] <= 1, "an impossible contest")
        if "entry" in r:
            need(more[1] < first, "an entry is not before its time")


def rows_of(X: Integers, one: int, r: Response, model: Fields) -> Rows:
    """In order, of the design table X with its constant and of the response columns r:

    logistic, binomial  successes of trials: all x·δ >= 0, none -x·δ >= 0, some x·δ = 0
    poisson             y = 0: -x·δ >= 0; y > 0: x·δ = 0
    multinomial         x·(δ_y - δ_k) >= 0 for each class k but y; the reference has no columns
    bradley-terry       δ_winner - δ_loser + x·β >= 0, or = 0 where both won a share; the same
    ordinal             x·δ - a >= 0 for the threshold a below the class of x, a - x·δ >= 0 for that
                        above. Thresholds come first; around a class that nobody has they are one
    """
    name, classes = model["name"], range(model["classes"])
    blocks = [k for k in classes if k != model["reference"]]
    inner = sorted({c for c in r.get("class", []) if 0 < c < len(classes) - 1})
    for x, (y, *more) in zip(X, zip(*r.values(), strict=True), strict=True):
        if name in ("logistic", "binomial"):
            yield [*x], -1 if y == 0 else int(y == (more[0] if more else 1))
        elif name == "poisson":
            yield [*x], -1 if y == 0 else 0
        elif name == "multinomial":
            for k in (k for k in classes if k != y):
                yield [((b == y) - (b == k)) * v for b in blocks for v in x], 1
        elif name == "bradley-terry":
            yield [*(one * ((b == y) - (b == more[0])) for b in blocks), *x], int(more[1] == 1)
        else:
            for other in (k for k in (y - 1, y + 1) if k in classes):
                side, a = 1 if other < y else -1, bisect_right(inner, min(y, other))
                thresholds = [-side * one * (c == a) for c in range(len(inner) + 1)]
                yield [*thresholds, *(side * v for v in x)], 1


def differences(X: Integers, r: Response, model: Fields) -> Rows:
    """cox: (x_i - x_j)·δ >= 0 for an event i and each j at risk then: entry_j < time_i <= time_j.

    With the ties of Breslow and Efron, events at one time are equal, and one of them leads: that
    whose first event time at risk is the earliest, of equal ones the lowest row. It is compared
    with all. With exact ties each event is compared with all but the others of its time. A
    conditional model compares a case so with the others of its set: sets are strata of one time.
    Lemma: at the event time t let u be the first later event time whose lead is at risk at t
    already. No j need be compared that ends after u, or at u without an event: the event at t is
    compared with that lead, which ends at u with an event, and the lead with j, which is at risk
    at u. So x_i·δ >= x_lead·δ >= x_j·δ, and this is strict where one of the two is.
    """
    is_exact = model["ties"] == "exact" or model["name"] == "conditional"
    event, time = r.get("event") or r["case"], r.get("time", (1.0,) * len(X))
    entry = r.get("entry", (-math.inf,) * len(X))
    groups = r.get("stratum") or r.get("set") or (0.0,) * len(X)
    strata: dict[float | Fraction, list[int]] = {group: [] for group in sorted(set(groups))}
    for j in sorted(range(len(X)), key=lambda j: (time[j], j)):
        strata[groups[j]].append(j)
    for here in strata.values():
        ends, times = [time[j] for j in here], sorted({time[j] for j in here if event[j]})
        tied: dict[float | Fraction, list[int]] = {t: [] for t in times}
        for i in (i for i in here if event[i]):
            tied[time[i]].append(i)
        leads = [min(tied[t], key=lambda i: (bisect_right(times, entry[i]), i)) for t in times]
        for k, t in enumerate(times):
            later = (times[m] for m in range(k + 1, len(times)) if entry[leads[m]] < t)
            u = next(later, math.inf)
            compared = here[bisect_left(ends, t) : bisect_right(ends, u)]
            compared = sorted(j for j in compared if entry[j] < t and (time[j] < u or event[j]))
            for i in tied[t] if is_exact else [leads[k]]:
                for j in compared:
                    is_tied = time[j] == t and event[j] == 1
                    if not is_tied or (j != i and not is_exact):
                        yield [a - b for a, b in zip(X[i], X[j], strict=True)], int(not is_tied)


# ---------------------------------------------------------------- 4. the check of the claim


def dot(a: Sequence[int], b: Sequence[int]) -> int:
    return sum(map(mul, a, b))


def weighted_sum(rows: Integers, factors: dict[int, int]) -> list[int]:
    """Σ factor_i·row_i."""
    columns = zip(*(rows[i] for i in factors), strict=True)
    return [dot(list(factors.values()), column) for column in columns]


def scores_of(w: list[int], rows: Integers, *relations: list[int]) -> list[int]:
    """row_i·w of every row; relations have as many numbers as w."""
    for one in (w, *relations):
        need(len(one) == len(rows[0]), "the numbers of a direction or relation are too many or few")
        need(rows[0][-1] or one[-1] == 0, "without an offset its weight is 0")
    return [dot(row, w) for row in rows]


def named_rows(fields: Fields, n_rows: int) -> dict[int, int]:
    """The rows that the proof names, each with its multiplier."""
    rows, multipliers = fields["rows"], fields["multipliers"]
    need(len(rows) == len(multipliers), "rows and multipliers differ in number")
    fits = len(set(rows)) == len(rows) and max(rows, default=0) < n_rows
    need(fits, "a row is repeated, or out of range")
    return dict(zip(rows, multipliers, strict=True))


def check_claim(proof: Fields, rows: Integers, signs: list[int]) -> tuple[int, int]:
    """How many rows are settled, and how many are the core; raises where that is not proven."""
    named, one = named_rows(proof, len(rows)), int(proof["denominator"])
    need(one >= 1, "the denominator is not positive")
    scores = scores_of(proof["weights"], rows, *(proof["relations"] or ()))
    for i, (sign, score) in enumerate(zip(signs, scores, strict=True)):
        where = "on the wrong side of" if sign else "an equality, and not on"
        need(score == 0 or sign * score > 0, f"row {i} is {where} the hyperplane")
    settled, core = sum(map(bool, scores)), [i for i, s in enumerate(signs) if s and not scores[i]]
    said = f"{settled} rows are settled and {len(core)} are the core; the proof says otherwise"
    need((settled, len(core)) == (proof["settled"], proof["core"]), said)
    mu = {i: m for i, m in named.items() if signs[i] == 0}  # 0 on equalities that are not named
    lambdas = {i: named.get(i, one) for i in core}  # times the denominator
    need(named.keys() <= mu.keys() | lambdas.keys(), "a settled row has a multiplier")
    need(min(lambdas.values(), default=1) > 0, "a multiplier is not positive")
    total = weighted_sum(rows, mu | {i: signs[i] * m for i, m in lambdas.items()})
    if proof["relations"] is None:
        need(not any(total), "the weighted sum is not zero")
    elif used := [rows[i] for i in (*core, *mu)]:
        least = min(lambdas.values(), default=one)
        check_remainder(used, len(core), total, proof["relations"], least)
    return settled, len(core)


# ---------------------------------------------------------------- the bound without digits


def check_remainder(
    rows: Integers, n_core: int, total: list[int], relations: Integers, least: int
) -> None:
    """Raise unless corrections of some rows balance the total, each below `least` on the core's.

    A relation n holds on these rows: z·n = 0. It has a column of its own, in which the others are
    0. What is zero in the rest is zero in that one, which is left out as columns of zeros are.
    """
    uses = [sum(map(bool, column)) for column in zip(*relations, strict=True)]
    own = {next((j for j, v in enumerate(n) if v and uses[j] == 1), -1) for n in relations}
    need(-1 not in own, "a relation has no column in which the others are 0")
    holds = not any(dot(row, n) for row in rows for n in relations)
    need(holds, "a relation does not hold")
    kept = [j for j, column in enumerate(zip(*rows, strict=True)) if j not in own and any(column)]
    remainder = [total[j] for j in kept]
    for per_column in (2, 8, n_core) if any(remainder) else ():
        m = min(n_core, per_column * len(kept) + 50)
        few = [*(rows[k * n_core // m] for k in range(m)), *rows[n_core:]]
        is_little = len(few) * len(kept) ** 2 <= MOST_PRODUCTS
        said = "the bound is too much work here; novikoff verify may tell"
        need(is_little, said, CannotTellError)
        if are_small([[row[j] for row in few] for j in kept], remainder, least):
            return
        need(m < n_core, "the sum is not zero, and no bound closes the gap", CannotTellError)


def are_small(columns: Integers, remainder: list[int], least: int) -> bool:
    """Whether Σ δ_i·a_i = -r is shown to have a solution with every |δ_i| < least.

    Let A have the rows a_i. If G = AᵀA is positive definite, δ = -A·G⁻¹·r is one, and by Cauchy and
    Schwarz |δ_i| <= √(a_iᵀ·G⁻¹·a_i)·√(rᵀ·G⁻¹·r), where the first root, of a leverage, is at most 1.
    Take any square T with q = ‖I - TᵀGT‖ < 1 (norm of Frobenius). No eigenvalue of TᵀGT is below
    1 - q, so G is positive definite, and rᵀ·G⁻¹·r = (Tᵀr)ᵀ·(TᵀGT)⁻¹·(Tᵀr) <= ‖Tᵀr‖²/(1 - q).

    T has columns that Gram and Schmidt make orthonormal under G, whose rows and columns are divided
    by powers of two first, in multiples of 2^-PLACES. All else is computed without rounding.
    """
    p = len(columns)
    half = [[dot(columns[j], columns[k]) for k in range(j + 1)] for j in range(p)]
    G = [[*half[j], *(half[k][j] for k in range(j + 1, p))] for j in range(p)]
    tops = [(G[j][j].bit_length() + 1) // 2 for j in range(p)]
    T, lines = list[list[int]](), [list[int]() for _ in range(p)]  # times 2^PLACES, both ways
    for k in range(p):
        near = [(v << PLACES) >> tops[j] + tops[k] for j, v in enumerate(G[k])]
        shares = [dot(column, near) >> PLACES for column in T]  # of the columns before
        square = (near[k] << PLACES) - dot(shares, shares)
        if square <= 0:
            return False  # as far as these places tell, G is singular
        T.append([0] * p)
        for j in range(k + 1):
            unit = (j == k) << 2 * PLACES
            T[k][j] = (unit - dot(shares[j:], lines[j])) // math.isqrt(square)
            lines[j].append(T[k][j])
    T = [[v << max(tops) - top for v, top in zip(column, tops, strict=True)] for column in T]
    unit, away = 1 << PLACES + max(tops), 0
    for k in range(p):
        image = [dot(line, T[k]) for line in G[: k + 1]]
        entries = [dot(image, T[j]) for j in range(k + 1)]  # of column k of TᵀGT, times unit²
        entries[k] -= unit**2
        away += 2 * dot(entries, entries) - entries[k] ** 2
    seen = sum(dot(remainder, column) ** 2 for column in T)  # ‖Tᵀ·r‖²
    q = math.isqrt(away) + 1  # times unit²
    return q < unit**2 and seen < least**2 * (unit**2 - q)


# ---------------------------------------------------------------- obstructions and mistakes


def check_obstruction(fields: Fields, rows: Integers, signs: list[int]) -> list[int]:
    """The rows, if Σ λ_i·z_i = 0 over them, with every λ_i > 0."""
    named = named_rows(fields, len(rows))
    need(min(named.values(), default=0) > 0, "an obstruction without rows, or with a λ_i <= 0")
    total = weighted_sum(rows, {i: signs[i] * m for i, m in named.items()})
    need(not any(total), "the weighted sum of an obstruction is not zero")
    return list(named)


def check_mistakes(proof: Fields, rows: Integers, signs: list[int]) -> str:
    """Both bounds: the hyperplane's mistakes above, the tree of obstructions below."""
    w, upper, trusted = proof["weights"], proof["upper"], set(proof["trusted"])
    costs: list[int] = [1] * len(rows) if proof["costs"] is None else proof["costs"]
    need(len(costs) == len(rows) and min(costs) >= 0, "impossible costs")
    need(len(proof["unit"]) == 2 and min(proof["unit"]) >= 1, "the unit is no positive fraction")
    unit = Fraction(*proof["unit"])
    need(proof["costs"] is not None or unit == 1, "without costs the unit is 1")
    longest = max(unit.numerator * max(costs), unit.denominator)
    need(longest.bit_length() <= MOST_BITS, f"a cost has more than {MOST_BITS} bits")
    for names in (proof["trusted"], proof["mistakes"]):
        fits = len(set(names)) == len(names) and max(names, default=0) < len(rows)
        need(fits, "a row is repeated, or out of range")
    lower = least_cost(
        proof, [check_obstruction(one, rows, signs) for one in proof["obstructions"]], costs
    )
    need(lower == proof["lower"], "the lower bound is not what the proof states")
    if w is None or lower is None:
        need(w is lower is upper is None, "a bound stands without the other")
        return "such that any hyperplane gets a trusted row wrong"
    wrong = [i for i, side in enumerate(map(mul, signs, scores_of(w, rows))) if side <= 0]
    need(wrong == sorted(proof["mistakes"]), "the hyperplane's mistakes are not those listed")
    need(trusted.isdisjoint(wrong), "the hyperplane gets a trusted row wrong")
    need(upper == sum(costs[i] for i in wrong) and lower <= upper, "the upper bound is wrong")
    best = f"best hyperplane{f' that is right on the {len(trusted)} trusted' * bool(trusted)}"
    bounds = f"at least {lower * unit} and at most {upper * unit}"
    bounds = f"exactly {upper * unit}" if lower == upper else bounds
    if proof["costs"] is None:
        return f"such that the {best} gets {bounds} row{'s' * (upper != 1)} wrong"
    given = f"each row a cost from {min(costs) * unit} to {max(costs) * unit}, in units of {unit}"
    return f"such that the mistakes of the {best} cost {bounds}, where the proof gives {given}"


def least_cost(proof: Fields, obstructions: list[list[int]], costs: list[int]) -> int | None:
    """What the mistakes of hyperplanes that are right on the trusted rows cost at least.

    None: there is no such hyperplane. A branch of the tree gives a row up, or keeps it. At a leaf
    every obstruction needs a row to be given up, and none can be where all of its rows are kept.
    Shares of obstructions that load no row with more than its cost need at least their sum.
    """
    scale, trusted, bounds = proof["scale"], frozenset[int](proof["trusted"]), list[int]()
    need(scale >= 1, "the scale is not positive")
    nodes = [(proof["tree"], frozenset[int](), trusted)]  # each with the rows given up, and kept
    while nodes:
        node, removed, kept = nodes.pop()
        need(len(removed | kept) <= len(trusted) + MOST_DEPTH, "the tree is too deep")
        if "row" in node:
            branch = read_fields(node, "branch")
            row = branch["row"]
            is_new = row < len(costs) and row not in removed | kept
            need(is_new, f"the tree branches on row {row} twice, or there is no such row")
            nodes.append((branch["removed"], removed | {row}, kept))
            nodes.append((branch["kept"], removed, kept | {row}))
            continue
        leaf, loads, is_possible = read_fields(node, "leaf"), [0] * len(costs), True
        need(len(leaf["obstructions"]) == len(leaf["shares"]), "a packing lacks a share")
        for k, share in zip(leaf["obstructions"], leaf["shares"], strict=True):
            need(k < len(obstructions) and share > 0, "a packing has shares of nothing")
            need(removed.isdisjoint(obstructions[k]), "an obstruction of a packing is hit already")
            is_possible &= not kept.issuperset(obstructions[k])
            for row in obstructions[k]:
                loads[row] += share
        if is_possible:
            fits = all(i in kept or load <= costs[i] * scale for i, load in enumerate(loads))
            need(fits, "a packing loads a row with more than its cost")
            bounds.append(sum(costs[i] for i in removed) - (-sum(leaf["shares"]) // scale))
    return min(bounds, default=None)


# ---------------------------------------------------------------- what is proven


def check(proof_path: str, data_path: str) -> str:
    """What the proof proves; ProofError if that is nothing, CannotTellError if it is not known."""
    proof = read_proof(proof_path)
    data, model, offset = proof["data"], proof.get("model"), proof["offset"]
    try:
        table, signs = read_data(data_path, proof)
    except ProofError as error:
        raise ProofError(f"{error}{DERIVED * ('reading' in data)}") from None
    same = digest(table, signs) == data["digest"]
    need(same, "this is not the data that the proof speaks of: its digest is another")
    size = f"{data['rows']} rows, {data['columns']} columns of {proof['numbers']} numbers"
    if model is not None:
        settled, core = check_claim(proof, *comparisons(table, proof))
        said = f"infinite: {settled} of its comparisons can be settled, and no more"
        said = said if settled else f"finite: no direction settles one of its {core} comparisons"
        size += f"; the last are {', '.join(model['response'])}"
        size += f"; {model['classes']} classes" * (model["classes"] > 0)
        size += f"; {model['ties']} ties" * (model["name"] == "cox")
        size += "; with a constant" * offset
        return f"a model of kind {model['name']} whose estimate is {said} ({size})."
    X, one = whole(table)
    rows = [[*row, one * offset] for row in X]
    if proof["kind"] == "mistakes":
        said = check_mistakes(proof, rows, signs)
    elif proof["kind"] == "obstruction":
        check_obstruction(proof, rows, signs)
        said = "not separable: no hyperplane has every row strictly on its side"
    else:
        settled, core = check_claim(proof, rows, signs)
        said = STATUSES[settled > 0, core > 0].format(settled, core)
    label = "the last column" if data["label"] is None else f"column {data['label']!r}"
    size += f", with{'' if offset else 'out'} an offset; the label is {label}"
    return f"{said} ({size}, + is {data['positive']!r}, - is {data['negative']!r})."


def main(arguments: list[str]) -> int:
    if len(arguments) != 2:
        print("usage: python checker.py proof.json data.csv", file=sys.stderr)
        return 2
    try:
        said, form = f"The proof holds. The data is {check(*arguments)}", sys.stdout.encoding
        form = form or "utf-8"
        print(said.encode(form, "backslashreplace").decode(form))  # labels may have any letters
        return 0
    except ProofError as error:
        print(f"The proof does not hold: {error}.", file=sys.stderr)
        return 1
    except (CannotTellError, OSError, MemoryError) as error:
        reason = str(error) or "memory ends"
        if isinstance(error, OSError) and error.strerror:
            reason = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
        print(f"Cannot tell whether the proof holds: {reason}.", file=sys.stderr)
        return 4


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
