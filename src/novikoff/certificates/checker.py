"""Check a novikoff proof with nothing but Python: python checker.py proof.json data.csv

Where the proof is not about a CSV file as it stands, `novikoff verify PROOF DATA --rows rows.csv`
writes the very rows that it is about, as another CSV file.

One plain file of the standard library alone, which shares no code with the rest of novikoff and may
be copied anywhere. It says what is proven of which data, and ends with one of these codes:

    0   the proof holds: its claim is true of this data
    1   the proof does not hold, for the reason that is printed; or a file cannot be read
    2   wrong usage
    4   cannot tell: the proof is too large for plain Python, or its sum is not exactly zero and the
        bound in `size_of_corrections` is too weak

Rows have the sign +1, -1 or 0: z_i = sign_i·(x_i, 1) for the first two, or sign_i·x_i without an
offset; rows of sign 0 are equalities e_k. Data of two classes has no equalities. A direction v
opposes row i if z_i·v < 0, and settles it if z_i·v > 0. The claims:

    claim        z_i·w >= 0 for every row and e_k·w = 0 for every equality: rows with z_i·w > 0 are
                 settled, those with z_i·w = 0 are the core. And Σ λ_i·z_i + Σ μ_k·e_k = 0, with
                 λ_i > 0 on every row of the core: 1 where the proof gives no multiplier. For any
                 direction v that opposes no row and is zero on the equalities, 0 = Σ λ_i·(z_i·v)
                 has no negative term, so v is zero on the core: nothing settles more than w
    regression   the same of the comparisons that a model makes of its data: along a direction that
                 opposes none the likelihood never falls. The estimate is finite if none is settled
    obstruction  Σ λ_i·z_i = 0 with λ_i > 0 on a few rows: no hyperplane has all on their side
    mistakes     the rows with z_i·w <= 0 cost `upper`, and those of any other w that is right on
                 the trusted rows at least `lower`

How the data were made from another file (`reading`, `derivation`) is left to `novikoff verify`.
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
from bisect import bisect_right
from collections.abc import Iterator
from fractions import Fraction
from operator import mul
from pathlib import Path
from typing import Any

USAGE = "usage: python checker.py proof.json data.csv"
DERIVED = (
    "; it is about rows made from a file: write them with novikoff verify PROOF DATA --rows FILE"
)
MOST_BYTES = 64 * 2**20  # of a proof file
MOST_DIGITS = 1_000_000  # hexadecimal digits of one integer
MOST_CLASSES = 1_000_000
MOST_DEPTH = 300  # of a tree
MOST_BITS = 13_000  # of a cost, so that it can be printed: Python prints 4,300 digits
MOST_CELLS = 50_000_000  # numbers of the data, and of all comparisons: some gigabytes
MOST_PRODUCTS = 2 * 10**10  # of floats in one try of the bound: some twenty minutes
Number = int | float | Fraction  # all three are exact, and know their as_integer_ratio()
Vectors = list[list[Number]]
Fields = dict[str, Any]


class ProofError(Exception):
    """Why the proof does not hold."""


class CannotTellError(Exception):
    """Why it is not known whether the proof holds."""


def need(condition: Any, reason: str) -> Any:
    if not condition:
        raise ProofError(reason)


# ---------------------------------------------------------------- 1. the proof file
# Each field and what it holds: a text, true or false (flag), a JSON integer (count), a text that is
# an integer in hexadecimal (hex), or one of some texts (a|b). * is a list of it, ? is it or null.
# None is missing, but for those whose name ends in ?, and there are no others.

KINDS = {
    "claim": """model:?any weights:*hex settled:count core:count rows:*count multipliers:*hex
        denominator:hex exact:flag relations:**hex""",
    "obstruction": "rows:*count multipliers:*hex",
    "mistakes": """weights:?*hex mistakes:*count costs:?*hex unit:*hex trusted:*count
        obstructions:*any scale:hex tree:any lower:?hex upper:?hex""",
}
COMMON = """format:text version:count kind:text numbers:binary64|decimal|rational
    offset:flag data:any"""
DATA = """rows:count columns:count negative:?text positive:?text label:?text digest:text
    reading?:object derivation?:object"""
MODEL = "name:text response:*text classes:count reference:count ties:breslow|exact"
RESPONSES = {"logistic": "y", "binomial": "successes trials", "poisson": "y", "ordinal": "class",
             "multinomial": "class", "conditional": "case set", "cox": "time event",
             "bradley-terry": "winner loser result"}  # fmt: skip
TYPES = {"flag": bool, "count": int, "object": dict, "text": str, "hex": str}
INTEGER = re.compile(r"-?0x(0|[1-9a-f][0-9a-f]*)")


def read_fields(fields: Any, table: str, what: str) -> Fields:
    """Exactly the fields of the table, with integers as Python's."""
    need(isinstance(fields, dict), f"{what} is not a JSON object")
    forms = dict(field.split(":", 1) for field in table.split())
    names = {name for name in forms if not name.endswith("?")}
    odd = (names - fields.keys()) | {n for n in fields.keys() - names if f"{n}?" not in forms}
    need(not odd, f"{what} has missing or unknown fields: {', '.join(sorted(odd))[:200]}")
    return {n: read_value(v, forms.get(n) or forms[f"{n}?"], n) for n, v in fields.items()}


def read_value(value: Any, form: str, name: str) -> Any:
    if form == "any" or (form[0] == "?" and value is None):
        return value
    if form[0] == "?":
        return read_value(value, form[1:], name)
    if form[0] == "*":
        need(isinstance(value, list), f"{name} is not a list")
        return [read_value(one, form[1:], name) for one in value]
    wrong = f"{name} has a value that is no {form}"
    need(value in form.split("|") if "|" in form else type(value) is TYPES[form], wrong)
    need(form != "count" or 0 <= value < 2**62, wrong)
    if form == "hex":
        need(len(value) <= MOST_DIGITS + 3 and INTEGER.fullmatch(value), wrong)
        return int(value, 16)
    return value


def read_proof(path: str) -> Fields:
    """The fields of the proof, each of them checked by itself."""
    with Path(path).open("rb") as file:
        content = file.read(MOST_BYTES + 1)
    need(len(content) <= MOST_BYTES, f"the proof has more than {MOST_BYTES} bytes")
    try:
        given: Any = json.loads(
            content.decode("utf-8"),
            object_pairs_hook=lambda p: need(len(dict(p)) == len(p), "a field twice") or dict(p),
            parse_int=lambda digits: need(len(digits) < 20, "a long integer") or int(digits),
            parse_float=lambda digits: need(False, f"{digits[:40]} is no integer"),
            parse_constant=lambda name: need(False, f"{name} is no integer"),
        )
    except (ValueError, RecursionError) as error:
        raise ProofError(f"the proof is not JSON: {error}") from None
    need(isinstance(given, dict), "the proof is not a JSON object")
    name = (given.get("format"), given.get("version"))
    need(name == ("novikoff certificate", 1), "this is no novikoff certificate of version 1")
    kind = given.get("kind")
    need(isinstance(kind, str) and kind in KINDS, "this is no novikoff proof of a known kind")
    proof = read_fields(given, f"{COMMON} {KINDS[kind]}", "the proof")
    proof["data"] = data = read_fields(proof["data"], DATA, "its data")
    need(re.fullmatch("[0-9a-f]{64}", data["digest"]), "the digest has not 64 digits")
    need(min(data["rows"], data["columns"]) >= 1, "there are no rows, or no columns")
    labels = {data["negative"], data["positive"]}
    if proof.get("model") is None:
        fits = len(labels - {None}) == 2 and "derivation" not in data
    else:
        proof["model"], fits = read_model(proof["model"], proof["offset"]), labels == {None}
    need(fits, "a proof has two different labels, or else a model")
    return proof


def read_model(fields: Any, constant: bool) -> Fields:
    model = read_fields(fields, MODEL, "the model")
    name, classes, response = model["name"], model["classes"], model["response"]
    need(name in RESPONSES, f"the model {name[:40]!r} is unknown here")
    more = [part for part in ("entry", "stratum") if name == "cox" and part in response]
    need(response == RESPONSES[name].split() + more, "the response columns are not the model's")
    has_constant = name in ("logistic", "binomial", "poisson", "multinomial")
    has_reference = name in ("multinomial", "bradley-terry")
    need(has_constant or not constant, f"a {name} model has no constant")
    fits = (classes > 0) == (has_reference or name == "ordinal") and classes <= MOST_CLASSES
    fits = fits and model["reference"] <= (classes - 1 if has_reference else 0)
    need(fits, "the number of classes, or the reference, is impossible")
    need(name == "cox" or model["ties"] == "breslow", f"a {name} model has no such ties")
    return model


# ---------------------------------------------------------------- 2. the data and its digest

DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,4})?")
RATIO = re.compile(r"[+-]?[0-9]+/[0-9]*[1-9][0-9]*")


def read_data(path: str, proof: Fields) -> tuple[Vectors, list[int]]:
    """The rows and signs of a CSV file.

    The first line is a row where every cell but the label is a number, and else it names the
    columns. The last columns of a model's table are its response, by name.
    """
    data, model = proof["data"], proof.get("model")
    width = data["columns"] + (model is None)
    try:
        content = Path(path).read_bytes().decode("utf-8-sig")
        delimiter = max(",;\t", key=content.partition("\n")[0].count)
        reader = csv.reader(io.StringIO(content, newline=""), delimiter=delimiter, strict=True)
        lines = [line for line in reader if any(cell.strip() for cell in line)]
    except (csv.Error, UnicodeDecodeError) as error:
        raise ProofError(f"the data is not a CSV file: {error}") from None
    need(lines, "the data file is empty")
    for number, line in enumerate(lines, 1):
        need(len(line) == width, f"line {number} has {len(line)} cells; the proof needs {width}")
    check_size(len(lines) * width)
    first = [cell.strip() for cell in lines[0]]
    if model is not None:
        label, has_header, names = width, True, model["response"]
        need(first[-len(names) :] == names, f"the last columns are not called {', '.join(names)}")
    else:
        label = label_column(first, data["label"])
        has_header = not is_row(first, label)
    del lines[:has_header]
    found = f"{len(lines)} rows{' below its header' * has_header}"
    need(len(lines) == data["rows"], f"the data has {found}; the proof speaks of {data['rows']}")
    signs, sign_of = [1] * len(lines), {data["negative"]: -1, data["positive"]: 1}
    for i, line in enumerate(lines if model is None else []):
        text = line.pop(label).strip()
        need(text in sign_of, f"row {i} has the label {text!r}")
        signs[i] = sign_of[text]
    rows = [[read_number(cell.strip(), proof["numbers"]) for cell in line] for line in lines]
    return rows, signs


def label_column(first: list[str], label: str | None) -> int:
    """The last column, or that which the first line calls so, or that of this number, from 1."""
    if label is None:
        return len(first) - 1
    number = int(label) - 1 if re.fullmatch("[1-9][0-9]{0,8}", label) else len(first)
    named = [j for j, name in enumerate(first) if name in (label, f"column {label}")]
    if number < len(first) and (not named or is_row(first, number)):
        return number
    is_found = len(named) == 1 and not is_row(first, named[0])
    need(is_found, f"the data has no column {label!r} (or two of them)")
    return named[0]


def is_row(cells: list[str], label: int) -> bool:
    others = cells[:label] + cells[label + 1 :]
    return all(DECIMAL.fullmatch(cell) or RATIO.fullmatch(cell) for cell in others)


def check_size(cells: int) -> None:
    if cells > MOST_CELLS:
        raise CannotTellError(f"{cells:,} numbers are too many for plain Python")


def read_number(cell: str, numbers: str) -> Number:
    is_ratio = numbers == "rational" and RATIO.fullmatch(cell)
    need(is_ratio or DECIMAL.fullmatch(cell), f"{cell[:40]!r} is not a number")
    try:
        value = float(cell) if numbers == "binary64" else Fraction(cell)
    except ValueError as error:
        raise CannotTellError(f"a number of the data cannot be read: {error}") from None
    need(value not in (math.inf, -math.inf), f"{cell[:40]} is beyond binary64")
    return value


def digest(rows: Vectors, signs: list[int]) -> str:
    """SHA-256 over the digests of blocks of 4096 rows, each with how many numbers are not zero.

    Where these are at least a quarter, all numbers follow as doubles, and else these alone, each
    after its place. Infinity stands for a number that is no double; then come those as fractions,
    and the signs.
    """
    table = hashlib.sha256(f"novikoff rows 1\n{len(rows)} {len(rows[0])}\n".encode())
    for start in range(0, len(rows), 4096):
        numbers = [value for row in rows[start : start + 4096] for value in row]
        doubles = [as_double(value) for value in numbers]
        places = [place for place, value in enumerate(doubles) if value]
        block = hashlib.sha256(struct.pack("<q", len(places)))
        if 4 * len(places) >= len(numbers):
            block.update(struct.pack(f"<{len(doubles)}d", *doubles))
        else:
            for place in places:
                block.update(struct.pack("<qd", place, doubles[place]))
        others = (numbers[place] for place in places if doubles[place] == math.inf)
        ratios = (value.as_integer_ratio() for value in others)
        block.update("".join(f"{p:x}/{q:x}\n" for p, q in ratios).encode())
        block.update(struct.pack(f"{len(numbers) // len(rows[0])}b", *signs[start : start + 4096]))
        table.update(block.digest())
    return table.hexdigest()


def as_double(value: Number) -> float:
    """The value as a double, or infinity where no double is equal to it."""
    try:
        return float(value) + 0.0 if float(value) == value else math.inf  # no -0.0
    except OverflowError:
        return math.inf


# ---------------------------------------------------------------- 3. the rows of each model

Rows = Iterator[tuple[list[Number], int]]  # vectors, each with the sign +1, -1, or 0: an equality


def comparisons(table: Vectors, proof: Fields) -> tuple[Vectors, list[int]]:
    """The comparisons of the model, each with a last number: 1 for its constant, or 0."""
    model, vectors, signs = proof["model"], list[list[Number]](), list[int]()
    cut = len(table[0]) - len(model["response"])
    need(cut >= 0, "the data has fewer columns than the model's response")
    is_multinomial = model["name"] == "multinomial"  # which has a constant for each class
    last = int(proof["offset"] and not is_multinomial)
    X: Vectors = [row[:cut] + [1] * (proof["offset"] and is_multinomial) for row in table]
    columns = list(zip(*(row[cut:] for row in table), strict=True))
    r = {name: [*map(Fraction, columns[k])] for k, name in enumerate(model["response"])}
    for name, values in r.items():
        is_code = name in ("set", "stratum", "class", "winner", "loser")
        is_bit = name in ("event", "case") or (name, model["name"]) == ("y", "logistic")
        fits = all(v >= 0 and v.denominator == 1 for v in values) or not is_code
        need(fits and (all(v in (0, 1) for v in values) or not is_bit), f"impossible {name}")
    used = {v for name in ("class", "winner", "loser") for v in r.get(name, [])}
    need(all(v < model["classes"] for v in used), "a class is none of the model's")
    has_all = model["name"] == "ordinal" or len(used) == model["classes"]
    need(has_all, "a class of the model has no row")
    pairs = cox(X, r, model["ties"] == "exact") if model["name"] == "cox" else rows_of(X, r, model)
    for vector, sign in pairs:
        check_size((len(vectors) + 1) * len(vector))
        vectors.append([*vector, last])
        signs.append(sign)
    need(vectors and len(vectors[0]) > 1, "there is nothing to compare")
    return vectors, signs


def rows_of(X: Vectors, r: dict[str, list[Fraction]], model: Fields) -> Rows:
    """In order, of the design table X with its constant and of the response columns r:

    logistic, binomial  successes of trials: all x·δ >= 0, none -x·δ >= 0, some x·δ = 0
    poisson             y = 0: -x·δ >= 0; y > 0: x·δ = 0
    multinomial         x·(δ_y - δ_k) >= 0 for each class k but y; the reference has no columns
    bradley-terry       δ_winner - δ_loser + x·β >= 0, or = 0 where both won a share; the same
    ordinal             x·δ - a >= 0 for the threshold a below the class of x, a - x·δ >= 0 for that
                        above. Thresholds come first; around a class that nobody has they are one
    conditional         (x_i - x_j)·δ >= 0 for each case i and each other j of its set
    """
    name, classes = model["name"], range(model["classes"])
    blocks = [k for k in classes if k != model["reference"]]
    inner = sorted(
        {c for c in r.get("class", []) if 0 < c < len(classes) - 1}
    )  # ends of thresholds
    others: dict[Fraction, list[int]] = {}
    for j, (case, group) in enumerate(zip(r.get("case", []), r.get("set", []), strict=True)):
        others.setdefault(group, []).extend([j] * (not case))
    for i, x in enumerate(X):
        y, *more = (values[i] for values in r.values())
        if name in ("logistic", "binomial"):
            trials = more[0] if more else 1
            need(0 <= y <= trials and trials > 0, "impossible successes")
            yield x, 1 if y == trials else 0 if y else -1
        elif name == "poisson":
            need(y >= 0, "impossible y")
            yield x, 0 if y else -1
        elif name == "multinomial":
            for k in (k for k in classes if k != y):
                yield [((b == y) - (b == k)) * v for b in blocks for v in x], 1
        elif name == "bradley-terry":
            need(y != more[0] and 0 < more[1] <= 1, "impossible contest")
            yield [*((b == y) - (b == more[0]) for b in blocks), *x], int(more[1] == 1)
        elif name == "ordinal":
            for other in (k for k in (y - 1, y + 1) if k in classes):
                side, a = 1 if other < y else -1, bisect_right(inner, min(y, other))
                yield (
                    [*(-side * (c == a) for c in range(len(inner) + 1)), *(side * v for v in x)],
                    1,
                )
        else:
            for j in others[more[0]] if y else []:
                yield minus(x, X[j]), 1


def cox(X: Vectors, r: dict[str, list[Fraction]], is_exact: bool) -> Rows:
    """(x_i - x_j)·δ >= 0 for an event i and each j at risk: entry_j < time_i <= time_j.

    With the ties of Breslow and Efron, events at one time are equal, and one of them leads: that
    whose first event time at risk has the lowest number, of equal ones the lowest row. It is
    compared with all. With exact ties each event is compared with all but the others of its time.
    Lemma: at the event time k, let
    `following` be the first later event time whose lead is at risk at k already. Those j need not
    be compared that end after `following`, or end there without an event. For the event at k is
    compared with that lead, which ends at `following` with an event, and the lead with j, which is
    at risk there: x_i·δ >= x_lead·δ >= x_j·δ, and this is strict where one of the two is.
    """
    time, event = r["time"], r["event"]
    entry = r.get("entry", [min(time) - 1] * len(X))
    need(all(a < b for a, b in zip(entry, time, strict=True)), "an entry is not before its time")
    strata: dict[Fraction, list[int]] = {}
    for i, stratum in enumerate(r.get("stratum", [Fraction(0)] * len(X))):
        strata.setdefault(stratum, []).append(i)
    for _, here in sorted(strata.items()):
        times = sorted({time[i] for i in here if event[i]})
        begins = {j: bisect_right(times, entry[j]) for j in here}  # the first event time at risk
        ending: list[list[int]] = [[] for _ in range(len(times) + 1)]  # by the last; [-1]: never
        for j in here:
            ending[bisect_right(times, time[j]) - 1].append(j)
        tied = [[i for i in group if event[i]] for group in ending[:-1]] + [[]]
        leads = [min(group, key=lambda i: (begins[i], i)) for group in tied[:-1]]
        for k, lead in enumerate(leads):
            later = range(k + 1, len(times))
            following = next((m for m in later if begins[leads[m]] <= k), len(times))
            compared = [*(j for m in range(k, following) for j in ending[m]), *tied[following]]
            for i in tied[k] if is_exact else [lead]:
                for j in sorted(j for j in compared if begins[j] <= k):
                    is_tied = bool(event[j]) and time[j] == times[k]
                    if not is_tied or (j != i and not is_exact):
                        yield minus(X[i], X[j]), int(not is_tied)


def minus(a: list[Number], b: list[Number]) -> list[Number]:
    return [Fraction(p) - Fraction(q) for p, q in zip(a, b, strict=True)]


# ---------------------------------------------------------------- 4. the claims


def whole(values: Any) -> tuple[list[int], int]:
    """Exact numbers as integers over one common denominator."""
    pairs = [value.as_integer_ratio() for value in values]
    scale = math.lcm(*(q for _, q in pairs))
    return [p * (scale // q) for p, q in pairs], scale


def score(vector: list[Number], w: list[int]) -> int:
    """A positive multiple of the vector times w."""
    return sum(map(mul, whole(vector)[0], w)) if any(w) else 0


def weighted_sum(vectors: Vectors, factors: dict[int, int]) -> list[Fraction]:
    """Σ factor_i·v_i, exactly."""
    parts = map(whole, zip(*(vectors[i] for i in factors), strict=True))
    return [Fraction(sum(map(mul, factors.values(), part)), scale) for part, scale in parts]


def support(fields: Fields, n_rows: int) -> dict[int, int]:
    """The named rows, which are distinct, each with its multiplier."""
    rows, multipliers = fields["rows"], fields["multipliers"]
    need(len(rows) == len(multipliers), "rows and multipliers differ in number")
    check_rows(rows, n_rows)
    return dict(zip(rows, multipliers, strict=True))


def check_rows(rows: list[int], n_rows: int) -> None:
    fits = len(set(rows)) == len(rows) and max(rows, default=0) < n_rows
    need(fits, "a row is repeated, or out of range")


def check_weights(w: list[int], last: Number, width: int) -> None:
    need(len(w) == width, "the number of weights, or of numbers in a relation, is wrong")
    need(last or w[-1] == 0, "without an offset its weight is 0")


def check_claim(proof: Fields, vectors: Vectors, signs: list[int]) -> tuple[int, int]:
    """How many rows are settled, and how many are the core; raises where that is not proven."""
    w, one, named = proof["weights"], int(proof["denominator"]), support(proof, len(vectors))
    need(one >= 1, "the denominator is not positive")
    need(not (proof["exact"] and proof["relations"]), "an exact sum needs no relations")
    for numbers in (w, *proof["relations"]):
        check_weights(numbers, vectors[0][-1], len(vectors[0]))
    settled, core = 0, []
    for i, (vector, sign) in enumerate(zip(vectors, signs, strict=True)):
        found = score(vector, w)
        need(sign != 0 or found == 0, f"row {i} is an equality, and not on the hyperplane")
        need(sign * found >= 0, f"row {i} is on the wrong side of the hyperplane")
        settled += found != 0
        core += [i] if sign and not found else []
        is_named_well = sign == 0 or (found == 0 and named.get(i, one) > 0)
        need(i not in named or is_named_well, f"row {i} is settled, or its multiplier not positive")
    said = f"{settled} rows are settled and {len(core)} are the core; the proof says otherwise"
    need((settled, len(core)) == (proof["settled"], proof["core"]), said)
    factors = {i: m for i, m in named.items() if signs[i] == 0}  # μ of equalities: 0 unless named
    factors |= {i: signs[i] * named.get(i, one) for i in core}  # λ of the core: 1 unless named
    total = weighted_sum(vectors, factors)
    wrong = next((j for j, value in enumerate(total) if value), None)
    need(wrong is None or not proof["exact"], f"the weighted sum is not zero in column {wrong}")
    if factors and not proof["exact"]:
        check_remainder(proof["relations"], vectors, core, factors, total, one)
    return settled, len(core)


def check_remainder(
    relations: list[list[int]],
    vectors: Vectors,
    core: list[int],
    factors: dict[int, int],
    total: list[Fraction],
    one: int,
) -> None:
    """Raise unless corrections smaller than every λ make the sum zero; factors are over `one`."""
    kept, free = independent_columns(relations, vectors, list(factors)), factors.keys() - {*core}
    remainder = [total[j] / one for j in kept]
    least = min([one, *(abs(factors[i]) for i in core)])
    for per_column in (2, 8, len(core)) if any(remainder) else ():
        m = min(len(core), per_column * len(kept) + 50)
        few = [*(core[k * len(core) // m] for k in range(m)), *sorted(free)]
        if len(few) * len(kept) ** 2 > MOST_PRODUCTS:
            raise CannotTellError("the bound is too much work here; novikoff verify may tell")
        size = size_of_corrections([vectors[i] for i in few], remainder, kept)
        if size < math.inf and Fraction(size) * one < least:
            break
        if m == len(core):
            raise CannotTellError("the weighted sum is not zero, and no bound closes the gap")


def independent_columns(relations: list[list[int]], vectors: Vectors, used: list[int]) -> list[int]:
    """All columns but those of zeros, and one for each relation, in which the others are 0.

    A relation n holds on these vectors: v·n = 0. So what is zero in the rest is zero in that one.
    """
    uses = [sum(map(bool, column)) for column in zip(*relations, strict=True)]
    own = [[j for j, v in enumerate(n) if v and uses[j] == 1][:1] for n in relations]
    need(all(own), "a relation has no column in which the others are 0")
    for line in (whole(vectors[i])[0] for i in used if relations):
        need(not any(sum(map(mul, line, n)) for n in relations), "a relation does not hold")
    columns = range(len(vectors[0]))
    return [j for j in columns if [j] not in own and any(vectors[i][j] for i in used)]


def size_of_corrections(vectors: Vectors, remainder: list[Fraction], columns: list[int]) -> float:
    """A bound on |δ_i|, for δ with Σ δ_i·a_i = -r over the vectors a_i; or infinity.

    Then λ_i + δ_i balance the core, and are positive if the bound is below every λ_i. Let A have
    the rows a_i, in columns that are independent, and let G = AᵀA. δ = -A·G⁻¹·r has Aᵀ·δ = -r; by
    Cauchy and Schwarz |δ_i| = |a_iᵀ·G⁻¹·r| <= √(a_iᵀ·G⁻¹·a_i)·√(rᵀ·G⁻¹·r), and a leverage
    a_iᵀ·G⁻¹·a_i is at most 1. For any T the second root is at most ‖Tᵀ·r‖/f, if f > 0 is at most
    the least singular value of A·T; with M = fl(A·T), f = √(1 - ‖I - MᵀM‖) - ‖A·T - M‖ is (norms of
    Frobenius). T begins as I, and while M is not near to orthonormal it becomes T·R⁻¹, where RᵀR is
    Cholesky's factorization of MᵀM. T may be bad, for f tells.

    Floats: a sum of k products is wrong by at most k·u/(1 - k·u) times the sum of their sizes, and
    a number of A or r by u times its size, u = 2^-53; `unit` has 1% to spare for the roundings of
    the bound itself. ‖|A|·|T|‖ is bounded column by column, by ‖A_1‖·|T_1k| + ‖A_2‖·|T_2k| + ….
    What underflow loses is far below `tiny`, as long as no number of T is above 2^200.
    """
    unit, tiny, spare, p, m = 1.01 * 2.0**-53, 2.0**-500, 1.0 + 2.0**-40, len(columns), len(vectors)

    def norm(values: Any) -> float:
        return math.sqrt(math.fsum(v * v for v in values)) * spare + tiny

    def scaled(value: Any, e: int) -> float:  # value/2^e, rounded once
        a, b = value.as_integer_ratio()
        return a / (b << e) if e >= 0 else (a << -e) / b  # type: ignore[no-any-return]

    try:
        A, r, T = [], [], [[float(j == k) for k in range(p)] for j in range(p)]
        for j, value in zip(columns, remainder, strict=True):
            ratios = [vector[j].as_integer_ratio() for vector in vectors]
            e = max(a.bit_length() - b.bit_length() for a, b in ratios if a)
            A.append([scaled(vector[j], e) for vector in vectors])
            r.append(scaled(value, e))
        M, rows, away = A, list(zip(*A, strict=True)), math.inf
        for _ in range(4 if m >= p else 0):
            G = [[sum(map(mul, M[k], M[j])) for j in range(k + 1)] for k in range(p)]
            # G has one triangle: √2 times its norm, rounded up to 1.5, is at least that of both.
            away = 1.5 * norm(v - (j == k) for k, line in enumerate(G) for j, v in enumerate(line))
            # Rounding of G, at most (m + 2)·u·‖M‖²: the diagonal of G adds up to ‖M‖².
            away += (m + 2) * unit * sum(line[-1] for line in G) + tiny
            if away < 0.5:
                break
            R: list[list[float]] = []  # columns of Cholesky's factor of G, the diagonal last
            for k, line in enumerate(G):
                R.append([])
                for j in range(k):
                    R[k].append((line[j] - sum(map(mul, R[j], R[k]))) / R[j][j])
                square = line[k] - sum(map(mul, R[k], R[k]))
                R[k].append(math.sqrt(max(square, line[k] * p * 1e-15)))
            for j, line in enumerate(T):  # T becomes T·R⁻¹
                T[j] = [0.0] * j
                for k in range(j, p):
                    T[j].append((line[k] - sum(map(mul, T[j][j:], R[k][j:]))) / R[k][k])
            upper = [column[: k + 1] for k, column in enumerate(zip(*T, strict=True))]
            M = [[sum(map(mul, row, column)) for row in rows] for column in upper]
        norms, sizes = [*map(norm, A)], [[*map(abs, t)] for t in zip(*T, strict=True)]
        lost = (p + 3) * unit * norm(sum(map(mul, norms, column)) for column in sizes) + tiny
        is_fit = away < 0.5 and lost < 0.5 and max(map(max, sizes)) < 2.0**200
        f = math.sqrt(1.0 - away) - lost - 2.0**-40 if is_fit else 0.0
        seen = norm(sum(map(mul, r, column)) for column in zip(*T, strict=True))
        unseen = (p + 3) * unit * norm(sum(map(mul, map(abs, r), column)) for column in sizes)
        return (seen + unseen + tiny) / f * spare if f > 0.1 else math.inf
    except (OverflowError, ValueError, ZeroDivisionError):
        return math.inf


def check_obstruction(fields: Fields, vectors: Vectors, signs: list[int]) -> list[int]:
    """The rows, if Σ λ_i·z_i = 0 over them, with every λ_i > 0."""
    named = support(fields, len(vectors))
    fits = named and min(named.values()) > 0
    need(fits, "an obstruction has no rows, or a multiplier that is not positive")
    total = weighted_sum(vectors, {i: signs[i] * m for i, m in named.items()})
    need(not any(total), "the weighted sum of an obstruction is not zero")
    return list(named)


def check_mistakes(proof: Fields, vectors: Vectors, signs: list[int]) -> str:
    """Both bounds: the hyperplane's mistakes above, obstructions and their packings below."""
    n_rows, w, scale, upper = len(vectors), proof["weights"], proof["scale"], proof["upper"]
    costs: list[int] = [1] * n_rows if proof["costs"] is None else proof["costs"]
    need(len(costs) == n_rows and min(costs) >= 0 and scale >= 1, "impossible costs or scale")
    need(len(proof["unit"]) == 2 and min(proof["unit"]) >= 1, "the unit is no positive fraction")
    unit = Fraction(*proof["unit"])
    need(proof["costs"] is not None or unit == 1, "without costs the unit is 1")
    longest = max(unit.numerator * max(costs), unit.denominator)
    need(longest.bit_length() <= MOST_BITS, f"a cost has more than {MOST_BITS} bits")
    check_rows(proof["mistakes"], n_rows)
    check_rows(proof["trusted"], n_rows)
    trusted = frozenset(proof["trusted"])
    tables = [read_fields(one, KINDS["obstruction"], "an obstruction") for one in
              proof["obstructions"]]  # fmt: skip
    obstructions = [check_obstruction(table, vectors, signs) for table in tables]

    def load(leaf: Fields) -> dict[int, int]:
        """What the shares of obstructions add up to on each of their rows."""
        need(len(leaf["obstructions"]) == len(leaf["shares"]), "a packing lacks a share")
        loads: dict[int, int] = {}
        for k, share in zip(leaf["obstructions"], leaf["shares"], strict=True):
            need(k < len(obstructions) and share > 0, "a packing has shares of nothing")
            for row in obstructions[k]:
                loads[row] = loads.get(row, 0) + share
        return loads

    def least(node: Any, removed: frozenset[int], kept: frozenset[int], depth: int) -> int | None:
        """What the mistakes of hyperplanes that give up `removed` and keep `kept` cost at least.

        None: there is no such hyperplane. Obstructions each need a row to be given up, and there
        is none where all of one are kept. Shares of them that load no row with more than its cost
        need at least their sum.
        """
        need(isinstance(node, dict) and depth >= 0, "the tree is malformed, or too deep")
        if "row" in node:
            row = read_fields(node, "row:count removed:any kept:any", "the tree")["row"]
            is_new = row < n_rows and row not in removed | kept
            need(is_new, f"the tree branches on row {row} twice, or there is no such row")
            given_up = least(node["removed"], removed | {row}, kept, depth - 1)
            stays = least(node["kept"], removed, kept | {row}, depth - 1)
            return min((end for end in (given_up, stays) if end is not None), default=None)
        leaf = read_fields(node, "obstructions:*count shares:*hex", "the tree")
        loads = load(leaf)
        need(removed.isdisjoint(loads), "an obstruction of a packing is hit already")
        if any(kept.issuperset(obstructions[k]) for k in leaf["obstructions"]):
            return None
        fits = all(row in kept or value <= costs[row] * scale for row, value in loads.items())
        need(fits, "a packing loads a row with more than its cost")
        return sum(costs[row] for row in removed) - (-sum(leaf["shares"]) // int(scale))

    lower = least(proof["tree"], frozenset(), trusted, MOST_DEPTH)
    need(lower == proof["lower"], "the lower bound is not what the proof states")
    if w is None or lower is None:
        need(w is lower is upper is None, "a bound stands without the other")
        return "such that any hyperplane gets a trusted row wrong"
    check_weights(w, vectors[0][-1], len(vectors[0]))
    pairs = enumerate(zip(vectors, signs, strict=True))
    wrong = [i for i, (vector, sign) in pairs if sign * score(vector, w) <= 0]
    need(wrong == sorted(proof["mistakes"]), "the hyperplane's mistakes are not those listed")
    need(trusted.isdisjoint(wrong), "the hyperplane gets a trusted row wrong")
    need(upper == sum(costs[i] for i in wrong) and lower <= upper, "the upper bound is wrong")
    bounds = f"at least {lower * unit} and at most {upper * unit}"
    bounds = f"exactly {upper * unit}" if lower == upper else bounds
    right = f" that is right on the {len(trusted)} trusted" if trusted else ""
    if proof["costs"] is None:
        return f"such that the best hyperplane{right} gets {bounds} row{'s' * (upper != 1)} wrong"
    return (
        f"such that the mistakes of the best hyperplane{right} cost {bounds}, where the proof "
        f"gives each row a cost from {min(costs) * unit} to {max(costs) * unit}, in units of {unit}"
    )


def proven(proof: Fields, rows: Vectors, signs: list[int]) -> str:
    """What is true of the rows; raises ProofError if what is claimed is not."""
    kind, data, model = proof["kind"], proof["data"], proof.get("model")
    size = f"{data['rows']} rows, {data['columns']} columns of {proof['numbers']} numbers"
    if model is not None:
        vectors, signs = comparisons(rows, proof)
        settled, core = check_claim(proof, vectors, signs)
        said = f"infinite: {settled} of its comparisons can be settled, and no more"
        said = said if settled else f"finite: no direction settles one of its {core} comparisons"
        shape = f"the last are {', '.join(model['response'])}"
        shape += f"; {model['classes']} classes" * (model["classes"] > 0)
        shape += f"; {model['ties']} ties" * (model["name"] == "cox")
        shape += "; with a constant" * proof["offset"]
        return f"a model of kind {model['name']} whose estimate is {said} ({size}; {shape})"
    vectors = [[*row, int(proof["offset"])] for row in rows]
    if kind == "mistakes":
        said = check_mistakes(proof, vectors, signs)
    elif kind == "obstruction":
        check_obstruction(proof, vectors, signs)
        said = "not separable: no hyperplane has every row strictly on its side"
    else:
        settled, core = check_claim(proof, vectors, signs)
        said = "overlapping: no hyperplane separates the two classes, not even weakly"
        if settled:
            said = "separable: every row is strictly on its side of a hyperplane"
        if settled and core:
            said = f"quasi-separable: {settled} rows are strictly on their side of a hyperplane "
            said += f"and the other {core} on it, and no hyperplane settles more"
    label = "the last column" if data["label"] is None else f"column {data['label']!r}"
    size += f", with{'' if proof['offset'] else 'out'} an offset; the label is {label}"
    return f"{said} ({size}, + is {data['positive']!r}, - is {data['negative']!r})"


def check(proof_path: str, data_path: str) -> str:
    """What the proof proves; ProofError if that is nothing, CannotTellError if it is not known."""
    if not float.fromhex("0x1p-1074") * 2.0**1000 > 0:
        raise CannotTellError("this process takes subnormal numbers for zero; use another")
    proof = read_proof(proof_path)
    try:
        rows, signs = read_data(data_path, proof)
    except ProofError as error:
        raise ProofError(f"{error}{DERIVED * ('reading' in proof['data'])}") from None
    same = digest(rows, signs) == proof["data"]["digest"]
    need(same, "this is not the data that the proof speaks of: its digest is another")
    return f"{proven(proof, rows, signs)}."


def main(arguments: list[str]) -> int:
    if len(arguments) != 2:
        print(USAGE, file=sys.stderr)
        return 2
    try:
        print(f"The proof holds. The data is {check(*arguments)}")
        return 0
    except OSError as error:
        print(f"Cannot read {error.filename}: {error.strerror}.", file=sys.stderr)
    except ProofError as error:
        print(f"The proof does not hold: {error}.", file=sys.stderr)
    except (CannotTellError, MemoryError) as error:
        print(f"Cannot tell whether the proof holds: {error or 'memory ends'}.", file=sys.stderr)
        return 4
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
