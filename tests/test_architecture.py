"""docs/architecture.md is the contract and the code, not a memory of them."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest
import room_lines

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "novikoff"
TEXT = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
JOURNEYS = {
    part.splitlines()[0]: re.findall(r"^\d+\. `([^`]+)`", part, re.MULTILINE)
    for part in re.split(r"^### ", TEXT, flags=re.MULTILINE)[1:]
}
FOLDERS = [path.parent for path in sorted(SOURCE.glob("*/**/__init__.py"))]


def test_the_picture_is_the_contract_line_by_line():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contract = settings["tool"]["importlinter"]["contracts"][0]["layers"]
    picture = re.search(r"```text\n(.*?)```", TEXT, re.DOTALL)[1]
    drawn = [re.split(r"  +", line)[0] for line in picture.splitlines()]
    assert drawn == [layer.replace("novikoff.", "") for layer in contract]


def test_every_module_of_the_hall_is_a_layer():
    picture = re.search(r"```text\n(.*?)```", TEXT, re.DOTALL)[1]
    drawn = set(re.findall(r"[a-z_]+", "\n".join(re.findall(r"^\S.*?(?=  )", picture, re.M))))
    there = {path.stem for path in SOURCE.iterdir() if not path.name.startswith("__")}
    assert there - drawn <= {"missing", "py"}  # a stand-in for what is not installed; a mark


def test_every_file_that_is_named_exists():
    named = set(re.findall(r"`((?:[\w.]+/)*[\w.]+\.(?:py|js))`", TEXT))
    assert len(named) > 40
    homes = (SOURCE, ROOT, SOURCE.parent)
    assert [name for name in sorted(named) if not any((h / name).is_file() for h in homes)] == []


@pytest.mark.parametrize("journey", JOURNEYS)
def test_every_hop_is_imported_by_one_before_it(journey):
    hops = [hop for hop in JOURNEYS[journey] if hop.endswith(".py")]
    imported: set[str] = set()
    for place, hop in enumerate(hops):
        if place and imported.isdisjoint(names_of(hop)):
            raise AssertionError(f"no earlier hop imports {hop}")
        imported |= imports_of(hop)


def names_of(hop: str) -> set[str]:
    """The module, and its package where that hands on a name of it."""
    module = "novikoff." + hop.removesuffix(".py").replace("/", ".")
    package = module.rpartition(".")[0]
    hands_on = module in imports_of(f"{Path(hop).parent}/__init__.py")
    return {module, package} if hands_on else {module}


def imports_of(hop: str) -> set[str]:
    """What a file imports; a table may name modules of its own room as 'module:Class'."""
    found: set[str] = set()
    room = str(Path(hop).parent).replace("/", ".")
    for node in ast.walk(ast.parse((SOURCE / hop).read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{name.name}" for name in node.names)}
        named = isinstance(node, ast.Constant) and re.fullmatch(
            r"([a-z_]+):[A-Z]\w+", str(node.value)
        )
        if named:
            found.add(f"novikoff.{room}.{named[1]}")
    return found


def test_no_room_outgrows_its_limit():
    found = room_lines.rooms(TEXT)
    grown = {room.names: room.lines for room in found if room.lines > room.limit}
    assert grown == {}, "cut a concept, or raise the limit in docs/architecture.md and say why"
    named = {name for room in found for name in room.names} - {room_lines.TOP}
    assert named == {path.parent.name for path in SOURCE.glob("*/__init__.py")}


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.relative_to(SOURCE).as_posix())
def test_the_map_of_a_folder_names_every_file_in_it(folder):
    """In its docstring, or in the imports of its public names."""
    words = set(re.findall(r"\w+", (folder / "__init__.py").read_text(encoding="utf-8")))
    there = {path.stem for path in folder.glob("*.py") if not path.name.startswith("__")}
    assert sorted(there - words) == []


def test_every_room_has_tests_of_its_name_and_one_file_of_them_is_quick():
    rooms = {path.parent.name for path in SOURCE.glob("*/__init__.py")}
    assert rooms <= {path.name for path in (ROOT / "tests").iterdir()}
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    quick = re.search(r"QUICK := (.*?)\n\n", makefile, re.DOTALL)[1].replace("\\", "").split()
    assert [name for name in quick if not (ROOT / "tests" / f"{name}.py").exists()] == []
    assert rooms <= {name.partition("/")[0] for name in quick}
