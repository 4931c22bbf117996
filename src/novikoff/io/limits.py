"""How much of a stranger's file is taken: looked at before work is done, and while it is."""

from __future__ import annotations

from dataclasses import dataclass

from novikoff.errors import FileError
from novikoff.memory import in_words


@dataclass(frozen=True)
class Limit:
    """The most of everything that `taker` takes; n_bytes are those of the unpacked content."""

    taker: str
    n_bytes: int
    n_rows: int
    n_columns: int
    n_numbers: int

    def too_long(self, name: str) -> FileError:
        return FileError(
            f"{name} is too large: unpacked, it has more than {in_words(self.n_bytes)}, and "
            f"{self.taker} takes no more."
        )

    def check_rows(self, name: str, n_rows: int) -> None:
        """Raise if rows, of which more may come, are too many."""
        if n_rows > self.n_rows:
            raise FileError(
                f"{name} has more than {self.n_rows:,} rows; {self.taker} takes {self.n_rows:,}."
            )

    def check_shape(self, name: str, n_rows: int, n_columns: int) -> None:
        """Raise if a table of this shape is too large."""
        self.check_rows(name, n_rows)
        if n_columns > self.n_columns or n_rows * n_columns > self.n_numbers:
            raise FileError(
                f"{name} has {n_rows:,} rows and {n_columns:,} columns; {self.taker} takes "
                f"{self.n_columns:,} columns and {self.n_numbers:,} numbers in all."
            )

    def check_numbers(self, name: str, n_numbers: int) -> None:
        """Raise if what a file holds would take the memory of too many numbers."""
        if n_numbers > self.n_numbers:
            raise FileError(
                f"{name} holds {n_numbers:,} numbers or as much text; {self.taker} takes "
                f"{self.n_numbers:,} numbers."
            )
