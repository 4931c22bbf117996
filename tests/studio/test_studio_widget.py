"""The notebook's studio: rows and selection go both ways between the screen and Python."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

import novikoff as nk
from novikoff.errors import InputError
from novikoff.studio.widget import Studio

X = [[-1.0, 3.0], [-1.0, -1.0], [3.0, -1.0], [0.0, 1.5]]
Y = ["no", "no", "yes", "yes"]


@pytest.fixture
def studio():
    one = Studio(X, Y)
    one.sent = []
    one.send = one.sent.append
    return one


def page_says(studio, **message):
    """What the page would send, and the reply."""
    studio._answer(studio, {"id": 1, **message}, [])
    return studio.sent[-1]


def test_what_is_given_is_what_is_shown(studio):
    assert studio.X.tolist() == X
    assert studio.y.tolist() == Y
    assert studio.selection is None
    assert str(studio.run) == str(nk.trace(X, [-1, -1, 1, 1]))
    assert studio.verdict.status == "separable"


def test_a_drag_on_the_screen_changes_x_in_python_and_is_seen_by_an_observer(studio):
    seen = []
    studio.observe(lambda change: seen.append(change["new"].copy()), "X")
    page_says(studio, hello=True, edits=[{"do": "place", "row": 2, "x": "-4", "y": "1"}])
    assert studio.X[2].tolist() == [-4.0, 1.0]
    assert seen[-1][2].tolist() == [-4.0, 1.0]
    assert studio.verdict.status == "overlapping"
    assert studio.run.n_mistakes == nk.trace(studio.X, studio.y, max_mistakes=10_000).n_mistakes


def test_setting_x_y_and_selection_in_python_reaches_the_screen(studio):
    page_says(studio, hello=True)
    studio.selection = 1
    assert studio.sent[-1]["state"]["selected"] == 1
    studio.X = np.array([[0.0, 0.0], [1.0, 1.0], [5.0, 5.0]])
    studio.y = np.array([1, 2, 2])
    news = studio.sent[-1]
    assert news["rows"] == [[0, 0, 0], [1, 1, 1], [5, 5, 1]]
    assert news["state"]["classes"] == ["1", "2"]
    assert studio.y.tolist() == [1, 2, 2]


def test_a_selection_that_does_not_exist_is_refused(studio):
    studio.selection = 99
    assert studio.selection is None


def test_columns_are_chosen_by_name_and_labels_keep_their_type():
    frame = pd.DataFrame({"a": [1, 2, 3], "b": [4, 5, 7], "c": [7, 8, 8]})
    studio = Studio(frame, [True, False, True], columns=["c", "a"])
    assert studio.X.tolist() == [[7, 1], [8, 2], [8, 3]]
    assert studio.y.dtype == bool
    projected = Studio(frame, [0, 1, 0], columns="projection")
    assert projected.state.axes == ("component 1", "component 2")


def test_bad_arguments_are_one_sentence():
    with pytest.raises(InputError, match="X and y"):
        Studio([[1, 2]])
    with pytest.raises(InputError, match="'q'"):
        Studio(pd.DataFrame({"a": [1, 2], "b": [1, 3]}), [0, 1], columns=["a", "q"])
    with pytest.raises(InputError, match="do not match"):
        Studio([[1, 2], [3, 4]], [0])


def test_the_widget_is_the_modules_of_the_page_joined_and_the_same_style():
    from novikoff.studio.assets import MODULES, page_file, styles

    for name in MODULES:
        text = page_file(name).decode()
        body = [line for line in text.splitlines() if not line.startswith(("import ", "export "))]
        assert all(line in Studio._esm for line in body)
    assert not re.search(r"^import ", Studio._esm, re.MULTILINE)
    assert len(re.findall(r"^export ", Studio._esm, re.MULTILINE)) == 1
    assert Studio._css == styles().decode()


def test_no_two_modules_of_the_page_use_one_name():
    declared = re.findall(
        r"^(?:async )?(?:function|const|let|class) +(\w+)", Studio._esm, re.MULTILINE
    )
    assert len(declared) > 40
    assert len(declared) == len(set(declared))
