"""Write the types of the studio's page, page/types.js, from the shapes of studio/fields.py."""

from __future__ import annotations

import textwrap
import types
from pathlib import Path
from typing import Any, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

from novikoff.studio import fields

_WORDS: dict[Any, str] = {
    str: "string", int: "number", float: "number", bool: "boolean", type(None): "null", Any: "any",
}  # fmt: skip

PAGE = Path(__file__).resolve().parent.parent / "src" / "novikoff" / "studio" / "page"
WIDTH = 119  # of a line of the page's modules


def shapes() -> dict[str, Any]:
    """Every shape that is written down, by its name."""
    return {name: one for name, one in vars(fields).items() if is_typeddict(one)}


def in_jsdoc(kind: Any) -> str:
    """A type as the page's modules write it."""
    if kind in _WORDS:
        return _WORDS[kind]
    if kind == fields.Row:
        return "Row"
    origin, inner = get_origin(kind), get_args(kind)
    if origin is list:
        of = in_jsdoc(inner[0])
        return f"({of})[]" if "|" in of else f"{of}[]"
    if origin is tuple:
        return f"[{', '.join(map(in_jsdoc, inner))}]"
    if origin in (Union, types.UnionType):
        return " | ".join(map(in_jsdoc, inner))
    if origin is NotRequired:
        return in_jsdoc(inner[0])
    return str(kind.__name__)


def _comment(text: str) -> list[str]:
    """A comment in one line, or in as many as it needs."""
    if len(text) <= WIDTH - 7:
        return [f"/** {text} */"]
    return [
        "/**",
        *textwrap.wrap(text, WIDTH, initial_indent=" * ", subsequent_indent=" *   "),
        " */",
    ]


def module_text() -> str:
    """page/types.js."""
    text_lines = [
        "// @ts-check",
        "/** What Python sends, as types. Made from fields.py by scripts/page_types.py. */",
        "",
        "/** @typedef {[number, number, number]} Row  x, y and the place of the class */",
    ]
    for name, shape in shapes().items():
        hints = get_type_hints(shape, include_extras=True)
        parts = ", ".join(
            f"{field}{'?' * (field in shape.__optional_keys__)}: {in_jsdoc(kind)}"
            for field, kind in hints.items()
        )
        about = " ".join((shape.__doc__ or "").split())
        about = f"  {about.rstrip('.')}" if about and not about.startswith("dict(") else ""
        text_lines += _comment(f"@typedef {{{{{parts}}}}} {name}{about}")
    text_lines += [
        "/** @typedef {{send: (message: any) => void, close: () => void}} Link */",
        *_comment(
            "@typedef {(handlers: {open: () => void, reply: (reply: Reply) => void, "
            "lost: (why: string) => void}) => Link} Connect"
        ),
        "",
        "export {};",
        "",
    ]
    return "\n".join(text_lines)


if __name__ == "__main__":
    (PAGE / "types.js").write_text(module_text())
