"""A perceptron's run, step by step.

run.py      `trace`: the run itself, and the tape of its mistakes
table.py    a run as text, as HTML, as a data frame
audit.py    the mistake bound and its proof, checked along a run; audit_html.py for a notebook
check.py    one inequality of the proof, and whether it holds
inequalities.py   all of them, at every k, exactly
"""
