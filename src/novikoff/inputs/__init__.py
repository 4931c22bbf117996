"""X and y as the user gave them: checked, and readable exactly.

table.py        rows as floats to compute with, and as what they exactly are
reading.py      X in any of its forms, made a table
tensors.py      arrays of other libraries, and numbers shorter than 32 bits
labels.py       y as signs, or as places among its labels
order.py        which label is the larger
frames.py       DataFrames: names, and the label column
given.py        what X and y may be, for static tools
"""

from novikoff.inputs.frames import take_label
from novikoff.inputs.labels import Labels, check_one_type, read_classes, read_labels, read_ordered
from novikoff.inputs.reading import read_table
from novikoff.inputs.table import (
    Table,
    integers_of_floats,
    largest_of,
    lowest_bits,
    table_of_fractions,
)

__all__ = [
    "Labels",
    "Table",
    "check_one_type",
    "integers_of_floats",
    "largest_of",
    "lowest_bits",
    "read_classes",
    "read_labels",
    "read_ordered",
    "read_table",
    "table_of_fractions",
    "take_label",
]
