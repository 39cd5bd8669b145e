"""``cupy.ElementwiseKernel``: an operation in CUDA C, done for each element of arrays."""

from __future__ import annotations

import math
import re
import threading
from typing import Any, ClassVar, NamedTuple

from . import cupy_kernel_calls as calls
from . import cupy_kernel_code as code
from . import cupy_kernel_operands as operands_of
from .cupy_kernel_calls import Case, Placed
from .cupy_kernel_launching import Function
from .cupy_kernel_operands import Layout, Shape
from .cupy_kernel_params import Placeholders, check_name, operand, parameters, resolve

_RETURN = re.compile(r"\breturn\s*;")
_NARROW = 1 << 30  # elements whose indices, and those of a last block beyond them, are ints

_BLOCK_ON_HOST = 256
_LANES = 32  # rows of fewer elements would leave most lanes of a vector idle
_MOST_THREADS = 1 << 29

# One element a thread, as grids have fewer than 2^31 threads; of more elements each n-th.
_NARROW_LOOP = """
  const ptrdiff_t i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < _count) {{
{indices}
{body}
  }}
"""
_WIDE_LOOP = """
  const ptrdiff_t _all = (ptrdiff_t)gridDim.x * blockDim.x;
  for (ptrdiff_t i = (ptrdiff_t)blockIdx.x * blockDim.x + threadIdx.x; i < _count; i += _all) {{
{indices}
{body}
  }}
"""
# Each row of elements has blocks of its own, so that only the last index differs among threads: of
# it the CPU's vectors see even steps, and the others are computed once a block.
_ROW_LOOP = """
  const int _row = (int)blockIdx.x / (int)_chunks;
  const int _column = ((int)blockIdx.x - _row * (int)_chunks) * blockDim.x + threadIdx.x;
  if (_column < (int)_extent_{last}) {{
    const ptrdiff_t i = (ptrdiff_t)_row * _extent_{last} + _column;
{indices}
{body}
  }}
"""


class _Kind(NamedTuple):
    """What tells the kernels in CUDA C of one user kernel apart."""

    layouts: tuple[Layout, ...]
    ndim: int
    is_narrow: bool
    has_rows: bool  # with blocks of their own
    placeholders: Placeholders


class _Plan(NamedTuple):
    """How arguments of one layout are passed to which function."""

    function: Function
    kind: _Kind
    shape: Shape  # of the loop
    passed: tuple[Shape | None, ...]  # of each argument, beside pointers

    @property
    def block_on_host(self) -> int:
        """The threads of a block there: whole vectors, no more than a row has use for."""
        if not self.kind.has_rows:
            return _BLOCK_ON_HOST
        return min(-(-self.shape[-1] // _LANES) * _LANES, _BLOCK_ON_HOST)

    def grid(self, block: int) -> tuple[int, int]:
        """The blocks, and those of a row."""
        count = math.prod(self.shape)
        if not self.kind.has_rows:
            blocks = -(-count // block)
            return blocks if self.kind.is_narrow else min(blocks, _MOST_THREADS // block), 0
        chunks = -(-self.shape[-1] // block)
        return count // self.shape[-1] * chunks, chunks


class ElementwiseKernel(calls.CachedCodes):
    """A kernel that does an operation in CUDA C for each element of its broadcast operands.

    `in_params` and `out_params` declare operands and results: ``"T x, raw float32 y"``. A type is
    a dtype's name, or a letter for that of the array which comes with it. What is `raw` is an array
    in the operation, indexed by it; others are elements. `i` is the index of the element, and
    ``_ind.size()`` the number of elements. Any dtype of numbers will do.

    Options are `loop_prep` and `after_loop`, code before and after what a thread does, and
    `options` of the compiler, as `RawModule` takes them. Unless `reduce_dims`, the index has the
    arrays' own dimensions. With `no_return` a call gives None, with `return_tuple` a tuple always.

    Raises `ValueError` for a name that is none in C and for wrong parameters, `TypeError` for
    unknown types and options.
    """

    _known: ClassVar[frozenset[str]] = frozenset(("loop_prep", "after_loop", "options", "doc"))

    def __init__(
        self,
        in_params: str,
        out_params: str,
        operation: str,
        name: str = "kernel",
        reduce_dims: bool = True,
        preamble: str = "",
        no_return: bool = False,
        return_tuple: bool = False,
        **kwargs: Any,
    ) -> None:
        check_name(name)
        for each in kwargs:
            if each not in self._known:
                known = ", ".join(sorted(self._known))
                raise TypeError(f"ElementwiseKernel takes no {each!r}; its options are {known}")
        self.in_params = parameters(in_params, True)
        self.out_params = parameters(out_params, False)
        self.params = (*self.in_params, *self.out_params)
        self.nin, self.nout = len(self.in_params), len(self.out_params)
        self.nargs = self.nin + self.nout
        self.operation, self.preamble = operation, preamble
        self.name = self.__name__ = name
        self.reduce_dims = reduce_dims
        self.no_return, self.return_tuple = no_return, return_tuple
        self.kwargs = kwargs
        if kwargs.get("doc"):
            self.__doc__ = kwargs["doc"]
        self._cached_codes = {}
        self._cases: dict[Any, Case[_Plan]] = {}
        self._functions: dict[_Kind, Function] = {}
        self._lock = threading.Lock()

    def __call__(
        self, *args: Any, size: int | None = None, stream: Any = None, block_size: int = 128
    ) -> Any:
        """Does the operation; gives the outputs, one array or a tuple.

        `args` are the operands, or operands and outputs. `size` is the number of elements where all
        arrays are raw. `block_size` is for GPUs. Arrays are used in order on the default stream of
        their device, whatever `stream` is.

        Raises `TypeError` for a wrong number of arguments or wrong dtypes, `ValueError` for shapes
        that do not fit and for a size that is missing, `phalanx.LoweringError` or `CompileError`
        with the compiler's words for an operation that does not compile, `phalanx.DeviceError`
        where there is no compiler.
        """
        if block_size <= 0:
            raise ValueError("block_size must be greater than zero")
        if len(args) not in (self.nin, self.nargs):
            raise TypeError(
                f"Wrong number of arguments for {self.name!r}. It must be either {self.nin} or "
                f"{self.nargs} (with outputs), but given {len(args)}."
            )
        for each in args:
            if hasattr(each, "__cupy_override_elementwise_kernel__"):
                return each.__cupy_override_elementwise_kernel__(
                    self, *args, size=size, stream=stream, block_size=block_size
                )
        given = [operand(each) for each in args]
        size = None if size == -1 else size
        case = self._case(given, size)
        device = operands_of.device_of(given)
        ins, outs = given[: self.nin], given[self.nin :]
        outs = calls.output_arrays(case, outs, self.out_params, size is not None, device)
        if 0 not in case.shape:
            self._run(case, [*ins, *outs], device, block_size)
        if self.no_return:
            return None
        return outs[0] if self.nout == 1 and not self.return_tuple else tuple(outs)

    def _case(self, given: list[Any], size: int | None) -> Case[_Plan]:
        key = (calls.key_of(given), size)
        found = self._cases.get(key)
        if found is None:
            shape = operands_of.loop_shape(self.params, given, size)
            ins, outs = given[: self.nin], given[self.nin :]
            types = resolve(self.in_params, self.out_params, ins, outs)
            found = calls.remember(self._cases, key, Case(shape, *types))
        return found

    def _run(self, case: Case[_Plan], given: list[Any], device: Any, block_size: int) -> None:
        arguments = Placed(self.params, given, device)
        is_host = device.is_host
        key = (arguments.strides, is_host)
        types = (*case.in_types, *case.out_types)
        plan = case.plans.get(key)
        if plan is None:
            made = self._plan(case, arguments.operands(self.params, types), is_host)
            plan = calls.remember(case.plans, key, made)
        block = plan.block_on_host if is_host else block_size
        blocks, chunks = plan.grid(block)
        numbers = [math.prod(plan.shape), chunks, *plan.shape]
        numbers += arguments.numbers(types, plan.passed)
        plan.function.launch(device, blocks, block, arguments.pointers(), numbers)

    def _plan(self, case: Case[_Plan], operands: list[operands_of.Operand], is_host: bool) -> _Plan:
        looped = [each for each in operands if each.is_looped]
        for each in looped:
            each.broadcast(case.shape)
        shape = case.shape
        if self.reduce_dims or not shape:  # a loop over one element is over one dimension
            shape = operands_of.merged(looped, shape)
        layouts = tuple(each.layout() for each in operands)
        is_narrow = math.prod(shape) < _NARROW
        has_rows = is_host and is_narrow and len(shape) > 1 and shape[-1] >= _LANES
        kind = _Kind(layouts, len(shape), is_narrow, has_rows, case.placeholders)
        passed = tuple(each.numbers(layout) for each, layout in zip(operands, layouts, strict=True))
        with self._lock:
            function = self._functions.get(kind)
            if function is None:
                function = self._functions[kind] = self._make(kind)
                self._keep_code(layouts, function)
        return _Plan(function, kind, shape, passed)

    def _make(self, kind: _Kind) -> Function:
        signature = code.Signature()
        for each in ("_count", "_chunks"):
            signature.number(each)
        extents = [signature.number(f"_extent_{k}") for k in range(kind.ndim)]
        setup = code.indexer("_ind", extents, kind.is_narrow, self._all_text())
        setup += "".join(code.operand_setup(each, signature) for each in kind.layouts)
        loop = _ROW_LOOP if kind.has_rows else _NARROW_LOOP if kind.is_narrow else _WIDE_LOOP
        loop = loop.format(
            indices=self._indices(kind, extents, has_object="_ind(" in setup),
            body=self._body(kind),
            last=kind.ndim - 1,
        )
        own = code.declarations(kind.placeholders, self.preamble, self.name) + (
            f'extern "C" __global__ void @name@({signature.text()}) {{\n{setup}'
            f"{self._around('loop_prep')}{loop}{self._around('after_loop')}}}\n"
        )
        text = code.assembled(own)
        return Function(self.name, text, self.kwargs.get("options", ()))

    def _all_text(self) -> str:
        """All that the user wrote of code."""
        around = [self.kwargs.get(what, "") for what in ("loop_prep", "after_loop")]
        return " ".join((self.preamble, self.operation, *around))

    def _indices(self, kind: _Kind, extents: list[str], has_object: bool) -> str:
        """The lines that make the indices of an element."""
        if kind.has_rows:
            rows = code.indices("_i", extents[:-1], "_row", kind.is_narrow)
            lines = f"{rows}const int _i_{kind.ndim - 1} = _column;\n"
        else:
            lines = code.indices("_i", extents, "i", kind.is_narrow)
        return lines + ("_ind.set(i);\n" if has_object else "")

    def _around(self, what: str) -> str:
        """Code before or after the loop; its semicolon may be missing."""
        text = self.kwargs.get(what, "")
        return f"{code.user_text(text, f'{self.name}, {what}')};\n" if text else ""

    def _body(self, kind: _Kind) -> str:
        """The operation on one element, which it may leave by `continue`, `break` and `return`."""
        index = [f"_i_{k}" for k in range(kind.ndim)]
        elements = "".join(code.element(each, "i", index) for each in kind.layouts)
        text = code.user_text(self.operation, f"{self.name}, operation")
        whole = f"do {{{text};}} while (0);"
        if _RETURN.search(self.operation):
            whole = f"[&]() {{ {whole} }}();"
        return f"{{\n{elements}{whole}\n}}\n"
