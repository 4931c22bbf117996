"""An update is seen: the boundary turns from where it was, unless less motion is asked for."""

from __future__ import annotations

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from node import in_node, needs_node
from novikoff.studio.lessons.handout import lesson_page

COUNTED = """window.turned = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (...given) {
  window.turned.push(this.getAttribute("class"));
  return animate.apply(this, given);
};"""


@needs_node
def test_the_motion_begins_where_the_mark_was(tmp_path):
    """The map of `similarity` takes both points of one pair to those of another."""
    random = np.random.default_rng(3)
    pairs = random.uniform(-900, 900, (200, 2, 4))
    script = 'import { similarity } from "./motion.js";\n'
    script += "told(given.map(([from, to]) => similarity(from, to)));"
    for (start, end), told in zip(pairs, in_node(script, pairs.tolist(), tmp_path), strict=True):
        a, b, c, d, e, f = told
        for place in (0, 2):
            x, y = start[place : place + 2]
            assert [a * x + c * y + e, b * x + d * y + f] == pytest.approx(end[place : place + 2])


@pytest.mark.browser
@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_the_boundary_turns_at_a_step_and_not_where_less_motion_is_asked_for(
    page: Page, tmp_path, motion
):
    path = tmp_path / "lesson.html"
    path.write_text(lesson_page("002"))
    page.set_viewport_size({"width": 1440, "height": 900})
    page.emulate_media(reduced_motion=motion)
    page.add_init_script(COUNTED)
    page.goto(f"{path.as_uri()}#step-9")
    place = page.locator(".nk-transport output")
    expect(place).to_have_text("k = 9 of 9")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(place).to_have_text("k = 1 of 9")
    page.wait_for_timeout(600)  # a turn lasts no longer than the pause before it
    before = len(page.evaluate("window.turned"))
    drawn = page.locator(".nk-plane .m.boundary:not(.before)")
    old = drawn.get_attribute("d")
    page.keyboard.press("ArrowRight")
    expect(place).to_have_text("k = 2 of 9")
    assert drawn.get_attribute("d") != old  # it is in its place at once
    turned = set(page.evaluate("window.turned")[before:])
    seen = {"m boundary", "m normal arrow", "head normal"}
    assert turned == (seen if motion == "no-preference" else set())
