"""What people ask about rows: is there a hyperplane between them, and how wide is the gap?

certify.py        `certify` and `certify_classes`: the questions
single.py         one question about two classes: search, claim, check
labellings.py     many questions about one table: columns of labels, or classes
together.py       decides them together; tables.py: their answers
arguments.py      X, y and label: arrays, a DataFrame with its label column, a file
answer.py         `Answer`: what all answers say in the same way, as text, HTML and JSON
verdict.py        `Verdict`: the answer to `certify`, from one machine or a cluster
words.py          a verdict as sentences and facts; numerals.py: numbers in a few figures
collinear.py      the columns that are combinations of others; nearly.py: but for rounding
max_margin.py     the separator of the largest margin; hyperplane.py: weights, and distances
fewest.py         `fewest_mistakes`: how many rows any hyperplane gets wrong at least
fewest_answer.py  `FewestMistakes`, its answer, and the labels to look at
costs.py          costs, trusted rows, and who is told of progress
"""
