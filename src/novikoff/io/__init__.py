"""Files in, tables out."""

from novikoff.io.csv import CsvData, read_csv
from novikoff.io.data import Data
from novikoff.io.reading import read
from novikoff.io.scanning import Scan, scan

__all__ = ["CsvData", "Data", "Scan", "read", "read_csv", "scan"]
