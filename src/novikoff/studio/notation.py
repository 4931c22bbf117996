"""How a lecture writes weights: their letter, their first number, and where the offset stands."""

from __future__ import annotations

from dataclasses import dataclass


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

    def best_drawn(self, has_offset: bool) -> str:
        """The same for the normal vector of the best hyperplane."""
        return "w*" if self.best == "W*" and has_offset else self.best


NOTATIONS = {
    "plain": Notation("w(0), offset last"),
    "000": Notation("lecture 000: w(1)", first=1, best="w*"),
    "001": Notation("lecture 001: θ(0), θ₀ apart", "θ", offset="apart", best="θ*"),
    "002": Notation("lecture 002: W(1), B = 1/γ", "W", first=1, best="W*", by_length=True),
    "003": Notation("lecture 003: w(1), offset first", first=1, offset="first", best="w_opt",
                    margin="u"),
    "004": Notation("lecture 004: w*, 1/γ²", best="w*"),
}  # fmt: skip
