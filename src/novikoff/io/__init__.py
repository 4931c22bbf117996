"""Files in, tables out."""

from novikoff.io.data import Data
from novikoff.io.reading import read
from novikoff.io.scanning import Scan, scan

__all__ = ["Data", "Scan", "read", "scan"]
