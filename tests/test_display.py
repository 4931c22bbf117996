"""What the pictures draw: artists and their data, against the numbers they stand for."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pytest

mpl.use("Agg")

import novikoff as nk
from novikoff.display.boundary import hull

LECTURE_002 = ([[-1, 3], [-1, -1], [3, -1], [0, 1.5]], [-1, -1, 1, 1])


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    from matplotlib import pyplot

    pyplot.close("all")


def test_the_boundary_of_a_run_is_the_line_of_its_weights_at_k():
    run = nk.trace(*LECTURE_002)
    for k in (2, 9):
        display = nk.BoundaryDisplay.from_run(run, k=k)
        ends = display.boundary_.get_xydata()
        w = run.weights_at(k)
        assert np.allclose(ends @ w[:2] + w[2], 0, atol=1e-9)
        assert f"after {k} of 9" in display.ax_.get_title()
    assert np.array_equal(display.rows_[1].get_offsets(), np.array(LECTURE_002[0])[2:])
    assert np.array_equal(display.rows_[-1].get_offsets(), np.array(LECTURE_002[0])[:2])
    tip, tail = np.array(display.normal_.get_position()), np.array(display.normal_.xy)
    assert np.cross([*(tip - tail), 0], [*w[:2], 0])[2] == pytest.approx(0, abs=1e-9)
    assert (tip - tail) @ w[:2] > 0


def test_without_weights_there_is_no_boundary():
    assert nk.BoundaryDisplay.from_run(nk.trace(*LECTURE_002), k=0).boundary_ is None


def test_the_band_reaches_the_nearest_rows():
    clf = nk.Perceptron().fit(*LECTURE_002)
    display = nk.BoundaryDisplay.from_estimator(clf, *LECTURE_002)
    corners = display.band_.get_xy()[:4]
    w, b = clf.coef_[0], clf.intercept_[0]
    gap = min(s * (np.dot(w, x) + b) for x, s in zip(*LECTURE_002, strict=True))
    assert np.allclose(np.abs(corners @ w + b), gap)


def test_more_than_two_columns_are_shown_in_the_plane_through_w():
    X, y = nk.datasets.planted(40, 5, 0.05)
    clf = nk.Perceptron().fit(X, y)
    display = nk.BoundaryDisplay.from_estimator(clf, X, y)
    w = clf.coef_[0]
    assert np.allclose(display.points[:, 0], X @ w / np.linalg.norm(w))
    assert np.allclose(display.plane.axes.T @ display.plane.axes, np.eye(2))
    assert "plane through w" in display.figure_.get_supxlabel()


def test_an_overlap_shows_both_hulls_their_point_and_the_blocking_rows():
    X, y = nk.datasets.xor()
    verdict = nk.certify(X, y)
    display = nk.BoundaryDisplay.from_verdict(verdict)
    assert len(display.hulls_) == 2
    assert np.allclose(display.point_.get_xydata(), [[0.5, 0.5]])
    ringed = display.ax_.collections[2].get_offsets()
    assert sorted(map(tuple, np.asarray(ringed))) == sorted(map(tuple, X.astype(float)))


def test_runs_and_verdicts_draw_themselves():
    run = nk.trace(*LECTURE_002)
    assert "after 3 of 9" in run.plot(k=3).ax_.get_title()
    assert nk.certify(*nk.datasets.touching()).plot().ax_.get_title() == "quasi-separable"


def test_a_separable_verdict_shows_its_separator():
    verdict = nk.certify(*LECTURE_002)
    display = nk.BoundaryDisplay.from_verdict(verdict)
    w = np.array([float(v) for v in verdict.certificate.weights])
    assert np.allclose(display.boundary_.get_xydata() @ w[:2] + w[2], 0, atol=1e-6)
    assert not display.hulls_


def test_the_sandwich_draws_the_audit():
    run = nk.trace(*LECTURE_002)
    audit = run.audit(separator=[4, -0.5, 1])
    display = nk.SandwichDisplay.from_audit(audit)
    for name, values in (("√k·R", audit.upper), ("‖w‖", audit.norm), ("w·v", audit.progress)):
        assert np.array_equal(display.lines_[name].get_ydata(), values)
    assert np.array_equal(display.lines_["k·γ"].get_ydata(), audit.lower)
    assert display.bound_ is None  # 3036 is far to the right of 9
    close = nk.SandwichDisplay.from_audit(run.audit(margin=0.8))
    assert close.bound_.get_xdata()[0] == pytest.approx(11 / 0.64)


def test_mistakes_are_counted_pass_by_pass():
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1]
    runs = {order: nk.trace(X, y, order=order) for order in ("cyclic", "restart")}
    display = nk.MistakesDisplay.from_runs(runs)
    counts = display.lines_["cyclic"].get_ydata()
    assert len(counts) == 9
    assert counts.sum() == 18
    assert counts[-1] == 0
    assert display.lines_["restart"].get_ydata().sum() == runs["restart"].n_mistakes


def test_signs_differ_in_shape_and_in_lightness():
    from matplotlib.colors import to_rgb

    from novikoff.display.style import COLOURS, MARKERS

    assert MARKERS[1] != MARKERS[-1]
    grey = {s: np.dot(to_rgb(c), [0.299, 0.587, 0.114]) for s, c in COLOURS.items()}
    assert abs(grey[1] - grey[-1]) > 0.25


def test_the_hull_holds_every_point_and_its_corners_are_points():
    points = np.random.default_rng(0).integers(0, 9, (60, 2)).astype(float)
    corners = hull(points)
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        side = (b - a)[0] * (points - a)[:, 1] - (b - a)[1] * (points - a)[:, 0]
        assert (side >= 0).all()
    assert {tuple(c) for c in corners} <= {tuple(p) for p in points}


def test_an_estimator_of_three_classes_is_refused_with_the_reason():
    X, y = nk.datasets.iris()
    with pytest.warns(UserWarning, match="stopped after"):
        clf = nk.Perceptron(max_iter=3).fit(X, y)
    with pytest.raises(nk.InputError, match="no single line of weights"):
        nk.BoundaryDisplay.from_estimator(clf, X, y)
