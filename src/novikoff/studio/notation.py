"""How weights are written: their letter, their first number, and where the offset stands.

The run is the same; each lecture writes it in its own way, and so can the studio.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from novikoff.wording import number, vector


@dataclass(frozen=True)
class Notation:
    """One lecture's letters."""

    title: str
    weights: str = "w"
    first: int = 0  # the number of the weights before the first mistake
    offset: str = "last"  # 'last', 'first', or 'apart' from the other weights
    best: str = "v"  # the unit vector of the largest margin
    margin: str = "γ"
    by_length: bool = False  # B = 1/γ, the least length with y·V·X >= 1, in place of γ

    def name(self, k: int) -> str:
        """The weights after k mistakes."""
        return f"{self.weights}({k + self.first})"

    def weights_drawn(self, has_offset: bool) -> str:
        """The name of the arrow in the plane: w is drawn, of W = (w, b)."""
        return "w" if self.weights == "W" and has_offset else self.weights

    def best_drawn(self, has_offset: bool) -> str:
        """The same for the normal vector of the best hyperplane."""
        return "w*" if self.best == "W*" and has_offset else self.best

    @property
    def bound(self) -> str:
        if self.by_length:
            return "(R·B)²"
        return f"(R/{self.margin})²"

    def vector(self, values: Iterable[float], has_offset: bool) -> str:
        """Weights, or a row with its 1, whose last entry is the offset where there is one."""
        values = [float(value) for value in values]
        if not has_offset or self.offset == "last":
            return vector(values)
        if self.offset == "first":
            return vector([values[-1], *values[:-1]])
        return f"{vector(values[:-1])}, {number(values[-1])}"

    def offset_words(self, has_offset: bool) -> str:
        """Where the offset stands, as a clause."""
        if not has_offset:
            return "no offset"
        return {
            "last": "the offset is the last weight", "first": "the offset is the first weight",
            "apart": f"the offset {self.weights}₀ stands behind",
        }[self.offset]  # fmt: skip


NOTATIONS = {
    "plain": Notation("w(0), offset last"),
    "000": Notation("lecture 000: w(1)", first=1, best="w*"),
    "001": Notation("lecture 001: θ(0), θ₀ apart", "θ", offset="apart", best="θ*"),
    "002": Notation("lecture 002: W(1), B = 1/γ", "W", first=1, best="W*", by_length=True),
    "003": Notation("lecture 003: w(1), offset first", first=1, offset="first", best="w_opt",
                    margin="u"),
    "004": Notation("lecture 004: w*, 1/γ²", best="w*"),
}  # fmt: skip
