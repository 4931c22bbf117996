"""The guide "Before you fit" prints what it says it prints."""

from __future__ import annotations

import io
import re
from contextlib import redirect_stdout
from pathlib import Path

from novikoff.certificates.model import RESPONSES

GUIDE = Path(__file__).parent.parent / "docs" / "before_you_fit.md"
BLOCKS = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", GUIDE.read_text(), re.DOTALL)


def test_every_example_of_the_guide_prints_what_stands_below_it():
    names: dict[str, object] = {}
    for code, said in BLOCKS:
        with redirect_stdout(io.StringIO()) as out:
            exec(compile(code, str(GUIDE), "exec"), names)
        assert out.getvalue() == said


def test_every_model_has_an_example():
    used = set(re.findall(r'model="([\w-]+)"', "".join(code for code, _ in BLOCKS)))
    assert used == set(RESPONSES)


def test_every_block_of_code_has_its_output():
    assert GUIDE.read_text().count("```python") == len(BLOCKS)
