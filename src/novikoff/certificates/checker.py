"""Check a novikoff proof with nothing but Python: python checker.py proof.json data.csv

Where the proof is not about a CSV file as it stands, `novikoff certify DATA --rows rows.csv` writes
the very rows that it is about: python checker.py proof.json --rows rows.csv

One plain file, with the standard library alone. It shares no code with the rest of novikoff
and may be copied anywhere. Exit code 0: the claim is true of this data. 1: it is not, or one
of the files cannot be read; the reason is printed. 2: wrong usage.

With sign_i = ±1, z_i is sign_i·(x_i, 1), or sign_i·x_i without an offset. A row of sign 0 is
an equality: e_j = (x_j, 1) must be held; there is none where the data are two classes. The claims:
  separator        z_i·w > 0 for all rows
  obstruction      Σ λ_i·z_i = 0 with λ_i > 0 on some rows: no separator. If these rows span
                   all rows, not even a weak one (z_i·w >= 0 for all rows, > 0 for one)
  quasi-separator  a weak separator w, and Σ λ_i·z_i = 0 as above
  complete         z_i·w >= 0 for all rows and e_j·w = 0 for all equalities;
                   Σ λ_i·z_i + Σ μ_j·e_j = 0 with λ_i > 0 on some rows; and these rows, with all
                   equalities, span every z_i with z_i·w = 0. Then every weak separator is 0
                   wherever w is: none settles a row (z_i·w > 0) that w does not settle
  rows             Σ λ_i·z_i = 0 with λ_i > 0 on the rows that are named, which span all rows. They
                   are one more than the columns, so that λ need not be written
  regression       the same of the comparisons that a model makes of a design table with its
                   response columns. A direction of the coefficients along which the likelihood
                   never falls is a weak separator, so the estimate is finite where none is settled
The table of a regression is what `novikoff certify DATA --model … --rows` writes. How it was made
from another file is not checked here: `novikoff verify` does that.
  mistakes         the rows with z_i·w <= 0 cost `upper`, and those of any other w at least `lower`
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
from fractions import Fraction
from pathlib import Path
from typing import Any

USAGE = (
    "usage: python checker.py proof.json data.csv [--header | --no-header]\n"
    "       python checker.py proof.json --rows rows.csv"
)
OPTIONS = ("--rows", "--header", "--no-header")
DERIVED = (
    "; it is about rows made from a file: write them with novikoff verify PROOF DATA --rows FILE, "
    "then check PROOF --rows FILE"
)
PRIME = 2**61 - 1
OTHER_PRIMES = (2**89 - 1, 2**107 - 1)
BLOCK = 4096
MOST_BYTES = 64 * 2**20
MOST_DIGITS = 1_000_000
MOST_ALONE = 1000  # rows without multipliers: some minutes of plain Python
MOST_EXACT = 60  # of them, where floats cannot tell
MOST_DEFICIENT = 300  # of them, where columns depend on others
MOST_CLASSES = 1_000_000
MOST_CELLS = 20_000_000  # numbers of all comparisons of a model
MOST_BITS = 13_000  # of a cost, so that it can be printed: Python prints 4,300 digits
INTEGER = re.compile(r"-?0x(0|[1-9a-f][0-9a-f]*)")
FLOAT = re.compile(r"-?0x[01]\.[0-9a-f]{1,13}p[+-][0-9]{1,4}")
DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,4})?")
NUMERIC = re.compile(r"[-+0-9./eE]*")  # a label that could be taken for a number
RATIO = re.compile(r"[+-]?[0-9]+/[0-9]*[1-9][0-9]*")
COMMON = {"format", "version", "kind", "numbers", "offset", "data"}
DATA = {"rows", "columns", "negative", "positive", "label", "layout", "digest"}
CLAIMS = {
    "separator": {"weights"},
    "obstruction": {"rows", "multipliers", "spans"},
    "quasi-separator": {"weights", "rows", "multipliers"},
    "complete": {"weights", "rows", "multipliers", "equalities", "factors", "settled", "core"},
    "rows": {"rows"},
    "mistakes": {
        "weights",
        "mistakes",
        "costs",
        "unit",
        "trusted",
        "obstructions",
        "scale",
        "tree",
        "lower",
        "upper",
    },
}
CLAIMS["regression"] = CLAIMS["complete"] | {"comparisons", "coefficients", "model"}
PROVEN = {
    "separator": "separable: every row is strictly on its side of a hyperplane",
    "obstruction": "not separable: no hyperplane has every row strictly on its side",
    "quasi-separator": "quasi-separable: a hyperplane separates weakly, and none strictly",
}
COMPLETE = (
    "quasi-separable: {} rows are strictly on their side of a hyperplane and the other {} on it, "
    "and no hyperplane settles more"
)
FINITE = "finite: no direction raises the likelihood of its {} comparisons without end"
INFINITE = "infinite: {} of its {} comparisons can be settled, the other {} cannot"
OVERLAPPING = "overlapping: no hyperplane separates the two classes, not even weakly"

Number = int | float | Fraction  # all three are exact, and know their as_integer_ratio()
Data = tuple[list[list[Number]], list[int]]  # rows and signs; vectors, the offset last, and signs


class ProofError(Exception):
    """Why the proof does not hold."""


def need(condition: bool, reason: str) -> None:
    if not condition:
        raise ProofError(reason)


# ---------------------------------------------------------------- the proof file


def read_proof(path: str) -> dict[str, Any]:
    """The fields of the proof, each of them checked; numbers as Python's exact numbers."""
    with Path(path).open("rb") as file:
        content = file.read(MOST_BYTES + 1)
    need(len(content) <= MOST_BYTES, f"the proof has more than {MOST_BYTES} bytes")
    try:
        proof: dict[str, Any] = json.loads(
            content.decode("utf-8"),
            object_pairs_hook=unique_fields,
            parse_int=short_integer,
            parse_float=no_float,
            parse_constant=no_float,
        )
    except (ValueError, RecursionError) as error:
        raise ProofError(f"the proof is not JSON: {error}") from None
    need(isinstance(proof, dict), "the proof is not a JSON object")
    need(proof.get("format") == "novikoff certificate", "this is not a novikoff certificate")
    version = proof.get("version")
    need(type(version) is int and version in (1, 2), "the proof is not of version 1 or 2")
    kind: Any = proof.get("kind")
    need(isinstance(kind, str) and kind in CLAIMS, f"the proof is of an unknown kind: {kind!r}")
    is_complete, is_model = kind in ("complete", "regression"), kind == "regression"
    newest = 2 if is_complete or kind in ("rows", "mistakes") else 1
    need(version == newest, f"version {version} has no proof of kind {kind!r}")
    common = COMMON - {"offset"} if is_model else COMMON
    need(proof.keys() == common | CLAIMS[kind], "the proof has missing or unknown fields")
    if is_model:
        proof["offset"] = read_model(proof)
    need(proof["numbers"] in ("binary64", "decimal", "rational"), "unknown kind of numbers")
    need(type(proof["offset"]) is bool, "the offset is neither true nor false")
    need(type(proof.get("spans", True)) is bool, "spans is neither true nor false")
    data = proof["data"]
    need(isinstance(data, dict), "the data is not a JSON object")
    # How the rows came out of a file is no part of what is claimed, but for what line 1 of it is.
    reading = data.pop("reading", None)
    proof["is_read"] = reading is not None
    options = reading.get("options") if isinstance(reading, dict) else None
    proof["header"] = options.get("header") if isinstance(options, dict) else None
    if is_model:
        data.pop("derivation", None)
        need(data.keys() == {"rows", "columns", "layout", "digest"}, "unknown fields of the data")
        data |= {"negative": "-", "positive": "+", "label": None}
    else:
        known = DATA | {"model"} if version == 2 else DATA
        need(data.keys() == known, "the data has missing or unknown fields")
        need(data.pop("model", "classes") == "classes", "the model is unknown here")
    sizes = (data["rows"], data["columns"])
    need(all(type(size) is int and size >= 1 for size in sizes), "impossible size of the data")
    texts = (data["negative"], data["positive"], data["digest"])
    need(all(isinstance(text, str) for text in texts), "a label or the digest is not text")
    need(data["label"] is None or isinstance(data["label"], str), "the label is not text")
    need(data["negative"] != data["positive"], "the two labels are the same")
    need(re.fullmatch("[0-9a-f]{64}", data["digest"]) is not None, "the digest is malformed")
    need(data["layout"] in ("dense", "sparse"), "the layout is neither dense nor sparse")
    n_rows = proof.get("comparisons", data["rows"])
    if is_model:
        check_counts(proof)
    if kind == "mistakes":
        read_mistakes(proof)
    elif "weights" in proof:
        proof["weights"] = read_weights(proof["weights"])
    if proof.get("weights") is not None:
        n_weights = proof.get("coefficients", data["columns"]) + 1
        need(len(proof["weights"]) == n_weights, "the number of weights is wrong")
        need(proof["offset"] or proof["weights"][-1] == 0, "without an offset its weight is 0")
    if kind == "rows" or (kind == "complete" and proof["multipliers"] is None):
        check_rows(proof["rows"], n_rows)
        need(not proof.get("equalities"), "equalities need multipliers")
        need(kind == "rows" or len(proof["rows"]) > 1, "a single row needs its multiplier")
    elif "rows" in proof:
        proof["multipliers"] = read_pairs(proof["rows"], proof["multipliers"], n_rows)
        need(all(m > 0 for m in proof["multipliers"]), "a multiplier is not positive")
        need(is_complete or proof["rows"], "the obstruction has no rows")
    if is_complete:
        proof["factors"] = read_pairs(proof["equalities"], proof["factors"], n_rows)
        need(0 not in proof["factors"], "a factor is zero")
        counts = (proof["settled"], proof["core"])
        need(all(type(count) is int for count in counts), "a number of rows is not an integer")
    return proof


def read_model(proof: dict[str, Any]) -> bool:
    """Check the fields of the model; whether its comparisons have a 1 after their columns."""
    model: Any = proof["model"]
    need(isinstance(model, dict) and model.keys() == MODEL, "the model has unknown fields")
    name: Any = model["name"]
    need(isinstance(name, str) and name in MODELS, f"the model {name!r} is unknown here")
    response: Any = model["response"]
    need(isinstance(response, list), "the response columns are not a list")
    more = [part for part in ("entry", "stratum") if name == "cox" and part in response]
    need(response == RESPONSES[name] + more, "the response columns are not the model's")
    need(type(model["constant"]) is bool, "the constant is neither true nor false")
    need(not model["constant"] or name in WITH_CONSTANT, f"a {name} model has no constant")
    counts = (model["classes"], model["reference"], proof["comparisons"], proof["coefficients"])
    need(all(type(n) is int and 0 <= n < 2**62 for n in counts), "a number of the model is none")
    need((model["classes"] > 0) == (name in WITH_CLASSES), "the number of classes is impossible")
    need(model["classes"] <= MOST_CLASSES, "the model has too many classes")
    last = model["classes"] - 1 if name in ("multinomial", "bradley-terry") else 0
    need(model["reference"] <= last, "the reference is none of the classes")
    need(model["ties"] in ("breslow", "exact")[: 1 + (name == "cox")], "ties of an unknown kind")
    return bool(model["constant"]) and name != "multinomial"  # which has one for each class


def check_counts(proof: dict[str, Any]) -> None:
    """Before any work: whether the model can make so many comparisons of a table of this size."""
    model, n, name = proof["model"], proof["data"]["rows"], proof["model"]["name"]
    width, others = proof["data"]["columns"] - len(model["response"]), model["classes"] - 1
    many = {"multinomial": n, "bradley-terry": 2 * n}.get(name, MOST_CLASSES)
    need(model["classes"] <= many, f"{n} rows cannot have {model['classes']} classes")
    sizes = {  # the least and the largest number of comparisons, and of coefficients
        "multinomial": (n * others, n * others, *[others * (width + model["constant"])] * 2),
        "ordinal": (1, 2 * n, width + 1, width + min(others, n + 1)),
        "bradley-terry": (n, n, width + others, width + others),
        "conditional": (1, n * n, width, width),
        "cox": (1, n * n, width, width),
    }
    least, most, narrow, wide = sizes.get(name, (n, n, width, width))
    made, coefficients = proof["comparisons"], proof["coefficients"]
    fits = width >= 0 and least <= made <= most and narrow <= coefficients <= wide
    need(fits, "the model makes comparisons of another number or width")
    few = made * coefficients <= MOST_CELLS
    need(few, f"the comparisons have more than {MOST_CELLS} numbers; novikoff verify takes them")


def read_pairs(rows: Any, texts: Any, n_rows: int) -> list[int]:
    """An integer for each of some distinct rows."""
    numbers = read_integers(texts)
    check_rows(rows, n_rows)
    need(len(rows) == len(numbers), "rows and numbers differ in number")
    return numbers


def check_rows(rows: Any, n_rows: int) -> None:
    """Rows are distinct numbers of rows."""
    need(isinstance(rows, list) and all(type(row) is int for row in rows), "a row is no integer")
    need(min(rows, default=0) >= 0 and max(rows, default=0) < n_rows, "a row is out of range")
    need(len(set(rows)) == len(rows), "a row is repeated")


def unique_fields(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    need(len(fields) == len(pairs), "the proof has a field twice")
    return fields


def short_integer(text: str) -> int:
    need(len(text) <= 19, "the proof has an absurdly long integer")
    return int(text)


def no_float(text: str) -> None:
    raise ProofError(f"the proof has the number {text[:40]}; JSON numbers must be integers")


def read_weights(texts: Any) -> list[int]:
    """Weights as integers: a positive multiple of w claims the same as w."""
    need(isinstance(texts, list), "the weights are not a list")
    if not all(isinstance(text, str) and FLOAT.fullmatch(text) for text in texts):
        return read_integers(texts)
    try:
        return whole([float.fromhex(text) for text in texts])[0]
    except OverflowError:
        raise ProofError("a weight is beyond binary64") from None


def read_integers(texts: Any) -> list[int]:
    need(isinstance(texts, list), "the numbers are not a list")
    for text in texts:
        need(isinstance(text, str) and len(text) <= MOST_DIGITS + 3, "a number is too long")
        need(INTEGER.fullmatch(text) is not None, f"{text[:40]!r} is not a hexadecimal integer")
    return [int(text, 16) for text in texts]


# ---------------------------------------------------------------- the data file


def read_data(path: str, proof: dict[str, Any], written: bool, said: bool | None) -> Data:
    """The rows and signs of a CSV file.

    The label is in the column that the proof names, or numbers (from 1), or else in the last; in
    the last also of a file that was `written` for the checker.
    """
    data = proof["data"]
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
        delimiter = max(",;\t", key=text.partition("\n")[0].count)
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        lines = [line for line in reader if any(cell.strip() for cell in line)]
    except (csv.Error, UnicodeDecodeError) as error:
        raise ProofError(f"the data is not a CSV file: {error}") from None
    need(bool(lines), "the data file is empty")
    is_model = proof["kind"] == "regression"
    width = data["columns"] + (not is_model)
    for number, line in enumerate(lines, 1):
        need(len(line) == width, f"line {number} has {len(line)} cells; the proof needs {width}")
    first = [cell.strip() for cell in lines[0]]
    is_header = has_title(first, proof) if written else has_header(first, proof, said)
    header = first if is_header else []
    del lines[:is_header]
    line_1 = "line 1 names the columns" if is_header else "line 1 is a row"
    wrong = f"{line_1}, so the data has {len(lines)} rows; the proof speaks of {data['rows']}"
    hint = "" if written or said is not None else " (say --header or --no-header to overrule)"
    need(len(lines) == data["rows"], wrong + hint)
    if is_model:
        table = [[read_number(cell.strip(), proof["numbers"]) for cell in line] for line in lines]
        return table, [1] * len(table)
    label = None if written else data["label"]
    if label is None:
        place = width - 1
    elif header.count(label) == 1:
        place = header.index(label)
    else:
        is_place = re.fullmatch("[0-9]{1,9}", label) is not None and 1 <= int(label) <= width
        need(is_place, f"the data has no column {label!r} (or two of them)")
        place = int(label) - 1
    rows, signs = [], []
    for number, line in enumerate(lines):
        text = line.pop(place).strip()
        need(text in (data["negative"], data["positive"]), f"row {number} has the label {text!r}")
        signs.append(1 if text == data["positive"] else -1)
        rows.append([read_number(cell.strip(), proof["numbers"]) for cell in line])
    return rows, signs


def has_header(first: list[str], proof: dict[str, Any], said: bool | None) -> bool:
    """Whether line 1 names the columns: where a cell of it, but for the label's, is no number.

    The file decides, or who says so; what the proof says of it must be the same.
    """
    label = proof["data"]["label"]
    place = len(first) - 1
    if label is not None and first.count(label) == 1:
        place = first.index(label)
    elif label is not None and re.fullmatch("[0-9]{1,9}", label):
        place = int(label) - 1
    if proof["kind"] == "regression":
        place = -1
    numbers = [cell for cell in first if is_numeral(cell)]
    others = [cell for k, cell in enumerate(first) if k != place]
    found = said if said is not None else not all(map(is_numeral, others))
    counts = len(numbers) > 2 and numbers == [str(k) for k in range(len(numbers))]
    doubt = "line 1 counts 0, 1, 2, …: names or a row? say --header or --no-header"
    need(said is not None or not counts, doubt)
    kinds = ("a header", "a row") if found else ("a row", "a header")
    need(
        proof["header"] in (None, found),
        "line 1 is {}, and the proof takes it for {}".format(*kinds),
    )
    return found


def has_title(first: list[str], proof: dict[str, Any]) -> bool:
    """Line 1 of a file that was written for the checker: it ends in what the proof is about."""
    label = proof["data"]["label"]
    title = ["label" if label is None else f"column {label}" if NUMERIC.fullmatch(label) else label]
    if proof["kind"] == "regression":
        title = proof["model"]["response"]
    named = first[len(first) - len(title) :] == title
    need(named, f"the last columns of a file for --rows must be called {', '.join(title)}")
    return True


def is_numeral(text: str) -> bool:
    return DECIMAL.fullmatch(text) is not None or RATIO.fullmatch(text) is not None


def read_number(text: str, numbers: str) -> Number:
    is_ratio = numbers == "rational" and RATIO.fullmatch(text) is not None
    need(is_ratio or DECIMAL.fullmatch(text) is not None, f"{text[:40]!r} is not a number")
    try:
        value = float(text) if numbers == "binary64" else Fraction(text)
    except ValueError as error:
        raise ProofError(f"a number of the data cannot be read: {error}") from None
    need(value not in (math.inf, -math.inf), f"{text} is beyond binary64")
    return value


def digest(rows: list[list[Number]], signs: list[int], layout: str) -> str:
    """SHA-256 over the digests of blocks of 4096 rows and their signs."""
    whole_hash = hashlib.sha256(f"novikoff rows 1\n{layout}\n{len(rows)} {len(rows[0])}\n".encode())
    for start in range(0, len(rows), BLOCK):
        block = rows[start : start + BLOCK]
        floats = all(is_binary64(value) for row in block for value in row)
        if layout == "sparse":
            need(floats, "the proof speaks of a sparse matrix of binary64 numbers, not of these")
            block_hash = hashlib.sha256(b"sparse\n")
            for i, row in enumerate(block):
                for j, value in enumerate(row):
                    if value:
                        block_hash.update(struct.pack("<qqd", i, j, float(value)))
        elif floats:
            block_hash = hashlib.sha256(b"floats\n")
            for row in block:
                block_hash.update(struct.pack(f"<{len(row)}d", *(float(v) + 0.0 for v in row)))
        else:
            block_hash = hashlib.sha256(b"ratios\n")
            for row in block:
                for p, q in (value.as_integer_ratio() for value in row):
                    block_hash.update(f"{p:x}/{q:x}\n".encode())
        block_hash.update(struct.pack(f"{len(block)}b", *signs[start : start + BLOCK]))
        whole_hash.update(block_hash.digest())
    return whole_hash.hexdigest()


def is_binary64(value: Number) -> bool:
    try:
        return float(value) == value
    except OverflowError:
        return False


# ---------------------------------------------------------------- exact numbers


def whole(values: list[Any]) -> tuple[list[int], int]:
    """Exact numbers as integers over one common denominator."""
    pairs = [value.as_integer_ratio() for value in values]
    scale = math.lcm(*(q for _, q in pairs))
    return [p * (scale // q) for p, q in pairs], scale


def two_classes(rows: list[list[Number]], signs: list[int], offset: bool) -> Data:
    """The rows as they are, with their 1 where there is an offset."""
    return [[*row, 1] if offset else row for row in rows], signs


# ---------------------------------------------------------------- the comparisons of a model
# Each makes vectors and their signs (+1, -1, or 0 for an equality) of the design table X, as
# fractions and with its constant, and of the response columns r.

Vectors = list[list[Fraction]]
Response = dict[str, list[Fraction]]


def comparisons(rows: list[list[Number]], model: dict[str, Any]) -> Data:
    """The comparisons of the model, in order."""
    cut = len(rows[0]) - len(model["response"])
    need(cut >= 0, "the data has fewer columns than the model's response")
    X = [fractions(row[:cut]) + [Fraction(1)] * model["constant"] for row in rows]
    r = {name: fractions([row[cut + k] for row in rows])
         for k, name in enumerate(model["response"])}  # fmt: skip
    for name in ("set", "stratum", "class", "winner", "loser"):
        need(all(v >= 0 and v.denominator == 1 for v in r.get(name, [])), f"impossible {name}")
    for name in ("class", "winner", "loser"):
        need(all(v < model["classes"] for v in r.get(name, [])), f"impossible {name}")
    used = {v for name in ("class", "winner", "loser") for v in r.get(name, [])}
    several = model["name"] in ("multinomial", "bradley-terry")
    need(not several or len(used) == model["classes"], "a class of the model has no row")
    for name in ("event", "case"):
        need(all(v in (0, 1) for v in r.get(name, [])), f"impossible {name}")
    vectors, signs = MODELS[model["name"]](X, r, model)
    need(bool(vectors) and bool(vectors[0]), "the model compares nothing")
    return vectors, signs


def binary(X: Vectors, r: Response, model: dict[str, Any]) -> tuple[Vectors, list[int]]:
    """Successes of trials: all of them x·δ >= 0, none -x·δ >= 0, some x·δ = 0."""
    successes = r["y"] if model["name"] == "logistic" else r["successes"]
    trials = [Fraction(1)] * len(X) if model["name"] == "logistic" else r["trials"]
    pairs = list(zip(successes, trials, strict=True))
    need(all(0 <= s <= t and t > 0 for s, t in pairs), "impossible successes")
    need(model["name"] != "logistic" or all(s in (0, 1) for s in successes), "impossible y")
    return X, [1 if s == t else 0 if s else -1 for s, t in pairs]


def poisson(X: Vectors, r: Response, _: dict[str, Any]) -> tuple[Vectors, list[int]]:
    """y = 0: -x·δ >= 0; y > 0: x·δ = 0."""
    need(all(y >= 0 for y in r["y"]), "impossible y")
    return X, [0 if y else -1 for y in r["y"]]


def multinomial(X: Vectors, r: Response, model: dict[str, Any]) -> tuple[Vectors, list[int]]:
    """x·(δ_y - δ_k) >= 0 for each class k but y; the reference has no columns."""
    blocks = [k for k in range(model["classes"]) if k != model["reference"]]
    vectors: Vectors = []
    for x, y in zip(X, r["class"], strict=True):
        for k in range(model["classes"]):
            if k != y:
                share = [(block == y) - (block == k) for block in blocks]
                vectors.append([s * v for s in share for v in x])
    return vectors, [1] * len(vectors)


def ordinal(X: Vectors, r: Response, model: dict[str, Any]) -> tuple[Vectors, list[int]]:
    """x·δ - a >= 0 for the threshold a below the class of x, a - x·δ >= 0 for that above.

    Thresholds come before the columns of X; around a class that nobody has they are one.
    """
    column, used = [0], set(r["class"])  # of each threshold; threshold k lies above class k
    for k in range(1, model["classes"] - 1):
        column.append(column[-1] + (k in used))
    vectors: Vectors = []
    for x, y in zip(X, r["class"], strict=True):
        for other in (y - 1, y + 1):
            if 0 <= other < model["classes"]:
                side = Fraction(1 if other < y else -1)
                a = column[int(min(y, other))]
                thresholds = [-side if c == a else Fraction(0) for c in range(column[-1] + 1)]
                vectors.append(thresholds + [side * v for v in x])
    return vectors, [1] * len(vectors)


def conditional(X: Vectors, r: Response, _: dict[str, Any]) -> tuple[Vectors, list[int]]:
    """(x_i - x_j)·δ >= 0 for each case i and each other j of its set."""
    cases = [i for i, case in enumerate(r["case"]) if case]
    others = [j for j, case in enumerate(r["case"]) if not case]
    pairs = [(i, j) for i in cases for j in others if r["set"][i] == r["set"][j]]
    return [minus(X[i], X[j]) for i, j in pairs], [1] * len(pairs)


def cox(X: Vectors, r: Response, model: dict[str, Any]) -> tuple[Vectors, list[int]]:
    """(x_i - x_j)·δ >= 0 for an event i and j at risk; tied events, unless exact, are equal.

    Left out are those j that the first event after it which was at risk already, `following`, is
    compared with at its own time: i beats that event, and that event beats j.
    """
    time, event, everybody = r["time"], r["event"], range(len(X))
    stratum = r.get("stratum", [Fraction(0)] * len(X))
    entry = r.get("entry", [min(time) - 1] * len(X))
    need(all(a < b for a, b in zip(entry, time, strict=True)), "an entry is not before its time")
    vectors: Vectors = []
    signs: list[int] = []
    for here in ([i for i in everybody if stratum[i] == s] for s in sorted(set(stratum))):
        times = sorted({time[i] for i in here if event[i]})
        begins = {j: bisect_right(times, entry[j]) for j in here}  # the first event time at risk
        ends = {j: bisect_right(times, time[j]) - 1 for j in here}  # and the last
        tied = [[i for i in here if event[i] and ends[i] == k] for k in range(len(times))]
        leads = [min(group, key=lambda i: (begins[i], i)) for group in tied]
        for k, group in enumerate(tied):
            later = range(k + 1, len(times))
            following = next((m for m in later if begins[leads[m]] <= k), len(times))
            for i in group if model["ties"] == "exact" else [leads[k]]:
                for j in here:
                    is_tied = event[j] and ends[j] == k
                    is_kept = ends[j] < following or (ends[j] == following and event[j])
                    if begins[j] <= k <= ends[j] and not is_tied and is_kept:
                        vectors.append(minus(X[i], X[j]))
                        signs.append(1)
                    elif is_tied and j != i and model["ties"] != "exact":
                        vectors.append(minus(X[i], X[j]))
                        signs.append(0)
    return vectors, signs


def contests(X: Vectors, r: Response, model: dict[str, Any]) -> tuple[Vectors, list[int]]:
    """δ_winner - δ_loser + x·β >= 0, or = 0 where neither won; the reference has no column."""
    need(all(0 < result <= 1 for result in r["result"]), "impossible result")
    players = [k for k in range(model["classes"]) if k != model["reference"]]
    vectors: Vectors = []
    for x, w, v in zip(X, r["winner"], r["loser"], strict=True):
        need(w != v, "a contest has one player on both sides")
        vectors.append([Fraction((k == w) - (k == v)) for k in players] + x)
    return vectors, [int(result == 1) for result in r["result"]]


def minus(a: list[Fraction], b: list[Fraction]) -> list[Fraction]:
    return [p - q for p, q in zip(a, b, strict=True)]


MODEL = {"name", "response", "constant", "classes", "reference", "ties"}
MODELS: dict[str, Any] = {
    "logistic": binary, "binomial": binary, "poisson": poisson, "multinomial": multinomial,
    "ordinal": ordinal, "conditional": conditional, "cox": cox, "bradley-terry": contests,
}  # fmt: skip
RESPONSES = {
    "logistic": ["y"], "binomial": ["successes", "trials"], "poisson": ["y"],
    "multinomial": ["class"], "ordinal": ["class"], "conditional": ["case", "set"],
    "cox": ["time", "event"], "bradley-terry": ["winner", "loser", "result"],
}  # fmt: skip
WITH_CLASSES = ("multinomial", "ordinal", "bradley-terry")
WITH_CONSTANT = ("logistic", "binomial", "poisson", "multinomial")

# ---------------------------------------------------------------- the claims, exactly


def sides(vectors: list[list[Number]], signs: list[int], w: list[int]) -> list[int]:
    """A positive multiple of z_i·w for every row; no row may be on the wrong side."""
    found = []
    for i, (vector, sign) in enumerate(zip(vectors, signs, strict=True)):
        score = sum(map(int.__mul__, whole(vector)[0], w))
        need(sign * score >= 0, f"row {i} is not on its side")
        need(sign != 0 or score == 0, f"row {i} is an equality, and not on the hyperplane")
        found.append(sign * score)
    return found


def check_balance(vectors: list[list[Number]], chosen: list[int], factors: list[int]) -> None:
    """Σ factor_i·v_i = 0."""
    for j in range(len(vectors[0])):
        column, _ = whole([vectors[i][j] for i in chosen])
        total = sum(map(int.__mul__, column, factors))
        need(total == 0, f"the weighted sum of the rows is not zero in column {j}")


def check_spans(vectors: list[list[Number]], chosen: list[int], others: list[int]) -> None:
    """The chosen vectors span the others: full rank mod p, or each of the others reduces to 0.

    Of very many chosen ones those are tried first that are independent mod p.
    """
    lines = [whole(vectors[i])[0] for i in chosen]
    few = echelon([[v % PRIME for v in line] for line in lines], PRIME)
    if len(few) == len(vectors[0]):
        return  # rank mod p <= rank, so full rank mod p is full rank
    outside = others
    for tried in ([lines[place] for place, _ in few.values()], lines):
        basis = echelon([fractions(line) for line in tried], None)
        outside = [i for i in outside if any(reduced(fractions(vectors[i]), basis, None))]
        if not outside:
            return
    raise ProofError(f"row {outside[0]} is outside the span of the obstruction's rows")


def fractions(vector: list[Any]) -> list[Fraction]:
    return [Fraction(value) for value in vector]


Basis = dict[int, tuple[int, list[Any]]]


def echelon(vectors: list[list[Any]], prime: int | None) -> Basis:
    """A basis of the span, by pivot column: the place of a vector that is independent of those
    before it, and the vector reduced by them, with 1 there and 0 in all earlier columns."""
    basis: Basis = {}
    for place, vector in enumerate(vectors):
        rest = reduced(vector, basis, prime)
        pivot = next((j for j, value in enumerate(rest) if value), None)
        if pivot is not None:
            head = rest[pivot]
            inverse = 1 / head if prime is None else pow(head, -1, prime)
            line = [v * inverse if prime is None else v * inverse % prime for v in rest]
            basis[pivot] = place, line
    return basis


def reduced(vector: list[Any], basis: Basis, prime: int | None) -> list[Any]:
    """The vector minus a combination of the basis, with 0 in every pivot column."""
    for pivot in sorted(basis):
        factor, line = vector[pivot], basis[pivot][1]
        if factor and prime is None:
            vector = [a - factor * b for a, b in zip(vector, line, strict=True)]
        elif factor:
            vector = [(a - factor * b) % prime for a, b in zip(vector, line, strict=True)]
    return vector


def check_alone(
    vectors: list[list[Number]], signs: list[int], chosen: list[int], others: list[int]
) -> None:
    """r+1 rows of rank r have one relation, it is positive, and they span the others, of which they
    are: proven without solving for it.

    Columns that are zero on the rows must be so on the others. If then fewer than all columns are
    independent mod p, r rows that are must span the others: so the rank is r, and what balances in
    r columns that are independent balances in all.

    In these the signs of the relation are told by floats, or else, of few rows, by fractions.
    """
    live = [j for j in range(len(vectors[0])) if any(vectors[i][j] for i in chosen)]
    n, dead = len(chosen), sorted(set(range(len(vectors[0]))) - set(live))
    for i in others if dead else []:
        outside = any(vectors[i][j] for j in dead)
        need(not outside, f"row {i} is outside the span of the rows")
    if n == 1 and not live:
        return  # a zero row balances alone, and all others are zero
    advice = "write the multipliers with novikoff certify --multipliers, or use novikoff verify"
    if n <= len(live):
        need(n <= MOST_DEFICIENT, f"{n} rows of fewer columns are too many here: {advice}")
        lines = [whole(vectors[i])[0] for i in chosen]
        few: Basis = {}
        for prime in (PRIME, *OTHER_PRIMES):  # one that divides a determinant finds fewer
            if len(few) < n - 1:
                few = echelon([[v % prime for v in line] for line in lines], prime)
        live = sorted(few)
        check_spans(vectors, [chosen[place] for place, _ in few.values()], others)
    need(n == len(live) + 1, f"{n} rows of {len(live)} columns determine no multipliers: {advice}")
    need(n <= MOST_ALONE, f"{n} rows without multipliers are too many for plain Python: {advice}")
    rows = [[signs[i] * v for v in whole([vectors[i][j] for j in live])[0]] for i in chosen]
    if not floats_tell(rows):
        need(n <= MOST_EXACT, f"floats cannot tell the signs of the multipliers: {advice}")
        need(is_positive(rows), "a multiplier is not positive, or the rank is too low")


def floats_tell(rows: list[list[int]]) -> bool:
    """Whether floats prove that the n rows of n-1 integers have one relation, a positive one.

    Let M have the rows z_i, times positive numbers, as columns over a line of ones; x with
    M·x = e = (0, …, 0, 1) is the relation. R is a float inverse of M, rounded to integers over 2^k,
    and x its last column; from there on all is exact. If no row of |I - R·M| sums to more than
    a < 1, then M has an inverse, and the solution is x + R·r + F·(I - F)⁻¹·R·r with F = I - R·M and
    r = e - M·x: within |R·r| + a/(1 - a)·max|R·r| of x in each place.
    """
    matrix, t = scaled(rows)
    k = 60
    inverse = approximate_inverse([[v / (1 << t) for v in line] for line in matrix])
    if not all(abs(v) < 1e200 for line in inverse for v in line):  # nor is what is no number
        return False
    near = [[round(v * (1 << k)) for v in line] for line in inverse]
    columns = list(zip(*matrix, strict=True))
    one, most = 1 << (t + k), 0
    for i, line in enumerate(near):
        products = [sum(map(int.__mul__, line, column)) for column in columns]
        products[i] -= one
        most = max(most, sum(map(abs, products)))
    if not near or most >= one:
        return False
    x = [line[-1] for line in near]
    rest = [-sum(map(int.__mul__, line, x)) for line in matrix]  # r, over 2^(t + k)
    rest[-1] += one
    reach = [abs(sum(map(int.__mul__, line, rest))) for line in near]  # |R·r|, over 2^(t + 2·k)
    beyond = Fraction(most * max(reach), one - most)
    return all(a * one > b + beyond for a, b in zip(x, reach, strict=True))


def is_positive(rows: list[list[int]]) -> bool:
    """The same, decided by fractions: the last row, reduced by the others, tells with what factors
    if each has a column of its own beside it."""
    n = len(rows)
    lines = [fractions([*row, *(i == j for j in range(n))]) for i, row in enumerate(rows)]
    basis = echelon(lines[:-1], None)
    relation = reduced(lines[-1], basis, None)[n - 1 :]
    return max(basis) == n - 2 and all(factor > 0 for factor in relation)


def scaled(rows: list[list[int]]) -> tuple[list[list[int]], int]:
    """The rows as columns over a line of ones, near 1 in size, as integers over 2^t; and t."""
    down = [max(map(int.bit_length, row)) for row in rows]
    across = [max(row[j].bit_length() - d for row, d in zip(rows, down, strict=True))
              for j in range(len(rows[0]))]  # fmt: skip
    t = max(0, max(down) + max(across))
    matrix = [[row[j] << (t - d - a) for row, d in zip(rows, down, strict=True)]
              for j, a in enumerate(across)]  # fmt: skip
    return [*matrix, [1 << t] * len(rows)], t


def approximate_inverse(matrix: list[list[float]]) -> list[list[float]]:
    """Gauss and Jordan in floats; it need not be right, for what it gives is checked.

    Nothing where a pivot is zero.
    """
    n = len(matrix)
    lines = [[*line, *(float(i == j) for j in range(n))] for i, line in enumerate(matrix)]
    for j in range(n):
        best = max(range(j, n), key=lambda i: abs(lines[i][j]))
        lines[j], lines[best] = lines[best], lines[j]
        head = lines[j][j]
        if not head:
            return []
        pivot = lines[j] = [v / head for v in lines[j]]
        for i, line in enumerate(lines):
            factor = line[j]
            if i != j and factor:
                lines[i] = [a - factor * b for a, b in zip(line, pivot, strict=True)]
    return [line[n:] for line in lines]


def check_claim(proof: dict[str, Any], vectors: list[list[Number]], signs: list[int]) -> str:
    """What is true of the vectors; raises ProofError if what is claimed is not."""
    kind, everything = proof["kind"], list(range(len(vectors)))
    found = sides(vectors, signs, proof["weights"]) if "weights" in proof else []
    if kind == "separator":
        on_it = found.index(0) if 0 in found else None
        need(on_it is None, f"row {on_it} is not on its side")
        return PROVEN[kind]
    chosen = proof["rows"]
    need(all(signs[i] for i in chosen), "a row of the obstruction is an equality")
    if kind == "rows":
        check_alone(vectors, signs, chosen, everything)
        return OVERLAPPING
    is_alone = proof["multipliers"] is None
    multipliers = [0] * len(chosen) if is_alone else proof["multipliers"]
    factors = [signs[i] * m for i, m in zip(chosen, multipliers, strict=True)]
    if kind in ("complete", "regression"):
        need(not any(signs[i] for i in proof["equalities"]), "an equality has a sign")
        core = [i for i in everything if signs[i] and found[i] == 0]
        settled = sum(side > 0 for side in found)
        same = (settled, len(core)) == (proof["settled"], proof["core"])
        need(same, f"{settled} rows are settled and {len(core)} not; the proof says otherwise")
        if is_alone:
            need(set(chosen) <= set(core), "a row of the obstruction is not on the hyperplane")
            check_alone(vectors, signs, chosen, core)
        else:
            check_balance(vectors, chosen + proof["equalities"], factors + proof["factors"])
            check_spans(vectors, chosen + [i for i in everything if not signs[i]], core)
        if kind == "regression":
            counts = (settled, len(vectors), len(vectors) - settled)
            return INFINITE.format(*counts) if settled else FINITE.format(len(vectors))
        if not (settled and core):
            return PROVEN["separator"] if settled else OVERLAPPING
        return COMPLETE.format(settled, len(core))
    check_balance(vectors, chosen, factors)
    if kind == "quasi-separator":
        need(max(found) > 0, "every row is on the hyperplane, which separates nothing")
        return PROVEN[kind]
    if proof["spans"]:
        check_spans(vectors, chosen, everything)
    return OVERLAPPING if proof["spans"] else PROVEN[kind]


# ---------------------------------------------------------------- the fewest mistakes


def read_mistakes(proof: dict[str, Any]) -> None:
    """The fields of a proof of the fewest mistakes, as numbers; the tree is read as it is used."""
    n_rows = proof["data"]["rows"]
    for name in ("weights", "costs", "unit", "scale", "lower", "upper"):
        if name == "weights" and proof[name] is not None:
            proof[name] = read_weights(proof[name])
        elif name in ("costs", "unit") and proof[name] is not None:
            proof[name] = read_integers(proof[name])
        elif name in ("scale", "lower", "upper") and proof[name] is not None:
            proof[name] = read_integers([proof[name]])[0]
    costs, unit, scale = proof["costs"], proof["unit"], proof["scale"]
    fits = costs is None or (len(costs) == n_rows and min(costs) >= 0)
    need(fits, "a cost is missing or negative")
    need(unit is not None and len(unit) == 2 and min(unit) >= 1, "the unit is not a fraction")
    longest = max(unit[0] * max(costs or [1]), unit[1])
    need(longest.bit_length() <= MOST_BITS, f"a cost has more than {MOST_BITS} bits")
    need(costs is not None or unit[0] == unit[1], "without costs the unit is 1")
    need(scale is not None and scale >= 1, "the scale is not positive")
    check_rows(proof["mistakes"], n_rows)
    check_rows(proof["trusted"], n_rows)
    need(isinstance(proof["obstructions"], list), "the obstructions are not a list")
    for pair in proof["obstructions"]:
        need(isinstance(pair, list) and len(pair) == 2, "an obstruction is not rows, multipliers")
        pair[1] = read_pairs(pair[0], pair[1], n_rows)
        need(min(pair[1], default=0) > 0, "an obstruction has no rows, or a multiplier below 1")


def check_mistakes(vectors: list[list[Number]], signs: list[int], proof: dict[str, Any]) -> str:
    """Both bounds: the hyperplane's mistakes above, obstructions and their packings below."""
    for chosen, multipliers in proof["obstructions"]:
        factors = [signs[i] * m for i, m in zip(chosen, multipliers, strict=True)]
        check_balance(vectors, chosen, factors)
    trusted, w = frozenset(proof["trusted"]), proof["weights"]
    lower = least(proof, proof["tree"], frozenset(), trusted, 300)
    need(lower == proof["lower"], f"the lower bound is {lower}, not what the proof states")
    if w is None:
        need(lower is None and proof["upper"] is None, "there is no hyperplane for the upper bound")
        return "such that any hyperplane gets a trusted row wrong"
    wrong = []
    for i, (vector, sign) in enumerate(zip(vectors, signs, strict=True)):
        if sign * sum(map(int.__mul__, whole(vector)[0], w)) <= 0:
            wrong.append(i)
    need(wrong == sorted(proof["mistakes"]), "the hyperplane's mistakes are not those listed")
    need(trusted.isdisjoint(wrong), "the hyperplane gets a trusted row wrong")
    need(lower is not None and cost(proof, wrong) == proof["upper"], "the upper bound is wrong")
    need(lower is None or lower <= proof["upper"], "the lower bound is above the upper bound")
    bounds = [Fraction(units * proof["unit"][0], proof["unit"][1])
              for units in (lower or 0, proof["upper"])]  # fmt: skip
    least_most = f"exactly {bounds[0]}" if bounds[0] == bounds[1] else (
        f"at least {bounds[0]} and at most {bounds[1]}")  # fmt: skip
    right = f" that is right on the {len(trusted)} trusted" if trusted else ""
    if proof["costs"] is not None:
        unit = Fraction(*proof["unit"])
        costs = [value * unit for value in (min(proof["costs"]), max(proof["costs"]))]
        return (
            f"such that the mistakes of the best hyperplane{right} cost {least_most}, where the "
            f"proof gives each row a cost from {costs[0]} to {costs[1]}, in units of {unit}"
        )
    rows = "row" if bounds[1] == 1 else "rows"
    return f"such that the best hyperplane{right} gets {least_most} {rows} wrong"


def cost(proof: dict[str, Any], rows: Any) -> int:
    return len(rows) if proof["costs"] is None else sum(proof["costs"][row] for row in rows)


def least(
    proof: dict[str, Any], node: Any, removed: frozenset[int], kept: frozenset[int], depth: int
) -> int | None:
    """What the mistakes of any hyperplane cost that gives up `removed` and keeps `kept`, at least.

    None: there is no such hyperplane. Obstructions each need a row to be given up: shares of them
    that load no row with more than its cost need at least their sum.
    """
    need(isinstance(node, dict) and depth > 0, "the tree is malformed, or too deep")
    if node.keys() == {"row", "removed", "kept"}:
        row = node["row"]
        check_rows([row], proof["data"]["rows"])
        need(row not in removed | kept, f"the tree branches on row {row} twice")
        given_up = least(proof, node["removed"], removed | {row}, kept, depth - 1)
        stays = least(proof, node["kept"], removed, kept | {row}, depth - 1)
        return min((end for end in (given_up, stays) if end is not None), default=None)
    obstructions = proof["obstructions"]
    if node.keys() == {"blocked"}:
        check_rows([node["blocked"]], len(obstructions))
        need(kept.issuperset(obstructions[node["blocked"]][0]), "a blocked branch is not blocked")
        return None
    need(node.keys() == {"packing"} and isinstance(node["packing"], list), "a leaf is malformed")
    pairs = node["packing"]
    need(all(isinstance(p, list) and len(p) == 2 for p in pairs), "a packing is malformed")
    shares, loads = read_integers([share for _, share in pairs]), dict[int, int]()
    need(min(shares, default=1) > 0, "a share of a packing is not positive")
    for (place, _), share in zip(pairs, shares, strict=True):
        check_rows([place], len(obstructions))
        need(removed.isdisjoint(obstructions[place][0]), "an obstruction is hit already")
        for row in obstructions[place][0]:
            loads[row] = loads.get(row, 0) + share
    for row, load in loads.items():
        fits = row in kept or load <= cost(proof, [row]) * proof["scale"]
        need(fits, f"row {row} is loaded with more than its cost")
    scale: int = proof["scale"]
    return cost(proof, removed) - (-sum(shares) // scale)


def check(
    proof_path: str, data_path: str, written: bool = False, header: bool | None = None
) -> str:
    """The sentence that the proof proves; raises ProofError with the reason if it does not."""
    smallest = float.fromhex("0x1p-1074")
    need(smallest * 2.0**1000 > 0, "this process takes subnormal numbers for zero; use another")
    proof = read_proof(proof_path)
    try:
        rows, signs = read_data(data_path, proof, written, header)
    except ProofError as error:
        derived = DERIVED if proof["is_read"] and not written else ""
        raise ProofError(f"{error}{derived}") from None
    same = digest(rows, signs, proof["data"]["layout"]) == proof["data"]["digest"]
    need(same, "this is not the data that the proof speaks of: its digest is another")
    if proof["kind"] == "regression":
        model = proof["model"]
        vectors, signs = comparisons(rows, model)
        width = proof["coefficients"] + proof["offset"]
        same = (len(vectors), len(vectors[0])) == (proof["comparisons"], width)
        need(same, "the model makes comparisons of another number or width")
        claim = check_claim(proof, vectors, signs)
        return f"a {model['name']} model whose estimate is {claim} ({len(rows)} rows)."
    vectors, signs = two_classes(rows, signs, proof["offset"])
    claim = (
        check_mistakes(vectors, signs, proof)
        if proof["kind"] == "mistakes"
        else check_claim(proof, vectors, signs)
    )
    offset, data = "with" if proof["offset"] else "without", proof["data"]
    label = "the last column" if data["label"] is None else f"column {data['label']!r}"
    return (
        f"{claim} ({len(rows)} rows of {proof['numbers']} numbers, {offset} an offset, the label "
        f"is in {label}, + is {data['positive']!r}, - is {data['negative']!r})."
    )


def main(arguments: list[str]) -> int:
    said = [argument for argument in arguments if argument in OPTIONS]
    files = [argument for argument in arguments if argument not in OPTIONS]
    if len(files) != 2 or len(said) > 1:
        print(USAGE, file=sys.stderr)
        return 2
    header = said == ["--header"] if said and said != ["--rows"] else None
    try:
        claim = check(files[0], files[1], said == ["--rows"], header)
        print(f"The proof holds. The data is {claim}")
    except OSError as error:
        print(f"Cannot read {error.filename}: {error.strerror}.", file=sys.stderr)
        return 1
    except ProofError as error:
        print(f"The proof does not hold: {error}.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
