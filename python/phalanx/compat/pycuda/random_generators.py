"""Generators of random numbers on the device: their states, and what is the same for all kinds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ... import _engine
from . import random_text, sobol_vectors
from .compiler import SourceModule
from .context import Context, Stream
from .flags import device_attribute
from .kernel_text import passed_for_vector
from .memory import from_device, mem_alloc
from .tools import context_dependent_memoize

_PER_BLOCK = 256  # generators
_BLOCKS_PER_MULTIPROCESSOR = 4
_FLOATS = {"float32": "float", "float64": "double"}


@context_dependent_memoize
def _module(kind: random_text.Kind) -> SourceModule:
    return SourceModule(random_text.source(kind), no_extern_c=True)


@context_dependent_memoize
def _state_size(kind: random_text.Kind) -> int:
    """The bytes of a state, as the compiler pads it."""
    output = mem_alloc(8)
    _module(kind).get_function("state_size")(output, block=(1, 1, 1))
    return int(from_device(output, (), np.uintp))


def seed_getter_unique(n: int) -> Any:
    """A `GPUArray` of `n` random int32."""
    from .gpuarray import to_gpu

    return to_gpu(np.random.randint(0, 2**31 - 1, n).astype(np.int32))  # noqa: NPY002


class Generators:
    """Generators on the device, one for each thread of `block_count` blocks."""

    _kind: random_text.Kind
    _skip_bits = 64
    has_box_muller = False

    def __init__(self, most: int = 1 << 30) -> None:
        cores = Context.get_device().get_attribute(device_attribute["MULTIPROCESSOR_COUNT"])
        is_host = _engine.current_device().is_host
        self.block_count = cores if is_host else cores * _BLOCKS_PER_MULTIPROCESSOR
        self.generators_per_block = _PER_BLOCK
        while self._count > most and self.generators_per_block > 32:
            self.generators_per_block //= 2
        self.block_count = min(self.block_count, most // self.generators_per_block)
        self.generator_bits = self._kind.bits
        self.module = _module(self._kind)
        self.state = mem_alloc(self._count * _state_size(self._kind))

    @property
    def _count(self) -> int:
        return self.block_count * self.generators_per_block

    def _run(self, name: str, stream: Stream | None, *args: Any) -> None:
        kernel = self.module.get_function(name)
        grid, block = (self.block_count, 1), (self.generators_per_block, 1, 1)
        kernel.prepared_async_call(grid, block, stream, self.state, *args)

    def _fill(
        self, name: str, data: Any, stream: Stream | None, *args: Any, is_paired: bool = False
    ) -> None:
        memory, size = passed_for_vector(data, "data", type(self).__name__), int(data.size)
        if is_paired and self.has_box_muller and size % 2 == 0:
            name, size = f"{name}2", size // 2
        if size:
            self._run(name, stream, memory, *args, size)

    def _suffix(self, data: Any, what: str, names: dict[str, str]) -> str:
        try:
            return names[data.dtype.name]
        except KeyError:
            raise NotImplementedError(
                f"{what} makes no numbers of {data.dtype}, but {', '.join(names)}"
            ) from None

    def fill_uniform(self, data: Any, stream: Stream | None = None) -> None:
        """Fills an array with numbers between 0 and 1; of integers, with all their values.

        Raises `NotImplementedError` for other dtypes than float32, float64, int32 and uint32; of
        generators of 64 bits there are int64 and uint64, too.
        """
        names = {"float32": "float", "float64": "double", "int32": "int", "uint32": "int"}
        if self.generator_bits == 64:
            names |= {"int64": "long", "uint64": "long"}
        self._fill(f"uniform_{self._suffix(data, 'fill_uniform', names)}", data, stream)

    def fill_normal(self, data: Any, stream: Stream | None = None) -> None:
        """Fills an array of float32 or float64 with normally distributed numbers."""
        suffix = self._suffix(data, "fill_normal", _FLOATS)
        self._fill(f"normal_{suffix}", data, stream, is_paired=True)

    def fill_log_normal(
        self, data: Any, mean: float, stddev: float, stream: Stream | None = None
    ) -> None:
        """Fills an array with numbers whose logarithm has that mean and standard deviation."""
        suffix = self._suffix(data, "fill_log_normal", _FLOATS)
        self._fill(f"log_normal_{suffix}", data, stream, mean, stddev, is_paired=True)

    def fill_poisson(
        self, data: Any, lambda_value: float | None = None, stream: Stream | None = None
    ) -> None:
        """Fills an array of uint32 with Poisson distributed numbers, whose mean is `lambda_value`.

        Without that the elements are the means, which are replaced; they may be float32 and float64
        as well.
        """
        if lambda_value is None:
            names = {**_FLOATS, "uint32": "int"}
            self._fill(f"poisson_of_{self._suffix(data, 'fill_poisson', names)}", data, stream)
        else:
            self._suffix(data, "fill_poisson with lambda_value", {"uint32": "int"})
            self._fill("poisson_int", data, stream, float(lambda_value))

    def gen_uniform(self, shape: Any, dtype: Any, stream: Stream | None = None) -> Any:
        """A new array, as `fill_uniform` fills it."""
        return self._made(shape, dtype, self.fill_uniform, stream=stream)

    def gen_normal(self, shape: Any, dtype: Any, stream: Stream | None = None) -> Any:
        """A new array, as `fill_normal` fills it."""
        return self._made(shape, dtype, self.fill_normal, stream=stream)

    def gen_log_normal(
        self, shape: Any, dtype: Any, mean: float, stddev: float, stream: Stream | None = None
    ) -> Any:
        """A new array, as `fill_log_normal` fills it."""
        return self._made(shape, dtype, self.fill_log_normal, mean, stddev, stream=stream)

    def gen_poisson(
        self, shape: Any, dtype: Any, lambda_value: float, stream: Stream | None = None
    ) -> Any:
        """A new array of uint32, as `fill_poisson` fills it."""
        return self._made(shape, dtype, self.fill_poisson, lambda_value, stream=stream)

    def _made(
        self, shape: Any, dtype: Any, fill: Callable[..., None], *args: Any, stream: Any
    ) -> Any:
        from .gpuarray import empty

        result = empty(shape, dtype)
        fill(result, *args, stream=stream)
        return result

    def call_skip_ahead(self, i: int, stream: Stream | None = None) -> None:
        """Skips `i` numbers of each generator. Raises `ValueError` for more than it can skip."""
        self._skip("skip_ahead", i, stream)

    def call_skip_ahead_array(self, i: Any, stream: Stream | None = None) -> None:
        """Skips as many numbers of each generator as the array says, of uint64 or int64.

        Raises `TypeError` for an array of another dtype or size.
        """
        self._skip_array("skip_ahead", i, stream)

    def _skip(self, name: str, i: int, stream: Stream | None) -> None:
        if not 0 <= int(i) < 1 << self._skip_bits:
            raise ValueError(f"{name}: {i} is not from 0 to below 2**{self._skip_bits}")
        self._run(name, stream, None, int(i))

    def _skip_array(self, name: str, i: Any, stream: Stream | None) -> None:
        if i.dtype not in (np.int64, np.uint64) or int(i.size) != self._count:
            raise TypeError(
                f"{name}: the array has {i.size} elements of {i.dtype}; it needs one of uint64 for "
                f"each generator, {self._count}: block_count * generators_per_block"
            )
        self._run(name, stream, passed_for_vector(i, "i", type(self).__name__), 0)


class PseudoRandom(Generators):
    """Generators that begin with seeds, each with a subsequence of its own."""

    has_box_muller = True

    def __init__(self, seed_getter: Callable[[int], Any] | None = None, offset: int = 0) -> None:
        from .gpuarray import GPUArray

        super().__init__()
        seeds = (seed_getter or seed_getter_unique)(self._count)
        is_right = isinstance(seeds, GPUArray) and seeds.dtype == np.int32
        if not is_right or int(seeds.size) != self._count:
            raise TypeError(f"seed must be GPUArray of {self._count} int32")
        if not 0 <= int(offset) < 1 << self._skip_bits:
            raise ValueError(f"offset {offset} is not from 0 to below 2**{self._skip_bits}")
        self._run("prepare", None, seeds.gpudata, int(offset))

    def call_skip_ahead_sequence(self, i: int, stream: Stream | None = None) -> None:
        """Skips `i` sequences of each generator: 2**67 numbers of XORWOW, 2**127 of MRG32k3a."""
        self._skip("skip_ahead_sequence", i, stream)

    def call_skip_ahead_sequence_array(self, i: Any, stream: Stream | None = None) -> None:
        """Skips as many sequences of each generator as the array says, of uint64 or int64."""
        self._skip_array("skip_ahead_sequence", i, stream)


class Sobol(Generators):
    """Generators of Sobol sequences, one dimension each."""

    def __init__(self, dir_vector: Any = None, offset: int = 0) -> None:
        super().__init__(most=sobol_vectors.MOST)
        self._prepare(dir_vector, None, offset)

    def _prepare(self, vectors: Any, shifts: Any, offset: int) -> None:
        bits = self.generator_bits
        if vectors is None:
            kind = sobol_vectors.direction_vector_set[f"VECTOR_{bits}"]
            vectors = sobol_vectors.generate_direction_vectors(self._count, kind)
        self._check(vectors, (self._count, bits), "dir_vector")
        if shifts is not None:
            self._check(shifts, (self._count,), "scramble_vector")
            shifts = shifts.gpudata
        self._run("prepare", None, vectors.gpudata, shifts, int(offset))

    def _check(self, given: Any, shape: tuple[int, ...], name: str) -> None:
        wanted = np.dtype(f"uint{self.generator_bits}")
        if getattr(given, "dtype", None) != wanted or tuple(given.shape) != shape:
            raise TypeError(f"{name} must be GPUArray of {wanted}, of the shape {shape}")


class ScrambledSobol(Sobol):
    """The same with a number for each sequence that all its points are combined with."""

    def __init__(
        self, dir_vector: Any = None, scramble_vector: Any = None, offset: int = 0
    ) -> None:
        Generators.__init__(self, most=sobol_vectors.MOST)
        if scramble_vector is None:
            make = getattr(sobol_vectors, f"generate_scramble_constants{self.generator_bits}")
            scramble_vector = make(self._count)
        self._prepare(dir_vector, scramble_vector, offset)
