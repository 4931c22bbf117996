"""The studio in a notebook: the same page through anywidget (JupyterLab, VS Code, marimo)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import anywidget
import numpy as np
import traitlets

from novikoff.errors import InputError
from novikoff.runs.run import Run
from novikoff.studio.assets import joined, styles
from novikoff.studio.session import Session
from novikoff.studio.sources import load_set, of_arrays, open_columns
from novikoff.studio.state import State
from novikoff.studio.timeline import labels_of, rows_of
from novikoff.studio.views import shown_owner
from novikoff.studio.whole import whole_table, why_unknown
from novikoff.verdicts.certify import Verdict, certify


class Studio(anywidget.AnyWidget):
    """Rows to drag and a run to step through, in the output of a cell.

    Parameters
    ----------
    X, y : rows and labels, as `trace` takes them; or X alone, the name of a built-in set such
        as 'lecture:002'. Of more than two columns, two are shown
    columns : the two columns to show, by name or place, or 'projection' for the first two
        principal components; by default the two that differ most between the classes
    positive : the label of sign +1; by default the larger of the two (see `certify`)

    X, y : the rows on the screen and their labels; they follow every drag and can be set
    selection : the selected row, counted from 0, or None; it can be set
    run : the run on the screen, as `trace` returns it
    verdict : the answer of `certify` on the rows and columns on the screen
    whole_verdict : the same on all columns of the table that they are part of
    """

    _esm = joined()
    _css = styles().decode()

    X = traitlets.Any()
    y = traitlets.Any()
    selection = traitlets.Int(None, allow_none=True)
    revision = traitlets.Int(0).tag(sync=True)  # grows when a hand has changed rows or selection

    def __init__(
        self, X: Any = "lecture:002", y: Any = None, columns: Any = None, positive: Any = None
    ) -> None:
        super().__init__()
        if isinstance(X, str):
            given = load_set(X)
        elif y is None:
            raise InputError("Studio needs X and y, or the name of a built-in set.")
        else:
            given = of_arrays(X, y, positive)
        if isinstance(columns, (list, tuple)):
            columns = [_place(column, given.names) for column in columns]
        self._from_page = False
        self.session = Session(open_columns(given, columns), given)
        self._tell()
        self.on_msg(self._answer)
        self.observe(self._rows_set, ["X", "y"])
        self.observe(self._selection_set, "selection")

    @property
    def state(self) -> State:
        """What is on the screen."""
        return self.session.state

    @property
    def run(self) -> Run:
        """The run on the screen; of more than two classes, that of the class that is shown."""
        if problem := self.session.problem(self.state):
            raise InputError(problem)
        timeline = self.session.timeline(self.state)
        return timeline.runs[timeline.owners.index(shown_owner(self.state, timeline))]

    @property
    def verdict(self) -> Verdict:
        """Whether the two classes are separable in the columns on the screen, with the proof."""
        return self._certified(rows_of(self.state))

    @property
    def whole_verdict(self) -> Verdict:
        """The same in all columns of the table, with the rows as they are on the screen."""
        columns = self.session.columns(self.state)
        reason = why_unknown(self.state, columns)
        if columns is None or reason:
            raise InputError(reason)
        return self._certified(whole_table(self.state, columns))

    def _certified(self, rows: Any) -> Verdict:
        state = self.state
        question: Any = {"fit_intercept": state.offset, "positive": state.classes[1]}
        found: Verdict = certify(rows, labels_of(state), **question)
        return found

    def _answer(self, _widget: Any, message: Any, _buffers: Any) -> None:
        """A message from the page."""
        reply = self.session.handle(message)
        self._tell()
        self.send(reply)

    def _tell(self) -> None:
        """Bring X, y and selection up to date with the screen."""
        state, kept = self.session.state, self._from_page
        self._from_page = True
        try:
            self.X = state.points
            values = self.session.given.values if self.session.given else {}
            self.y = np.array([values.get(label, label) for label in labels_of(state).tolist()])
            self.selection = state.selected
        finally:
            self._from_page = kept

    def _rows_set(self, _change: Any) -> None:
        """Somebody set X or y: show them, once they fit each other."""
        if self._from_page or len(self.X) != len(self.y):
            return
        given = of_arrays(self.X, self.y)
        names = ("tie", "offset", "feature_map", "show", "size")
        kept = {name: getattr(self.state, name) for name in names}
        self.session.given = given
        self.session.state = replace(open_columns(given), **kept)
        self._tell()
        self.send(self.session.news())

    def _selection_set(self, change: Any) -> None:
        if self._from_page:
            return
        self.send(self.session.handle({"edits": [{"do": "select", "row": change["new"]}]}))
        self._tell()


def _place(column: Any, names: tuple[str, ...]) -> Any:
    if isinstance(column, str) and column not in names:
        raise InputError(f"there is no column {column!r}; the columns are {', '.join(names)}.")
    return names.index(column) if isinstance(column, str) else column
