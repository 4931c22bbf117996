"""The columns of a table: their names, which is the label, and what each holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from novikoff.errors import FileError
from novikoff.io.fields import shown
from novikoff.io.options import Options
from novikoff.io.text.columns import (
    has_no_name,
    is_called_a_label,
    rises,
    tells_rows_apart,
    which_row,
)
from novikoff.io.text.header import names_of, quoted_name
from novikoff.wording import count, keyword, plural

Column = str | int
AS_NUMBER, AS_TEXT, SKIPPED = 0, 1, 2  # what a column is taken for


@dataclass(frozen=True, eq=False)
class Layout:
    """The columns in the order of the file."""

    names: tuple[str, ...]  # x1, x2, … where the file has none
    named: bool
    label: int | None
    kinds: tuple[int, ...]  # AS_NUMBER, AS_TEXT or SKIPPED; a label is AS_TEXT
    chosen: frozenset[int]  # to be encoded, whatever they hold
    features: tuple[int, ...]  # the columns that X is made of, in its order
    notes: tuple[str, ...] = ()  # what is left out, or may be doubted
    typed: bool = False  # whether the file says which columns are text

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
        return quoted_name(self.names, self.named, c)

    def wanted(self, c: int) -> str:
        """The column as an option names it: by its name, or by its number."""
        return self.names[c] if self.named else str(c + 1)

    @property
    def is_whole(self) -> bool:
        """Whether X is made of all columns but the label's, in the order of the file."""
        return self.features == tuple(c for c in range(len(self.kinds)) if c != self.label)


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
    header: Sequence[str] | None, kinds: Sequence[int], options: Options, source: str,
    cells: Callable[[int], Sequence[str]] = lambda _: (), index: Collection[int] = (),
) -> Layout:  # fmt: skip
    """The layout of columns that hold `kinds`, under the names in `header` if there are any.

    `cells` gives the first cells of a column, from which those that number rows are known;
    `index` are columns that the file itself says name its rows.
    """
    width = len(kinds)
    named = header is not None
    names = names_of(header, width)
    if named and len(set(names)) < width:
        twice = next(name for name, times in Counter(names).items() if times > 1)
        raise FileError(f"{source} has two columns named {shown(twice)}; rename one of them.")
    label = None
    dropped = {find_column(wanted, names, named, source) for wanted in options.drop}
    if options.label is None:
        label = max((c for c in range(width) if c not in index), default=width - 1)
        if named and (other := other_label(names, label, dropped)) is not None:
            text = f"{source}: {which_label(names[other], names[label])}"
            raise WhichLabelError(text, (names[other], names[label]))
    elif options.label is not False:
        label = find_column(options.label, names, named, source)
    features = _features(options, names, named, label, source)
    unused = set(range(width)) - set(features) - {label}
    if options.among is None:
        dropped |= unused
    chosen = {find_column(wanted, names, named, source) for wanted in options.categorical}
    chosen |= {find_column(name, names, True, source) for name in options.encoding or ()}
    asked = {find_column(wanted, names, named, source) for wanted in options.drop}
    for option in ("categorical", "keep"):
        others = {find_column(wanted, names, named, source) for wanted in getattr(options, option)}
        if asked & others:
            twice = quoted_name(names, named, min(asked & others))
            raise FileError(
                f"{source}: {keyword('drop')} and {keyword(option)} both name column {twice}."
            )
    notes = []
    if dropped - {label}:
        notes.append(f"left out, as asked: {columns_in_words(names, named, dropped - {label})}")
    if options.columns is None and options.among is None:
        kept = {find_column(wanted, names, named, source) for wanted in options.keep} | chosen
        known = set(index) - kept - dropped - {label}
        if known:
            notes.append(
                f"left out, as the index of a DataFrame: {columns_in_words(names, named, known)}"
            )
        dropped |= known
        looked = [c for c in features if c not in kept | dropped and kinds[c] == AS_NUMBER]
        numbering, more = _numbering(header, names, looked, cells, source)
        dropped |= numbering
        notes += more
    dropped |= unused
    if label in dropped | chosen:
        raise FileError(f"{source}: the label column cannot be dropped or encoded as well.")
    made = [
        AS_TEXT if c == label or c in chosen else SKIPPED if c in dropped else kinds[c]
        for c in range(width)
    ]
    kept_features = tuple(c for c in features if made[c] != SKIPPED)
    layout = Layout(
        names, named, label, tuple(made), frozenset(chosen), kept_features, tuple(notes)
    )
    if not layout.features and options.among is not None:
        few = ", ".join(map(shown, options.among[:8]))
        raise FileError(
            f"{source} has no column of those that are named ({few}); it has "
            f"{', '.join(map(shown, names[:8]))}{', …' * (width > 8)}."
        )
    if not layout.features:
        left = ", of which none but the label is kept" if dropped else ""
        raise FileError(
            f"{source} has {count(width, 'column')}{left}; it needs a label column and at least "
            f"one column of numbers ({keyword('label', False)} reads rows without labels)."
        )
    if options.encoding is not None:
        for c in layout.texts:
            if names[c] not in options.encoding:
                raise FileError(
                    f"{source}: column {layout.quoted(c)} holds text and is not in the encoding; "
                    f"leave it out with {keyword('drop', layout.wanted(c))}."
                )
    return layout


def other_label(names: Sequence[str], guessed: int, dropped: Collection[int] = ()) -> int | None:
    """The place of a column whose name says that it is the label, where that of the guess does not;
    None where there is no such column, and the guess may stand."""
    if is_called_a_label(names[guessed]):
        return None
    others = (c for c, name in enumerate(names) if is_called_a_label(name) and c not in dropped)
    return next(others, None)


class WhichLabelError(FileError):
    """The last column may not be the label: `choices` are those that may."""

    def __init__(self, text: str, choices: tuple[str, ...]) -> None:
        super().__init__(text)
        self.choices = choices


def which_label(other: str, last: str) -> str:
    """What to say where the last column is not the one whose name says that it is the label."""
    return (
        f"column {shown(other)} has the name of a label and is not the last column, {shown(last)}; "
        f"say which one is the label: {keyword('label', other)} or {keyword('label', last)}."
    )


def _features(
    options: Options, names: Sequence[str], named: bool, label: int | None, source: str
) -> list[int]:
    """The places of the columns that X is to be made of."""
    if options.columns is None or (not named and len(options.columns) == len(names)):
        among = frozenset(names if options.among is None else options.among)
        return [c for c in range(len(names)) if c != label and names[c] in among]
    for wanted in options.columns if named else ():
        if wanted not in names and not str(wanted).isdecimal():
            raise FileError(f"{source} lacks the column {wanted!r}, which is needed.")
    found = [find_column(wanted, names, named, source) for wanted in options.columns]
    if label in found:
        raise FileError(
            f"{source}: the label column cannot be one of {keyword('columns')} as well."
        )
    if len(set(found)) < len(found):
        raise FileError(f"{source}: {keyword('columns')} names a column twice.")
    return found


def _numbering(
    header: Sequence[str] | None, names: Sequence[str], looked: Sequence[int],
    cells: Callable[[int], Sequence[str]], source: str,
) -> tuple[set[int], list[str]]:  # fmt: skip
    """The columns that number the rows and are left out, and what to say of them and others."""
    named = header is not None
    left: set[int] = set()
    notes: list[str] = []
    for c in looked:
        found = cells(c)
        if not found:
            continue
        few = ", ".join(found[:3]) + (", …" if len(found) > 3 else "")
        what = f"column {quoted_name(names, named, c)}"
        option = names[c] if named else str(c + 1)
        name, beside_others = names[c] if named else "", len(looked) > 1 + named
        if header is not None and c == 0 and has_no_name(header[c]) and tells_rows_apart(found):
            left.add(c)
            notes.append(
                f"column 1, which has no name and numbers the rows ({few}), is left out "
                f"({keyword('keep', '1')} keeps it)"
            )
        elif question := which_row(name, found, beside_others):
            raise _question(source, f"{what} {question}", option)
        elif rises(found):
            cure = f"({keyword('drop', option)} leaves it out)"
            notes.append(f"{what} rises or falls with the rows ({few}) and is kept {cure}")
    return left, notes


def _question(source: str, what: str, option: str) -> FileError:
    """That a column may be about the file, and not about what its rows are like."""
    return FileError(
        f"{source}: {what}; leave it out with {keyword('drop', option)}, or keep it with "
        f"{keyword('keep', option)}."
    )


def columns_in_words(names: Sequence[str], named: bool, which: Iterable[int]) -> str:
    """Some columns as a message names them."""
    listed = [quoted_name(names, named, c) for c in sorted(which)]
    what = plural(len(listed), "column")
    return f"{what} {', '.join(listed[:8])}" + (f", … ({len(listed)})" if len(listed) > 8 else "")
