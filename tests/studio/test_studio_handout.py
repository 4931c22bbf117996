"""A lesson as one HTML file, opened by a browser from a folder: it plays, asks and is dragged."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from playwright.sync_api import Page, expect

from browser import faults, without_complaints
from novikoff.cli.studio import studio
from novikoff.studio.assets import pocket_script
from novikoff.studio.computations import Computations
from novikoff.studio.lessons.handout import handout
from novikoff.studio.lessons.reading import read_lesson
from novikoff.studio.lessons.shelf import SHIPPED, shipped

HOSTILE = """---
title: "</script><script>alert(1)</script>"
---
## <img src=x onerror=alert(2)> & "quotes" <!-- <script>
Words </script><script>alert(3)</script> and $x < y$ <!--.

```data a"><svg onload=alert(4)>
<b>x</b>,y&z,label
1,2,</script><i>a</i>
3,4,b>
```
```show
data: a"><svg onload=alert(4)>
k: 0
light: table, bound, row 1
```
```ask
question: <iframe src=http://evil.example> How many rows?
kind: number
answer: rows
right: <script>alert(5)</script>
```
"""


def opened(page: Page, path: Path, step: int = 1) -> None:
    page.goto("about:blank")
    page.goto(f"{path.as_uri()}#step-{step}")
    expect(page.locator(".nk-lesson-place")).to_contain_text(f"Step {step} of")


def to_next(page: Page, step: int) -> None:
    page.get_by_role("button", name="Next", exact=True).click()
    expect(page.locator(".nk-lesson-place")).to_contain_text(f"Step {step} of")


@pytest.mark.browser
@pytest.mark.parametrize("name", SHIPPED)
def test_every_step_is_played_without_a_request_or_a_complaint(page: Page, lesson_file, name):
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    path, n_steps = lesson_file(name), len(shipped(name).steps)
    assert path.stat().st_size < 1_500_000
    page.set_viewport_size({"width": 1440, "height": 900})
    with without_complaints(page):
        opened(page, path)
        for step in range(1, n_steps + 1):
            heading = shipped(name).steps[step - 1].heading
            expect(page.locator(".nk-lesson-foot option:checked")).to_contain_text(heading)
            page.keyboard.press("Home")
            page.keyboard.press("ArrowRight")
            page.keyboard.press("End")
            last = page.locator(".nk-transport output").inner_text()
            found = re.fullmatch(r"k = ([\d,]+) of ([\d,]+)", last)
            assert found
            expect(page.locator(".nk-transport output")).to_have_text(
                f"k = {found[2]} of {found[2]}"
            )
            assert page.locator(".nk-plane svg path.row").count() or step == 1
            if step < n_steps:
                to_next(page, step + 1)
    assert {address.partition("#")[0] for address in asked} <= {path.as_uri(), "about:blank"}


@pytest.mark.browser
def test_a_lesson_of_a_site_ends_with_a_link_to_the_next(page: Page, lesson_file):
    for name, following in zip(SHIPPED, (*SHIPPED[1:], None), strict=True):
        opened(page, lesson_file(name), len(shipped(name).steps))
        link = page.get_by_role("link", name="Next lesson")
        expect(link).to_have_count(0 if following is None else 1)
        if following is not None:
            address = lesson_file(following).as_uri()
            link.click()
            expect(page).to_have_url(f"{address}#step-1")


@pytest.mark.browser
def test_play_moves_to_the_end_and_a_drag_changes_the_run(page: Page, lesson_file):
    page.set_viewport_size({"width": 1440, "height": 900})
    with without_complaints(page):
        opened(page, lesson_file("002"), 14)
        page.keyboard.press("Home")
        page.get_by_label("Speed").select_option("fast")
        page.get_by_role("button", name="Play").click()
        expect(page.locator(".nk-transport output")).to_have_text("k = 9 of 9")
        # Row 4 to a place close to the negative ones, as the lesson's own example has it.
        row = page.locator(".nk-plane path.row").nth(3).bounding_box()
        assert row
        x, y = row["x"] + row["width"] / 2, row["y"] + row["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x - 60, y + 20, steps=4)
        page.mouse.up()
        expect(page.locator(".nk-transport output")).not_to_have_text(re.compile("of 9$"))
        expect(page.locator(".nk-verdict")).to_contain_text("novikoff studio --lesson 002")
        page.get_by_role("button", name="Data and conventions").click()
        page.locator(".nk-plane").first.press("p")  # the last row, which is the fourth
        page.get_by_label("Across").fill("-0.9")
        page.get_by_label("Across").press("Enter")
        page.get_by_label("Up", exact=True).fill("1")
        page.get_by_label("Up", exact=True).press("Enter")
        expect(page.locator(".nk-answered.yes")).to_be_visible()
        page.get_by_role("button", name="Undo").click()
        page.get_by_role("button", name="Undo").click()
        page.get_by_role("button", name="Undo").click()
        expect(page.locator(".nk-transport output")).to_have_text(re.compile("of 9$"))


@pytest.mark.browser
def test_choices_rows_and_numbers_are_answered_and_kept(page: Page, lesson_file):
    page.set_viewport_size({"width": 390, "height": 844})
    with without_complaints(page):
        opened(page, lesson_file("000"), 8)  # which row is the first mistake?
        lines = page.locator(".nk-table tbody tr[data-k]")
        expect(lines).to_have_count(1)  # what comes next is hidden
        page.get_by_label("Row, by its number").fill("2")
        page.get_by_role("button", name="Check").click()
        expect(page.locator(".nk-answered.no")).to_be_visible()
        page.get_by_label("Row, by its number").fill("1")
        page.get_by_role("button", name="Check").click()
        expect(page.locator(".nk-answered.yes")).to_be_visible()
        expect(lines).to_have_count(4)
        opened(page, lesson_file("003"), 14)
        page.get_by_label("Your number").fill("1/2")
        page.get_by_label("Your number").press("Enter")
        expect(page.locator(".nk-answered.yes")).to_be_visible()
        to_next(page, 15)
        right = shipped("003").steps[14].ask
        assert right
        page.locator(f'[data-option="{1 - min(right.right_option, 1)}"]').click()
        expect(page.locator(".nk-answered.no")).to_contain_text("Not so.")
        page.locator(f'[data-option="{right.right_option}"]').click()
        expect(page.locator(".nk-answered.yes")).to_be_visible()
        page.get_by_role("button", name="Back", exact=True).click()
        expect(page.locator(".nk-answered.yes")).to_be_visible()  # the number of before
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_a_laptop_and_on_a_phone(page: Page, lesson_file, scheme):
    page.emulate_media(color_scheme=scheme)
    for width in (1440, 390):
        page.set_viewport_size({"width": width, "height": 844})
        opened(page, lesson_file("tour"), 2)
        assert faults(page) == []


@pytest.mark.browser
def test_a_hostile_lesson_stays_text(page: Page, tmp_path):
    path = tmp_path / "hostile.html"
    path.write_text(handout(read_lesson(HOSTILE), Computations(), "novikoff studio lesson.md"))
    rung: list[str] = []
    page.on("dialog", lambda dialog: (rung.append(dialog.message), dialog.dismiss()))
    with without_complaints(page):
        opened(page, path)
        page.get_by_label("Your number").fill("2")
        page.get_by_label("Your number").press("Enter")
        expect(page.locator(".nk-answered.yes")).to_contain_text("<script>alert(5)</script>")
        expect(page.locator(".nk-lesson h2")).to_contain_text("<img src=x onerror=alert(2)>")
    assert rung == []
    assert page.locator("iframe, img, object").count() == 0
    assert page.locator("script").count() == 2


def test_no_data_can_end_its_element_and_no_script_begins_one():
    text = handout(read_lesson(HOSTILE), Computations(), "novikoff studio lesson.md")
    data = text.partition('id="novikoff-data">')[2].partition("</script>")[0]
    assert "<" not in data
    assert json.loads(data)["lesson"]["headings"][0].startswith("<img")
    assert re.findall(r"</script|<!--", pocket_script()) == []
    assert re.search(r"default-src 'none'; script-src 'sha256-[^']{44}'; style-src", text)
    words = text.partition("<article")[2].partition("</article>")[0]
    assert re.findall(r"<(script|img|iframe|object|embed|form|link|base)\b", words) == []


@pytest.mark.browser
def test_without_scripts_the_words_and_the_answers_are_there(page: Page, lesson_file):
    context = page.context.browser.new_context(java_script_enabled=False)
    still = context.new_page()
    still.goto(lesson_file("000").as_uri())
    expect(still.locator("article section")).to_have_count(len(shipped("000").steps))
    expect(still.locator("article math").first).to_be_visible()
    context.close()


@pytest.mark.browser
def test_on_paper_every_step_has_its_picture(page: Page, lesson_file):
    page.goto(lesson_file("tour").as_uri())
    expect(page.locator(".nk-lesson-place")).to_be_visible()
    assert page.pdf()[:5] == b"%PDF-"
    steps = page.locator("article section")
    expect(steps).to_have_count(4)
    for place, n_rows in enumerate((4, 4, 4, 200)):
        expect(steps.nth(place).locator("path.row")).to_have_count(n_rows)
    expect(page.locator("article")).to_be_hidden()  # on the screen


@pytest.mark.browser
def test_a_set_and_a_file_run_in_their_pages_too(page: Page, tmp_path):
    for name in ("lecture:002", "iris", "xor"):
        path = tmp_path / "set.html"
        told = CliRunner().invoke(studio, [name, "--output", str(path)])
        assert told.exit_code == 0, told.output
        with without_complaints(page):
            page.goto(path.as_uri())
            expect(page.locator(".nk-pill")).to_be_visible()
            page.keyboard.press("Home")
            expect(page.locator(".nk-transport output")).to_contain_text("k = 0 of")
            expect(page.locator(".nk-lesson")).to_be_hidden()
            expect(page.get_by_label("Built-in set")).to_have_count(0)


def test_what_is_no_page_is_refused_in_a_sentence(tmp_path: Path):
    run = CliRunner().invoke
    page, lesson = tmp_path / "lesson.html", tmp_path / "lesson.md"
    lesson.write_text("## One\nWords.\n```show\ndata: xor\n```\n")
    assert run(studio, [str(lesson), "--output", str(page)]).exit_code == 0
    assert 'id="novikoff-data"' in page.read_text()
    for given, said in (
        (["--output", str(page)], "is one page; name a lesson"),
        (["xor", "--output", f"{tmp_path}/"], "is a folder; name a file"),
        (["xor", "--lesson", "002"], "--lesson does not go with DATA"),
    ):
        told = run(studio, given)
        assert told.exit_code == 2
        assert said in " ".join(told.output.split())
    same = run(studio, [str(lesson), "--output", str(lesson)])
    assert same.exit_code == 2
    assert lesson.read_text().startswith("## One")


def test_what_the_file_does_not_show_is_not_searched_for(monkeypatch):
    """Infinite coefficients of ten classes of digits take longer than all the rest of a lesson."""

    def never(*_):
        raise AssertionError("a regression is not in the file")

    monkeypatch.setattr("novikoff.studio.computations.regression", never)
    lesson = read_lesson("## A\n```show\ndata: iris\nlimit: 50\n```\n")
    page = handout(lesson, Computations(), "novikoff studio lesson.md")
    data = json.loads(page.partition('id="novikoff-data">')[2].partition("</script>")[0])
    verdict = next(part for part in data["parts"] if isinstance(part, dict) and "drawn" in part)
    found = [one["status"] for one in verdict["whole"]]
    assert found == ["separable", "overlapping", "overlapping"]


def test_all_lessons_are_written_into_a_folder_with_an_index(tmp_path, monkeypatch):
    monkeypatch.setattr("novikoff.studio.lessons.shelf.SHIPPED", ("tour",))
    folder = tmp_path / "pages"
    told = CliRunner().invoke(studio, ["--output", f"{folder}/"])
    assert told.exit_code == 0, told.output
    assert sorted(path.name for path in folder.iterdir()) == ["index.html", "tour.html"]
    index = (folder / "index.html").read_text()
    assert re.findall(r'href="(\w+)\.html"', index) == list(SHIPPED)
