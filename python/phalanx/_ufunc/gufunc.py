"""A function of small arrays as a function of stacks of them: what ``guvectorize`` makes."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any, Generic, NamedTuple

from .. import _engine
from .._core.typed import P, R
from .._types.aggregates import from_dtype
from .._types.objects import Array, Signature, Type
from . import compiled, kernels, layout, loops, operands
from .host_gufunc import HostGUFuncs, fits_gufunc
from .loops import Argument
from .operands import Operand, Site

_BLOCK = 128


class GULoop(NamedTuple):
    """The user's function for one tuple of element types."""

    inputs: tuple[Any, ...]  # NumPy dtypes
    outputs: tuple[Any, ...]
    is_array: tuple[bool, ...]  # of each argument: handed on as an array, or as a number
    types: tuple[Type, ...]  # the element types


class Schedule(NamedTuple):
    """The shapes of a call: of the stack, and of the core of each argument."""

    stack: tuple[int, ...]
    cores: tuple[tuple[int, ...], ...]


class GUFunc(_engine.UfuncCaller, Generic[P, R]):
    """Applies a function of arrays to stacks of arrays, with NumPy's broadcasting of the stacks.

    For the targets ``"cpu"`` and ``"parallel"``, with arguments on the host, a call is that of a
    NumPy gufunc: ``f(a, b)``, ``f(a, b, out)``, and by name ``out``, ``axis``, ``axes``,
    ``keepdims``, ``dtype``, ``signature``, ``casting``, ``order``, ``subok``. With device arrays
    and for ``"cuda"`` it is ``f(a, b, out=out, stream=stream)``; outputs are on the device when an
    argument is, else on the host. Several outputs come as a tuple.

    Raises `TypeError` for arguments that no loop takes, `ValueError` for shapes that do not fit.
    """

    def __init__(
        self,
        py_func: Callable[P, R],
        text: str,
        target: str,
        signatures: Sequence[Signature] = (),
        options: dict[str, Any] | None = None,
        written: Sequence[int] = (),
    ) -> None:
        functools.update_wrapper(self, py_func)
        # Not `py_func`: that would make kernels call the function with whole arrays.
        self.__wrapped__ = py_func
        self.__name__: str = getattr(py_func, "__name__", "<gufunc>")
        self.signature = text
        self.layout = layout.parse(text)
        self.target = target
        self.options = options or {}
        self.identity = None
        self.nin = len(self.layout.inputs)
        self.nout = len(self.layout.outputs)
        self.nargs = self.nin + self.nout
        self.max_blocksize = 2**30  # threads of a block, for those who want fewer
        self.declared_signatures = list(signatures)
        # Inputs that the function writes to: they must be used where they are.
        self.written = tuple(written) or tuple(range(self.nin) if self.layout.is_in_place else ())
        self._check_target()
        self.loops = [self._declared(each) for each in signatures]
        self._core = loops.device_function(py_func, None)
        self._kernels: dict[GULoop, Any] = {}
        self._overloads_ = [compiled.overload_of_gufunc(self)]  # what calls in compiled code mean
        self._host = HostGUFuncs(self)
        fits = all(map(fits_gufunc, self.loops))
        if target != "cuda" and fits and not self.written:
            self._serve(self._host.declared(), self.nargs, False)

    def _check_target(self) -> None:
        what = "writes to its inputs" if self.written else "has dimensions with ?"
        if self.target == "cuda" and (self.written or self.layout.is_flexible):
            raise ValueError(
                f"{self.__name__}: a function with the layout {self.signature!r}, which {what}, "
                "needs target='cpu' or 'parallel'"
            )

    @property
    def types(self) -> list[str]:
        """The loops as NumPy writes them: ``"ff->f"``."""
        return [
            f"{''.join(t.char for t in x.inputs)}->{''.join(t.char for t in x.outputs)}"
            for x in self.loops
        ]

    @property
    def ntypes(self) -> int:
        """How many loops there are."""
        return len(self.loops)

    def _declared(self, signature: Signature) -> GULoop:
        result = signature.return_type
        if result is not None and str(result) != "none":
            raise TypeError(
                f"guvectorized functions cannot return values: signature {signature} specifies "
                f"{result} return type"
            )
        if len(signature.args) != self.nargs:
            raise TypeError(
                f"{self.__name__}: the layout {self.signature!r} has {self.nargs} arguments, the "
                f"signature {signature} has {len(signature.args)}"
            )
        cores = self.layout.cores
        for number, (type_, core) in enumerate(zip(signature.args, cores, strict=True)):
            ndim = type_.ndim if isinstance(type_, Array) else 0
            is_number = not isinstance(type_, Array)
            fits = ndim == len(core) or (ndim == 1 and not core)
            if not fits or (is_number and number >= self.nin):
                raise ValueError(
                    f"gufunc signature mismatch: argument {number + 1} of {self.__name__} is "
                    f"{type_}, and its core in {self.signature!r} is ({','.join(core)})"
                )
        return _loop([isinstance(each, Array) for each in signature.args], self.nin, signature.args)

    def _find(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The NumPy gufunc of a call without declared signatures; None where `_general` serves."""
        return self._host.find(args, kwargs)

    def _general(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call with device arrays, on a stream, for ``"cuda"``, or that writes to its inputs."""
        if not self.written:
            return self._call(*args, **kwargs)
        given = [*args, *kwargs.values()]
        if any(map(operands.is_on_device, given)):
            raise TypeError(
                f"{self.__name__}(), which writes to its inputs, takes no device arrays: copy them "
                "to the host first"
            )
        return self._host.call_in_place(args, kwargs)

    def _call(self, *args: Any, out: Any = None, stream: Any = 0, **unknown: Any) -> Any:
        if unknown:
            raise TypeError(
                f"{self.__name__}() got an unexpected keyword argument {sorted(unknown)[0]!r}; on "
                "a device it takes out and stream"
            )
        args, outs = self._positions(args, out)
        site = operands.site_of(self.target, stream)
        inputs = [operands.read(each) for each in args]
        given = [None if each is None else _output(each) for each in outs]
        loop = self._loop(inputs, given)
        schedule = self._for_outputs(self._schedule(inputs), given)
        on_device = any(each.on_device for each in [*inputs, *filter(None, given)])
        sources = [
            _converted(each, dtype, as_array, site)
            for each, dtype, as_array in zip(inputs, loop.inputs, loop.is_array, strict=False)
        ]
        made = [
            self._target(each, schedule, i, loop, site, sources) for i, each in enumerate(given)
        ]
        self._launch(loop, schedule, [*sources, *made], site)
        results = [
            _delivered(array, wanted, on_device, site)
            for array, wanted in zip(made, outs, strict=True)
        ]
        return results[0] if self.nout == 1 else tuple(results)

    def _positions(self, args: tuple[Any, ...], out: Any) -> tuple[tuple[Any, ...], list[Any]]:
        """The inputs, and one output or None for each output."""
        if out is not None and len(args) > self.nin:
            raise ValueError("cannot specify argument 'out' as both positional and keyword")
        if len(args) not in (self.nin, self.nargs):
            raise TypeError(
                f"This gufunc accepts {_positional(self.nin)} (when providing input only) or "
                f"{_positional(self.nargs)} (when providing input and output). "
                f"Got {_positional(len(args))}."
            )
        if len(args) == self.nargs:
            return args[: self.nin], list(args[self.nin :])
        if out is None:
            return args, [None] * self.nout
        given = list(out) if isinstance(out, tuple) else [out]
        outs = [operands.as_output(each) for each in given]
        if len(outs) != self.nout:
            raise ValueError(
                f"{self.__name__} has {self.nout} outputs; 'out' gives {len(outs)} of them"
            )
        return args, outs

    def _loop(self, inputs: Sequence[Operand], outs: Sequence[Operand | None]) -> GULoop:
        arguments = [each.argument for each in inputs]
        if self.declared_signatures:
            found = loops.choose(self.loops, arguments)
        else:
            if None in outs:
                raise self.no_outputs()
            given = [*inputs, *(each for each in outs if each)]
            found = self.loop_of(tuple([each.argument.dtype for each in given]))
        if found is None:
            raise loops.no_loop(self.__name__, self.loops, arguments)
        return found

    def no_outputs(self) -> TypeError:
        """The error of a call without declared signatures that gives no outputs."""
        return TypeError(
            f"Too few arguments for function '{self.__name__}': without signatures its outputs "
            "must be given, for nothing else tells their types"
        )

    def loop_of(self, dtypes: tuple[Any, ...]) -> GULoop:
        """The loop for just these dtypes of all operands, made where there is none."""
        for known in self.loops:
            if (*known.inputs, *known.outputs) == dtypes:
                return known
        is_array = [bool(core) for core in self.layout.inputs] + [True] * self.nout
        self.loops.append(_loop(is_array, self.nin, [from_dtype(each) for each in dtypes]))
        return self.loops[-1]

    def _schedule(self, inputs: Sequence[Operand]) -> Schedule:
        """The shapes of a call with these inputs; raises `ValueError` where they do not fit."""
        extents = {name: int(name) for name in self.layout.dimensions if name.isdigit()}
        stacks = []
        for number, (each, core) in enumerate(zip(inputs, self.layout.inputs, strict=True), 1):
            outer = len(each.shape) - len(core)
            if outer < 0:
                raise ValueError(
                    f"{self.__name__}: Input operand {number - 1} does not have enough dimensions "
                    f"(has {len(each.shape)}, gufunc core with signature {self.signature} requires "
                    f"{len(core)})"
                )
            for axis, (name, extent) in enumerate(zip(core, each.shape[outer:], strict=True)):
                if extents.setdefault(name, extent) != extent:
                    raise ValueError(
                        f"{self.__name__}: Input operand {number - 1} has a mismatch in its core "
                        f"dimension {axis}, with gufunc signature {self.signature} (size {extent} "
                        f"is different from {extents[name]})"
                    )
            stacks.append(each.shape[:outer])
        cores = self.layout.cores
        return Schedule(
            operands.broadcast(stacks),
            tuple(tuple(extents[name] for name in core) for core in cores),
        )

    def _for_outputs(self, schedule: Schedule, given: Sequence[Operand | None]) -> Schedule:
        """The schedule, without leading extents of 1 that outputs of the caller's lack.

        Raises `ValueError` for outputs of other shapes.
        """
        for each, core in zip(given, schedule.cores[self.nin :], strict=True):
            if each is None or each.shape == schedule.stack + core:
                continue
            missing = len(schedule.stack) + len(core) - len(each.shape)
            fits = missing > 0 and each.shape == schedule.stack[missing:] + core
            if not fits or set(schedule.stack[:missing]) != {1}:
                raise ValueError(
                    f"output shape mismatch: {self.__name__} gives {schedule.stack + core}, and "
                    f"the output has {each.shape}"
                )
            schedule = schedule._replace(stack=schedule.stack[missing:])
        return schedule

    def _target(
        self,
        given: Operand | None,
        schedule: Schedule,
        i: int,
        loop: GULoop,
        site: Site,
        sources: Sequence[Any],
    ) -> Any:
        """The array to compute output `i` in: the caller's own where that can be."""
        shape = schedule.stack + schedule.cores[self.nin + i]
        if given is not None and given.argument.dtype == loop.outputs[i]:
            array = given.value
            is_reached = site.on_host or given.on_device
            is_free = not any(_may_share(array, each) for each in sources)
            if is_reached and is_free:
                return array
        fresh = _empty(shape, loop.outputs[i], site)
        if given is not None:  # the function need not write every element
            _copy(fresh, given.value, site)
        return fresh

    def _launch(self, loop: GULoop, schedule: Schedule, values: Sequence[Any], site: Site) -> None:
        count = math.prod(schedule.stack)
        if count == 0:
            return
        arrays = [each for each in values if not _is_number(each)]
        cores = [
            core for each, core in zip(values, schedule.cores, strict=True) if not _is_number(each)
        ]
        strides = [
            operands.stretched_strides(each, schedule.stack, len(core))
            for each, core in zip(arrays, cores, strict=True)
        ]
        extents, rows = _engine.collapse(schedule.stack, strides)
        views = iter(
            operands.view(each, (*extents, *core), (*row, *_core_strides(each, core)), site)
            for each, core, row in zip(arrays, cores, rows, strict=True)
        )
        passed = [each if _is_number(each) else next(views) for each in values]
        kernel = self._kernels.get(loop)
        if kernel is None:
            kernel = kernels.ItemKernel(compiled.item_core(self, loop), "stacked")
            self._kernels[loop] = kernel
        block = min(_BLOCK, self.max_blocksize)
        kernel[-(-count // block), block, site.stream](*passed)

    def __repr__(self) -> str:
        return f"<phalanx gufunc {self.__name__!r} {self.signature}>"

    def __reduce__(self) -> tuple[Any, ...]:
        from .._core.pickling import by_value

        made_of = (by_value(self.__wrapped__), self.signature, self.target)
        return GUFunc, (*made_of, self.declared_signatures, self.options, self.written)


def _positional(count: int) -> str:
    return f"{count} positional argument{'s' * (count != 1)}"


def _loop(is_array: Sequence[bool], nin: int, types: Sequence[Type]) -> GULoop:
    elements = tuple(each.dtype if isinstance(each, Array) else each for each in types)
    dtypes = tuple(loops.dtype_of(each) for each in elements)
    return GULoop(dtypes[:nin], dtypes[nin:], tuple(is_array), elements)


def _is_number(value: Any) -> bool:
    import numpy as np

    return isinstance(value, np.generic)


def _output(value: Any) -> Operand:
    import numpy as np

    found = operands.read(value)
    if not (found.on_device or isinstance(value, np.ndarray)):
        raise TypeError(f"outputs must be arrays, not {type(value).__name__}")
    array = found.value if found.on_device else value
    return Operand(array, Argument(array.dtype, False, False), tuple(array.shape), found.on_device)


def _converted(operand: Operand, dtype: Any, as_array: bool, site: Site) -> Any:
    """The input on the device with elements of that dtype; numbers stay as they are, but where the
    function takes an array of one.
    """
    if not operand.shape and not operand.on_device:
        import numpy as np

        number = dtype.type(operand.value)
        return operands.to_site(np.asarray(number), site) if as_array else number
    value = operand.value
    if operand.argument.dtype != dtype:
        if operands.is_device_array(value):
            return _cast_on_device(value, dtype, site)
        value = value.astype(dtype)
    return operands.to_site(value, site)


def _cast_on_device(value: Any, dtype: Any, site: Site) -> Any:
    from .._types.aggregates import from_dtype
    from .ufunc import Ufunc

    def convert(x: Any) -> Any:
        return x

    wanted = from_dtype(dtype)
    signature = Signature(wanted, [from_dtype(value.dtype)])
    return Ufunc(convert, "cuda" if not site.on_host else "cpu", [signature])(value)


def _may_share(output: Any, other: Any) -> bool:
    if _is_number(other):
        return False
    return bool(_engine.may_share_memory(operands.memory_of(output), operands.memory_of(other)))


def _core_strides(array: Any, core: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(array.strides[len(array.strides) - len(core) :]) if core else ()


def _empty(shape: tuple[int, ...], dtype: Any, site: Site) -> Any:
    import numpy as np

    from .._device.arrays import DeviceNDArray
    from .._types.bridge import to_engine

    if site.on_host:
        return np.empty(shape, dtype)
    return DeviceNDArray(shape, to_engine(dtype), stream=site.stream, device=site.device)


def _copy(target: Any, source: Any, site: Site) -> None:
    if operands.is_device_array(target):
        target.setitem(Ellipsis, source, site.stream)
    else:
        target[...] = source


def _delivered(made: Any, wanted: Any, on_device: bool, site: Site) -> Any:
    """The output where the caller wants it."""
    if wanted is made:
        return wanted
    if wanted is None and on_device:
        if operands.is_device_array(made):
            return made
        from .._device.transfer import to_device

        return to_device(made)
    host = made
    if operands.is_device_array(made):
        if operands.is_device_array(wanted):
            wanted.setitem(Ellipsis, made, site.stream)
            return wanted
        host = made.copy_to_host(stream=site.stream)
        if site.stream is not None:
            site.stream.synchronize()
    if wanted is None:
        return host if host.shape else host[()]
    wanted[...] = host
    return wanted
