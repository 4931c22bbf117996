"""The sums of a tile, in registers, while the rows of the next tile come from memory.

A core multiplies as long as it reads: one after the other they take twice as long as together. A
processor that sees a row's first numbers fetches the next ones by itself, but rows are short and a
tile reads four at once, so it hardly gets going. Here the loop asks for numbers of the next tile
as it multiplies those of this one. Numba has no word for that, and would not keep sums in registers
around it: so this one loop is written in LLVM's language.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from novikoff.loops.compiled import Loop

FREE = ("reassoc", "contract")  # sum in any order, fuse products and sums
INTO_SECOND_CACHE = 2


class Emitted(Loop):
    """A function whose fast form is written in LLVM's language. Others have to be compiled with it,
    so it is for loops to call."""

    def __init__(self, function: Any, emit: Callable[..., Any]) -> None:
        super().__init__(function, {})
        self.emit = emit

    @cached_property
    def inner(self) -> Callable[..., Any]:
        from numba.core import types
        from numba.extending import intrinsic

        def typed(_context: Any, rows: Any, weights: Any, ahead: Any, sums: Any) -> Any:
            return types.void(rows, weights, ahead, sums), self.emit

        return intrinsic(typed)


def _tile_sums(rows: Any, weights: Any, _ahead: Any, sums: np.ndarray) -> None:
    """sums[b, a] = rows[a]·weights[b], summed in any order; weights may be longer than the rows.

    `rows`, `weights` and `ahead` are tuples of arrays, and `sums` has room for just these sums.
    The rows `ahead`, which are as long, are on their way to the cache afterwards.
    """
    for b, w in enumerate(weights):
        for a, row in enumerate(rows):
            sums[b, a] = row.astype(np.float64) @ w[: len(row)].astype(np.float64)


def _measured_tile_sums(rows: Any, weights: Any, ahead: Any, sums: np.ndarray) -> None:
    """The same, and sums[len(weights), a] = rows[a]·rows[a]."""
    _tile_sums(rows, weights, ahead, sums)
    for a, row in enumerate(rows):
        sums[len(weights), a] = row.astype(np.float64) @ row.astype(np.float64)


def _emitter(measured: bool) -> Callable[..., Any]:
    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        from llvmlite import ir

        rows, weights, ahead = (
            _Vectors(context, builder, kind, arg)
            for kind, arg in zip(signature.args[:3], args[:3], strict=True)
        )
        word, double = ir.IntType(64), ir.DoubleType()
        sums = context.make_array(signature.args[3])(context, builder, args[3]).data
        length = rows.length
        width = _register_width()
        whole = builder.sub(length, builder.urem(length, ir.Constant(word, width)))
        for n, first, end in ((width, ir.Constant(word, 0), whole), (1, whole, length)):
            before, body, after = builder.block, *map(builder.append_basic_block, ("sum", "summed"))
            zeros = ir.Constant(ir.VectorType(double, n), [0.0] * n)
            builder.cbranch(builder.icmp_unsigned("<", first, end), body, after)
            builder.position_at_end(body)
            j = builder.phi(word)
            j.add_incoming(first, before)
            n_sums = len(rows) * (len(weights) + measured)
            olds = [builder.phi(zeros.type) for _ in range(n_sums)]
            for pointer in ahead.pointers:
                _ask_for(builder, builder.gep(pointer, [j]))
            x, news = [rows.load(a, j, n) for a in range(len(rows))], list[Any]()
            for b in range(len(weights) + measured):
                w = [weights.load(b, j, n)] * len(rows) if b < len(weights) else x
                for a in range(len(rows)):
                    product = builder.fmul(x[a], w[a], flags=FREE)
                    news.append(builder.fadd(olds[len(news)], product, flags=FREE))
            following = builder.add(j, ir.Constant(word, n))
            j.add_incoming(following, body)
            for old, new in zip(olds, news, strict=True):
                old.add_incoming(zeros, before)
                old.add_incoming(new, body)
            builder.cbranch(builder.icmp_unsigned("<", following, end), body, after)
            builder.position_at_end(after)
            totals = [builder.phi(zeros.type) for _ in news]
            for total, new in zip(totals, news, strict=True):
                total.add_incoming(zeros, before)
                total.add_incoming(new, body)
            for k, total in enumerate(totals):
                place = builder.gep(sums, [ir.Constant(word, k)])
                start = ir.Constant(double, 0.0) if n > 1 else builder.load(place)
                builder.store(_sum_of(builder, total, start), place)
        return context.get_dummy_value()

    return emit


class _Vectors:
    """The arrays of a tuple, loaded some numbers at a time, as doubles."""

    def __init__(self, context: Any, builder: Any, kind: Any, arg: Any) -> None:
        make = context.make_array(kind.dtype)
        arrays = [make(context, builder, builder.extract_value(arg, k)) for k in range(kind.count)]
        self.builder, self.kind = builder, context.get_data_type(kind.dtype.dtype)
        self.size = kind.dtype.dtype.bitwidth // 8
        self.pointers = [array.data for array in arrays]
        self.length = builder.extract_value(arrays[0].shape, 0)

    def __len__(self) -> int:
        return len(self.pointers)

    def load(self, k: int, j: Any, n: int) -> Any:
        from llvmlite import ir

        place = self.builder.gep(self.pointers[k], [j])
        place = self.builder.bitcast(place, ir.VectorType(self.kind, n).as_pointer())
        loaded = self.builder.load(place, align=self.size)
        doubles = ir.VectorType(ir.DoubleType(), n)
        return loaded if self.size == 8 else self.builder.fpext(loaded, doubles)


def _ask_for(builder: Any, pointer: Any) -> None:
    """Let what is there be fetched, without waiting for it; any address will do."""
    from llvmlite import ir

    address, number = ir.IntType(8).as_pointer(), ir.IntType(32)
    kind = ir.FunctionType(ir.VoidType(), [address, number, number, number])
    prefetch = builder.module.declare_intrinsic("llvm.prefetch", [address], kind)
    options = [ir.Constant(number, k) for k in (0, INTO_SECOND_CACHE, 1)]  # to read; data, not code
    builder.call(prefetch, [builder.bitcast(pointer, address), *options])


def _sum_of(builder: Any, vector: Any, start: Any) -> Any:
    from llvmlite import ir
    from numba.core.cgutils import get_or_insert_function

    kind = ir.FunctionType(start.type, [start.type, vector.type])
    name = f"llvm.vector.reduce.fadd.v{vector.type.count}f64"
    reduce = get_or_insert_function(builder.module, kind, name)
    return builder.call(reduce, [start, vector], fastmath=FREE)


def _register_width() -> int:
    """How many doubles a register of this processor holds."""
    from llvmlite import binding

    features = binding.get_host_cpu_features()
    return 8 if features.get("avx512f") else 4 if features.get("avx") else 2


tile_sums = Emitted(_tile_sums, _emitter(measured=False))
measured_tile_sums = Emitted(_measured_tile_sums, _emitter(measured=True))
