"""A state as the fragment of a link, and back. Built-in sets that were not edited go by name."""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from dataclasses import replace
from typing import Any

from novikoff.errors import InputError
from novikoff.studio.sources import load_set, open_columns
from novikoff.studio.state import State, read_state

PREFIX = "s1."
MOST_LINK = 64_000  # characters; browsers take more, chat programs less
MOST_BYTES = 4_000_000  # of the state inside


def encode(state: State) -> str:
    """The fragment of a link that opens this state."""
    given = state.to_json()
    del given["size"], given["selected"]
    kept = {k: v for k, v in state.source.items() if k not in ("names", "labels")}
    given["source"] = kept
    if _is_as_loaded(state):
        given["rows"] = None
    packed = zlib.compress(json.dumps(given, separators=(",", ":")).encode(), 9)
    text = PREFIX + base64.urlsafe_b64encode(packed).decode().rstrip("=")
    if len(text) > MOST_LINK:
        raise InputError(
            f"{state.n_rows} rows do not fit into a link; export the CSV file instead."
        )
    return text


def decode(fragment: Any, size: tuple[float, float]) -> State:
    """The state of a fragment; of a whole link, what stands after its #."""
    if not isinstance(fragment, str) or len(fragment) > MOST_LINK:
        raise InputError("the link is not one of this studio, or was cut short.")
    text = fragment.rpartition("#")[2]
    try:
        if not text.startswith(PREFIX):
            raise ValueError
        body = text.removeprefix(PREFIX)
        packed = base64.urlsafe_b64decode(body + "=" * (-len(body) % 4))
        unpacker = zlib.decompressobj()
        raw = unpacker.decompress(packed, MOST_BYTES)
        if unpacker.unconsumed_tail or not unpacker.eof:
            raise ValueError
        given = json.loads(raw)
        rows_are_named = given["rows"] is None
    except (ValueError, binascii.Error, zlib.error, RecursionError, TypeError, KeyError):
        raise InputError("the link is not one of this studio, or was cut short.") from None
    given["size"] = list(size)
    if rows_are_named:
        source = given.get("source") or {}
        loaded = open_columns(load_set(str(source.get("name"))), source.get("columns"))
        given |= {"rows": loaded.rows_json(), "classes": list(loaded.classes)}
    return read_state(given)


def _is_as_loaded(state: State) -> bool:
    source = state.source
    if source.get("kind") != "set" or source.get("edited"):
        return False
    loaded = open_columns(load_set(source["name"]), source.get("columns"))
    return replace(state, numbers=loaded.numbers).rows_key == loaded.rows_key
