"""Files in, tables out."""

from novikoff.io.csv import CsvData, read_csv

__all__ = ["CsvData", "read_csv"]
