r"""The mathematics of a lesson: TeX as a tree of MathML elements, converted by latex2mathml.

A node is a list: the element's name, its attributes, and its children, nodes or texts. Only the
elements and attributes of `ELEMENTS` and `ATTRIBUTES` are let through, and no command that defines
another one is read, so that a lesson from elsewhere can show formulas and nothing else. A command
that latex2mathml does not know is an error, not a piece of text.
"""

from __future__ import annotations

import html
import re
import unicodedata
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from novikoff.errors import InputError

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

Node = list[Any]  # [name, attributes, *children]
MOST_TEX = 2000  # characters of one formula
DEEPEST = 40  # things inside things
ELEMENTS = frozenset([
    "math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "msub", "msup", "msubsup", "munder",
    "mover", "munderover", "mfrac", "msqrt", "mroot", "mtable", "mtr", "mtd",
])  # fmt: skip
ATTRIBUTES = frozenset([
    "display", "width", "accent", "accentunder", "fence", "form", "stretchy", "movablelimits",
    "columnalign", "linethickness", "mathvariant", "minsize", "maxsize", "linebreak",
])  # fmt: skip
_REQUIRED = {"mfrac": 2, "msub": 2, "msup": 2, "munder": 2, "mover": 2, "mroot": 2, "msubsup": 3,
             "munderover": 3}  # fmt: skip
_COMMAND = re.compile(r"\\([A-Za-z]+)")
_DEFINING = {"def", "gdef", "edef", "let", "newcommand", "renewcommand", "providecommand"}
# Widths of the named spaces, which MathML Core has no more; other lengths are numbers in em.
_SPACES = {"negativethinmathspace": "-0.167em", "negativemediummathspace": "-0.222em",
           "negativethickmathspace": "-0.278em"}  # fmt: skip
# latex2mathml aligns nothing but arrays: columns of `aligned` are right and left by turns.
_ALIGNED = re.compile(r"\\(begin|end)\{(?:aligned|split|align\*?)\}")
_ENVIRONMENT = re.compile(r"\\begin\s*\{([^}]*)\}")
_ENVIRONMENTS = frozenset([
    "matrix", "pmatrix", "bmatrix", "Bmatrix", "vmatrix", "Vmatrix", "smallmatrix", "cases",
    "array", "aligned", "split", "align", "align*",
])  # fmt: skip
_LIMITS = frozenset(["max", "min", "sup", "inf", "lim", "argmax", "argmin", "arg\u2009max",
                     "arg\u2009min"])  # fmt: skip
_CLOSING = frozenset(")]}|‖′!")
_DEFAULTS = (("display", "inline"), ("fence", "false"))
_BOLD_DIGITS = str.maketrans("0123456789", "𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗")
_LENGTH = re.compile(r"-?[0-9]{0,2}(\.[0-9]+)?em")


def math(tex: str, display: bool = False) -> Node:
    """A formula as a <math> node."""
    if len(tex) > MOST_TEX:
        raise InputError(f"a formula has {len(tex)} characters; at most {MOST_TEX} are read.")
    _check_braces(tex)
    for name in _ENVIRONMENT.findall(tex):
        if name not in _ENVIRONMENTS:
            raise _fault(tex, f"{name[:40]!r} is not among {', '.join(sorted(_ENVIRONMENTS))}")
    for name in _COMMAND.findall(tex):
        if name in _DEFINING:
            raise _fault(tex, f"\\{name} defines a command; a lesson's formula may not")
    from latex2mathml.converter import convert_to_element

    try:
        arrays = _ALIGNED.sub(_as_array, tex)
        root = convert_to_element(arrays, display="block" if display else "inline")
    except Exception as error:  # latex2mathml raises many kinds, each with little to say
        raise _fault(tex, _reason(error)) from None
    return _node(root, tex, 0)


def _as_array(found: re.Match[str]) -> str:
    return f"\\{found[1]}{{array}}" + "{rlrlrl}" * (found[1] == "begin")


def _fault(tex: str, what: str) -> InputError:
    shown = tex if len(tex) <= 60 else tex[:57] + "…"
    return InputError(f"in the formula ${shown}$: {what}.")


def _reason(error: Exception) -> str:
    """NoAvailableTokensError → no available tokens."""
    name = type(error).__name__.removesuffix("Error")
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower() + str(error)[:80]


def _check_braces(tex: str) -> None:
    """Raise unless every { has its }, none of them too deep."""
    depth = 0
    for brace in re.findall(r"(?<!\\)(?:\\\\)*([{}])", tex):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            raise _fault(tex, "a } stands alone")
        if depth > DEEPEST:
            raise _fault(tex, f"more than {DEEPEST} things stand inside each other")
    if depth:
        raise _fault(tex, "a } is missing")


def _node(element: Element, tex: str, depth: int) -> Node:
    name = element.tag
    if name not in ELEMENTS or depth > 3 * DEEPEST:
        raise _fault(tex, f"<{name}> is not among the elements that lessons show")
    given = _attributes(element, tex)
    children: list[Any] = [_node(child, tex, depth + 1) for child in element]
    if len(children) < _REQUIRED.get(name, 0):
        raise _fault(tex, "an argument is missing")
    if name in ("mi", "mn", "mo", "mtext"):
        return [name, given, _leaf(name, given, html.unescape(element.text or ""), tex)]
    for before, child in zip([None, *children], children, strict=False):
        is_sign = child[0] == "mo" and child[2] in ("−", "+")
        if is_sign and (before is None or (before[0] == "mo" and before[2] not in _CLOSING)):
            child[1]["form"] = "prefix"  # a sign, not a sum: it stands close to its number
    if name == "msub" and children[0][0] == "mo" and children[0][2] in _LIMITS:
        name, children[0][1]["movablelimits"] = "munder", "true"
    return [name, given, *children]


def _attributes(element: Element, tex: str) -> dict[str, str]:
    given: dict[str, str] = {}
    for key, value in element.attrib.items():
        text = _SPACES.get(value, value)
        if key == "xmlns" or (key, value) in _DEFAULTS:
            continue
        if key not in ATTRIBUTES or (key == "width" and not _LENGTH.fullmatch(text)):
            raise _fault(tex, f"{key} {value[:20]!r} is not among the attributes that lessons show")
        given[key] = text
    return given


def _leaf(name: str, given: dict[str, str], text: str, tex: str) -> str:
    """The text of an element without children; MathML Core knows no bold digits of its own."""
    if not text:
        raise _fault(tex, "something is missing before or after a ^ or _")
    if name == "mtext":
        return text.replace(" ", "\u00a0")
    if "\\" in text:
        raise _fault(tex, _unknown(text))
    if name == "mi" and text in ("&", "#", "~"):
        raise _fault(tex, f"{text} stands where no table is")
    return text.translate(_BOLD_DIGITS) if given.pop("mathvariant", "") == "bold" else text


def _unknown(command: str) -> str:
    from latex2mathml import commands

    every = [value for value in vars(commands).values() if isinstance(value, str)]
    near = get_close_matches(command, [name for name in every if name.startswith("\\")], n=1)
    said = f"{command} is not a command that lessons know"
    return said + "".join(f"; perhaps {name} is meant" for name in near)


def plain(node: Any) -> str:
    """The text of a node, for screens without mathematics and for tests."""
    return _unstyled(node) if isinstance(node, str) else "".join(map(plain, node[2:]))


def _unstyled(text: str) -> str:
    """Bold and italic letters of mathematics as ordinary ones, which every font has."""
    return "".join(
        unicodedata.normalize("NFKC", c) if 0x1D400 <= ord(c) <= 0x1D7FF else c for c in text
    )


_RAISED = str.maketrans("0123456789+−=()ni′", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ′")
_LOWERED = str.maketrans("0123456789+−=()ijk", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ᵢⱼₖ")


def in_line(node: Any) -> str:
    """The text of a node where nothing can stand above or below: (R/γ)², x₁, (a+b)/c, √2."""
    if isinstance(node, str):
        return _unstyled(node)
    name, _, *children = node
    parts = [in_line(child) for child in children]
    if name == "mfrac":
        return "/".join(map(_bracketed, parts))
    if name == "msqrt":
        return "√" + _bracketed("".join(parts))
    if name == "mroot":
        return _shifted(parts[1], _RAISED, "^") + "√" + _bracketed(parts[0])
    if name in ("msub", "msubsup"):
        parts[1] = _shifted(parts[1], _LOWERED, "_")
    if name in ("msup", "msubsup"):
        parts[-1] = _shifted(parts[-1], _RAISED, "^")
    return "".join(parts)


def _shifted(text: str, table: dict[int, int], sign: str) -> str:
    return text.translate(table) if all(ord(c) in table for c in text) else sign + _bracketed(text)


def _bracketed(text: str) -> str:
    return text if len(text) == 1 or text.isalnum() else f"({text})"
