"""The screen says what the library says: same runs, same verdicts, same files."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import novikoff as nk
from node import marks_of, needs_node, told
from novikoff.studio.edits import apply
from novikoff.studio.scene import wrong_rows
from novikoff.studio.session import Session
from novikoff.studio.sources import load_set, of_arrays, open_columns
from novikoff.studio.state import read_state
from novikoff.studio.timeline import Timeline
from novikoff.verdicts.fewest import bracketed
from novikoff.wording import number, vector


def session(name: str) -> Session:
    one = Session(open_columns(load_set(name)))
    one.handle({"hello": True})
    return one


def do(one: Session, *edits: dict) -> dict:
    reply = one.handle({"id": 1, "edits": list(edits)})
    assert "error" not in reply
    return reply


@needs_node
@pytest.mark.parametrize("name", ["lecture:000", "lecture:001", "lecture:002", "lecture:003"])
def test_every_line_of_the_table_and_every_boundary_is_the_librarys(name):
    data, one = nk.datasets.load(name), session(name)
    run = nk.trace(data.X, data.y, **data.conventions)
    table = told(one)["table"]
    assert table["total"] == run.n_mistakes
    assert table["entries"][0] == ["0", "", "", "", vector(run.weights_at(0))]
    for line, step in zip(table["entries"][1:], run.steps(), strict=True):
        sign = "+" if step.sign > 0 else "−"
        assert line == [
            str(step.k), str(step.row + 1), sign, number(step.score), vector(step.weights)
        ]  # fmt: skip
        do(one, {"do": "go", "k": step.k})
        view = told(one)
        exact = [run.exact_weights_at(k).score(step.row) for k in (step.k - 1, step.k)]
        old, new = (number(float(score)) for score in exact)
        assert view["scene"]["update"]["text"] == f"score {old} → {new}".replace("-", "−")
        said = f"It was {old if exact[0] else 'a tie'}, and is {new} now."
        needed = "< 0" if step.sign < 0 else ">= 0" if one.state.tie == "positive" else "> 0"
        assert f"should be {needed}. {said}" in view["step"]["text"]
        assert view["step"]["last"] == (step.k == run.n_mistakes)
        row = [*data.X[step.row], 1.0][: len(step.weights)]
        before = vector(run.weights_at(step.k - 1))
        assert view["step"]["sum"] == [before, sign, vector(row), "=", vector(step.weights)]
        marks = [m for m in marks_of(one, view)["under"] if m["role"] == "boundary"]
        assert marks or name == "lecture:003"  # whose first line is not in view
        w = [*step.weights, *([] if run.fit_intercept else [0.0])]
        for x, y in np.array([m["at"][0] for m in marks]).reshape(-1, 2):
            assert abs(np.dot(w, [x, y, 1.0])) <= 1e-4 * np.abs(w).max()


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("lecture:002", "separable"),
        ("xor", "overlapping"),
        ("conflict", "quasi-separable"),
        ("touching", "quasi-separable"),
        ("counterexample_origin", "separable"),
        ("decimal_trap:decimal", "overlapping"),
        ("decimal_trap:binary64", "separable"),
    ],
)
def test_the_verdict_is_certifys_and_its_proof_verifies(name, status):
    one = session(name)
    data = nk.datasets.load(name)
    verdict = nk.certify(data.X, data.y, data.conventions.get("fit_intercept", True))
    assert one.finding(one.state, 1).status == verdict.status == status
    proof = json.loads(one.handle({"ask": "proof"})["answer"]["text"])
    assert proof["kind"] == verdict.certificate.kind


@pytest.mark.parametrize(
    ("name", "feature_map"),
    [("xor", "none"), ("xor", "xor"), ("decimal_trap:decimal", "quadratic"), ("iris", "circles")],
)
def test_the_exported_proof_holds_for_the_exported_rows(tmp_path, name, feature_map):
    from novikoff.cli.verify import verify

    one = session(name)
    do(one, {"do": "move", "row": 0, "at": [313, 251]}, {"do": "flip", "row": 0},
       {"do": "flip", "row": 0, "class": 0},
       {"do": "set", "key": "map", "value": feature_map},
       {"do": "set", "key": "limit", "value": 50})  # fmt: skip
    for proof, rows in (("proof", "proof_rows"), ("drawn_proof", "drawn_rows")):
        paths = []
        for what in (proof, rows):
            saved = one.handle({"ask": what})["answer"]
            paths.append(tmp_path / saved["name"])
            paths[-1].write_text(saved["text"])
        ran = CliRunner().invoke(verify, list(map(str, paths)), catch_exceptions=False)
        assert ran.exit_code == 0
        shown = one.view(one.state)["verdict"]
        of_all = proof == "proof" and shown["whole"]
        (found,) = [found["status"] for found in (shown["whole"] if of_all else shown["drawn"])
                    if found["owner"] == shown["owner"]]  # fmt: skip
        assert f"are {found} (" in ran.output


def test_the_shared_point_is_in_both_hulls_and_the_blocking_rows_make_it():
    one = session("planted_obstruction:60,2")
    finding = one.finding(one.state, 1)
    state = one.state
    weights = np.array([float(Fraction(text)) for _, text in finding.support])
    rows = np.array([row for row, _ in finding.support])
    for side in (0, 1):
        mine = state.codes[rows] == side
        share = weights[mine] / weights[mine].sum()
        assert np.allclose(share @ state.points[rows[mine]], finding.point, atol=2e-2)
    assert weights.sum() == pytest.approx(1.0, abs=1e-2)
    assert 2 <= len(rows) <= 4


@needs_node
def test_the_fewest_mistakes_stand_beside_the_verdict_once_they_are_found():
    one = session("planted_flips:120,2,4")
    few = nk.fewest_mistakes(one.state.points, one.state.codes)
    before = told(one)
    assert before["deciding"] is not None
    assert all(fact["name"] != "fewest mistakes" for fact in before["verdict"]["facts"])
    one.handle({"ask": "decide"})
    after = told(one)
    assert after["deciding"] is None
    named = ", ".join(str(row + 1) for row in one.fewest(one.state, 1).rows)
    said = {"name": "fewest mistakes", "value": f"{few.upper}: rows {named}"}
    assert after["verdict"]["facts"][0] == said
    assert one.fewest(one.state, 1).upper == few.upper == few.lower
    marked = [mark["row"] for mark in after["scene"]["proof"]["over"]
              if mark["role"] == "fewest"]  # fmt: skip
    assert len(marked) == few.upper


def test_a_moving_hand_never_asks_for_the_fewest_mistakes(monkeypatch):
    one = session("planted_flips:120,2,4")
    one.finding(one.state, 1)

    def refuse(*_):
        raise AssertionError

    monkeypatch.setattr("novikoff.studio.computations.find_fewest", refuse)
    one.sandwich(one.state, 1)
    assert one.view(one.state, hurried=True)["deciding"] is None
    assert one.view(one.state)["deciding"] is not None


def test_a_search_for_the_fewest_mistakes_ends_when_a_row_is_moved(monkeypatch):
    one = session("planted_flips:120,2,4")
    old, limits = one.state, []
    one.finding(old, 1)

    def moving(*arguments):
        do(one, {"do": "move", "row": 0, "at": [300, 200]})
        limits.append(arguments[4].left())
        return bracketed(*arguments)

    monkeypatch.setattr("novikoff.studio.proof.bracketed", moving)
    one.handle({"ask": "decide"})
    assert limits == [0.0]
    assert one.fewest(old, 1) is None
    assert one.fewest(one.state, 1) is None
    monkeypatch.undo()
    one.handle({"ask": "decide"})
    few = nk.fewest_mistakes(one.state.points, one.state.codes)
    assert one.fewest(one.state, 1).upper == few.upper


def test_the_widest_line_and_its_band_are_those_of_a_support_vector_machine():
    from sklearn.svm import SVC

    one = session("lecture:002")
    finding = one.finding(one.state, 1)
    machine = SVC(kernel="linear", C=1e10).fit(one.state.points, one.state.codes)
    w = finding.widest
    theirs = np.append(machine.coef_[0], machine.intercept_)
    assert np.allclose(w / np.linalg.norm(w[:2]), theirs / np.linalg.norm(theirs[:2]), atol=1e-3)
    assert finding.distance[0] == pytest.approx(1 / np.linalg.norm(theirs[:2]), rel=1e-3)


def test_the_sandwich_meets_at_the_bound_and_the_run_stays_between():
    one = session("lecture:002")
    sandwich = one.sandwich(one.state, 1)
    audit = sandwich.audit
    assert audit.holds
    assert audit.bound == pytest.approx(55, abs=1e-3)
    marks = {m["role"]: m for m in sandwich.plot["marks"] if m["kind"] == "path"}
    assert marks["lower"]["at"][0][-2:] == pytest.approx(marks["upper"]["at"][0][-2:], rel=1e-5)
    for k in range(10):
        dots = {m["role"]: m["at"][1] for m in sandwich.cursor(k) if m["kind"] == "dot"}
        if k:
            assert 10 ** dots["norm"] == pytest.approx(audit.norm[k], rel=1e-4)
            assert 10 ** dots["progress"] == pytest.approx(audit.progress[k], rel=1e-4)


def test_xor_is_separable_with_the_xor_map_and_the_curve_parts_the_rows():
    one = session("xor")
    reply = do(one, {"do": "set", "key": "map", "value": "xor"})
    assert reply["view"]["verdict"]["drawn"][0]["status"] == "separable"
    assert reply["view"]["scene"]["wrong"] == []
    X = nk.datasets.load("xor").X
    mapped = np.column_stack([X, X[:, 0] * X[:, 1]])
    run = nk.trace(mapped, nk.datasets.load("xor").y)
    assert reply["view"]["run"]["total"] == run.n_mistakes
    lines = [m for m in reply["view"]["scene"]["under"] if m["role"] == "boundary"]
    w = run.weights_at(run.n_mistakes)
    for flat in lines[0]["at"]:
        x, y = np.array(flat).reshape(-1, 2).T
        assert np.abs(w[0] * x + w[1] * y + w[2] * x * y + w[3]).max() < 0.02


@pytest.mark.parametrize("order", ["cyclic", "shuffled"])
def test_more_than_two_classes_end_with_the_weights_of_one_run_per_class(order):
    one = session("iris")
    do(
        one,
        {"do": "set", "key": "order", "value": order},
        {"do": "set", "key": "limit", "value": 300},
    )
    timeline = one.timeline(one.state)
    data = load_set("iris")
    last = timeline.weights(timeline.n_updates)
    for place, label in enumerate(data.classes or ()):
        signs = np.where(np.array(data.labels) == label, 1, -1)
        run = nk.trace(data.X[:, 2:], signs, order=order, max_mistakes=300, random_state=0)
        assert (last[place] == run.weights_at(run.n_mistakes)).all()
    visits = [u.step.visit for u in timeline.updates(1, timeline.n_updates)]
    assert visits == sorted(visits)
    counted = np.bincount([u.owner for u in timeline.updates(1, 50)], minlength=3)
    assert counted.tolist() == timeline.counts(50)


@needs_node
def test_the_regions_of_several_classes_are_where_their_score_is_largest():
    one = session("iris")
    timeline = one.timeline(one.state)
    weights = timeline.weights(timeline.n_updates)
    marks = [m for m in marks_of(one)["under"] if m["role"] == "region"]
    assert marks
    for mark in marks:
        corners = np.array(mark["at"][0]).reshape(-1, 2)
        inside = corners.mean(axis=0)
        assert int(np.argmax(weights[:, :2] @ inside + weights[:, 2])) == mark["code"]


@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(st.integers(-3, 3), st.integers(-3, 3), st.integers(0, 1)),
        min_size=2, max_size=7,
    ).filter(lambda rows: len({r[2] for r in rows}) == 2),
    st.sampled_from(["mistake", "positive", "zero"]),
    st.booleans(),
)  # fmt: skip
def test_hollow_rows_are_exactly_the_mistakes_of_the_weights(rows, tie, offset):
    X = [[0.1 * r[0], 0.1 * r[1]] for r in rows]
    state = open_columns(of_arrays(X, [r[2] for r in rows]))
    state = read_state({**state.to_json(), "tie": tie, "offset": offset, "limit": 12})
    timeline = Timeline(state, state.run)
    for k in (0, timeline.n_updates // 2, timeline.n_updates):
        exact = timeline.runs[0].exact_weights_at(k)
        scores = [exact.score(i) for i in range(len(rows))]
        expected = [
            i
            for i, row in enumerate(rows)
            if (scores[i] if row[2] else -scores[i]) < 0
            or (scores[i] == 0 and not (tie == "positive" and row[2] == 1))
        ]
        assert wrong_rows(state, timeline, k) == expected


def run_code(text: str) -> str:
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    return done.stdout


@pytest.mark.parametrize(
    ("name", "edits"),
    [
        ("lecture:001", [{"do": "move", "row": 0, "at": [400, 100]}, {"do": "step", "by": -1},
                         {"do": "overlay", "preset": "orders"}]),
        ("decimal_trap:decimal", [{"do": "set", "key": "map", "value": "circles"}]),
        ("iris", [{"do": "set", "key": "map", "value": "quadratic"}]),
    ],
)  # fmt: skip
def test_the_exported_code_prints_the_run_the_weights_and_the_verdict(name, edits):
    one = session(name)
    do(one, {"do": "set", "key": "limit", "value": 40}, {"do": "go", "k": 17}, *edits)
    said = run_code(one.handle({"ask": "code"})["answer"]["text"])
    state, timeline = one.state, one.timeline(one.state)
    run = timeline.runs[0]
    for w in timeline.weights(one.view(state)["run"]["k"]):
        assert str(w if state.offset else w[:-1]) in said
    if name == "lecture:001":
        assert str(run).splitlines()[2:][0] in said
        assert all(vector(step.weights) in said for step in run.steps())
        assert "linearly separable" in said


def test_a_view_is_a_function_of_the_state_alone():
    one, two = session("planted:60,2,0.1"), session("xor")
    do(one, {"do": "move", "row": 3, "at": [5, 9]}, {"do": "step", "by": -1})
    two.handle({"state": json.loads(json.dumps(one.state.to_json()))})
    assert json.dumps(two.view(two.state)) == json.dumps(one.view(one.state))


def test_a_reply_brings_only_what_changed():
    one = session("planted:60,2,0.1")
    do(one, {"do": "set", "key": "order", "value": "shuffled"})
    reply = do(one, {"do": "move", "row": 3, "at": [5, 9]})
    assert "rows" not in reply
    assert [change[0] for change in reply["changes"]] == [3]
    assert reply["changes"][0][1:3] == one.state.points[3].tolist()
    again = one.handle({"id": 2, "edits": []})
    assert again["view"] == {}
    assert again["changes"] == []


def test_a_long_run_is_told_in_windows():
    one = session("planted_obstruction:60,2")
    do(one, {"do": "set", "key": "limit", "value": 100_000},
       {"do": "set", "key": "passes", "value": 1_000_000})  # fmt: skip
    timeline = one.timeline(one.state)
    assert timeline.n_updates == 100_000
    middle = one.handle({"ask": "table", "first": 50_000})["answer"]
    assert middle["first"] == 50_000
    assert len(middle["updates"]) < 100
    assert middle["updates"][0]["weights"] == timeline.runs[0].weights_at(50_000).tolist()
    reply = do(one, {"do": "go", "k": 77_777})
    assert len(json.dumps(reply)) < 40_000


@pytest.mark.parametrize(
    ("edits", "word"),
    [
        ([{"do": "clear"}], "no rows"),
        ([{"do": "clear"}, {"do": "add", "class": 1}], "negative"),
        ([{"do": "load", "name": "iris"}, *[{"do": "flip", "row": 0, "class": 1}]], ""),
        ([{"do": "set", "key": "order", "value": "1,2"}], "order"),
    ],
)
def test_a_screen_without_a_run_says_why_and_goes_on(edits, word):
    one = session("lecture:002")
    view = do(one, *edits)["view"]
    assert word in one.view(one.state)["problem"]
    if word:
        assert view["run"] is None
        assert do(one, {"do": "load", "name": "xor"})["view"]["problem"] == ""


@pytest.mark.parametrize(
    "message",
    [
        None,
        [],
        {"edits": 3},
        {"edits": [{"do": "explode"}]},
        {"state": {}},
        {"open": "nothing"},
        {"ask": "everything"},
        {"ask": "table", "first": -1},
        {"ask": "table", "first": "x"},
        {"edits": [{"do": "fit"}] * 3000},
    ],
)
def test_a_message_that_makes_no_sense_is_answered_with_a_sentence_and_changes_nothing(message):
    one = session("lecture:002")
    before = one.state.to_json()
    reply = one.handle(message)
    assert reply["error"].endswith((".", "!"))
    assert one.state.to_json() == before


@needs_node
def test_from_another_start_the_chart_draws_what_is_checked():
    one = session("lecture:002")
    do(one, {"do": "set", "key": "start", "value": "2, -3, 1.5"})
    sandwich = one.sandwich(one.state, 1)
    audit = sandwich.audit
    v = np.array([float(w) for w in one.finding(one.state, 1).separator.weights])
    v /= np.linalg.norm(v)
    w0 = np.array([2.0, -3.0, 1.5])
    marks = {m["role"]: m for m in sandwich.plot["marks"] if m["kind"] == "path"}
    assert "bound" not in marks
    for role, height in (
        ("lower", lambda k: w0 @ v + k * audit.margin),
        ("upper", lambda k: np.sqrt(w0 @ w0 + k * audit.radius**2)),
    ):
        k, y = np.array(marks[role]["at"][0]).reshape(-1, 2).T
        assert k[0] == 0
        assert k[-1] == pytest.approx(audit.n_mistakes)
        assert y == pytest.approx(height(k), rel=1e-4)
    legend = {line["role"]: line["text"] for line in sandwich.plot["legend"]}
    formulas = " ".join(check.formula for check in audit.checks)
    assert legend["lower"] == "w0·v + k·γ"
    assert legend["upper"] == "√(‖w0‖² + k·R²)"
    assert legend["lower"] in formulas
    assert legend["upper"] in formulas
    facts = {f["name"]: f["value"] for f in told(one)["verdict"]["facts"]}
    assert facts["bound (R/γ)²"].endswith("from a start at zero")


@pytest.mark.parametrize(
    "edit",
    [
        {"do": "move", "row": 0, "at": [9, 9]},
        {"do": "flip", "row": 0},
        {"do": "delete", "row": 0},
        {"do": "add", "class": 0},
        {"do": "set", "key": "tie", "value": "positive"},
        {"do": "set", "key": "order", "value": "restart"},
        {"do": "set", "key": "start", "value": "1,1,1"},
        {"do": "set", "key": "offset", "value": False},
        {"do": "set", "key": "map", "value": "xor"},
        {"do": "set", "key": "numbers", "value": "decimal"},
    ],
)
def test_the_note_of_a_set_goes_when_its_rows_or_conventions_change(edit):
    one = session("lecture:002")
    assert "9 mistakes" in one.state.source["note"]
    do(one, edit)
    assert "note" not in one.state.source


@needs_node
def test_verdict_chart_and_update_speak_of_one_class_and_say_which():
    one = session("iris")
    do(one, {"do": "set", "key": "limit", "value": 60})
    timeline = one.timeline(one.state)
    for k in (0, 1, 2, 3, 17, 40, timeline.n_updates):
        do(one, {"do": "go", "k": k})
        view = told(one)
        owner = view["controls"]["focus"]
        name = one.state.classes[owner]
        assert k == 0 or owner == timeline.update(k).owner
        assert f": {name} against the rest" in view["verdict"]["title"]
        said = view["step"]["title"] + view["step"]["text"]
        assert f"for class {name}" in said
        assert k == 0 or f"It is mistake {timeline.update(k).step.k:,} of this class." in said
        assert "limit on mistakes" in view["step"]["outcome"]
        sandwich = one.sandwich(one.state, owner)
        assert sandwich.n == timeline.runs[timeline.owners.index(owner)].n_mistakes
        assert view["cursor"] == sandwich.cursor(timeline.counts(k)[owner])


def test_a_class_that_is_chosen_is_shown_at_its_newest_mistake():
    one = session("iris")
    do(one, {"do": "set", "key": "limit", "value": 60})
    timeline = one.timeline(one.state)
    for code in (0, 1, 2):
        do(one, {"do": "go", "k": 50}, {"do": "focus", "class": code})
        k = one.view(one.state)["run"]["k"]
        owners = [u.owner for u in timeline.updates(1, 50)]
        assert k == 50 - owners[::-1].index(code)
    assert "error" in one.handle({"edits": [{"do": "focus", "class": 3}]})


@needs_node
@pytest.mark.parametrize("name", ["lecture:002", "needle:50,2,0.001", "planted:200,2,0.02"])
def test_the_bound_is_one_number_on_the_card_and_on_the_chart(name):
    one = session(name)
    view = told(one)
    facts = {f["name"]: f["value"] for f in view["verdict"]["facts"]}
    said = [m["text"] for m in view["chart"]["marks"] if m["kind"] == "text"]
    assert said == [f"bound {facts['bound (R/γ)²'].split()[0]}"]


def test_decimals_that_move_are_those_of_a_table_made_anew():
    from novikoff.studio.timeline import rows_of

    one = session("planted:60,2,0.1")
    do(one, {"do": "set", "key": "numbers", "value": "decimal"},
       {"do": "set", "key": "map", "value": "quadratic"})  # fmt: skip
    for i in range(4):
        do(one, {"do": "move", "row": 5, "at": [100 + 13 * i, 90]})
        patched, anew = one.rows(one.state), rows_of(one.state)
        assert (patched.matrix == anew.matrix).all()
        assert (patched.exact == anew.exact).all()


def test_a_question_that_has_no_answer_brings_no_news_that_a_page_would_miss():
    one = session("lecture:002")
    one.state = apply(one.state, {"do": "flip", "row": 0}, one.count)
    reply = one.handle({"id": 1, "ask": "everything"})
    assert set(reply) == {"id", "error"}
    assert "verdict" in one.handle({"id": 2, "edits": []})["view"]
