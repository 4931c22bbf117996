"""A learner on a stream of lines: a file, a pipe, a log that grows.

stream.py       the run: every row is predicted before it is learnt
feed.py         lines as they arrive
formats.py      which format a stream has, and who reads it
rows.py         what a line is; csv_rows.py, json_rows.py, sparse_rows.py read them by novikoff.io
columns.py      the cells of a table as features, and its labels
checkpoint.py   a model file that also tells how far the stream has come
"""
