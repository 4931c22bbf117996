"""Which regression a proof speaks of, and what its response columns are called and may hold.

The table of such a proof is the design table with the response columns after it. Labels are there
as numbers: classes, sets, strata and players are counted from 0.

    logistic        y: 0 or 1. Probit, complementary log-log and cauchit have the same rows
    binomial        successes, trials: 0 <= successes <= trials, trials > 0
    poisson         y >= 0. Negative binomial with a given dispersion has the same rows
    multinomial     class
    ordinal         class, from the lowest to the highest
    conditional     case: 0 or 1, and set
    cox             time, event: 0 or 1, and maybe entry (at risk after it) and stratum
    bradley-terry   winner, loser, and result: 1 where the winner won, or 0 < result < 1 where both
                    won a share (a draw, or contests counted together)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from novikoff.certificates.fields import read_fields
from novikoff.errors import CertificateError
from novikoff.inputs import Table

RESPONSES: dict[str, tuple[str, ...]] = {
    "logistic": ("y",),
    "binomial": ("successes", "trials"),
    "poisson": ("y",),
    "multinomial": ("class",),
    "ordinal": ("class",),
    "conditional": ("case", "set"),
    "cox": ("time", "event"),
    "bradley-terry": ("winner", "loser", "result"),
}
MAY_HAVE = {"cox": ("entry", "stratum")}  # in this order, after the others
WITH_CONSTANT = ("logistic", "binomial", "poisson", "multinomial")
WITH_CLASSES = ("multinomial", "ordinal", "bradley-terry")
WITH_REFERENCE = ("multinomial", "bradley-terry")
MOST_CLASSES = 1_000_000  # or players
_FIELDS = "name:text response:*text classes:count reference:count ties:text"
TIES = ("breslow", "exact")  # Efron's ties have the rows of Breslow's


@dataclass(frozen=True)
class Model:
    """A model and its shape.

    response : the names of the response columns, in the order in which they stand
    constant : whether every row has a 1 after its columns
    classes : how many classes, or players, there are; 0 where the model has none
    reference : the class or player whose coefficients are 0
    ties : of cox, how tied events are compared
    """

    name: str
    response: tuple[str, ...]
    constant: bool = False
    classes: int = 0
    reference: int = 0
    ties: str = "breslow"

    def __post_init__(self) -> None:
        if self.name not in RESPONSES:
            raise CertificateError(f"{self.name!r} is not a model that a proof can speak of.")
        needed = RESPONSES[self.name]
        more = [name for name in MAY_HAVE.get(self.name, ()) if name in self.response]
        if self.response != (*needed, *more):
            raise CertificateError(
                f"the response columns of a {self.name} model are {', '.join(needed)}, "
                f"not {', '.join(self.response)}."
            )
        if self.constant and self.name not in WITH_CONSTANT:
            raise CertificateError(f"a {self.name} model has no constant.")
        least = 1 if self.name in WITH_CLASSES else 0
        most = MOST_CLASSES if self.name in WITH_CLASSES else 0
        if type(self.classes) is not int or not least <= self.classes <= most:
            raise CertificateError(f"a {self.name} model cannot have {self.classes!r} classes.")
        last = self.classes - 1 if self.name in WITH_REFERENCE else 0
        if type(self.reference) is not int or not 0 <= self.reference <= last:
            raise CertificateError(f"the reference of the model is {self.reference!r}.")
        if self.ties not in TIES or (self.name != "cox" and self.ties != "breslow"):
            raise CertificateError(f"a {self.name} model has no ties of kind {self.ties!r}.")

    @property
    def has_offset(self) -> bool:
        """Whether a comparison has a 1 after its columns; a multinomial one has many constants."""
        return self.constant and self.name != "multinomial"

    def to_dict(self) -> dict[str, Any]:
        """The model as plain JSON, but for its constant, which is the offset of the proof."""
        return {
            "name": self.name,
            "response": list(self.response),
            "classes": self.classes,
            "reference": self.reference,
            "ties": self.ties,
        }

    @classmethod
    def from_dict(cls, fields: Any, constant: bool) -> Model:
        """What to_dict made; CertificateError where it is anything else."""
        found = read_fields(fields, _FIELDS, "the model of a proof")
        return cls(**{**found, "response": tuple(found["response"])}, constant=constant)

    def check_response(self, columns: dict[str, list[Any]]) -> None:
        """Raise unless these response columns, of exact numbers, are such as the model has."""
        used = {value for name in ("class", "winner", "loser") for value in columns.get(name, ())}
        for name, values in columns.items():
            for row, value in enumerate(values):
                if not self._may_have(name, value):
                    self._refuse(f"row {row} has {value} as its {name}")
        if self.name in WITH_REFERENCE and len(used) < self.classes:
            self._refuse(f"the rows have {len(used)} of the {self.classes} classes")
        for row, parts in enumerate(zip(*columns.values(), strict=True)):
            given = dict(zip(columns, parts, strict=True))
            if self.name == "binomial" and given["successes"] > given["trials"]:
                self._refuse(f"row {row} has more successes than trials")
            if self.name == "bradley-terry" and given["winner"] == given["loser"]:
                self._refuse(f"row {row} has one player on both sides")
            if "entry" in given and given["entry"] >= given["time"]:
                self._refuse(f"row {row} has an entry that is not before its time")

    def _may_have(self, name: str, value: Any) -> bool:
        if name in ("event", "case") or self.name == "logistic":
            return value in (0, 1)
        if name in ("class", "winner", "loser"):
            return bool(value == int(value) and 0 <= value < self.classes)
        if name in ("set", "stratum"):
            return bool(value == int(value) and value >= 0)
        if name in ("trials", "result"):
            return bool(value > 0 and (name == "trials" or value <= 1))
        return bool(name in ("time", "entry") or value >= 0)

    def _refuse(self, why: str) -> NoReturn:
        raise CertificateError(f"{why}, which a {self.name} model cannot have.")


def parted(table: Table, model: Model) -> tuple[Table | None, dict[str, list[Any]]]:
    """The design table, None where it has no columns, and the response columns by name."""
    width = table.n_columns - len(model.response)
    if width < 0:
        raise CertificateError(
            f"the data has {table.n_columns} columns; the response of the model alone needs "
            f"{len(model.response)}."
        )
    response: dict[str, list[Any]] = {}
    for j, name in enumerate(model.response, width):
        if table.exact is not None:
            response[name] = table.exact[:, j].tolist()
        else:
            column = table.matrix[:, [j]]
            values = column if isinstance(column, np.ndarray) else column.toarray()
            response[name] = values.ravel().astype(np.float64).tolist()
    if width == 0:
        return None, response
    exact = None if table.exact is None else table.exact[:, :width]
    matrix = table.matrix[:, :width]
    if isinstance(matrix, np.ndarray):
        matrix = np.ascontiguousarray(matrix)
    if exact is not None and all(
        value == rounded for value, rounded in zip(exact.flat, matrix.flat, strict=True)
    ):
        exact = None
    return Table(matrix, None, table.numbers, exact), response
