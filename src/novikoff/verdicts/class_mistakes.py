"""ClassMistakes: the fewest mistakes of more than two classes, with a table."""

from __future__ import annotations

from novikoff.verdicts.against import ByClasses
from novikoff.verdicts.fewest_answer import FewestMistakes


class ClassMistakes(ByClasses[FewestMistakes]):
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
