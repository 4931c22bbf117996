"""Modules of the page under node: what they make of JSON, and the screen that a person sees."""

from __future__ import annotations

import atexit
import json
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from novikoff.studio.assets import MODULES, POCKET, page_file
from novikoff.studio.menu import menu
from novikoff.studio.session import Session

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
ANSWER = """import { createInterface } from "readline";
const modules = await Promise.all(NAMES.map((one) => import(one)));
const page = Object.assign({}, ...modules);
for await (const line of createInterface({ input: process.stdin })) {
  const { script, given } = JSON.parse(line), told = {};
  try { told.value = new Function("page", "given", script)(page, given) ?? null; }
  catch (error) { told.error = String(error.stack); }
  console.log(JSON.stringify(told));
}
"""


@cache
def _process() -> subprocess.Popen[str]:
    """One node for all tests of a process, with all modules of the page."""
    folder = tempfile.TemporaryDirectory()
    for name in (*MODULES, *POCKET):
        (Path(folder.name) / name).write_bytes(page_file(name))
    (Path(folder.name) / "package.json").write_text('{"type": "module"}')
    names = json.dumps([f"./{name}" for name in (*MODULES, *POCKET)])
    (Path(folder.name) / "answer.js").write_text(ANSWER.replace("NAMES", names))
    process = subprocess.Popen(
        ["node", "answer.js"], cwd=folder.name, text=True, encoding="utf-8",
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    atexit.register(lambda: (process.kill(), process.wait(), folder.cleanup()))
    return process


def in_node(script: str, given: Any) -> Any:
    """What a function of `page`, with all that its modules export, and `given` returns."""
    process = _process()
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps({"script": script, "given": given}) + "\n")
    process.stdin.flush()
    told = json.loads(process.stdout.readline())
    assert "error" not in told, told
    return told["value"]


TOLD = "return given.views.map((view) => page.toldView(view, given.state, given.menu));"
MARKS = """const { state, view } = given, { scene } = view, sight = page.sightOf(state);
const isEven = state.stretch === 1;
const lines = page.lineMarks(scene.lines, sight, isEven, scene.letter);
const { under, over } = page.sceneMarks(scene, state.rows, sight, isEven);
return { under: [...(scene.regions ? lines.regions : []), ...under, ...lines.boundaries],
  over: [...over, ...lines.normal] };
"""


def told(session: Session) -> Any:
    """The screen of a session, in words."""
    state = session.state
    given = {"views": [session.view(state)], "state": state.to_json(), "menu": menu()}
    return in_node(TOLD, given)[0]


def marks_of(session: Session, view: Any = None) -> dict[str, list[Any]]:
    """The marks under and over the rows, as the page draws them."""
    return in_node(MARKS, {"view": view or told(session), "state": session.state.to_json()})
