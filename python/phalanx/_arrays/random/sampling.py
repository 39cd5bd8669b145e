"""One call of a distribution: its parameters, its size, and what it draws from."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ... import _engine
from .. import coerce, making, shapes, ufuncs
from .counters import Philox4x32, extents


class Sampling:
    """Draws of one size, arrays or numbers, and arithmetic on them that is the same everywhere.

    `shape` is None where numbers are drawn: no size was given, and all parameters are numbers.
    """

    def __init__(
        self, source: Philox4x32, shape: tuple[int, ...] | None, dtype: str = "float64"
    ) -> None:
        self._source = source
        self.shape = shape
        self.dtype = dtype

    def draw(self, name: str, *parameters: Any, dtype: str = "float64") -> Any:
        """Elements of a function of the engine's; parameters are cast to `dtype`."""
        if self.dtype == "float32":
            name, dtype = name + "_single", "float32"
        if self.shape is None:
            return self._source.number(name, tuple((each, dtype) for each in parameters))
        given = [_cast(each, dtype) for each in parameters]
        return self._source.array(name, self.shape, given)

    def random(self) -> Any:
        """Uniform on [0, 1)."""
        return self.draw("random")

    def normal(self) -> Any:
        """Of mean 0 and standard deviation 1."""
        return self.draw("normal")

    def exponential(self) -> Any:
        """Of mean 1."""
        return self.draw("exponential")

    def gamma(self, shape: Any) -> Any:
        """Of that shape and scale 1."""
        return self.draw("gamma", shape)

    def chisquare(self, df: Any) -> Any:
        """Of so many degrees of freedom."""
        return 2 * self.gamma(df * 0.5)

    def exp(self, x: Any) -> Any:
        """As the engine has it on all devices; so are the other functions."""
        return self._portable("exp", x)

    def expm1(self, x: Any) -> Any:
        """exp(x) - 1."""
        return self._portable("expm1", x)

    def divide(self, x: Any, y: Any) -> Any:
        """The quotient as IEEE 754 has it: numbers of Python's refuse zeros."""
        if isinstance(x, _engine.Array) or isinstance(y, _engine.Array):
            return x / y
        with np.errstate(all="ignore"):
            return float(np.divide(x, y))

    def log(self, x: Any) -> Any:
        """The natural logarithm of numbers above 0."""
        return self._portable("log", x)

    def integer(self, value: Any) -> Any:
        """A number or an array as an array of int64."""
        return _cast(value if isinstance(value, int) else coerce.as_operand(value), "int64")

    def float(self, value: Any) -> Any:
        """A number or an array as an array of float64."""
        return _cast(value if isinstance(value, float) else coerce.as_operand(value), "float64")

    def ones(self) -> Any:
        """An array of the shape, of ones."""
        return _engine.array_copy(_cast(1.0, "float64"), self.shape)

    def _portable(self, name: str, x: Any) -> Any:
        if isinstance(x, _engine.Array):
            return _engine.array_portable(name, x)
        return float(np.asarray(_engine.array_portable(name, _engine.array_number(x, "float64"))))

    def sqrt(self, x: Any) -> Any:
        """The square root, which IEEE 754 rounds."""
        return ufuncs.table()["sqrt"](x) if isinstance(x, _engine.Array) else math.sqrt(x)

    def where(self, condition: Any, x: Any, y: Any) -> Any:
        """`x` where the condition is true, else `y`."""
        if not isinstance(condition, _engine.Array):
            return x if condition else y
        return _engine.array_where(condition, _cast(x, "float64"), _cast(y, "float64"))


def _cast(value: Any, dtype: str) -> Any:
    if not isinstance(value, _engine.Array):
        return _engine.array_number(value, dtype)
    return value if value._dtype == dtype else _engine.array_cast(value, dtype)


def parameter(name: str, value: Any, dtype: str = "float64") -> Any:
    """A distribution's parameter: a number of Python's, or an array of that dtype.

    Raises `TypeError` for what is neither.
    """
    if isinstance(value, (bool, int, float, np.number, np.bool_)):
        return _number(name, value, dtype)
    array = coerce.as_operand(value)
    if array._dtype.startswith(("complex", "datetime", "timedelta")):
        raise TypeError(f"{name} must be real numbers, not {array._dtype}")
    if array._is_number or array.ndim == 0:
        return _number(name, array.item(), dtype)
    return _cast(array, dtype)


def _number(name: str, value: Any, dtype: str) -> Any:
    if isinstance(value, np.complexfloating):
        raise TypeError(f"{name} must be a real number, not {value!r}")
    if dtype == "float64":
        return float(value)
    made = int(value)
    if not -(2**63) <= made < 2**63:
        raise ValueError(f"{name} is beyond int64")
    return made


def shape_of(size: Any, parameters: list[Any]) -> tuple[int, ...] | None:
    """The shape of a draw; None where it is a number.

    Raises `ValueError` where the parameters do not broadcast to the size.
    """
    given = [each.shape for each in parameters if isinstance(each, _engine.Array)]
    if size is None:
        return shapes.broadcast_shapes(*given) if given else None
    shape = extents(size)
    common = shapes.broadcast_shapes(*given)
    if len(common) > len(shape) or shapes.broadcast_shapes(shape, common) != shape:
        raise ValueError(
            f"Output size {shape} is not compatible with broadcast dimensions of inputs {common}."
        )
    return shape


def finished(made: Any, device: Any = None) -> Any:
    """What was drawn, on the chosen device where one is."""
    return making.pinned(made, device) if isinstance(made, _engine.Array) else made
