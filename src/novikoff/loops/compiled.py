"""One source, two speeds.

Calling a decorated loop runs it interpreted, at once: right for a lecture's six rows.
Its `fast` form is the same function compiled by numba on first use: right for millions.
Compiled code is cached on disk, under a key made of the sources of a loop and of all loops
that it uses, because numba itself does not notice that a callee in another file has changed.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import re
import sys
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
PATIENCE = 10  # so many times that may be spent on small work before it is no longer small
BLAS = "scipy.linalg.cython_blas"  # which numba imports at its first use, for loops of other people
alone = False  # whether nothing but novikoff runs in this process; the command line sets it


class Loop:
    """A function over arrays: interpreted when called, compiled through `fast`."""

    def __init__(
        self,
        function: types.FunctionType,
        options: dict[str, Any],
        at_once: Callable[..., Any] | None = None,
    ) -> None:
        self.function = function
        self.interpreted = at_once or function
        self.options = options
        self.spent = 0.0  # on interpreted work
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__

    def __call__(self, *args: Any) -> Any:
        return self.interpreted(*args)

    @cached_property
    def fast(self) -> Callable[..., Any]:
        """The compiled form; every loop that this one calls is compiled with it.

        Without numba it is the interpreted one: the same answers, slowly.
        """
        if not has_compiler():
            return self
        made = _jit(self.over_fast_loops(), self.options)
        folder = _cache_folder(self.function.__code__.co_filename)
        if folder is not None:
            with suppress(ImportError):  # of what another version of numba may not have
                from novikoff.loops.code_cache import keep_on_disk

                keep_on_disk(made, folder)
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
        return self.fast if self.spent > PATIENCE * INTERPRETED_WORK else self

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

    def __init__(
        self, function: types.FunctionType, bodies: dict[type, Loop], options: dict[str, Any]
    ) -> None:
        super().__init__(function, options)
        self.bodies = bodies

    def __call__(self, rows: Any, *args: Any) -> Any:
        return self.bodies[type(rows)].interpreted(rows, *args)

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
        options: Any = _numba_options(self.options)
        overload(by_layout, jit_options=options)(choose)
        return by_layout


def compiled(
    function: Any = None, *, at_once: Callable[..., Any] | None = None, **options: Any
) -> Any:
    """Make a loop of a function. `options` go to numba, such as `fastmath={"reassoc"}`.

    `at_once` does the same for many rows at a time, where Python would take them one by one.
    """
    if function is None:
        return lambda wrapped: Loop(wrapped, options, at_once)
    return Loop(function, options, at_once)


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

    if alone:
        _spare_blas()
    jit: Any = numba.njit(**_numba_options(options))
    made: Callable[..., Any] = jit(function)
    return made


def _numba_options(options: dict[str, Any]) -> dict[str, Any]:
    """What numba is told of a loop.

    Numba counts the references to each array at each call, which costs more than many a call does.
    A loop that `borrows` makes no array, nor calls what makes one for it: nothing is counted there.
    It is always said, for else a loop would do as its first caller does.
    """
    from numba.core.options import DefaultOptions

    told = {"nogil": True, **options}
    borrows = told.pop("borrows", False)
    return {**told, "_nrt": not borrows} if hasattr(DefaultOptions, "_nrt") else told


@cache
def _spare_blas() -> None:
    """Let numba start without scipy.linalg, a quarter of its start: no loop here multiplies
    matrices. It would fall back to loops of its own for those of others, hence `alone`."""
    if BLAS in sys.modules:
        return
    sys.modules[BLAS] = None  # type: ignore[assignment] # so that its import fails at once
    try:
        with suppress(ImportError):
            import numba.np.arraymath  # noqa: F401
    finally:
        del sys.modules[BLAS]


@cache
def _cache_folder(source: str) -> Path | None:
    """A folder for code compiled from this file, new whenever it or a loop it uses is changed.

    None where there is no home, or no place in it: code is then compiled by every process.
    """
    digest = hashlib.sha256()
    try:
        for path in sorted(_sources(Path(source))):
            digest.update(path.read_bytes())
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        folder = Path(base) / "novikoff" / f"{Path(source).stem}-{digest.hexdigest()[:16]}"
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):  # Path.home() knows no home
        return None
    return folder if os.access(folder, os.W_OK) else None


def _sources(path: Path) -> set[Path]:
    """The file and all files of loops and bounds that it imports, directly or not."""
    found, waiting = set[Path](), [path, Path(__file__)]
    while waiting:
        source = waiting.pop()
        if source not in found and source.is_file():
            found.add(source)
            text, package = source.read_text(encoding="utf-8"), Path(__file__).parents[1]
            named = re.findall(r"novikoff\.(exact|loops)\.(\w+)", text)
            waiting += [package / folder / f"{stem}.py" for folder, stem in named]
    return found
