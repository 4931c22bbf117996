"""What the studio draws lies where mathematics puts it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from node import in_node, needs_node
from novikoff.studio.plane import Line, Window, cut, fit, grid, snap, window
from novikoff.studio.scene import Grid
from novikoff.studio.state import State

VIEW = Window(-3.0, 5.0, -2.0, 4.0, 800.0, 600.0)
weights = st.floats(-100, 100, allow_nan=False).filter(lambda v: abs(v) > 1e-3)


def area(corners):
    x, y = np.array(corners).T
    return 0.5 * abs(x @ np.roll(y, -1) - y @ np.roll(x, -1))


@given(a=weights, b=weights, c=st.floats(-300, 300))
def test_a_line_cuts_the_window_in_two_on_its_edge(a, b, c):
    line = Line(a, b, c)
    parts = [cut(VIEW.corners, Line(s * a, s * b, s * c)) for s in (1, -1)]
    assert sum(area(kept) for kept, _ in parts if len(kept) > 2) == pytest.approx(48.0)
    _, ends = parts[0]
    assert len(ends) in (0, 2)
    for x, y in ends:
        assert abs(line.at(x, y)) <= 1e-9 * (abs(a) * 5 + abs(b) * 4 + abs(c))
        assert min(abs(x + 3), abs(x - 5), abs(y + 2), abs(y - 4)) <= 1e-9


def covered(outlines):
    """The area inside, without that of the holes, which turn the other way round."""
    corners = [np.array(one).reshape(-1, 2).T for one in outlines]
    return sum(0.5 * float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) for x, y in corners)


def test_the_contour_of_a_circle_is_the_circle():
    cells = Grid(VIEW)
    x, y = cells.points.T
    (stroke,) = cells.zeros(x * x + y * y - 2.25)
    points = np.array(stroke).reshape(-1, 2)
    assert (points[0] == points[-1]).all()
    assert np.abs(np.hypot(*points.T) - 1.5).max() < 2e-3
    outside = covered(cells.positive(x * x + y * y - 2.25))
    assert outside == pytest.approx(48.0 - math.pi * 2.25, rel=1e-3)


def test_the_regions_of_a_saddle_and_of_its_opposite_share_out_the_window():
    cells = Grid(VIEW)
    x, y = cells.points.T
    field = (x - 1.01) * (y - 0.97)
    both = [covered(cells.positive(sign * field)) for sign in (1, -1)]
    assert sum(both) == pytest.approx(48.0, rel=1e-3)


@needs_node
def test_ticks_are_round_numbers_inside_the_window_and_say_what_they_are(fresh_seed):
    random = np.random.default_rng(fresh_seed)
    given = [[float(random.uniform(-1e6, 1e6)), float(10.0 ** random.uniform(-3, 6)),
              float(random.uniform(100, 4000))] for _ in range(500)]  # fmt: skip
    script = "return given.map(([low, more, width]) => page.ticksOf(low, low + more, width));"
    for (low, extent, pixels), ticks in zip(given, in_node(script, given), strict=True):
        assert len(ticks) <= pixels / 72 + 1
        for tick in ticks:
            rounding = 1e-9 * (abs(low) + extent)
            assert low - rounding <= tick["at"] <= low + extent + rounding
            said = float(tick["text"].replace("−", "-"))
            assert said == pytest.approx(tick["at"], rel=1e-5, abs=1e-9)


@given(value=st.floats(-1e6, 1e6), exponent=st.integers(-6, 3))
def test_a_snapped_number_is_a_short_decimal_within_half_a_step(value, exponent):
    step = 10.0**exponent
    snapped = snap(value, step)
    assert abs(snapped - value) <= 0.5001 * step
    assert float(f"{snapped:.{max(0, -exponent)}f}") == snapped


@settings(max_examples=50)
@given(
    st.lists(st.tuples(st.floats(-1e3, 1e3), st.floats(-1e3, 1e3)), min_size=1, max_size=20),
    st.booleans(),
)
@example([(1.1125369292536007e-308, 2.0)], False)
@example([(0.0, 5e-324)], False)
def test_fit_shows_every_row_and_the_origin_where_the_boundary_must_pass_it(rows, offset):
    state = State(np.array(rows), np.zeros(len(rows), dtype=np.int64), offset=offset)
    center, span, stretch = fit(state)
    view = window(State(state.points, state.codes, center=center, span=span, stretch=stretch))
    shown = [*rows, *([] if offset else [(0.0, 0.0)])]
    assert all(view.left <= x <= view.right and view.bottom <= y <= view.top for x, y in shown)


def test_pixels_and_points_are_inverse_up_to_the_grid():
    for x, y in ((0.0, 0.0), (800.0, 600.0), (123.0, 456.0)):
        px, py = VIEW.point(x, y)
        assert (px + 3) * 100 == pytest.approx(x, abs=grid(VIEW.unit) * 100)
        assert (4 - py) * 100 == pytest.approx(y, abs=grid(VIEW.unit) * 100)
