"""The words of a lesson: Markdown as a tree of nodes, from a short list of elements.

The page builds elements from the nodes, one by one, and only those on its own list: a lesson's
text never becomes HTML. Markdown's own HTML is off, so that `<script>` is the eight characters;
pictures are left out, and links are words with their address behind them, since the page loads
nothing from elsewhere. Mathematics stands between dollars (`mathml.py`).
"""

from __future__ import annotations

import re
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from novikoff.errors import InputError
from novikoff.studio.lessons.mathml import DEEPEST, Node, math

_ELEMENTS = {
    "paragraph": "p", "bullet_list": "ul", "ordered_list": "ol", "list_item": "li", "em": "em",
    "strong": "strong", "blockquote": "blockquote", "table": "table", "thead": "thead",
    "tbody": "tbody", "tr": "tr", "th": "th", "td": "td",
}  # fmt: skip
RUN_STANDS = ("start", "look", "update", "stop")  # where a run is, of a program's lines
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


def _code(token: Token) -> list[Any]:
    """Lines of code; of a `program` a line that ends in @name is lit when the run stands there."""
    lines = token.content.rstrip("\n").split("\n")
    if token.info.strip() != "program":
        return ["\n".join(lines)]
    made: list[Any] = []
    for line in lines:
        words, _, name = line.partition("@")
        made.append(
            ["span", {"class": f"nk-at-{name}"}, words.rstrip()] if name in RUN_STANDS else line
        )
        made.append("\n")
    return made[:-1]


def nodes_of(tokens: list[Token]) -> list[Node]:
    """The nodes of a run of tokens."""
    top: Node = ["div", {}]
    open_nodes = [top]
    for token in tokens:
        kind = token.type
        if kind.endswith("_open"):
            name = _ELEMENTS.get(kind.removesuffix("_open"))
            node: Node = [name or _heading(token), {}]
            if len(open_nodes) > DEEPEST:
                raise InputError(f"more than {DEEPEST} lists or quotes inside each other.")
            if not token.hidden:
                open_nodes[-1].append(node)
                open_nodes.append(node)
        elif kind.endswith("_close"):
            if not token.hidden:
                open_nodes.pop()
        elif kind == "inline":
            open_nodes[-1] += inline_nodes(token.children or [])
        elif kind == "math_block":
            open_nodes[-1].append(math(token.content, display=True))
        elif kind in ("fence", "code_block"):
            open_nodes[-1].append(["pre", {"tabindex": "0"}, *_code(token)])
        elif kind == "hr":
            open_nodes[-1].append(["hr", {}])
    return top[2:]


def _heading(token: Token) -> str:
    """A step's title is the page's h2: what is below it begins at h3."""
    return f"h{min(max(int(token.tag[1:]), 2) + 1, 6)}" if token.tag[:1] == "h" else "p"


def inline_nodes(tokens: list[Token]) -> list[Any]:
    """Nodes and texts inside a line."""
    top: Node = ["span", {}]
    open_nodes = [top]
    addresses: list[str] = []
    for token in tokens:
        kind = token.type
        if kind == "link_open":
            addresses.append(str(token.attrGet("href") or ""))
        elif kind == "link_close":
            open_nodes[-1].append(f" ({addresses.pop()})")
        elif kind in ("em_open", "strong_open"):
            if len(open_nodes) > DEEPEST:
                raise InputError(f"more than {DEEPEST} emphases inside each other.")
            node: Node = [_ELEMENTS[kind.removesuffix("_open")], {}]
            open_nodes[-1].append(node)
            open_nodes.append(node)
        elif kind in ("em_close", "strong_close"):
            open_nodes.pop()
        elif kind == "math_inline":
            open_nodes[-1].append(math(token.content))
        elif kind == "code_inline":
            open_nodes[-1].append(["code", {}, token.content])
        elif kind in ("softbreak", "hardbreak"):
            open_nodes[-1].append(" " if kind == "softbreak" else ["br", {}])
        else:
            open_nodes[-1].append(token.content)
    return top[2:]


def line_nodes(text: str) -> list[Any]:
    """One line with emphasis, code and mathematics."""
    return inline_nodes([child for token in _MARKDOWN.parseInline(text) for child in
                         token.children or []])  # fmt: skip
