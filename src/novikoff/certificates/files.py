"""The strict reader of proof files: what is not exactly the documented format is refused.

The file is bounded in size, integers are written in hexadecimal and bounded in length, so
reading takes linear time whatever the file holds.
"""

from __future__ import annotations

import json
import os
import re
from fractions import Fraction
from pathlib import Path
from typing import Any, NoReturn

from novikoff.certificates.certificate import (
    FORMAT,
    MOST_BYTES,
    MOST_DIGITS,
    VERSION,
    Certificate,
)
from novikoff.certificates.claim import Claim, Witness
from novikoff.certificates.derivation import Derivation, Design
from novikoff.certificates.mistakes import MOST_DEPTH, Branch, Leaf, Mistakes
from novikoff.certificates.model import Model
from novikoff.certificates.obstruction import Obstruction
from novikoff.certificates.reading import Reading
from novikoff.certificates.regression import RegressionProof, stamp_of_comparisons, stamp_of_data
from novikoff.certificates.stamp import Stamp
from novikoff.errors import CertificateError, FileError, no_file

_COMMON: dict[str, Any] = {
    "format": str,
    "version": int,
    "kind": str,
    "numbers": str,
    "offset": bool,
    "data": dict,
}
_CLAIM: dict[str, Any] = {
    "weights": list,
    "settled": int,
    "core": int,
    "rows": list,
    "multipliers": list,
    "equalities": list,
    "factors": list,
    "denominator": str,
    "exact": bool,
    "relations": list,
}
_CLAIMS: dict[str, dict[str, Any]] = {
    "claim": _CLAIM,
    "regression": {**_CLAIM, "comparisons": int, "coefficients": int},
    "obstruction": {"rows": list, "multipliers": list},
    "mistakes": {
        "weights": (list, type(None)),
        "mistakes": list,
        "costs": (list, type(None)),
        "unit": list,
        "trusted": list,
        "obstructions": list,
        "scale": str,
        "tree": dict,
        "lower": (str, type(None)),
        "upper": (str, type(None)),
    },
}
_DATA: dict[str, Any] = {
    "rows": int,
    "columns": int,
    "negative": str,
    "positive": str,
    "label": (str, type(None)),
    "layout": str,
    "digest": str,
}
_INTEGER = re.compile(r"-?0x(0|[1-9a-f][0-9a-f]*)")
_FLOAT = re.compile(r"-?0x[01]\.[0-9a-f]{1,13}p[+-][0-9]{1,4}")


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
        fields = json.loads(
            content.decode("utf-8"),
            object_pairs_hook=_without_repeats,
            parse_int=_short_integer,
            parse_float=_no_float,
            parse_constant=_no_float,
        )
    except CertificateError:
        raise
    except (ValueError, RecursionError) as error:
        raise CertificateError(f"{name} is not JSON ({error}), so it is not a proof.") from None
    return from_dict(fields)


def from_dict(fields: Any) -> Certificate:
    """The certificate that `to_dict` made; every field is checked."""
    if not isinstance(fields, dict) or fields.get("format") != FORMAT:
        raise CertificateError(f"this is not a proof: its format is not {FORMAT!r}.")
    kind: Any = fields.get("kind")
    if type(fields.get("version")) is not int or fields["version"] != VERSION:
        raise CertificateError(
            f"the proof has version {fields.get('version')!r}; version {VERSION} can be read here."
        )
    if not (isinstance(kind, str) and kind in _CLAIMS):
        raise CertificateError(f"the proof is of kind {kind!r}; it must be {', '.join(_CLAIMS)}.")
    if kind == "regression":
        return _regression(fields)
    _expect(fields, {**_COMMON, **_CLAIMS[kind]}, "the proof")
    data = dict(fields["data"])
    reading = data.pop("reading", None) if isinstance(data, dict) else None
    _expect(data, _DATA, "its data")
    stamp = Stamp(
        n_rows=data["rows"],
        n_columns=data["columns"],
        numbers=fields["numbers"],
        offset=fields["offset"],
        negative=data["negative"],
        positive=data["positive"],
        label=data["label"],
        layout=data["layout"],
        source=data["digest"],
        reading=None if reading is None else Reading.from_dict(reading),
    )
    if kind == "mistakes":
        return _mistakes(fields, stamp)
    if kind == "claim":
        return _claim(fields, stamp)
    _check_rows(fields["rows"])
    return Obstruction(fields["rows"], _integers(fields["multipliers"]), stamp)


def _check_rows(rows: list[Any]) -> None:
    if not all(type(row) is int for row in rows):
        raise CertificateError("the rows of a proof must be integers.")


def _claim(fields: dict[str, Any], stamp: Stamp) -> Claim:
    _check_rows([*fields["rows"], *fields["equalities"]])
    if not all(isinstance(relation, list) for relation in fields["relations"]):
        raise CertificateError("the relations of a proof must be lists of numbers.")
    witness = Witness(
        fields["rows"],
        _integers(fields["multipliers"]),
        fields["equalities"],
        _integers(fields["factors"]),
        _integers([fields["denominator"]])[0],
        fields["exact"],
        [_integers(relation) for relation in fields["relations"]],
    )
    return Claim(_weights(fields["weights"]), witness, fields["settled"], fields["core"], stamp)


def _regression(fields: dict[str, Any]) -> RegressionProof:
    common = {name: kind for name, kind in _COMMON.items() if name != "offset"}
    _expect(fields, {**common, **_CLAIMS["regression"], "model": dict}, "the proof")
    data = dict(fields["data"])
    reading, derivation = data.pop("reading", None), data.pop("derivation", None)
    _expect(
        data, {name: _DATA[name] for name in ("rows", "columns", "layout", "digest")}, "its data"
    )
    model = Model.from_dict(fields["model"])
    derived = None if derivation is None else Derivation.from_dict(derivation)
    stamp = stamp_of_data(
        data["rows"],
        data["columns"],
        fields["numbers"],
        data["layout"],
        data["digest"],
        None if reading is None else Reading.from_dict(reading),
    )
    model.check_counts(stamp.n_rows, stamp.n_columns, fields["comparisons"], fields["coefficients"])
    if derived is not None and isinstance(derived.design, Design):
        width = stamp.n_columns - len(model.response)
        if derived.design.n_columns != width:
            raise CertificateError(
                f"the design of the proof makes {derived.design.n_columns} columns; its data has "
                f"{width} beside the response."
            )
    offset = model.constant and model.name != "multinomial"  # which has one for each class
    inner = stamp_of_comparisons(fields["comparisons"], fields["coefficients"], offset)
    return RegressionProof(_claim(fields, inner), model, stamp, derived)


def _mistakes(fields: dict[str, Any], stamp: Stamp) -> Mistakes:
    """The bracket of a proof; the bounds that it states must be those it proves."""
    unit, weights, costs = _integers(fields["unit"]), fields["weights"], fields["costs"]
    if len(unit) != 2 or unit[1] < 1:
        raise CertificateError("the unit of costs must be a numerator and a denominator.")
    pairs = fields["obstructions"]
    if not all(isinstance(p, list) and [type(part) for part in p] == [list, list] for p in pairs):
        raise CertificateError("an obstruction of a proof must be rows and multipliers.")
    rows = [*fields["mistakes"], *fields["trusted"], *(row for pair in pairs for row in pair[0])]
    if not all(type(row) is int for row in rows):
        raise CertificateError("the rows of a proof must be integers.")
    found = Mistakes(
        weights=None if weights is None else _weights(weights),
        mistakes=fields["mistakes"],
        costs=None if costs is None else _integers(costs),
        unit=Fraction(unit[0], unit[1]),
        trusted=fields["trusted"],
        obstructions=[(pair[0], _integers(pair[1])) for pair in pairs],
        scale=_integers([fields["scale"]])[0],
        tree=_tree(fields["tree"], MOST_DEPTH),
        stamp=stamp,
    )
    stated = tuple(
        None if fields[name] is None else _integers([fields[name]])[0]
        for name in ("lower", "upper")
    )
    if stated != (found.lower_units, found.upper_units):
        raise CertificateError("the bounds that the proof states are not those that it proves.")
    return found


def _tree(node: Any, depth: int) -> Leaf | Branch:
    is_branch = isinstance(node, dict) and node.keys() == {"row", "removed", "kept"}
    if is_branch and depth > 0 and type(node["row"]) is int:
        ends = (_tree(node[name], depth - 1) for name in ("removed", "kept"))
        return Branch(node["row"], *ends)
    if isinstance(node, dict) and node.keys() == {"blocked"} and type(node["blocked"]) is int:
        return Leaf(blocked=node["blocked"])
    if isinstance(node, dict) and node.keys() == {"packing"} and isinstance(node["packing"], list):
        pairs = node["packing"]
        if all(isinstance(p, list) and [type(part) for part in p] == [int, str] for p in pairs):
            shares = _integers([share for _, share in pairs])
            return Leaf(tuple((pair[0], share) for pair, share in zip(pairs, shares, strict=True)))
    raise CertificateError("the tree of a proof is malformed, or too deep.")


def _expect(fields: dict[str, Any], types: dict[str, Any], what: str) -> None:
    """Raise unless there are exactly these fields, of exactly these types."""
    missing, unknown = sorted(types.keys() - fields.keys()), sorted(fields.keys() - types.keys())
    if missing or unknown:
        names = ", ".join(missing or unknown)
        raise CertificateError(f"{what} has {'no' if missing else 'unknown'} field {names[:200]}.")
    for name, value in fields.items():
        allowed = types[name] if isinstance(types[name], tuple) else (types[name],)
        if type(value) not in allowed:
            raise CertificateError(f"{what} has a {name} of the wrong type.")


def _weights(texts: list[Any]) -> list[int] | list[float]:
    if texts and all(isinstance(text, str) and _FLOAT.fullmatch(text) for text in texts):
        try:
            return [float.fromhex(text) for text in texts]
        except OverflowError:
            raise CertificateError("a weight of the proof is beyond binary64.") from None
    return _integers(texts)


def _integers(texts: list[Any]) -> list[int]:
    for text in texts:
        if not (isinstance(text, str) and len(text) <= MOST_DIGITS + 3):
            raise CertificateError(
                f"a number of the proof is not text of at most {MOST_DIGITS} digits."
            )
        if not _INTEGER.fullmatch(text):
            raise CertificateError(
                f"{text[:40]!r} is not a number of a proof: it must be an integer in "
                "hexadecimal, such as '-0x1f', or, for weights, all floats, such as '0x1.8p+1'."
            )
    return [int(text, 16) for text in texts]


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise CertificateError("the proof has a field twice.")
    return fields


def _short_integer(text: str) -> int:
    if len(text) > 19:
        raise CertificateError("the proof has an absurdly long integer.")
    return int(text)


def _no_float(text: str) -> NoReturn:
    raise CertificateError(f"the proof has the number {text[:40]}; JSON numbers must be integers.")
