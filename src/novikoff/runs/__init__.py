"""A perceptron's run, step by step.

run.py      `trace`: the run itself, and the tape of its mistakes
table.py    a run as text, as HTML, as a data frame
replay.py   a run once more, from its tape
audit.py    the mistake bound and its proof, checked along a run
"""
