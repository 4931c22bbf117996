"""Check a novikoff proof with nothing but Python: python checker.py proof.json data.csv

Where the proof is not about a CSV file as it stands, `novikoff certify DATA --rows rows.csv` writes
the very rows that it is about: python checker.py proof.json --rows rows.csv

One plain file, with the standard library alone. It shares no code with the rest of novikoff
and may be copied anywhere. Exit code 0: the claim is true of this data. 1: it is not, or one
of the files cannot be read; the reason is printed. 2: wrong usage.

With sign_i = ±1, z_i is sign_i·(x_i, 1), or sign_i·(x_i, 0) without an offset. The claims:
  separator        z_i·w > 0 for all rows
  obstruction      Σ λ_i·z_i = 0 with λ_i > 0 on some rows: no separator. If these rows span
                   all rows, not even a weak one (z_i·w >= 0 for all rows, > 0 for one)
  quasi-separator  a weak separator w, and Σ λ_i·z_i = 0 as above
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
from fractions import Fraction
from pathlib import Path
from typing import Any

USAGE = "usage: python checker.py proof.json data.csv | proof.json --rows rows.csv"
DERIVED = (
    "; it is about rows made from a file: write them with novikoff verify PROOF DATA --rows FILE, "
    "then check PROOF --rows FILE"
)
PRIME = 2**61 - 1
BLOCK = 4096
MOST_BYTES = 64 * 2**20
MOST_DIGITS = 1_000_000
INTEGER = re.compile(r"-?0x(0|[1-9a-f][0-9a-f]*)")
FLOAT = re.compile(r"-?0x[01]\.[0-9a-f]{1,13}p[+-][0-9]{1,4}")
DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,4})?")
RATIO = re.compile(r"[+-]?[0-9]+/[0-9]*[1-9][0-9]*")
COMMON = {"format", "version", "kind", "numbers", "offset", "data"}
DATA = {"rows", "columns", "negative", "positive", "label", "layout", "digest"}
CLAIMS = {
    "separator": {"weights"},
    "obstruction": {"rows", "multipliers", "spans"},
    "quasi-separator": {"weights", "rows", "multipliers"},
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
VERSIONS = {"mistakes": 2}  # of the kinds that are not of version 1
PROVEN = {
    "separator": "separable: every row is strictly on its side of a hyperplane",
    "obstruction": "not separable: no hyperplane has every row strictly on its side",
    "quasi-separator": "quasi-separable: a hyperplane separates weakly, and none strictly",
}
OVERLAPPING = "overlapping: no hyperplane separates the two classes, not even weakly"

Number = int | float | Fraction  # all three are exact, and know their as_integer_ratio()
Data = tuple[list[list[Number]], list[int]]  # rows and signs


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
    kind: Any = proof.get("kind")
    need(isinstance(kind, str) and kind in CLAIMS, f"the proof is of an unknown kind: {kind!r}")
    version, known = proof.get("version"), VERSIONS.get(kind, 1)
    need(type(version) is int and version == known, f"the proof is not of version {known}")
    need(proof.keys() == COMMON | CLAIMS[kind], "the proof has missing or unknown fields")
    need(proof["numbers"] in ("binary64", "decimal", "rational"), "unknown kind of numbers")
    need(type(proof["offset"]) is bool, "the offset is neither true nor false")
    need(type(proof.get("spans", True)) is bool, "spans is neither true nor false")
    data = proof["data"]
    need(isinstance(data, dict), "the data is not a JSON object")
    # How the rows came out of a file is no part of what is claimed.
    proof["is_read"] = data.pop("reading", None) is not None
    need(data.keys() == DATA, "the data has missing or unknown fields")
    sizes = (data["rows"], data["columns"])
    need(all(type(size) is int and size >= 1 for size in sizes), "impossible size of the data")
    texts = (data["negative"], data["positive"], data["digest"])
    need(all(isinstance(text, str) for text in texts), "a label or the digest is not text")
    need(data["label"] is None or isinstance(data["label"], str), "the label is not text")
    need(data["negative"] != data["positive"], "the two labels are the same")
    need(re.fullmatch("[0-9a-f]{64}", data["digest"]) is not None, "the digest is malformed")
    need(data["layout"] in ("dense", "sparse"), "the layout is neither dense nor sparse")
    if kind == "mistakes":
        read_mistakes(proof)
    elif "weights" in proof:
        proof["weights"] = read_weights(proof["weights"])
    if proof.get("weights") is not None:
        need(len(proof["weights"]) == data["columns"] + 1, "the number of weights is wrong")
        need(proof["offset"] or proof["weights"][-1] == 0, "without an offset its weight is 0")
    if "rows" in proof:
        proof["multipliers"] = read_integers(proof["multipliers"])
        check_support(proof["rows"], proof["multipliers"], data["rows"])
    return proof


def check_support(rows: Any, multipliers: list[int], n_rows: int) -> None:
    """Distinct rows of the data, each with a positive integer."""
    need(isinstance(rows, list) and len(rows) > 0, "the obstruction has no rows")
    check_rows(rows, n_rows)
    need(len(rows) == len(multipliers), "rows and multipliers differ in number")
    need(min(multipliers) > 0, "a multiplier is not positive")


def check_rows(rows: Any, n_rows: int) -> None:
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


def read_data(path: str, proof: dict[str, Any], written: bool) -> Data:
    """The rows and signs of a CSV file; one line more than the proof has rows is a header.

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
    wrong = f"the data has {len(lines)} lines; the proof speaks of {data['rows']} rows"
    need(0 <= len(lines) - data["rows"] <= 1, wrong)
    width = data["columns"] + 1
    for number, line in enumerate(lines, 1):
        need(len(line) == width, f"line {number} has {len(line)} cells; the proof needs {width}")
    header = [name.strip() for name in lines.pop(0)] if len(lines) > data["rows"] else []
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


# ---------------------------------------------------------------- the claims, exactly


def whole(values: list[Any]) -> tuple[list[int], int]:
    """Exact numbers as integers over one common denominator."""
    pairs = [value.as_integer_ratio() for value in values]
    scale = math.lcm(*(q for _, q in pairs))
    return [p * (scale // q) for p, q in pairs], scale


def check_sides(rows: list[list[Number]], signs: list[int], w: list[int], strict: bool) -> None:
    """z_i·w > 0 for all rows; if not `strict`, z_i·w >= 0 for all rows and > 0 for one."""
    some = False
    for i, (row, sign) in enumerate(zip(rows, signs, strict=True)):
        numbers, scale = whole(row)
        side = sign * (sum(map(int.__mul__, numbers, w)) + scale * w[-1])
        need(side > 0 or (side == 0 and not strict), f"row {i} is not on its side")
        some = some or side > 0
    need(some, "every row is on the hyperplane, which separates nothing")


def check_balance(
    rows: list[list[Number]], signs: list[int], proof: dict[str, Any], offset: bool
) -> None:
    """Σ λ_i·z_i = 0."""
    chosen = proof["rows"]
    signed = [signs[i] * m for i, m in zip(chosen, proof["multipliers"], strict=True)]
    need(not offset or sum(signed) == 0, "the multipliers of the two classes differ in sum")
    for j in range(len(rows[0])):
        column, _ = whole([rows[i][j] for i in chosen])
        total = sum(map(int.__mul__, column, signed))
        need(total == 0, f"the weighted sum of the rows is not zero in column {j}")


def check_spans(rows: list[list[Number]], chosen: list[int], offset: bool) -> None:
    """The chosen rows (x_i, 1) span all rows: full rank mod p, or every row reduces to zero."""
    vectors = [homogeneous(rows[i], offset) for i in chosen]
    if len(echelon([[v % PRIME for v in row] for row in vectors], PRIME)) == len(vectors[0]):
        return  # rank mod p <= rank, so full rank mod p is full rank
    basis = echelon([[Fraction(v) for v in row] for row in vectors], None)
    for i, row in enumerate(rows):
        rest = reduced([Fraction(v) for v in homogeneous(row, offset)], basis, None)
        need(not any(rest), f"row {i} is outside the span of the obstruction's rows")


def homogeneous(row: list[Number], offset: bool) -> list[int]:
    numbers, scale = whole(row)
    return [*numbers, scale] if offset else numbers


def echelon(vectors: list[list[Any]], prime: int | None) -> dict[int, list[Any]]:
    """A basis of the span: by pivot column, with 1 there and 0 in all earlier columns."""
    basis: dict[int, list[Any]] = {}
    for vector in vectors:
        rest = reduced(vector, basis, prime)
        pivot = next((j for j, value in enumerate(rest) if value), None)
        if pivot is not None:
            head = rest[pivot]
            inverse = 1 / head if prime is None else pow(head, -1, prime)
            basis[pivot] = [v * inverse if prime is None else v * inverse % prime for v in rest]
    return basis


def reduced(vector: list[Any], basis: dict[int, list[Any]], prime: int | None) -> list[Any]:
    """The vector minus a combination of the basis, with 0 in every pivot column."""
    for pivot in sorted(basis):
        factor = vector[pivot]
        if factor and prime is None:
            vector = [a - factor * b for a, b in zip(vector, basis[pivot], strict=True)]
        elif factor:
            vector = [(a - factor * b) % prime for a, b in zip(vector, basis[pivot], strict=True)]
    return vector


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
    need(costs is not None or unit[0] == unit[1], "without costs the unit is 1")
    need(scale is not None and scale >= 1, "the scale is not positive")
    check_rows(proof["mistakes"], n_rows)
    check_rows(proof["trusted"], n_rows)
    need(isinstance(proof["obstructions"], list), "the obstructions are not a list")
    for pair in proof["obstructions"]:
        need(isinstance(pair, list) and len(pair) == 2, "an obstruction is not rows, multipliers")
        pair[1] = read_integers(pair[1])
        check_support(pair[0], pair[1], n_rows)


def check_mistakes(rows: list[list[Number]], signs: list[int], proof: dict[str, Any]) -> str:
    """Both bounds: the hyperplane's mistakes above, obstructions and their packings below."""
    for chosen, multipliers in proof["obstructions"]:
        part = {"rows": chosen, "multipliers": multipliers}
        check_balance(rows, signs, part, proof["offset"])
    trusted, w = frozenset(proof["trusted"]), proof["weights"]
    lower = least(proof, proof["tree"], frozenset(), trusted, 300)
    need(lower == proof["lower"], f"the lower bound is {lower}, not what the proof states")
    if w is None:
        need(lower is None and proof["upper"] is None, "there is no hyperplane for the upper bound")
        return "such that any hyperplane gets a trusted row wrong"
    wrong = []
    for i, (row, sign) in enumerate(zip(rows, signs, strict=True)):
        numbers, scale = whole(row)
        if sign * (sum(map(int.__mul__, numbers, w)) + scale * w[-1]) <= 0:
            wrong.append(i)
    need(wrong == sorted(proof["mistakes"]), "the hyperplane's mistakes are not those listed")
    need(trusted.isdisjoint(wrong), "the hyperplane gets a trusted row wrong")
    need(lower is not None and cost(proof, wrong) == proof["upper"], "the upper bound is wrong")
    bounds = [Fraction(units * proof["unit"][0], proof["unit"][1])
              for units in (lower or 0, proof["upper"])]  # fmt: skip
    of = "rows wrong" if proof["costs"] is None else "in cost of rows wrong"
    least_most = f"exactly {bounds[0]}" if bounds[0] == bounds[1] else (
        f"at least {bounds[0]} and at most {bounds[1]}")  # fmt: skip
    return f"such that the best hyperplane gets {least_most} {of}"


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


def check(proof_path: str, data_path: str, written: bool = False) -> str:
    """The sentence that the proof proves; raises ProofError with the reason if it does not."""
    proof = read_proof(proof_path)
    try:
        rows, signs = read_data(data_path, proof, written)
    except ProofError as error:
        derived = DERIVED if proof["is_read"] and not written else ""
        raise ProofError(f"{error}{derived}") from None
    same = digest(rows, signs, proof["data"]["layout"]) == proof["data"]["digest"]
    need(same, "this is not the data that the proof speaks of: its digest is another")
    if proof["kind"] == "mistakes":
        return f"{check_mistakes(rows, signs, proof)} ({described(proof)})."
    if "weights" in proof:
        check_sides(rows, signs, proof["weights"], strict=proof["kind"] == "separator")
    if "rows" in proof:
        check_balance(rows, signs, proof, proof["offset"])
    spans = proof.get("spans", False)
    if spans:
        check_spans(rows, proof["rows"], proof["offset"])
    claim = OVERLAPPING if spans else PROVEN[proof["kind"]]
    return f"{claim} ({described(proof)})."


def described(proof: dict[str, Any]) -> str:
    offset = "with" if proof["offset"] else "without"
    return f"{proof['data']['rows']} rows of {proof['numbers']} numbers, {offset} an offset"


def main(arguments: list[str]) -> int:
    written = "--rows" in arguments
    files = [argument for argument in arguments if argument != "--rows"]
    if len(files) != 2 or len(arguments) > 2 + written:
        print(USAGE, file=sys.stderr)
        return 2
    try:
        print(f"The proof holds. The data is {check(files[0], files[1], written)}")
    except OSError as error:
        print(f"Cannot read {error.filename}: {error.strerror}.", file=sys.stderr)
        return 1
    except ProofError as error:
        print(f"The proof does not hold: {error}.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
