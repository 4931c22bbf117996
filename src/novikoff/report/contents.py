"""What a page shows of one kind of answer, beside what it shows of all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from novikoff.certificates import Stamp
from novikoff.report.data import Pairs
from novikoff.report.markup import Markup


@dataclass(frozen=True)
class Contents:
    """
    heading : where the data has no name
    status, grade : the word beside the heading, and its colour
    sections : between the sentence and the proof
    data : facts about the data
    stamp : what identifies the data
    stages : seconds by stage of the search, where they are known
    """

    heading: str
    status: str
    grade: Literal["good", "bad", "maybe"]
    sections: list[Markup]
    data: Pairs
    stamp: Stamp
    stages: dict[str, float] | None = None
