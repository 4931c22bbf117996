"""What the page is sent is what fields.py says, and what the page's modules are checked against."""

from __future__ import annotations

import os
import shutil
import subprocess
import types
from pathlib import Path
from typing import Any, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

import pytest
from page_types import module_text

import novikoff as nk
from novikoff.studio.assets import MODULES, POCKET, page_file
from novikoff.studio.fields import Menu, View
from novikoff.studio.session import Session

ROOT = Path(__file__).resolve().parents[2]
PAGE = Path(nk.__file__).parent / "studio" / "page"


def faults(value: Any, kind: Any, place: str = "") -> list[str]:
    """Where a JSON value is not of a kind."""
    if kind is Any:
        return []
    if is_typeddict(kind):
        if not isinstance(value, dict):
            return [f"{place}: {value!r} is not a {kind.__name__}"]
        hints = get_type_hints(kind, include_extras=True)
        found = [f"{place}.{key} is not written down" for key in set(value) - set(hints)]
        found += [f"{place}.{key} is missing" for key in kind.__required_keys__ - set(value)]
        for key, one in hints.items():
            inner = get_args(one)[0] if get_origin(one) is NotRequired else one
            found += faults(value[key], inner, f"{place}.{key}") if key in value else []
        return found
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return min((faults(value, one, place) for one in inner), key=len)
    if origin is list:
        if not isinstance(value, list):
            return [f"{place}: {value!r} is not a list"]
        return [fault for one in value for fault in faults(one, inner[0], f"{place}[]")]
    number = kind is float and isinstance(value, int) and not isinstance(value, bool)
    return [] if number or type(value) is kind else [f"{place}: {value!r} is not {kind}"]


@pytest.mark.parametrize(
    ("name", "edits"),
    [
        ("lecture:002", [{"do": "select", "row": 1}]),
        ("lecture:001", [{"do": "overlay", "preset": "starts"}, {"do": "go", "k": 0}]),
        ("xor", []),
        ("xor", [{"do": "set", "key": "map", "value": "quadratic"}]),
        ("iris", []),
        ("wine", [{"do": "go", "k": 3}]),
        ("lecture:002", [{"do": "clear"}]),
    ],
)
def test_every_section_of_a_view_has_the_fields_that_are_written_down(name, edits):
    session = Session()
    reply = session.handle({"hello": True, "edits": [{"do": "load", "name": name}, *edits]})
    assert faults(reply["view"], View) == []
    assert faults(reply["menu"], Menu) == []
    session.handle({"ask": "decide"})
    assert faults(dict(session.view(session.state)), View) == []


def test_the_types_of_the_page_are_made_from_the_fields():
    assert (PAGE / "types.js").read_text() == module_text(), "run python scripts/page_types.py"


def compiler() -> list[str] | None:
    """TypeScript, where it is on this machine; nothing is fetched."""
    if shutil.which("node") is None:
        return None
    kept = sorted(Path.home().glob(".npm/_npx/*/node_modules/typescript/bin/tsc"))
    known = [Path(os.environ["NOVIKOFF_TSC"])] if "NOVIKOFF_TSC" in os.environ else kept
    found = shutil.which("tsc")
    return [found] if found else ["node", str(known[0])] if known else None


@pytest.mark.skipif(compiler() is None, reason="needs node with TypeScript; see make types")
def test_the_modules_of_the_page_keep_to_the_types():
    done = subprocess.run(
        [*compiler(), "-p", str(ROOT / "jsconfig.json")], capture_output=True, text=True,
        check=False, cwd=ROOT,
    )  # fmt: skip
    assert done.stdout == ""
    assert done.returncode == 0


def test_modules_are_small_and_have_one_task():
    for name in (*MODULES, *POCKET):
        lines = page_file(name).decode().splitlines()
        assert lines[0] == "// @ts-check", name
        assert lines[1].startswith("/**"), name
        assert len(lines) <= 490, name
        assert max(map(len, lines)) < 120, name
    types = page_file("types.js").decode().splitlines()
    assert max(map(len, types)) < 120
    on_disk = {path.name for path in PAGE.glob("*.js")}
    assert on_disk == {*MODULES, *POCKET, "types.js", "gate.js"}


def test_the_page_weighs_less_than_400_kilobytes():
    assert sum(path.stat().st_size for path in PAGE.iterdir()) < 400_000
