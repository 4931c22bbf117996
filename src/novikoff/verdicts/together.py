"""Many labellings of one table: decided together as far as that goes, the others one by one.

Steps on samples of the rows propose, for all labellings at once (search/labellings.py), and the
trusted base checks them at once (certificates/labellings.py). What stays open is nearly separable,
quasi-separable, or of a table that floats do not show well, and takes the way of a single question.
"""

from __future__ import annotations

import itertools
import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from novikoff.certificates import Reading, Stamp
from novikoff.certificates.labellings import Checked, Labellings
from novikoff.certificates.remainder import Factor
from novikoff.errors import CertificateError, ParameterError
from novikoff.inputs import Table
from novikoff.inputs.device import DeviceTable, Place, PlacedRows
from novikoff.search.clock import Clock, OutOfTimeError
from novikoff.search.decide import Findings
from novikoff.search.labellings import Found, Together, relations_between
from novikoff.search.signed_rows import SignedRows
from novikoff.verdicts.labellings import Labelling
from novikoff.verdicts.single import certify_one
from novikoff.verdicts.tables import LabellingVerdicts
from novikoff.verdicts.verdict import Verdict

MULTIPLIERS_AT_ONCE = 1 << 25  # multipliers of rows for labellings that are searched at once
LEAST_SECONDS = 1e-3  # seconds that a labelling has, whatever is left: it is undecided then
FACTOR_ROWS_PER_COLUMN = (2, 8)  # the second, where proofs do not pass with the first
BAR_SECONDS, BAR_RENEWED = 1.0, 0.1  # before the bar is shown, and before it is drawn again
BAR_WIDTH = 30  # letters

Say = Callable[[int], None]


class Batch:
    """The labellings of one table, decided together: `checked` has what is proven.

    signs : of each row in each labelling; 0 where it has no label
    spent : seconds of each labelling: those of the steps that it took part in, shared
    """

    def __init__(self, table: Table, signs: np.ndarray, offset: bool, clock: Clock, say: Say):
        self.table, self.signs, self.offset, self.clock, self.say = table, signs, offset, clock, say
        self.checked: dict[int, Checked] = {}
        self.spent = np.zeros(signs.shape[1])
        self._factors: dict[int, Factor | None] = {}  # of rows with a label everywhere

    def decide(self) -> None:
        """Decide as many as can be, until the clock ends it."""
        rows = PlacedRows(self.table, self.offset)
        if not Together.takes(rows):
            return
        every = np.arange(self.signs.shape[1])
        try:
            with self._timed(every):
                labellings = Labellings(rows, self.signs)
                relations = relations_between(rows, labellings.columns, self.clock)
                if relations is None:
                    return
                labellings.leave_out(relations)
                if not len(labellings.columns):
                    return
                together = Together(
                    rows, labellings.placed, labellings.columns, labellings.sums[0], self.clock
                )
                if not together.is_ordinary:
                    return
            levels = together.levels()
            left = every
            while len(left):
                with self._timed(left):
                    level = next(levels, None)
                if level is None or level.inverse is None:
                    return
                n_parts = -(-len(left) * level.n_rows // MULTIPLIERS_AT_ONCE)
                for part in np.array_split(left, n_parts):
                    with self._timed(part):
                        found = level.descend(part)
                        self._take_separators(labellings, found)
                        self._take_balances(labellings, found)
                left = np.array([k for k in every if k not in self.checked], dtype=np.intp)
        except (OutOfTimeError, CertificateError):  # or a relation that does not hold: no guess
            return

    @contextmanager
    def _timed(self, which: np.ndarray) -> Iterator[None]:
        """Seconds that these labellings share."""
        began = time.perf_counter()
        try:
            with np.errstate(all="ignore"):
                yield
        finally:
            self.spent[which] += (time.perf_counter() - began) / max(1, len(which))

    def _accept(self, number: int, proven: Checked) -> None:
        self.checked[number] = proven
        self.say(1)

    def _take_separators(self, labellings: Labellings, found: Found) -> None:
        if not len(found.parted):
            return
        lower = labellings.check_separators(found.weights, found.parted)
        upper = labellings.margins_above(found.rows, found.slacks, found.parted)
        for k in np.flatnonzero(~np.isnan(lower)).tolist():
            margin = float(lower[k]), max(float(upper[k]), float(lower[k]))
            weights = found.weights[:, k].copy()
            proven = Checked(weights, np.arange(0), np.zeros(0), margin)
            self._accept(int(found.parted[k]), proven)

    def _take_balances(self, labellings: Labellings, found: Found) -> None:
        left = np.arange(len(found.balanced))
        for per_column in FACTOR_ROWS_PER_COLUMN if len(left) else ():
            for factor, group in self._factors_for(labellings, found.balanced[left], per_column):
                places = left[group]
                which = found.balanced[places]
                beyond = labellings.place.take(found.beyond, places, axis=1)
                good = labellings.check_balances(factor, found.rows, beyond, which)
                if not good.any():
                    continue
                kept = _multipliers(labellings.place, beyond)
                for k in np.flatnonzero(good).tolist():
                    used, values = found.rows[kept[k][0]], kept[k][1]
                    proven = Checked(None, used, values, (0.0, 0.0), labellings.relations)
                    self._accept(int(which[k]), proven)
            still_open = [int(number) not in self.checked for number in found.balanced[left]]
            left = left[still_open]
            if not len(left):
                return

    def _factors_for(
        self, labellings: Labellings, which: np.ndarray, per_column: int
    ) -> Iterator[tuple[Factor, np.ndarray]]:
        """Factors, and the places of the labellings that each serves.

        One for all, where enough rows have a label in every labelling; else one for those that
        have labels on the same rows.
        """
        if per_column not in self._factors:
            every = np.arange(self.signs.shape[1])
            self._factors[per_column] = labellings.factor(every, per_column)
        whole = self._factors[per_column]
        if whole is not None:
            yield whole, np.arange(len(which))
            return
        groups: dict[bytes, list[int]] = {}
        for k, number in enumerate(which.tolist()):
            groups.setdefault(np.packbits(self.signs[:, number] != 0).tobytes(), []).append(k)
        for group in groups.values():
            factor = labellings.factor(which[group], per_column)
            if factor is not None:
                yield factor, np.array(group)


def _multipliers(place: Place, beyond: Any) -> list[tuple[np.ndarray, np.ndarray]]:
    """The places of the numbers of each column that are not 0, and these numbers, on the host."""
    xp, (height, width) = place.xp, beyond.shape
    flat = xp.reshape(xp.permute_dims(beyond, (1, 0)), (int(width) * int(height),))
    places = xp.nonzero(flat)[0]
    values = xp.take(flat, places)
    short = place.cast(values, "float32")  # what comes to the host comes slowly
    if bool(xp.all(place.cast(short, "float64") == values)):
        values = short
    if int(height) * int(width) < 1 << 31:
        places = place.cast(places, "int32")
    values, places = place.fetch(values).astype(np.float64, copy=False), place.fetch(places)
    ends = np.searchsorted(places, np.arange(int(width) + 1) * int(height))
    slices = [slice(a, b) for a, b in itertools.pairwise(ends)]
    return [(places[one] - k * int(height), values[one]) for k, one in enumerate(slices)]


class Asked(NamedTuple):
    """How labellings are asked about."""

    offset: bool
    time_limit: float | None
    time_limit_each: float | None
    seed: int
    reading: Reading | None
    n_threads: int

    def limit(self, clock: Clock, spent: float) -> float | None:
        """Seconds that one labelling still has, which has taken `spent` of them."""
        each = math.inf if self.time_limit_each is None else self.time_limit_each - spent
        left = max(min(each, clock.left()), LEAST_SECONDS)
        return None if left == math.inf else left


def certify_many(
    table: Table, labellings: list[Labelling], signs: np.ndarray | None, asked: Asked,
    progress: bool | None,
) -> LabellingVerdicts:  # fmt: skip
    """The verdicts of all labellings of one table, whose signs are the columns of a matrix.

    Without signs they are decided one by one: pairs of many classes have few rows in common.
    """
    number = len(labellings)
    whole, together = Clock(asked.time_limit), Clock(asked.time_limit)
    if asked.time_limit_each is not None:
        together.time_limit = min(together.left(), asked.time_limit_each * number)
    made: dict[int, Verdict] = {}
    spent, checked = np.zeros(number), dict[int, Checked]()
    with progress_bar(number, progress) as say:
        if signs is not None:
            batch = Batch(table, signs, asked.offset, together, say)
            batch.decide()
            spent, checked = batch.spent, batch.checked
        table.watch()
        left = [k for k in range(number) if k not in checked]
        host = host_table(table) if left else table

        def ask(k: int) -> None:
            one = labellings[k]
            made[k] = certify_one(
                host if one.rows is None else host.take(one.rows), one.labels.alone(),
                asked.offset, asked.limit(whole, float(spent[k])), asked.seed, one.label,
                one.reading_of(asked.reading, table.n_rows),
            )  # fmt: skip
            say(1)

        with ThreadPoolExecutor(asked.n_threads) as threads:
            list((map if asked.n_threads == 1 else threads.map)(ask, left))

    entries: list[dict[str, Any]] = []
    status: str
    for k, seconds in enumerate(spent.tolist()):
        n_rows = len(labellings[k].labels.signs)
        if k in made:
            status, n_separated = made[k].status, made[k].n_separated
            margin, seconds = made[k].known_margin, seconds + made[k].seconds
        else:
            status, margin = checked[k].status, checked[k].margin
            n_separated = 0 if checked[k].weights is None else n_rows
        entries.append({
            "status": status,
            "n_rows": n_rows,
            "n_separated": n_separated,
            "margin_lower": margin[0],
            "margin_upper": margin[1] if np.isfinite(margin[1]) else None,
            "seconds": seconds,
        })  # fmt: skip
    make = partial(_proven, table, labellings, checked, spent, asked)
    return LabellingVerdicts(table, labellings, entries, made, asked.reading, make, whole.spent())


def _proven(
    table: Table, labellings: Sequence[Labelling], checked: dict[int, Checked], spent: np.ndarray,
    asked: Asked, k: int,
) -> Verdict:  # fmt: skip
    """The verdict of a labelling that was decided together with others, by its number."""
    labelling, proven = labellings[k], checked[k]
    rows, labels = labelling.rows, labelling.labels.alone()
    own = table if rows is None else table.take(rows)
    question = np.arange(table.n_rows) if rows is None else rows
    reading = labelling.reading_of(asked.reading, table.n_rows)
    stamp = Stamp.of(own, labels, asked.offset, labelling.label, reading)
    findings = Findings(proven.weights, None, True, how=["steps of many labellings"])
    seconds = float(spent[k])
    limit = asked.time_limit_each if asked.time_limit_each is not None else asked.time_limit
    return Verdict.of(
        SignedRows(own, labels.signs, asked.offset), labels.classes,
        proven.claim(question, stamp), findings, stages={findings.how[0]: seconds},
        seconds=seconds, time_limit=limit, reading=reading,
    )  # fmt: skip


def host_table(table: Table) -> Table:
    """The table in the memory of the processor: a copy of one that is on a device."""
    if not isinstance(table, DeviceTable):
        return table
    return Table(table.matrix, table.names, table.numbers)


@contextmanager
def progress_bar(total: int, wanted: bool | None) -> Iterator[Say]:
    """A function that is told how many more are done; None is for a bar where somebody sees it.

    The bar is a line on standard error that is written over, which a notebook shows as well.
    """
    if wanted is not None and not isinstance(wanted, bool):
        raise ParameterError(f"progress is {wanted!r}; it must be True, False or None.", "progress")
    is_shown = sys.stderr.isatty() or "ipykernel" in sys.modules if wanted is None else wanted
    done, due, is_drawn = 0, time.monotonic() + BAR_SECONDS, False

    def add(number: int) -> None:
        nonlocal done, due, is_drawn
        done += number
        if is_shown and (time.monotonic() >= due or (is_drawn and done == total)):
            due, is_drawn = time.monotonic() + BAR_RENEWED, True
            full = BAR_WIDTH * done // total
            line = f"[{'#' * full}{' ' * (BAR_WIDTH - full)}] {done:,} of {total:,} labellings"
            print(f"\r{line}", end="", file=sys.stderr, flush=True)

    try:
        yield add
    finally:
        if is_drawn:
            print(file=sys.stderr)
