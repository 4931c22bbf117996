"""Delimited text: its records, by Python's csv module, and what the first of them show.

Which character separates its cells, whether the first record names the columns, what the columns
hold, and whether points may separate thousands. The first record is a header where it has words
above numbers, and where it is 0, 1, 2, … as pandas names columns that have no names. Where that
cannot be told, the answer is a question.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

from novikoff.errors import FileError
from novikoff.io.chunks import LONGEST_LINE, TextError, last_line_end, without_mark
from novikoff.io.fields import BLANKS, USUAL, Numerals, is_infinite, notation_of
from novikoff.io.layout import AS_NUMBER, AS_TEXT
from novikoff.io.options import Options
from novikoff.io.sources import HEAD_BYTES, Source
from novikoff.wording import keyword

MARKS = ",;\t"
OTHERS = "|~^:!&@/"  # that are taken where they are said
MANY_NAMES = 5  # columns whose names 0, 1, 2, … no row has by chance
SAMPLE_RECORDS = 100  # records that settle what columns hold
COLUMNS_PER_TAKEN = 10  # the columns that are taken: so many more are not looked at, to be left out
UNEXPECTED_END = "unexpected end of data"  # within quotes, in the words of Python's csv module
_STATED = re.compile(rb'"?sep=([,;\t|:!~^&@%$*/])"?[ ;,\t]*(?:\r\n|\n|\r|\Z)', re.IGNORECASE)
_QUOTED = re.compile(rb'"[^"]*"')
_LINE_END = re.compile(rb"\r\n|\n|\r")
_DECIMAL = re.compile(rb"(?<=\d),(?=\d)")
_WHOLE = re.compile(r"\d{1,9}")
_WITH_POINT = rb"[+-]?(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?"
_CELL = re.compile(rb'(?:^|(?<=[;\r\n]))[ \t]*"?(' + _WITH_POINT + rb')"?[ \t]*(?=[;\r\n]|\Z)')
_GROUPED = re.compile(rb"[+-]?[1-9]\d{0,2}\.\d{3}")
WORD, NUMBER, NOTHING = "word", "number", "nothing"
Record = TypeVar("Record")


def checked(text: bytes) -> str:
    """The text decoded; TextError where it is not UTF-8 or not text at all."""
    if b"\0" in text:
        raise TextError(": binary data; a text file is needed", text.index(b"\0"))
    try:
        return text.decode()
    except UnicodeDecodeError as error:
        how = keyword("text_encoding", "cp1252")
        message = f": not UTF-8 text; say how its letters are stored, such as {how}"
        raise TextError(message, error.start) from None


def records(text: bytes, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """The records that are not blank, each with the line on which it begins, from 1."""
    text_lines = io.StringIO(checked(text), newline="")
    reader = csv.reader(text_lines, delimiter=delimiter, strict=True, skipinitialspace=True)
    line = 1
    try:
        for fields in reader:
            stripped = [field.strip(BLANKS) for field in fields]
            if stripped and stripped != [""]:
                yield line, stripped
            line = reader.line_num + 1
    except csv.Error as error:
        message = str(error)
        if "limit" in message:
            most = f"{csv.field_size_limit():,}"
            message = f"a field has more than {most} characters; shorten it, or close its quotes"
        raise TextError(f": {message}", line=line) from None


def skip_lines(text: bytes, n_lines: int) -> int:
    """Where the text goes on after its first `n_lines` lines."""
    at = 0
    for _ in range(n_lines):
        found = _LINE_END.search(text, at)
        at = found.end() if found else len(text)
    return at


@dataclass(frozen=True)
class Opening:
    """What the first records of a file show."""

    delimiter: str
    first_line: int  # of the first record
    header: tuple[str, ...] | None
    body_line: int  # of the first record that is no header
    kinds: tuple[int, ...]  # AS_NUMBER or AS_TEXT
    sample: tuple[list[str], ...] = ()  # the first rows
    note: str | None = None  # what might be doubted of the header
    numerals: Numerals = USUAL
    skip_rows: int = 0  # that were asked for, or state the delimiter

    def cells(self, c: int) -> list[str]:
        """The first cells of a column that are not missing."""
        cells = (fields[c] for fields in self.sample if c < len(fields))
        return [cell for cell in cells if not self.numerals.is_missing(cell)]


def open_table(source: Source, options: Options, delimiter: str | None) -> Opening:
    """Read the first records of a file and settle its columns."""
    delimiter = delimiter or options.delimiter or ("\t" if options.format == "tsv" else None)
    stated = stated_delimiter(first_text(source, HEAD_BYTES)[0])
    used = delimiter or stated

    def read(text: bytes) -> Iterator[tuple[int, list[str]]]:
        nonlocal used
        if stated:  # the line is no row
            text = b"\n" + text[skip_lines(text, 1) :]
        used = delimiter or stated or find_delimiter(text)
        return records(text, used)

    found, is_whole = first_records(source, read)
    (first_line, first), rest = found[0], [fields for _, fields in found[1:]]
    width = len(first)
    if source.limit is not None and width > COLUMNS_PER_TAKEN * source.limit.n_columns:
        source.limit.check_shape(source.name, len(found), width)
    if width < 2 and options.label is not False:
        begins = next((line for line, fields in found if len(fields) > 1), None)
        if begins is not None:
            raise FileError(
                f"{source.name} has 1 cell in line {first_line} and more from line {begins} on, "
                f"where its table may begin; say {keyword('skip_rows', begins - 1)}."
            )
        raise FileError(
            f"{source.name} has 1 column (line {first_line}); it needs a label column and at "
            "least one column of numbers, separated by commas, semicolons or tabs"
            f"{'' if delimiter else other_delimiter([row[0] for _, row in found[:20]])}."
        )
    is_header, note = bool(options.header), None
    try:
        if options.header is None:
            is_header, note = find_header(first, rest, options.label, options.numerals)
    except HeaderDoubtError as doubt:
        raise FileError(f"{source.name}: {doubt}") from None
    body = rest if is_header else [first, *rest]
    if not body and is_whole:
        raise FileError(f"{source.name} has a header and no rows.")
    body_line = first_line
    if is_header:
        body_line = found[1][0] if len(found) > 1 else first_line + 1
    return Opening(
        used or ",", first_line, tuple(first) if is_header else None, body_line,
        column_kinds(body, width, options.numerals), tuple(body), note, options.numerals,
        options.skip_rows or int(stated is not None),
    )  # fmt: skip


def first_records(
    source: Source, read: Callable[[bytes], Iterator[tuple[int, Record]]]
) -> tuple[list[tuple[int, Record]], bool]:
    """The first records of a source, each with its line, and whether these are all it has."""
    size = HEAD_BYTES
    while size <= LONGEST_LINE:
        text, is_whole = first_text(source, size)
        found: list[tuple[int, Record]] = []
        try:
            for record in islice(read(text), SAMPLE_RECORDS + 1):
                found.append(record)  # until one is wrong
        except TextError as trouble:
            if is_whole and len(found) < 2:
                raise trouble.in_file(source, text) from None
        if is_whole and not found:
            below = f" below the {source.skip_rows} lines that are skipped"
            raise FileError(
                f"{source.name} is empty{below if source.skip_rows else ''}; a table with at least "
                "two rows is needed."
            )
        if is_whole or len(found) > 2:
            return found, is_whole
        size *= 4
    raise FileError(f"{source.name} has a line of more than 1 GB; is it a table?")


def first_text(source: Source, size: int) -> tuple[bytes, bool]:
    """Whole lines from the first `size` bytes, and whether they are the whole file."""
    if size <= HEAD_BYTES:
        text = source.head
    else:
        with source.open() as stream:
            text = stream.read(size)
    is_whole = len(text) < size
    text = without_mark(text, source.name)
    return (text + b"\n", True) if is_whole else (text[: last_line_end(text)], False)


def column_kinds(body: Sequence[Sequence[str]], width: int, numerals: Numerals) -> tuple[int, ...]:
    """What the first cell of each column holds that is not missing: AS_NUMBER or AS_TEXT."""
    cells = (first_cell(body, c, numerals) for c in range(width))
    is_number = (c is None or numerals.is_number(c) or is_infinite(c) for c in cells)
    return tuple(AS_NUMBER if number else AS_TEXT for number in is_number)


def find_delimiter(text: bytes) -> str:
    """The one of comma, semicolon and tab that the first line has most of, outside quotes.

    Where semicolons or tabs are there too, and every cell between them that has commas is a
    number, as in `5,1;3,5;yes`, the commas belong to the numbers.
    """
    first = _QUOTED.sub(b"", _LINE_END.split(text.lstrip(b"\r\n"), maxsplit=1)[0])
    counts = {mark: first.count(mark.encode()) for mark in MARKS}
    other = max(";\t", key=counts.__getitem__)
    if counts[other] and counts[","] == len(_DECIMAL.findall(first)) > 0:
        cells = first.decode("utf-8", "replace").split(other)
        if all(notation_of(cell) is not None for cell in cells if "," in cell):
            return other
    return max(MARKS, key=counts.__getitem__)


def stated_delimiter(text: bytes) -> str | None:
    """The delimiter that a first line such as sep=; states, as spreadsheets write it."""
    found = _STATED.match(text)
    return None if found is None else found[1].decode()


def other_delimiter(text_lines: Sequence[str]) -> str:
    """What to do about lines without comma, semicolon and tab: the end of a sentence.

    A mark that stands in each of them as often as in the first is what separates their cells.
    """
    blanks = {len(line.split()) for line in text_lines}
    for mark in OTHERS if max(blanks, default=0) < 2 else "|":
        n = text_lines[0].count(mark) if text_lines else 0
        if n and all(line.count(mark) == n for line in text_lines):
            return f": say {keyword('delimiter', mark)}"
    if len(blanks) == 1 and blanks != {1}:
        return "; cells that blanks separate are not told apart: put commas there"
    return ""


class HeaderDoubtError(Exception):
    """Why nobody can tell: a sentence that ends in what to say."""

    def __init__(self, what: str) -> None:
        cure = f"say {keyword('header', True)} or {keyword('header', False)}."
        super().__init__(f"{what}; {cure}")


def find_header(
    first: Sequence[str],
    rest: Sequence[Sequence[str]],
    label: str | int | bool | None,
    numerals: Numerals,
) -> tuple[bool, str | None]:
    """Whether the record `first`, above the records `rest`, is a header; and a remark, where a
    person might think otherwise."""
    is_word = isinstance(label, str) and label in first and not numerals.is_number(label)
    if is_word and not _stands(str(label), rest, first.index(str(label))):  # else it is a class
        return True, None
    place = None if label is False else len(first) - 1  # of the label, before names are known
    if label not in (None, False) and str(label).isdecimal() and 1 <= int(label) <= len(first):
        place = int(label) - 1
    kinds = [kind_of(cell, numerals) for cell in first]
    words = [c for c, kind in enumerate(kinds) if kind == WORD]
    features = [c for c in words if c != place]
    if features and (not rest or any(_is_above_numbers(rest, c, numerals) for c in words)):
        return True, None
    if NUMBER in kinds and not any(_stands(first[c], rest, c) for c in words):
        numbers = [cell for cell, kind in zip(first, kinds, strict=True) if kind == NUMBER]
        above_numbers = rest and any(_is_above_numbers(rest, c, numerals) for c in words)
        return _of_numbers(first, rest, place, numbers, bool(words), bool(above_numbers))
    if len(features) < len(first) - (place is not None):
        return False, None
    raise HeaderDoubtError("every column is text, so that line 1 could be a header or a row")


def _of_numbers(
    first: Sequence[str], rest: Sequence[Sequence[str]], place: int | None,
    numbers: Sequence[str], has_words: bool, above_numbers: bool,
) -> tuple[bool, str | None]:  # fmt: skip
    """Whether a record with numbers in it, and perhaps words that no other record has, is one."""
    listed = ", ".join(first[:6]) + (", …" if len(first) > 6 else "")
    if not all(map(_WHOLE.fullmatch, numbers)) or len(set(numbers)) < len(numbers):
        return False, None
    counts = list(numbers) == [str(k) for k in range(len(numbers))]
    is_sure = has_words or len(numbers) < len(first) or len(numbers) >= MANY_NAMES
    if above_numbers or (counts and is_sure and len(numbers) > 1):
        return True, f"line 1 ({listed}) is taken as the names of the columns"
    has_parts = any("." in cell for row in rest for c, cell in enumerate(row) if c != place)
    is_open = counts and (len(numbers) > 2 or has_parts)
    if place is not None and not _stands(first[place], rest, place):
        # Line 1 has a class of its own, above classes that come again or numbers with decimals.
        labels = [record[place] for record in rest if place < len(record)]
        again = [labels.count(other) > 1 for other in labels] or [False]
        is_own = has_parts or (any if has_words else all)(again)
        is_open = is_open or (is_own and (has_words or len(numbers) > 1))
    if is_open:
        raise HeaderDoubtError(f"line 1 ({listed}) could be the names of the columns or a row")
    return False, None


def kind_of(cell: str, numerals: Numerals) -> str:
    """A word, nothing, or a number, in whatever notation."""
    if numerals.is_missing(cell):
        return NOTHING
    if numerals.is_number(cell) or is_infinite(cell) or notation_of(cell) is not None:
        return NUMBER
    return WORD


def _is_above_numbers(rest: Sequence[Sequence[str]], c: int, numerals: Numerals) -> bool:
    """Whether a column holds numbers below its first cell, or nothing."""
    below = first_cell(rest, c, numerals)
    return below is None or kind_of(below, numerals) == NUMBER


def first_cell(records: Sequence[Sequence[str]], c: int, numerals: Numerals) -> str | None:
    """The first cell of a column that is not missing."""
    cells = (record[c] for record in records if c < len(record))
    return next((cell for cell in cells if not numerals.is_missing(cell)), None)


def _stands(word: str, rest: Sequence[Sequence[str]], c: int) -> bool:
    return any(c < len(record) and record[c] == word for record in rest)


class Points:
    """Whether points may separate thousands: 1.500 and 30.000 between semicolons.

    Where such a table has a number with any other point, such as 0.5 or 1.25, points are decimal
    marks. Where it has none, nobody can tell, and the two readings differ by a factor of 1000.
    """

    def __init__(self, options: Options, delimiter: str | None) -> None:
        is_said = options.decimal is not None or options.thousands is not None
        self.are_decimal = is_said or delimiter != ";"
        self.grouped: str | None = None  # the first number that may have thousands

    def look(self, text: bytes) -> None:
        if self.are_decimal or b"." not in text:
            return
        for cell in _CELL.finditer(text):
            if not _GROUPED.fullmatch(cell[1]):
                self.are_decimal = True
                return
            self.grouped = self.grouped or cell[1].decode()

    @property
    def question(self) -> str | None:
        """What to ask, where all that was looked at leaves it open."""
        if self.are_decimal or self.grouped is None:
            return None
        return (
            f"every number with a point, such as {self.grouped}, has three digits after it, so "
            f"that its point may be a decimal mark or separate thousands; say "
            f"{keyword('decimal', '.')}, or {keyword('thousands', '.')} with "
            f"{keyword('decimal', ',')}."
        )
