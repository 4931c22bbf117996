"""A state survives JSON, links and nonsense; an edit does what it says."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from novikoff.errors import InputError
from novikoff.studio.edits import PRESETS, apply
from novikoff.studio.export import decode, encode
from novikoff.studio.plane import window
from novikoff.studio.sources import load_set, of_arrays, open_columns
from novikoff.studio.state import MOST_ROWS, Conventions, State, read_state

SIZE = (640.0, 480.0)


def no_run(_state):
    return 9


def lecture(name="002"):
    return open_columns(load_set(f"lecture:{name}"))


def same(one: State, two: State) -> bool:
    return one.to_json() == two.to_json()


numbers = st.floats(-1e9, 1e9, allow_nan=False)
states = st.builds(
    lambda rows, tie, order, seed, offset, k, fmap: State(
        np.array([r[:2] for r in rows]).reshape(-1, 2) + 0.0,
        np.array([r[2] for r in rows], dtype=np.int64),
        tie=tie,
        run=Conventions(order, None, seed),
        offset=offset,
        k=k,
        feature_map=fmap,
    ),
    st.lists(st.tuples(numbers, numbers, st.integers(0, 1)), max_size=12),
    st.sampled_from(["mistake", "positive", "zero"]),
    st.sampled_from(["cyclic", "restart", "shuffled"]),
    st.integers(0, 2**32 - 1),
    st.booleans(),
    st.none() | st.integers(0, 1000),
    st.sampled_from(["none", "quadratic", "circles", "xor"]),
)


@given(states)
def test_a_state_comes_back_from_json_to_the_last_bit(state):
    assert same(read_state(json.loads(json.dumps(state.to_json()))), state)


@given(states)
def test_a_state_comes_back_from_a_link(state):
    back = decode(encode(state), state.size)
    assert same(back, replace(state, selected=None, source=back.source))


@pytest.mark.parametrize("name", ["lecture:001", "xor", "iris:setosa,versicolor", "decimal_trap"])
def test_a_built_in_set_goes_into_a_link_by_its_name_alone(name):
    state = open_columns(load_set(name), size=SIZE)
    link = encode(state)
    assert len(link) < 700
    back = decode(f"http://127.0.0.1:8765/?token=x#{link}", SIZE)
    assert (back.points == state.points).all()
    assert (back.codes == state.codes).all()
    assert back.classes == state.classes
    assert back.run == state.run


def test_a_set_that_is_too_large_for_a_link_is_refused_with_a_way_out():
    random = np.random.default_rng(0)
    state = State(random.normal(size=(9000, 2)), np.arange(9000) % 2)
    with pytest.raises(InputError, match="CSV"):
        encode(state)


@pytest.mark.parametrize(
    "link", ["", "s1.", "s1.%%%", "s1.AAAA", "s2.eJw", 7, None, "s1." + "A" * 70_000]
)
def test_a_broken_link_is_one_sentence(link):
    with pytest.raises(InputError, match="not one of this studio"):
        decode(link, SIZE)


def test_a_link_that_unpacks_to_gigabytes_is_refused():
    import base64
    import zlib

    bomb = zlib.compress(b"[" + b"0," * 10_000_000 + b"0]", 9)
    with pytest.raises(InputError, match="not one of this studio"):
        decode("s1." + base64.urlsafe_b64encode(bomb).decode(), SIZE)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("version", 2),
        ("rows", [[0, 0]]),
        ("rows", [[0, 0, 2]]),
        ("rows", [[0, 0, 0.5]]),
        ("rows", [[0, "a", 0]]),
        ("rows", [[0, float("nan"), 0]]),
        ("rows", [[0, 1e300, 0]]),
        ("rows", [[0, 0, 0]] * (MOST_ROWS + 1)),
        ("rows", 3),
        ("classes", ["a"]),
        ("classes", ["a", "a"]),
        ("classes", [str(i) for i in range(11)]),
        ("axes", ["x"]),
        ("tie", "heads"),
        ("order", "backwards"),
        ("order", [0, -1]),
        ("start", "ones"),
        ("start", [1, None]),
        ("seed", -1),
        ("offset", 1),
        ("passes", 0),
        ("limit", 10**9),
        ("map", "cubic"),
        ("k", -1),
        ("span", 0),
        ("span", float("inf")),
        ("size", [0, 0]),
        ("center", [0]),
        ("overlays", [{}] * 13),
        ("overlays", ["cyclic"]),
        ("show", ["everything"]),
        ("selected", 99),
        ("focus", 2),
    ],
)
def test_a_state_that_makes_no_sense_is_refused(key, value):
    with pytest.raises(InputError):
        read_state({**lecture().to_json(), key: value})


def edited(state, **edit):
    return apply(state, edit, no_run)


def test_a_row_goes_where_the_pointer_the_keys_and_typed_numbers_put_it_and_no_other_moves():
    before = lecture()
    after = edited(before, do="move", row=2, at=[100, 50])
    view = window(before)
    x, y = after.points[2]
    assert x == pytest.approx(view.left + 100 * view.unit, abs=0.01)
    assert y == pytest.approx(view.top - 50 * view.unit, abs=0.01)
    assert len(repr(float(x))) <= 6
    assert (after.points[[0, 1, 3]] == before.points[[0, 1, 3]]).all()
    assert (after.codes == before.codes).all()
    assert (before.points[2] == [3.0, -1.0]).all()
    there = edited(before, do="nudge", row=1, by=[3, -1])
    assert there.points[1].tolist() == pytest.approx([-0.7, -1.1])
    assert (edited(there, do="nudge", row=1, by=[-3, 1]).points == before.points).all()
    typed = edited(before, do="place", row=0, x=" −0.1 ", y="1e-3")
    assert typed.points[0].tolist() == [-0.1, 0.001]


def test_add_flip_and_delete_undo_each_other():
    state = lecture()
    added = edited(state, do="add", **{"class": 0}, at=[5, 5])
    assert (added.n_rows, added.codes[4], added.selected) == (5, 0, 4)
    flipped = edited(added, do="flip", row=4)
    assert flipped.codes[4] == 1
    gone = edited(flipped, do="delete", row=4)
    assert (gone.points == state.points).all()
    assert (gone.codes == state.codes).all()


def test_zoom_keeps_the_point_under_the_pointer_and_a_pan_moves_the_plane_with_it():
    state, at = lecture(), [200.0, 100.0]
    zoomed = edited(state, do="zoom", steps=3, at=at)
    assert window(zoomed).point(*at) == pytest.approx(window(state).point(*at), abs=0.01)
    assert zoomed.span == pytest.approx(state.span / 1.25**3)
    assert edited(zoomed, do="fit").span == state.span
    old, new = window(state), window(edited(state, do="pan", by=[64, -32]))
    assert new.left == pytest.approx(old.left - 64 * old.unit)
    assert new.top == pytest.approx(old.top - 32 * old.unit)


def test_a_step_stays_within_the_run_and_the_end_is_the_end_of_any_run():
    state = edited(lecture(), do="step", by=-1)
    assert state.k == 8
    assert edited(state, do="step", by=5).k is None
    assert edited(state, do="step", by=-50).k == 0


def test_a_given_start_keeps_its_meaning_when_the_offset_comes_and_goes():
    state = lecture("001")
    assert state.run.start == (1.0, -0.8)
    with_offset = edited(state, do="set", key="offset", value=True)
    assert with_offset.run.start == (1.0, -0.8, 0.0)
    mapped = edited(with_offset, do="set", key="map", value="xor")
    assert mapped.run.start == (1.0, -0.8, 0.0, 0.0)
    back = edited(mapped, do="set", key="map", value="none")
    assert edited(back, do="set", key="offset", value=False).run == state.run


def test_order_and_start_can_be_typed_and_runs_are_compared():
    state = edited(lecture(), do="set", key="order", value="4, 3,2,1")
    assert state.run.order == (3, 2, 1, 0)
    state = edited(state, do="set", key="start", value="(1, −2, 0.5)")
    assert state.run.start == (1.0, -2.0, 0.5)
    assert edited(state, do="delete", row=0).run.order == "cyclic"
    for preset, runs in PRESETS.items():
        assert edited(state, do="overlay", preset=preset).overlays == runs
    assert edited(state, do="overlay", preset="pin").overlays == (state.run,)


@pytest.mark.parametrize(
    "edit",
    [
        None,
        {},
        {"do": "format"},
        *({"do": do, "by": [1, 0]} for do in ("flip", "delete", "nudge")),  # no row is selected
        {"do": "move", "row": 9, "at": [0, 0]},
        {"do": "move", "row": 0},
        {"do": "move", "row": 0, "at": ["a", 0]},
        {"do": "move", "row": True, "at": [0, 0]},
        {"do": "add", "class": 5},
        {"do": "nudge", "row": 0, "by": [1e9, 0]},
        {"do": "place", "row": 0, "x": "one", "y": "2"},
        {"do": "place", "row": 0, "x": "inf", "y": "2"},
        {"do": "select", "row": 17},
        {"do": "set", "key": "rows", "value": []},
        {"do": "set", "key": "order", "value": "1,x"},
        {"do": "zoom", "steps": "in"},
        {"do": "size", "size": [1e9, 4]},
        {"do": "load", "name": "no such set"},
        {"do": "load", "name": "../../etc/passwd"},
        {"do": "load", "name": "iris", "columns": [0, 9]},
    ],
)
def test_an_edit_that_makes_no_sense_is_refused(edit):
    with pytest.raises(InputError):
        apply(lecture(), edit, no_run)


def test_the_projection_is_the_first_two_principal_components():
    from sklearn.decomposition import PCA

    one = of_arrays(np.array([[1.0, 2.0, 3.0]]), ["p"])
    assert open_columns(one, "projection").points.tolist() == [[0.0, 0.0]]
    columns = load_set("iris")
    state = open_columns(columns, "projection")
    theirs = PCA(2).fit(columns.X)
    for axis in (0, 1):
        ours, other = state.points[:, axis], theirs.transform(columns.X)[:, axis]
        assert np.allclose(ours, other, atol=1e-4) or np.allclose(ours, -other, atol=1e-4)
    share = 100 * theirs.explained_variance_ratio_.sum()
    assert f"{share:.1f}" in state.source["drawn"]
    assert "4 columns" in state.source["drawn"]


def test_x_and_y_of_a_program_become_rows():
    import pandas as pd

    frame = pd.DataFrame({"a": [1, 2], "b": [3, 4], "c": [5, 6]})
    state = open_columns(of_arrays(frame, ["no", "yes"], positive="no"), [0, 2])
    assert state.axes == ("a", "c")
    assert state.points.tolist() == [[1, 5], [2, 6]]
    assert state.classes == ("yes", "no")
