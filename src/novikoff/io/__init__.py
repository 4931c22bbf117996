"""Files in, tables out.

A path becomes X and y in five steps, and each step has its files:

1. path to bytes        sources.py: files and pipes, compressed or not, and limits
2. bytes to a format    formats.py: the table of formats; options.py: all options of `read`, checked
3. bytes to blocks      chunks.py cuts text where a row ends; a reader makes blocks of rows
     tables in text     fields.py (one cell), opening.py (the first records), csv.py, json_lines.py
     typed tables       arrow.py (Parquet, Arrow)
     sparse text        sparse.py, svmlight.py, vw.py
     arrays             arrays.py (npy, npz)
4. blocks to X and y    layout.py, tables.py (columns and rows of a table), assembly.py, labels.py
5. X and y to answers   data.py; column_warnings.py: columns that decide a verdict by themselves

reading.py is `read`, all steps at once, and what all readers share; scanning.py is `scan`, block by
block; cache.py keeps blocks on disk. writing.py writes tables; rows_digest.py is a
SHA-256 of rows.

A new format needs two files: a module with a subclass of `reading.Reader` that gives `blocks` (any
objects with `n_rows` and `n_dropped`) and `finish` (a `Data` of some blocks), and one line in
`formats.FORMATS` that names it, its suffixes, the options that it takes and its first bytes. A
format of tables in text subclasses `csv.CsvReader` and gives `first_opening`, `body_line`,
`record_end` and `records`; one of sparse text `sparse.SparseReader`, and gives `block_of`.
"""

from novikoff.io.data import Data
from novikoff.io.reading import read
from novikoff.io.scanning import Scan, scan

__all__ = ["Data", "Scan", "read", "scan"]
