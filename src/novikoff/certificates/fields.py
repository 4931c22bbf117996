"""The fields of a proof file, by tables: what is not exactly of the table is refused.

A table is one text of name:form pairs. The forms are

    text, flag        a JSON string; true or false
    count             a JSON integer from 0 to 2^62
    hex               an integer as a text in hexadecimal, which is read in linear time
    name              a text, an integer, or true or false
    a|b               one of these texts
    object, any       a JSON object, to be read by another table; anything
    *form             a list of the form; @form is an object of it, ?form is it or null

Every name of the table is needed, except those that end in ?. No other name is allowed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from novikoff.errors import CertificateError

MOST_DIGITS = 1_000_000  # hexadecimal digits of one integer
_INTEGER = re.compile(r"-?0x(0|[1-9a-f][0-9a-f]*)")
_TYPES: dict[str, tuple[type, ...]] = {
    "text": (str,),
    "flag": (bool,),
    "count": (int,),
    "hex": (str,),
    "name": (str, int, bool),
    "object": (dict,),
}


def read_fields(fields: Any, table: str, what: str) -> dict[str, Any]:
    """The fields, with texts in hexadecimal as integers."""
    if type(fields) is not dict:
        raise CertificateError(f"{what} is not a JSON object.")
    forms = dict(field.split(":", 1) for field in table.split())
    missing = sorted(name for name in forms if name[-1] != "?" and name not in fields)
    unknown = sorted(name for name in fields if name not in forms and f"{name}?" not in forms)
    if missing or unknown:
        names = ", ".join(missing or unknown)
        raise CertificateError(f"{what} has {'no' if missing else 'unknown'} field {names[:200]}.")
    return {
        name: _read(value, forms.get(name) or forms[f"{name}?"], f"{what} has a {name}")
        for name, value in fields.items()
    }


def _read(value: Any, form: str, what: str) -> Any:
    """A value of this form; `what` begins the sentence that says what is wrong with it."""
    mark, rest = form[0], form[1:]
    if form == "any" or (mark == "?" and value is None):
        return value
    if mark == "?":
        return _read(value, rest, what)
    if mark == "*" and type(value) is list:
        return [_read(one, rest, what) for one in value]
    if mark == "@" and type(value) is dict:
        return {name: _read(one, rest, what) for name, one in value.items()}
    is_fit = value in form.split("|") if "|" in form else type(value) in _TYPES.get(form, ())
    if not is_fit or (form == "count" and not 0 <= value < 2**62):
        raise CertificateError(f"{what} of the wrong type or size: {str(value)[:40]!r}.")
    if form != "hex":
        return value
    if len(value) > MOST_DIGITS + 3:
        raise CertificateError(f"{what} with more than {MOST_DIGITS} digits.")
    if not _INTEGER.fullmatch(value):
        raise CertificateError(
            f"{what} with {value[:40]!r}; it must be an integer in hexadecimal, such as '-0x1f'."
        )
    return int(value, 16)


def write_fields(values: Mapping[str, Any], table: str) -> dict[str, Any]:
    """The same values as plain JSON, in the order of the table; what is not needed may be None."""
    forms = (field.split(":", 1) for field in table.split())
    pairs = ((name, values[name.rstrip("?")], form) for name, form in forms)
    return {
        name.rstrip("?"): _written(value, form)
        for name, value, form in pairs
        if name[-1] != "?" or value is not None
    }


def _written(value: Any, form: str) -> Any:
    if value is None or form == "any":
        return value
    if form[0] == "?":
        return _written(value, form[1:])
    if form[0] == "*":
        return [_written(one, form[1:]) for one in value]
    if form == "count":
        return int(value)
    if form != "hex":
        return value
    if int(value).bit_length() > 4 * MOST_DIGITS:
        raise CertificateError(f"an integer of a proof has more than {MOST_DIGITS} digits.")
    return hex(value)
