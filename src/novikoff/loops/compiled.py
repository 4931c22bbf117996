"""One source, two speeds.

Calling a decorated loop runs it interpreted, at once: right for a lecture's six rows.
Its `fast` form is the same function compiled by numba on first use: right for millions.
Compiled code is kept in numba's own cache on disk, in a folder named after the sources of all
loops, because numba itself does not notice that a callee in another file has changed.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import threading
import types
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import cache, cached_property
from pathlib import Path
from typing import Any

INTERPRETED_WORK = 200_000  # multiply-adds: less than what importing numba costs
NO_COMPILER = (
    "numba is not installed, so loops run interpreted: the same answers, but about a hundred times "
    "slower on large data. pip install numba, where there is one for this Python, makes them fast."
)
SMALL_WORKS_BEFORE_COMPILING = 10  # of so much work, before small work is no longer small
_CONFIGURING = threading.Lock()


class Loop:
    """A function over arrays: interpreted when called, compiled through `fast`."""

    def __init__(self, function: types.FunctionType, options: dict[str, Any]) -> None:
        self.function = function
        self.options = {"nogil": True, **options}
        self.spent = 0.0  # on interpreted work
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__

    def __call__(self, *args: Any) -> Any:
        return self.function(*args)

    @cached_property
    def fast(self) -> Callable[..., Any]:
        """The compiled form; every loop that this one calls is compiled with it.

        Without numba it is the interpreted one: the same answers, slowly.
        """
        if not has_compiler():
            return self
        made = _jit(self.over_fast_loops(), self.options)
        _keep_on_disk(made)
        return made

    @cached_property
    def inner(self) -> Callable[..., Any]:
        """The compiled form that other loops call.

        Python cannot call it and it is kept with its callers, not by itself: that halves the time
        that compiling takes.
        """
        only = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        return _jit(self.over_fast_loops(), {**self.options, **only})

    def for_work(self, operations: float) -> Callable[..., Any]:
        """The fast form where it pays, or is ready already; else the interpreted one.

        Much small work is large work: it is added up.
        """
        if "fast" in self.__dict__ or operations > INTERPRETED_WORK:
            return self.fast
        self.spent += operations
        return self.fast if self.spent > SMALL_WORKS_BEFORE_COMPILING * INTERPRETED_WORK else self

    def over_fast_loops(self) -> types.FunctionType:
        """The same function over globals in which every other loop is its inner form.

        And float is float64 in it: numba would leave float(x) of a float32 as narrow as it was,
        where Python makes it a double. Bounds on rounding speak of doubles.
        """
        import numpy as np

        names = self.function.__code__.co_names
        called = {
            name: value.inner
            for name, value in self.function.__globals__.items()
            if name in names and isinstance(value, Loop)
        }
        rebuilt = types.FunctionType(
            self.function.__code__,
            {**self.function.__globals__, **called, "float": np.float64},
            self.__name__,
            self.function.__defaults__,
        )
        rebuilt.__qualname__ = self.function.__qualname__
        rebuilt.__module__ = self.function.__module__
        return rebuilt


class LoopByLayout(Loop):
    """A function with one body per layout of rows; the type of the first argument picks."""

    def __init__(self, bodies: dict[type, Loop]) -> None:
        first = next(iter(bodies.values()))
        super().__init__(first.function, first.options)
        self.bodies = bodies

    def __call__(self, rows: Any, *args: Any) -> Any:
        return self.bodies[type(rows)].function(rows, *args)

    @property
    def fast(self) -> Callable[..., Any]:
        return self.inner if has_compiler() else self

    @cached_property
    def inner(self) -> Callable[..., Any]:
        from numba.extending import overload

        bodies = {layout: body.over_fast_loops() for layout, body in self.bodies.items()}

        def by_layout(*args: Any) -> Any:  # stands for this loop in compiled callers
            return self(*args)

        def choose(rows: Any, *_others: Any) -> Any:
            return bodies[rows.instance_class]

        # numba compares the two by their parameters.
        choose.__signature__ = inspect.signature(self.function)  # type: ignore[attr-defined]
        options: Any = self.options
        overload(by_layout, jit_options=options)(choose)
        return by_layout


def compiled(function: Any = None, **options: Any) -> Any:
    """Make a loop of a function. `options` go to numba, such as `fastmath={"reassoc"}`."""
    if function is None:
        return lambda wrapped: Loop(wrapped, options)
    return Loop(function, options)


@cache
def has_compiler() -> bool:
    """Whether numba is there; if it is not, that is said once."""
    try:
        import numba  # noqa: F401
    except ImportError:
        warnings.warn(NO_COMPILER, RuntimeWarning, stacklevel=2)
        return False
    return True


def _jit(function: types.FunctionType, options: dict[str, Any]) -> Callable[..., Any]:
    import numba

    made: Callable[..., Any] = numba.njit(**options)(function)
    return made


def _keep_on_disk(dispatcher: Any) -> None:
    """Let numba keep the code that it compiles for this function, where there is a folder.

    A cache that is damaged, full or gone is no reason to fail: code is then compiled, no more.
    """
    from numba.core.caching import FunctionCache

    class SafeCache(FunctionCache):
        def load_overload(self, sig: Any, target_context: Any) -> Any:
            try:
                return super().load_overload(sig, target_context)
            except Exception:  # a damaged file fails in a hundred ways
                with suppress(Exception):
                    self.flush()  # so that the next process finds what this one compiles
                return None

        def save_overload(self, sig: Any, data: Any) -> None:
            with suppress(Exception):
                super().save_overload(sig, data)

    import numba

    config: Any = numba.config
    folder = _cache_folder()
    if folder is None:
        return
    with _CONFIGURING, suppress(Exception):  # the folder is a global setting while numba reads it
        kept, config.CACHE_DIR = config.CACHE_DIR, str(folder)
        try:
            dispatcher._cache = SafeCache(dispatcher.py_func)
        finally:
            config.CACHE_DIR = kept


@cache
def _cache_folder() -> Path | None:
    """A folder for compiled code, new whenever a source of a loop is changed.

    None where there is no home, or no place in it: code is then compiled by every process.
    """
    here = Path(__file__).parent
    digest = hashlib.sha256()
    try:
        for path in [*sorted(here.glob("*.py")), here.parent / "exact" / "bounds.py"]:
            digest.update(path.read_bytes())
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        folder = Path(base) / "novikoff" / digest.hexdigest()[:16]
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):  # Path.home() knows no home
        return None
    return folder if os.access(folder, os.W_OK) else None
