"""X and y as the user gave them: checked, and readable exactly.

table.py        rows as floats to compute with, and as what they exactly are
reading.py      X in any of its forms, made a table; floats as the decimals that print them
csr.py          CSR matrices over arrays that are there already
tensors.py      arrays of other libraries, and numbers shorter than 32 bits
device.py       rows on a device, through the array API standard
labels.py       y as signs, or as places among its labels; which label is the larger
frames.py       DataFrames: names, and the label column
type_aliases.py what X and y may be, for static tools
"""

from novikoff.inputs.frames import take_label
from novikoff.inputs.labels import (
    Labels,
    check_one_type,
    is_same_label,
    read_classes,
    read_labels,
    read_ordered,
)
from novikoff.inputs.reading import (
    as_decimals,
    exact_number,
    is_whole,
    read_table,
    reads_decimals,
)
from novikoff.inputs.table import (
    Table,
    integers_of_floats,
    largest_of,
    lowest_bits,
    row_numbers,
    table_of_fractions,
)
from novikoff.inputs.tensors import in_memory, with_gaps

__all__ = [
    "Labels",
    "Table",
    "as_decimals",
    "check_one_type",
    "exact_number",
    "in_memory",
    "integers_of_floats",
    "is_same_label",
    "is_whole",
    "largest_of",
    "lowest_bits",
    "read_classes",
    "read_labels",
    "read_ordered",
    "read_table",
    "reads_decimals",
    "row_numbers",
    "table_of_fractions",
    "take_label",
    "with_gaps",
]
