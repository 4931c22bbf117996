"""What the package says of itself where it is published."""

from __future__ import annotations

import re
import tomllib
from itertools import chain
from pathlib import Path

import pytest

import novikoff as nk

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def test_the_project_names_its_authors_places_and_kinds():
    assert PROJECT["version"] == nk.__version__
    assert PROJECT["authors"]
    assert "urls" not in PROJECT  # an address is named when it leads somewhere
    kinds = PROJECT["classifiers"]
    assert "Typing :: Typed" in kinds
    assert (Path(nk.__file__).parent / "py.typed").exists()
    least = PROJECT["requires-python"].removeprefix(">=")
    assert f"Programming Language :: Python :: {least}" in kinds


def test_every_file_that_names_the_version_names_this_one():
    for name in ("CITATION.cff", "packaging/conda/meta.yaml"):
        found = re.search(
            r"^(?:version: |{% set version = \")([\d.]+)", (ROOT / name).read_text(), re.MULTILINE
        )
        assert found is not None, name
        assert found[1] == nk.__version__, name
    recipe = (ROOT / "packaging/conda/meta.yaml").read_text()
    for need in PROJECT["dependencies"]:
        assert f"- {need.replace('>=', ' >=')}\n" in recipe


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-bench.lock"])
def test_locked_versions_are_at_least_the_stated_minimums(name):
    locked = dict(re.findall(r"^([\w.-]+)==([\d.]+)", (ROOT / name).read_text(), re.MULTILINE))
    stated = [
        *PROJECT["dependencies"],
        *chain.from_iterable(PROJECT["optional-dependencies"].values()),
    ]
    for package, least in re.findall(r"([\w.-]+)>=([\d.]+)", " ".join(stated)):
        if package in locked:
            assert version(locked[package]) >= version(least), package


def version(text):
    return [int(part) for part in text.split(".")]
