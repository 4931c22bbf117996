"""What the pictures draw: artists and their data, against the numbers they stand for."""

from __future__ import annotations

from fractions import Fraction

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest

mpl.use("Agg")

import novikoff as nk
from novikoff.display.boundary import MOST_DRAWN
from novikoff.display.plane import hull

LECTURE_002 = ([[-1, 3], [-1, -1], [3, -1], [0, 1.5]], [-1, -1, 1, 1])


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    from matplotlib import pyplot

    pyplot.close("all")


def test_the_boundary_of_a_run_is_the_line_of_its_weights_at_k():
    run = nk.trace(*LECTURE_002)
    for k in (2, 9):
        display = run.plot(k=k)
        ends = display.boundary_.get_xydata()
        w = run.weights_at(k)
        assert np.allclose(ends @ w[:2] + w[2], 0, atol=1e-9)
        assert f"after {k} of 9" in display.ax_.get_title()
    assert np.array_equal(display.rows_[1].get_offsets(), np.array(LECTURE_002[0])[2:])
    assert np.array_equal(display.rows_[-1].get_offsets(), np.array(LECTURE_002[0])[:2])
    tip, tail = np.array(display.normal_.get_position()), np.array(display.normal_.xy)
    assert np.cross([*(tip - tail), 0], [*w[:2], 0])[2] == pytest.approx(0, abs=1e-9)
    assert (tip - tail) @ w[:2] > 0


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


def test_sparse_rows_of_very_many_columns_are_never_made_dense_as_a_whole(monkeypatch):
    from scipy.sparse import csr_array, hstack, random_array

    from novikoff.display.plane import MOST_SAMPLED_CELLS
    from novikoff.inputs import Table

    y = np.repeat([1.0, -1.0], 200)
    words = random_array((400, 30_000), density=0.001, random_state=0)
    X = csr_array(hstack([y[:, None], words]))
    run = nk.trace(X, y)
    made, dense_rows = [], Table.dense_rows

    def watched(self, which):
        block = dense_rows(self, which)
        made.append(block.size)
        return block

    monkeypatch.setattr(Table, "dense_rows", watched)
    display = run.plot()
    assert 0 < sum(made) <= MOST_SAMPLED_CELLS
    w = run.weights_at(run.n_mistakes)[:-1]
    assert np.allclose(display.points[:, 0], X @ w / np.linalg.norm(w))


def test_an_overlap_shows_both_hulls_their_point_and_the_blocking_rows():
    X, y = nk.datasets.xor()
    verdict = nk.certify(X, y)
    display = verdict.plot()
    assert len(display.hulls_) == 2
    assert display.ax_.get_title() == "overlapping"
    assert [patch.get_linestyle() for patch in display.hulls_] == ["-", "--"]  # told apart in grey
    assert all(patch.get_edgecolor()[3] == 1 for patch in display.hulls_)
    assert np.allclose(display.point_.get_xydata(), [[0.5, 0.5]])
    ringed = display.ax_.collections[2].get_offsets()
    assert sorted(map(tuple, np.asarray(ringed))) == sorted(map(tuple, X.astype(float)))


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


def test_an_estimator_of_three_classes_is_refused_with_the_reason():
    X, y = nk.datasets.iris()
    with pytest.warns(UserWarning, match="stopped after"):
        clf = nk.Perceptron(max_iter=3).fit(X, y)
    with pytest.raises(nk.InputError, match="no single line of weights"):
        nk.BoundaryDisplay.from_estimator(clf, X, y)


def test_weights_beyond_every_float_draw_the_line_that_they_are():
    scale = Fraction(1, 3**900)  # about 1e-430: the certificate's integers reach 1e430
    X = [[scale, scale / 3], [2 / (1 / scale + 1), 27 * scale / 9], [-2 * scale, 2 * scale],
         [5 / (1 / scale + 2), scale]]  # fmt: skip
    verdict = nk.certify(X, [0, 1, 0, 1])
    with pytest.raises(OverflowError):
        float(max(map(abs, verdict.certificate.weights)))
    w, v, _ = map(Fraction, verdict.certificate.weights)
    drawn = verdict.plot().weights
    assert drawn[0] / drawn[1] == pytest.approx(float(w / v), rel=1e-15)


@pytest.mark.parametrize("scale", [1e-160, 1e-3, 1e99])
def test_the_picture_does_not_depend_on_the_unit_of_the_rows(scale):
    X, y = np.array([[1.0, -1], [2, 3], [-2, 2], [5, 1]]), [0, 1, 0, 1]
    one, other = (nk.trace(rows, y, fit_intercept=False) for rows in (X, X * scale))
    ends = [nk.BoundaryDisplay.from_run(run).boundary_.get_xydata() for run in (one, other)]
    assert np.allclose(ends[1] / scale, ends[0])
    other.plot().figure_.canvas.draw()


def test_numbers_too_large_for_a_picture_are_refused_in_a_sentence():
    with pytest.raises(nk.InputError, match="numbers of 1e\\+100 or more"):
        nk.certify([[1e200, 1], [2, 3]], [0, 1]).plot()
    with pytest.raises(nk.InputError, match="numbers of 1e\\+100 or more"):
        nk.certify([[10**400], [10**400 + 1], [10**400 + 2]], [0, 1, 0]).plot()


def test_rows_that_would_be_a_strip_have_units_of_their_own_and_the_picture_says_so():
    X = np.array([[0.0, 0], [100, 1], [100, 0], [0, 1]])
    strip = nk.certify(X, [0, 0, 1, 1]).plot()
    assert strip.ax_.get_aspect() == "auto"
    assert "different units" in strip.figure_.get_supxlabel()
    low, high = strip.ax_.get_ylim()
    assert high - low < 2
    square = nk.certify(X / [100, 1], [0, 0, 1, 1]).plot()
    assert square.ax_.get_aspect() == 1
    assert "units" not in square.figure_.get_supxlabel()


def test_names_with_dollars_and_control_characters_are_shown_as_they_are():
    frame = pd.DataFrame({"$a_b": [0.0, 1, 2, 3], "$\\frac{": [1.0, 0, 5, 2]})
    labels = np.array(["$x^2$", "y\ud800$ {", "$x^2$", "$x^2$"], dtype=object)
    display = nk.certify(frame, labels).plot()
    display.figure_.canvas.draw()
    (legend,) = display.figure_.legends
    names = [text.get_text() for text in legend.get_texts()]
    assert names[:2] == ["+ y\ufffd$ {", "− $x^2$"]
    assert display.ax_.get_ylabel() == "$\\frac{"
    shown = [*legend.get_texts(), display.ax_.xaxis.label, display.ax_.yaxis.label]
    assert not any(text.get_parse_math() for text in shown)
    runs = {"$\\frac{": nk.trace(*LECTURE_002)}
    nk.MistakesDisplay.from_runs(runs).figure_.canvas.draw()


def test_of_very_many_rows_an_even_sample_is_drawn_and_the_picture_says_so():
    random = np.random.default_rng(3)
    X = random.standard_normal((20_000, 2))
    X[123] = [40, 40]
    y = random.integers(0, 2, len(X))
    verdict = nk.certify(X, y)
    display = verdict.plot()
    marks = sum(len(display.rows_[sign].get_offsets()) for sign in (1, -1))
    assert MOST_DRAWN <= marks <= MOST_DRAWN + len(verdict.rows)
    assert set(verdict.rows) <= set(display.drawn.tolist())
    assert f"{marks:,} of 20,000 rows are drawn" in display.figure_.get_supxlabel()
    corners = np.vstack([patch.get_xy() for patch in display.hulls_])
    assert [40, 40] in corners.tolist()  # not drawn, but a corner of a hull and in the frame
    assert display.ax_.get_xlim()[1] > 40


def test_of_very_many_ringed_rows_the_legend_tells_how_many_are_ringed():
    table, labels = nk.datasets.planted(5000, 2, 0.0001)
    run = nk.trace(table, labels)
    rows = np.arange(5000)
    display = nk.BoundaryDisplay(run.table, run.signs, run.classes, support=rows).plot()
    names = [text.get_text() for text in display.figure_.legends[0].get_texts()]
    assert f"support rows ({MOST_DRAWN // 4:,} of 5,000)" in names
    assert len(display.ax_.collections[2].get_offsets()) == MOST_DRAWN // 4


@pytest.mark.parametrize("shape", [(1, 1), (1, 5), (5, 1), (1.3, 1)])
def test_the_legend_hides_no_row_and_nothing_leaves_the_figure(shape):
    X = np.array([[0.0, 0], [1, 1], [1, 0], [0, 1]]) * shape
    display = nk.certify(X, [0, 0, 1, 1]).plot()
    display.figure_.canvas.draw()
    (legend,) = display.figure_.legends
    assert not legend.get_window_extent().overlaps(display.ax_.get_window_extent())
    whole = display.figure_.bbox
    for artist in (legend, display.ax_.xaxis.label, display.ax_.yaxis.label, display.ax_.title):
        box = artist.get_window_extent()
        assert whole.x0 <= box.x0
        assert box.x1 <= whole.x1
        assert whole.y0 <= box.y0
        assert box.y1 <= whole.y1


def test_without_an_offset_the_cones_are_shown_and_hold_the_shared_point():
    X, y = [[1, 2], [2, 1], [1, 1], [3, -1.0]], [1, 1, 0, 0]
    display = nk.certify(X, y, fit_intercept=False).plot()
    for patch in display.hulls_:
        corners = patch.get_xy()
        assert [0, 0] in corners.tolist()
        assert patch.get_path().contains_points(display.point_.get_xydata(), radius=1e-9).all()
    assert "point both cones share" in display.point_.get_label()
    assert display.ax_.get_xlim()[0] < 0


@pytest.mark.parametrize("ends", [[(0, 0), (4, 2)], [(1, 1), (1, 1)], [(0, 3), (0, -5)]])
def test_the_hull_of_points_on_one_line_is_its_two_ends(ends):
    first, last = np.array(ends, dtype=float)
    points = np.array([first + t * (last - first) for t in (0.5, 0, 1, 0.25, 1)])
    corners = {tuple(corner) for corner in hull(points)}
    assert corners == {tuple(first), tuple(last)}
