"""Numbers at equal distances, recorded as functions of their positions."""

from __future__ import annotations

import datetime
import math
import operator
from typing import TYPE_CHECKING, Any, Literal, overload

from .. import _engine
from . import coerce, dtypes, host, making, placement, shapes

if TYPE_CHECKING:
    from .ndarray import ndarray


def arange(
    start: Any,
    stop: Any = None,
    step: Any = None,
    dtype: Any = None,
    *,
    device: Any = None,
    like: Any = None,
) -> ndarray:
    """The numbers from start (0 where one number is given), step apart, before stop.

    int64 for ints, float64 for floats. Raises `ZeroDivisionError` for a step of 0.

    >>> px.arange(2, 10, 3)
    array([2, 5, 8])
    """
    import numpy as np

    if dtype is not None and dtypes.name_of(dtype) == "bfloat16":
        made = arange(start, stop, step, "float32", device=device)
        return _engine.array_cast(made, "bfloat16")
    start, stop, step = (_number(each) for each in (start, stop, step))
    if any(map(_is_of_time, (start, stop, step))) or (
        dtype is not None and dtypes.is_time(dtypes.name_of(dtype))
    ):
        made = _numpy("arange")(start, stop, step, dtype)
        return host.as_ours(made, placement.engine_device(device))
    if stop is None:
        start, stop = 0, start
    step = 1 if step is None else step
    if type(start) is type(stop) is type(step) is int and dtype is None and step != 0:
        made = _engine.array_positions([_length(start, stop, step)], 0, start, step)
        return making.pinned(made, device)
    if dtype is None:
        dtype = np.result_type(np.int64, *map(_dtype_of, (start, stop, step)))
    kind = np.dtype(dtype)
    if kind.kind not in "iuf" or any(isinstance(each, complex) for each in (start, stop, step)):
        made = _numpy("arange")(start, stop, step, dtype)
        return host.as_ours(made, placement.engine_device(device))
    length = _length(start, stop, step)
    first, second = (_as_kind(each, kind) for each in (start, start + step))
    name = dtypes.name_of(kind)
    if kind.kind == "f":
        places = _engine.array_cast(_engine.array_positions([length], 0, 0, 1), _wide(name))
        delta = _engine.array_number(float(second - first), _wide(name))
        begin = _engine.array_number(float(first), _wide(name))
        made = _engine.array_apply("add", begin, _engine.array_apply("multiply", places, delta))
    else:
        begin, delta = int(first), int(second) - int(first)
        made = _engine.array_positions([length], 0, _signed(begin), _signed(delta))
    return making.pinned(_engine.array_cast(made, name), device)


def _as_kind(value: Any, kind: Any) -> Any:
    """A number of the type; raises `OverflowError` for an int of Python's that it does not hold."""
    import numpy as np

    return np.array(value, kind) if type(value) is int else np.array(value).astype(kind)


def _wide(name: str) -> str:
    """What NumPy computes in: float32 for float16."""
    return dtypes.computed_in(name)


def _signed(value: int) -> int:
    return (value + 2**63) % 2**64 - 2**63


def _dtype_of(value: Any) -> Any:
    import numpy as np

    return np.asarray(host.as_host(value)).dtype


def _number(value: Any) -> Any:
    if not isinstance(value, _engine.Array):
        return value
    return coerce.to_numpy(value)[()] if dtypes.is_time(value._dtype) else value.item()


def _is_of_time(value: Any) -> bool:
    """Returns whether a number of a range is a time, or text that NumPy reads as one."""
    kind = getattr(getattr(value, "dtype", None), "kind", "")
    return kind in ("M", "m") or isinstance(value, (str, datetime.date, datetime.timedelta))


def _length(start: Any, stop: Any, step: Any) -> int:
    if step == 0:
        raise ZeroDivisionError("division by zero")
    if all(hasattr(each, "__index__") for each in (start, stop, step)):
        first, last, distance = map(operator.index, (start, stop, step))
        return _checked_length(max(0, -((first - last) // distance)))
    length = (stop - start) / step
    if math.isnan(length):
        raise ValueError("arange: cannot compute length")
    return _checked_length(max(0.0, length))


def _checked_length(length: float) -> int:
    if length >= 2**63:
        raise ValueError("Maximum allowed size exceeded")
    return math.ceil(length)


@overload
def linspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    retstep: Literal[False] = False,
    dtype: Any = None,
    axis: int = 0,
    *,
    device: Any = None,
) -> ndarray: ...
@overload
def linspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    *,
    retstep: Literal[True],
    dtype: Any = None,
    axis: int = 0,
    device: Any = None,
) -> tuple[ndarray, Any]: ...
def linspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: Any = None,
    axis: int = 0,
    *,
    device: Any = None,
) -> Any:
    """`num` numbers from start to stop, at equal distances.

    Without `endpoint` stop is not among them; with `retstep` the distance is returned, too. Raises
    `ValueError` for a negative num.

    >>> px.linspace(0.0, 1.0, 5)
    array([0.  , 0.25, 0.5 , 0.75, 1.  ])
    """
    num = operator.index(num)
    is_plain = all(isinstance(each, (int, float)) for each in (start, stop)) and axis in (0, -1)
    if num < 2 or not is_plain or start == stop:
        there = coerce.common_device([start, stop])
        made = _numpy("linspace")(
            *map(host.as_host, (start, stop)), num, endpoint, retstep, dtype, axis
        )
        return host.as_ours(made, placement.engine_device(device) or there)
    begin, delta = float(start), float(stop) - float(start)
    parts = num - 1 if endpoint else num
    step = delta / parts
    places = _engine.array_cast(_engine.array_positions([num], 0, 0, 1), "float64")
    # A step may be so small that it is 0 as a number.
    made = (places * step if step != 0 else places / float(parts) * delta) + begin
    if endpoint:
        is_last = _engine.array_positions([num], 0, 0, 1) == num - 1
        made = _engine.array_where(is_last, _engine.array_number(stop, "float64"), made)
    name = "float64" if dtype is None else dtypes.name_of(dtype)
    if "int" in name:
        made = _engine.array_apply("floor", made)
    made = making.pinned(_engine.array_cast(made, name), device)
    return (made, coerce.as_operand(step)) if retstep else made


def logspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    base: Any = 10.0,
    dtype: Any = None,
    axis: int = 0,
) -> ndarray:
    """`num` numbers from base**start to base**stop, at equal ratios.

    >>> px.logspace(0, 2, 3)
    array([  1.,  10., 100.])
    """
    if not all(isinstance(each, (int, float)) for each in (start, stop, base)):
        return host.run(_numpy("logspace"), start, stop, num, endpoint, base, dtype, axis)
    exponents = linspace(start, stop, num, endpoint, axis=axis)
    made = _engine.array_apply("power", _engine.array_number(base, "float64"), exponents)
    return made if dtype is None else _engine.array_cast(made, dtypes.name_of(dtype))


def geomspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, dtype: Any = None, axis: int = 0
) -> ndarray:
    """`num` numbers from start to stop, at equal ratios. Raises `ValueError` for 0.

    >>> px.geomspace(1, 100, 3)
    array([  1.,  10., 100.])
    """
    return host.run(_numpy("geomspace"), start, stop, num, endpoint, dtype, axis)


def _numpy(name: str) -> Any:
    import numpy as np

    return getattr(np, name)


def rows_and_columns(rows: int, columns: int) -> tuple[Any, Any]:
    """The two indices of a matrix, as arrays that broadcast to it."""
    return (
        _engine.array_positions([rows, 1], 0, 0, 1),
        _engine.array_positions([1, columns], 1, 0, 1),
    )


def eye(
    N: int,
    M: int | None = None,
    k: int = 0,
    dtype: Any = float,
    order: str = "C",
    *,
    device: Any = None,
    like: Any = None,
) -> ndarray:
    """The N x M matrix (N x N by default) of ones on the k-th diagonal, of zeros elsewhere.

    >>> px.eye(2, 3)
    array([[1., 0., 0.],
           [0., 1., 0.]])
    """
    (n,) = making.extents(N)
    (m,) = making.extents(N if M is None else M)
    row, column = rows_and_columns(n, m)
    offset = max(-n, min(operator.index(k), m))  # of any integer; beyond these there are no ones
    made = _engine.array_cast(row + offset == column, dtypes.name_of(dtype))
    made = making.pinned(made, device)
    order = coerce.named_order(order, "C")
    return made if order == "C" else coerce.in_order(made, order)


def identity(n: int, dtype: Any = None, *, device: Any = None, like: Any = None) -> ndarray:
    """The n x n matrix of ones on the diagonal, of zeros elsewhere.

    >>> px.identity(2)
    array([[1., 0.],
           [0., 1.]])
    """
    return eye(n, dtype=float if dtype is None else dtype, device=device)


def tri(
    N: int,
    M: int | None = None,
    k: int = 0,
    dtype: Any = float,
    *,
    device: Any = None,
    like: Any = None,
) -> ndarray:
    """The N x M matrix of ones on and below the k-th diagonal, of zeros above.

    >>> px.tri(2)
    array([[1., 0.],
           [1., 1.]])
    """
    row, column = rows_and_columns(N, N if M is None else M)
    made = _engine.array_cast(row + operator.index(k) >= column, dtypes.name_of(dtype))
    return making.pinned(made, device)


def _part(m: Any, k: int, is_lower: bool) -> Any:
    m = coerce.as_operand(m)
    m = shapes.broadcast_to(m, (m.size, m.size)) if m.ndim == 1 else m
    row, column = rows_and_columns(*m.shape[-2:])
    is_kept = row + operator.index(k) >= column if is_lower else row + k <= column
    return _engine.array_where(is_kept, m, _engine.array_number(0, m._dtype))


def tril(m: Any, k: int = 0) -> ndarray:
    """The last two dimensions with zeros above the k-th diagonal.

    >>> px.tril([[1, 2], [3, 4]])
    array([[1, 0],
           [3, 4]])
    """
    return _part(m, k, True)


def triu(m: Any, k: int = 0) -> ndarray:
    """The last two dimensions with zeros below the k-th diagonal.

    >>> px.triu([[1, 2], [3, 4]])
    array([[1, 2],
           [0, 4]])
    """
    return _part(m, k, False)


def vander(x: Any, N: int | None = None, increasing: bool = False) -> ndarray:
    """The matrix of a 1-d array's powers.

    >>> px.vander([1, 2, 3], 3)
    array([[1, 1, 1],
           [4, 2, 1],
           [9, 3, 1]])
    """
    return host.run(_numpy("vander"), x, N, increasing)
