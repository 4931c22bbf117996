"""Model files: safetensors, which holds numbers and text and can run nothing.

Arrays are tensors; everything else is one line of sorted JSON in the file's header, with a
digest of both, so equal models give equal bytes and a changed byte is noticed. Reading makes
only the classes of this package and sets only plain values, arrays and CSR matrices.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from novikoff.errors import FileError, InputError
from novikoff.estimators.kernel_tape import DualTape
from novikoff.estimators.kernel_values import Kernel

FORMAT, VERSION, KEY = "novikoff model", 1, "novikoff"
MOST_DEPTH = 20
RECORDS: dict[str, Any] = {"DualTape": DualTape, "Kernel": Kernel}


def save_model(estimator: Any, path: str | os.PathLike[str]) -> None:
    """Write a fitted estimator: whole, or not at all."""
    from safetensors.numpy import save

    tensors: dict[str, np.ndarray] = {}
    parameters = estimator.get_params(deep=False)
    fitted = {name: value for name, value in vars(estimator).items() if name not in parameters}
    head = {
        "format": FORMAT,
        "version": VERSION,
        "class": type(estimator).__name__,
        "parameters": {n: _encode(v, f"parameter {n}", tensors) for n, v in parameters.items()},
        "fitted": {n: _encode(v, n, tensors) for n, v in fitted.items()},
    }
    head["digest"] = _digest(head, tensors)
    write_whole(path, save(tensors, {KEY: _text(head)}))


def load_model(path: str | os.PathLike[str], classes: dict[str, type]) -> Any:
    """The estimator in a model file; FileError says what is wrong with the file."""
    from safetensors import SafetensorError, safe_open

    if not Path(path).is_file():
        raise FileError(f"{path} does not exist or is not a file.")
    try:
        with safe_open(path, framework="numpy") as file:
            metadata = file.metadata() or {}
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (SafetensorError, OSError, ValueError, TypeError) as error:
        raise FileError(f"{path} is not a whole safetensors file ({error}).") from None
    try:
        head = json.loads(metadata[KEY])
        if head["format"] != FORMAT:
            raise KeyError
    except (KeyError, TypeError, ValueError, RecursionError):
        raise FileError(f"{path} is a safetensors file, but no novikoff model.") from None
    if head.get("version") != VERSION:
        raise FileError(f"{path} has version {head.get('version')!r}; {VERSION} can be read here.")
    if _digest({k: v for k, v in head.items() if k != "digest"}, tensors) != head.get("digest"):
        raise FileError(f"{path} has been changed since it was saved: its digest is another.")
    kind = head.get("class")
    if not isinstance(kind, str) or kind not in classes:
        raise FileError(f"{path} holds a {kind!r}; known are {', '.join(sorted(classes))}.")
    try:
        parameters = {n: _decode(v, tensors) for n, v in head["parameters"].items()}
        estimator = classes[kind](**parameters)
        for name, value in head["fitted"].items():
            if not (isinstance(name, str) and name.isidentifier() and not name.startswith("__")):
                raise ValueError(f"{name!r} is no attribute")
            setattr(estimator, name, _decode(value, tensors))
        _check_shapes(estimator)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError) as error:
        raise FileError(f"{path} holds a {kind} that does not fit together ({error}).") from None
    return estimator


def write_whole(path: str | os.PathLike[str], content: bytes) -> None:
    """Write to a temporary name, sync, then rename: a reader sees the old file or the new one."""
    target = Path(path)
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent or ".")
    except OSError as error:
        raise FileError(f"cannot write {target}: {error.strerror}.") from None
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise FileError(f"cannot write {target}: {error.strerror}.") from None


def _text(head: dict[str, Any]) -> str:
    return json.dumps(head, sort_keys=True, allow_nan=False, separators=(",", ":"))


def _digest(head: dict[str, Any], tensors: dict[str, np.ndarray]) -> str:
    hasher = hashlib.sha256(_text(head).encode())
    for name in sorted(tensors):
        array = tensors[name]
        hasher.update(f"\n{name} {array.dtype.str} {array.shape}\n".encode())
        hasher.update(np.ascontiguousarray(array).tobytes())
    return hasher.hexdigest()


def _encode(value: Any, name: str, tensors: dict[str, np.ndarray]) -> Any:
    """`value` as JSON; arrays of numbers go to `tensors`."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return value if abs(value) < 2**53 else {"integer": hex(value)}
    if isinstance(value, float):
        return {"float": value.hex() if math.isfinite(value) else str(value)}
    if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
        tensors[name] = np.ascontiguousarray(value)
        return {"tensor": name}
    if isinstance(value, np.ndarray) and value.ndim == 1:
        items = [_encode(item, f"{name}[{i}]", tensors) for i, item in enumerate(value.tolist())]
        return {"array": items, "dtype": value.dtype.str}
    if type(value).__name__ in RECORDS:
        fields = [getattr(value, field) for field in _fields(type(value))]
        items = [_encode(item, f"{name}.{i}", tensors) for i, item in enumerate(fields)]
        return {"record": items, "type": type(value).__name__}
    if isinstance(value, (list, tuple)):
        items = [_encode(item, f"{name}[{i}]", tensors) for i, item in enumerate(value)]
        return {"list" if isinstance(value, list) else "tuple": items}
    if isinstance(value, dict):
        return {
            "dict": [
                [_encode(k, f"{name}.key{i}", tensors), _encode(v, f"{name}.{i}", tensors)]
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


def _decode(value: Any, tensors: dict[str, np.ndarray], depth: int = 0) -> Any:
    if depth > MOST_DEPTH:
        raise ValueError("nested too deeply")
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if not isinstance(value, dict):
        raise ValueError(f"{value!r:.50} is no value")
    kind = next((name for name in value if name not in ("at", "shape", "dtype", "type")), "")
    held: Any = value.get(kind)

    def each(items: Any) -> list[Any]:
        return [_decode(item, tensors, depth + 1) for item in items]

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
        array = np.empty(len(held), dtype=dtype)
        array[:] = each(held)
        return array
    if kind in ("list", "tuple"):
        return each(held) if kind == "list" else tuple(each(held))
    if kind == "record":
        return RECORDS[value["type"]](*each(held))
    if kind == "dict":
        return {_decode(k, tensors, depth + 1): _decode(v, tensors, depth + 1) for k, v in held}
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


def _check_shapes(estimator: Any) -> None:
    """Raise ValueError unless everything fits together: compiled loops do not look."""
    classes, columns = len(estimator.classes_), estimator.n_features_in_
    lines = (1, classes) if classes == 2 else (max(classes, 1),)
    for weights, offsets in (("coef_", "intercept_"), ("last_coef_", "last_intercept_")):
        if hasattr(estimator, weights):
            coef, intercept = getattr(estimator, weights), getattr(estimator, offsets)
            _expect(coef.ndim == 2 and coef.shape[1] == columns, f"{weights} of {coef.shape}")
            _expect(len(coef) in lines, f"{len(coef)} lines for {classes} classes")
            _expect(intercept.shape == (len(coef),), f"{offsets} of {intercept.shape}")
            _expect(bool(np.isfinite(coef).all() and np.isfinite(intercept).all()), "not finite")
    if hasattr(estimator, "tape_"):
        tape, support = estimator.tape_, estimator.support_
        sizes = {len(part) for part in tape}
        _expect(sizes == {len(estimator.survival_)} or estimator.survival_.size == 0, "the tape")
        _expect(_within(tape.members, len(support)), "a member of the tape")
        _expect(_within(tape.lines, max(lines)), "a line of the tape")
        vectors = estimator.support_vectors_
        if vectors.shape[0]:
            _expect(vectors.shape == (len(support), columns), f"support of {vectors.shape}")
        elif len(support):
            _expect(_within(support, columns), "a row of the support")


def _within(numbers: np.ndarray, end: int) -> bool:
    whole = numbers.dtype.kind in "iu"
    return whole and (not numbers.size or bool(numbers.min() >= 0 and numbers.max() < end))


def _expect(true: bool, what: str) -> None:
    if not true:
        raise ValueError(f"{what} does not fit")
