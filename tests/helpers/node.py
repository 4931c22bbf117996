"""Modules of the page under node: what they say of something given as JSON."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import pytest

from novikoff.studio.assets import MODULES, POCKET, page_file

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
READ = """import { readFileSync } from "fs";
const given = JSON.parse(readFileSync("given.json", "utf8"));
const told = (value) => console.log(JSON.stringify(value));
"""


def in_node(script: str, given: Any, folder: Path) -> Any:
    """What a script tells of `given`; it may import the modules of the page."""
    (folder / "package.json").write_text('{"type": "module"}')
    for name in (*MODULES, *POCKET):
        (folder / name).write_bytes(page_file(name))
    (folder / "given.json").write_text(json.dumps(given))
    (folder / "script.js").write_text(READ + script)
    ran = subprocess.run(["node", "script.js"], cwd=folder, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


MARKS = """import { lineMarks, sceneMarks } from "./sketch.js";
const [left, right, bottom, top] = given.window, [width, height] = given.size;
const sight = { left, right, bottom, top, width, height }, isEven = given.stretch === 1;
const { scene, rows } = given, { under, over } = sceneMarks(scene, rows, sight, isEven);
const lines = lineMarks(scene.lines, sight, isEven, scene.letter);
told({ under: [...(scene.regions ? lines.regions : []), ...under, ...lines.boundaries],
  over: [...over, ...lines.normal] });
"""


def marks_of(view: Any, state: Any) -> dict[str, list[Any]]:
    """The marks under and over the rows, as the page draws them of what it is told."""
    given = {
        "scene": view["scene"], "window": view["frame"]["window"], "rows": state.rows_json(),
        "size": state.size, "stretch": state.stretch,
    }  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        return in_node(MARKS, given, Path(folder))
