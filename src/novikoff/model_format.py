"""What model files are made of: safetensors, which holds numbers and text and can run nothing.

Arrays are tensors; everything else is one line of sorted JSON in the file's header, with a
digest of both, so equal models give equal bytes and a changed byte is noticed. Reading makes
only plain values, arrays, CSR matrices and the records that the caller names.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from novikoff.errors import FileError, InputError, no_file
from novikoff.files import opened_once

FORMAT, VERSION, KEY = "novikoff model", 1, "novikoff"
MOST_DEPTH = 20
MOST_TEXT = 1 << 30  # bytes of an array of texts, as numpy stores them


class Stored(NamedTuple):
    """What a model file holds: its head, which names a class, and its arrays."""

    head: dict[str, Any]
    tensors: dict[str, np.ndarray]


def model_bytes(
    kind: str,
    parameters: Mapping[str, Any],
    fitted: Mapping[str, Any],
    records: Mapping[str, Any] | None = None,
    **more: Any,
) -> bytes:
    """The file of a model of class `kind`; `more` is plain JSON for the head."""
    from safetensors.numpy import save

    tensors: dict[str, np.ndarray] = {}
    known = records or {}
    head = {
        "format": FORMAT,
        "version": VERSION,
        "class": kind,
        "parameters": {
            n: encode(v, f"parameter {n}", tensors, known) for n, v in parameters.items()
        },
        "fitted": {n: encode(v, n, tensors, known) for n, v in fitted.items()},
        **more,
    }
    head["digest"] = digest(head, tensors)
    return bytes(save(tensors, {KEY: _text(head)}))


def read_stored(path: str | os.PathLike[str]) -> Stored:
    """What is in a model file; FileError says what is wrong with it."""
    from safetensors import SafetensorError
    from safetensors.numpy import load

    with opened_once(path) as stream:
        if stream is None and not Path(path).is_file():
            why = "is a device, and a model is read from a file or a pipe."
            why = why if Path(path).exists() else "does not exist."
            why = "is a folder; give a model file." if Path(path).is_dir() else why
            raise no_file(path, f"{path} {why}")
        path = "standard input" if str(path) == "-" else path
        with Path(path).open("rb") if stream is None else nullcontext(stream) as file:
            start = file.read(9)  # the length of a JSON object, the object, the tensors
            content = start + file.read() if start[8:] == b"{" else b""
    if not content:
        raise FileError(f"{path} is no model file: neither save nor `novikoff fit` has written it.")
    try:
        tensors = load(content)
        size = int.from_bytes(content[:8], "little")
        metadata = json.loads(content[8 : 8 + size]).get("__metadata__") or {}
    except (SafetensorError, ValueError, TypeError, AttributeError, RecursionError) as error:
        raise FileError(f"{path} is not a whole safetensors file ({error}).") from None
    try:
        head = json.loads(metadata[KEY])
        if head["format"] != FORMAT:
            raise KeyError
    except (KeyError, TypeError, ValueError, RecursionError):
        raise FileError(f"{path} is a safetensors file, but no novikoff model.") from None
    if head.get("version") != VERSION:
        raise FileError(f"{path} has version {head.get('version')!r}; {VERSION} can be read here.")
    if digest({k: v for k, v in head.items() if k != "digest"}, tensors) != head.get("digest"):
        raise FileError(f"{path} has been changed since it was saved: its digest is another.")
    return Stored(head, tensors)


def _text(head: dict[str, Any]) -> str:
    return json.dumps(head, sort_keys=True, allow_nan=False, separators=(",", ":"))


def digest(head: dict[str, Any], tensors: dict[str, np.ndarray]) -> str:
    hasher = hashlib.sha256(_text(head).encode())
    for name in sorted(tensors):
        array = tensors[name]
        hasher.update(f"\n{name} {array.dtype.str} {array.shape}\n".encode())
        hasher.update(np.ascontiguousarray(array).tobytes())
    return hasher.hexdigest()


def encode(
    value: Any, name: str, tensors: dict[str, np.ndarray], records: Mapping[str, Any]
) -> Any:
    """`value` as JSON; arrays of numbers go to `tensors`, `records` by their fields."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return value if abs(value) < 2**53 else {"integer": hex(value)}
    if isinstance(value, float):
        return {"float": value.hex() if math.isfinite(value) else str(value)}
    if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
        tensors[name] = np.ascontiguousarray(value, dtype=value.dtype.newbyteorder("="))
        return {"tensor": name}
    if isinstance(value, np.ndarray) and value.ndim == 1:
        items = [
            encode(item, f"{name}[{i}]", tensors, records) for i, item in enumerate(value.tolist())
        ]
        return {"array": items, "dtype": value.dtype.str}
    if type(value).__name__ in records:
        fields = [getattr(value, field) for field in _fields(type(value))]
        items = [encode(item, f"{name}.{i}", tensors, records) for i, item in enumerate(fields)]
        return {"record": items, "type": type(value).__name__}
    if isinstance(value, list) and value and {*map(type, value)} == {str}:
        words = [word.encode("utf-8", "surrogatepass") for word in value]
        tensors[f"{name}.letters"] = np.frombuffer(b"".join(words), dtype=np.uint8)
        tensors[f"{name}.sizes"] = np.array([len(word) for word in words], dtype=np.int64)
        return {"words": name}
    if isinstance(value, (list, tuple)):
        items = [encode(item, f"{name}[{i}]", tensors, records) for i, item in enumerate(value)]
        return {"list" if isinstance(value, list) else "tuple": items}
    if isinstance(value, dict):
        return {
            "dict": [
                [
                    encode(k, f"{name}.key{i}", tensors, records),
                    encode(v, f"{name}.{i}", tensors, records),
                ]
                for i, (k, v) in enumerate(value.items())
            ]
        }
    if isinstance(value, np.random.RandomState):
        _, keys, position, has_gauss, gauss = value.get_state(legacy=True)
        tensors[name] = np.asarray(keys)
        return {"random": name, "at": [int(position), int(has_gauss), float(gauss).hex()]}
    if hasattr(value, "tocsr"):
        csr = value.tocsr()
        for part in ("data", "indices", "indptr"):
            tensors[f"{name}.{part}"] = np.ascontiguousarray(getattr(csr, part))
        return {"csr": name, "shape": [int(size) for size in csr.shape]}
    raise InputError(
        f"{name} is {value!r}; a model file holds numbers, text, arrays and CSR matrices only."
    )


def _fields(record: Any) -> tuple[str, ...]:
    return tuple(getattr(record, "_fields", None) or record.__dataclass_fields__)


def decode(
    value: Any, tensors: dict[str, np.ndarray], records: Mapping[str, Any], depth: int = 0
) -> Any:
    """What `encode` was given; KeyError, TypeError or ValueError where that cannot be."""
    if depth > MOST_DEPTH:
        raise ValueError("nested too deeply")
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if not isinstance(value, dict):
        raise ValueError(f"{value!r:.50} is no value")
    kind = next((name for name in value if name not in ("at", "shape", "dtype", "type")), "")
    held: Any = value.get(kind)

    def each(items: Any) -> list[Any]:
        return [decode(item, tensors, records, depth + 1) for item in items]

    if kind == "integer":
        return int(held, 16)
    if kind == "float":
        return float(held) if held in ("inf", "-inf", "nan") else float.fromhex(held)
    if kind == "tensor":
        return tensors[held]
    if kind == "array":
        dtype = np.dtype(value["dtype"])
        if dtype.kind not in "OUS":
            raise ValueError(f"an array of {dtype}")
        if dtype.itemsize * len(held) > MOST_TEXT:
            raise ValueError(f"an array of {len(held)} texts of {dtype.itemsize} bytes each")
        array = np.empty(len(held), dtype=dtype)
        array[:] = each(held)
        return array
    if kind == "words":
        letters, sizes = tensors[f"{held}.letters"].tobytes(), tensors[f"{held}.sizes"]
        if (sizes < 0).any() or sizes.sum() != len(letters):
            raise ValueError("words that do not fit")
        ends = np.cumsum(sizes).tolist()
        spans = zip([0, *ends], ends, strict=False)
        return [letters[start:end].decode("utf-8", "surrogatepass") for start, end in spans]
    if kind in ("list", "tuple"):
        return each(held) if kind == "list" else tuple(each(held))
    if kind == "record":
        return records[value["type"]](*each(held))
    if kind == "dict":
        return {
            decode(k, tensors, records, depth + 1): decode(v, tensors, records, depth + 1)
            for k, v in held
        }
    if kind == "random":
        position, has_gauss, gauss = value["at"]
        state = np.random.RandomState()
        state.set_state(("MT19937", tensors[held], position, has_gauss, float.fromhex(gauss)))
        return state
    if kind == "csr":
        return _csr([tensors[f"{held}.{part}"] for part in ("data", "indices", "indptr")], value)
    raise ValueError(f"{kind!r:.50} is no kind of value")


def _csr(parts: list[np.ndarray], value: dict[str, Any]) -> Any:
    """A CSR matrix whose every index is within bounds: compiled loops do not look."""
    from scipy.sparse import csr_array

    matrix = csr_array(tuple(parts), shape=tuple(value["shape"]))
    matrix.check_format(full_check=True)
    return matrix
