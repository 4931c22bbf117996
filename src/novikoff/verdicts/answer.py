"""Answer: what `Verdict`, `RegressionVerdict` and `FewestMistakes` say in the same way.

Each says what is true in a sentence, and everything else in facts: a name and a text each. Both are
printed, shown in a notebook, and written on a page of HTML; `to_dict` has the same for JSON.
"""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from novikoff.certificates import Reading
from novikoff.errors import NoTruthValue
from novikoff.hooks import hook
from novikoff.inputs.table import CHANGED
from novikoff.verdicts.collinear import Collinear
from novikoff.wording import facts_html, facts_text, label_fact, plural

MOST_LISTED = 20  # names or numbers of a line
MOST_RUNS = 200  # of row numbers that follow each other
WRITTEN = ("csv", "tsv", "svmlight", "vw")  # formats of text, whose numbers are decimals
SIGNS = {"+": "+∞", "-": "-∞", "either": "±∞", "infinite": "∞ of unknown sign"}

CONSTANT = "(intercept)"

Facts = list[tuple[str, str]]


class Answer(NoTruthValue):
    """What is true of the data, exactly, with its proof; in words, on a page, and as JSON."""

    certificate: Any
    seconds: float
    names_methods = True  # whether it says in words which methods decided it

    if TYPE_CHECKING:  # fields or properties: at run time a property here would be a default

        @property
        def how(self) -> tuple[str, ...]: ...
        @property
        def numbers(self) -> str: ...
        @property
        def reading(self) -> Reading | None: ...

    @abstractmethod
    def sentence(self) -> str:
        """What is true, in a sentence or two that a paper can quote."""

    @abstractmethod
    def _own_facts(self) -> Facts:
        """The facts that only this kind of answer has."""

    @property
    @abstractmethod
    def _proof(self) -> str:
        """What the certificate is, in words."""

    @property
    @abstractmethod
    def notes(self) -> tuple[str, ...]:
        """What was encoded, left out, rounded or found on the way, in words."""

    @property
    def has_changed(self) -> bool:
        """Whether X was changed in place, so that nothing more can be asked of its rows."""
        return False

    @property
    def has_index(self) -> bool:
        """Whether the rows have names: those of a DataFrame's index."""
        raise NotImplementedError

    @property
    def label(self) -> str | None:
        """What the label column is called, where X was read from a file."""
        return None if self.reading is None else self.reading.label

    def number(self, place: int) -> int:
        """The number, from 0, of a row of X in the file that X was read from."""
        return place if self.reading is None else self.reading.number(place)

    @property
    def exact_for(self) -> str:
        """'exact for the decimal numbers as given', or which numbers else are meant."""
        return f"exact for the {numbers_in_words(self.numbers, self.reading)}"

    # Words, pictures, pages

    def facts(self) -> Facts:
        """Name and text of everything else that is worth a line."""
        if self.has_changed:
            return [("changed", CHANGED)]
        facts = [*label_fact(self.reading), *self._own_facts()]
        facts += [("notes", "; ".join(self.notes))] * bool(self.notes)
        if self.certificate is not None:
            facts.append(("proof", f"{self._proof}, checked exactly"))
        return [*facts, self._ended()]

    def _ended(self) -> tuple[str, str]:
        """What ended the search, after how many seconds, and the methods that it needed."""
        how = f" by {', then '.join(self.how)}" if self.how and self.names_methods else ""
        ended = "tried" if self.certificate is None else "decided"
        return ended, f"in {self.seconds:.3g} s{how}"

    def __str__(self) -> str:
        return facts_text(self.sentence(), self.facts())

    def _repr_html_(self) -> str:
        return facts_html(self.sentence(), self.facts())

    @abstractmethod
    def check_rows(self, what: str) -> None:
        """InputError where `what` can no longer be asked of the rows."""

    def report(
        self,
        path: str | os.PathLike[str],
        source: str | None = None,
        proof: str | None = None,
        rows: str | None = None,
    ) -> None:
        """Write one HTML file with the answer, pictures, tables and proof (needs matplotlib).

        `source` is what the data is called, such as its file; `proof` and `rows` are the files
        that the proof and its rows were written to, for the commands that check them.
        """
        self.check_rows("what a report shows")
        hook("report")(self, path, source, proof, rows)

    def _common(self) -> dict[str, Any]:
        """What `to_dict` has of every answer."""
        return {
            "label": self.label,
            "numbers": self.numbers,
            "certificate": None if self.certificate is None else self.certificate.kind,
            "notes": list(self.notes),
            "how": list(self.how),
            "seconds": self.seconds,
        }


def unlike_others(name: str, others: Collection[str]) -> str:
    """The name, in as many more brackets as it takes to be no other."""
    while name in others:
        name = f"({name})"
    return name


def numbers_in_words(numbers: str, reading: Reading | None) -> str:
    """Which numbers are meant: those given, or the nearest floats to those of a file."""
    if numbers != "binary64" or reading is None:
        return f"{numbers} numbers as given"
    options = reading.options
    if options.get("numbers") == "binary64" or options.get("format") in WRITTEN:
        return "binary64 numbers nearest to those of the file"
    return f"{numbers} numbers as given"


def listed(values: Any, most: int = MOST_LISTED, total: int | None = None) -> str:
    """The first of these, and how many there are in all where that is more."""
    total = len(values) if total is None else total
    return ", ".join(map(str, values[:most])) + f", … ({total} in all)" * (total > most)


def row_facts(rows: Any, text: str, names: Sequence[Any] | None) -> Facts:
    """Rows by number, and by what an index calls them, where there is one."""
    facts = [("rows", f"{listed(rows)}, counted from 0{text}")] if len(rows) else []
    if facts and names is not None:
        facts.append(("index", f"{listed(names)}, the same rows by name"))
    return facts


def signed_names(infinite: Mapping[str, str]) -> list[str]:
    """'NV (+∞)' for each coefficient that is known to be infinite."""
    return [f"{name} ({SIGNS[word]})" for name, word in infinite.items() if word in SIGNS]


def runs_of(numbers: Sequence[int]) -> str:
    """Ascending numbers with their runs as '3-7': all of them, while that is not too long."""
    starts = [k for k, n in enumerate(numbers) if k == 0 or n != numbers[k - 1] + 1]
    parts = []
    for start, end in zip(starts, [*starts[1:], len(numbers)], strict=True):
        first, last = numbers[start], numbers[end - 1]
        between = ", " if last == first + 1 else "-"
        parts.append(str(first) if first == last else f"{first}{between}{last}")
    few = ", ".join(parts[:MOST_RUNS])
    return f"{few}, … ({len(numbers)} in all)" if len(parts) > MOST_RUNS else few


def collinear_text(collinear: Collinear) -> str:
    """The columns whose coefficients are not determined, and why."""
    names = list(collinear)
    why = {name: collinear.why(name) for name in names[:MOST_LISTED]}
    parts = list(dict.fromkeys(text for text in why.values() if text is not None))
    if unknown := [repr(name) for name, text in why.items() if text is None]:
        n = len(unknown)
        parts.append(f"{plural(n, 'column')} {', '.join(unknown)} {plural(n, 'depends', 'depend')} "
                     f"on columns before {plural(n, 'it', 'them')}")  # fmt: skip
    more = f"; … ({len(names)} in all)" * (len(names) > MOST_LISTED)
    its = f"the coefficient of {names[0]!r} is" if len(names) == 1 else "their coefficients are"
    return f"{'; '.join(parts)}{more}: {its} not determined"
