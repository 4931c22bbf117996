"""A lesson walked to its end in a browser: by keys or by mouse, at every size, light and dark."""

from __future__ import annotations

from itertools import product
from typing import Literal, NamedTuple

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, expect

from novikoff.studio.lessons.mathml import plain
from novikoff.studio.lessons.reading import LessonStep
from novikoff.studio.lessons.shelf import SHIPPED, shipped

PLACES = {  # width, height, in presenter's mode
    "1440": (1440, 900, False),
    "1024": (1024, 800, False),
    "390": (390, 844, False),
    "presenter": (1440, 900, True),
}


class Walk(NamedTuple):
    """How a lesson is walked."""

    place: str
    scheme: str
    by: str

    def __str__(self) -> str:
        return f"{self.place}, {self.scheme}, by {self.by}"


WALKS = [Walk(*one) for one in product(PLACES, ("light", "dark"), ("keys", "mouse"))]

# What is wrong with the step on the screen, once its heading is.
LOOK = """async ([heading, kind, last]) => {
  const one = (name) => document.querySelector(name), wrong = [], head = one(".nk-lesson h2");
  const next = one(".nk-lesson-foot .primary"), until = performance.now() + 20000;
  let box = null, before = "";
  do { // until it is drawn, and the way on stays where it is
    before = JSON.stringify(box);
    await new Promise(requestAnimationFrame);
    box = next.getBoundingClientRect();
  } while ((head.textContent !== heading || one(".nk-busy.on") || JSON.stringify(box) !== before)
    && performance.now() < until);
  if (head.textContent !== heading) wrong.push(`the heading is ${head.textContent}`);
  if (!one(".nk-fault").hidden) wrong.push(one(".nk-fault").textContent);
  if (one(".nk-ask").hidden !== !kind) wrong.push("its question is not as in the file");
  if (document.documentElement.scrollWidth > innerWidth) wrong.push("wider than the screen");
  for (const formula of document.querySelectorAll('.nk-lesson math[display="block"]'))
    if (formula.scrollWidth > formula.clientWidth + 1) wrong.push(`cut: ${formula.textContent}`);
  for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame); // it is scrolled to
  const left = one(".nk-left"), over = getComputedStyle(left).position === "sticky";
  let lit = one(".nk-read > .nk-lit"); // on a phone a task is done in the plane, or in a picture
  if (over && ["do", "draw", "row"].includes(kind) && lit?.dataset.part !== "views") lit = null;
  const picture = (lit ?? one('[data-part="plane"]')).getBoundingClientRect();
  const words = over ? left.getBoundingClientRect().bottom : 0;
  const seen = Math.min(picture.bottom, innerHeight) - Math.max(picture.top, words, 0);
  if (seen < Math.min(100, picture.height / 2)) wrong.push(`${seen} pixels of its picture`);
  const said = one(".nk-said");
  if (said.scrollHeight > said.clientHeight + 1) wrong.push(`cut: ${said.textContent}`);
  if (box.bottom > innerHeight || box.top < 0) wrong.push("the way on is not on the screen");
  if (next.disabled !== last) wrong.push("the way on");
  return wrong;
}"""
AXE = """async (contrast) => {
  const until = performance.now() + 20000;
  while (document.querySelector(".nk-busy.on") && performance.now() < until)
    await new Promise(requestAnimationFrame);
  const rules = { "color-contrast": { enabled: contrast } };
  const found = await axe.run(".nk", { resultTypes: ["violations"], iframes: false, rules });
  return found.violations.map((one) => `${one.id}: ${one.nodes[0].html.slice(0, 140)}`);
}"""


def begin(page: Page, name: str) -> None:
    page.get_by_role("button", name="Lessons", exact=True).first.click()
    page.locator(".nk-shelf button").nth(SHIPPED.index(name)).click()
    expect(page.locator(".nk-lesson h2")).to_have_text(shipped(name).steps[0].heading)


def take_place(page: Page, walk: Walk) -> None:
    """The size of the screen, the mode and the colours of a walk."""
    width, height, presents = PLACES[walk.place]
    page.set_viewport_size({"width": width, "height": height})
    scheme: Literal["dark", "light"] = "dark" if walk.scheme == "dark" else "light"
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # no colour is in between
    hall = page.get_by_label("Presenter's mode")
    if (hall.get_attribute("aria-pressed") == "true") != presents:
        hall.click()


def walked(
    page: Page, steps: tuple[LessonStep, ...], walk: Walk, looks: dict[int, bool]
) -> list[str]:
    """What was found wrong on the way.

    axe looks at the steps in `looks`; whether at their colours too, which takes longest, is said.
    """
    found = []
    take_place(page, walk)
    page.get_by_label("Step of the lesson").select_option("0")
    page.locator(".nk-lesson-scroll").focus()
    if looks and not page.evaluate("Boolean(window.axe)"):
        page.evaluate(AXE_SCRIPT)
    for place, step in enumerate(steps):
        is_last = place == len(steps) - 1
        heading = "".join(map(plain, step.head))
        wrong = page.evaluate(LOOK, [heading, step.ask and step.ask.kind, is_last])
        if place in looks:
            wrong += page.evaluate(AXE, looks[place])
        found += [f"{walk}, step {place + 1} ({step.heading}): {one}" for one in wrong]
        if is_last:
            return found
        if walk.by == "keys":
            page.keyboard.press("PageDown")
        else:
            page.locator(".nk-lesson-foot .primary").click()
    return found
