"""A perceptron's run, step by step.

run.py      `trace`: the run itself, and the tape of its mistakes
table.py    a run as text, as HTML, as a data frame
audit.py    the mistake bound and its proof, checked along a run
inequalities.py   each inequality of the proof at every k, and whether it holds
"""
