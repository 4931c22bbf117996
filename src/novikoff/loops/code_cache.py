"""Compiled code on disk, which may be damaged, full or gone: then code is compiled, no more.

Every file ends in a SHA-256 of what comes before it. What does not fit it is not even unpickled.
"""

from __future__ import annotations

import hashlib
import pickle
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import (
    CompileResultCacheImpl,
    FunctionCache,
    IndexDataCacheFile,
    UserProvidedCacheLocator,
)

DIGEST = hashlib.sha256().digest_size
_CONFIGURING = threading.Lock()


class _Implementation(CompileResultCacheImpl):
    _locator_classes = [UserProvidedCacheLocator]  # noqa: RUF012 - as numba has it


class _CheckedFiles(IndexDataCacheFile):
    """An index and its data files, each read only as it was written."""

    def _dump(self, obj: Any) -> bytes:
        content: bytes = super()._dump(obj)
        return content + hashlib.sha256(content).digest()

    def _load_index(self) -> dict[Any, Any]:
        try:
            content = Path(self._index_path).read_bytes()
        except FileNotFoundError:
            return {}
        version = pickle.dumps(self._version, protocol=-1)
        if not content.startswith(version):
            return {}
        stamp, overloads = self._checked(content[len(version) :])
        return dict(overloads) if stamp == self._source_stamp else {}

    def _load_data(self, name: str) -> Any:
        return self._checked(Path(self._data_path(name)).read_bytes())

    def _checked(self, content: bytes) -> Any:
        if hashlib.sha256(content[:-DIGEST]).digest() != content[-DIGEST:]:
            raise ValueError("the compiled code was damaged")
        return pickle.loads(content[:-DIGEST])


class CodeCache(FunctionCache):
    """numba's cache of one function, which fails at nothing."""

    _impl_class = _Implementation

    def __init__(self, function: Any, folder: Path) -> None:
        config: Any = numba.config
        with _CONFIGURING:  # the folder is a global setting while numba is told of it
            kept = config.CACHE_DIR
            config.CACHE_DIR = str(folder)
            try:
                super().__init__(function)
            finally:
                config.CACHE_DIR = kept
        plain = self._cache_file
        self._cache_file = _CheckedFiles(
            self._cache_path, self._impl.filename_base, plain._source_stamp
        )

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # a damaged file fails in a hundred ways
            with suppress(Exception):
                self.flush()  # so that the next process finds what this one compiles
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        with suppress(Exception):  # a full disk is no reason to fail a computation
            super().save_overload(sig, data)


def keep_on_disk(compiled: Any, folder: Path) -> None:
    """Let a function that numba compiles keep its code in the folder, if that can be."""
    with suppress(Exception):
        compiled._cache = CodeCache(compiled.py_func, folder)
