"""Limit: a model at the supremum of its likelihood, whether its estimate is finite or not."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
from scipy.special import chdtrc, chdtri

from novikoff.errors import InputError
from novikoff.inputs import exact_number
from novikoff.inputs.csr import side_by_side
from novikoff.regression.limit import tables
from novikoff.regression.limit.core import Core, State, clock_of, with_constant
from novikoff.regression.limit.means import Predicted, fitted_means, predicted_means
from novikoff.regression.limit.newton import Maximum
from novikoff.regression.limit.problem import check_likelihood, constants_of, problem_of
from novikoff.regression.limit.profile import TOLERANCE, Interval, Profile
from novikoff.regression.models import EVERYWHERE
from novikoff.search.clock import Clock
from novikoff.search.collinear import dependent_columns
from novikoff.search.threads import one_thread
from novikoff.verdicts.collinear import combination as combination_text
from novikoff.wording import first_few, keyword

if TYPE_CHECKING:
    from novikoff.regression.verdict import RegressionVerdict

NUMBERS: dict[State, float] = {"+inf": math.inf, "-inf": -math.inf}
LEVEL = 0.95
Combined: TypeAlias = Mapping[str, Any] | Sequence[Any] | str  # a combination, or a coefficient


class Contrast(NamedTuple):
    """A combination of coefficients in the limit.

    state : 'finite', '+inf', '-inf', or 'not determined' where it depends on the way to the limit
    estimate : a number, an infinity, or nan where it is not determined
    standard_error : nan unless it is finite
    """

    state: State
    estimate: float
    standard_error: float


UNDETERMINED = Contrast("not determined", math.nan, math.nan)


class LikelihoodRatio(NamedTuple):
    """Twice by how much a supremum falls where the null hypothesis holds, and its χ² test.

    df : by how much the dimension of the model falls, on the observations that the null hypothesis
        does not predict perfectly; 0, and a p_value of nan, where they do not tell the two apart
    """

    statistic: float
    df: int
    p_value: float


@dataclass(frozen=True, eq=False, repr=False)
class Limit:
    """A model at the supremum of its likelihood.

    Attributes
    ----------
    coefficients : their names
    estimates : numbers, infinities, and nan where a coefficient is not determined or left out
    states : 'finite', '+inf', '-inf', 'not determined', or 'left out' where a column is collinear
    standard_errors : of the finite coefficients, by the inverse of the observed information; else
        nan
    log_likelihood, saturated : the supremum; and that of the saturated model on the core, but for
        what no coefficient moves, None where there is none
    n_parameters : of the model, without columns that are left out
    df_model, df_residual : the rank of the core, and its observations less that rank
    steps, gradient_norm, decrement : of Newton's steps; the decrement is twice by how much the
        log-likelihood may still be below its supremum
    """

    verdict: RegressionVerdict
    core: Core
    maximum: Maximum
    log_likelihood: float
    saturated: float | None
    _profiles: dict[Any, Profile | None] = field(default_factory=dict)

    @classmethod
    def of(cls, verdict: RegressionVerdict) -> Limit:
        """InputError where the verdict is undecided, or the likelihood is none of ours."""
        if verdict.settled is None:
            raise InputError(
                f"limit() needs a decided verdict, and this one is undecided: "
                f"{verdict.why_undecided}; give a longer {keyword('time_limit')}."
            )
        check_likelihood(verdict.given)
        verdict.given.check_unchanged()
        core = Core.of(verdict, verdict.settled)
        maximum = problem_of(verdict.given, core).maximise()
        added, saturated = constants_of(verdict.given, core)
        return cls(verdict, core, maximum, maximum.value + added, saturated)

    # Coefficients

    @property
    def model(self) -> str:
        """The model, as it was called."""
        return self.verdict.model

    @property
    def coefficients(self) -> tuple[str, ...]:
        return self.verdict.coefficients

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.coefficients)}

    @cached_property
    def states(self) -> tuple[State, ...]:
        found = self.core.states()
        return tuple(found.get(place, "finite") for place in range(len(self.coefficients)))

    @cached_property
    def estimates(self) -> np.ndarray:
        beta = dict(zip(self.core.pivots, self.maximum.beta().tolist(), strict=True))
        finite = enumerate(self.states)
        return np.array([beta[k] if s == "finite" else NUMBERS.get(s, math.nan) for k, s in finite])

    @cached_property
    def standard_errors(self) -> np.ndarray:
        every = enumerate(self.states)
        finite = {k: self._contrast({k: Fraction(1)}) for k, s in every if s == "finite"}
        return np.array(
            [finite.get(k, UNDETERMINED).standard_error for k in range(len(self.states))]
        )

    @cached_property
    def determined(self) -> dict[str, Contrast]:
        """The combinations that are finite, of coefficients that are not, by what they read."""
        found = {}
        for line in self.core.determined().values():
            named = {self.coefficients[j]: share for j, share in line.items()}
            found[combination_text(named, None)] = self._contrast(line)
        return found

    def contrast(self, combination: Combined) -> Contrast:
        """A linear combination of coefficients, such as {'a': 1, 'b': -1}: is it finite?

        A coefficient's name stands for the coefficient; a sequence has a number for each of them.
        """
        inner = self._inner(self._combination(combination))
        return UNDETERMINED if inner is None else self._contrast(inner)

    def _contrast(self, inner: Mapping[int, Fraction]) -> Contrast:
        state = self.core.state_of(inner)
        if state != "finite":
            return Contrast(state, NUMBERS.get(state, math.nan), math.nan)
        c = self.core.numbers(inner)
        return Contrast(state, self.maximum.estimate(c), self.maximum.standard_error(c))

    def _combination(self, given: Combined) -> dict[int, Fraction]:
        if isinstance(given, str):
            given = {given: 1}
        if not isinstance(given, Mapping):
            numbers = np.asarray(given, dtype=object).ravel().tolist()
            if len(numbers) != len(self.coefficients):
                raise InputError(
                    f"the combination has {len(numbers)} numbers; it needs one for each of the "
                    f"{len(self.coefficients)} coefficients, or a dict by name."
                )
            given = dict(zip(self.coefficients, numbers, strict=True))
        found: dict[int, Fraction] = {}
        for name, number in given.items():
            place = self._place(name)
            try:
                exact = exact_number(number)
            except (TypeError, ValueError, OverflowError):
                exact = None
            if exact is None:
                raise InputError(
                    f"the combination has {number!r} for {name!r}; it must be a finite number."
                )
            if exact:
                found[place] = Fraction(exact)
        if not found:
            raise InputError("the combination is zero; give a coefficient that is not.")
        return found

    def _place(self, name: Any) -> int:
        if name not in self._places:
            there = first_few(self.coefficients)
            raise InputError(f"there is no coefficient {name!r}; there are {there}.")
        return self._places[name]

    def _inner(self, combination: dict[int, Fraction]) -> dict[int, Fraction] | None:
        """Without what is left out; None where that would change it."""
        is_inside = combination.keys().isdisjoint(self.core.relations.columns)
        return combination if is_inside else self.core.within(combination)

    # The whole model

    @property
    def deviance(self) -> float | None:
        """Twice by how much the supremum is below that of the saturated model; None where the
        model has none: only models with one outcome a row do."""
        if self.saturated is None:
            return None
        return 2 * max(self.saturated - self.maximum.value, 0.0)

    @property
    def n_parameters(self) -> int:
        return len(self.coefficients) - len(self.core.relations.columns)

    @property
    def df_model(self) -> int:
        return len(self.core.pivots)

    @property
    def df_residual(self) -> int:
        return len(self.core.left) - self.df_model

    @property
    def aic(self) -> float:
        """2·n_parameters - 2·log_likelihood: parameters at infinity are counted too."""
        return 2 * self.n_parameters - 2 * self.log_likelihood

    @property
    def steps(self) -> int:
        return self.maximum.steps

    @property
    def gradient_norm(self) -> float:
        return self.maximum.gradient_norm

    @property
    def decrement(self) -> float:
        return self.maximum.decrement

    @property
    def fitted(self) -> np.ndarray:
        """The fitted means of the observations: 0, 1 or between, or a count.

        Of multinomial and ordinal models a row of probabilities, one for each class in the order of
        `verdict.given.labels`. nan where a mean depends on the way to the limit.
        """
        return fitted_means(self)

    def predict(self, X: Any, offset: Any = None) -> Predicted:
        """Means of new rows, given as X was: `.mean`, and `.state` for each.

        'not determined' where the mean depends on the way to the limit, or where the rows break a
        relation that columns had in the data.
        """
        return predicted_means(self, X, offset)

    # Tests and intervals

    def _profile(self, combination: dict[int, Fraction]) -> Profile | None:
        """None where the profile is flat: any number goes with the same supremum."""
        inner = self._inner(combination)
        if inner is None:
            return None
        key = tuple(sorted(inner.items()))
        if key not in self._profiles:
            found, base = self._contrast(inner), self.maximum
            core = self.core.constrained(self.verdict, [inner])
            c, is_flat = core.numbers(inner), core is not self.core and bool(core.line_of(inner))
            if core is not self.core and not is_flat:
                problem = problem_of(self.verdict.given, core)
                d = problem.combination(c)
                base = problem.maximise(None, d / np.abs(d).max())
            made = Profile(c, self.maximum.value, found.estimate, base, found.standard_error)
            self._profiles[key] = None if is_flat else made
        return self._profiles[key]

    def interval(self, combination: Combined, level: float = LEVEL) -> Interval:
        """The profile-likelihood interval of a coefficient, or of a combination of them.

        It is one-sided where the estimate is infinite, and has no ends where it is not determined.
        """
        if not (isinstance(level, (int, float, np.number)) and 0 < level < 1):
            raise InputError(f"level is {level!r}; it must be between 0 and 1, such as 0.95.")
        level, profile = float(level), self._profile(self._combination(combination))
        if profile is None:
            return Interval(-math.inf, math.inf, level, TOLERANCE)
        drop = float(chdtri(1, 1 - level)) / 2
        with one_thread(self.df_model):
            ends = profile.end(-1, drop), profile.end(1, drop)
        return Interval(*ends, level, profile.tolerance)

    def test(
        self, null: Mapping[str, Any] | Sequence[str] | str, value: float = 0.0
    ) -> LikelihoodRatio:
        """The likelihood-ratio test of a coefficient, of several at once, or of a combination.

        null : a name, or several, whose coefficients are 0; or a combination, by name, which has
            the value
        """
        if isinstance(null, (Mapping, str)):
            if not (isinstance(value, (int, float, np.number)) and math.isfinite(value)):
                raise InputError(f"value is {value!r}; it must be a finite number.")
            return self._test_of_value(self._combination(null), float(value))
        names = list(null) if isinstance(null, Iterable) else [null]
        if value != 0 or not names:
            raise InputError("null must name a coefficient; a value other than 0 goes with one.")
        places = dict.fromkeys(map(self._place, names))
        zeros = [place for place in places if place not in self.core.relations.columns]
        if len(zeros) == 1:
            return self._test_of_value({zeros[0]: Fraction(1)}, 0.0)
        core = self.core.constrained(self.verdict, [{place: Fraction(1)} for place in zeros])
        rest = core.without(zeros)
        found = problem_of(self.verdict.given, core, rest).maximise()
        return self.ratio(found.value, len(core.pivots) - len(rest))

    def _test_of_value(self, combination: dict[int, Fraction], value: float) -> LikelihoodRatio:
        if (profile := self._profile(combination)) is None:
            return LikelihoodRatio(0.0, 0, math.nan)
        with one_thread(self.df_model):
            return self.ratio(profile.at(value).value, 1)

    def ratio(self, value: float, df: int) -> LikelihoodRatio:
        """The test of a null hypothesis whose supremum is `value`, without constants."""
        statistic = 2 * max(self.maximum.value - value, 0.0)
        return LikelihoodRatio(statistic, df, float(chdtrc(df, statistic)) if df else math.nan)

    # Tables

    def summary(
        self,
        coefficients: Sequence[str] | str | None = None,
        *,
        level: float = LEVEL,
        intervals: bool | None = None,
    ) -> tables.Summary:
        """What is usually printed after a fit: print it, or take `.frame`.

        coefficients : those to show; all of them unless told
        intervals : whether tests and profile intervals are there; unless told, they are where no
            more than 200 coefficients are shown
        """
        names = self.coefficients if coefficients is None else coefficients
        names = (names,) if isinstance(names, str) else names
        return tables.summary_of(self, [self._place(name) for name in names], level, intervals)

    def to_dict(self) -> dict[str, Any]:
        """All of it for JSON: an infinity is a text, and what is not a number is None."""
        return tables.to_dict(self, self._whole)

    @cached_property
    def _whole(self) -> tables.Summary:
        return self.summary()

    def __str__(self) -> str:
        return str(self._whole)

    def _repr_html_(self) -> str:
        return self._whole._repr_html_()

    def __repr__(self) -> str:
        return f"<Limit of a {self.model} model: log-likelihood {self.log_likelihood:.6g}>"


def compare(one: RegressionVerdict, other: RegressionVerdict) -> LikelihoodRatio:
    """The test of the smaller model against the larger; InputError where they are not nested.

    The smaller model's certain observations are certain in the larger one too, since its directions
    are directions of the larger. So the test is one on the core of the smaller model, and its
    degrees of freedom are the difference of the two ranks there (Geyer, 2009). Ranks and nesting
    are exact.
    """
    if not hasattr(other, "given"):
        raise InputError(
            f"compare takes what certify_regression returns; this is a {type(other).__name__}."
        )
    first, second = one.given, other.given
    kinds = [(g.model.name, g.link, g.ties, g.dispersion) for g in (first, second)]
    if kinds[0] != kinds[1]:
        raise InputError(
            f"models of the same kind are compared; these are {one.model!r} and {other.model!r}."
        )
    pairs = [[getattr(g, part) for g in (first, second)] for part in ("numbers", *EVERYWHERE)]
    if first.response != second.response or not all(np.array_equal(a, b) for a, b in pairs):
        raise InputError(
            "models of the same outcomes are compared: response, rows, weights and offset must be "
            "the same in both."
        )
    if "undecided" in (one.status, other.status):
        raise InputError(
            f"models that are decided are compared; give a longer {keyword('time_limit')}."
        )
    with clock_of(one.time_limit) as clock:
        every = np.arange(one.comparison_rows.table.n_rows)
        ranks = [_rank_of([verdict], every, clock) for verdict in (one, other)]
        if _rank_of([one, other], every, clock) != max(ranks):
            raise InputError(
                "neither model holds the other: every column of the smaller one must be a "
                "combination of those of the larger."
            )
        large, small = (one, other) if ranks[0] >= ranks[1] else (other, one)
        left = np.flatnonzero(small.limit().core.is_core)
        df = _rank_of([large], left, clock) - _rank_of([small], left, clock)
    return large.limit().ratio(small.limit().maximum.value, df)


def _rank_of(verdicts: list[RegressionVerdict], rows: np.ndarray, clock: Clock) -> int:
    """Of the comparisons of these models, side by side, on some of their rows."""
    if len(rows) == 0:
        return 0
    whole = side_by_side([with_constant(one.comparison_rows).take(rows) for one in verdicts])
    return whole.n_columns - len(dependent_columns(whole, False, clock).columns)
