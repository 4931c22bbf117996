"""The mathematics of a lesson: the TeX of a lecture as a tree of MathML elements.

    what stands between two dollars:
        letters, digits, Greek (\\gamma), named operators (\\max, \\le, \\cdot, \\to, …)
        x^{…}, x_{…}, primes, \\frac{a}{b}, \\binom{n}{k}, \\sqrt{a}, \\sqrt[3]{a}
        \\hat x and other accents, \\underbrace{…}_{…}, \\overset{a}{b}
        \\mathbf{w}, \\mathbb{R}, \\mathcal{D}, \\mathrm{opt}, \\text{words}, \\operatorname{sign}
        \\left( … \\right), \\bigl( … \\bigr)
        \\begin{…} … \\end{…} of matrix, pmatrix, bmatrix, cases, array, aligned, …

All names are in `symbols.py`. What is not among them is an error that says so: nothing is dropped
and nothing is guessed. A node is a list: the element's name, its attributes, and its children,
nodes or texts.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from difflib import get_close_matches
from typing import Any, ClassVar

from novikoff.errors import InputError
from novikoff.studio.lessons import symbols

Node = list[Any]  # [name, attributes, *children]
MOST_TEX = 2000  # characters of one formula
DEEPEST = 40  # things inside things

_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[0-9]+(?:\.[0-9]+)?|\s+|.", re.DOTALL)
_KNOWN = (*symbols.LETTERS, *symbols.OPERATORS, *symbols.NAMES, *symbols.ACCENTS, *symbols.STYLES,
          *symbols.WORDS, *symbols.BRACES, *symbols.UNSEEN, "frac", "sqrt", "binom", "overset",
          "underset", "operatorname", "left", "right", "begin", "end", "quad", "qquad",
          *(name[1:] for name in symbols.FENCES if name[:1] == "\\"))  # fmt: skip


def math(tex: str, display: bool = False) -> Node:
    """A formula as a <math> node."""
    if len(tex) > MOST_TEX:
        raise InputError(f"a formula has {len(tex)} characters; at most {MOST_TEX} are read.")
    reader = _Reader(tex)
    body = reader.row(())
    return ["math", {"display": "block"} if display else {}, _one(body)]


def plain(node: Any) -> str:
    """The text of a node, for screens without mathematics and for tests."""
    return node if isinstance(node, str) else "".join(map(plain, node[2:]))


_RAISED = str.maketrans("0123456789+−=()ni′", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ′")
_LOWERED = str.maketrans("0123456789+−=()ijk", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ᵢⱼₖ")


def in_line(node: Any) -> str:
    """The text of a node where nothing can stand above or below: (R/γ)², x₁, (a+b)/c, √2."""
    if isinstance(node, str):
        return node
    name, _, *children = node
    parts = [in_line(child) for child in children]
    if name == "msup":
        return parts[0] + _shifted(parts[1], _RAISED, "^")
    if name == "msub":
        return parts[0] + _shifted(parts[1], _LOWERED, "_")
    if name == "msubsup":
        low, high = _shifted(parts[1], _LOWERED, "_"), _shifted(parts[2], _RAISED, "^")
        return parts[0] + low + high
    if name == "mfrac":
        return "/".join(map(_bracketed, parts))
    if name == "msqrt":
        return "√" + _bracketed("".join(parts))
    if name == "mroot":
        return _shifted(parts[1], _RAISED, "^") + "√" + _bracketed(parts[0])
    return "".join(parts)


def _shifted(text: str, table: dict[int, int], sign: str) -> str:
    return text.translate(table) if all(ord(c) in table for c in text) else sign + _bracketed(text)


def _bracketed(text: str) -> str:
    return text if len(text) == 1 or text.isalnum() else f"({text})"


class _Reader:
    """One formula, read from left to right."""

    def __init__(self, tex: str) -> None:
        self.tex = tex
        self.tokens = _TOKEN.findall(tex)
        self.at = 0
        self.depth = 0

    def _fault(self, what: str) -> InputError:
        shown = self.tex if len(self.tex) <= 60 else self.tex[:57] + "…"
        return InputError(f"in the formula ${shown}$: {what}.")

    def _peek(self) -> str | None:
        while self.at < len(self.tokens) and self.tokens[self.at].isspace():
            self.at += 1
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def _next(self) -> str:
        token = self._peek()
        if token is None:
            raise self._fault("it ends too early")
        self.at += 1
        return token

    def row(self, ends: tuple[str, ...]) -> list[Node]:
        """Nodes up to one of the ends, which is left for the caller; or to the end of all."""
        nodes: list[Node] = []
        while (token := self._peek()) is not None and token not in ends:
            if token[:1] == "\\" and token[1:] in symbols.UNSEEN:
                self.at += 1
            else:
                nodes.append(_signed(self._scripted(), nodes))
        if ends and self._peek() is None:
            raise self._fault(f"{' or '.join(ends)} is missing")
        return nodes

    def _scripted(self) -> Node:
        """One thing with what hangs on it: x_i^2, x′."""
        name = (self._peek() or "").lstrip("\\")
        starred = name == "operatorname" and "".join(self.tokens[self.at + 1 : self.at + 2]) == "*"
        base = self._atom()
        over = starred or name in symbols.LIMITS or name in symbols.BRACES
        if (self._peek() or "")[1:] in ("limits", "nolimits"):
            over = self._next() == "\\limits"
        below = above = None
        primes = ""
        while (token := self._peek()) in ("_", "^", "'"):
            self.at += 1
            if token == "'":
                primes += "′"
            elif token == "_" and below is None:
                below = self._argument()
            elif token == "^" and above is None:
                above = self._argument()
            else:
                raise self._fault(f"two {token} on one thing")
        if primes:
            mark: Node = ["mo", {}, primes]
            above = mark if above is None else ["mrow", {}, mark, above]
        if below is None and above is None:
            return base
        if below is not None and above is not None:
            return ["munderover" if over else "msubsup", {}, base, below, above]
        if below is not None:
            return ["munder" if over else "msub", {}, base, below]
        return ["mover" if over else "msup", {}, base, above]

    def _argument(self) -> Node:
        """What a command takes: a group, a command, or one character, as in \\frac12."""
        token = self._peek()
        if token is not None and token[0].isdigit() and len(token) > 1:
            self.tokens[self.at : self.at + 1] = [token[0], token[1:]]
        return self._atom()

    def _atom(self) -> Node:
        self.depth += 1
        if self.depth > DEEPEST:
            raise self._fault(f"more than {DEEPEST} things inside each other")
        made = self._any(self._next())
        self.depth -= 1
        return made

    def _any(self, token: str) -> Node:
        if token == "{":
            nodes = self.row(("}",))
            self._next()
            return _one(nodes)
        if token in symbols.FENCES and token != ".":
            return _operator({"<": "<", ">": ">"}.get(token, symbols.FENCES[token]))
        if token.startswith("\\"):
            return self._command(token[1:])
        if token[0].isdigit():
            return ["mn", {}, token]
        if token.isalpha():
            return ["mi", {}, token]
        if token == "~":
            return ["mspace", {"width": symbols.SPACES[" "]}]
        if token in "}&":
            raise self._fault(f"a {token} stands alone")
        if token in "_^'":
            raise self._fault(f"nothing stands before {token}")
        return _operator({"-": "−", "*": "∗"}.get(token, token))

    def _command(self, name: str) -> Node:
        if name in symbols.LETTERS:
            return ["mi", {}, symbols.LETTERS[name]]
        if name in symbols.SPACES:
            return ["mspace", {"width": symbols.SPACES[name]}]
        if name in symbols.OPERATORS:
            return _operator(symbols.OPERATORS[name])
        if name in symbols.NAMES:
            return ["mi", {"class": "nk-plain"}, name]
        if name in symbols.ACCENTS:
            mark = ["mo", {"stretchy": "false"}, symbols.ACCENTS[name]]
            return ["mover", {"accent": "true"}, self._argument(), mark]
        if name in symbols.BRACES:
            place, brace = symbols.BRACES[name]
            return [place, {}, self._argument(), ["mo", {"stretchy": "true"}, brace]]
        if name in symbols.STYLES:
            return _styled(self._argument(), symbols.STYLES[name])
        if name in symbols.WORDS:
            style = symbols.WORDS[name]
            words = self._words().replace(" ", "\u00a0")
            return ["mtext", {"class": f"nk-{style}"} if style else {}, words]
        if name == "mathit":
            return ["mi", {}, self._words()]
        made = self._SHAPES.get(name)
        if made is not None:
            return made(self)
        if name.rstrip("lrm") in symbols.SIZES:
            return ["mo", {"stretchy": "true"}, self._fence()]
        if name in ("right", "end", "middle"):
            first = {"right": "left", "end": "begin", "middle": "left"}[name]
            raise self._fault(f"\\{name} without \\{first}")
        if name == "\\":
            raise self._fault("a new line, \\\\, belongs into \\begin{aligned} … \\end{aligned}")
        near = get_close_matches(name, _KNOWN, 1, cutoff=0.75)
        meant = f"; perhaps \\{near[0]} is meant" if near else ""
        raise self._fault(f"\\{name[:40]} is not among the commands that lessons know{meant}")

    def _fraction(self) -> Node:
        return ["mfrac", {}, self._argument(), self._argument()]

    def _binomial(self) -> Node:
        cells = [["mtr", {}, ["mtd", {}, self._argument()]] for _ in range(2)]
        return ["mtable", {"class": "nk-pmatrix"}, *cells]

    def _root(self) -> Node:
        if self._peek() != "[":
            return ["msqrt", {}, self._argument()]
        self.at += 1
        degree = _one(self.row(("]",)))
        self._next()
        return ["mroot", {}, self._argument(), degree]

    def _above(self) -> Node:
        above = self._argument()
        return ["mover", {}, self._argument(), above]

    def _below(self) -> Node:
        below = self._argument()
        return ["munder", {}, self._argument(), below]

    def _remainder(self) -> Node:
        inside = self._argument()
        return ["mrow", {}, _operator("("), ["mi", {"class": "nk-plain"}, "mod"],
                ["mspace", {"width": "0.3em"}], inside, _operator(")")]  # fmt: skip

    def _negated(self) -> Node:
        token = self._next()
        base = plain(self._any(token))
        if len(base) != 1:
            raise self._fault(f"\\not stands before a relation, not before {token}")
        return ["mo", {}, f"{base}\u0338"]

    def _name(self) -> Node:
        """A name of one's own; with a star, what hangs on it stands below it."""
        if self._peek() == "*":
            self.at += 1
        return ["mi", {"class": "nk-plain"}, self._words()]

    def _words(self) -> str:
        """What stands in braces, letter by letter, spaces kept."""
        if self._next() != "{":
            raise self._fault("words stand in braces")
        words: list[str] = []
        open_braces = 1
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            self.at += 1
            open_braces += (token == "{") - (token == "}")
            if not open_braces:
                return "".join(words)
            if token not in "{}":
                words.append(token[1:] if len(token) == 2 and token[0] == "\\" else token)
        raise self._fault("} is missing")

    def _fenced(self) -> Node:
        nodes: list[Node] = [["mo", {"fence": "true"}, self._fence()]]
        while True:
            nodes += self.row(("\\right", "\\middle"))
            is_last = self._next() == "\\right"
            nodes.append(["mo", {"fence": "true"}, self._fence()])
            if is_last:
                return ["mrow", {}, *(node for node in nodes if node != _NOTHING)]

    def _fence(self) -> str:
        token = self._next()
        if token not in symbols.FENCES:
            raise self._fault(f"{token} is no bracket")
        return symbols.FENCES[token]

    def _environment(self) -> Node:
        name = self._words()
        kind = name.rstrip("*")
        if kind not in symbols.TABLES:
            raise self._fault(f"\\begin{{{name[:30]}}} is not among {', '.join(symbols.TABLES)}")
        if kind == "array":
            self._words()  # the columns: l, c, r
        cells_of: list[list[Node]] = [[]]
        while True:
            cells_of[-1].append(_one(self.row(("&", "\\\\", "\\end"))))
            end = self._next()
            if end == "\\\\":
                cells_of.append([])
            elif end == "\\end":
                break
        if self._words() != name:
            raise self._fault(f"\\begin{{{name}}} has another \\end")
        if len(cells_of) > 1 and len(cells_of[-1]) == 1 and cells_of[-1][0] == ["mrow", {}]:
            cells_of.pop()
        # Brackets are drawn as borders: they stretch with whatever font there is.
        look = {"align": "aligned", "split": "aligned", "array": "matrix"}.get(kind, kind)
        table: Node = ["mtable", {"class": f"nk-{look}"}]
        return table + [["mtr", {}, *(["mtd", {}, cell] for cell in line)] for line in cells_of]

    _SHAPES: ClassVar[dict[str, Callable[[_Reader], Node]]] = {
        "frac": _fraction, "tfrac": _fraction, "dfrac": _fraction, "binom": _binomial,
        "sqrt": _root, "operatorname": _name, "overset": _above, "stackrel": _above,
        "underset": _below,
        "pmod": _remainder, "not": _negated, "left": _fenced, "begin": _environment,
        "bmod": lambda _: ["mo", {}, "mod"], "mod": lambda _: ["mo", {}, "mod"],
    }  # fmt: skip


_CLOSING = (")", "]", "}", "⟩", "⌋", "⌉", "|", "‖", "!", "′")
_NOTHING: Node = ["mo", {"fence": "true"}, ""]


def _one(nodes: list[Node]) -> Node:
    return nodes[0] if len(nodes) == 1 else ["mrow", {}, *nodes]


def _operator(text: str) -> Node:
    still = text in symbols.FENCES.values() and text != "/"
    return ["mo", {"stretchy": "false"}, text] if still else ["mo", {}, text]


def _signed(node: Node, before: list[Node]) -> Node:
    """A plus or minus that is a sign, as in (-1, 2) or x = -1: it stands close to what follows."""
    is_sign = node[0] == "mo" and node[2] in ("−", "+", "±", "∓")
    if is_sign and (not before or (before[-1][0] == "mo" and before[-1][2] not in _CLOSING)):
        return ["mo", {**node[1], "form": "prefix"}, node[2]]
    return node


def _styled(node: Node, style: str) -> Node:
    """Letters in another style: by their own character where there is one, else by a class."""
    letters = symbols.CHARACTERS.get(style, {})
    if node[0] in ("mi", "mn") and node[2] in letters:
        return ["mi", {}, letters[node[2]]]
    if node[0] == "mrow" and style in ("plain", "sans", "mono") and _is_word(node):
        return ["mi", {"class": f"nk-{style}"}, plain(node)]
    return [node[0], {**node[1], "class": f"nk-{style}"}, *node[2:]]


def _is_word(node: Node) -> bool:
    return all(part[0] in ("mi", "mn") for part in node[2:])
