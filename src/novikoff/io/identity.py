"""Which rows a reader gives, so that a cache of them is known again.

Two ways to ask for the same rows have one cache: labels are kept as they are written, whatever
takes them, and what is found out about a file is compared, not what was said. What only a survey
of all rows finds may be said beforehand instead, as a model or a proof does; it is then compared
with what the survey found.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from novikoff.io.data import Data
from novikoff.io.labels import Coded
from novikoff.io.layout import Layout
from novikoff.io.options import Options

OF_LABELS = ("labels", "positive")  # options that take them, and do not change the rows
OF_TEXTS = ("levels",)  # options that change rows only where there are columns of text


class Identified:
    """A reader whose rows are decided by all that was said; others know better."""

    format: str
    options: Options
    surveyed: tuple[str, ...] = ()  # options that say what else a survey finds

    def identity(self) -> dict[str, Any]:
        """What decides the rows, but for what a survey finds. Plain JSON."""
        said = self.options.key()
        for name in (*OF_LABELS, *OF_TEXTS, *self.surveyed):
            said.pop(name)
        return {**said, "format": self.format}

    def given_beforehand(self) -> dict[str, Any]:
        """Of what a survey finds, what was given."""
        return {}

    def fits(self, kept: Data) -> bool:
        """Whether rows of this identity are those of which something was said beforehand."""
        return self.given_beforehand().items() <= kept.reading.items()

    def written_labels(self, block: Any) -> Coded | np.ndarray | None:
        """The labels of a block before anything is made of them."""
        labels: np.ndarray | None = block.labels
        return labels

    def check_room(self) -> None:
        """Raise where all rows together have no room; most files do not say how many there are."""

    def notes_of(self, kept: Data) -> tuple[str, ...]:
        """What is to be said of rows that were kept by another reader of this identity."""
        return kept.notes


class IdentifiedTable(Identified):
    """A reader of tables, whose columns are known before the first block."""

    layout: Layout
    facts: dict[str, Any]

    @property
    def guessed(self) -> list[int]:
        """The text columns that nobody named as such."""
        return [c for c in self.layout.texts if c not in self.layout.chosen]

    def identity(self) -> dict[str, Any]:
        """What was found out about the columns, whatever was said of them."""
        layout = self.layout
        return {
            "format": self.format,
            **self.facts,
            "columns": layout.columns,
            "texts": [layout.wanted(c) for c in layout.texts],
            "label": layout.label_name,
            "missing": self.options.missing,
            "classes": self.options.key()["classes"],
            "levels": self.options.levels if layout.texts else "all",
        }

    def given_beforehand(self) -> dict[str, Any]:
        """Of what a survey finds, what was given."""
        if self.options.encoding is None:
            return {}
        return {"encoding": self.options.encoding, "unseen": self.options.unseen}

    def fits(self, kept: Data) -> bool:
        """Whether they have the levels that were given, if any were."""
        given = self.options.encoding
        return given is None or dict(kept.encoding) == dict(given)
