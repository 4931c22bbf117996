"""Does the maximum-likelihood estimate of a regression exist, and if not, who is to blame?

certify.py      `certify_regression`: the question, in any of its forms
models.py       a record for each model: its names, its options, and what is said of it
question.py     a regression as it is asked for, made to data: columns, rows, response, table
model_data.py   a model with its data: a design table, response columns, and what they are called
columns.py      columns by value or by name, what is missing in them, and X as a design table
formula.py      "y ~ x1 + C(firm)", through formulaic
terms.py        a design in the grammar of proofs: of a formula found, and of any built
response.py     y, time, sets and players as the response columns of a proof
codes.py        which code of an outcome is 1, and in which order classes stand
foreign.py      models of statsmodels, scikit-learn and lifelines; `from_statsmodels`
decide.py       from what is given to a proof
collinear.py    which coefficients depend on earlier ones, exactly or but for rounding
verdict.py      `RegressionVerdict`: the answer, and the answer in words
dropping.py     what could be left out for a finite estimate
limit/          the model at the supremum of its likelihood
"""
