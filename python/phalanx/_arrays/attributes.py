"""What can be asked of anything that could be an array: its shape, how it lies in memory."""

from __future__ import annotations

import math
from typing import Any

from .. import _engine
from . import axes, coerce, creation, host, placement


def shape(a: Any) -> tuple[int, ...]:
    """The extents of an array, or of what would become one.

    >>> px.shape([[1, 2], [3, 4]])
    (2, 2)
    """
    import numpy as np

    return tuple(a.shape) if hasattr(a, "shape") else np.shape(host.as_host(a))


def ndim(a: Any) -> int:
    """The number of dimensions.

    >>> px.ndim(px.ones((2, 3)))
    2
    """
    return len(shape(a))


def size(a: Any, axis: Any = None) -> int:
    """The number of elements, or of those along the axes.

    >>> px.size(px.ones((2, 3)))
    6
    """
    extents = shape(a)
    if axis is None:
        return math.prod(extents)
    return math.prod(extents[i] for i in axes.several(axis, len(extents)))


def iterable(y: Any) -> bool:
    """Returns whether `iter(y)` works.

    >>> px.iterable(px.ones(2))
    True
    """
    try:
        iter(y)
    except TypeError:
        return False
    return True


def isfortran(a: Any) -> bool:
    """Returns whether the array lies in Fortran's order only; it is computed for that.

    >>> px.isfortran(px.ones((2, 3)))
    False
    """
    return bool(coerce.asarray(a).flags.fnc)


def shares_memory(a: Any, b: Any, max_work: Any = None) -> bool:
    """Returns whether two arrays have an element's bytes in common; they are computed for that.

    Raises `numpy.exceptions.TooHardError` where more than `max_work` candidates are to be tried.

    >>> x = px.arange(4)
    >>> px.shares_memory(x[:2], x[2:])
    False
    """
    import numpy as np

    return _may_meet(a, b) and np.shares_memory(_addresses(a), _addresses(b), max_work)


def may_share_memory(a: Any, b: Any, max_work: Any = 0) -> bool:
    """As `shares_memory`, but by default by the first and last bytes only.

    >>> x = px.arange(4)
    >>> px.may_share_memory(x, x[1:])
    True
    """
    import numpy as np

    return _may_meet(a, b) and np.may_share_memory(_addresses(a), _addresses(b), max_work)


def _may_meet(a: Any, b: Any) -> bool:
    """Returns whether the memory of both is in one address space."""
    both = [each._device for each in (a, b) if isinstance(each, _engine.Array)]
    if len(both) == 1:  # the other one is NumPy's
        return bool(both[0].is_host)
    return not both or placement.is_same(*both)


def address(a: Any) -> int:
    """The address of the first element of an array, which is computed for it."""
    return int(_addresses(a).__array_interface__["data"][0])


def _addresses(a: Any) -> Any:
    """A NumPy array that lies as `a` does; nobody may read it, as the memory may be a GPU's."""
    import numpy as np

    if not isinstance(a, _engine.Array):
        return a
    return np.asarray(coerce.Exported(a._evaluate(), True))


_REQUIREMENTS = {
    **dict.fromkeys(("C", "C_CONTIGUOUS", "CONTIGUOUS"), "C"),
    **dict.fromkeys(("F", "F_CONTIGUOUS", "FORTRAN"), "F"),
    **dict.fromkeys(("W", "WRITEABLE"), "W"),
    **dict.fromkeys(("O", "OWNDATA"), "O"),
    # What every array here is: aligned, and of this class.
    **dict.fromkeys(("A", "ALIGNED", "E", "ENSUREARRAY"), "A"),
}


def require(a: Any, dtype: Any = None, requirements: Any = None, *, like: Any = None) -> Any:
    """The array if it has the dtype and what is required of its memory, else a copy that has.

    Requirements are ``"C"`` and ``"F"`` (the order), ``"W"`` (it can be written to) and ``"O"``
    (nobody else has its memory, for which it is always copied). Raises `ValueError` for both
    orders, `KeyError` for other requirements.

    >>> px.require([1, 2], px.float32)
    array([1., 2.], dtype=float32)
    """
    wanted = {_REQUIREMENTS[each.upper()] for each in requirements or ()}
    if {"C", "F"} <= wanted:
        raise ValueError("Cannot specify both C and F order")
    order = next(iter(wanted & {"C", "F"}), "K")
    made = coerce.asarray(a, dtype, order)
    is_lacking = "W" in wanted and not made.flags.writeable
    return creation.copy(made, order) if is_lacking or "O" in wanted else made
