"""A function of numbers as a function of arrays: what ``vectorize`` makes."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Generic, overload

from .. import _engine
from .._core.typed import P, R
from .._types.aggregates import from_dtype
from .._types.objects import Signature
from . import compiled, kernels, loops, operands
from .host import HostUfuncs, fits_ufunc
from .loops import Argument, Loop
from .operands import Operand, Site

_BLOCK, _BLOCK_ON_HOST = 256, 1024
_MOST_ROWS = 65535  # blocks along y
_LONG_ROW = 64  # elements; shorter rows leave most of a block idle


class Ufunc(_engine.UfuncCaller, Generic[P, R]):
    """Applies a function of numbers to every element of arrays, with NumPy's broadcasting.

    For the targets ``"cpu"`` and ``"parallel"``, with arguments on the host, a call is that of a
    NumPy ufunc: ``f(a, b)``, ``f(a, b, out)``, and by name ``out``, ``where``, ``dtype``,
    ``signature``, ``casting``, ``order``, ``subok``. With device arrays and for ``"cuda"`` it is
    ``f(a, b, out=out, stream=stream)``; the result is on the device when an input is, else on the
    host. Without signatures a loop is compiled for the types that come.

    Raises `TypeError` for arguments that no loop takes, `ValueError` for shapes that do not fit.
    """

    if TYPE_CHECKING:  # the engine's

        @overload
        def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R: ...
        @overload
        def __call__(
            self, *args: Any, out: Any = None, stream: Any = 0, **of_numpys_ufuncs: Any
        ) -> Any: ...
        def __call__(self, *args: Any, **kwargs: Any) -> Any:
            """The function of every element."""

    def __init__(
        self,
        py_func: Callable[P, R],
        target: str,
        signatures: Sequence[Signature] = (),
        identity: Any = None,
        options: dict[str, Any] | None = None,
    ) -> None:
        functools.update_wrapper(self, py_func)
        self.__name__: str = getattr(py_func, "__name__", "<ufunc>")
        self.py_func = py_func
        self.target = target
        self.identity = None if identity == "reorderable" else identity
        self.is_reorderable = identity is not None
        self.options = options or {}
        self.nin: int = py_func.__code__.co_argcount
        self.nout = 1
        self.nargs = self.nin + 1
        self.signature = None  # of core dimensions: there are none
        self.max_blocksize = 2**30  # threads of a block, for those who want fewer
        self.declared_signatures = list(signatures)
        self.loops: list[Loop] = []
        for each in signatures:
            if len(each.args) != self.nin:
                raise TypeError(
                    f"{self.__name__} takes {self.nin} arguments; the signature {each} has "
                    f"{len(each.args)}"
                )
            self.loops.append(loops.make_loop(py_func, each.args, each.return_type))
        self._overloads_ = [compiled.overload_of(self)]  # what calls in compiled code mean
        self._chosen: dict[tuple[Argument, ...], Loop] = {}
        self._made: dict[tuple[Any, ...], Loop] = {}  # without declared signatures
        self._kernels: dict[tuple[int, str], Any] = {}  # by the loop and the form
        self._direct_kernels: dict[tuple[Any, ...], Any] = {}
        self._host = HostUfuncs(self)
        if target != "cuda" and all(map(fits_ufunc, self.loops)):
            self._serve(self._host.declared(), self.nin, True)

    @property
    def types(self) -> list[str]:
        """The loops as NumPy writes them: ``"ff->f"``."""
        return [f"{''.join(t.char for t in x.inputs)}->{x.output.char}" for x in self.loops]

    @property
    def ntypes(self) -> int:
        """How many loops there are."""
        return len(self.loops)

    def _find(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The NumPy ufunc of a call without declared signatures; None where `_general` serves."""
        return self._host.find(args, kwargs)

    def _spread(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call with large host arrays that lie differently, as one kernel over all of them.

        NumPy would go through them row by row, on one core. NotImplemented where it has to, and
        where the function may raise: kernels have no exceptions.
        """
        loop = self._host.loop_of_call(args)
        if loop is None or not self.nin <= len(args) <= self.nargs or self.can_raise(loop):
            return NotImplemented
        inputs = [
            operands.read(each if hasattr(each, "strides") and each.shape else dtype.type(each))
            for each, dtype in zip(args, loop.inputs, strict=False)
        ]
        shape = operands.broadcast([each.shape for each in inputs])
        out = args[self.nin] if len(args) == self.nargs else None
        if out is None:
            out = operands.new_as_numpy([each.value for each in inputs], shape, loop.output)
        return self._into(out, loop, inputs, shape, operands.site_of(self.target, 0))

    def can_raise(self, loop: Loop) -> bool:
        """Returns whether the function of the loop may end in an exception."""
        return self._host.can_raise(loop)

    def _general(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call with device arrays, on a stream, or for the target ``"cuda"``."""
        return self._call(*args, **kwargs)

    def _call(self, *args: Any, out: Any = None, stream: Any = 0, **unknown: Any) -> Any:
        if unknown:
            raise TypeError(
                f"{self.__name__}() got an unexpected keyword argument {sorted(unknown)[0]!r}; on "
                "a device it takes out and stream"
            )
        args, out = self._positions(args, out)
        if out is not None and self.target == "cuda" and self._launch_directly(args, out, stream):
            return out
        site = operands.site_of(self.target, stream)
        inputs = [operands.read(each) for each in args]
        loop = self._loop(tuple([each.argument for each in inputs]))
        shape = inputs[0].shape
        if any(each.shape != shape for each in inputs):
            shape = operands.broadcast([each.shape for each in inputs])
        if out is not None:
            return self._into(out, loop, inputs, shape, site)
        on_device = any(each.on_device for each in inputs)
        result = _new(shape, loop.output, inputs, site, on_device or not site.on_host)
        self._launch(loop, inputs, result, shape, site)
        if on_device or site.on_host:
            return result if shape or on_device else result[()]
        host = result.copy_to_host(stream=site.stream)
        if site.stream is not None:
            site.stream.synchronize()
        return host if shape else host[()]

    def _positions(self, args: tuple[Any, ...], out: Any) -> tuple[tuple[Any, ...], Any]:
        """The inputs, and the output where one was given, by position or by name."""
        if len(args) == self.nargs and out is None:
            args, out = args[: self.nin], args[self.nin]
        if len(args) != self.nin:
            raise TypeError(
                f"{self.__name__}() takes from {self.nin} to {self.nargs} positional arguments but "
                f"{len(args)} were given"
            )
        if isinstance(out, tuple):
            if len(out) != 1:
                raise ValueError("The 'out' tuple must have exactly one entry per ufunc output")
            out = out[0]
        return args, operands.as_output(out)

    def _loop(self, arguments: tuple[Argument, ...]) -> Loop:
        known = self._chosen.get(arguments)
        if known is not None:
            return known
        if self.declared_signatures:
            found = loops.choose(self.loops, arguments)
        else:
            found = self.loop_of(tuple([each.dtype for each in arguments]))
        if found is None:
            raise loops.no_loop(self.__name__, self.loops, arguments)
        self._chosen[arguments] = found
        return found

    def loop_of(self, dtypes: tuple[Any, ...], output: Any = None) -> Loop:
        """The loop for just these dtypes of the inputs, made where there is none.

        `output` is the dtype that the result is converted to; None leaves it as it is.
        """
        known = self._made.get((dtypes, output))
        if known is None:
            types = [from_dtype(each) for each in dtypes]
            result = None if output is None else from_dtype(output)
            known = self._made[dtypes, output] = loops.make_loop(self.py_func, types, result)
            self.loops.append(known)
        return known

    def _into(
        self, out: Any, loop: Loop, inputs: list[Operand], shape: tuple[int, ...], site: Site
    ) -> Any:
        """Computes into an array of the caller's, and returns it."""
        import numpy as np

        target = operands.read(out)
        if not (isinstance(out, np.ndarray) or target.on_device):
            raise TypeError(f"return arrays must be arrays, not {type(out).__name__}")
        array: Any = out if isinstance(out, np.ndarray) else target.value
        if operands.broadcast([shape, target.shape]) != tuple(array.shape):
            raise ValueError(
                f"non-broadcastable output operand with shape {tuple(array.shape)} doesn't match "
                f"the broadcast shape {shape}"
            )
        if not np.can_cast(loop.output, target.argument.dtype, "same_kind"):
            raise TypeError(
                f"Cannot cast ufunc {self.__name__!r} output from {loop.output!r} to "
                f"{target.argument.dtype!r} with casting rule 'same_kind'"
            )
        if array.flags.writeable if isinstance(array, np.ndarray) else not array.read_only:
            self._fill(array, loop, inputs, site)
            return out
        raise ValueError("output array is read-only")

    def _fill(self, array: Any, loop: Loop, inputs: list[Operand], site: Site) -> None:
        shape = tuple(array.shape)
        sources = [each.value for each in inputs if each.shape]
        is_reached = operands.is_device_array(array) == (not site.on_host) or site.on_host
        if is_reached and not any(
            operands.is_overlapping(array, each)
            for each in sources
            if operands.is_device_array(each) == operands.is_device_array(array) or site.on_host
        ):
            self._launch(loop, inputs, array, shape, site)
            return
        result = _new(shape, operands.read(array).argument.dtype, inputs, site, not site.on_host)
        self._launch(loop, inputs, result, shape, site)
        if not operands.is_device_array(array):
            host = result if site.on_host else result.copy_to_host(stream=site.stream)
            if site.stream is not None:
                site.stream.synchronize()
            array[...] = host
        else:
            array.setitem(Ellipsis, result, site.stream)

    def _launch_directly(self, args: tuple[Any, ...], out: Any, stream: Any) -> bool:
        """Repeats a call whose arrays are device arrays of one shape without gaps.

        False where that is not so, or where no such call was made before. Costs a fraction of the
        general way, which small arrays would wait for.
        """
        if not isinstance(out, _engine.DeviceArray):
            return False
        shape, address, size = out.shape, out.address, out.nbytes
        key: list[Any] = [out.type]
        for each in args:
            if isinstance(each, _engine.DeviceArray):
                if each is not out:
                    gap, own = each.address - address, each.nbytes
                    overlaps = -own < gap < size and (gap != 0 or own != size)
                    if overlaps or each.shape != shape:
                        return False
                key.append(each.type)
            elif type(each) in (int, float):
                key.append(type(each))
            else:
                return False
        kernel = self._direct_kernels.get(tuple(key))
        if kernel is None or size == 0:
            return False
        block = self._block(_engine.current_device())
        kernel[-(-out.size // block), block, stream](*args, out)
        return True

    def _remember_direct(self, values: Sequence[Any], out: Any, kernel: Any) -> None:
        """Lets `_launch_directly` repeat this launch."""
        arrays = (int, float, _engine.DeviceArray)
        if all(isinstance(each, arrays) for each in values) and operands.is_device_array(out):
            types = [each.type if operands.is_device_array(each) else type(each) for each in values]
            self._direct_kernels[(out.type, *types)] = kernel

    def _launch(
        self, loop: Loop, inputs: list[Operand], out: Any, shape: tuple[int, ...], site: Site
    ) -> None:
        if 0 in shape:
            return
        values = [
            operands.to_site(each.value, site) if each.shape or each.on_device else each.value
            for each in inputs
        ]
        numbers = tuple([not (each.shape or each.on_device) for each in inputs])
        order = _common_order([*values, out], numbers, shape)
        if order:
            form = "flat"
            grid: Any = math.prod(shape)
        else:
            form, values, out, grid = _strided(values, out, numbers, shape, site)
        kernel = self._kernels.get((id(loop), form))
        if kernel is None:
            kernel = self._kernels[id(loop), form] = kernels.ItemKernel(loop.core, form)
        if order == "C":
            self._remember_direct(values, out, kernel)
        block = self._block(site.device)
        if isinstance(grid, tuple):
            blocks: Any = (-(-grid[0] // block), min(grid[1], _MOST_ROWS))
        else:
            blocks = -(-grid // block)
        kernel[blocks, block, site.stream](*values, out)

    def _block(self, device: _engine.Device) -> int:
        return min(_BLOCK_ON_HOST if device.is_host else _BLOCK, self.max_blocksize)

    def reduce(self, array: Any, axis: Any = 0, *args: Any, **options: Any) -> Any:
        """Combines the elements along an axis, or all of them for ``axis=None``, with this ufunc.

        On the host the options are those of NumPy's ``ufunc.reduce``: `dtype`, `out`, `keepdims`,
        `initial`, `where`; on a device the first four and `stream`. On the host the elements are
        combined in their order, unless the ufunc was made with an identity; on a device those of a
        whole array are combined in any order: the function has to be associative.

        Raises `ValueError` for an empty axis of a ufunc without an identity.
        """
        from .reduction import is_worth_splitting, reduce_with

        if not self._is_for_numpy(array, *args, *options.values()) or "stream" in options:
            return reduce_with(self, array, axis, *args, **options)
        if self.is_reorderable and not (args or options) and is_worth_splitting(self, array, axis):
            return reduce_with(self, array, axis)
        return self._host.reducing(array, *args, **options).reduce(array, axis, *args, **options)

    def accumulate(self, array: Any, axis: int = 0, *args: Any, **options: Any) -> Any:
        """The running results of this ufunc along an axis: as `reduce`, with each step kept.

        On the host the options are NumPy's `dtype` and `out`. A device array is copied there and
        its result back.
        """
        if operands.is_device_array(array):
            from .._device.transfer import to_device

            return to_device(self.accumulate(array.copy_to_host(), axis))
        return self._host.reducing(array, *args, **options).accumulate(
            array, axis, *args, **options
        )

    def reduceat(
        self, array: Any, indices: Any, axis: int = 0, dtype: Any = None, out: Any = None
    ) -> Any:
        """Reduces slices of a host array: as NumPy's ``ufunc.reduceat``."""
        return self._host.reducing(array, dtype).reduceat(array, indices, axis, dtype, out)

    def at(self, array: Any, indices: Any, *others: Any) -> None:
        """``array[indices] = f(array[indices], *others)``, where each index counts anew."""
        self._host.find((array, *others), {}).at(array, indices, *others)

    def outer(self, a: Any, b: Any, **options: Any) -> Any:
        """Applies the ufunc to all pairs of an element of `a` and one of `b`."""
        if self.nin != 2:
            raise ValueError("outer product only supported for binary functions")
        first = a if operands.is_device_array(a) else _as_array(a)
        second = b if operands.is_device_array(b) else _as_array(b)
        return self(first.reshape(tuple(first.shape) + (1,) * len(second.shape)), second, **options)

    def _is_for_numpy(self, *values: Any) -> bool:
        return self.target != "cuda" and not any(map(operands.is_on_device, values))

    def __repr__(self) -> str:
        return f"<phalanx ufunc {self.__name__!r}>"

    def __reduce__(self) -> tuple[Any, ...]:
        from .._core.pickling import by_value

        identity = "reorderable" if self.is_reorderable and self.identity is None else self.identity
        made_of = (by_value(self.py_func), self.target, self.declared_signatures, identity)
        return Ufunc, (*made_of, self.options)


def _as_array(value: Any) -> Any:
    import numpy as np

    return np.asarray(value)


def _new(
    shape: tuple[int, ...], dtype: Any, inputs: Sequence[Operand], site: Site, on_device: bool
) -> Any:
    """A new output: in Fortran's order where all inputs of that shape are."""
    import numpy as np

    from .._device.arrays import DeviceNDArray
    from .._types.bridge import to_engine

    full = [each.value for each in inputs if each.shape == shape and len(shape) > 1]
    order: Any = "F" if full and all(_is_only_f(each) for each in full) else "C"
    if not on_device:
        return np.empty(shape, dtype, order=order)
    return DeviceNDArray(
        shape, to_engine(dtype), order=order, stream=site.stream, device=site.device
    )


def _layouts(array: Any) -> tuple[bool, bool]:
    """Returns whether the array is without gaps in C's order, and in Fortran's."""
    if operands.is_device_array(array):
        return array.is_c_contiguous(), array.is_f_contiguous()
    return array.flags.c_contiguous, array.flags.f_contiguous


def _is_only_f(array: Any) -> bool:
    is_c, is_f = _layouts(array)
    return is_f and not is_c


def _common_order(values: Sequence[Any], numbers: Sequence[bool], shape: tuple[int, ...]) -> str:
    """ "C" or "F" where all arrays have this shape and that order, else ""."""
    is_c = is_f = True
    for value, is_number in zip(values, (*numbers, False), strict=True):
        if is_number:
            continue
        if tuple(value.shape) != shape:
            return ""
        own_c, own_f = _layouts(value)
        is_c, is_f = is_c and own_c, is_f and own_f
    if not shape:
        return ""
    return "C" if is_c else "F" if is_f else ""


def _strided(
    values: Sequence[Any], out: Any, numbers: tuple[bool, ...], shape: tuple[int, ...], site: Site
) -> tuple[str, list[Any], Any, Any]:
    """Form, inputs, output and threads of a call whose arrays lie differently in memory."""
    arrays = [value for value, is_number in zip(values, numbers, strict=True) if not is_number]
    arrays.append(out)
    strides = [operands.stretched_strides(each, shape) for each in arrays]
    extents, rows = _engine.collapse(shape, strides)
    views = [
        operands.view(each, extents, row, site) for each, row in zip(arrays, rows, strict=True)
    ]
    waiting = iter(views)
    new = [
        value if is_number else next(waiting)
        for value, is_number in zip(values, numbers, strict=True)
    ]
    is_long = extents[-1] >= _LONG_ROW or len(extents) == 1
    form = "rows" if is_long else "items"
    count = math.prod(extents)
    return form, new, views[-1], (extents[-1], count // extents[-1]) if is_long else count
