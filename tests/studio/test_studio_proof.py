"""The proof at each mistake, visits, returning weights, further pictures: against oracles."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import novikoff as nk
from node import marks_of, needs_node, told
from novikoff.errors import InputError
from novikoff.models import train
from novikoff.studio.features import mapped
from novikoff.studio.pictures.curves import (
    GAMMAS,
    hardest_mistakes,
    lap,
    pass_counts,
    random_mistakes,
)
from novikoff.studio.pictures.gallery import KINDS
from novikoff.studio.scene import sides, wrong_by
from novikoff.studio.session import Session
from novikoff.studio.sources import of_arrays, open_columns
from novikoff.studio.state import Conventions, read_state
from novikoff.studio.visits import Visits, find_cycle


def opened(X, signs, **settings):
    state = open_columns(of_arrays(np.asarray(X, dtype=float), signs))
    return Session(read_state({**state.to_json(), **settings}))


def small(seed, n=8):
    """Small dyadic rows; separable or not, as it comes."""
    random = np.random.default_rng(seed)
    X = random.integers(-8, 9, size=(n, 2)) / 2
    signs = np.where(random.random(n) < 0.5, 1, -1)
    signs[:2] = 1, -1
    return X, signs


def every_visit(X, signs, order, start, offset, tie, most):
    """The perceptron visit by visit in Fractions: rows, mistakes, weights before each pass."""
    Z = [[Fraction(v) for v in row] + [Fraction(int(offset))] for row in X.tolist()]
    w = [Fraction(v) for v in start]
    n, visits, at = len(Z), [], 0
    ends = [tuple(w)]
    clean = 0
    while clean < n and len(visits) < most:
        i = order[at]
        score = sum(a * b for a, b in zip(Z[i], w, strict=True))
        wrong = signs[i] * score < 0 or (score == 0 and not (tie == "positive" and signs[i] > 0))
        if wrong:
            w = [a + int(signs[i]) * b for a, b in zip(w, Z[i], strict=True)]
        visits.append((i, wrong))
        at = (at + 1) % n
        clean = 0 if wrong else clean + 1
        if at == 0:
            ends.append(tuple(w))
    return visits, ends


@pytest.mark.parametrize("order", ["cyclic", "restart", "shuffled", (3, 1, 0, 2, 7, 5, 4, 6)])
@pytest.mark.parametrize("start", [None, "random"])
def test_visits_are_the_rows_that_the_run_looks_at(order, start, fresh_seed):
    X, signs = small(fresh_seed)
    given = np.array(order) if isinstance(order, tuple) else order
    run = nk.trace(X, signs, order=given, start=start, random_state=5, max_iter=40)
    visits = Visits(run, Conventions(order, start, 5))
    assert [visits.row(v) for v in run.tape.visits] == run.tape.rows.tolist()
    wrong = set(run.tape.visits.tolist())
    for begin in {visits.pass_begin(v) for v in range(visits.total)}:
        seen = [visits.row(v) for v in range(visits.total) if visits.pass_begin(v) == begin]
        assert len(set(seen)) == len(seen)
    if order == "cyclic" and start is None:
        slow, _ = every_visit(X, signs, range(8), [0, 0, 0], True, "mistake", visits.total)
        fast = [(visits.row(v), v in wrong) for v in range(min(visits.total, len(slow)))]
        assert fast == slow[: len(fast)]


@needs_node
@pytest.mark.parametrize("order", ["cyclic", "shuffled"])
def test_visits_of_several_classes_are_crossed_where_any_class_was_wrong(order):
    session = Session()
    session.handle({"edits": [{"do": "load", "name": "iris"},
                              {"do": "set", "key": "passes", "value": 3},
                              {"do": "set", "key": "order", "value": order},
                              {"do": "visit", "to": 0}]})  # fmt: skip
    timeline = session.timeline(session.state)
    wrong = {int(v) for run in timeline.runs for v in run.tape.visits}
    assert wrong
    for visit in (1, 2, 60, 149, 150, 151, timeline.visits.total):
        session.handle({"edits": [{"do": "visit", "to": visit}]})
        view = told(session)
        marks = [m for m in view["scene"]["over"] if m["role"] in ("ticked", "crossed")]
        begin = (visit - 1) // 150 * 150
        assert len(marks) == visit - begin
        for mark, at in zip(marks, range(begin, visit), strict=True):
            assert mark["role"] == ("crossed" if at in wrong else "ticked")
            made = [int(run.tape.rows[run.tape.visits == at][0]) for run in timeline.runs
                    if at in run.tape.visits]  # fmt: skip
            assert all(row == mark["row"] for row in made)
        said = view["step"]["title"] + view["step"]["text"]
        assert ("is right" in said) == (visit - 1 not in wrong)
        if visit - 1 not in wrong:
            assert "For all 3 classes" in said
    session.handle({"edits": [{"do": "set", "key": "order", "value": "restart"}]})
    assert session.view(session.state)["run"]["looked"] is None


def test_five_columns_are_seen_in_three_dimensions_without_a_distance_lost(fresh_seed):
    X, signs = small(fresh_seed)
    session = opened(X, signs, map="quadratic", view="space", passes=5)
    timeline = session.timeline(session.state)
    rows = mapped(X, "quadratic")
    for k in range(timeline.n_updates + 1):
        session.handle({"edits": [{"do": "go", "k": k}]})
        extra = session.view(session.state)["extra"]
        weights = timeline.weights(k)[0]
        if not weights[:5].any():
            assert extra["space"]["plane"] == []
        if len(extra["space"]["plane"]) < 3:
            continue
        corners = np.array(extra["space"]["plane"])
        normal = np.linalg.svd(corners - corners.mean(axis=0))[2][2]
        far = (np.array(extra["space"]["rows"])[:, :3] - corners.mean(axis=0)) @ normal
        scores = rows @ weights[:5] + weights[5]
        share = far @ scores / (scores @ scores)
        assert far == pytest.approx(share * scores, abs=1e-3)
    assert "The height is" in extra["note"]


@needs_node
def test_a_run_stepped_by_visits_ticks_what_is_right_and_crosses_what_is_wrong():
    session = Session()
    run = nk.trace(*nk.datasets.load("lecture:002"))
    session.handle({"edits": [{"do": "visit", "to": 0}]})
    k = 0
    for visit in range(1, run.n_visits + 1):
        session.handle({"edits": [{"do": "visit", "by": 1}]})
        view = told(session)
        wrong = visit - 1 in run.tape.visits.tolist()
        k += wrong
        assert view["controls"]["k"] == k
        assert view["controls"]["visit"] == {"at": visit, "total": run.n_visits}
        marks = [mark for mark in view["scene"]["over"] if mark["role"] in ("ticked", "crossed")]
        assert len(marks) == (visit - 1) % 4 + 1
        row = (visit - 1) % 4
        assert {m["role"] for m in marks if m["row"] == row} == {"crossed" if wrong else "ticked"}
        assert ("is right" in view["step"]["title"]) is not wrong
    assert view["step"]["last"]
    session.handle({"edits": [{"do": "visit", "by": 1}]})
    assert session.state.visit == run.n_visits
    session.handle({"edits": [{"do": "end", "last": False}, {"do": "step", "by": 2}]})
    assert session.state.visit == 2
    session.handle({"edits": [{"do": "go", "k": 4}]})
    assert session.state.visit is None
    assert session.view(session.state)["run"]["k"] == 4
    session.handle({"edits": [{"do": "visit"}]})
    assert session.state.visit == int(run.tape.visits[3]) + 1
    session.handle({"edits": [{"do": "go", "k": 0}, {"do": "end", "last": True}]})
    assert session.state.k is None


def test_weights_that_come_back_are_said_to_prove_that_the_run_never_ends(fresh_seed):
    found = 0
    for seed in range(fresh_seed % 1000, fresh_seed % 1000 + 60):
        X, signs = small(seed, n=5)
        run = nk.trace(X, signs, max_iter=60)
        cycle = find_cycle(run)
        if run.converged:
            assert cycle is None
            continue
        _, ends = every_visit(X, signs, range(5), [0, 0, 0], True, "mistake", 300)
        first = next(((ends.index(w), i) for i, w in enumerate(ends) if w in ends[:i]), None)
        assert (None if cycle is None else (cycle.first, cycle.last)) == first
        if cycle:
            assert nk.certify(X, signs).status != "separable"
            found += 1
    assert found


@needs_node
def test_xor_says_that_it_repeats_and_a_shuffled_order_proves_nothing():
    session = Session()
    session.handle({"edits": [{"do": "load", "name": "xor"}]})
    said = told(session)["step"]["outcome"]
    assert "After pass 1 the weights are again exactly those at the start" in said
    assert "never ends" in said
    session.handle({"edits": [{"do": "set", "key": "order", "value": "shuffled"}]})
    assert "stopped by" in told(session)["step"]["outcome"]


@pytest.mark.parametrize("offset", [True, False])
def test_each_mistake_has_its_inequalities_with_their_numbers(offset, fresh_seed):
    for seed in range(fresh_seed % 1000, fresh_seed % 1000 + 12):
        X, signs = small(seed)
        session = opened(X, signs, offset=offset, limit=60)
        finding = session.finding(session.state, 1)
        run = session.timeline(session.state).runs[0]
        Z = np.column_stack([X, np.full(len(X), float(offset))])
        for step in run.steps(1, min(run.n_mistakes, 12)):
            session.handle({"edits": [{"do": "go", "k": step.k}]})
            lines = session.view(session.state)["live"]
            assert all(line["holds"] for line in lines)
            after = np.append(step.weights, [] if offset else [0.0])
            before = after - step.sign * Z[step.row]
            rise = float(after @ after - before @ before)
            length = next(line for line in lines if line["text"].startswith("‖w‖²"))
            assert number_after(length["text"], "rose by ") == pytest.approx(rise, rel=1e-5)
            assert number_after(length["text"], "R² = ") == pytest.approx(
                finding.radius**2, rel=1e-5
            )
            if finding.separator is None:
                assert not any(line["text"].startswith("w·v rose") for line in lines)
                continue
            v = np.array([float(value) for value in finding.separator.weights])
            gain = step.sign * float(Z[step.row] @ v) / math.sqrt(float(v @ v))
            assert number_after(lines[0]["text"], "rose by ") == pytest.approx(gain, rel=1e-5)
            assert number_after(lines[0]["text"], "γ = ") == pytest.approx(
                finding.margin[0], rel=1e-5
            )


def number_after(text, words):
    return float(text.split(words)[1].split()[0].replace("−", "-"))


@needs_node
def test_the_proof_and_the_offset_are_written_as_the_lecture_writes_them():
    session = Session()
    session.handle(
        {"edits": [{"do": "go", "k": 3}, {"do": "set", "key": "notation", "value": "002"}]}
    )
    view = told(session)
    assert view["live"][0]["text"] == "W*·W rose by 1 ≥ 1"
    assert view["live"][1]["text"] == "‖W‖² rose by −6.75 ≤ R² = 11"
    assert {"name": "B = 1/γ", "value": "2.23607"} in view["verdict"]["facts"]
    assert {"name": "bound (R·B)²", "value": "55 mistakes"} in view["verdict"]["facts"]
    assert view["table"]["header"][-1] == "W(k + 1)"
    assert "k·γ ≤ W·W*" in [line["formula"] for line in view["proof"]]
    assert view["inset"]["names"] == ["W(3)", "+ x₄", "W(4)"]
    assert view["scene"]["letter"] == "w"
    session.handle({"edits": [{"do": "load", "name": "lecture:003"},
                              {"do": "set", "key": "notation", "value": "003"}]})  # fmt: skip
    lines = told(session)["table"]["entries"]
    assert [line[-1] for line in lines] == ["(0, 0, 0)", "(-1, -2, -1)", "(0, -1, 1)"]
    session.handle({"edits": [{"do": "set", "key": "notation", "value": "001"}]})
    table = told(session)["table"]
    assert table["entries"][1][-1] == "(-2, -1), -1"
    assert table["header"][-1] == "θ(k)"
    assert table["caption"].endswith("weights of x1, x2; the offset θ₀ stands behind.")


def test_a_run_that_ended_has_a_bound_where_the_verdict_ran_out_of_time(monkeypatch):
    monkeypatch.setattr("novikoff.studio.proof.TIME_LIMIT", 1e-9)
    session = opened([[1, 3], [2, 1], [-2, 1.5], [-1, -2]], [1, 1, -1, -1], run=10)
    view = session.view(session.state)
    assert {one["status"] for one in view["verdict"]["drawn"]} == {"undecided"}
    bounds = [mark for mark in view["chart"]["marks"] if mark["role"] == "bound"]
    assert any(str(mark.get("text", "")).startswith("bound ") for mark in bounds)


@needs_node
def test_the_ball_and_the_band_hold_what_the_theorem_says():
    session = Session()
    shown = ["regions", "ball"]
    session.handle({"edits": [{"do": "set", "key": "show", "value": shown}]})
    marks = marks_of(session)["under"]
    circle = np.array(next(m for m in marks if m["role"] == "ball")["at"][0]).reshape(-1, 2)
    radius = math.sqrt(max((x * x + y * y) for x, y in session.state.points.tolist()))
    assert np.hypot(*circle.T) == pytest.approx(radius, rel=1e-4)
    band = np.array(next(m for m in marks if m["role"] == "gamma")["at"][0]).reshape(-1, 2)
    v = np.array([2.0, 0.0, 1.0]) / math.sqrt(5)  # of the largest margin
    reached = np.abs(band @ v[:2] + v[2]).max()
    assert reached == pytest.approx(1 / math.sqrt(5), rel=1e-4)


# Further pictures


def shown(session, view, **more):
    edits = [{"do": "set", "key": "view", "value": view}]
    edits += [{"do": "set", "key": key, "value": value} for key, value in more.items()]
    session.handle({"edits": edits})
    return session.view(session.state)["extra"]


def test_updates_and_errors_of_a_pass_are_counted_each_by_itself(fresh_seed):
    X, signs = small(fresh_seed)
    session = opened(X, signs, passes=20)
    timeline = session.timeline(session.state)
    updates, ends = pass_counts(session.state, timeline)
    visits, _ = every_visit(
        X, signs, range(8), [0, 0, 0], True, "mistake", timeline.runs[0].n_visits
    )
    passes = [visits[i : i + 8] for i in range(0, len(updates) * 8, 8)]
    assert (
        updates[: len(passes)] == [sum(wrong for _, wrong in one) for one in passes][: len(updates)]
    )
    assert ends == [0, *np.cumsum(updates).tolist()]
    picture = shown(session, "passes")
    errors = np.array(picture["plot"]["marks"][0]["at"][0]).reshape(-1, 2)[:, 1]
    Z = np.column_stack([X, np.ones(8)])
    for end, error in zip(ends, errors.tolist(), strict=False):
        assert error == int((signs * (Z @ timeline.weights(end)[0]) <= 0).sum())


def test_three_dimensions_have_w_at_a_right_angle_on_its_plane():
    session = Session()
    for name, features in (
        ("lecture:002", "none"),
        ("xor", "xor"),
        ("lecture:000", "none"),
        ("xor", "quadratic"),
    ):
        session.handle({"edits": [{"do": "load", "name": name}]})
        space = shown(session, "space", map=features)["space"]
        corners, arrow = np.array(space["plane"]), np.array(space["normal"])
        assert len(corners) >= 3
        along = arrow[3:] - arrow[:3]
        edges = corners - np.roll(corners, 1, axis=0)
        assert np.abs(edges @ along).max() < 1e-4
        assert np.abs(corners).max() <= 1 + 1e-6
        side = (np.array(space["rows"])[:, :3] - corners[0]) @ along
        signs = np.where(session.state.codes == 1, 1, -1)
        assert (signs * side > 0).all()
    session.handle({"edits": [{"do": "load", "name": "iris"}]})
    assert shown(session, "space")["space"] is None  # three classes have three planes


def test_the_space_of_weights_shades_the_weights_that_separate():
    session = Session()
    session.handle({"edits": [{"do": "load", "name": "lecture:000"}]})
    picture = shown(session, "weights")
    region = np.array(picture["plot"]["marks"][0]["at"][0]).reshape(-1, 2)
    signs = np.where(session.state.codes == 1, 1, -1)
    middle = region.mean(axis=0)
    assert (signs * (session.state.points @ middle) > 0).all()
    walk = next(m for m in picture["plot"]["marks"] if m["role"] == "walk")["at"][0]
    assert walk == [0, 0, 1, -2, 2, -1, 3, 1]
    session.handle({"edits": [{"do": "load", "name": "xor"}]})
    assert shown(session, "weights")["plot"]["marks"][0]["at"] == []


@pytest.mark.parametrize("gamma", GAMMAS[::3])
def test_a_stream_makes_no_more_mistakes_than_the_theorem_allows(gamma):
    made, hard = random_mistakes(gamma), hardest_mistakes(gamma)
    assert made[-1] <= 1 / gamma**2
    assert list(made) == sorted(made)
    assert hard[-1] == min(len(hard), math.floor(1 / gamma**2 + 1e-9))
    session = Session()
    assert shown(session, "stream", level=GAMMAS.index(gamma))["slider"]["text"] == f"{gamma:g}"


def test_the_hardest_stream_is_as_hard_as_it_is_drawn():
    """Signed unit vectors: one mistake for each, as many as the bound allows."""
    data = nk.datasets.load("tight:25")
    assert nk.trace(data.X, data.y, **data.conventions).n_mistakes == 25
    assert hardest_mistakes(0.2)[-1] == 25


def test_the_race_counts_the_mistakes_that_are_known():
    assert [lap(n).plain for n in range(4, 9)] == [61, 161, 417, 1093, 2857]
    for n in (4, 8):
        data = nk.datasets.load(f"badmargin:{n}")
        assert lap(n).rescaled == nk.RescaledPerceptron().fit(data.X, data.y).n_mistakes_
    session = Session()
    assert "2,857" in shown(session, "race", level=5)["note"]


def test_the_gallery_has_every_perceptron_with_its_errors():
    session = Session()
    session.handle({"edits": [{"do": "load", "name": "iris:versicolor,virginica"}]})
    assert "learning" in shown(session, "gallery")["note"]
    session.handle({"ask": "decide"})
    panels = session.view(session.state)["extra"]["panels"]
    assert [panel["title"] for panel in panels] == list(KINDS)
    signs = np.where(session.state.codes == 1, 1, -1)
    model = train("AveragedPerceptron", session.state.points, signs, max_iter=30)
    wrong = int((signs * model.decision_function(session.state.points) <= 0).sum())
    assert panels[1]["text"].startswith(f"{wrong} wrong here; ")
    assert panels[2]["bars"]
    assert max(panels[2]["bars"]) == 1
    assert panels[4]["text"].startswith("not separable")
    session.handle({"edits": [{"do": "load", "name": "lecture:002"}]})
    shown(session, "gallery")
    session.handle({"ask": "decide"})
    panels = session.view(session.state)["extra"]["panels"]
    assert panels[4]["text"].startswith("0 wrong here")


# A line of one's own, all rows at once


def test_a_line_of_ones_own_is_judged_exactly():
    state = replace(Session().state, points=np.array([[0.1, 0.3], [0.2, 0.6], [0.3, 0.9], [1, 0]]),
                    codes=np.array([1, 0, 1, 0]))  # fmt: skip
    ends = (0.0, 0.0, 1.0, 3.0)
    exact = [Fraction(-3) * Fraction(x) + Fraction(y) for x, y in state.points.tolist()]
    assert sides(state, ends).tolist() == [(v > 0) - (v < 0) for v in exact]
    session = Session()
    session.handle({"edits": [{"do": "line"}]})
    assert session.state.line is not None
    state = replace(session.state, line=(-0.5, -3.0, -0.5, 3.0))
    assert wrong_by(state, state.line)[0] == 0
    assert "nearest row is 0.5 away. The most is 0.5." in session.view(state)["own"]["text"]
    state = replace(state, line=(0.0, 0.0, 1.0, 0.0))
    assert "2 rows wrong" in session.view(state)["own"]["text"]
    session.handle({"edits": [{"do": "line", "end": 0, "at": [10, 10]}, {"do": "line"}]})
    assert session.state.line is None


def test_sliders_that_go_back_take_their_change_back():
    session = Session()
    before = session.state.points.copy()
    changes = (("turn", 35, -35), ("noise", 0.2, -0.2), ("scale", 2, 0.5), ("apart", 0.3, -0.3))
    for what, there, back in changes:
        session.handle({"edits": [{"do": "reshape", what: there}]})
        assert np.abs(session.state.points - before).max() > 0.05
        session.handle({"edits": [{"do": "reshape", what: back}]})
        assert session.state.points == pytest.approx(before, abs=2e-5)
    for bad in ({}, {"turn": 1e9}, {"scale": 0}, {"scale": -2}):
        assert "error" in session.handle({"edits": [{"do": "reshape", **bad}]})


# For a statistician


def test_what_a_regression_is_told_is_found_for_the_class_on_the_screen_and_then_for_another():
    session = Session()
    session.handle({"edits": [{"do": "load", "name": "iris"}, {"do": "go", "k": 0}]})
    for code in (0, 2):
        session.handle({"edits": [{"do": "focus", "class": code}]})
        waiting = session.view(session.state)
        assert waiting["verdict"]["regression"] is None
        assert waiting["deciding"]
        session.handle({"ask": "decide"})
        view = session.view(session.state)
        assert view["run"]["owner"] == code
        assert view["verdict"]["regression"] is not None
        assert view["deciding"] is None


@pytest.mark.parametrize("name", ["lecture:002", "xor", "touching", "breast_cancer", "wine"])
def test_the_card_says_of_a_regression_what_certify_says(name):
    session = Session()
    session.handle({"edits": [{"do": "load", "name": name}]})
    session.handle({"ask": "decide"})
    view = session.view(session.state)
    owner = view["run"]["owner"]
    found = view["verdict"]["regression"]
    data = nk.datasets.load(name)
    y = data.y if len(set(data.y.tolist())) == 2 else np.where(
        data.y == session.state.classes[owner], 1, -1)  # fmt: skip
    verdict = nk.certify(data.X, y)
    words = {"+": "+∞", "-": "-∞", "either": "±∞"}
    assert [one["value"] for one in found["infinite"]] == [
        words[w] for w in verdict.columns.values()
    ]
    assert ("finite maximum-likelihood" in found["remark"]) is (verdict.status != "separable")
    for line in found["rows"]:
        row = int(line[0]) - 1
        assert [float(cell) for cell in line[2:]] == pytest.approx(data.X[row].tolist())
    assert len(found["rows"]) == len(verdict.rows)


def test_one_click_makes_the_report_and_the_proof():
    session = Session()
    session.handle({"edits": [{"do": "load", "name": "xor"}]})
    report = session.handle({"ask": "report"})["answer"]
    assert report["name"] == "report.html"
    assert report["text"].startswith("<!DOCTYPE html>")
    assert "xor: overlapping" in report["text"]
    session.handle({"edits": [{"do": "set", "key": "map", "value": "xor"}]})
    assert "no report" in session.handle({"ask": "report"})["error"]


def test_thumbnails_are_rows_of_their_sets_in_a_square():
    groups = Session().handle({"ask": "thumbnails"})["answer"]
    names = [one["name"] for group in groups for one in group["sets"]]
    assert "lecture:002" in names
    for group in groups:
        for one in group["sets"]:
            rows = np.array(one["rows"])
            assert len(rows) >= 2
            assert rows[:, :2].min() >= -1e-9
            assert rows[:, :2].max() <= 1 + 1e-9


def test_a_line_or_a_view_that_makes_no_sense_is_refused():
    state = Session().state.to_json()
    for bad in ({"line": [1, 2, 3]}, {"line": "x"}, {"view": "moon"}, {"visit": -1}, {"level": 1e9},
                {"notation": "x"}, {"lesson": 3}, {"lesson": {"name": 5}}):  # fmt: skip
        with pytest.raises(InputError):
            read_state({**state, **bad})
