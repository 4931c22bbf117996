"""A model at the supremum of its likelihood: estimates, tests and intervals that stay true.

limit.py         `Limit`: what `fit.limit()` gives; and two nested models compared
core.py          what the core determines: finite, infinite, or not determined, exactly
problem.py       the log-likelihood of a model on its core
likelihoods.py   concave log-likelihoods over linear predictors, and links
newton.py        Newton's steps to the maximum
profile.py       the profile of a combination, and its interval
refit.py         the data of the limiting model, as another fit takes it
means.py         fitted means, and means of new rows
tables.py        a limit as text, HTML, a DataFrame and JSON
"""

from novikoff.regression.limit.limit import LikelihoodRatio, Limit, compare
from novikoff.regression.limit.refit import RefitData, refit_data

__all__ = ["LikelihoodRatio", "Limit", "RefitData", "compare", "refit_data"]
