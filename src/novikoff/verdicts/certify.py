"""`certify`: is there a hyperplane that separates two classes? Decided exactly, with proof."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack, overload

from novikoff.conventions import read_seed, seconds, threads_of, true_or_false
from novikoff.errors import ParameterError
from novikoff.inputs import read_labels
from novikoff.verdicts.arguments import read_arguments
from novikoff.verdicts.labellings import (
    is_many,
    labellings_of_classes,
    read_labellings,
    signs_of,
)
from novikoff.verdicts.single import certify_one
from novikoff.verdicts.tables import LabellingVerdicts
from novikoff.verdicts.together import Asked, certify_many
from novikoff.verdicts.verdict import Verdict
from novikoff.wording import keyword

if TYPE_CHECKING:
    from novikoff.inputs.type_aliases import LabelArray, LabellingsLike, LabelsLike, RowsLike
    from novikoff.io.data import Data
    from novikoff.io.scanning import Scan

__all__ = ["LabellingVerdicts", "Verdict", "certify", "certify_classes"]


class _Options(TypedDict, total=False):
    """Options of `certify` for one labelling and for many."""

    random_state: Any
    positive: Any
    numbers: Literal["decimal"] | None


class _One(_Options, total=False):
    label: str | None


class _Many(_Options, total=False):
    time_limit_each: float | None
    n_jobs: int | None
    progress: bool | None


@overload
def certify(
    X: RowsLike | Data | Scan, y: LabelArray | None = None, fit_intercept: bool = True,
    time_limit: float | None = None, **options: Unpack[_One],
) -> Verdict: ...  # fmt: skip


@overload
def certify(
    X: RowsLike | Data | Scan, y: LabellingsLike, fit_intercept: bool = True,
    time_limit: float | None = None, **options: Unpack[_Many],
) -> LabellingVerdicts: ...  # fmt: skip


@overload
def certify(
    X: RowsLike | Data | Scan, y: LabelsLike | None = None, fit_intercept: bool = True,
    time_limit: float | None = None, **options: Unpack[_One],
) -> Verdict: ...  # fmt: skip


def certify(
    X: RowsLike | Data | Scan,
    y: LabelsLike | LabellingsLike | None = None,
    fit_intercept: bool = True,
    time_limit: float | None = None,
    random_state: Any = None,
    positive: Any = None,
    label: str | None = None,
    numbers: Literal["decimal"] | None = None,
    time_limit_each: float | None = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> Verdict | LabellingVerdicts:
    """Decide whether a hyperplane separates the two classes of y, and prove the answer.

    A table Y of more than one column in the place of y asks the same of every column: the answer
    is a table of verdicts, which are found together.

    Parameters
    ----------
    X : array, CSR matrix or DataFrame of numbers; Decimal and Fraction are taken exactly, and
        floats as the binary numbers that they are. Or what `read` or `scan` gives, without y: a
        scan is mapped from its cache, so that it may be larger than memory. With a table Y it may
        be an array on a device, through the array API standard: rows are then decided there
    y : two labels of any one type; left out where X is a DataFrame and `label` names its column.
        Or a table with a labelling in each column: an array or a DataFrame, whose missing values
        leave rows out of that labelling's question only
    fit_intercept : False for hyperplanes through the origin only
    time_limit : seconds after which the search gives up and the status is 'undecided'
    random_state : seeds the order in which the search visits rows; the status does not depend
        on it, the certificate may. None is the same as 0
    positive : the label of sign +1; by default the larger of the two: in sort order, as
        numbers where both are numbers written as text, or in the order of an ordered categorical
    label : the name of the label column: of X, where y is left out; else for the proof file, and
        by default the name of y, if any
    numbers : "decimal" reads floats as the shortest decimals that print them, so that shares 0.4,
        0.2 and 0.4 add up to 1
    time_limit_each : seconds for each labelling of a table Y; `time_limit` is for all together
    n_jobs : threads for the labellings of a table Y that are not decided together; -1 for all cores
    progress : whether a table Y has a progress bar, in a terminal or a notebook; by default it has
        one where it takes longer than a second
    """
    many = is_many(y)
    table, y, name, reading = read_arguments(X, y, label, many, numbers)
    offset, seed = true_or_false("fit_intercept", fit_intercept), read_seed(random_state)
    if many:
        labellings, signs = read_labellings(y, table.n_rows, positive)
        each = seconds(time_limit_each, "time_limit_each")
        asked = Asked(offset, seconds(time_limit), each, seed, reading, threads_of(n_jobs))
        return certify_many(table, labellings, signs, asked, progress)
    for parameter, value in (
        ("time_limit_each", time_limit_each), ("n_jobs", n_jobs), ("progress", progress),
    ):  # fmt: skip
        if value is not None:
            raise ParameterError(
                f"{keyword(parameter, value)} is for a table Y of several labellings; leave it "
                "out for the labels of one.",
                parameter,
            )
    labels = read_labels(y, table.n_rows, positive)
    return certify_one(table, labels, offset, seconds(time_limit), seed, name, reading)


def certify_classes(
    X: RowsLike | Data | Scan,
    y: LabelsLike | None = None,
    against: Literal["rest", "each"] = "rest",
    fit_intercept: bool = True,
    time_limit: float | None = None,
    random_state: Any = None,
    label: str | None = None,
    numbers: Literal["decimal"] | None = None,
) -> LabellingVerdicts:
    """One verdict for each class against the rest, or for each pair of classes.

    These are labellings of one table, and their answer is the table that `certify` gives for a
    table Y: a mapping from a class, or a pair of classes, to its verdict.

    Parameters
    ----------
    against : {'rest', 'each'}
        'rest' asks, for each class, whether it can be separated from all others; 'each' asks for
        every pair, on the rows of the two classes only.
    time_limit : float or None
        Seconds for each verdict.

    The other parameters are those of `certify`.

    Examples
    --------
    >>> import novikoff as nk
    >>> iris = nk.datasets.load("iris")
    >>> [verdict.status for verdict in nk.certify_classes(iris.X, iris.y).values()]
    ['separable', 'overlapping', 'overlapping']
    """
    table, y, name, reading = read_arguments(X, y, label, numbers=numbers)
    labellings = labellings_of_classes(y, table.n_rows, against, name)
    asked = Asked(
        true_or_false("fit_intercept", fit_intercept), None, seconds(time_limit),
        read_seed(random_state), reading, 1,
    )  # fmt: skip
    signs = signs_of(labellings, table.n_rows) if against == "rest" else None
    return certify_many(table, labellings, signs, asked, False)
