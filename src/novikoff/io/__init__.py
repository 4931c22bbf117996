"""Files in, tables out.

reading.py, scanning.py    `read`: X and y; `scan`: files of any size, block by block
options.py                 everything that can be said about how to read a file
data.py                    what comes out: rows, labels, the names of columns
sources.py, compressed.py, formats.py    where bytes come from, and which format they have
limits.py                  how much of a stranger's file is taken
chunks.py                  text in pieces, parsed by threads, answered in order
text/                      the one grammar of tables in text: header, delimiter, numerals, …
csv.py, csv_records.py, csv_arrow.py     delimited text: by Python's csv module, by pyarrow
json_lines.py              JSON Lines, an object a line
fields.py, labels.py       a field, the labels
layout.py, tables.py, assembly.py        columns of a table, blocks of its rows, X and y of them
svmlight.py, svmlight_arrow.py, vw.py, sparse.py, sparse_exact.py    rows that list their entries
arrow.py, arrow_columns.py, arrow_sizes.py   Parquet and Arrow, and how much such a file holds
arrays.py, archives.py     npy and npz; what is in an npz
counters.py                columns of arrays and sparse rows that count the rows
doubts.py                  columns that a person would ask about, said with the answer
rounding.py                numbers that no float64 is equal to: kept exact, or counted
identity.py                which rows a reader gives, whatever was said to it
cache/                     rows on disk, mapped instead of parsed again
rows_digest.py             which rows: a SHA-256 of them
writing.py, cells.py       tables out, their text never a formula
"""

from novikoff.io.data import Data
from novikoff.io.reading import read
from novikoff.io.scanning import Scan, scan

__all__ = ["Data", "Scan", "read", "scan"]
