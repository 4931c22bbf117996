"""Check a novikoff proof with nothing but Python: python checker.py proof.json data.csv

Where the proof is not about a CSV file as it stands, `novikoff certify DATA --rows rows.csv` writes
the very rows that it is about: python checker.py proof.json --rows rows.csv

One plain file, with the standard library alone. It shares no code with the rest of novikoff and may
be copied anywhere. It says what is proven of which data, and ends with one of these codes:

    0   the proof holds: its claim is true of this data
    1   the proof does not hold, for the reason that is printed; or a file cannot be read
    2   wrong usage
    4   cannot tell: the proof is too large for plain Python, or the bound of section 4 is too weak

Rows have the sign +1, -1 or 0: z_i = sign_i·(x_i, 1) for the first two, or sign_i·x_i without an
offset; rows of sign 0 are equalities e_k. Two classes have none. The claims:

    claim        z_i·w >= 0 for every row and e_k·w = 0 for every equality: rows with z_i·w > 0 are
                 settled, those with z_i·w = 0 are the core. And Σ λ_i·z_i + Σ μ_k·e_k = 0, with
                 λ_i > 0 on every row of the core. For any direction v that opposes no row and is
                 zero on the equalities, 0 = Σ λ_i·(z_i·v) has no negative term, so v is zero on the
                 core: no direction settles more than w. Nothing settled: the classes overlap.
                 No core: they are separable. λ_i is 1 where the proof gives no multiplier
    regression   the same of the comparisons that a model makes of its data. A direction that
                 opposes none never lowers the likelihood: the estimate is finite where none is
                 settled, and else infinite
    obstruction  Σ λ_i·z_i = 0 with λ_i > 0 on a few rows: no hyperplane has all on their side
    mistakes     the rows with z_i·w <= 0 cost `upper`, and those of any other w at least `lower`

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
from typing import Any, NoReturn

USAGE = (
    "usage: python checker.py proof.json data.csv [--header | --no-header]\n"
    "       python checker.py proof.json --rows rows.csv"
)
OPTIONS = ("--rows", "--header", "--no-header")
DERIVED = (
    "; it is about rows made from a file: write them with novikoff verify PROOF DATA --rows FILE, "
    "then check PROOF --rows FILE"
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


def refuse(reason: str) -> NoReturn:
    raise ProofError(reason)


def need(condition: Any, reason: str) -> None:
    if not condition:
        refuse(reason)


# ---------------------------------------------------------------- 1. the proof file
# Each field and what it holds: * is a list of it, ? is it or null. No field is missing or ignored.

COMMON = "format:text version:count kind:text numbers:text data:any"
CLAIM = (
    "weights:weights settled:count core:count rows:*count multipliers:*hex equalities:*count "
    "factors:*hex denominator:hex exact:flag relations:**hex"
)
KINDS = {
    "claim": f"offset:flag {CLAIM}",
    "regression": f"model:any comparisons:count coefficients:count {CLAIM}",
    "obstruction": "offset:flag rows:*count multipliers:*hex",
    "mistakes": (
        "offset:flag weights:?weights mistakes:*count costs:?*hex unit:*hex trusted:*count "
        "obstructions:*support scale:hex tree:any lower:?hex upper:?hex"
    ),
}
SIZES = "rows:count columns:count layout:text digest:text"
LABELS = "negative:text positive:text label:?text"
READING = "options:any notes:*text left_out:**count"
MODEL = "name:text response:*text constant:flag classes:count reference:count ties:text"
RESPONSES = {
    "logistic": "y", "binomial": "successes trials", "poisson": "y", "multinomial": "class",
    "ordinal": "class", "conditional": "case set", "cox": "time event",
    "bradley-terry": "winner loser result",
}  # fmt: skip
TYPES = {"text": str, "flag": bool, "count": int, "any": object}
INTEGER = re.compile(r"-?0x(0|[1-9a-f][0-9a-f]*)")
FLOAT = re.compile(r"-?0x[01]\.[0-9a-f]{1,13}p[+-][0-9]{1,4}")


def read_fields(fields: Any, table: str, what: str) -> Fields:
    """Exactly the fields of the table, with numbers as Python's exact numbers."""
    kinds = dict(field.split(":") for field in table.split())
    need(isinstance(fields, dict), f"{what} is not a JSON object")
    odd = ", ".join(sorted(fields.keys() ^ kinds.keys()))
    need(not odd, f"{what} has missing or unknown fields: {odd[:200]}")
    return {name: read_value(fields[name], kind, name) for name, kind in kinds.items()}


def read_value(value: Any, kind: str, name: str) -> Any:
    if kind[0] == "?":
        return None if value is None else read_value(value, kind[1:], name)
    if kind == "support":
        need(isinstance(value, list) and len(value) == 2, f"{name} are not rows and multipliers")
        return [read_value(*part, name) for part in zip(value, ("*count", "*hex"), strict=True)]
    if kind[0] == "*" or kind == "weights":
        need(isinstance(value, list), f"{name} is not a list")
    if kind == "weights":  # as integers: a positive multiple of w claims the same as w
        if not all(isinstance(one, str) and FLOAT.fullmatch(one) for one in value):
            return read_value(value, "*hex", name)
        try:
            return whole([float.fromhex(one) for one in value])[0]
        except OverflowError:
            refuse(f"{name} has a number beyond binary64")
    if kind[0] == "*":
        return [read_value(one, kind[1:], name) for one in value]
    if kind == "hex":
        fits = isinstance(value, str) and len(value) <= MOST_DIGITS + 3
        need(fits and INTEGER.fullmatch(value), f"{name} has what is no hexadecimal integer")
        return int(value, 16)
    need(kind == "any" or type(value) is TYPES[kind], f"{name} has a value that is no {kind}")
    need(kind != "count" or 0 <= value < 2**62, f"{name} has a value that is no {kind}")
    return value


def read_proof(path: str) -> Fields:
    """The fields of the proof, each of them checked."""
    with Path(path).open("rb") as file:
        content = file.read(MOST_BYTES + 1)
    need(len(content) <= MOST_BYTES, f"the proof has more than {MOST_BYTES} bytes")
    try:
        given: Any = json.loads(
            content.decode("utf-8"),
            object_pairs_hook=lambda p: (
                dict(p) if len(dict(p)) == len(p) else refuse("a field twice")
            ),
            parse_int=lambda digits: int(digits) if len(digits) < 20 else refuse("a long integer"),
            parse_float=lambda digits: refuse(f"{digits[:40]} is no integer"),
            parse_constant=lambda name: refuse(f"{name} is no integer"),
        )
    except (ValueError, RecursionError) as error:
        raise ProofError(f"the proof is not JSON: {error}") from None
    kind: Any = given.get("kind") if isinstance(given, dict) else None
    need(isinstance(kind, str) and kind in KINDS, "this is no novikoff proof of a known kind")
    proof = read_fields(given, f"{COMMON} {KINDS[kind]}", "the proof")
    need(proof["format"] == "novikoff certificate", "this is no novikoff certificate")
    need(proof["version"] == 1, "the proof is not of version 1")
    need(proof["numbers"] in ("binary64", "decimal", "rational"), "unknown kind of numbers")
    is_model, data = kind == "regression", proof["data"]
    extra = data if isinstance(data, dict) else {}
    given = {name: value for name, value in extra.items() if name != "reading"}
    if is_model:
        given.pop("derivation", None)
    proof["data"] = data = read_fields(
        given, SIZES if is_model else f"{SIZES} {LABELS}", "its data"
    )
    need(min(data["rows"], data["columns"]) >= 1, "the data has no rows, or no columns")
    need(data["layout"] in ("dense", "sparse"), "the layout is neither dense nor sparse")
    need(re.fullmatch("[0-9a-f]{64}", data["digest"]), "the digest is malformed")
    need(is_model or data["negative"] != data["positive"], "the two labels are the same")
    proof["is_read"], options = "reading" in extra, {}
    if proof["is_read"]:
        options = read_fields(extra["reading"], READING, "the reading")["options"]
        need(isinstance(options, dict), "the options of the reading are not a JSON object")
    proof["header"] = options.get("header")
    size, width = data["rows"], data["columns"]
    if is_model:
        proof["model"] = read_model(proof["model"])
        proof["offset"] = proof["model"]["constant"] and proof["model"]["name"] != "multinomial"
        size, width = proof["comparisons"], proof["coefficients"]
        need(min(size, width) >= 1, "there are no comparisons, or no coefficients")
    if max(cells := size * width, data["rows"] * data["columns"]) > MOST_CELLS:
        raise CannotTellError(f"{cells:,} numbers are too many for plain Python")
    supports = proof.get("obstructions", [])
    if kind == "mistakes":
        check_costs(proof, size)
    else:
        supports = [[proof["rows"], proof["multipliers"]]]
        need(kind != "obstruction" or proof["rows"], "the obstruction has no rows")
    w = proof.get("weights")
    need(w is None or len(w) == width + 1, "the number of weights is wrong")
    need(w is None or proof["offset"] or w[-1] == 0, "without an offset its weight is 0")
    if "exact" in proof:
        supports.append([proof["equalities"], [factor or 1 for factor in proof["factors"]]])
        need(proof["denominator"] >= 1, "the denominator is not positive")
        need(all(len(n) == width + 1 for n in proof["relations"]), "a relation has a wrong length")
        need(not (proof["exact"] and proof["relations"]), "an exact sum needs no relations")
    for place, (rows, multipliers) in enumerate(supports):
        need(len(rows) == len(multipliers), "rows and multipliers differ in number")
        need(max(rows, default=0) < size, "a row is out of range")
        need(len(set(rows)) == len(rows), "a row is repeated")
        is_free = "exact" in proof and place == 1  # the factors of equalities have any sign
        need(is_free or min(multipliers, default=1) > 0, "a multiplier is not positive")
    return proof


def read_model(fields: Any) -> Fields:
    model = read_fields(fields, MODEL, "the model")
    name, classes, ties = model["name"], model["classes"], model["ties"]
    need(name in RESPONSES, f"the model {name[:40]!r} is unknown here")
    more = [part for part in ("entry", "stratum") if name == "cox" and part in model["response"]]
    is_own = model["response"] == RESPONSES[name].split() + more
    need(is_own, "the response columns are not the model's")
    has_constant = name in ("logistic", "binomial", "poisson", "multinomial")
    need(has_constant or not model["constant"], f"a {name} model has no constant")
    has_reference = name in ("multinomial", "bradley-terry")
    need((classes > 0) == (has_reference or name == "ordinal"), "impossible number of classes")
    need(classes <= MOST_CLASSES, "the model has too many classes")
    need(model["reference"] <= (classes - 1 if has_reference else 0), "impossible reference")
    need(ties == "breslow" or (name, ties) == ("cox", "exact"), "ties of an unknown kind")
    return model


# ---------------------------------------------------------------- 2. the data and its digest

DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,4})?")
RATIO = re.compile(r"[+-]?[0-9]+/[0-9]*[1-9][0-9]*")


def read_data(path: str, proof: Fields, written: bool) -> tuple[Vectors, list[int]]:
    """The rows and signs of a CSV file; `written` says that it was written for the checker.

    The file decides what its first line is: a row, where every cell but the label is a number, and
    else the names of the columns. The label is in the column that the proof names, or numbers (from
    1), or else in the last, as it is in a file that was written for the checker.
    """
    data, is_model = proof["data"], proof["kind"] == "regression"
    width = data["columns"] + (not is_model)
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
    first = [cell.strip() for cell in lines[0]]
    label = "" if is_model or written else data["label"] or ""
    is_named, is_place = first.count(label) == 1, re.fullmatch("[1-9][0-9]{0,8}", label)
    place = first.index(label) if label and is_named else int(label) - 1 if is_place else width - 1
    names = [cell for j, cell in enumerate(first) if is_model or written or j != place]
    has_header = not all(DECIMAL.fullmatch(cell) or RATIO.fullmatch(cell) for cell in names)
    agrees = written or proof["header"] in (None, has_header)
    need(agrees, f"line 1 is {'no row' if has_header else 'a row'}, and the proof denies that")
    title = proof["model"]["response"] if is_model else [data["label"] or "label"]
    titles = (title, [f"column {one}" for one in title])
    if written and has_header and first[-len(title) :] not in titles:
        refuse(f"the last columns of a file for --rows must be called {', '.join(title)}")
    del lines[:has_header]
    found = f"{len(lines)} rows{' below its header' * has_header}"
    need(len(lines) == data["rows"], f"the data has {found}; the proof speaks of {data['rows']}")
    is_found = not label or (has_header and is_named) or (is_place and place < width)
    need(is_found, f"the data has no column {label!r} (or two of them)")
    rows, signs = [], []
    for number, line in enumerate(lines):
        sign = "+" if is_model else line.pop(place).strip()
        known = ("-", "+") if is_model else (data["negative"], data["positive"])
        need(sign in known, f"row {number} has the label {sign!r}")
        signs.append(1 if sign == known[1] else -1)
        rows.append([read_number(cell.strip(), proof["numbers"]) for cell in line])
    return rows, signs


def read_number(cell: str, numbers: str) -> Number:
    is_ratio = numbers == "rational" and RATIO.fullmatch(cell)
    need(is_ratio or DECIMAL.fullmatch(cell), f"{cell[:40]!r} is not a number")
    try:
        value = float(cell) if numbers == "binary64" else Fraction(cell)
    except ValueError as error:
        raise CannotTellError(f"a number of the data cannot be read: {error}") from None
    need(value not in (math.inf, -math.inf), f"{cell[:40]} is beyond binary64")
    return value


def digest(rows: Vectors, signs: list[int], layout: str) -> str:
    """SHA-256 over the digests of blocks of 4096 rows and their signs."""
    table = hashlib.sha256(f"novikoff rows 1\n{layout}\n{len(rows)} {len(rows[0])}\n".encode())
    for start in range(0, len(rows), 4096):
        numbers = [value for row in rows[start : start + 4096] for value in row]
        try:
            floats = [float(value) + 0.0 for value in numbers]  # no -0.0
        except OverflowError:
            floats = []
        if layout == "sparse":
            need(floats == numbers, "the proof speaks of binary64 numbers, and these are not")
            block = hashlib.sha256(b"sparse\n")
            for place, value in enumerate(floats):
                if value:
                    block.update(struct.pack("<qqd", *divmod(place, len(rows[0])), value))
        elif floats == numbers:
            block = hashlib.sha256(b"floats\n")
            block.update(struct.pack(f"<{len(floats)}d", *floats))
        else:
            block = hashlib.sha256(b"ratios\n")
            for p, q in (value.as_integer_ratio() for value in numbers):
                block.update(f"{p:x}/{q:x}\n".encode())
        here = signs[start : start + 4096]
        block.update(struct.pack(f"{len(here)}b", *here))
        table.update(block.digest())
    return table.hexdigest()


# ---------------------------------------------------------------- 3. the rows of each model

Rows = Iterator[tuple[list[Number], int]]  # vectors, each with the sign +1, -1, or 0: an equality


def comparisons(table: Vectors, proof: Fields) -> tuple[Vectors, list[int]]:
    """The comparisons of the model, as many and as wide as the proof says."""
    model, vectors, signs = proof["model"], list[list[Number]](), list[int]()
    cut = len(table[0]) - len(model["response"])
    need(cut >= 0, "the data has fewer columns than the model's response")
    X: Vectors = [row[:cut] + [1] * model["constant"] for row in table]
    columns = list(zip(*(row[cut:] for row in table), strict=True))
    r = {name: [*map(Fraction, columns[k])] for k, name in enumerate(model["response"])}
    for name, values in r.items():
        if name in ("set", "stratum", "class", "winner", "loser"):
            need(all(v >= 0 and v.denominator == 1 for v in values), f"impossible {name}")
        if name in ("event", "case") or (name, model["name"]) == ("y", "logistic"):
            need(all(v in (0, 1) for v in values), f"impossible {name}")
    used = {v for name in ("class", "winner", "loser") for v in r.get(name, [])}
    need(all(v < model["classes"] for v in used), "a class is none of the model's")
    every = model["name"] == "ordinal" or len(used) == model["classes"]
    need(every, "a class of the model has no row")
    pairs = cox(X, r, model["ties"] == "exact") if model["name"] == "cox" else rows_of(X, r, model)
    other = "the model makes comparisons of another number or width"
    for vector, sign in pairs:
        need(len(vector) == proof["coefficients"] + proof["offset"], other)
        need(len(vectors) < proof["comparisons"], other)
        vectors.append(vector)
        signs.append(sign)
    need(len(vectors) == proof["comparisons"], other)
    return vectors, signs


def rows_of(X: Vectors, r: dict[str, list[Fraction]], model: Fields) -> Rows:
    """In order, of the design table X with its constant and of the response columns r:

    logistic, binomial  successes of trials: all x·δ >= 0, none -x·δ >= 0, some x·δ = 0
    poisson             y = 0: -x·δ >= 0; y > 0: x·δ = 0
    multinomial         x·(δ_y - δ_k) >= 0 for each class k but y; the reference has no columns
    bradley-terry       δ_winner - δ_loser + x·β >= 0, or = 0 where neither won; the same
    ordinal             x·δ - a >= 0 for the threshold a below the class of x, a - x·δ >= 0 for that
                        above. Thresholds come first; around a class that nobody has they are one
    conditional         (x_i - x_j)·δ >= 0 for each case i and each other j of its set
    """
    name, classes = model["name"], range(model["classes"])
    blocks = [k for k in classes if k != model["reference"]]
    column, used = [0], set(r.get("class", []))  # of each threshold; threshold k is above class k
    for k in classes[1:-1]:
        column.append(column[-1] + (k in used))
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
            need(y != more[0], "a contest has one player on both sides")
            need(0 < more[1] <= 1, "impossible result")
            yield [(b == y) - (b == more[0]) for b in blocks] + x, int(more[1] == 1)
        elif name == "ordinal":
            for other in (k for k in (y - 1, y + 1) if k in classes):
                side, a = 1 if other < y else -1, column[int(min(y, other))]
                yield [-side * (c == a) for c in range(column[-1] + 1)] + [side * v for v in x], 1
        else:
            for j in others[more[0]] if y else []:
                yield minus(x, X[j]), 1


def cox(X: Vectors, r: dict[str, list[Fraction]], is_exact: bool) -> Rows:
    """(x_i - x_j)·δ >= 0 for an event i and each j at risk: entry_j < time_i <= time_j.

    Events at one time are equal, and one of them, which enters first, leads: it is compared with
    all. With exact ties each is compared, but not with each other. Lemma: at the event time k, let
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
                    is_tied = j in tied[k]
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


def check_claim(proof: Fields, vectors: Vectors, signs: list[int]) -> tuple[int, int]:
    """How many rows are settled, and how many are the core; raises where that is not proven."""
    settled, core, w, one = 0, [], proof["weights"], proof["denominator"]
    for i, (vector, sign) in enumerate(zip(vectors, signs, strict=True)):
        found = score(vector, w)
        need(sign != 0 or found == 0, f"row {i} is an equality, and not on the hyperplane")
        need(sign * found >= 0, f"row {i} is on the wrong side of the hyperplane")
        settled += found != 0
        core += [i] if sign and not found else []
    said = f"{settled} rows are settled and {len(core)} are the core; the proof says otherwise"
    need((settled, len(core)) == (proof["settled"], proof["core"]), said)
    named = dict(zip(proof["rows"], proof["multipliers"], strict=True))
    need(named.keys() <= set(core), "a row with a multiplier is not in the core")
    need(not any(signs[i] for i in proof["equalities"]), "an equality has a sign")
    factors = {i: signs[i] * named.get(i, one) for i in core}
    factors |= dict(zip(proof["equalities"], proof["factors"], strict=True))
    if not factors:
        return settled, 0  # nothing is left to be moved
    kept = independent_columns(proof["relations"], vectors, list(factors))
    total = weighted_sum(vectors, factors)
    wrong = next((j for j, value in enumerate(total) if value), None)
    need(wrong is None or not proof["exact"], f"the weighted sum is not zero in column {wrong}")
    remainder, least = [total[j] / one for j in kept], min([one, *named.values()])
    for per_column in (2, 8, len(core)) if any(remainder) else ():
        m = min(len(core), per_column * len(kept) + 50)
        few = [core[k * len(core) // m] for k in range(m)] + proof["equalities"]
        if len(few) * len(kept) ** 2 > MOST_PRODUCTS:
            raise CannotTellError("the bound is too much work here; novikoff verify may tell")
        size = size_of_corrections([vectors[i] for i in few], remainder, kept)
        if size < math.inf and Fraction(size) * one < least:
            break
        if m == len(core):
            raise CannotTellError("the weighted sum is not zero, and no bound closes the gap")
    return settled, len(core)


def independent_columns(relations: list[list[int]], vectors: Vectors, used: list[int]) -> list[int]:
    """All columns but those of zeros, and one for each relation, in which the others are 0.

    A relation n holds on these vectors: v·n = 0. So what is zero in the rest is zero in that one.
    """
    width = len(vectors[0])
    uses = [sum(map(bool, column)) for column in zip(*relations, strict=True)]
    own = [[j for j, v in enumerate(n) if v and uses[j] == 1][:1] for n in relations]
    need(all(own), "a relation has no column in which the others are 0")
    need(not any(any(n[width:]) for n in relations), "a relation uses an offset, and there is none")
    for line in (whole(vectors[i])[0] for i in used if relations):
        need(not any(sum(map(mul, line, n)) for n in relations), "a relation does not hold")
    return [j for j in range(width) if [j] not in own and any(vectors[i][j] for i in used)]


def size_of_corrections(vectors: Vectors, remainder: list[Fraction], columns: list[int]) -> float:
    """A bound on |δ_i|, for δ with Σ δ_i·a_i = -r over the vectors a_i; infinity where none is found.

    Then λ_i + δ_i balance the core, and are positive if the bound is below every λ_i. Let A have
    the rows a_i, in columns that are independent, and let G = AᵀA. δ = -A·G⁻¹·r has Aᵀ·δ = -r; by
    Cauchy and Schwarz |δ_i| = |a_iᵀ·G⁻¹·r| <= √(a_iᵀ·G⁻¹·a_i)·√(rᵀ·G⁻¹·r), and a leverage
    a_iᵀ·G⁻¹·a_i is at most 1. For any T the second root is at most ‖Tᵀ·r‖/f, if f > 0 is at most
    the least singular value of A·T; with M = fl(A·T), f = √(1 - ‖I - MᵀM‖) - ‖A·T - M‖ is (norms of
    Frobenius). T is a product of inverses of Cholesky's factors. It may be bad, for f tells.

    Floats: a sum of k products is wrong by at most k·u/(1 - k·u) times the sum of their sizes, and
    a number of A or r by u times its size, u = 2^-53. ‖|A|·|T|‖ is bounded column by column, by
    ‖A_1‖·|T_1k| + ‖A_2‖·|T_2k| + …. gamma has 1% to spare for the roundings of the bound itself.
    What underflow loses is far below `tiny`, as long as no number of T is above 2^200.
    """
    tiny, spare, p, m = 2.0**-500, 1.0 + 2.0**-40, len(columns), len(vectors)

    def gamma(k: int) -> float:
        return 1.01 * k * 2.0**-53

    def norm(values: Any) -> float:
        return math.sqrt(math.fsum(v * v for v in values)) * spare + tiny

    def scaled(value: Number, e: int) -> float:  # value/2^e, rounded once
        a, b = value.as_integer_ratio()
        return a / (b << e) if e >= 0 else (a << -e) / b

    try:
        A, r, T = [], [], [[float(j == k) for k in range(p)] for j in range(p)]
        for j, value in zip(columns, remainder, strict=True):
            a, b = max(abs(vector[j]) for vector in vectors).as_integer_ratio()
            e = a.bit_length() - b.bit_length()
            A.append([scaled(vector[j], e) for vector in vectors])
            r.append(scaled(value, e))
        M, rows = A, list(zip(*A, strict=True))
        for _ in range(4 if m >= p else 0):
            G = [[sum(map(mul, M[k], M[j])) for j in range(k + 1)] for k in range(p)]
            away = 1.5 * norm(v - (j == k) for k, line in enumerate(G) for j, v in enumerate(line))
            away += gamma(m + 2) * sum(line[-1] for line in G) + tiny
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
        else:
            return math.inf
        norms, absolute = (
            [norm(column) for column in A],
            [[*map(abs, t)] for t in zip(*T, strict=True)],
        )
        if not max(map(max, absolute)) < 2.0**200:
            return math.inf
        lost = gamma(p + 3) * norm(sum(map(mul, norms, column)) for column in absolute) + tiny
        f = math.sqrt(1.0 - away) - lost - 2.0**-40
        seen = norm(sum(map(mul, r, column)) for column in zip(*T, strict=True))
        unseen = gamma(p + 3) * norm(sum(map(mul, map(abs, r), column)) for column in absolute)
        return (seen + unseen + tiny) / f * spare if f > 0.1 else math.inf
    except (OverflowError, ValueError, ZeroDivisionError):
        return math.inf


def check_obstruction(vectors: Vectors, signs: list[int], rows: list[int], by: list[int]) -> None:
    total = weighted_sum(vectors, {i: signs[i] * m for i, m in zip(rows, by, strict=True)})
    need(not any(total), "the weighted sum of an obstruction is not zero")


def check_costs(proof: Fields, n_rows: int) -> None:
    """What a proof of the fewest mistakes says of costs and rows."""
    costs, unit, rows = proof["costs"], proof["unit"], proof["mistakes"] + proof["trusted"]
    fits = costs is None or (len(costs) == n_rows and min(costs) >= 0)
    need(fits, "a cost is missing or negative")
    need(len(unit) == 2 and min(unit) >= 1, "the unit is not a positive fraction")
    longest = max(unit[0] * max(costs or [1]), unit[1])
    need(longest.bit_length() <= MOST_BITS, f"a cost has more than {MOST_BITS} bits")
    need(costs is not None or unit[0] == unit[1], "without costs the unit is 1")
    need(proof["scale"] >= 1, "the scale is not positive")
    need(max(rows, default=0) < n_rows, "a row is out of range")
    distinct = len(set(proof["mistakes"])) + len(set(proof["trusted"]))
    need(distinct == len(rows), "a row is repeated")
    need(all(part for part, _ in proof["obstructions"]), "an obstruction has no rows")


def check_mistakes(vectors: Vectors, signs: list[int], proof: Fields) -> str:
    """Both bounds: the hyperplane's mistakes above, obstructions and their packings below."""
    for support in proof["obstructions"]:
        check_obstruction(vectors, signs, *support)
    trusted, w, unit = frozenset(proof["trusted"]), proof["weights"], Fraction(*proof["unit"])
    lower, upper = (
        least_cost(proof, proof["tree"], frozenset(), trusted, MOST_DEPTH),
        proof["upper"],
    )
    need(lower == proof["lower"], "the lower bound is not what the proof states")
    if w is None or lower is None:
        need(w is lower is upper is None, "a bound stands without the other")
        return "such that any hyperplane gets a trusted row wrong"
    pairs = enumerate(zip(vectors, signs, strict=True))
    wrong = [i for i, (vector, sign) in pairs if sign * score(vector, w) <= 0]
    need(wrong == sorted(proof["mistakes"]), "the hyperplane's mistakes are not those listed")
    need(trusted.isdisjoint(wrong), "the hyperplane gets a trusted row wrong")
    need(cost(proof, wrong) == upper, "the upper bound is wrong")
    need(lower <= upper, "the lower bound is above the upper bound")
    bounds = f"at least {lower * unit} and at most {upper * unit}"
    bounds = f"exactly {upper * unit}" if lower == upper else bounds
    right = f" that is right on the {len(trusted)} trusted" if trusted else ""
    if proof["costs"] is None:
        rows = "row" if upper == 1 else "rows"
        return f"such that the best hyperplane{right} gets {bounds} {rows} wrong"
    low, high = min(proof["costs"]) * unit, max(proof["costs"]) * unit
    return (
        f"such that the mistakes of the best hyperplane{right} cost {bounds}, where the proof gives "
        f"each row a cost from {low} to {high}, in units of {unit}"
    )


def cost(proof: Fields, rows: Any) -> int:
    return len(rows) if proof["costs"] is None else sum(proof["costs"][row] for row in rows)


def least_cost(
    proof: Fields, node: Any, removed: frozenset[int], kept: frozenset[int], depth: int
) -> int | None:
    """What the mistakes of any hyperplane cost that gives up `removed` and keeps `kept`, at least.

    None: there is no such hyperplane. Obstructions each need a row to be given up: shares of them
    that load no row with more than its cost need at least their sum.
    """
    need(isinstance(node, dict) and depth >= 0, "the tree is malformed, or too deep")
    if node.keys() == {"row", "removed", "kept"}:
        row = read_value(node["row"], "count", "the tree")
        is_new = row < proof["data"]["rows"] and row not in removed | kept
        need(is_new, f"the tree branches on row {row} twice, or there is no such row")
        given_up = least_cost(proof, node["removed"], removed | {row}, kept, depth - 1)
        stays = least_cost(proof, node["kept"], removed, kept | {row}, depth - 1)
        return min((end for end in (given_up, stays) if end is not None), default=None)
    is_leaf = node.keys() == {"packing"} and isinstance(node["packing"], list)
    need(is_leaf or node.keys() == {"blocked"}, "a leaf of the tree is malformed")
    pairs = node["packing"] if is_leaf else [[node["blocked"], "0x1"]]
    total, loads = 0, dict[int, int]()
    for pair in pairs:
        need(isinstance(pair, list) and len(pair) == 2, "a packing is malformed")
        place, share = (
            read_value(pair[0], "count", "packing"),
            read_value(pair[1], "hex", "packing"),
        )
        need(place < len(proof["obstructions"]) and share > 0, "a share of a packing is of nothing")
        total += share
        for row in proof["obstructions"][place][0]:
            loads[row] = loads.get(row, 0) + share
    if not is_leaf:
        need(kept.issuperset(loads), "a branch is called blocked, and is not")
        return None
    need(removed.isdisjoint(loads), "an obstruction of a packing is hit already")
    for row, load in loads.items():
        fits = row in kept or load <= cost(proof, [row]) * proof["scale"]
        need(fits, f"row {row} is loaded with more than its cost")
    return cost(proof, removed) - (-total // int(proof["scale"]))


def proven(proof: Fields, rows: Vectors, signs: list[int]) -> str:
    """What is true of the rows; raises ProofError if what is claimed is not."""
    kind, data = proof["kind"], proof["data"]
    size = f"{data['rows']} rows, {data['columns']} columns of {proof['numbers']} numbers"
    if kind == "regression":
        model = proof["model"]
        settled, left = check_claim(proof, *comparisons(rows, proof))
        made = f"{proof['comparisons']} comparisons of {proof['coefficients']} coefficients"
        said = f"infinite: {settled} of its {made} can be settled, the other {left} never"
        said = said if settled else f"finite: no direction settles one of its {made}"
        shape = f"the last are {', '.join(model['response'])}"
        shape += f"; {model['classes']} classes" * (model["classes"] > 0)
        shape += f"; {model['ties']} ties" * (model["name"] == "cox")
        shape += "; with a constant" * model["constant"]
        return f"a {model['name']} model whose estimate is {said} ({size}; {shape})"
    vectors: Vectors = [[*row, 1] for row in rows] if proof["offset"] else rows
    if kind == "mistakes":
        said = check_mistakes(vectors, signs, proof)
    elif kind == "obstruction":
        check_obstruction(vectors, signs, proof["rows"], proof["multipliers"])
        said = "not separable: no hyperplane has every row strictly on its side"
    else:
        settled, left = check_claim(proof, vectors, signs)
        said = "overlapping: no hyperplane separates the two classes, not even weakly"
        if settled:
            said = "separable: every row is strictly on its side of a hyperplane"
        if settled and left:
            said = (
                f"quasi-separable: {settled} rows are strictly on their side of a hyperplane and "
                f"the other {left} on it, and no hyperplane settles more"
            )
    label = "the last column" if data["label"] is None else f"column {data['label']!r}"
    size += f", with{'' if proof['offset'] else 'out'} an offset; the label is {label}"
    return f"{said} ({size}, + is {data['positive']!r}, - is {data['negative']!r})"


def check(proof_path: str, data_path: str, written: bool = False) -> str:
    """What the proof proves; ProofError if that is nothing, CannotTellError if it is not known."""
    if not float.fromhex("0x1p-1074") * 2.0**1000 > 0:
        raise CannotTellError("this process takes subnormal numbers for zero; use another")
    proof = read_proof(proof_path)
    try:
        rows, signs = read_data(data_path, proof, written, header)
    except ProofError as error:
        raise ProofError(f"{error}{DERIVED * (proof['is_read'] and not written)}") from None
    same = digest(rows, signs, proof["data"]["layout"]) == proof["data"]["digest"]
    need(same, "this is not the data that the proof speaks of: its digest is another")
    return f"{proven(proof, rows, signs)}."


def main(arguments: list[str]) -> int:
    files = [argument for argument in arguments if argument != "--rows"]
    if len(files) != 2 or len(arguments) > 3:
        print(USAGE, file=sys.stderr)
        return 2
    header = said == ["--header"] if said and said != ["--rows"] else None
    try:
        print(f"The proof holds. The data is {check(files[0], files[1], '--rows' in arguments)}")
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
