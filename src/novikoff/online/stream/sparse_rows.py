"""svmlight and Vowpal Wabbit text, a line at a time; the same rows as novikoff.io reads."""

from __future__ import annotations

from typing import Any

from novikoff.io.fields import is_number, shown
from novikoff.online.stream.rows import Row, RowError, is_word, label_of_number, number_of, text_of

_NUMERALS = b"0123456789.eE+-"


class _LineRows:
    """Every line is a row of its own, and nothing is learnt of the stream."""

    def state(self) -> dict[str, Any]:
        return {}

    def restore(self, state: dict[str, Any]) -> None:
        """There is nothing to restore."""

    def end(self) -> None:
        """A stream may end after any line."""


class SvmlightRows(_LineRows):
    """`[label] [qid:n] index:value … # comment`; features are called by their index."""

    def row(self, line: bytes) -> Row | None:
        line = line.partition(b"#")[0]
        words = line.split()
        if not words:
            text_of(line)
            return None
        label = None if b":" in words[0] else _label(words.pop(0))
        if words and words[0].startswith(b"qid:") and words[0][4:].isdigit():
            del words[0]
        n, joined = len(words), b" ".join(words)
        if joined.translate(None, _NUMERALS) == (b" :" * n)[1:] and b" +" not in b" " + joined:
            flat = joined.replace(b" ", b":").split(b":") if words else []
            try:  # of these letters int and float make what a numeral means
                x = dict(zip(map(int, flat[::2]), map(float, flat[1::2]), strict=True))
                if len(x) == n and (not x or min(x) >= 0):
                    return Row(x, label)
            except ValueError:
                pass
        raise _what_is_wrong(words)


def _what_is_wrong(words: list[bytes]) -> RowError:
    """Why these are not pairs index:value; MissingError where a value is missing."""
    seen = set()
    for word in map(text_of, words):
        name, colon, value = word.partition(":")
        if not (colon and name.isascii() and name.isdecimal()):
            return RowError(f"{shown(word)} is not of the form index:value.")
        if int(name) in seen:
            return RowError(f"the index {int(name)} stands twice in the row.")
        seen.add(int(name))
        number_of(value, f"the value of index {int(name)}")
    return RowError("the row is not of the form index:value index:value …")


class VwRows(_LineRows):
    """`[label [importance]] ['tag]|space[:scale] name[:value] …`; features are space^name.

    The importance is the row's weight; a tag is passed over.
    """

    def row(self, line: bytes) -> Row | None:
        if not line.strip():
            return None
        text_of(line)
        head, bar, rest = line.partition(b"|")
        if not bar:
            raise RowError("no '|' in this row; a bar must stand before its features.")
        words = [word.decode() for word in head.split()]
        if words and (words[-1].startswith("'") or not head[-1:].isspace()):
            words.pop()
        if len(words) > 3:
            raise RowError("more than a label, an importance and a base before the bar.")
        label = _label(head.split()[0]) if words else None
        weight = number_of(words[1], "the importance") if len(words) > 1 else 1.0
        if weight < 0.0:
            raise RowError(f"the importance is {words[1]}; a number of at least 0 is needed.")
        if len(words) > 2 and number_of(words[2], "the base") != 0.0:
            raise RowError(f"a base of {words[2]}; only 0 can be used, so leave it out.")
        x: dict[str, float] = {}
        for part in rest.split(b"|"):
            self._read_space(part, x)
        return Row(x, label if weight else None, weight)  # a row of weight 0 is not learnt

    def _read_space(self, part: bytes, x: dict[str, float]) -> None:
        """Add the features of one `|space …`; those that are repeated are summed."""
        words = [word.decode() for word in part.split()]
        prefix, scale = "", 1.0
        if words and not part[:1].isspace():
            space, colon, factor = words.pop(0).partition(":")
            if colon and not space:
                raise RowError("a ':' without a name after '|'.")
            if colon:
                if not is_number(factor):
                    raise RowError(f"the value of the space {shown(space)} is {shown(factor)}.")
                scale = number_of(factor, f"the value of the space {shown(space)}")
            prefix = f"{space}^"
        for word in words:
            name, colon, number = word.partition(":")
            if not name:
                raise RowError(f"{shown(word)} is a feature without a name.")
            value = scale
            if colon and is_name_with_word(number):
                name, value = word, 1.0
            elif colon:
                value = scale * number_of(number, f"the value of {shown(name)}")
            full = prefix + name
            x[full] = x[full] + value if full in x else value


def is_name_with_word(value: str) -> bool:
    """Whether what follows a colon is a word, as in city:paris, which is a feature of its own."""
    return is_word(value) and value[0] not in "+-.0123456789"


def _label(word: bytes) -> float | int:
    return label_of_number(number_of(text_of(word), "the label"))
