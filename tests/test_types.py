"""Static tools see every public name: a user's file as mypy and pyright read it."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import novikoff as nk

SOURCE = Path(nk.__file__).parent
FILES = Path(__file__).with_name("typed")


def run(*command, **environment):
    return subprocess.run(
        [sys.executable, "-m", *map(str, command)], capture_output=True, text=True, check=False,
        env={**os.environ, **environment},
    )  # fmt: skip


def mypy(folder):
    """The lines on which mypy finds an error, by file."""
    done = run(
        "mypy", "--strict", "--config-file", os.devnull, "--follow-imports", "silent",
        "--cache-dir", folder, FILES / "good.py", FILES / "bad.py", MYPYPATH=str(SOURCE.parent),
    )  # fmt: skip
    assert done.returncode in (0, 1), done.stdout + done.stderr
    found = [line.split(":") for line in done.stdout.splitlines() if ": error:" in line]
    return {(Path(name).name, int(number)) for name, number, *_ in found}, done.stdout


def pyright(folder):
    """The same of pyright, in the build that needs no network."""
    settings = {
        "include": [str(FILES / "good.py"), str(FILES / "bad.py")],
        "extraPaths": [str(SOURCE.parent)],
        "typeCheckingMode": "standard",
        "reportUnnecessaryComparison": "error",
    }
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    done = run("basedpyright", "--outputjson", "-p", folder, "--pythonpath", sys.executable)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    found = json.loads(done.stdout)["generalDiagnostics"]
    places = [(one["file"], one["range"]["start"]["line"] + 1) for one in found
              if one["severity"] == "error"]  # fmt: skip
    return {(Path(name).name, number) for name, number in places}, done.stdout


@pytest.mark.parametrize("tool", [mypy, pyright])
def test_a_users_file_passes_and_every_slip_is_found_on_its_line(tool, tmp_path):
    lines = (FILES / "bad.py").read_text().splitlines()
    marked = {("bad.py", k) for k, line in enumerate(lines, 1) if line.endswith("# wrong")}
    found, said = tool(tmp_path)
    assert found == marked, said


def test_static_tools_and_python_see_the_same_names_in_the_same_homes():
    tree = ast.parse((SOURCE / "__init__.py").read_text())
    (block,) = [node for node in tree.body if isinstance(node, ast.If)]
    static = {
        alias.asname: statement.module
        for statement in block.body
        for alias in statement.names
        if alias.asname == alias.name
    }
    assert len(static) == len(block.body)
    assert static == {**nk._HOMES, **dict.fromkeys(nk._MODULES, "novikoff")}
    assert sorted([*static, "__version__"]) == nk.__all__


def test_no_public_function_returns_just_anything():
    for name in nk.__all__:
        value = getattr(nk, name)
        if callable(value) and not isinstance(value, type):
            assert value.__annotations__["return"] != "Any", name
    for module in (nk.datasets, nk.geometry, nk.distributed):
        for name in module.__all__:
            value = getattr(module, name)
            if callable(value) and not isinstance(value, type):
                assert value.__annotations__["return"] != "Any", name
