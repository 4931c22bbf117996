"""An update is seen: y·x travels to w, the sum forms, the boundary turns; if motion is wanted."""

from __future__ import annotations

import math

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from node import in_node, needs_node

# What is drawn at every frame, once the first is seen: the boundary, and the arrow of the step.
WATCH = """() => new Promise((done) => {
  window.frames_seen = [];
  const look = () => {
    const of = (name) => document.querySelector(`.nk-plane ${name}`)?.getAttribute("d") ?? "";
    window.frames_seen.push([of(".m.boundary:not(.before)"), of(".m.step.arrow"),
      of(".region.c1")]);
    requestAnimationFrame(look);
    done();
  };
  requestAnimationFrame(look);
})"""
# All frames seen, the one that shows what is drawn now among them.
SEEN = """() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(
  () => done(window.frames_seen))))"""


@needs_node
def test_a_turning_line_meets_both_ends_where_they_meet_and_turns_evenly():
    random = np.random.default_rng(3)
    pairs = random.uniform(-3, 3, (200, 2, 3))
    times = [0.0, 0.25, 0.5, 0.75, 1.0]
    script = f"return given.map(([from, to]) => {times}.map((t) => page.between(from, to, t)));"
    for (one, two), told in zip(pairs, in_node(script, pairs.tolist()), strict=True):
        angle = math.acos(one[:2] @ two[:2] / np.hypot(*one[:2]) / np.hypot(*two[:2]))
        if angle > math.acos(-0.999):
            continue
        meeting = np.linalg.solve(np.array([one[:2], two[:2]]), -np.array([one[2], two[2]]))
        for t, line in zip(times, np.array(told), strict=True):
            size = np.hypot(*line[:2])
            assert line[:2] @ meeting + line[2] == pytest.approx(0.0, abs=1e-8 * size)
            turned = line[:2] @ one[:2] / np.hypot(*one[:2]) / size
            assert turned == pytest.approx(math.cos(t * angle), abs=1e-9)


@needs_node
def test_the_step_travels_from_its_row_to_the_tip_of_w_and_the_sum_is_the_next_w():
    script = """const sight = { left: -5, right: 5, bottom: -5, top: 5, width: 600, height: 600 };
const update = { row: 0, sign: -1, text: "", before: [2, 1, 0.5] };
return [[0, 0], [1, 0], [1, 1]].map(([travel, sum]) =>
  page.updateMarks(update, [1, 3, -0.5], [[1, -2, 0]], sight, { travel, sum }));"""
    begun, arrived, summed = in_node(script, None)
    by_role = [{mark["role"]: mark["at"] for mark in stage} for stage in (begun, arrived, summed)]
    assert by_role[0]["step"][:2] == [1, -2]  # at its row
    assert "normal" not in by_role[0]
    old, step = by_role[1]["old"], by_role[1]["step"]
    assert step[:2] == pytest.approx(old[2:], abs=1e-4)  # at the tip of w
    far = (np.array(old[2:]) - old[:2]) / [2, 1]
    assert far[0] == pytest.approx(far[1], rel=1e-4)  # all three arrows have one scale
    assert (np.array(step[2:]) - step[:2]) / far == pytest.approx([-1, 2], rel=1e-3)
    new = by_role[2]["normal"]
    assert new[2:] == pytest.approx(step[2:], abs=1e-4)
    assert (np.array(new[2:]) - new[:2]) / far == pytest.approx([1, 3], rel=1e-3)


def opened(page: Page, path, motion: str) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    page.emulate_media(reduced_motion=motion)
    page.goto(f"{path.as_uri()}#step-10")
    place = page.locator(".nk-transport output")
    expect(place).to_have_text("k = 9 of 9")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(place).to_have_text("k = 1 of 9")
    page.wait_for_timeout(1600)  # an update lasts no longer than the pause before it
    page.evaluate(WATCH)


@pytest.mark.browser
@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_an_update_moves_unless_less_motion_is_asked_for(page: Page, lesson_file, motion):
    opened(page, lesson_file("002"), motion)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".nk-transport output")).to_have_text("k = 2 of 9")
    expect(page.locator(".nk-plane.moving")).to_have_count(0)
    seen = page.evaluate(SEEN)
    boundaries, steps, regions = (list(dict.fromkeys(one)) for one in zip(*seen, strict=True))
    if motion == "reduce":
        assert (len(boundaries), len(regions), steps) == (2, 2, [""])
    else:  # however slow the machine is, several stages of each are seen
        assert min(len(boundaries), len(regions), len(steps)) > 4
    assert page.locator(".nk-plane .m.step").count() == 0  # it is gone when the sum is there


@pytest.mark.browser
def test_a_full_play_turns_the_line_between_its_mistakes(page: Page, lesson_file):
    opened(page, lesson_file("002"), "no-preference")
    page.get_by_label("Speed").select_option(label="fast")
    page.get_by_label("Play").click()
    expect(page.locator(".nk-transport output")).to_have_text("k = 9 of 9")
    expect(page.locator(".nk-plane.moving")).to_have_count(0)
    boundaries = {one[0] for one in page.evaluate(SEEN)}
    assert len(boundaries) > 2 * 9
