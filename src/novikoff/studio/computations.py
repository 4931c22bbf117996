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
from functools import partial
from typing import Any, TypeVar

from novikoff.errors import InputError, NovikoffError
from novikoff.studio.charts import Sandwich
from novikoff.studio.files import OpenFile
from novikoff.studio.proof import Fewest, Finding, find, find_fewest, is_asked
from novikoff.studio.sources import Columns, load_set
from novikoff.studio.state import Conventions, State
from novikoff.studio.timeline import Timeline, owners_of, rows_of
from novikoff.studio.values import Section
from novikoff.studio.whole import decide, is_projection, regression, whole_key, why_unknown
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
        self._kept: OrderedDict[Any, Any] = OrderedDict()
        self._lock = threading.Lock()
        self.seconds: dict[str, float] = {}  # that the newest computation of each kind took

    def once(self, key: tuple[Any, ...], make: Callable[[], T]) -> T:
        """What was made under this key, or is made now; a None is not kept."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]  # type: ignore[no-any-return]
        begun = time.perf_counter()
        made = make()
        self.seconds[key[0]] = time.perf_counter() - begun
        with self._lock:
            if made is not None:
                self._kept[key] = made
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return made

    def unless_slow(self, hurried: bool, key: tuple[Any, ...], make: Callable[[], T]) -> T | None:
        """The same; None, of a hurried hand, where the newest of this kind took long to make."""
        slow = hurried and self.known(key) is None and self.seconds.get(key[0], 0.0) > QUICK
        return None if slow else self.once(key, make)

    def known(self, key: tuple[Any, ...]) -> Any:
        """What was made under this key; None where nothing was."""
        with self._lock:
            return self._kept.get(key)

    # The rows

    def rows(self, state: State) -> Any:
        """X for the library."""
        return self.once(("rows", state.rows_key, state.feature_map), lambda: rows_of(state))

    def columns(self, state: State) -> Columns | None:
        """The table behind the plane; None where there is none, or where it is not here."""
        source, given = state.source, self.given
        kind, key, label = source.get("kind"), str(source.get("file")), source.get("label")
        reading = source.get("reading") or {}
        file = self.files.get(key) if kind == "csv" else None
        if kind == "set":
            with suppress(InputError):
                return load_set(str(source.get("name")))
        if kind == "given" and given is not None and key == given.source.get("file"):
            if label == given.source.get("label") and not reading:
                return given
            file = self.opened
        return None if file is None else self.read(file, label, reading)

    def read(self, file: OpenFile, label: str | None, reading: dict[str, Any]) -> Columns:
        """The table of a file, by one of its columns as the label."""
        key = ("table", file.key, label, str(reading))
        return self.once(key, lambda: file.columns(label, reading, asks=label is None))

    def keep_file(self, file: OpenFile) -> None:
        self.files[file.key] = file
        while len(self.files) > KEPT_FILES:
            self.files.popitem(last=False)

    # The run

    def timeline(self, state: State, run: Conventions | None = None) -> Timeline:
        """The run of a state, by its own conventions or by others."""
        chosen = run or state.run
        key = ("run", state.run_key, chosen)
        return self.once(key, lambda: Timeline(state, chosen, self.rows(state)))

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
        missing = sorted(set(range(len(state.classes))) - set(state.codes.tolist()))
        if missing and (state.is_binary or len(missing) == len(state.classes) - 1):
            name = "positive" if missing[0] == 1 else "negative"
            what = f"a {name} row" if state.is_binary else "a second class"
            return f"Every row has the same sign; add {what}."
        if missing:
            return f"Class {state.classes[missing[0]]} has no row; add one."
        try:
            self.timeline(state)
        except NovikoffError as error:
            return str(error)
        return ""

    # Verdicts

    def finding(self, state: State, owner: int, hurried: bool = False) -> Finding:
        """The verdict on the drawn columns, of one class against the rest."""
        key = ("verdict", *_of_rows(state, owner))
        found = self.unless_slow(hurried, key, lambda: find(state, owner, self.rows(state)))
        return found or Finding(owner, "deciding")

    def whole(self, state: State, owner: int, now: bool = True) -> Finding:
        """The verdict on the table behind the plane, as many columns as it may have.

        now: find it if it is not known yet, instead of saying that it is being decided.
        """
        columns = self.columns(state)
        reason = why_unknown(state, columns)
        if reason or columns is None:
            return Finding(owner, "unknown", reason)
        key = (*whole_key(state), owner)
        if not now and self.known(key) is None:
            return Finding(owner, "deciding", "The search goes on in the background.")
        return self.once(key, lambda: decide(state, columns, owner))

    def verdict(self, state: State, owner: int) -> Verdict | None:
        """The verdict that a statistician asks about: on all columns, where they are known."""
        if is_projection(state):
            return self.whole(state, owner, now=False).verdict
        return self.finding(state, owner).verdict if state.feature_map == "none" else None

    def regression(self, state: State, owner: int) -> Section | None:
        """What the verdict means for a logistic regression, if it is known by now."""
        return self.known(_regression_key(state, owner))  # type: ignore[no-any-return]

    def fewest(self, state: State, owner: int) -> Fewest | None:
        """The fewest mistakes of a line, if they are known by now."""
        return self.known(("fewest", *_of_rows(state, owner)))  # type: ignore[no-any-return]

    def decide(
        self, state: State, regression_of: int | None = None,
        has_moved: Callable[[], bool] = lambda: False,
    ) -> None:  # fmt: skip
        """Find every verdict on a state; this may take long.

        regression_of: the class of which to find, too, what its verdict means for a regression.
        A verdict goes on searching when it is asked for columns, and is not made for two threads
        at once: only this and the exports ask, one after the other. has_moved: whether a hand has
        moved a row since; a search for the fewest mistakes ends then.
        """
        if self.problem(state):
            return
        for owner in owners_of(state):
            finding = self.finding(state, owner)
            if is_projection(state):
                self.whole(state, owner)
            verdict = self.verdict(state, owner) if owner == regression_of else None
            if verdict is not None:
                self.once(_regression_key(state, owner), partial(regression, verdict, state))
            if is_asked(state, finding):
                search = partial(find_fewest, state, owner, self.rows(state), has_moved)
                self.once(("fewest", *_of_rows(state, owner)), search)

    def sandwich(self, state: State, owner: int, hurried: bool = False) -> Sandwich | None:
        """The proof of the bound along the run of one class.

        hurried: None where it, or the verdict before it, would have to be waited for.
        """
        finding = self.finding(state, owner, hurried)
        if finding.status == "deciding":
            return None

        def make() -> Sandwich:
            timeline = self.timeline(state)
            run = timeline.runs[timeline.owners.index(owner)]
            audit = run.audit(separator=finding.separator, search=False)
            return Sandwich(audit, finding.bound, state.written)

        key = ("audit", state.run_key, state.run, owner, state.notation)
        return self.unless_slow(hurried, key, make)


def _of_rows(state: State, owner: int) -> tuple[Any, ...]:
    """What a verdict on the drawn columns depends on."""
    return state.rows_key, state.offset, state.feature_map, owner


def _regression_key(state: State, owner: int) -> tuple[Any, ...]:
    return ("regression", *whole_key(state), state.feature_map, owner)
