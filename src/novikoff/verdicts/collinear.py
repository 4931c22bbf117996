"""Columns that are combinations of earlier ones: neither finite nor infinite, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from typing import Protocol

from novikoff.errors import InputError
from novikoff.search.clock import Clock, OutOfTimeError
from novikoff.verdicts.numerals import about
from novikoff.wording import count, keyword

MOST_TERMS = 6  # of a relation in words
Say = Callable[[int, dict[str, Fraction] | None], str | None]  # None: not worked out yet


class Depending(Protocol):
    """Columns, by place, that depend on earlier ones; each one's relation, now or when asked."""

    columns: list[int]
    offset: int

    def is_known(self, j: int, /) -> bool: ...
    def relation(self, j: int, /) -> dict[int, Fraction]: ...


class Collinear(Mapping[str, dict[str, Fraction]]):
    """For each column that depends on earlier ones: these, and how many times each.

    {'const': {'(intercept)': Fraction(3)}} says that the column 'const' is 3 on every row. A
    column that is zero on every row has an empty dict. Relations are exact; where there are
    more columns than rows they are worked out when they are asked for.
    """

    def __init__(self, found: Depending, name_of: Callable[[int], str], say: Say | None = None):
        """`say` has words of its own for some dependences, by the place of the column."""
        self._found, self._name_of, self._say = found, name_of, say
        self._places = {name_of(j): j for j in found.columns}

    def __getitem__(self, name: str) -> dict[str, Fraction]:
        relation = self._found.relation(self._places[name])
        return {self._name_of(j): share for j, share in relation.items()}

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    @property
    def places(self) -> list[int]:
        """The columns by their place in X."""
        return list(self._found.columns)

    def why(self, name: str) -> str | None:
        """How this column depends on others, in words; None where that is not worked out yet."""
        place = self._places[name]
        relation = self[name] if self._found.is_known(place) else None
        own = None if self._say is None else self._say(place, relation)
        if own is not None or relation is None:
            return own
        offset = self._name_of(self._found.offset)
        if not relation:
            return f"column {name!r} is zero on every row"
        if list(relation) == [offset]:
            return f"column {name!r} is constant, the offset already has it"
        if list(relation.values()) == [1]:
            return f"column {name!r} is the same as {next(iter(relation))!r}"
        return f"column {name!r} is {combination(relation, offset)}"

    def to_dict(self) -> dict[str, dict[str, str] | None]:
        """The relations that are known, as text that JSON can hold; None for the others."""
        known = {name: self._found.is_known(place) for name, place in self._places.items()}
        return {
            name: {other: _exact(share) for other, share in self[name].items()}
            if is_known
            else None
            for name, is_known in known.items()
        }

    def __repr__(self) -> str:
        return f"<Collinear: {', '.join(map(repr, self)) or 'no column'}>"


@contextmanager
def collinear_in_time(n_columns: int, time_limit: float | None) -> Iterator[Clock]:
    """A clock for the search for collinear columns; InputError where it runs out."""
    try:
        yield Clock(time_limit)
    except OutOfTimeError:
        raise InputError(
            f"{count(n_columns, 'column')} are too many to find the collinear ones in "
            f"{time_limit:g} s; give a longer {keyword('time_limit')}."
        ) from None


def combination(relation: dict[str, Fraction], offset: str | None) -> str:
    """1 - 'a' + 2·'b', shortened where it is long; `offset` names the constant, if there is one."""
    text = ""
    for name, share in list(relation.items())[:MOST_TERMS]:
        size = "" if abs(share) == 1 and name != offset else _short(abs(share))
        term = size if name == offset else f"{size}{'·' * bool(size)}{name!r}"
        text += f" {'-' if share < 0 else '+'} {term}" if text else f"{'-' * (share < 0)}{term}"
    return text + f" … ({len(relation)} terms)" * (len(relation) > MOST_TERMS)


def _short(share: Fraction) -> str:
    """A fraction in full where that is short, else in six figures, also beyond the floats."""
    if max(share.numerator.bit_length(), share.denominator.bit_length()) < 36:
        return str(share)
    return about(share)


def _exact(share: Fraction) -> str:
    """p or p/q, of any length: Python's own integers stop at 4300 digits."""
    from flint import fmpq

    return str(fmpq(share.numerator, share.denominator))
