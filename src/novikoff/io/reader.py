"""What the readers of all formats have in common.

A reader gives blocks of rows, learns from all blocks what one alone does not show (the survey), and
makes X and y of them. It also says which rows it gives, so that a cache of them is known again:
labels are kept as they are written, and what is found out about a file is compared, not what was
said. What only a survey finds may be given beforehand instead, as a model or a proof does; it is
then compared with what the survey found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields
from typing import Any

import numpy as np

from novikoff.errors import ParameterError
from novikoff.io.data import Data
from novikoff.io.labels import Coded
from novikoff.io.options import BESIDE_ROWS, Options
from novikoff.io.sources import Source
from novikoff.wording import keyword

_OF_TEXTS = ("levels",)  # options that change rows only where there are columns of text


class Reader:
    """Files of one format. A subclass gives `blocks` and `finish`, and, if needed, a survey."""

    surveyed: tuple[str, ...] = ()  # options that give beforehand what a survey finds

    def __init__(self, sources: list[Source], options: Options) -> None:
        self.sources = sources
        self.options = options
        self.format = options.format or ""
        self.source = sources[0].name if len(sources) == 1 else f"{len(sources)} files"

    @property
    def needs_survey(self) -> bool:
        """Whether `finish` can be called on a block only after all were surveyed."""
        return False

    def blocks(self) -> Iterator[Any]:
        """One pass over the files."""
        raise NotImplementedError

    def survey(self, blocks: Iterable[Any]) -> None:
        """Learn from blocks what one alone does not show."""

    def finish(self, blocks: list[Any]) -> Data:
        """The blocks' rows as X and y; the list is emptied."""
        raise NotImplementedError

    def check_room(self) -> None:
        """Raise where the files say beforehand that all rows together have no room in memory."""

    def written_labels(self, block: Any) -> Coded | np.ndarray | None:
        """The labels of a block before anything is made of them."""
        labels: Coded | np.ndarray | None = block.labels
        return labels

    def notes_of(self, kept: Data) -> tuple[str, ...]:
        """What is to be said of rows that were kept by another reader of this identity."""
        return kept.notes

    def identity(self) -> dict[str, Any]:
        """What decides the rows, but for what a survey finds. Plain JSON."""
        named = self.options.key()
        return {name: value for name, value in named.items()
                if name not in (*BESIDE_ROWS, *_OF_TEXTS, *self.surveyed)}  # fmt: skip

    def given_beforehand(self) -> dict[str, Any]:
        """Of what a survey finds, what was given."""
        defaults = {option.name: option.default for option in fields(Options)}
        given = {name: getattr(self.options, name) for name in self.surveyed}
        return {name: value for name, value in given.items() if value != defaults[name]}

    def fits(self, kept: Data) -> bool:
        """Whether rows of this identity are those of which something was given beforehand."""
        given = self.given_beforehand()
        given.pop("unseen", None)
        return given.items() <= kept.reading.items()

    def check_no_label(self, what: str) -> None:
        """Raise if a label column is named in a format whose rows begin with their labels."""
        if self.options.label not in (None, False):
            raise ParameterError(
                f"{self.source} is {what}, where every row begins with its label; leave "
                f"{keyword('label')} out."
            )
