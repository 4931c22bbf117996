"""`fewest_mistakes`: how many rows any hyperplane gets wrong at least, and a hyperplane near it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from novikoff.certificates import Mistakes, Reading, Stamp
from novikoff.certificates.mistakes import MOST_DEPTH, Branch, Leaf
from novikoff.conventions import read_seed, seconds, true_or_false
from novikoff.inputs import Labels, Table, read_labels, row_numbers
from novikoff.search.clock import Clock, OutOfTimeError
from novikoff.search.mistakes.costs import Costs
from novikoff.search.mistakes.counting import close
from novikoff.search.mistakes.hitting_set import HittingSetSearch, Node
from novikoff.search.signed_rows import SignedRows, range_scaled
from novikoff.search.threads import one_thread
from novikoff.verdicts.arguments import read_arguments
from novikoff.verdicts.costs import read_costs, read_progress
from novikoff.verdicts.fewest_answer import FewestMistakes
from novikoff.verdicts.labellings import labellings_of_classes
from novikoff.verdicts.tables import Answers

if TYPE_CHECKING:
    from novikoff.inputs.type_aliases import LabelsLike, RowsLike
    from novikoff.io.data import Data
    from novikoff.io.scanning import Scan

SECONDS_AFTER_INTERRUPT = 1e-9  # seconds
Progress = bool | Callable[[Any, Any, float], Any] | None


def fewest_mistakes(
    X: RowsLike | Data | Scan,
    y: LabelsLike | None = None,
    costs: Sequence[Any] | np.ndarray | None = None,
    trusted: Sequence[Any] | np.ndarray | None = None,
    fit_intercept: bool = True,
    time_limit: float | None = 60.0,
    progress: Progress = None,
    random_state: Any = None,
    positive: Any = None,
    label: str | None = None,
) -> FewestMistakes:
    """The fewest rows that any hyperplane gets wrong, from both sides and with proof.

    A row is wrong if it is not strictly on its side: on the hyperplane counts as wrong. The answer
    is a bracket, which often closes; whatever ends the search, its time limit or Ctrl-C, both
    ends of the bracket are proven, the lower one by the proof file or by counting hyperplanes.

    Parameters
    ----------
    X, y : as in `certify`: rows of numbers, and two labels of any one type
    costs : what each row costs when it is wrong, non-negative numbers; 0 is free to give up, and
        a float is the decimal that it prints as. None: 1 each, so that rows are counted
    trusted : rows that must not be given up: a mask of True and False, or row numbers from 0, in
        the file where X was read from one
    fit_intercept : False for hyperplanes through the origin only
    time_limit : seconds after which the bracket is given as it is; None for no limit
    progress : True to write each change of the bracket to stderr, or a function that is called
        with lower, upper and the seconds so far
    random_state : seeds the search; the bounds are true whatever it is. None is the same as 0
    positive, label : as in `certify`
    """
    table, y, name, reading = read_arguments(X, y, label)
    labels = read_labels(y, table.n_rows, positive, many="fewest_mistakes_classes")
    return bracketed(
        table,
        labels,
        read_costs(costs, trusted, table.n_rows, reading),
        true_or_false("fit_intercept", fit_intercept),
        Clock(seconds(time_limit)),
        read_seed(random_state),
        read_progress(progress),
        name,
        reading,
    )


def fewest_mistakes_classes(
    X: RowsLike | Data | Scan,
    y: LabelsLike | None = None,
    against: Literal["rest", "each"] = "rest",
    fit_intercept: bool = True,
    time_limit: float | None = 60.0,
    random_state: Any = None,
    label: str | None = None,
) -> Answers[FewestMistakes]:
    """The fewest mistakes of each class against the rest, or of each pair of classes.

    Parameters
    ----------
    time_limit : float or None
        Seconds for each; Ctrl-C ends them all.

    The other parameters are those of `certify_classes` and `fewest_mistakes`.
    """
    table, y, name, reading = read_arguments(X, y, label)
    labellings = labellings_of_classes(y, table.n_rows, against, name)
    offset = true_or_false("fit_intercept", fit_intercept)
    limit, seed = seconds(time_limit), read_seed(random_state)
    answers: list[FewestMistakes] = []
    for one in labellings:
        own = table if one.rows is None else table.take(one.rows)
        stopped = any(few.interrupted for few in answers)
        # After Ctrl-C the others have what is known at once.
        clock = Clock(SECONDS_AFTER_INTERRUPT if stopped else limit)
        costs = read_costs(None, None, own.n_rows)
        own_reading = one.reading_of(reading, table.n_rows)
        answers.append(
            bracketed(own, one.labels, costs, offset, clock, seed, None, name, own_reading)
        )
    entries, made = [few.entry() for few in answers], dict(enumerate(answers))
    whole = sum(few.seconds for few in answers)
    return Answers(table, labellings, entries, made, reading, seconds=whole)


def bracketed(
    table: Table,
    labels: Labels,
    costs: Costs,
    fit_intercept: bool,
    clock: Clock,
    seed: int = 0,
    progress: Callable[[Any, Any, float], Any] | None = None,
    label: str | None = None,
    reading: Reading | None = None,
) -> FewestMistakes:
    """The bracket when the clock ends the search, or when it closes."""
    small = range_scaled(SignedRows(table, labels.signs, fit_intercept, costs.matter))

    def tell(lower: int, upper: int | None) -> None:
        if progress is not None:
            most = None if upper is None else costs.outward(upper)
            progress(costs.outward(lower), most, clock.spent())

    hitting = HittingSetSearch(small.rows, costs, clock, np.random.default_rng(seed), tell)
    interrupted = by_counting = False
    with one_thread(small.rows.dim):
        try:
            by_counting = close(hitting)
        except OutOfTimeError:
            pass
        except KeyboardInterrupt:
            if hitting.weights is None:
                raise  # nothing is known yet
            interrupted = True
        stamp = Stamp.of(table, labels, fit_intercept, label, reading)
        weights = None if hitting.impossible else hitting.weights
        outward = None if weights is None else small.outward(weights)
        certificate = _certificate(hitting, outward, table, labels, stamp)
        certificate.check(table, labels.signs)
    table.watch()
    return FewestMistakes(
        certificate=certificate,
        how=tuple(hitting.how),
        seconds=clock.spent(),
        interrupted=interrupted,
        classes=labels.classes,
        table=table,
        labels=labels,
        hitting=hitting,
        by_counting=by_counting and certificate.lower != certificate.upper,
        reading=reading,
    )


def _certificate(
    hitting: HittingSetSearch, weights: Any, table: Table, labels: Labels, stamp: Stamp
) -> Mistakes:
    """What the search has found, as a claim with all that is needed to check it."""
    costs, pool = hitting.costs, hitting.pool
    wrong = row_numbers(())
    if weights is not None:
        everyone = SignedRows(table, labels.signs, stamp.offset)
        wrong = everyone.opposed(weights, strict=True)
    used: dict[int, int] = {}
    shares = [share for node in hitting.root.nodes() for share in node.packing.values()]
    scale = math.lcm(*(share.denominator for share in shares)) if shares else 1

    def tree(node: Node, depth: int) -> Leaf | Branch:
        if node.branches and depth:
            if_removed, if_kept = (tree(one, depth - 1) for one in node.branches)
            return Branch(node.row, if_removed, if_kept)
        if node.blocked is not None:
            return Leaf(((used.setdefault(node.blocked, len(used)), 1),))
        return Leaf(
            tuple(
                (used.setdefault(k, len(used)), int(share * scale))
                for k, share in node.packing.items()
                if set(node.removed).isdisjoint(pool.rows[k])
            )
        )

    whole = tree(hitting.root, MOST_DEPTH)
    return Mistakes(
        weights=weights,
        mistakes=wrong,
        costs=tuple(costs.whole) if costs.given else None,
        unit=costs.unit,
        trusted=np.flatnonzero(costs.trusted),
        obstructions=[(row_numbers(pool.rows[k]), pool.multipliers[k]) for k in used],
        scale=scale,
        tree=whole,
        stamp=stamp,
    )
