"""The strict reader of proof files: what is not exactly the documented format is refused.

The file is bounded in size, integers are written in hexadecimal and bounded in length, so
reading takes linear time whatever the file holds.
"""

from __future__ import annotations

import json
import os
from fractions import Fraction
from pathlib import Path
from typing import Any

from novikoff.certificates.certificate import FORMAT, MOST_BYTES, VERSION, Certificate
from novikoff.certificates.claim import Claim, Witness
from novikoff.certificates.derivation import Derivation
from novikoff.certificates.fields import read_fields
from novikoff.certificates.mistakes import MOST_DEPTH, Branch, Leaf, Mistakes
from novikoff.certificates.model import Model
from novikoff.certificates.obstruction import Obstruction
from novikoff.certificates.reading import Reading
from novikoff.certificates.stamp import Stamp
from novikoff.errors import CertificateError, FileError, no_file

_COMMON = "format:text version:count kind:text numbers:text offset:flag data:object"
_DATA = """rows:count columns:count negative:?text positive:?text label:?text digest:text
    reading?:object derivation?:object"""
_KINDS = {
    "claim": """model:?object weights:*hex settled:count core:count rows:*count multipliers:*hex
        denominator:hex relations:?**hex""",
    "obstruction": "rows:*count multipliers:*hex",
    "mistakes": """weights:?*hex mistakes:*count costs:?*hex unit:*hex trusted:*count
        obstructions:*object scale:hex tree:object lower:?hex upper:?hex""",
}


def load_certificate(path: str | os.PathLike[str]) -> Certificate:
    """The certificate in a proof file; CertificateError says what is wrong with the file."""
    try:
        with Path(path).open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except FileNotFoundError as error:
        raise no_file(path, f"cannot read {path}: {error.strerror}.") from None
    except OSError as error:
        raise FileError(f"cannot read {path}: {error.strerror}.") from None
    return from_bytes(content, str(path))


def from_bytes(content: bytes, name: str) -> Certificate:
    """The certificate in the bytes of the proof file `name`."""
    if len(content) > MOST_BYTES:
        raise CertificateError(f"{name} has more than {MOST_BYTES} bytes; a proof has fewer.")
    try:
        fields = json.loads(content.decode("utf-8"), object_pairs_hook=_without_repeats)
    except CertificateError:
        raise
    except (ValueError, RecursionError) as error:
        raise CertificateError(f"{name} is not JSON ({error}), so it is not a proof.") from None
    return from_dict(fields)


def from_dict(fields: Any) -> Certificate:
    """The certificate that `to_dict` made; every field is checked."""
    if not isinstance(fields, dict) or fields.get("format") != FORMAT:
        raise CertificateError(f"this is not a proof: its format is not {FORMAT!r}.")
    kind, version = fields.get("kind"), fields.get("version")
    if type(version) is not int or version != VERSION:
        raise CertificateError(
            f"the proof has version {version!r}; version {VERSION} can be read here."
        )
    if not (isinstance(kind, str) and kind in _KINDS):
        raise CertificateError(f"the proof is of kind {kind!r}; it must be {', '.join(_KINDS)}.")
    proof = read_fields(fields, f"{_COMMON} {_KINDS[kind]}", "the proof")
    data = read_fields(proof["data"], _DATA, "its data")
    stamp = Stamp(
        n_rows=data["rows"],
        n_columns=data["columns"],
        numbers=proof["numbers"],
        offset=proof["offset"],
        negative=data["negative"],
        positive=data["positive"],
        label=data["label"],
        source=data["digest"],
        reading=Reading.from_dict(data["reading"]) if "reading" in data else None,
        derivation=Derivation.from_dict(data["derivation"]) if "derivation" in data else None,
    )
    if kind == "mistakes":
        return _mistakes(proof, stamp)
    if kind == "obstruction":
        return Obstruction(proof["rows"], proof["multipliers"], stamp)
    parts = ("rows", "multipliers", "denominator", "relations")
    witness = Witness(*(proof[name] for name in parts))
    model = None if proof["model"] is None else Model.from_dict(proof["model"], stamp.offset)
    return Claim(proof["weights"], witness, proof["settled"], proof["core"], stamp, model)


def _mistakes(proof: dict[str, Any], stamp: Stamp) -> Mistakes:
    """The bracket of a proof; the bounds that it states must be those it proves."""
    unit, pairs = proof["unit"], []
    if len(unit) != 2 or unit[1] < 1:
        raise CertificateError("the unit of costs must be a numerator and a denominator.")
    for fields in proof["obstructions"]:
        pair = read_fields(fields, _KINDS["obstruction"], "an obstruction of the proof")
        pairs.append((pair["rows"], pair["multipliers"]))
    found = Mistakes(
        weights=proof["weights"],
        mistakes=proof["mistakes"],
        costs=proof["costs"],
        unit=Fraction(unit[0], unit[1]),
        trusted=proof["trusted"],
        obstructions=pairs,
        scale=proof["scale"],
        tree=_tree(proof["tree"], MOST_DEPTH),
        stamp=stamp,
    )
    if (proof["lower"], proof["upper"]) != (found.lower_units, found.upper_units):
        raise CertificateError("the bounds that the proof states are not those that it proves.")
    return found


def _tree(node: dict[str, Any], depth: int) -> Leaf | Branch:
    what = "the tree of a proof"
    if "row" in node:
        if depth == 0:
            raise CertificateError(f"{what} is too deep.")
        branch = read_fields(node, "row:count removed:object kept:object", what)
        ends = (_tree(branch[name], depth - 1) for name in ("removed", "kept"))
        return Branch(branch["row"], *ends)
    leaf = read_fields(node, "obstructions:*count shares:*hex", what)
    if len(leaf["obstructions"]) != len(leaf["shares"]):
        raise CertificateError(f"{what} needs one share for each obstruction of a packing.")
    return Leaf(tuple(zip(leaf["obstructions"], leaf["shares"], strict=True)))


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise CertificateError("the proof has a field twice.")
    return fields
