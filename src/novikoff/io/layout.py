"""The columns of a table: their names, the label, and which are taken, as numbers or as text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from novikoff.errors import FileError
from novikoff.io.fields import shown
from novikoff.io.options import Options
from novikoff.wording import count, keyword, plural

Column = str | int
AS_NUMBER, AS_TEXT, SKIPPED = 0, 1, 2  # what a column is taken for
FEW_LEVELS = 2  # levels of as many rows: too few to tell
SHARES = ((10, 2), (20, 4), (50, 5))  # over so many levels, one for so many rows is too many
LABELS = frozenset(
    {"y", "y_true", "label", "labels", "class", "class_label", "target", "targets", "outcome",
     "outcomes", "response"}
)  # fmt: skip
_UNNAMED = re.compile(r"|Unnamed: ?\d+|__index_level_\d+__|\.\.\.1")
_WHOLE = re.compile(r"[+-]?\d+(?:\.0*)?(?:[eE]\+?\d{1,2})?")


def has_no_name(name: str) -> bool:
    """Whether this is what a writer calls a column that has no name."""
    return _UNNAMED.fullmatch(name) is not None


def tells_rows_apart(cells: Sequence[str]) -> bool:
    """Whether the cells are whole numbers, each another one."""
    if not cells or not all(map(_WHOLE.fullmatch, cells)):
        return False
    return len({int(Decimal(cell)) for cell in cells}) == len(cells)


def too_many_levels(n_levels: int, n_rows: int) -> bool:
    """Whether a text column has so many levels that it names rows.

    One for each row; half as many as rows, if they are over ten; more than a quarter, if they
    are over twenty; or more than a fifth, if they are over fifty. Fifty states in five hundred
    rows are not.
    """
    if n_levels == n_rows and n_levels > FEW_LEVELS:
        return True
    shares = [share for least, share in SHARES if n_levels > least]
    return bool(shares) and max(shares) * n_levels >= n_rows


@dataclass(frozen=True, eq=False)
class Layout:
    """The columns in the order of the file."""

    names: tuple[str, ...]  # x1, x2, … where the file has none
    named: bool
    label: int | None
    kinds: tuple[int, ...]  # AS_NUMBER, AS_TEXT or SKIPPED; a label is AS_TEXT
    chosen: frozenset[int]  # to be encoded, whatever they hold
    kept: frozenset[int]  # that nobody is asked about
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
        return [self.wanted(c) for c in self.features]

    @property
    def label_name(self) -> str | None:
        return None if self.label is None else self.wanted(self.label)

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

    `cells` gives the first cells of a column, from which one that numbers the rows is known;
    `index` are columns that the file itself says name its rows.
    """
    width, named, names = len(kinds), header is not None, names_of(header, len(kinds))
    if named and len(set(names)) < width:
        twice = next(name for name, times in Counter(names).items() if times > 1)
        raise FileError(f"{source} has two columns named {shown(twice)}; rename one of them.")

    def listed(option: str) -> set[int]:
        return {find_column(wanted, names, named, source) for wanted in getattr(options, option)}

    dropped, kept, chosen = listed("drop"), listed("keep"), listed("categorical")
    for option, others in (("categorical", chosen), ("keep", kept)):
        if both_of := dropped & others:
            column = quoted_name(names, named, min(both_of))
            both = f"{keyword('drop')} and {keyword(option)}"
            raise FileError(f"{source}: {both} both name column {column}.")
    label = _label(options, names, named, dropped, index, source)
    features = _features(options, names, named, label, source)
    chosen |= {find_column(name, names, True, source) for name in options.encoding or ()}
    unused = set(range(width)) - set(features) - {label}
    asked = (dropped | (unused if options.among is None else set())) - {label}
    notes = [f"left out, as asked: {columns_in_words(names, named, asked)}"] if asked else []
    if options.columns is None and options.among is None:
        known = set(index) - kept - chosen - dropped - {label}
        if known:
            notes.append(
                f"left out, as the index of a DataFrame: {columns_in_words(names, named, known)}"
            )
        dropped |= known
        is_unnamed = header is not None and has_no_name(header[0]) and kinds[0] == AS_NUMBER
        is_open = 0 in features and 0 not in kept | chosen | dropped
        if is_unnamed and is_open and tells_rows_apart(first := cells(0)):
            dropped.add(0)
            few = ", ".join(first[:3]) + ", …" * (len(first) > 3)
            notes.append(
                f"column 1, which has no name and numbers the rows ({few}), is left out "
                f"({keyword('keep', '1')} keeps it)"
            )
    dropped |= unused
    if label in dropped | chosen:
        raise FileError(f"{source}: the label column cannot be dropped or encoded as well.")
    made = tuple(
        AS_TEXT if c == label or c in chosen else SKIPPED if c in dropped else kinds[c]
        for c in range(width)
    )
    kept_features = tuple(c for c in features if made[c] != SKIPPED)
    layout = Layout(
        names, named, label, made, frozenset(chosen), frozenset(kept), kept_features, tuple(notes)
    )
    _check_features(layout, options, source)
    return layout


def _check_features(layout: Layout, options: Options, source: str) -> None:
    """Raise where no feature is left, or one of text has no levels in a given encoding."""
    width = len(layout.kinds)
    if not layout.features and options.among is not None:
        few = ", ".join(map(shown, options.among[:8]))
        has = f"{', '.join(map(shown, layout.names[:8]))}{', …' * (width > 8)}"
        raise FileError(f"{source} has no column of those that are named ({few}); it has {has}.")
    if not layout.features:
        is_left_out = width > (layout.label is not None)
        left = ", of which none but the label is kept" if is_left_out else ""
        raise FileError(
            f"{source} has {count(width, 'column')}{left}; it needs a label column and at least "
            f"one column of numbers ({keyword('label', False)} reads rows without labels)."
        )
    for c in layout.texts if options.encoding is not None else ():
        if layout.names[c] not in (options.encoding or {}):
            raise FileError(
                f"{source}: column {layout.quoted(c)} holds text and is not in the encoding; "
                f"leave it out with {keyword('drop', layout.wanted(c))}."
            )


def _label(
    options: Options, names: Sequence[str], named: bool, dropped: Collection[int],
    index: Collection[int], source: str,
) -> int | None:  # fmt: skip
    """The place of the label column, by default the last that is no index; None without labels."""
    if options.label is False:
        return None
    if options.label is not None:
        return find_column(options.label, names, named, source)
    last = max((c for c in range(len(names)) if c not in index), default=len(names) - 1)
    if named and (other := other_label(names, last, dropped)) is not None:
        text = f"{source}: {which_label(names[other], names[last])}"
        raise WhichLabelError(text, (names[other], names[last]))
    return last


def other_label(names: Sequence[str], guessed: int, dropped: Collection[int] = ()) -> int | None:
    """The place of a column whose name says that it is the label, where that of the guess does not;
    None where there is no such column, and the guess may stand."""
    called = [c for c, name in enumerate(names) if name.strip().lower() in LABELS]
    others = [c for c in called if c not in dropped]
    return None if guessed in called or not others else others[0]


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


def names_of(header: Sequence[str] | None, width: int) -> tuple[str, ...]:
    """The columns' names; x1, x2, … for those without one."""
    found = header or ()
    return tuple(found[c] if c < len(found) and found[c] else f"x{c + 1}" for c in range(width))


def quoted_name(names: Sequence[str], named: bool, c: int) -> str:
    """The column as a message names it."""
    return shown(names[c]) if named else str(c + 1)


def columns_in_words(names: Sequence[str], named: bool, which: Iterable[int]) -> str:
    """Some columns as a message names them."""
    listed = [quoted_name(names, named, c) for c in sorted(which)]
    what = plural(len(listed), "column")
    return f"{what} {', '.join(listed[:8])}" + (f", … ({len(listed)})" if len(listed) > 8 else "")
