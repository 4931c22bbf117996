"""What people ask about rows: is there a hyperplane between them, and how wide is the gap?

certify.py      `certify` and `certify_classes`: the questions
verdict.py      `Verdict`: the answer to one of them, from one machine or a cluster
held.py         what can still be asked of rows at hand; elsewhere.py: rows on a cluster
separated.py    the rows that are predicted perfectly
collinear.py    the columns that are combinations of others; nearly.py: but for rounding
given.py        what is asked about: X and y, a file, a DataFrame with its label column
against.py      more than two classes as questions about two; classes.py: their verdicts
max_margin.py   the separator of the largest margin
fewest.py       `fewest_mistakes`: how many rows any hyperplane gets wrong at least
bracket.py      `FewestMistakes`, its answer; suspects.py: the labels to look at;
                class_mistakes.py: of more than two classes; giving_up.py: costs, trusted rows
words.py        answers as sentences and tables
"""
