"""The studio as a classroom, in a real browser: lessons, the tour, the proof, further pictures."""

from __future__ import annotations

import re
from contextlib import contextmanager

import pytest
from playwright.sync_api import Page, expect

import novikoff as nk
from browser import at_rest, eventually, faults, in_address, without_complaints
from novikoff.cli.studio import opened_lesson
from novikoff.studio.computations import Computations
from novikoff.studio.lessons.shelf import SHIPPED, shipped
from novikoff.studio.server import Server, bound_socket
from novikoff.studio.session import Session
from novikoff.studio.state import LessonPlace
from walking import PLACES, Walk, begin, walked

pytestmark = pytest.mark.browser
expect.set_options(timeout=20_000)


@pytest.fixture
def own_page(page: Page):
    """A page of a test's own, without complaints in the end."""
    with without_complaints(page):
        yield page


def heading_is(page: Page, text: str) -> None:
    expect(page.locator(".nk-lesson h2")).to_have_text(text)


def complaints(page: Page) -> list:
    at_rest(page)
    return faults(page)


def place_of(page: Page, i: int) -> tuple[float, float]:
    """Where row i is on the plane, in pixels, once nothing moves."""
    at_rest(page)
    moved = page.locator(".rows path").nth(i).get_attribute("transform") or ""
    x, y = map(float, re.findall(r"-?[\d.]+", moved)[:2])
    return x, y


@pytest.mark.parametrize("name", SHIPPED)
def test_a_lesson_is_walked_to_its_end_by_keys_and_by_mouse(studio, name, fresh_seed):
    """In two of four places, light and dark; in which ones, and how, changes from run to run.

    In every run each place is walked in. axe looks at a quarter of the steps of a walk, and at the
    colours of one. `make evidence` walks every lesson in all 16 ways, with axe on every step.
    """
    begin(studio, name)
    steps, found = shipped(name).steps, []
    first = fresh_seed + SHIPPED.index(name)
    for turn in range(2):
        place = list(PLACES)[(first + 2 * turn) % 4]
        scheme = ("light", "dark")[(fresh_seed // 4 + turn) % 2]
        by = ("keys", "mouse")[(fresh_seed // 8 + SHIPPED.index(name) // 2 + turn) % 2]
        looks = {i: False for i in range(len(steps)) if (i + fresh_seed // 16 + turn) % 4 == 0}
        looks[(fresh_seed // 64 + turn * len(steps) // 2) % len(steps)] = True
        found += walked(studio, steps, Walk(place, scheme, by), looks)
    assert found == []


def test_a_first_visit_is_greeted_at_k_0_and_the_tour_tells_what_to_press(studio):
    expect(studio.locator(".nk-transport output")).to_have_text("k = 0 of 9")
    expect(studio.locator(".nk-now")).to_contain_text("Press play")
    welcome = studio.get_by_role("region", name="Welcome")
    expect(welcome).to_contain_text("Press play to watch it")
    welcome.get_by_role("button", name="Tour").click()
    heading_is(studio, "Rows and a line")
    expect(welcome).to_be_hidden()
    studio.keyboard.press("PageDown")
    heading_is(studio, "Press play")
    studio.keyboard.press("End")
    studio.get_by_label("Your number").fill("8")
    studio.keyboard.press("Enter")
    expect(studio.locator(".nk-answered")).to_contain_text("Not so.")
    studio.get_by_label("Your number").fill("9")
    studio.get_by_role("button", name="Check").click()
    expect(studio.locator(".nk-answered")).to_contain_text("Yes. After nine mistakes")
    studio.get_by_role("button", name="Close the lesson").click()
    expect(studio.locator(".nk-lesson")).to_be_hidden()
    studio.reload()
    expect(studio.locator(".nk-pill")).to_be_visible()
    expect(welcome).to_be_hidden()


def test_a_row_is_answered_by_clicking_it_and_a_place_survives_a_reload(studio):
    begin(studio, "000")
    place = next(i for i, one in enumerate(shipped("000").steps) if one.heading == "The perceptron")
    studio.get_by_label("Step of the lesson").select_option(str(place))
    heading_is(studio, "The perceptron")
    at_rest(studio)
    studio.locator(".rows path").first.click(force=True)
    field = studio.get_by_label("Row, by its number; or click it")
    expect(field).to_have_value("1")
    studio.get_by_role("button", name="Check").click()
    expect(studio.locator(".nk-answered.yes")).to_contain_text("its score is 0")
    kept = LessonPlace("000", place, ((place, "1"),))
    eventually(studio, lambda: getattr(in_address(studio), "lesson", None), kept)
    studio.reload()
    heading_is(studio, "The perceptron")
    expect(studio.locator(".nk-answered.yes")).to_be_visible()


def test_pages_turned_faster_than_python_answers_are_all_turned(studio):
    begin(studio, "002")
    studio.locator(".nk-lesson-scroll").focus()
    studio.evaluate("""() => { for (let i = 0; i < 5; i++) document.activeElement.dispatchEvent(
        new KeyboardEvent("keydown", { key: "PageDown", bubbles: true })) }""")
    heading_is(studio, shipped("002").steps[5].heading)
    studio.keyboard.press("PageUp")
    heading_is(studio, shipped("002").steps[4].heading)
    studio.evaluate("""() => {
      document.querySelectorAll(".nk-shelf button")[1].click();
      document.querySelector(".nk-lesson-scroll").dispatchEvent(
        new KeyboardEvent("keydown", { key: "PageDown", bubbles: true }));
    }""")  # of a lesson that is not there yet
    heading_is(studio, shipped("000").steps[1].heading)


def test_what_a_step_speaks_of_is_lit_and_brought_into_view(studio):
    begin(studio, "000")
    steps = shipped("000").steps
    place = next(i for i, step in enumerate(steps) if step.heading == "Why an offset?")
    studio.get_by_label("Step of the lesson").select_option(str(place - 1))
    heading_is(studio, steps[place - 1].heading)
    studio.keyboard.press("PageDown")
    heading_is(studio, "Why an offset?")
    assert steps[place].light == ("conventions", "verdict")
    expect(studio.get_by_label("Data and conventions").first).to_have_class(re.compile("nk-lit"))
    expect(studio.locator('[data-part="verdict"]')).to_be_in_viewport(ratio=0.9)
    said = studio.locator(".nk-said")
    expect(said).to_contain_text("so this run never ends.")
    at_rest(studio)
    assert said.evaluate("one => one.scrollHeight <= one.clientHeight + 1")
    window = studio.evaluate("document.querySelector('.nk-plane .grid line.zero') !== null")
    assert window  # a run without offset is shown with its origin


def test_back_undoes_the_last_move_between_steps_lessons_and_sets_and_forward_does_it_again(studio):
    steps = shipped("000").steps
    begin(studio, "000")
    for step in (1, 2):
        studio.keyboard.press("PageDown")
        heading_is(studio, steps[step].heading)
    studio.get_by_label("Built-in set").select_option("xor")
    expect(studio.locator(".nk-pill")).to_have_text("Overlapping")
    x, y = place_of(studio, 0)
    box = studio.locator(".nk-plane").bounding_box()
    studio.mouse.move(box["x"] + x, box["y"] + y)
    studio.mouse.down()
    studio.mouse.move(box["x"] + x + 40, box["y"] + y - 30, steps=6)
    studio.mouse.up()
    moved = place_of(studio, 0)  # a row that is dragged makes no entry
    assert moved != (x, y)
    for step in (2, 1, 0):
        studio.go_back()
        heading_is(studio, steps[step].heading)
        at_rest(studio)
    studio.go_back()
    expect(studio.locator(".nk-lesson")).to_be_hidden()
    at_rest(studio)
    for step in (0, 1, 2):
        studio.go_forward()
        heading_is(studio, steps[step].heading)
        at_rest(studio)
    studio.go_forward()
    expect(studio.locator(".nk-pill")).to_have_text("Overlapping")
    assert place_of(studio, 0) == moved
    studio.get_by_label("Undo").click()  # as any other change
    heading_is(studio, steps[2].heading)


def test_back_works_after_a_reload_by_the_addresses(studio):
    steps = shipped("000").steps
    begin(studio, "000")
    for step in (0, 1):
        at = LessonPlace("000", step)
        heading_is(studio, steps[step].heading)
        eventually(studio, lambda: getattr(in_address(studio), "lesson", None), at)
        if step == 0:
            studio.keyboard.press("PageDown")
    studio.reload()
    heading_is(studio, steps[1].heading)
    at_rest(studio)
    studio.go_back()
    heading_is(studio, steps[0].heading)
    at_rest(studio)
    studio.go_forward()
    heading_is(studio, steps[1].heading)


@contextmanager
def showing(page, path):
    """A studio that shows a lesson of one's own."""
    own = opened_lesson(str(path), Computations())
    page.set_viewport_size({"width": 1440, "height": 900})
    with (
        bound_socket("127.0.0.1", 0) as listener,
        Server(listener, "127.0.0.1", lambda: Session(own=own)).running() as server,
    ):
        page.goto(server.url)
        yield


MATHEMATICS = r"""---
about: On $R^2$
---
# Why $k \le (R/\gamma)^2$

## The *bound* $\frac{R^2}{\gamma^2}$
Words and $\begin{bmatrix} 1 \\ 2 \end{bmatrix}$.
## Then
"""


def test_headings_and_titles_show_their_mathematics(page, tmp_path):
    path = tmp_path / "lesson.md"
    path.write_text(MATHEMATICS)
    with showing(page, path):
        expect(page.locator(".nk-lesson h2 math mfrac")).to_have_count(1)
        brackets = page.locator(".nk-lesson-body mrow:has(> mtable)")
        assert brackets.locator("> mo").first.get_attribute("stretchy") != "false"
        tall = brackets.locator("mtable").bounding_box()["height"]
        assert tall > 1.8 * brackets.locator("mtr").first.bounding_box()["height"]
        expect(page.locator(".nk-lesson h2 em")).to_have_text("bound")
        expect(page.locator(".nk-lesson-title math msup")).to_have_count(1)
        expect(page.get_by_label("Step of the lesson").locator("option")).to_have_text(
            ["1. The bound R²/γ²", "2. Then"]
        )
        page.get_by_role("button", name="Lessons", exact=True).first.click()
        entry = page.locator(".nk-shelf button").last
        expect(entry.locator("strong math")).to_be_visible()
        expect(entry.locator("span math")).to_be_visible()
        assert faults(page) == []


LESSON = """---
title: Mine
---
## One
Words <script>window.hacked = 1</script> <img src=x onerror="window.hacked = 2"> $x^2$
[link](javascript:window.hacked=3)

```data mine
x,y,label
1,2,a
3,4,b
```
```show
data: mine
k: 0
```
```ask
question: <img src=x onerror="window.hacked = 4"> How many rows?
kind: number
answer: rows
```
"""


@pytest.mark.usefixtures("own_page")
def test_a_lesson_of_ones_own_is_shown_anew_when_it_is_saved_and_cannot_run_code(page, tmp_path):
    path = tmp_path / "lesson.md"
    path.write_text(LESSON)
    with showing(page, path):
        heading_is(page, "One")
        expect(page.locator(".rows path")).to_have_count(2)
        expect(page.locator(".nk-lesson-body")).to_contain_text(
            "<script>window.hacked = 1</script>"
        )
        expect(page.locator(".nk-lesson img, .nk-lesson script, .nk-lesson a")).to_have_count(0)
        path.write_text(LESSON.replace("## One", "## Another").replace("3,4,b", "3,4,b\n5,5,b"))
        heading_is(page, "Another")
        expect(page.locator(".rows path")).to_have_count(3)
        path.write_text(LESSON.replace("k: 0", "k: x"))
        expect(page.locator(".nk-fault")).to_contain_text("k is 'x'")
        heading_is(page, "Another")
        with page.expect_download() as saved:
            page.get_by_label("Save this lesson as a file").click()
        assert saved.value.path().read_text() == LESSON.replace("## One", "## Another").replace(
            "3,4,b", "3,4,b\n5,5,b")  # fmt: skip
        assert page.evaluate("window.hacked") is None


def test_an_inequality_that_is_pointed_at_lights_what_it_speaks_of(studio):
    studio.keyboard.press("End")
    lines = studio.locator(".nk-live li")
    expect(lines).to_have_count(3)
    expect(lines.first).to_contain_text("w·v rose by 0.447214 ≥ γ = 0.447214")
    at_rest(studio)
    lines.first.hover()
    expect(studio.locator(".nk-chart path.progress.lit-mark")).to_have_count(1)
    expect(studio.locator(".nk-plane circle.current.lit-mark")).to_have_count(1)
    expect(studio.locator(".nk-inset .step.lit-mark")).not_to_have_count(0)
    expect(studio.locator(".nk-lines tr.lit-mark")).to_have_count(1)
    studio.mouse.move(5, 5)
    expect(studio.locator(".lit-mark")).to_have_count(0)
    lines.nth(1).focus()
    expect(studio.locator(".nk-chart path.norm.lit-mark")).to_have_count(1)


def test_visits_are_stepped_with_ticks_and_crosses(studio):
    run = nk.trace(*nk.datasets.load("lecture:002"))
    studio.keyboard.press("v")
    expect(studio.get_by_role("button", name="Visits")).to_have_attribute("aria-pressed", "true")
    for visit in range(1, 8):
        studio.keyboard.press("ArrowRight")
        k = int((run.tape.visits < visit).sum())
        expect(studio.locator(".nk-transport output")).to_have_text(
            f"visit {visit} of {run.n_visits}, k = {k}"
        )
    expect(studio.locator(".nk-now")).to_contain_text("Visit 7: row 3 is right")
    expect(studio.locator(".m.ticked")).to_have_count(3)
    studio.keyboard.press("ArrowRight")
    expect(studio.locator(".m.crossed")).to_have_count(1)
    expect(studio.locator(".nk-now")).to_contain_text("Mistake 4: row 4")
    assert complaints(studio) == []
    studio.keyboard.press("v")
    expect(studio.locator(".nk-transport output")).to_have_text("k = 4 of 9")


def test_three_dimensions_turn_by_hand_and_by_keys(studio):
    studio.get_by_label("Picture", exact=True).select_option("space")
    space = studio.locator("canvas.nk-space")
    expect(space).to_be_visible()
    painted = """(sheet) => sheet.getContext("2d").getImageData(0, 0, sheet.width, sheet.height)
        .data.some((value) => value > 0)"""
    eventually(studio, lambda: space.evaluate(painted), True)
    before = space.get_attribute("data-turned")
    space.focus()
    studio.keyboard.press("ArrowLeft")
    expect(space).not_to_have_attribute("data-turned", before)
    expect(studio.locator(".nk-transport output")).to_have_text("k = 0 of 9")
    turned = space.get_attribute("data-turned")
    space.scroll_into_view_if_needed()
    at_rest(studio)
    box = space.bounding_box()
    studio.mouse.move(box["x"] + 100, box["y"] + 100)
    studio.mouse.down()
    studio.mouse.move(box["x"] + 160, box["y"] + 120, steps=4)
    studio.mouse.up()
    expect(space).not_to_have_attribute("data-turned", turned)
    assert complaints(studio) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_further_picture_is_drawn_and_axe_finds_nothing(used_studio, scheme):
    studio = used_studio
    studio.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    studio.get_by_label("Built-in set").select_option("planted:60,2,0.1")
    chooser = studio.get_by_label("Picture", exact=True)
    for view in ("passes", "potential", "weights", "stream", "race"):
        chooser.select_option(view)
        expect(studio.locator(".nk-busy.on")).to_have_count(0)
        if view != "potential":
            expect(studio.locator(".nk-extra path")).not_to_have_count(0)
    studio.get_by_label("Dimension n").fill("5")
    expect(studio.locator(".nk-pictures .nk-note")).to_contain_text("2,857")
    assert complaints(studio) == []
    chooser.select_option("gallery")
    expect(studio.locator(".nk-panels li")).to_have_count(7)
    expect(studio.locator(".nk-bars span")).not_to_have_count(0)
    assert complaints(studio) == []


def box_of(studio, locator):
    """Where an element is, once it is: a mark that is drawn anew is away for a moment."""
    expect(locator).to_be_visible()
    while (box := locator.bounding_box()) is None:
        studio.wait_for_timeout(20)
    return box


def test_a_line_of_ones_own_is_dragged_until_it_separates(studio):
    studio.get_by_label("A line of your own").click()
    text = studio.locator(".nk-own")
    expect(text).to_contain_text("rows wrong")
    middle = (place_of(studio, 0)[0] + place_of(studio, 3)[0]) / 2
    box = studio.locator(".nk-plane").bounding_box()
    for place, y in ((0, 100), (1, 500)):
        at_rest(studio)
        handle = box_of(studio, studio.locator("circle.m.own").nth(place))
        studio.mouse.move(handle["x"] + 8, handle["y"] + 8)
        studio.mouse.down()
        studio.mouse.move(box["x"] + middle, box["y"] + y, steps=5)
        studio.mouse.up()
    expect(text).to_contain_text("Your line separates: the nearest row is")
    expect(studio.locator(".rows path")).to_have_count(4)
    studio.get_by_label("A line of your own").click()
    expect(text).to_be_hidden()


def test_two_fingers_zoom_and_add_no_row(studio):
    before, _ = place_of(studio, 2)
    studio.evaluate("""() => {
      const plane = document.querySelector(".nk-plane"), box = plane.getBoundingClientRect();
      plane.setPointerCapture = () => {};
      const send = (type, id, x) => plane.dispatchEvent(new PointerEvent(type, { bubbles: true,
        pointerId: id, pointerType: "touch", button: 0, clientX: box.x + x, clientY: box.y + 300,
      }));
      send("pointerdown", 1, 300); send("pointerdown", 2, 400);
      for (let i = 1; i <= 5; i++) {
        send("pointermove", 1, 300 - 10 * i);
        send("pointermove", 2, 400 + 10 * i);
      }
      send("pointerup", 1, 250); send("pointerup", 2, 450);
    }""")
    after, _ = place_of(studio, 2)
    assert (after - 350) / (before - 350) == pytest.approx(2.0, rel=0.02)
    expect(studio.locator(".rows path")).to_have_count(4)


def test_presenters_mode_has_a_picker_a_table_and_a_full_screen(studio):
    studio.get_by_label("Presenter's mode").click()
    expect(studio.locator(".nk-table")).to_be_visible()
    expect(studio.get_by_label("Full screen")).to_be_visible()
    studio.get_by_label("Built-in set").select_option("xor")
    expect(studio.locator(".nk-pill")).to_have_text("Overlapping")
    studio.get_by_label("Full screen").click()
    expect(studio.get_by_label("Full screen")).to_have_attribute("aria-pressed", "true")
    eventually(studio, lambda: studio.evaluate("document.fullscreenElement !== null"), True)
    studio.get_by_label("Full screen").click()
    expect(studio.get_by_label("Full screen")).to_have_attribute("aria-pressed", "false")


def test_a_statistician_finds_infinite_coefficients_blocking_rows_and_the_report(studio):
    studio.get_by_label("Built-in set").select_option("iris:versicolor,virginica")
    expect(studio.locator(".nk-pill")).to_contain_text("Overlapping in 4 columns")
    studio.get_by_text("For a regression").click()
    card = studio.locator(".nk-regression")
    expect(card).to_contain_text("finite maximum-likelihood estimate")
    data = nk.datasets.load("iris:versicolor,virginica")
    verdict = nk.certify(data.X, data.y)
    expect(card.locator("tbody tr")).to_have_count(len(verdict.rows))
    at_rest(studio)
    cells = card.locator("tbody tr").first.locator("td").all_inner_texts()
    assert cells[2:] == [f"{v:g}" for v in data.X[verdict.rows[0]]]
    assert complaints(studio) == []
    with studio.expect_download() as saved:
        card.get_by_role("button", name="Report").click()
    assert saved.value.suggested_filename == "report.html"
    studio.get_by_label("Built-in set").select_option("touching")
    expect(card).to_contain_text("quasi-complete separation")
    expect(card.locator(".nk-infinite dd")).to_have_text(["+∞"])


def test_all_rows_are_turned_and_turned_back_by_a_slider(studio):
    studio.get_by_text("Change all rows").click()
    at_rest(studio)
    before = studio.locator(".rows path").nth(2).get_attribute("transform")
    studio.get_by_label("Rotation").fill("90")
    expect(studio.locator(".rows path").nth(2)).not_to_have_attribute("transform", before)
    studio.get_by_label("Undo").click()
    expect(studio.locator(".rows path").nth(2)).to_have_attribute("transform", before)
