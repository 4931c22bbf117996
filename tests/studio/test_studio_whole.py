"""The studio decides on all columns, and says of which columns it speaks."""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pytest
from click.testing import CliRunner

import novikoff as nk
from node import needs_node, told
from novikoff.cli.studio import opened_file
from novikoff.cli.verify import verify
from novikoff.studio.session import Session
from novikoff.studio.sources import load_set, of_arrays, open_columns
from novikoff.studio.whole import whole_table

pytestmark = needs_node


def opened(path) -> Session:
    """The studio as `novikoff studio PATH` starts it."""
    file = opened_file(str(path), {})
    given = file.columns(asks=False)
    return Session(open_columns(given), given, file)


def decided(one: Session, *edits: dict) -> dict:
    """The verdict card when everything is decided."""
    reply = one.handle({"edits": list(edits)})
    assert "error" not in reply
    one.handle({"ask": "decide"})
    view = told(one)
    assert view["deciding"] is None
    return view["verdict"]


def two_of(data, columns) -> np.ndarray:
    return np.asarray(data.X, dtype=float)[:, columns]


@pytest.mark.parametrize("name", ["breast_cancer", "badmargin:8", "iris:versicolor,virginica"])
def test_both_verdicts_are_certifys_and_each_says_its_columns(name):
    data = nk.datasets.load(name)
    one = Session(open_columns(load_set(name)))
    card = decided(one)
    width = data.X.shape[1]
    of_all = nk.certify(data.X, data.y, **_offset(data)).status
    drawn = nk.certify(two_of(data, one.state.source["columns"]), data.y, **_offset(data)).status
    assert card["whole"]["status"] == of_all
    assert (card["status"], card["headline_status"]) == (drawn, of_all)
    assert card["headline"].lower() == f"{of_all} in {width} columns; these two alone: {drawn}"
    assert card["whole"]["title"] == f"{of_all.capitalize()} in {width} columns"
    assert card["drawn_title"] == f"These two alone: {drawn}"


def _offset(data) -> dict:
    return {"fit_intercept": data.conventions.get("fit_intercept", True)}


def test_each_of_several_classes_is_decided_on_all_columns():
    data = nk.datasets.load("wine")
    card = decided(Session(open_columns(load_set("wine"))))
    verdicts = nk.certify_classes(data.X, data.y)
    alone = sum(v.status == "separable" for v in verdicts.values())
    assert card["headline"] == f"{alone} of 3 classes separable in 13 columns"
    for line in card["classes"]:
        assert line["status"].startswith(verdicts[line["name"]].status + ";")


def test_a_reply_does_not_wait_for_the_verdict_on_all_columns(monkeypatch):
    def never(*_args):
        raise AssertionError("searched while a person waits")

    one = Session(open_columns(load_set("breast_cancer")))
    monkeypatch.setattr("novikoff.studio.computations.decide", never)
    one.handle({"edits": [{"do": "move", "row": 3, "at": [50, 60]}]})
    view = told(one)
    assert view["verdict"]["whole"]["status"] == "deciding"
    assert view["verdict"]["headline"].startswith("Deciding on 30 columns …")
    assert view["deciding"]


def test_a_hand_does_not_wait_for_a_verdict_that_takes_long():
    one = Session(open_columns(load_set("lecture:002")))
    one.handle({"hello": True})
    one.seconds["verdict"] = 9.0
    move = {"do": "move", "row": 3, "at": [50, 60]}
    view = one.handle({"edits": [move], "hand": True})["view"]
    assert view["verdict"]["drawn"][0]["status"] == "deciding"
    assert view["chart"] is None
    assert len(view["scene"]["lines"]) == 1
    one.handle({"ask": "decide"})
    assert one.handle({"edits": []})["view"]["verdict"]["drawn"][0]["status"] == "overlapping"


def test_a_drag_changes_the_two_drawn_numbers_and_no_other():
    columns = load_set("wine")
    one = Session(open_columns(columns))
    one.handle({"edits": [{"do": "place", "row": 7, "x": "0.1", "y": "-2.5"}]})
    table = whole_table(one.state, columns)
    a, b = one.state.source["columns"]
    expected = columns.X.copy()
    expected[7, [a, b]] = [0.1, -2.5]
    assert (table.matrix == expected).all()


def test_a_drag_in_a_table_of_decimals_is_exact(tmp_path):
    path = tmp_path / "d.csv"
    path.write_text("a,b,c,kind\n0.1,0.2,0.3,u\n1,2,3,v\n0.7,0.2,0.1,u\n")
    one = opened(path)
    one.handle({"edits": [{"do": "place", "row": 0, "x": "0.4", "y": "0.6"}]})
    columns = one.columns(one.state)
    table = whole_table(one.state, columns)
    exact = {Fraction(4, 10), Fraction(6, 10)}
    assert exact <= set(table.exact[0])
    assert table.exact[2].tolist() == [Fraction(7, 10), Fraction(2, 10), Fraction(1, 10)]


def test_rows_that_are_left_out_are_left_out_of_all_columns():
    data = nk.datasets.load("iris:versicolor,virginica")
    one = Session(open_columns(load_set("iris:versicolor,virginica")))
    rows = sorted(nk.certify(data.X, data.y).rows.tolist(), reverse=True)
    card = decided(one, *[{"do": "delete", "row": row} for row in rows])
    kept = np.delete(np.arange(len(data.y)), rows)
    assert card["whole"]["status"] == nk.certify(data.X[kept], data.y[kept]).status
    back = json.loads(json.dumps(one.state.to_json()))
    two = Session()
    two.handle({"state": back})
    assert decided(two)["whole"] == card["whole"]


def test_a_flip_counts_in_all_columns():
    data = nk.datasets.load("badmargin:8")
    one = Session(open_columns(load_set("badmargin:8")))
    card = decided(one, {"do": "flip", "row": 0})
    y = data.y.copy()
    y[0] = -y[0]
    assert card["whole"]["status"] == nk.certify(data.X, y, **_offset(data)).status


@pytest.mark.parametrize(
    ("edits", "why"),
    [
        ([{"do": "add", "class": 0}], "1 row that you added has no other columns"),
        (
            [
                {"do": "load", "name": "iris", "columns": "projection"},
                {"do": "move", "row": 0, "at": [9, 9]},
            ],
            "moved in the projection",
        ),
    ],
)
def test_what_cannot_be_known_is_said(edits, why):
    card = decided(Session(open_columns(load_set("breast_cancer"))), *edits)
    assert card["whole"]["status"] == "unknown"
    assert why in card["whole"]["sentence"]
    assert not card["whole"]["has_proof"]


def test_rows_without_their_file_speak_of_the_drawn_columns_only():
    X = np.random.default_rng(0).normal(size=(20, 5))
    state = open_columns(of_arrays(X, np.arange(20) % 2))
    elsewhere = Session()
    elsewhere.handle({"state": json.loads(json.dumps(state.to_json()))})
    card = decided(elsewhere)
    assert card["whole"]["status"] == "unknown"
    assert "all 5" in card["whole"]["sentence"]


def csv_of(name: str) -> str:
    data = nk.datasets.load(name)
    lines = [",".join(f"c{j}" for j in range(data.X.shape[1])) + ",kind"]
    lines += [
        ",".join([*map(repr, map(float, row)), f"class {label}"])
        for row, label in zip(data.X, data.y, strict=True)
    ]
    return "\n".join(lines) + "\n"


ONE = "height,kind\n1.5,a\n2.25,b\n1.75,a\n3,b\n"
TWO = "x,b,kind\n0.1,0.2,u\n0.3,0.1,u\n-0.1,0.3,v\n-0.2,-0.1,v\n"
LONG = "x,b,kind\n0.1000000000000000000001,1,u\n0.1,1,v\n"  # one float, two numbers
TEXT = "x,place,b,kind\n1,north,2,u\n2,south,1,v\n3,north,5,u\n4,south,5,v\n"


@pytest.mark.parametrize("through_the_page", [False, True])
@pytest.mark.parametrize(
    "text", [ONE, TWO, LONG, TEXT, csv_of("iris:versicolor,virginica"), csv_of("badmargin:8")],
    ids=["one", "two", "long", "text", "iris", "badmargin"],
)  # fmt: skip
def test_the_exported_proof_of_a_csv_file_verifies_with_that_very_file(
    tmp_path, text, through_the_page
):
    import base64

    path, proof = tmp_path / "data.csv", tmp_path / "proof.json"
    path.write_text(text)
    if through_the_page:
        one = Session()
        data = base64.b64encode(text.encode()).decode()
        reply = one.handle(
            {"edits": [{"do": "file", "file": "k", "name": "data.csv", "data": data}]}
        )
        assert not reply.get("question")
    else:
        one = opened(path)
    proof.write_text(one.handle({"ask": "proof"})["answer"]["text"])
    told = CliRunner().invoke(verify, [str(proof), str(path)])
    assert told.exit_code == 0, told.output
    assert nk.certify(nk.read(path, numbers="decimal")).status in told.output


def test_the_proof_of_an_edited_table_verifies_with_its_exported_rows(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text(TWO.replace("x,b", "x,b,z").replace(",u", ",1.25,u").replace(",v", ",0.5,v"))
    one = opened(path)
    one.handle({"edits": [{"do": "place", "row": 0, "x": "0.7", "y": "-1.1"},
                          {"do": "delete", "row": 3}]})  # fmt: skip
    paths = []
    for what in ("proof", "proof_rows"):
        saved = one.handle({"ask": what})["answer"]
        paths.append(str(tmp_path / saved["name"]))
        (tmp_path / saved["name"]).write_text(saved["text"])
    told = CliRunner().invoke(verify, paths)
    assert told.exit_code == 0, told.output
    assert "the 3 rows" in told.output
