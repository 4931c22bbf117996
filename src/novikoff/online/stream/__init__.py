"""A learner on a stream of lines: a file, a pipe, a log that grows.

stream.py       the run: every row is predicted before it is learnt
feed.py         lines as they arrive
rows.py         what a line is, and who reads it; svmlight and Vowpal Wabbit
table_rows.py   CSV and JSON Lines: cells as features, and labels
checkpoint.py   a model file that also tells how far the stream has come
"""
