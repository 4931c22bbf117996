"""One inequality of an audit, and whether it holds along the run."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Check:
    """One inequality along the run.

    `holds` is None where it could not be checked, and `note` says why. `slack` is right side
    minus left side where that is smallest over k >= 1 (infinite without a mistake), and
    `first_failure` the first k at which it is violated.
    """

    name: str
    formula: str
    holds: bool | None
    slack: float | None = None
    first_failure: int | None = None
    note: str = ""
