"""A learner on a stream of lines: a file, a pipe, a log that grows.

stream.py       the run: every row is predicted before it is learnt
feed.py         lines as they arrive
formats.py      which format a stream has, and who reads it
rows.py         what a line is; csv_rows.py, json_rows.py, sparse_rows.py read one each
many_rows.py    many rows at a time, when there are many
row_blocks.py   what a block of rows is; csv_blocks.py, sparse_blocks.py make them of text
columns.py      what the columns hold, found out row by row
first_rows.py   what the first rows show of the columns, said once
checkpoint.py   a model file that also tells how far the stream has come
"""
