"""The mathematics of a lesson: a small part of TeX as a tree of MathML elements.

    what stands between two dollars:
        letters, digits, Greek (\\gamma), named operators (\\max, \\le, \\cdot, \\to, …)
        x^{…}, x_{…}, primes, \\frac{a}{b}, \\sqrt{a}, \\hat x, \\tilde x, \\bar x, \\vec x
        \\mathbf{w}, \\mathbb{R}, \\mathcal{D}, \\text{words}, \\operatorname{sign}
        \\left( … \\right), and \\begin{…} … \\end{…} of matrix, pmatrix, bmatrix, cases, aligned

What is not among these is an error that says so: nothing is dropped and nothing is guessed.
A node is a list: the element's name, its attributes, and its children, nodes or texts.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Any

from novikoff.errors import InputError

Node = list[Any]  # [name, attributes, *children]
MOST_TEX = 2000  # characters of one formula
DEEPEST = 40  # groups inside groups

_SMALL = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau "
    "upsilon phi chi psi omega"
)
_CAPITAL = "Gamma Delta Theta Lambda Sigma Phi Psi Omega"


def _greek(name: str) -> str:
    case = "CAPITAL" if name[0].isupper() else "SMALL"
    return unicodedata.lookup(f"GREEK {case} LETTER {name.upper().replace('LAMBDA', 'LAMDA')}")


_GREEK = {name: _greek(name) for name in f"{_SMALL} {_CAPITAL}".split()}
_GREEK["varepsilon"] = _GREEK["epsilon"]
_OPERATORS = {
    "gtrless": "≷", "ell": "ℓ",
    "cdot": "·", "times": "×", "pm": "±", "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "ne": "≠",
    "neq": "≠", "lt": "<", "gt": ">", "approx": "≈", "sim": "∼", "equiv": "≡", "in": "∈",
    "notin": "∉",
    "subset": "⊂", "to": "→", "leftarrow": "←", "gets": "←", "mapsto": "↦", "Rightarrow": "⇒",
    "implies": "⇒", "iff": "⇔", "forall": "∀", "exists": "∃", "sum": "∑", "prod": "∏", "ldots": "…",
    "cdots": "⋯", "dots": "…", "vdots": "⋮", "infty": "∞", "mid": "∣", "perp": "⊥", "top": "⊤",
    "colon": ":", "lVert": "‖", "rVert": "‖", "Vert": "‖", "|": "‖", "lvert": "|", "rvert": "|",
    "langle": "⟨", "rangle": "⟩", "lfloor": "⌊", "rfloor": "⌋", "{": "{", "}": "}", "%": "%",
    "setminus": "∖", "cup": "∪", "cap": "∩", "neg": "¬", "ast": "∗", "star": "⋆", "checkmark": "✓",
}  # fmt: skip
_IDENTIFIERS = {"ell", "infty", "ldots", "cdots", "dots", "vdots", "top", "ast", "star"}
_NAMES = ("max", "min", "log", "exp", "cos", "sin", "arg", "argmax", "argmin", "sign", "dim", "inf",
          "sup", "det", "lim")  # fmt: skip
_LIMITS = {"max", "min", "sum", "prod", "inf", "sup", "lim", "argmax", "argmin"}
_SPACES = {",": "0.17em", ";": "0.28em", ":": "0.22em", " ": "0.25em", "quad": "1em",
           "qquad": "2em", "!": "-0.17em"}  # fmt: skip
_ACCENTS = {"hat": "^", "tilde": "~", "bar": "¯", "vec": "→", "overline": "¯"}
_STYLES = {"mathbf": "bold", "boldsymbol": "bold", "mathbb": "double", "mathcal": "script",
           "mathrm": "plain"}  # fmt: skip
_DOUBLE = {"R": "ℝ", "N": "ℕ", "Z": "ℤ", "Q": "ℚ", "C": "ℂ"}
_MATRICES = ("matrix", "pmatrix", "bmatrix", "vmatrix", "cases", "aligned")
_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[0-9]+(?:\.[0-9]+)?|\s+|.", re.DOTALL)


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
            nodes.append(self._scripted())
        if ends and self._peek() is None:
            raise self._fault(f"{' or '.join(ends)} is missing")
        return nodes

    def _scripted(self) -> Node:
        """One thing with what hangs on it: x_i^2, x′."""
        first = self._peek()
        base = self._atom()
        below = above = None
        primes = ""
        while (token := self._peek()) in ("_", "^", "'"):
            self.at += 1
            if token == "'":
                primes += "′"
            elif token == "_" and below is None:
                below = self._atom()
            elif token == "^" and above is None:
                above = self._atom()
            else:
                raise self._fault(f"two {token} on one thing")
        if primes:
            mark: Node = ["mo", {}, primes]
            above = mark if above is None else ["mrow", {}, mark, above]
        if below is None and above is None:
            return base
        over = (first or "").lstrip("\\") in _LIMITS
        if below is not None and above is not None:
            return ["munderover" if over else "msubsup", {}, base, below, above]
        if below is not None:
            return ["munder" if over else "msub", {}, base, below]
        return ["mover" if over else "msup", {}, base, above]

    def _atom(self) -> Node:
        token = self._next()
        if token == "{":
            return self._group()
        if token.startswith("\\"):
            return self._command(token[1:])
        if token[0].isdigit():
            return ["mn", {}, token]
        if token.isalpha():
            return ["mi", {}, token]
        if token in "}&":
            raise self._fault(f"a {token} stands alone")
        if token in "_^'":
            raise self._fault(f"nothing stands before {token}")
        return _operator({"-": "−", "*": "∗"}.get(token, token))

    def _group(self) -> Node:
        self.depth += 1
        if self.depth > DEEPEST:
            raise self._fault(f"more than {DEEPEST} groups inside each other")
        nodes = self.row(("}",))
        self._next()
        self.depth -= 1
        return _one(nodes)

    def _command(self, name: str) -> Node:
        if name in _GREEK:
            return ["mi", {}, _GREEK[name]]
        if name in _SPACES:
            return ["mspace", {"width": _SPACES[name]}]
        if name in _OPERATORS:
            text = _OPERATORS[name]
            return ["mi", {}, text] if name in _IDENTIFIERS else _operator(text)
        if name in _NAMES:
            return ["mi", {}, name]
        if name in ("frac", "tfrac", "dfrac"):
            return ["mfrac", {}, self._atom(), self._atom()]
        if name == "sqrt":
            return ["msqrt", {}, self._atom()]
        if name in _ACCENTS:
            return ["mover", {"accent": "true"}, self._atom(), ["mo", {}, _ACCENTS[name]]]
        if name in _STYLES:
            return _styled(self._atom(), _STYLES[name])
        if name in ("text", "operatorname", "mathit"):
            words = self._words()
            return (
                ["mtext", {}, words.replace(" ", "\u00a0")] if name == "text" else ["mi", {}, words]
            )
        if name == "left":
            return self._fenced()
        if name == "begin":
            return self._environment()
        raise self._fault(f"\\{name} is not among the commands that lessons know")

    def _words(self) -> str:
        """What stands in braces, letter by letter, spaces kept."""
        if self._next() != "{":
            raise self._fault("words stand in braces")
        begin = self.at
        while self.at < len(self.tokens) and self.tokens[self.at] != "}":
            self.at += 1
        self._next()
        return "".join(self.tokens[begin : self.at - 1])

    def _fenced(self) -> Node:
        left = self._fence()
        nodes = self.row(("\\right",))
        self._next()
        right = self._fence()
        ends = [["mo", {"fence": "true"}, text] if text else None for text in (left, right)]
        return ["mrow", {}, *(n for n in (ends[0], *nodes, ends[1]) if n is not None)]

    def _fence(self) -> str:
        token = self._next()
        if token == ".":
            return ""
        return _OPERATORS.get(token[1:], "") if token.startswith("\\") else token

    def _environment(self) -> Node:
        name = self._words()
        if name not in _MATRICES:
            raise self._fault(f"\\begin{{{name}}} is not among {', '.join(_MATRICES)}")
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
        table: Node = ["mtable", {"class": f"nk-{name}"}]
        return table + [["mtr", {}, *(["mtd", {}, cell] for cell in line)] for line in cells_of]


def _one(nodes: list[Node]) -> Node:
    return nodes[0] if len(nodes) == 1 else ["mrow", {}, *nodes]


def _operator(text: str) -> Node:
    return ["mo", {"stretchy": "false"}, text] if text in "()[]{}|‖⟨⟩⌊⌋" else ["mo", {}, text]


def _styled(node: Node, style: str) -> Node:
    """Letters in another style: by their own character where there is one, else by a class."""
    if style == "plain":
        return node
    if style == "double" and node[0] == "mi" and node[2] in _DOUBLE:
        return ["mi", {}, _DOUBLE[node[2]]]
    return [node[0], {**node[1], "class": f"nk-{style}"}, *node[2:]]
