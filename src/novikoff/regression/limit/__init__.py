"""A model at the supremum of its likelihood: estimates, tests and intervals that stay true.

limit.py         `Limit`: what `fit.limit()` gives
core.py          what the core determines: finite, infinite, or not determined, exactly
problem.py       the log-likelihood of a model on its core
likelihoods.py   concave log-likelihoods over linear predictors
links.py         the log-likelihood of one row, by its link
newton.py        Newton's steps to the maximum
profile.py       the profile of a combination, and its interval
compare.py       two nested models compared by their suprema
refit.py         the data of the limiting model, as another fit takes it
means.py         fitted means, and means of new rows
tables.py        a limit as text, HTML, a DataFrame and JSON
"""

from novikoff.regression.limit.compare import compare
from novikoff.regression.limit.limit import Contrast, LikelihoodRatio, Limit
from novikoff.regression.limit.profile import Interval
from novikoff.regression.limit.refit import RefitData, refit_data

__all__ = [
    "Contrast", "Interval", "LikelihoodRatio", "Limit", "RefitData", "compare", "refit_data",
]  # fmt: skip
