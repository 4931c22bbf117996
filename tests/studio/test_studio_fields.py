"""What the page is sent is what page/types.js says, by which the page's modules are checked."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import novikoff as nk
from node import needs_node, told
from novikoff.studio.assets import MODULES, POCKET, page_file
from novikoff.studio.session import Session

ROOT = Path(__file__).resolve().parents[2]
PAGE = Path(nk.__file__).parent / "studio" / "page"
WORDS = {"string": str, "number": (int, float), "boolean": bool, "null": type(None)}


def shapes() -> dict[str, dict[str, str]]:
    """The fields of every type of page/types.js, each with its own type as a text."""
    text = re.sub(r"\n \*\s*", " ", page_file("types.js").decode())
    found = re.findall(r"@typedef \{\{(.*?)\}\} (\w+)", text)
    return {
        name: dict(re.findall(r"(\w+\??): ([^:]+?)(?=, \w+\??:|$)", fields))
        for fields, name in found
    }


SHAPES = shapes()


def faults(value: Any, kind: str, place: str = "") -> list[str]:
    """Where a JSON value is not of a type."""
    kind = kind.strip()
    if " | " in kind and not kind.startswith("("):
        return min((faults(value, one, place) for one in kind.split(" | ")), key=len)
    if kind.endswith("[]"):
        if not isinstance(value, list):
            return [f"{place}: {value!r} is not a list"]
        inner = kind[:-2].strip("()")
        return [fault for one in value for fault in faults(one, inner, f"{place}[]")]
    if kind in SHAPES:
        if not isinstance(value, dict):
            return [f"{place}: {value!r} is not a {kind}"]
        fields = SHAPES[kind]
        known = {name.rstrip("?") for name in fields}
        found = [f"{place}.{key} is not written down" for key in set(value) - known]
        for name, one in fields.items():
            if name in value or not name.endswith("?"):
                inside = f"{place}.{name}"
                found += (
                    faults(value[name], one, inside) if name in value else [f"{inside} is missing"]
                )
            elif name[:-1] in value:
                found += faults(value[name[:-1]], one, f"{place}.{name}")
        return found
    is_wrong = kind != "any" and not isinstance(value, WORDS[kind])
    is_wrong |= kind == "number" and isinstance(value, bool)
    return [f"{place}: {value!r} is not {kind}"] if is_wrong else []


def test_a_view_that_is_not_as_written_down_is_found():
    view = Session().view(Session().state)
    assert len(SHAPES) > 40
    assert len(SHAPES["Sent"]) == len(view)
    assert faults(view, "Sent") == []
    assert faults(view | {"problem": 3}, "Sent")
    assert faults(view | {"more": 3}, "Sent")
    assert faults({key: view[key] for key in view if key != "run"}, "Sent")
    run = view["run"]
    for wrong in ({"start": [1, "2"]}, {"overlays": None}, {"stretch": 1.0}):
        assert faults(view | {"run": run | wrong}, "Sent")


@needs_node
@pytest.mark.parametrize(
    ("name", "edits"),
    [
        ("lecture:002", [{"do": "select", "row": 1}, {"do": "visit", "by": -1}]),
        ("lecture:002", [{"do": "lesson", "name": "000", "step": 7}, {"do": "line"}]),
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
    assert faults(reply["view"], "Sent") == []
    assert faults(reply["menu"], "Menu") == []
    session.handle({"ask": "decide"})
    assert faults(session.view(session.state), "Sent") == []
    assert faults(told(session), "View") == []


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
