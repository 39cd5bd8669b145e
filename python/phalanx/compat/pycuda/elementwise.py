"""`pycuda.elementwise`: kernels of an operation, in CUDA C, on each element of arrays."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import Any

import numpy as np

from .compiler import SourceModule
from .context import Stream
from .kernel_text import (
    HEADERS,
    SureElements,
    launch_shape,
    parsed_arguments,
    passed_for_all,
    user_text,
)
from .modules import Function, Module
from .tools import (
    Argument,
    ScalarArg,
    VectorArg,
    context_dependent_memoize,
    dtype_to_ctype,
    parse_arg_list,
)

__all__ = [
    "ElementwiseKernel", "ScalarArg", "VectorArg", "context_dependent_memoize", "dtype_to_ctype",
    "get_elwise_kernel", "get_elwise_kernel_and_types", "get_elwise_module",
    "get_elwise_range_module",
]  # fmt: skip

# Operations use these names: `i`, `n` or `start`, `stop`, `step`, and those of the threads.
_KERNEL = """{headers}{preamble}
extern "C" __global__ void {name}({parameters}) {{
  const size_t tid = threadIdx.x;
  const size_t total_threads = (size_t)gridDim.x * blockDim.x;
  const size_t cta_start = (size_t)blockDim.x * blockIdx.x;
  {index} i;
{loop_prep};
  for ({loop}) {{
{operation};
  }}
{after_loop};
}}
"""
_TEXTS = ("preamble", "loop_prep", "after_loop")
_ALL = "i = cta_start + tid; i < n; i += total_threads"
_RANGE = (
    "i = start + (long)(cta_start + tid) * step; step < 0 ? i > stop : i < stop; "
    "i += (long)total_threads * step"
)


def get_elwise_module(
    arguments: Sequence[Argument],
    operation: str,
    name: str = "kernel",
    keep: bool = False,
    options: Sequence[str] | None = None,
    **texts: str,
) -> SourceModule:
    """A module with a kernel that does the operation for ``i`` from 0 to ``n``.

    One of the arguments is ``n``. `texts` are `preamble`, before the kernel, `loop_prep`, before
    the loop over the elements, and `after_loop`. Raises `CompileError`.
    """
    source = _source(arguments, operation, name, ("size_t", _ALL), texts)
    return SourceModule(source, options=options, keep=keep, no_extern_c=True)


def get_elwise_range_module(
    arguments: Sequence[Argument],
    operation: str,
    name: str = "kernel",
    keep: bool = False,
    options: Sequence[str] | None = None,
    **texts: str,
) -> SourceModule:
    """The same for ``i`` from ``start`` to ``stop`` in steps of ``step``, which are arguments."""
    source = _source(arguments, operation, name, ("long", _RANGE), texts)
    return SourceModule(source, options=options, keep=keep, no_extern_c=True)


def _source(
    arguments: Sequence[Argument],
    operation: str,
    name: str,
    loop: tuple[str, str],
    texts: dict[str, str],
) -> str:
    if unknown := texts.keys() - _TEXTS:
        raise TypeError(f"a kernel has no text {min(unknown)!r}, but {', '.join(_TEXTS)}")
    texts = {**dict.fromkeys(_TEXTS, ""), **texts, "operation": operation}
    is_half = any(each.dtype == np.float16 for each in arguments)
    return _KERNEL.format(
        headers=HEADERS + ("#include <cuda_fp16.h>\n" if is_half else ""),
        name=name,
        parameters=", ".join(each.declarator() for each in arguments),
        index=loop[0],
        loop=loop[1],
        **{part: user_text(text, f"{name}, {part}") for part, text in texts.items()},
    )


def get_elwise_kernel_and_types(
    arguments: str | Sequence[Any],
    operation: str,
    name: str = "kernel",
    keep: bool = False,
    options: Sequence[str] | None = None,
    use_range: bool = False,
    **kwargs: Any,
) -> tuple[Module, Function, list[Argument]]:
    """The module, the kernel and its arguments: those given, and ``n``, or a range's three.

    `kwargs` are `preamble`, `loop_prep` and `after_loop`. Raises `ValueError` for arguments that
    cannot be parsed and `CompileError` for wrong text.
    """
    every = parse_arg_list(arguments)
    if use_range:
        every += [ScalarArg(np.intp, each) for each in ("start", "stop", "step")]
    else:
        every.append(ScalarArg(np.uintp, "n"))
    make = get_elwise_range_module if use_range else get_elwise_module
    module = make(every, operation, name, keep, options, **kwargs)
    function = module.get_function(name)
    function.prepare("".join(each.struct_char for each in every))
    return module, function, every


def get_elwise_kernel(
    arguments: str | Sequence[Any],
    operation: str,
    name: str = "kernel",
    keep: bool = False,
    options: Sequence[str] | None = None,
    **kwargs: Any,
) -> Function:
    """The kernel alone, prepared: its last argument is ``n``."""
    return get_elwise_kernel_and_types(arguments, operation, name, keep, options, **kwargs)[1]


class ElementwiseKernel:
    """A kernel that does an operation, in CUDA C, for each element of its arrays.

    `arguments` are a list of parameters in C: pointers are arrays, which the operation indexes by
    ``i``, and others values. `operation` is a statement, or several, without the last semicolon.
    `name` is the kernel's, `keep` and `options` are those of `SourceModule`, and `preamble` is text
    before the kernel. `loop_prep` comes before the loop over the elements, `after_loop` after it.

    The first call compiles. Raises `ValueError` for arguments that cannot be parsed, or without an
    array.
    """

    def __init__(
        self,
        arguments: str | Sequence[Any],
        operation: str,
        name: str = "kernel",
        keep: bool = False,
        options: Sequence[str] | None = None,
        **kwargs: Any,
    ) -> None:
        if unknown := kwargs.keys() - _TEXTS:
            raise TypeError(f"ElementwiseKernel has no keyword argument {min(unknown)!r}")
        self.name = name
        self._arguments = parsed_arguments(arguments, name)
        before = kwargs.get("loop_prep", "")
        self._elements = SureElements(self._arguments, f"{before};{operation}")
        self._generation = dict(kwargs, operation=operation, name=name, keep=keep, options=options)
        self._made: dict[bool, tuple[Module, Function, list[Argument]]] = {}

    def generate_stride_kernel_and_types(
        self, use_range: bool
    ) -> tuple[Module, Function, list[Argument]]:
        """As `get_elwise_kernel_and_types`; compiles the first time. Raises `CompileError`."""
        if use_range not in self._made:
            self._made[use_range] = get_elwise_kernel_and_types(
                self._arguments, use_range=use_range, **self._generation
            )
        return self._made[use_range]

    def get_texref(self, name: str, use_range: bool = False) -> Any:
        """Raises `LogicError`: texture references are gone from CUDA."""
        return self.generate_stride_kernel_and_types(use_range)[0].get_texref(name)

    def __call__(
        self,
        *args: Any,
        range: Any = None,
        slice: Any = None,
        stream: Stream | None = None,
    ) -> None:
        """Does the operation for all elements of the first array.

        `range`, a slice object, says for which ``i`` instead; `slice` does, too, cut to the array
        and with negative indices from its end. With a stream it is queued there.

        Raises `TypeError` for arguments that do not fit and arrays of other dtypes, `ValueError`
        for an array that has fewer elements than the operation uses, `RuntimeError` for arrays with
        gaps, and `CompileError` in the first call.
        """
        passed, first = passed_for_all(args, self._arguments, self.name)
        size = int(first.size)
        if slice is not None:
            if range is not None:
                raise TypeError("may not specify both range and slice keyword arguments")
            range = builtins.slice(*slice.indices(size))
        if range is None:
            indices, numbers = builtins.range(size), [size]
        else:
            numbers = [range.start or 0, range.stop, 1 if range.step is None else range.step]
            indices = builtins.range(*numbers)
        self._elements.check(args, indices, self.name)
        function = self.generate_stride_kernel_and_types(range is not None)[1]
        if indices:
            grid, block = launch_shape(len(indices))
            function.prepared_async_call(grid, block, stream, *passed, *numbers)
