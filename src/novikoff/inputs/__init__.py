"""X and y as the user gave them: checked, and readable exactly."""

from novikoff.inputs.frames import take_label
from novikoff.inputs.labels import Labels, check_one_type, read_classes, read_labels, read_ordered
from novikoff.inputs.reading import read_table
from novikoff.inputs.table import Table, integers_of_floats, lowest_bits, table_of_fractions

__all__ = [
    "Labels",
    "Table",
    "check_one_type",
    "integers_of_floats",
    "lowest_bits",
    "read_classes",
    "read_labels",
    "read_ordered",
    "read_table",
    "table_of_fractions",
    "take_label",
]
