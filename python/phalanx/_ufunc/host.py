"""The NumPy ufuncs that do the calls with arguments on the host."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .._types.aggregates import from_dtype
from . import loops
from .inner_loops import Function, Operand, compiler, fits_numpy, make_numpy_ufunc
from .inner_loops import Loop as InnerLoop

if TYPE_CHECKING:
    from .ufunc import Ufunc

_NO_IDENTITY, _REORDERABLE = -1, -2
_SIGNATURES = ("signature", "sig", "dtype")


class HostUfuncs:
    """Of one `Ufunc`: a NumPy ufunc of its declared loops, or one for each tuple of types."""

    def __init__(self, ufunc: Ufunc[..., Any]) -> None:
        self._ufunc = ufunc
        self._declared: Any = None
        self._by_types: dict[tuple[Any, ...], Any] = {}
        self._can_raise: dict[int, bool] = {}  # by the identity of loops, which the ufunc keeps

    def declared(self) -> Any:
        """The one with all declared loops; None where none are declared."""
        if self._declared is None and self._ufunc.declared_signatures:
            self._declared = self._make(self._ufunc.loops)
        return self._declared

    def find(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The one for a call; None where NumPy has no ufuncs of its types."""
        ufunc = self._ufunc
        declared = self.declared()
        if declared is not None:
            return declared
        if not ufunc.nin <= len(args) <= ufunc.nargs:
            raise TypeError(
                f"{ufunc.__name__}() takes from {ufunc.nin} to {ufunc.nargs} positional arguments "
                f"but {len(args)} were given"
            )
        inputs, output = _asked_for(kwargs, ufunc.nin)
        return self._of(inputs or tuple(map(dtype_of, args[: ufunc.nin])), output)

    def loop_of_call(self, args: tuple[Any, ...]) -> loops.Loop | None:
        """The loop that NumPy takes for these arguments; None where it refuses them."""
        ufunc = self._ufunc
        numpy_ufunc = self.find(args, {})
        if numpy_ufunc is None:
            return None
        try:
            chosen = numpy_ufunc.resolve_dtypes((*map(type_or_dtype, args[: ufunc.nin]), None))
        except TypeError:
            return None
        inputs = chosen[: ufunc.nin]
        return next((each for each in ufunc.loops if each.inputs == inputs), None)

    def can_raise(self, loop: loops.Loop) -> bool:
        """Returns whether the function may end in an exception, which kernels do not have."""
        if id(loop) not in self._can_raise:
            ways = "c" * (len(loop.inputs) + 1)
            made = compiler(_inner_loop(self._ufunc, loop).function)(ways, False)
            self._can_raise[id(loop)] = made.can_raise
        return self._can_raise[id(loop)]

    def reducing(self, array: Any, dtype: Any = None, *_: Any, **__: Any) -> Any:
        """The one that reduces an array: its output is of the type of its inputs."""
        import numpy as np

        declared = self.declared()
        if declared is not None:
            return declared
        wanted: Any = dtype_of(array) if dtype is None else np.dtype(dtype)
        if self._ufunc.nin == 2:
            for _round in range(3):  # int8 gives int64, which gives int64
                wanted, before = self._ufunc.loop_of((wanted, wanted)).output, wanted
                if wanted == before:
                    break
        return self._of((wanted,) * self._ufunc.nin)

    def _of(self, dtypes: tuple[Any, ...], output: Any = None) -> Any:
        key = (dtypes, output)
        if key not in self._by_types:
            made = self._make([self._ufunc.loop_of(dtypes, output)])
            self._by_types.setdefault(key, made)  # another thread's is as good
        return self._by_types[key]

    def _make(self, chosen: list[loops.Loop]) -> Any:
        ufunc = self._ufunc
        if not all(map(fits_ufunc, chosen)):
            return None
        identity = ufunc.identity
        if identity is None:
            identity = _REORDERABLE if ufunc.is_reorderable else _NO_IDENTITY
        made = [_inner_loop(ufunc, each) for each in chosen]
        return make_numpy_ufunc(made, ufunc.nin, ufunc.__doc__ or "", "", identity, True)


def fits_ufunc(loop: loops.Loop) -> bool:
    """Returns whether NumPy's ufuncs have loops of these types."""
    return fits_numpy((*loop.inputs, loop.output))


def _inner_loop(ufunc: Ufunc[..., Any], loop: loops.Loop) -> InnerLoop:
    dtypes = (*loop.inputs, loop.output)
    operands = tuple(Operand(from_dtype(each)) for each in dtypes)
    function = Function(ufunc.__name__, loop.core, operands, True, ufunc.options)
    return InnerLoop(dtypes, function, ufunc.py_func)


def dtype_of(value: Any) -> Any:
    """The dtype that a loop for this argument has, in the machine's byte order."""
    import numpy as np

    number = loops.describe_number(value)
    if number is not None:
        return number.dtype
    dtype = getattr(value, "dtype", None)
    if not isinstance(dtype, np.dtype):
        dtype = np.asarray(value).dtype
    return dtype.newbyteorder("=")


def type_or_dtype(value: Any) -> Any:
    """What `numpy.ufunc.resolve_dtypes` takes for an argument."""
    return type(value) if type(value) in (int, float, complex) else dtype_of(value)


def _asked_for(kwargs: dict[str, Any], inputs: int) -> tuple[tuple[Any, ...] | None, Any]:
    """The dtypes of the inputs, and of the output, that ``signature=`` or ``dtype=`` name."""
    import numpy as np

    given = next((kwargs[name] for name in _SIGNATURES if kwargs.get(name) is not None), None)
    if given is None:
        return None, None
    if isinstance(given, str) and "->" in given:
        given = tuple(given.replace("->", ""))
    if not isinstance(given, tuple):  # of the output: the inputs are alike
        return (np.dtype(given),) * inputs, np.dtype(given)
    dtypes = [None if each is None else np.dtype(each) for each in given]
    output = dtypes[-1] if len(dtypes) > inputs else None
    if None not in dtypes[:inputs]:
        return tuple(dtypes[:inputs]), output
    return None if output is None else (output,) * inputs, output
