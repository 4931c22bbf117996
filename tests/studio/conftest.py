"""What tests of pages without Python share."""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from novikoff.studio.lessons.handout import lesson_page
from novikoff.studio.lessons.shelf import SHIPPED


@pytest.fixture(scope="session")
def lesson_file(tmp_path_factory) -> Callable[[str], Path]:
    """The page of a lesson as a file, made once for all workers: most take seconds."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "lessons"
    folder.mkdir(exist_ok=True)

    def made(name: str) -> Path:
        path = folder / f"{name}.html"
        if not path.exists():
            following = dict(pairwise(SHIPPED)).get(name)
            part = path.with_suffix(f".{os.getpid()}")
            part.write_text(lesson_page(name, following), encoding="utf-8")
            part.replace(path)
        return path

    return made
