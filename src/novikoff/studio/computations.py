"""What the views are made of: runs, verdicts, tables; each computed once, as long as it is near.

`Computations` remembers, and decides nothing: all that it gives follows from the state that is
asked about. Verdicts that may take long are found in the background (`decide`), beside the replies.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

from novikoff.errors import InputError, NovikoffError
from novikoff.studio.charts import Sandwich
from novikoff.studio.fields import Regression
from novikoff.studio.files import OpenFile
from novikoff.studio.proof import Fewest, Finding, find, find_fewest, is_asked
from novikoff.studio.sources import Columns, load_set
from novikoff.studio.state import Conventions, State
from novikoff.studio.timeline import Timeline, owners_of, rows_of
from novikoff.studio.whole import (
    WholeFinding,
    decide,
    is_projection,
    regression,
    whole_key,
    why_unknown,
)
from novikoff.verdicts.certify import Verdict

KEPT = 64  # runs and verdicts
KEPT_FILES = 6
QUICK = 0.05  # seconds: a verdict that took longer is not waited for while a hand moves a row

T = TypeVar("T")


class Computations:
    """One person's runs and verdicts."""

    def __init__(self, given: Columns | None = None, opened: OpenFile | None = None) -> None:
        self.given, self.opened = given, opened
        self.files: OrderedDict[str, OpenFile] = OrderedDict()  # that came through the page
        self._tables: OrderedDict[Any, Columns] = OrderedDict()
        self._kept: OrderedDict[Any, Any] = OrderedDict()
        self._lock = threading.Lock()
        self._near: tuple[State, Any] | None = None  # the newest state and its exact rows
        self._took = {"verdict": 0.0, "audit": 0.0}  # seconds of the newest one

    def once(self, key: Any, make: Callable[[], T]) -> T:
        """What was made under this key, or is made now."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]  # type: ignore[no-any-return]
        return self._keep(key, make())

    def _keep(self, key: Any, made: T) -> T:
        with self._lock:
            self._kept[key] = made
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return made

    def known(self, key: Any) -> Any:
        """What was made under this key; None where nothing was."""
        with self._lock:
            return self._kept.get(key)

    # The rows

    def rows(self, state: State) -> Any:
        """X for the library; of decimals, few are made anew while one row moves."""

        def make() -> Any:
            made = rows_of(state, self._near)
            self._near = (state, made)
            return made

        return self.once(("rows", state.rows_key, state.feature_map), make)

    def columns(self, state: State) -> Columns | None:
        """The table behind the plane; None where there is none, or where it is not here."""
        source = state.source
        kind, key, label = source.get("kind"), str(source.get("file")), source.get("label")
        if kind == "set":
            try:
                return load_set(str(source.get("name")))
            except InputError:
                return None
        reading = source.get("reading") or {}
        if kind == "given" and self.given is not None and key == self.given.source.get("file"):
            if label == self.given.source.get("label") and not reading:
                return self.given
            if self.opened is not None:
                return self.read(self.opened, label, reading)
        if kind == "csv" and key in self.files:
            return self.read(self.files[key], label, reading)
        return None

    def read(self, file: OpenFile, label: str | None, reading: dict[str, Any]) -> Columns:
        """The table of a file, by one of its columns as the label."""
        key = (file.key, label, str(reading))
        if key not in self._tables:
            self._tables[key] = file.columns(label, reading, asks=label is None)
            while len(self._tables) > KEPT_FILES:
                self._tables.popitem(last=False)
        return self._tables[key]

    def keep_file(self, file: OpenFile) -> None:
        self.files[file.key] = file
        while len(self.files) > KEPT_FILES:
            self.files.popitem(last=False)

    # The run

    def timeline(self, state: State, run: Conventions | None = None) -> Timeline:
        """The run of a state, by its own conventions or by others."""
        chosen = run or state.run
        return self.once((state.run_key, chosen), lambda: Timeline(state, chosen, self.rows(state)))

    def overlays(self, state: State) -> list[tuple[int, Timeline]]:
        """The runs that are compared with the state's own, but for those that its rows, or its
        offset, do not fit any more."""
        made = []
        for place, run in enumerate(state.overlays):
            with suppress(NovikoffError):
                made.append((place, self.timeline(state, run)))
        return made

    def count(self, state: State) -> int:
        """The updates of the state's run; none where it cannot run."""
        return 0 if self.problem(state) else self.timeline(state).n_updates

    def problem(self, state: State) -> str:
        """Why there is no run, in a sentence; empty where there is one."""
        if not state.n_rows:
            return "There are no rows. Click into the plane to add one, or choose a set."
        present = set(state.codes.tolist())
        if len(present) < len(state.classes) and (state.is_binary or len(present) < 2):
            missing = next(c for c in range(len(state.classes)) if c not in present)
            name = "positive" if missing == 1 else "negative"
            what = f"a {name} row" if state.is_binary else "a second class"
            return f"Every row has the same sign; add {what}."
        if len(present) < len(state.classes):
            missing = next(c for c in range(len(state.classes)) if c not in present)
            return f"Class {state.classes[missing]} has no row; add one."
        try:
            self.timeline(state)
        except NovikoffError as error:
            return str(error)
        return ""

    # Verdicts

    def finding(self, state: State, owner: int) -> Finding:
        """The verdict on the drawn columns, of one class against the rest."""

        return self.once(
            _finding_key(state, owner),
            lambda: self._timed("verdict", lambda: find(state, owner, self.rows(state))),
        )

    def finding_if_quick(self, state: State, owner: int, hurried: bool) -> Finding | None:
        """The same; None where it is not known yet, and the last one took long."""
        known: Finding | None = self.known(_finding_key(state, owner))
        if known is None and hurried and self._took["verdict"] > QUICK:
            return None
        return known or self.finding(state, owner)

    def _timed(self, what: str, make: Callable[[], T]) -> T:
        begun = time.perf_counter()
        made = make()
        self._took[what] = time.perf_counter() - begun
        return made

    def whole(self, state: State, owner: int, now: bool = False) -> WholeFinding | None:
        """The verdict on all columns; None where the drawn ones are all of them.

        now: find it if it is not known yet, instead of saying that it is being decided.
        """
        return self.whole_of(state, owner, now) if is_projection(state) else None

    def whole_of(self, state: State, owner: int, now: bool = True) -> WholeFinding:
        """The verdict on the table behind the plane, as many columns as it may have."""
        columns = self.columns(state)
        reason = why_unknown(state, columns)
        if reason or columns is None:
            return WholeFinding("unknown", reason)
        key = (*whole_key(state), owner)
        known = self.known(key)
        if known is None and not now:
            return WholeFinding("deciding", "The search goes on in the background.")
        return known or self.once(key, lambda: decide(state, columns, owner))

    def verdict(self, state: State, owner: int) -> Verdict | None:
        """The verdict that a statistician asks about: on all columns, where they are known."""
        if is_projection(state):
            found = self.whole(state, owner)
            return None if found is None else found.verdict
        return self.finding(state, owner).verdict if state.feature_map == "none" else None

    def find_regression(self, state: State, owner: int) -> None:
        """Find what the verdict means for a logistic regression.

        A verdict goes on searching when it is asked for columns, and is not made for two threads
        at once: only `decide` and the exports ask, one after the other.
        """
        verdict = self.verdict(state, owner)
        if verdict is not None:
            self.once(_regression_key(state, owner), lambda: regression(verdict, state))

    def regression(self, state: State, owner: int) -> Regression | None:
        """The same, where it has been found."""
        found: Regression | None = self.known(_regression_key(state, owner))
        return found

    def fewest(self, state: State, owner: int) -> Fewest | None:
        """The fewest mistakes of a line, if they are known: they are found in the background."""
        known: Fewest | None = self.known(_fewest_key(state, owner))
        return known

    def decide(
        self,
        state: State,
        regression_of: int | None = None,
        has_moved: Callable[[], bool] = lambda: False,
    ) -> None:
        """Find every verdict on a state; this may take long.

        regression_of: the class of which to find, too, what its verdict means for a regression.
        has_moved: whether a hand has moved a row since. Then the fewest mistakes are of no use
        any more, and a search that goes on would slow it.
        """
        if self.problem(state):
            return
        for owner in owners_of(state):
            finding = self.finding(state, owner)
            self.whole(state, owner, now=True)
            if owner == regression_of:
                self.find_regression(state, owner)
            if is_asked(state, finding) and self.fewest(state, owner) is None:
                found = find_fewest(state, owner, self.rows(state), has_moved)
                if found is None:
                    return
                self._keep(_fewest_key(state, owner), found)

    def sandwich(self, state: State, owner: int) -> Sandwich:
        """The proof of the bound along the run of one class."""

        def make() -> Sandwich:
            timeline, finding = self.timeline(state), self.finding(state, owner)
            run = timeline.runs[timeline.owners.index(owner)]
            audit = run.audit(separator=finding.separator, search=False)
            return Sandwich(audit, finding.bound, state.written)

        return self.once(_audit_key(state, owner), lambda: self._timed("audit", make))

    def sandwich_if_quick(self, state: State, owner: int, hurried: bool) -> Sandwich | None:
        """The same; None where it, or the verdict before it, would have to be waited for."""
        if self.finding_if_quick(state, owner, hurried) is None:
            return None
        known: Sandwich | None = self.known(_audit_key(state, owner))
        if known is None and hurried and self._took["audit"] > QUICK:
            return None
        return known or self.sandwich(state, owner)


def _fewest_key(state: State, owner: int) -> Any:
    return ("fewest", state.rows_key, state.offset, state.feature_map, owner)


def _audit_key(state: State, owner: int) -> Any:
    return ("audit", state.run_key, state.run, owner, state.notation)


def _regression_key(state: State, owner: int) -> Any:
    return ("regression", *whole_key(state), state.feature_map, owner)


def _finding_key(state: State, owner: int) -> Any:
    return ("verdict", state.rows_key, state.offset, state.feature_map, owner)
