"""The words of a lesson: Markdown as a tree of nodes, from a short list of elements.

The page builds elements from the nodes, one by one, and only those on its own list: a lesson's
text never becomes HTML. Markdown's own HTML is off, so that `<script>` is the eight characters;
pictures are left out, and links are words with their address behind them, since the page loads
nothing from elsewhere. Mathematics stands between dollars (`mathml.py`).
"""

from __future__ import annotations

import re
from itertools import accumulate
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode

from novikoff.errors import InputError
from novikoff.studio.lessons.mathml import DEEPEST, math

_ELEMENTS = {
    "paragraph": "p", "bullet_list": "ul", "ordered_list": "ol", "list_item": "li", "em": "em",
    "strong": "strong", "blockquote": "blockquote", "table": "table", "thead": "thead",
    "tbody": "tbody", "tr": "tr", "th": "th", "td": "td",
}  # fmt: skip
RUN_STANDS = ("start", "look", "update", "stop")  # where a run is, of a program's lines
MOST_CELLS = 1024  # numbers of a picture, such as 32×32
_STOP = re.compile(r"[.,;:!?)]+")
_INLINE_MATH = re.compile(r"\$([^$\s](?:[^$]*[^$\s])?)\$(?![0-9])")


def _inline_math(state: StateInline, silent: bool) -> bool:
    """`$…$`, without space inside its dollars and no figure behind: a price is not a formula."""
    if state.src[state.pos] != "$":
        return False
    found = _INLINE_MATH.match(state.src, state.pos)
    if found is None:
        return False
    if not silent:
        state.push("math_inline", "math", 0).content = found[1]
    state.pos = found.end()
    return True


def _display_math(state: StateBlock, first: int, last: int, silent: bool) -> bool:
    """`$$ … $$` on lines of its own."""
    begin = state.bMarks[first] + state.tShift[first]
    if state.src[begin : begin + 2] != "$$":
        return False
    end = state.src.find("$$", begin + 2)
    line = next((n for n in range(first, last) if state.eMarks[n] >= end + 2), None)
    if end < 0 or line is None or state.src[end + 2 : state.eMarks[line]].strip():
        return False
    if not silent:
        token = state.push("math_block", "math", 0)
        token.content, token.map = state.src[begin + 2 : end].strip(), [first, line + 1]
    state.line = line + 1
    return True


def _parser() -> MarkdownIt:
    made = (
        MarkdownIt("commonmark", {"html": False}).enable("table").disable(["image", "html_block"])
    )
    made.inline.ruler.before("escape", "math_inline", _inline_math)
    made.block.ruler.before(
        "fence", "math_block", _display_math, {"alt": ["paragraph", "blockquote", "list"]}
    )
    return made


_MARKDOWN = _parser()


def tokens_of(text: str) -> list[Token]:
    return _MARKDOWN.parse(text)


def line_nodes(text: str) -> list[Any]:
    """One line with emphasis, code and mathematics."""
    return nodes_of(_MARKDOWN.parseInline(text))


def nodes_of(tokens: list[Token]) -> list[Any]:
    """The nodes of a run of tokens."""
    for line in (tokens, *(token.children or [] for token in tokens)):
        if max(accumulate(token.nesting for token in line), default=0) > DEEPEST:
            raise InputError(f"more than {DEEPEST} lists, quotes or emphases inside each other.")
    return _nodes(SyntaxTreeNode(tokens))


def _nodes(tree: SyntaxTreeNode) -> list[Any]:
    """The nodes and texts that one part of a text becomes."""
    kind = tree.type
    inner = _unbroken([node for child in tree.children for node in _nodes(child)])
    if kind in ("root", "inline") or (kind == "paragraph" and tree.hidden):
        return inner
    if kind == "heading":  # a step's title is the page's h2: what is below it begins at h3
        return [[f"h{min(max(int(tree.tag[1:]), 2) + 1, 6)}", {}, *inner]]
    if kind == "link":
        return [*inner, f" ({tree.attrs.get('href', '')})"]
    if kind in _ELEMENTS:
        return [[_ELEMENTS[kind], {}, *inner]]
    if kind in ("math_inline", "math_block"):
        return [math(tree.content, display=kind == "math_block")]
    if kind == "fence" and tree.info.startswith("picture "):
        return [_picture(tree.info.removeprefix("picture ").strip(), tree.content)]
    if kind in ("fence", "code_block"):
        return [["pre", {"tabindex": "0"}, *_code(tree)]]
    if kind == "code_inline":
        return [["code", {}, tree.content]]
    return [{"hr": ["hr", {}], "hardbreak": ["br", {}], "softbreak": " "}.get(kind, tree.content)]


def _unbroken(nodes: list[Any]) -> list[Any]:
    """No line begins with the stop or comma behind a formula."""
    made: list[Any] = []
    for node in nodes:
        stop = _STOP.match(node) if isinstance(node, str) else None
        if stop and made and isinstance(made[-1], list) and made[-1][0] == "math":
            made[-1] = ["span", {"class": "nk-unbroken"}, made[-1], stop[0]]
            node = node[stop.end() :]
        made += [node] if node else []
    return made


def _picture(label: str, content: str) -> list[Any]:
    """Rows of whole numbers, from 0 for white to the largest for black."""
    rows = [line.split() for line in content.strip().split("\n")]
    cells = [cell for row in rows for cell in row]
    if len({*map(len, rows)}) > 1 or not all(c.isascii() and c.isdigit() for c in cells):
        raise InputError(f"the picture {label!r} needs rows of equally many whole numbers.")
    if not 0 < len(cells) <= MOST_CELLS or max(map(len, cells)) > 3:
        raise InputError(f"the picture {label!r} has 1 to {MOST_CELLS} numbers, each below 1000.")
    return ["picture", {"label": label}, "\n".join(map(" ".join, rows))]


def _code(tree: SyntaxTreeNode) -> list[Any]:
    """Lines of code; of a `program` a line that ends in @name is lit when the run stands there."""
    if tree.info.strip() != "program":
        return [tree.content.rstrip("\n")]
    made: list[Any] = []
    for line in tree.content.rstrip("\n").split("\n"):
        words, _, name = line.partition("@")
        is_lit = name in RUN_STANDS
        made += [["span", {"class": f"nk-at-{name}"}, words.rstrip()] if is_lit else line, "\n"]
    return made[:-1]
