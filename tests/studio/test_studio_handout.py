"""A lesson as one HTML file: all of it is there, nothing runs, and it needs no Python."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from novikoff.studio.lessons.drawing import radii, shapes
from playwright.sync_api import Page, expect

from browser import faults, without_complaints
from novikoff.cli.studio import studio
from novikoff.studio.computations import Computations
from novikoff.studio.lessons.handout import handout
from novikoff.studio.lessons.reading import read_lesson
from novikoff.studio.lessons.shelf import shipped

HOSTILE = """---
title: "<script>alert(1)</script>"
---
## <img src=x onerror=alert(2)> & "quotes"
Words <script>alert(3)</script> and $x < y$.

```data a"><svg onload=alert(4)>
<b>x</b>,y&z,label
1,2,<i>a</i>
3,4,b>
```
```show
data: a"><svg onload=alert(4)>
k: 0
light: table, bound, row 1, row 9
```
```ask
question: <iframe src=http://evil.example> How many rows?
kind: number
answer: rows
right: <script>alert(5)</script>
```
"""


def test_every_step_its_words_its_picture_and_its_answer_are_in_the_file():
    lesson = shipped("000")
    text = handout(lesson, Computations(), "000.md")
    assert text.count("<section") == len(lesson.steps)
    assert text.count('class="nk-plane-picture"') == len(lesson.steps)
    folded = [step.ask for step in lesson.steps if step.ask and step.ask.kind != "do"]
    assert text.count("<details>") == len(folded)
    assert "Row 3." in text  # the next mistake after the first
    assert ">5.</strong>" in text  # the bound, as the library gives it
    assert "novikoff studio 000.md" in text
    assert "<math" in text


def test_a_hostile_lesson_stays_text_and_the_file_asks_for_nothing():
    text = handout(read_lesson(HOSTILE), Computations())
    assert re.findall(r"<(script|img|iframe|object|embed|form|link|base)\b", text) == []
    tags = re.findall(r"<[a-z][^>]*>", re.sub(r'"[^"]*"', '""', text.partition("</style>")[2]))
    assert [tag for tag in tags if re.search(r"\son\w+=", tag)] == []
    assert "&lt;script&gt;alert(3)&lt;/script&gt;" in text
    assert "default-src 'none'" in text
    assert re.findall(r'(?:src|href)="(?!#)', text) == []
    assert re.findall(r"url\(|@import", text) == []


def test_titles_and_headings_have_their_mathematics():
    text = handout(read_lesson("# On $x^2$\n## Why $x_1$?\nWords.\n"), Computations())
    math = r"<math[^>]*><mrow><{0}><mi>x</mi><mn>{1}</mn></{0}></mrow></math>"
    assert "<title>On x²</title>" in text
    assert re.search(f"<h1>On {math.format('msup', 2)}</h1>", text)
    assert re.search(rf"<h2>1\. Why {math.format('msub', 1)}\?</h2>", text)
    assert re.search(rf'<a href="#step-1">Why {math.format("msub", 1)}\?</a>', text)


def test_what_the_file_does_not_show_is_not_searched_for(monkeypatch):
    """Infinite coefficients of ten classes of digits take longer than all the rest of a lesson."""

    def never(*_):
        raise AssertionError("a regression is not in the file")

    monkeypatch.setattr("novikoff.studio.computations.regression", never)
    text = handout(read_lesson("## One\n```show\ndata: iris\n```\n"), Computations())
    assert "1 of 3 classes separable in 4 columns" in text


def test_outlines_are_those_of_the_page():
    assert len(shapes()) == 10
    assert all(re.fullmatch(r"[MLHVAZ0-9. -]+", shape) for shape in shapes())
    assert radii()["blocking"] == 11.0


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_file_opens_by_itself_and_axe_finds_nothing(page: Page, tmp_path, scheme):
    path = tmp_path / "lesson.html"
    path.write_text(handout(shipped("tour"), Computations()))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.emulate_media(color_scheme=scheme)
    with without_complaints(page):
        for width in (1440, 390):
            page.set_viewport_size({"width": width, "height": 900})
            page.goto(path.as_uri())
            expect(page.locator("section")).to_have_count(4)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert page.locator("svg.nk-plane-picture").first.bounding_box()["width"] > 300
            assert faults(page) == []
    assert set(asked) == {path.as_uri()}


def test_the_command_writes_it_and_refuses_what_is_no_lesson(tmp_path: Path):
    lesson, page = tmp_path / "lesson.md", tmp_path / "lesson.html"
    lesson.write_text("## One\nWords.\n```show\ndata: xor\n```\n")
    run = CliRunner().invoke
    assert run(studio, [str(lesson), "--output", str(page)]).exit_code == 0
    assert "this run never ends" in page.read_text()
    refused = run(studio, ["xor", "--output", str(page)])
    assert refused.exit_code == 2
    assert "--output is for a lesson" in refused.output
    same = run(studio, [str(lesson), "--output", str(lesson)])
    assert same.exit_code == 2
    assert lesson.read_text().startswith("## One")
