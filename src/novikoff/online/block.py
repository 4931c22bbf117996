"""A block of rows for a learner of single rows: the same steps by one compiled loop."""

from __future__ import annotations

import os
from collections.abc import Hashable
from itertools import islice, repeat
from typing import Any, NamedTuple

import numpy as np

from novikoff.exact.bounds import square_factor
from novikoff.loops.compiled import has_compiler
from novikoff.loops.online_rows import NO_LABEL, SET_ASIDE, UNPLACED, code_numbers, online_rows
from novikoff.loops.text import FREE
from novikoff.online.perceptron import OnlinePerceptron

LEAST_ROOM = 1024
_FACTOR = int.from_bytes(os.urandom(4)) >> 1 | 1  # codes do not depend on it


class Codes:
    """A code 0, 1, … for every name that was met in rows, and its place in a model.

    Invariant, after `follow(model)`: places[code] is where the model keeps the name.
    """

    def __init__(self) -> None:
        self.names: list[Hashable] = []  # by code
        self.by_name: dict[Hashable, int] = {}
        self.places = np.full(LEAST_ROOM, UNPLACED, dtype=np.int64)  # by code
        self.n_followed = 0  # codes, and names of the model, that were compared
        self.n_placed = 0

    def __len__(self) -> int:
        return len(self.names)

    def code_of(self, name: Hashable) -> int:
        """The code of a name, which may be new."""
        code = self.by_name.setdefault(name, len(self.names))
        if code == len(self.names):
            self.names.append(name)
        return code

    def names_of(self, codes: np.ndarray) -> list[Any]:
        return [self.names[code] for code in codes.tolist()]

    def found(self, name: Any) -> int | None:
        """The code of a name, if it has one."""
        return self.by_name.get(name)

    def follow(self, places: dict[Hashable, int]) -> None:
        """Look up what is new on either side."""
        if self.n_followed and self.n_placed < len(places):
            for name in islice(places, self.n_placed, None):
                code = self.found(name)
                if code is not None and code < self.n_followed:
                    self.places[code] = places[name]
        self.n_placed = len(places)
        n, done = len(self), self.n_followed
        if n > len(self.places):
            more = np.full(2 * n, UNPLACED, dtype=np.int64)
            more[:done] = self.places[:done]
            self.places = more
        found = map(places.get, self.names_from(done), repeat(UNPLACED))
        self.places[done:n] = np.fromiter(found, np.int64, n - done)
        self.n_followed = n

    def names_from(self, code: int) -> list[Any]:
        """The names of this code and of those after it."""
        return self.names[code:]


class NumberCodes(Codes):
    """The same for names that are whole numbers below 2^31, many at a time."""

    def __init__(self) -> None:
        super().__init__()
        self.n_known = 0
        self.known = np.empty(LEAST_ROOM, dtype=np.int64)
        self.table = np.full(2 * LEAST_ROOM, FREE, dtype=np.int32)

    def __len__(self) -> int:
        return self.n_known

    def codes_of(self, numbers: np.ndarray) -> np.ndarray:
        """The codes of all these names."""
        room = self.n_known + len(numbers)
        if room > len(self.known):
            numbers_before = self.known[: self.n_known]
            self.known = np.empty(2 * room, dtype=np.int64)
            self.table = np.full(1 << (4 * room - 1).bit_length(), FREE, dtype=np.int32)
            self.n_known = 0
            self._take(numbers_before)  # they keep their order, and so their codes
        return self._take(numbers)

    def _take(self, numbers: np.ndarray) -> np.ndarray:
        codes = np.empty(len(numbers), dtype=np.int32)
        if len(numbers):
            self.n_known = fastest(code_numbers)(
                numbers.astype(np.int64), _FACTOR, self.table, self.known, self.n_known, codes
            )
        return codes

    def names_of(self, codes: np.ndarray) -> list[Any]:
        names: list[Any] = self.known[codes].tolist()
        return names

    def names_from(self, code: int) -> list[Any]:
        names: list[Any] = self.known[code : self.n_known].tolist()
        return names

    def found(self, name: Any) -> int | None:
        if not (isinstance(name, int) and 0 <= name < 1 << 31):
            return None
        n = self.n_known
        code = int(self.codes_of(np.array([name]))[0])
        return code if code < n else None


class RowBlock(NamedTuple):
    """Some rows, in order: row i has the codes[starts[i]:starts[i+1]], each with its value."""

    starts: np.ndarray
    codes: np.ndarray  # of `names`
    values: np.ndarray
    names: Codes
    labels: list[Any]  # the different ones
    which: np.ndarray  # of them each row has; NO_LABEL, or SET_ASIDE: to be read in another way
    weights: np.ndarray
    may_repeat: bool  # a name in a row

    def label_of(self, row: int) -> Any:
        """The label of a row, None where it has none."""
        which = int(self.which[row])
        return self.labels[which] if which >= 0 else None


class Learnt(NamedTuple):
    """What became of a stretch of rows."""

    stop: int  # the first row that was not visited
    labelled: int
    wrong: int


class BlockLearner:
    """Takes a model through blocks, row by row as `learn_one` and `predict_one` would."""

    def __init__(self, model: OnlinePerceptron) -> None:
        self.model = model
        self.guesses = np.empty(0, dtype=np.int64)  # the classes predicted, by row of the block

    def begin(self, block: RowBlock) -> None:
        """Another block."""
        n = len(block.which)
        self.block = block
        self.guesses = np.empty(n, dtype=np.int64)
        self.stamps = np.full(len(block.names) if block.may_repeat else 0, -1, dtype=np.int64)
        self.labels: list[Any] | None = None  # for which classes the rows' were looked up

    @np.errstate(over="ignore", invalid="ignore", under="ignore")  # of the interpreted loop
    def learn(self, first: int, last: int) -> Learnt:
        """Predict and learn rows from `first` on, to `last` or to one that needs another way."""
        model, block = self.model, self.block
        if self.labels is not model._labels:
            self._look_up_labels()
        block.names.follow(model._places)
        labelled = wrong = 0
        while True:
            n_names, width = len(model._places), model._memory.shape[1]
            met = np.empty(width - 2 - n_names, dtype=np.int32)
            first, needs_room, n_met, n_updates, n_wrong, n_labelled = fastest(online_rows)(
                block.starts, block.codes, block.values, self.classes, block.weights, first, last,
                self.stamps, block.names.places, n_names, model._memory, model._reaches,
                square_factor(width), model._constant, len(model._labels), model._ties_positive,
                self.guesses, met,
            )  # fmt: skip
            model._count_rows(n_labelled, n_wrong, n_updates, block.names.names_of(met[:n_met]))
            block.names.n_placed = len(model._places)
            labelled, wrong = labelled + n_labelled, wrong + n_wrong
            if not needs_room:
                return Learnt(int(first), int(labelled), int(wrong))
            entries = int(block.starts[first + 1] - block.starts[first])
            model._make_room(len(model._places) + entries)

    def _look_up_labels(self) -> None:
        """The class of each row; one that is new is not for the loop."""
        block, model = self.block, self.model
        codes = [model._codes.get(label, SET_ASIDE) for label in block.labels]
        table = np.array([*codes, SET_ASIDE, NO_LABEL], dtype=np.int64)
        self.classes = table[block.which]  # -1 and -2 from the end of the table
        self.labels = model._labels


def fastest(loop: Any) -> Any:
    """The compiled form of a loop, or the loop itself where there is no compiler."""
    return loop.fast if has_compiler() else loop
