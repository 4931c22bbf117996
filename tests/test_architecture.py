"""docs/architecture.md is the contract and the code, not a memory of them."""

from __future__ import annotations

import ast
import itertools
import re
import tokenize
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "novikoff"
TEXT = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
JOURNEYS = {
    part.splitlines()[0]: re.findall(r"^\d+\. `([^`]+)`", part, re.MULTILINE)
    for part in re.split(r"^### ", TEXT, flags=re.MULTILINE)[1:]
}
FOLDERS_WITH_MAPS = (
    "certificates", "cli", "display", "distributed", "estimators", "exact", "inputs", "io",
    "io/cache", "io/text", "loops", "models", "online", "online/stream", "regression", "runs",
    "search", "studio", "studio/lessons", "studio/pictures", "verdicts",
)  # fmt: skip


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


def test_there_are_five_journeys_of_at_most_ten_hops():
    assert len(JOURNEYS) == 5
    assert all(5 <= len(hops) <= 10 for hops in JOURNEYS.values())


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
    found: set[str] = set()
    for node in ast.walk(ast.parse((SOURCE / hop).read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{name.name}" for name in node.names)}
    return found


def test_five_questions_have_one_file_each():
    table = TEXT.split("## Five questions")[1].split("##")[0]
    answers = re.findall(r"^\| (.+\?) \| `([\w/.]+)` \|$", table, re.MULTILINE)
    assert len(answers) == 5


@pytest.mark.parametrize("folder", FOLDERS_WITH_MAPS)
def test_the_map_of_a_folder_names_every_file_in_it(folder):
    here = SOURCE / folder
    said = ast.get_docstring(ast.parse((here / "__init__.py").read_text(encoding="utf-8"))) or ""
    words = set(re.findall(r"\w+", said))
    there = {path.stem for path in here.glob("*.py") if not path.name.startswith("__")}
    assert sorted(there - words) == []


def test_lines_are_lines_of_weights_wherever_the_code_speaks_of_them():
    rooms = ("models/", "online/lines.py", "online/weights.py", "studio/timeline.py")
    passes = ("averaged", "joint", "kernel", "perceptron", "pocket", "rescaled", "tiles", "voted")
    homes = (*rooms, *(f"loops/{kind}.py" for kind in passes))
    of_text = {"certificates/checker.py", "online/stream/checkpoint.py", "online/stream/stream.py"}
    found = set()
    for path in SOURCE.rglob("*.py"):
        with tokenize.open(path) as file:
            words = [token.string for token in tokenize.generate_tokens(file.readline)]
        name = path.relative_to(SOURCE).as_posix()
        said = any(a == "lines" and b != "import" for a, b in itertools.pairwise(words))
        if said and not name.startswith(homes):
            found.add(name)
    assert found == of_text
