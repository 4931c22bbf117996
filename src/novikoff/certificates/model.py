"""Which regression a proof speaks of, and what its response columns are called and may hold.

The table of such a proof is the design table with the response columns after it. Labels are there
as numbers: classes, sets, strata and players are counted from 0. Probit, complementary log-log and
cauchit have the rows of logistic, and negative binomial with a given dispersion those of poisson.
Of binomial, successes <= trials, and trials > 0. Of cox, subjects are at risk after their entry. Of
bradley-terry, the result is 1 where the winner won, or 0 < result < 1 where both won a share: a
draw, or contests counted together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn

from novikoff.certificates.fields import read_fields, write_fields
from novikoff.errors import CertificateError
from novikoff.inputs import Table

# The response columns of each model with what they hold (a bit; a class, from 0; a code, from 0; an
# amount, from 0; any number), those that it may lack with ?; and which fields of Model it has.
MODELS: dict[str, tuple[str, str]] = {
    "logistic": ("y:bit", "constant"),
    "binomial": ("successes:amount trials:amount", "constant"),
    "poisson": ("y:amount", "constant"),
    "multinomial": ("class:class", "constant classes reference"),
    "ordinal": ("class:class", "classes"),
    "conditional": ("case:bit set:code", ""),
    "cox": ("time:any event:bit entry?:any stratum?:code", "ties"),
    "bradley-terry": ("winner:class loser:class result:amount", "classes reference"),
}
RESPONSES: dict[str, tuple[str, ...]] = {
    name: tuple(column.split(":")[0] for column in columns.split() if "?" not in column)
    for name, (columns, _) in MODELS.items()
}
WITH_CONSTANT, WITH_CLASSES = (
    tuple(name for name, (_, has) in MODELS.items() if part in has.split())
    for part in ("constant", "classes")
)
MOST_CLASSES = 1_000_000  # or players
_FIELDS = "name:text response:*text classes:count reference:count ties:breslow|exact"


@dataclass(frozen=True)
class Model:
    """A model and its shape.

    response : the names of the response columns, in the order in which they stand
    constant : whether every row has a 1 after its columns
    classes : how many classes, or players, there are; 0 where the model has none
    reference : the class or player whose coefficients are 0
    ties : of cox, how tied events are compared: "exact", or "breslow", whose rows are Efron's too
    """

    name: str
    response: tuple[str, ...]
    constant: bool = False
    classes: int = 0
    reference: int = 0
    ties: str = "breslow"

    def __post_init__(self) -> None:
        if self.name not in MODELS:
            raise CertificateError(f"{self.name!r} is not a model that a proof can speak of.")
        if self.response != tuple(self._kinds()):
            raise CertificateError(
                f"the response columns of a {self.name} model are {', '.join(self._kinds())}, "
                f"not {', '.join(self.response)}."
            )
        has = MODELS[self.name][1].split()
        least, most = (1, MOST_CLASSES) if "classes" in has else (0, 0)
        last = self.classes - 1 if "reference" in has else 0
        if self.constant and "constant" not in has:
            raise CertificateError(f"a {self.name} model has no constant.")
        if type(self.classes) is not int or not least <= self.classes <= most:
            raise CertificateError(f"a {self.name} model cannot have {self.classes!r} classes.")
        if type(self.reference) is not int or not 0 <= self.reference <= last:
            raise CertificateError(f"the reference of the model is {self.reference!r}.")
        if self.ties not in (("breslow", "exact") if "ties" in has else ("breslow",)):
            raise CertificateError(f"a {self.name} model has no ties of kind {self.ties!r}.")

    def _kinds(self) -> dict[str, str]:
        """What each of its response columns holds, in their order."""
        pairs = (column.split(":") for column in MODELS[self.name][0].split())
        return {name.rstrip("?"): kind for name, kind in pairs
                if name[-1] != "?" or name[:-1] in self.response}  # fmt: skip

    @property
    def has_offset(self) -> bool:
        """Whether a comparison has a 1 after its columns; a multinomial one has many constants."""
        return self.constant and self.name != "multinomial"

    def to_dict(self) -> dict[str, Any]:
        """The model as plain JSON, but for its constant, which is the offset of the proof."""
        return write_fields(vars(self), _FIELDS)

    @classmethod
    def from_dict(cls, fields: Any, constant: bool) -> Model:
        """What to_dict made; CertificateError where it is anything else."""
        found = read_fields(fields, _FIELDS, "the model of a proof")
        return cls(**{**found, "response": tuple(found["response"])}, constant=constant)

    def check_response(self, columns: dict[str, list[Any]]) -> None:
        """Raise unless these response columns, of exact numbers, are such as the model has."""
        most, used = {"bit": 1, "class": self.classes - 1}, set[Any]()
        for name, kind in self._kinds().items():
            for row, value in enumerate(columns[name]):
                is_fit = 0 <= value <= most.get(kind, value) and (
                    kind == "amount" or value % 1 == 0
                )
                if not is_fit and kind != "any":
                    self._refuse(f"row {row} has {value} as its {name}")
            if kind == "class":
                used.update(columns[name])
        if self.name != "ordinal" and len(used) < self.classes:
            self._refuse(f"the rows have {len(used)} of the {self.classes} classes")
        for row, parts in enumerate(zip(*columns.values(), strict=True)):
            given = dict(zip(columns, parts, strict=True))
            if self.name == "binomial" and not given["successes"] <= given["trials"] > 0:
                self._refuse(f"row {row} has more successes than trials, or no trials")
            if self.name == "bradley-terry" and given["winner"] == given["loser"]:
                self._refuse(f"row {row} has one player on both sides")
            if self.name == "bradley-terry" and not 0 < given["result"] <= 1:
                self._refuse(f"row {row} has {given['result']} as its result")
            if "entry" in given and given["entry"] >= given["time"]:
                self._refuse(f"row {row} has an entry that is not before its time")

    def _refuse(self, why: str) -> NoReturn:
        raise CertificateError(f"{why}, which a {self.name} model cannot have.")


def parted(table: Table, model: Model) -> tuple[Table | None, dict[str, list[Any]]]:
    """The design table, None where it has no columns, and the response columns by name."""
    width = table.n_columns - len(model.response)
    response: dict[str, list[Any]] = {}
    for j, name in enumerate(model.response, width):
        column = table.take_columns([j])
        cells = column.dense_rows(slice(None)) if column.exact is None else column.exact
        response[name] = cells.ravel().tolist()
    return (table.take_columns(range(width)) if width else None), response
