"""The answers for more than two classes, by class or by pair of classes, with a table."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from novikoff.verdicts.against import ByClasses
from novikoff.verdicts.verdict import MOST_SEPARATED, Verdict

if TYPE_CHECKING:
    from novikoff.verdicts.fewest_answer import FewestMistakes  # noqa: F401 - named in a string


class ClassVerdicts(ByClasses[Verdict]):
    """A mapping from a class, or from a pair of classes, to its verdict.

    `selected[key]` are the rows of X that the verdict speaks of: all rows against the rest, the
    rows of the two classes for a pair. A verdict and its certificate count rows within
    X[selected[key]]; `rows(key)` gives the few rows that rule out a strict separator by their
    number in X.
    """

    called = "verdicts"

    @property
    def verdicts(self) -> dict[Any, Verdict]:
        return self.answers

    def separated(self, key: Any) -> np.ndarray | None:
        """The rows that are predicted perfectly, by number as in `rows`; None where not known."""
        found = self.verdicts[key].separated_places()
        if found is None:
            return None
        return self._numbers(key, found)

    def _own_entries(self, key: Any) -> dict[str, Any]:
        found = self.separated(key)
        is_long = found is None or len(found) > MOST_SEPARATED
        return {"separated": None if is_long or found is None else found.tolist()}

    def _table(self) -> tuple[list[str], list[list[str]]]:
        headers = [self._head, "rows", "status", "few rows", "seconds"]
        entries = [
            [
                self._name(key),
                str(verdict.n_rows),
                verdict.status,
                str(len(verdict.known_rows) or ""),
                f"{verdict.seconds:.2f}",
            ]
            for key, verdict in self.verdicts.items()
        ]
        return headers, entries

    def __str__(self) -> str:
        counts = Counter(verdict.status for verdict in self.verdicts.values())
        total = ", ".join(f"{count} {status}" for status, count in counts.most_common())
        return f"{super().__str__()}\n\n{total}"


class ClassMistakes(ByClasses["FewestMistakes"]):
    """A mapping from a class, or from a pair of classes, to its fewest mistakes.

    `selected[key]` are the rows of X that the answer speaks of, and counts its rows within.
    """

    called = "answers"

    def _table(self) -> tuple[list[str], list[list[str]]]:
        entries = [
            [
                self._name(key),
                str(few.n_rows),
                str(few.lower),
                str(few.upper),
                "yes" if few.optimal else "no",
                f"{few.seconds:.2f}",
            ]
            for key, few in self.answers.items()
        ]
        return [self._head, "rows", "at least", "at most", "optimal", "seconds"], entries
