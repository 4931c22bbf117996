"""The columns of a table: their names, which is the label, and what each holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from novikoff.errors import FileError
from novikoff.io.fields import shown
from novikoff.io.options import Options
from novikoff.loops.csv import AS_NUMBER, AS_TEXT, SKIPPED

Column = str | int


@dataclass(frozen=True, eq=False)
class Layout:
    """The columns in the order of the file."""

    names: tuple[str, ...]  # x1, x2, … where the file has none
    named: bool
    label: int | None
    kinds: tuple[int, ...]  # AS_NUMBER, AS_TEXT or SKIPPED; a label is AS_TEXT
    chosen: frozenset[int]  # to be encoded, whatever they hold
    features: tuple[int, ...]  # the columns that X is made of, in its order

    @cached_property
    def numbers(self) -> list[int]:
        """Features that hold numbers, in the order of the file."""
        return [c for c in sorted(self.features) if self.kinds[c] == AS_NUMBER]

    @cached_property
    def texts(self) -> list[int]:
        """Features that hold text, in the order of the file."""
        return [c for c in sorted(self.features) if self.kinds[c] == AS_TEXT]

    @property
    def columns(self) -> list[str]:
        """The features as `columns=` takes them: names, or numbers from 1 where there are none."""
        return [self.names[c] if self.named else str(c + 1) for c in self.features]

    @property
    def label_name(self) -> str | None:
        if self.label is None:
            return None
        return self.names[self.label] if self.named else str(self.label + 1)

    def quoted(self, c: int) -> str:
        """The column as a message names it."""
        return repr(self.names[c]) if self.named else str(c + 1)


def find_column(wanted: Column, names: Sequence[str], named: bool, source: str) -> int:
    """The place of a column that is given by its name, or by its number from 1."""
    if named and wanted in names:
        return list(names).index(str(wanted))
    if (isinstance(wanted, int) or wanted.isdecimal()) and 1 <= int(wanted) <= len(names):
        return int(wanted) - 1
    listed = ", ".join(shown(name) for name in names[:8]) + (", …" if len(names) > 8 else "")
    known = (
        f"its first line is {listed}. Give one of those names, or a column number from 1."
        if named
        else f"give a column number from 1 to {len(names)}."
    )
    raise FileError(f"{source} has no column {wanted!r}; {known}")


def make_layout(
    header: Sequence[str] | None, kinds: Sequence[int], options: Options, source: str
) -> Layout:
    """The layout of columns that hold `kinds`, under the names in `header` if there are any."""
    width = len(kinds)
    named = header is not None
    names = tuple(header or ())
    names = tuple(names[c] if named and names[c] else f"x{c + 1}" for c in range(width))
    if named and len(set(names)) < width:
        twice = next(name for name, times in Counter(names).items() if times > 1)
        raise FileError(f"{source} has two columns named {shown(twice)}; rename one of them.")
    label = None
    if options.label is not False:
        label = width - 1
        if options.label is not None:
            label = find_column(options.label, names, named, source)
    dropped = {find_column(wanted, names, named, source) for wanted in options.drop}
    features = _features(options, names, named, label, source)
    dropped |= set(range(width)) - set(features) - {label}
    chosen = {find_column(wanted, names, named, source) for wanted in options.categorical}
    chosen |= {find_column(name, names, True, source) for name in options.encoding or ()}
    if label in dropped | chosen:
        raise FileError(f"{source}: the label column cannot be dropped or encoded as well.")
    made = [
        AS_TEXT if c == label or c in chosen else SKIPPED if c in dropped else kinds[c]
        for c in range(width)
    ]
    kept = tuple(c for c in features if made[c] != SKIPPED)
    layout = Layout(names, named, label, tuple(made), frozenset(chosen), kept)
    if not layout.features:
        raise FileError(
            f"{source} has {width} column{'s' * (width != 1)}; it needs a label column and at "
            "least one column of numbers (label=False reads rows without labels)."
        )
    if options.encoding is not None:
        for c in layout.texts:
            if names[c] not in options.encoding:
                raise FileError(
                    f"{source}: column {layout.quoted(c)} holds text and is not in the encoding; "
                    "leave it out with drop=."
                )
    return layout


def _features(
    options: Options, names: Sequence[str], named: bool, label: int | None, source: str
) -> list[int]:
    """The places of the columns that X is to be made of."""
    if options.columns is None or (not named and len(options.columns) == len(names)):
        return [c for c in range(len(names)) if c != label]
    for wanted in options.columns if named else ():
        if wanted not in names and not str(wanted).isdecimal():
            raise FileError(f"{source} lacks the column {wanted!r}, which is needed.")
    found = [find_column(wanted, names, named, source) for wanted in options.columns]
    if label in found:
        raise FileError(f"{source}: the label column cannot be one of columns= as well.")
    if len(set(found)) < len(found):
        raise FileError(f"{source}: columns= names a column twice.")
    return found
