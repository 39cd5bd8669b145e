"""The class of universal functions: NumPy's interface to functions that work element by element."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .. import _engine
from . import coerce, dtypes, examples, host, outputs, reducing, scans, scattering

# The reductions of the engine that are a ufunc's.
_REDUCTIONS = {
    "add": "sum",
    "multiply": "prod",
    "minimum": "min",
    "maximum": "max",
    "logical_or": "any",
    "logical_and": "all",
}
_NUMBERS = (bool, int, float, complex)


class ufunc:
    """A function of arrays, element by element, with NumPy's interface.

    ``function(*operands, out=None, where=True, casting="same_kind", order="K", dtype=None)``
    broadcasts the operands. With `out` the results go there, with `where` only those at which the
    mask is true; `dtype` is what the function computes in. Raises `TypeError` where the function
    has no loop for the operands' dtypes, `ValueError` for shapes that do not fit.

    >>> px.add.reduce(px.asarray([1, 2, 3])), px.add.nin
    (array(6), 2)
    """

    def __init__(self, name: str, nin: int, nout: int, doc: str) -> None:
        self.__name__ = self.__qualname__ = name
        self.__doc__ = examples.documented(name, doc)
        self.__module__ = "phalanx"  # where pickle finds it
        self.nin, self.nout, self.nargs = nin, nout, nin + nout

    signature: str | None = None

    def __repr__(self) -> str:
        return f"<ufunc '{self.__name__}'>"

    def __reduce__(self) -> str:
        return self.__name__

    @property
    def __signature__(self) -> Any:
        import inspect

        first, only = inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.KEYWORD_ONLY
        names = ["x"] if self.nin == 1 else [f"x{i + 1}" for i in range(self.nin)]
        out = inspect.Parameter("out", inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None)
        options: dict[str, Any] = {
            "where": True,
            "casting": "same_kind",
            "order": "K",
            "dtype": None,
        }
        if self.signature is not None and self.signature.endswith("->()"):
            options["axis"] = -1
        return inspect.Signature(
            [inspect.Parameter(name, first) for name in names]
            + [out]
            + [inspect.Parameter(name, only, default=value) for name, value in options.items()]
        )

    def _describe_(self) -> tuple[Any, ...]:
        """What it is in a compiled function: NumPy's of the name."""
        return ("intrinsic", f"numpy.{self.__name__}")

    @property
    def numpy(self) -> Any:
        """NumPy's ufunc of the name."""
        import numpy as np

        return getattr(np, self.__name__)

    @property
    def types(self) -> list[str]:
        """The loops, as NumPy writes them: of ``"dd->d"`` takes two float64 and gives one."""
        return [loop for loop in self.numpy.types if _is_ours(loop)]

    @property
    def ntypes(self) -> int:
        """The number of loops."""
        return len(self.types)

    @property
    def identity(self) -> Any:
        """What `reduce` begins with; None where it has to begin with an element."""
        return self.numpy.identity

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if any(map(_is_foreign, args[: self.nin])):
            return self.numpy(*args, **kwargs)  # which asks their class
        if len(args) < self.nin or len(args) > self.nargs:
            raise TypeError(
                f"{self.__name__}() takes from {self.nin} to {self.nargs} positional arguments but "
                f"{len(args)} were given"
            )
        out = self._outputs(args[self.nin :], kwargs.pop("out", None))
        where = kwargs.pop("where", True)
        operands = as_operands(args[: self.nin], *out, where)
        mask = outputs.mask_of(where, *operands)
        casting = kwargs.pop("casting", "same_kind")
        dtype = self._dtype_asked(kwargs)
        made = self.compute(operands, dtype, casting, **kwargs)
        if self.nout == 1:
            return outputs.store(out[0], made, casting, mask, self.__name__)
        pairs = zip(out, made, strict=True)
        return tuple(outputs.store(to, one, casting, mask, self.__name__) for to, one in pairs)

    def _outputs(self, positional: tuple[Any, ...], named: Any) -> tuple[Any, ...]:
        if positional and named is not None:
            raise TypeError("cannot specify 'out' as both a positional and keyword argument")
        given = named if named is not None else positional
        if not isinstance(given, tuple):
            given = (given,)
        if named is not None and len(given) != self.nout:
            raise ValueError(
                "The 'out' tuple must have exactly one entry per ufunc output"
                if isinstance(named, tuple)
                else "'out' must be a tuple of arrays"
            )
        return given + (None,) * (self.nout - len(given))

    def _dtype_asked(self, kwargs: dict[str, Any]) -> Any:
        kwargs.pop("order", None)
        kwargs.pop("subok", None)
        dtype, signature = kwargs.pop("dtype", None), kwargs.pop("signature", None)
        if isinstance(signature, str):
            signature = signature.partition("->")[2] or signature
        elif isinstance(signature, tuple):
            signature = signature[-1]
        return signature if dtype is None else dtype

    def compute(self, operands: list[Any], dtype: Any, casting: Any, **options: Any) -> Any:
        """The result, or a tuple of them, of arrays and numbers; by default through NumPy."""
        if dtype is not None:
            options |= {"dtype": dtype, "casting": casting}
        return host.run(self.numpy, *operands, **options)

    def reduce(
        self,
        array: Any,
        axis: Any = 0,
        dtype: Any = None,
        out: Any = None,
        keepdims: bool = False,
        initial: Any = reducing.NO_VALUE,
        where: Any = True,
    ) -> Any:
        """The function of all elements along the axes, one after the other.

        Raises `ValueError` for functions that do not have two operands and one result.
        """
        self._check_binary("reduce")
        name = _REDUCTIONS.get(self.__name__)
        if name is not None:
            return reducing.reduce(name, array, axis, dtype, out, keepdims, initial, where)
        options = {"axis": axis, "dtype": dtype, "keepdims": keepdims}
        if initial is not reducing.NO_VALUE:
            options["initial"] = initial
        array, mask = outputs.with_mask(array, where)
        if mask is not None:
            options["where"] = mask
        made = host.run(self.numpy.reduce, array, **options)
        return outputs.store_reduced(out, made, self.__name__)

    def accumulate(self, array: Any, axis: int = 0, dtype: Any = None, out: Any = None) -> Any:
        """The results of `reduce` of the first element along an axis, the first two, and so on."""
        self._check_binary("accumulate")
        return scans.accumulate(self.__name__, array, axis, dtype, out)

    def reduceat(
        self, array: Any, indices: Any, axis: int = 0, dtype: Any = None, out: Any = None
    ) -> Any:
        """The results of `reduce` of the elements from each index to the next one."""
        self._check_binary("reduceat")
        given = coerce.arrays(array, indices)
        made = host.run(self.numpy.reduceat, *given, axis, dtype)
        return outputs.store_reduced(out, made, self.__name__)

    def outer(self, A: Any, B: Any, /, **kwargs: Any) -> Any:
        """The function of each element of A with each of B, as an array of A's and B's shape."""
        self._check_binary("outer")
        first, second = coerce.operands(A, B)
        n = first.ndim
        wide = first._view((*first.shape, *(1,) * second.ndim), [(i, 0, 1) for i in range(n)])
        return self(wide, second, **kwargs)

    def at(self, a: Any, indices: Any, b: Any = None, /) -> None:
        """Applies the function to the elements of `a` at those indices, in place.

        An index that is there twice counts twice. Raises `TypeError` where `a` is no array,
        `ValueError` for functions of more results or operands, and for a read-only array.
        """
        if not isinstance(a, _engine.Array):
            raise TypeError("first operand must be array")
        if self.nout != 1 or self.signature is not None:
            raise ValueError("Only single output ufuncs of elements are supported")
        if (b is None) != (self.nin == 1):
            raise ValueError(
                "second operand needed for ufunc"
                if b is None
                else "second operand provided when ufunc is unary"
            )
        host.check_writable(a)
        operand = () if b is None else (coerce.as_operand(b, device=a._place),)
        if not self._update_at(a, indices, *operand):
            host.update_at(self.numpy.at, a, indices, *operand)

    def _update_at(self, array: Any, indices: Any, *operand: Any) -> bool:
        """Returns whether kernels have done it; by default NumPy does."""
        return False

    def _check_binary(self, method: str) -> None:
        if self.nin != 2 or self.nout != 1 or self.signature is not None:
            raise ValueError(
                f"{method} only supported for binary functions, with one result, of elements"
            )


class EngineUfunc(ufunc):
    """One of the engine's table, which records it."""

    def __init__(self, row: dict[str, Any], name: str) -> None:
        super().__init__(name, row["arity"], 1, row["doc"])
        self._loops, self._result = row["loops"], row["result"]

    @property
    def types(self) -> list[str]:
        """The loops, as NumPy writes them: of ``"dd->d"`` takes two float64 and gives one."""
        letters = self._loops.replace("f", "ef")
        real = {"F": "f", "D": "d"} if self._result == "real" else {}
        results = {x: "?" if self._result == "truth" else real.get(x, x) for x in letters}
        own = [f"{letter * self.nin}->{results[letter]}" for letter in letters]
        return own + [loop for loop in self.numpy.types if set(loop) & set("Mm")]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not kwargs and len(args) == self.nin:
            try:
                return _engine.array_apply(self.__name__, *args)
            except TypeError:
                pass  # other operands than arrays and numbers, or a loop that NumPy alone has
        return super().__call__(*args, **kwargs)

    def compute(self, operands: list[Any], dtype: Any, casting: Any, **options: Any) -> Any:
        """The result, recorded; through NumPy where only NumPy has the loop."""
        if options:
            raise TypeError(
                f"{self.__name__}() got an unexpected keyword argument {next(iter(options))!r}"
            )
        if dtype is not None:
            return self._in_dtype(operands, dtype, casting)
        try:
            return _engine.array_apply(self.__name__, *operands)
        except TypeError:
            return host.run(self.numpy, *operands)

    def _update_at(self, array: Any, indices: Any, *operand: Any) -> bool:
        return scattering.update(self.__name__, array, indices, *operand)

    def _in_dtype(self, operands: list[Any], dtype: Any, casting: Any) -> Any:
        import numpy as np

        name = dtypes.name_of(dtype)
        wanted = dtypes.dtype_of(name)
        arrays = [each._dtype for each in operands if isinstance(each, _engine.Array)]
        if self._result != "loop" or any(map(dtypes.is_time, (*arrays, name))):
            return host.run(self.numpy, *operands, dtype=dtype, casting=casting)
        for i, operand in enumerate(operands):
            own = operand if isinstance(operand, _NUMBERS) else operand.dtype
            if isinstance(operand, _NUMBERS):
                own = (
                    np.min_scalar_type(operand)
                    if isinstance(operand, int)
                    else np.dtype(type(operand))
                )
            if not dtypes.can_cast(own, wanted, casting):
                raise TypeError(
                    f"Cannot cast ufunc '{self.__name__}' input {i} from {own!r} to {wanted!r} "
                    f"with casting rule '{casting}'"
                )
        made = _engine.array_apply(self.__name__, *(_converted(each, name) for each in operands))
        if made._dtype != name:
            raise TypeError(
                "No loop matching the specified signature and casting was found for ufunc "
                f"{self.__name__}"
            )
        return made


class ComposedUfunc(ufunc):
    """One that is made of others, recorded, for arrays of real numbers."""

    def __init__(
        self, name: str, nin: int, nout: int, doc: str, record: Callable[..., Any]
    ) -> None:
        super().__init__(name, nin, nout, doc)
        self._record = record

    def compute(self, operands: list[Any], dtype: Any, casting: Any, **options: Any) -> Any:
        """The results, recorded; through NumPy with a dtype, and for complex numbers."""
        arrays = [each for each in operands if isinstance(each, _engine.Array)]
        is_plain = all(each._dtype != "bool" and "complex" not in each._dtype for each in arrays)
        if dtype is None and arrays and is_plain and not options:
            made = self._record(*operands)
            if made is not None:
                return made
        return super().compute(operands, dtype, casting, **options)


class HostUfunc(ufunc):
    """One that runs through NumPy; with a signature it is of rows and matrices, not of elements."""

    def __init__(
        self, name: str, nin: int, nout: int, doc: str, signature: str | None = None
    ) -> None:
        super().__init__(name, nin, nout, doc)
        self.signature = signature


def _is_ours(loop: str) -> bool:
    letters = set(loop)
    # NumPy writes the int64 of times as q, and has each loop of l once more under it.
    return not letters & set("OgGQpP") and ("q" not in letters or "m" in letters)


def _is_foreign(value: Any) -> bool:
    """Returns whether it is of a class with ufuncs of its own, as NEP 13 has them."""
    if value is None or isinstance(value, (_engine.Array, *_NUMBERS, list, tuple)):
        return False
    import numpy as np

    own = getattr(type(value), "__array_ufunc__", None)
    return own is not None and not isinstance(value, (np.ndarray, np.generic))


def as_operands(values: Sequence[Any], *outputs: Any) -> list[Any]:
    """Arrays of one device, that of the outputs too, and numbers of Python's."""
    place = coerce.place_of(*values, *outputs)
    return [v if type(v) in _NUMBERS else coerce.beside_others(v, place) for v in values]


def _converted(value: Any, dtype: str) -> Any:
    if isinstance(value, _engine.Array):
        return _engine.array_cast(value, dtype)
    return _engine.array_number(value, dtype)
