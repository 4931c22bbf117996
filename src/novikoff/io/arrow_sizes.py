"""How much an Arrow or a Parquet file holds, by what it says of itself: nothing is unpacked.

A column of one value that is repeated takes a few bytes in the file and eight a row in memory.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Iterator
from typing import Any

from novikoff.io.sources import FLOAT_BYTES

MARK = 0xFFFFFFFF  # before the length of a message
DICTIONARY, RECORDS = 2, 3  # kinds of messages, of which one more, the schema, holds no rows
A_MESSAGE = 1000  # numbers that take as long to read as a message without any
FILE_START, FILE_END = b"ARROW1\0\0", b"ARROW1"


def parquet_size(metadata: Any) -> tuple[int, int]:
    """The rows of a Parquet file, and the float64 numbers that would take as much memory."""
    n_numbers = 0
    for j in range(metadata.num_columns):
        wide = max(1, metadata.schema.column(j).length // FLOAT_BYTES)
        for k in range(metadata.num_row_groups):
            n_numbers += wide * metadata.row_group(k).column(j).num_values
    return metadata.num_rows, n_numbers


def long_texts(metadata: Any) -> list[str]:
    """The columns of text of a Parquet file, whose words need not be repeated row by row."""
    columns = [metadata.schema.column(j) for j in range(metadata.num_columns)]
    return [
        column.path
        for column in columns
        if column.physical_type == "BYTE_ARRAY" and column.logical_type.type != "DECIMAL"
    ]


def arrow_size(stream: Any) -> tuple[int, int]:
    """The same of an Arrow file or stream; ValueError where it is damaged."""
    n_rows = n_numbers = 0
    try:
        for place, times in Counter(_messages(stream)).items():  # a file may list one again
            rows, numbers = _of_message(stream, place)
            n_rows, n_numbers = n_rows + times * rows, n_numbers + times * numbers
    except (struct.error, IndexError) as error:
        raise ValueError(f"a message is damaged ({error})") from None
    finally:
        stream.seek(0)
    return n_rows, n_numbers


class _Record:
    """A table of Google's flatbuffers: fields by number, each at a place of the bytes."""

    def __init__(self, content: bytes, place: int) -> None:
        self.content, self.place = content, place
        self.fields = place - self.read("<i", place)

    @classmethod
    def root(cls, content: bytes) -> _Record:
        return cls(content, struct.unpack_from("<I", content)[0])

    def read(self, kind: str, place: int) -> int:
        if not 0 <= place <= len(self.content):
            raise IndexError("a place beyond its end")
        value: int = struct.unpack_from(kind, self.content, place)[0]
        return value

    def at(self, number: int) -> int:
        """The place of a field; 0 where it is left out."""
        if 4 + 2 * number >= self.read("<H", self.fields):
            return 0
        offset = self.read("<H", self.fields + 4 + 2 * number)
        return self.place + offset if offset else 0

    def value(self, number: int, kind: str) -> int:
        place = self.at(number)
        return self.read(kind, place) if place else 0

    def inner(self, number: int) -> _Record | None:
        place = self.at(number)
        return _Record(self.content, place + self.read("<I", place)) if place else None

    def items(self, number: int, size: int) -> range:
        """The places of the items of a list."""
        place = self.at(number)
        if not place:
            return range(0)
        place += self.read("<I", place)
        end = place + 4 + size * self.read("<I", place)
        if end > len(self.content):
            raise IndexError("a list beyond its end")
        return range(place + 4, end, size)


def _messages(stream: Any) -> Iterator[int]:
    """Where the messages begin: as the end of a file lists them, or one after the other."""
    stream.seek(0)
    if stream.read(len(FILE_START)).startswith(FILE_END):
        end = stream.size() - len(FILE_END) - 4
        stream.seek(end)
        size = struct.unpack("<i", stream.read(4))[0]
        if not 0 <= size <= end:
            raise IndexError("its last part has no length")
        stream.seek(end - size)
        footer = _Record.root(stream.read(size))
        for listed in (2, 3):  # dictionaries and records
            for place in footer.items(listed, 24):
                yield footer.read("<q", place)
        return
    place = 0
    while place + 8 <= stream.size():
        stream.seek(place)
        start, size, content = _head(stream, place)
        if not size:
            return
        yield place
        place = start + size + max(0, _Record.root(content).value(3, "<q"))


def _head(stream: Any, place: int) -> tuple[int, int, bytes]:
    """Where the description of a message begins, its length, and its bytes."""
    if not 0 <= place < stream.size():
        raise IndexError("a message beyond its end")
    stream.seek(place)
    mark, size = struct.unpack("<II", stream.read(8))
    start = place + 8
    if mark != MARK:  # of files before version 1
        start, size = place + 4, mark
        stream.seek(start)
    return start, size, stream.read(min(size, stream.size()))


def _of_message(stream: Any, place: int) -> tuple[int, int]:
    """Rows and numbers that a message holds."""
    start, size, content = _head(stream, place)
    message = _Record.root(content)
    kind, header = message.value(1, "<B"), message.inner(2)
    records = header.inner(1) if header is not None and kind == DICTIONARY else header
    if records is None or kind not in (DICTIONARY, RECORDS):
        return 0, 0
    n_rows, n_bytes = records.value(0, "<q"), 0
    for item in records.items(2, 16):
        offset, length = records.read("<q", item), records.read("<q", item + 8)
        if records.at(3) and length >= 8:  # compressed: its true length comes first
            stream.seek(max(0, min(start + size + offset, stream.size())))
            length = max(length, struct.unpack("<q", stream.read(8))[0])
        n_bytes += max(0, length)
    n_numbers = max(n_bytes // FLOAT_BYTES, n_rows * len(records.items(1, 16)), A_MESSAGE)
    return n_rows * (kind == RECORDS), n_numbers
