"""Take the pictures for the README and the docs: studio-*.png, report.png, display.png.

A Chromium or Chrome is needed (its path in NOVIKOFF_BROWSER, or found by name). Where the font
Inter is installed, the page uses it.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pandas as pd
from playwright.sync_api import Browser, Page, expect, sync_playwright

import novikoff as nk
from novikoff.studio.lessons.handout import lesson_page
from novikoff.studio.lessons.shelf import SHIPPED, shipped
from novikoff.studio.server import Server, bound_socket, warm
from novikoff.studio.session import Session

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "images"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
WIDE, NARROW, HALL = (1440, 900), (390, 844), (1600, 900)


def load(page: Page, name: str) -> None:
    page.get_by_label("Built-in set").select_option(name)


def lecture(page: Page) -> None:
    for _ in range(6):
        page.get_by_label("Forward one mistake").click()


def xor(page: Page) -> None:
    load(page, "xor")
    expect(page.locator(".m.blocking")).to_have_count(4)


def overlap(page: Page) -> None:
    load(page, "planted_obstruction:60,2")
    expect(page.locator(".m.shared")).to_be_attached()


def classes(page: Page) -> None:
    load(page, "wine")
    expect(page.locator(".rows path")).to_have_count(178)
    page.get_by_label("Across").first.select_option("flavanoids")
    page.get_by_label("Up").first.select_option("color_intensity")
    page.wait_for_timeout(500)
    page.get_by_label("Features").select_option("quadratic")
    expect(page.locator(".nk-pill")).not_to_contain_text("Deciding")


def whole(page: Page) -> None:
    load(page, "breast_cancer")
    expect(page.locator(".nk-pill")).to_contain_text("Separable in 30 columns")


def circles(page: Page) -> None:
    load(page, "xor")
    expect(page.locator(".m.blocking")).to_have_count(4)
    page.get_by_label("Features").select_option("quadratic")


def compare(page: Page) -> None:
    load(page, "lecture:001")
    page.get_by_role("button", name="Starts").click()
    expect(page.locator(".nk-overlays li")).to_have_count(6)


def presenter(page: Page) -> None:
    for _ in range(7):
        page.get_by_label("Forward one mistake").click()
    page.get_by_label("Presenter's mode").click()


def lesson(name: str, heading: str) -> Callable[[Page], None]:
    """A lesson at the step with this heading."""

    def turn(page: Page) -> None:
        place = [step.heading for step in shipped(name).steps].index(heading)
        page.get_by_role("button", name="Lessons", exact=True).first.click()
        page.locator(".nk-shelf button").nth(SHIPPED.index(name)).click()
        page.get_by_label("Step of the lesson").select_option(str(place))
        expect(page.locator(".nk-lesson h2")).to_have_text(heading)

    return turn


def presented(prepare: Callable[[Page], None]) -> Callable[[Page], None]:
    def show(page: Page) -> None:
        prepare(page)
        page.get_by_label("Presenter's mode").click()

    return show


def race(page: Page) -> None:
    lesson("004", "A remedy: rescale")(page)
    page.get_by_label("Dimension n").fill("11")
    expect(page.locator(".nk-pictures .nk-note")).to_contain_text("n = 14")  # the twelfth of them
    expect(page.locator(".nk-busy.on")).to_have_count(0)


def plain(_page: Page) -> None:
    pass


VIEWS: list[tuple[str, tuple[int, int], str, Callable[[Page], None]]] = [
    ("lecture", WIDE, "light", lecture),
    ("obstruction", WIDE, "light", overlap),
    ("xor-dark", WIDE, "dark", xor),
    ("whole", WIDE, "light", whole),
    ("features", WIDE, "light", circles),
    ("classes", WIDE, "light", classes),
    ("compare", WIDE, "light", compare),
    ("presenter", HALL, "light", presenter),
    ("narrow", NARROW, "light", plain),
    ("lesson-000", WIDE, "light", lesson("000", "The theorem")),
    ("lesson-001", WIDE, "light", lesson("001", "Errors and updates are two different counts")),
    ("lesson-002", HALL, "dark", presented(lesson("002", "When does it stop?"))),
    ("lesson-003", WIDE, "dark", lesson("003", "Design features")),
    ("lesson-004", WIDE, "light", race),
]


def take(browser: Browser, url: str, name: str, size: tuple[int, int], scheme: str,
         prepare: Callable[[Page], None]) -> None:  # fmt: skip
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if scheme == "dark" else "light",
        device_scale_factor=2 if size == NARROW else 1,
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.add_init_script("localStorage.setItem('novikoff-met', 'yes')")
    page.goto(url)
    expect(page.locator(".nk-pill")).to_be_visible()
    page.wait_for_timeout(300)
    prepare(page)
    page.mouse.move(2, 2)
    page.wait_for_timeout(900)
    page.screenshot(path=FOLDER / f"studio-{name}.png")
    context.close()
    print(FOLDER / f"studio-{name}.png")


def take_report(browser: Browser) -> None:
    """The top of the page for the rows of docs/certify.md."""
    frame = pd.DataFrame(
        {"dose": [1, 2, 3, 4, 5, 6, 2, 4, 3], "marker": [0, 0, 0, 0, 0, 0, 1, 1, 1]}
    )
    sick = ["no", "yes", "no", "yes", "no", "yes", "yes", "yes", "yes"]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.html"
        nk.certify(frame, sick, label="sick").report(path, "sick.csv")
        context = browser.new_context(
            viewport={"width": 1000, "height": 1330}, color_scheme="light"
        )
        page = context.new_page()
        page.goto(path.as_uri())
        page.screenshot(path=FOLDER / "report.png")
        context.close()
    print(FOLDER / "report.png")


def take_handout(browser: Browser) -> None:
    """A step of a lesson as a page of its own, on a phone."""
    page = browser.new_page(viewport={"width": 390, "height": 844}, color_scheme="light")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "lesson.html")
        path.write_text(lesson_page("002"))
        page.goto(f"{path.as_uri()}#step-14")
        page.locator(".nk-plane path.row").first.wait_for()
        page.screenshot(path=FOLDER / "studio-handout.png")
    page.close()
    print(FOLDER / "studio-handout.png")


def draw_displays() -> None:
    """The code of docs/display.md, side by side."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    figure, (left, middle, right) = pyplot.subplots(1, 3, figsize=(13.5, 4.2), layout="constrained")
    run = nk.trace(*nk.datasets.lecture("002"))
    run.plot(ax=left)
    nk.certify(*nk.datasets.xor()).plot(ax=middle)
    nk.SandwichDisplay.from_audit(run.audit(), ax=right)
    figure.savefig(FOLDER / "display.png", dpi=100, metadata={"Software": None})
    print(FOLDER / "display.png")


def main() -> None:
    path = os.environ.get("NOVIKOFF_BROWSER") or next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        sys.exit("No Chromium or Chrome was found; set NOVIKOFF_BROWSER to the path of one.")
    expect.set_options(timeout=30_000)
    FOLDER.mkdir(parents=True, exist_ok=True)
    warm()
    with ExitStack() as stack:
        listener = stack.enter_context(bound_socket("127.0.0.1", 0))
        server = stack.enter_context(Server(listener, "127.0.0.1", Session).running())
        play = stack.enter_context(sync_playwright())
        browser = play.chromium.launch(
            executable_path=path,
            args=["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync",
                  "--disable-background-networking", "--disable-component-update"],
        )  # fmt: skip
        wanted = sys.argv[1:]
        for name, size, scheme, prepare in VIEWS:
            if not wanted or name in wanted:
                take(browser, server.url, name, size, scheme, prepare)
        if not wanted or "report" in wanted:
            take_report(browser)
        if not wanted or "handout" in wanted:
            take_handout(browser)
        if not wanted or "display" in wanted:
            draw_displays()
        browser.close()


if __name__ == "__main__":
    main()
