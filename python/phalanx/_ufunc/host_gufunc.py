"""The NumPy gufuncs that do the calls with arguments on the host."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .host import dtype_of, type_or_dtype
from .inner_loops import Function, Operand, fits_numpy, make_numpy_ufunc
from .inner_loops import Loop as InnerLoop

if TYPE_CHECKING:
    from .gufunc import GUFunc, GULoop


class HostGUFuncs:
    """Of one `GUFunc`: a NumPy gufunc of its declared loops, or one for each tuple of types."""

    def __init__(self, gufunc: GUFunc[..., Any]) -> None:
        self._gufunc = gufunc
        self._declared: Any = None
        self._by_types: dict[tuple[Any, ...], Any] = {}

    def declared(self) -> Any:
        """The one with all declared loops; None where none are declared."""
        if self._declared is None and self._gufunc.declared_signatures:
            self._declared = self._make(self._gufunc.loops)
        return self._declared

    def find(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The one for a call; None where NumPy has no gufuncs of its types."""
        declared = self.declared()
        if declared is not None:
            return declared
        gufunc = self._gufunc
        outs = args[gufunc.nin :]
        if not outs and kwargs.get("out") is not None:
            given = kwargs["out"]
            outs = given if isinstance(given, tuple) else (given,)
        if len(args) < gufunc.nin or len(outs) != gufunc.nout or any(each is None for each in outs):
            raise gufunc.no_outputs()
        dtypes = tuple(map(dtype_of, (*args[: gufunc.nin], *outs)))
        if dtypes not in self._by_types:
            self._by_types.setdefault(dtypes, self._make([gufunc.loop_of(dtypes)]))
        return self._by_types[dtypes]

    def call_in_place(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call that writes to inputs, which must be used where they are.

        Raises `TypeError` for arrays that would have to be converted first.
        """
        import numpy as np

        gufunc = self._gufunc
        numpy_gufunc = self.find(args, kwargs)
        if numpy_gufunc is None:
            raise TypeError(f"{gufunc.__name__}(), which writes to its inputs, takes numbers only")
        if len(args) < gufunc.nin:
            return numpy_gufunc(*args, **kwargs)  # raises NumPy's error
        wanted = numpy_gufunc.resolve_dtypes(
            (*map(type_or_dtype, args[: gufunc.nin]), *[None] * gufunc.nout)
        )
        passed = list(args)
        for index in gufunc.written:
            given = args[index]
            if not isinstance(given, np.ndarray):
                continue
            if not given.flags.writeable:
                passed[index] = given.copy()
            elif given.dtype != wanted[index] or not given.flags.aligned:
                raise TypeError(
                    f"{gufunc.__name__}() writes to argument {index + 1}, which is an array of "
                    f"{given.dtype} and not of {wanted[index]}: convert it with .astype() first, "
                    "or name the arguments that are written to: writable_args=('name',)"
                )
        return numpy_gufunc(*passed, **kwargs)

    def _make(self, chosen: list[GULoop]) -> Any:
        gufunc = self._gufunc
        if not all(map(fits_gufunc, chosen)):
            return None
        may_split = not gufunc.written or gufunc.target == "parallel"
        made = [_inner_loop(gufunc, each) for each in chosen]
        return make_numpy_ufunc(
            made, gufunc.nin, gufunc.__doc__ or "", gufunc.signature, -1, may_split
        )


def fits_gufunc(loop: GULoop) -> bool:
    """Returns whether NumPy's gufuncs have loops of these types."""
    return fits_numpy((*loop.inputs, *loop.outputs))


def _memory(gufunc: GUFunc[..., Any], i: int) -> int:
    """Inputs are memory 1, each output is its own: what overlaps an output is copied before."""
    if gufunc.written:
        return 0
    return 1 + max(0, i - gufunc.nin + 1)


def _inner_loop(gufunc: GUFunc[..., Any], loop: GULoop) -> InnerLoop:
    names = gufunc.layout.dimensions
    rows = zip(loop.types, gufunc.layout.cores, loop.is_array, strict=True)
    operands = tuple(
        Operand(type_, tuple(map(names.index, core)), is_array, _memory(gufunc, i))
        for i, (type_, core, is_array) in enumerate(rows)
    )
    function = Function(gufunc.__name__, gufunc._core, operands, False, gufunc.options)
    return InnerLoop((*loop.inputs, *loop.outputs), function, gufunc.__wrapped__)
