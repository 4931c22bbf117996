"""Does the maximum-likelihood estimate of a regression exist, and if not, who is to blame?

certify.py      `certify_regression`: the question
models.py       the models by all their names, and which options each of them has
arguments.py    the arguments of `certify_regression`, in any of their forms
model_data.py   a model with its data: a design table, response columns, and what they are called
design.py       X as a design table: arrays, and frames with text columns made indicators
response.py     y, time, sets and players as the response columns of a proof
codes.py        which code of an outcome is 1, and in which order classes stand
times.py        times that differ by rounding alone
missing.py      rows with a missing value: an error that names the columns, or left out
strata.py       strata that are named, one column or several
formula.py      "y ~ x1 + C(firm)", through formulaic
terms.py        the design of a formula in the grammar of proofs: found, and built
foreign.py      models of statsmodels, scikit-learn and lifelines, known by their shape
decide.py       from what is given to a proof
contests.py     a Bradley-Terry model without covariates, by its strong components
collinear.py    which coefficients depend on earlier ones
rounding.py     which columns are combinations of others but for rounding
verdict.py      `RegressionVerdict`: the answer
limit/          the model at the supremum of its likelihood
fitted.py       `from_statsmodels`: fitted models beside what is true of them
new_rows.py     new rows in the columns of a model's design
dropping.py     what could be left out for a finite estimate
words.py        the answer as sentences and tables
"""
