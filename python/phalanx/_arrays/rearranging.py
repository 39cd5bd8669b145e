"""Arrays with elements repeated, moved, added and left out."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from .. import _engine
from . import axes as axes_
from . import coerce, creation, dtypes, host, making, shapes

if TYPE_CHECKING:
    from .ndarray import ndarray


def _numpy(name: str) -> Any:
    import numpy as np

    return getattr(np, name)


def tile(A: Any, reps: Any) -> ndarray:
    """The array repeated so many times along each dimension.

    >>> px.tile([1, 2], 2)
    array([1, 2, 1, 2])
    """
    a = coerce.as_operand(A)
    given = (reps,) if axes_.is_index(reps) else tuple(reps)
    times = (1,) * (a.ndim - len(given)) + tuple(map(operator.index, given))
    own = (1,) * (len(times) - a.ndim) + a.shape
    if all(n == 1 for n in times):
        return _engine.array_copy(a, own)
    apart = [n for each in own for n in (1, each)]
    wide = [n for pair in zip(times, own, strict=True) for n in pair]
    whole = _engine.array_copy(a._reshape(apart), wide)
    return whole._reshape([n * each for n, each in zip(times, own, strict=True)])


def repeat(a: Any, repeats: Any, axis: int | None = None) -> ndarray:
    """Each element so many times, along `axis`; of the flat array without one.

    Raises `ValueError` for negative numbers, or for as many as there are no elements.

    >>> px.repeat([1, 2], [2, 3])
    array([1, 1, 2, 2, 2])
    """
    a = coerce.beside(a, coerce.place_of(a, repeats))
    if not axes_.is_index(repeats):
        return host.run(_numpy("repeat"), a, repeats, axis)
    times = operator.index(repeats)
    if axis is None or a.ndim == 0:
        a, axis = a._reshape(-1), axis or 0
    axis = axes_.one(axis, a.ndim)
    if times < 0 and a.shape[axis]:
        raise ValueError("repeats may not contain negative values.")
    times = max(times, 0)
    before, n, after = a.shape[:axis], a.shape[axis], a.shape[axis + 1 :]
    whole = _engine.array_copy(a._reshape((*before, n, 1, *after)), (*before, n, times, *after))
    return whole._reshape((*before, n * times, *after))


def roll(a: Any, shift: Any, axis: Any = None) -> ndarray:
    """The elements moved along `axis`; those that leave at the end come in at the front.

    >>> px.roll([1, 2, 3], 1)
    array([3, 1, 2])
    """
    a = coerce.as_operand(a)
    if axis is None:
        return roll(a._reshape(-1), shift, 0)._reshape(a.shape)
    given = shift.tolist() if hasattr(shift, "tolist") else shift  # arrays and NumPy's numbers
    shifts = tuple(given) if isinstance(given, (list, tuple)) else (given,)
    axes = (axis,) if axes_.is_index(axis) else tuple(axis)
    if len(shifts) != len(axes) and 1 not in (len(shifts), len(axes)):
        raise ValueError("'shift' and 'axis' should be scalars or 1D sequences")
    count = max(len(shifts), len(axes))
    total: dict[int, int] = {}
    for i in range(count):
        each = axes_.one(axes[i % len(axes)], a.ndim)
        total[each] = total.get(each, 0) + int(shifts[i % len(shifts)])
    places: list[tuple[Any, Any]] = [((slice(None),) * a.ndim, (0,) * a.ndim)]
    for each, by in total.items():
        by %= a.shape[each] or 1
        if by:
            halves = ((slice(None, -by), by), (slice(-by, None), 0))
            places = [
                (_with(source, each, part), _with(start, each, first))
                for source, start in places
                for part, first in halves
            ]
    return making.of_parts(a.shape, a._dtype, [(a[key], start) for key, start in places], a._place)


def _with(key: tuple[Any, ...], axis: int, part: Any) -> tuple[Any, ...]:
    return (*key[:axis], part, *key[axis + 1 :])


def delete(arr: Any, obj: Any, axis: int | None = None) -> Any:
    """The array without what is at those indices of `axis`, or of the flat array.

    >>> px.delete([1, 2, 3, 4], [1, 2])
    array([1, 4])
    """
    return host.run(_numpy("delete"), arr, obj, axis)


def insert(arr: Any, obj: Any, values: Any, axis: int | None = None) -> Any:
    """The array with values before those indices of `axis`, or of the flat array.

    >>> px.insert([1, 2, 3], 1, 10)
    array([ 1, 10,  2,  3])
    """
    return host.run(_numpy("insert"), arr, obj, values, axis)


def resize(a: Any, new_shape: Any) -> ndarray:
    """The elements in C order under another shape, again and again where there are too few.

    >>> px.resize([1, 2, 3], (2, 2))
    array([[1, 2],
           [3, 1]])
    """
    a = coerce.as_operand(a)
    shape = making.extents(new_shape)
    size = 1
    for n in shape:
        size *= n
    if a.size == 0 or size == 0:
        return creation.zeros(shape, a._dtype, device=a._place)
    flat = tile(a._reshape(-1), -(-size // a.size))
    return creation.copy(flat[:size]._reshape(shape))


def trim_zeros(filt: Any, trim: str = "fb", axis: Any = None) -> ndarray:
    """The view without the zeros in front and behind (``"f"``, ``"b"``), along all axes or some.

    >>> px.trim_zeros([0, 1, 2, 0])
    array([1, 2])
    """
    import numpy as np

    filt = coerce.as_operand(filt)
    trim = trim.lower()
    if trim not in ("fb", "bf", "f", "b"):
        raise ValueError(f"unexpected character(s) in `trim`: {trim!r}")
    axes = range(filt.ndim) if axis is None else axes_.several(axis, filt.ndim, "axis")
    found = np.argwhere(coerce.to_numpy(filt))
    key = []
    for i in range(filt.ndim):
        if i not in axes:
            key.append(slice(None))
        elif len(found) == 0:
            key.append(slice(0))
        else:
            first, last = int(found[:, i].min()), int(found[:, i].max())
            key.append(slice(first if "f" in trim else None, last + 1 if "b" in trim else None))
    return filt[tuple(key)]


def _check_cast(own: Any, wanted: Any, casting: str) -> None:
    if not dtypes.can_cast(own, wanted, casting):
        raise TypeError(
            f"Cannot cast array data from {own!r} to {wanted!r} according to the rule '{casting}'"
        )


def copyto(dst: Any, src: Any, casting: str = "same_kind", where: Any = True) -> None:
    """Gives `dst` the elements of `src`, broadcast, where `where` is true.

    Raises `TypeError` for a cast that `casting` does not allow, `OverflowError` for a number that
    the dtype does not have, `ValueError` for shapes that do not fit and for a read-only `dst`.

    >>> x = px.zeros(3)
    >>> px.copyto(x, [1, 2, 3], where=[True, False, True])
    >>> x
    array([1., 0., 3.])
    """
    import numpy as np

    if not isinstance(dst, _engine.Array):
        raise TypeError(
            f"copyto() argument 1 must be an array of phalanx, not {type(dst).__name__}"
        )
    if isinstance(src, (bool, int, float, complex)):
        is_whole = isinstance(src, (bool, int))
        if type(src) is int and dst.dtype.kind in "iu":
            np.array(src, dst.dtype)  # raises OverflowError for one that the dtype does not have
        _check_cast(np.min_scalar_type(src) if is_whole else type(src), dst.dtype, casting)
        # An integer must be a value of the dtype; other numbers are cast.
        own = "complex128" if isinstance(src, complex) else "float64"
        source = _engine.array_number(src, dst._dtype if is_whole else own)
    else:
        source = coerce.as_operand(src, device=dst._place)
        _check_cast(source.dtype, dst.dtype, casting)
    extra = source.ndim - dst.ndim
    if extra > 0 and source.shape[:extra] == (1,) * extra:
        source = source._reshape(source.shape[extra:])
    if where is True:
        dst[...] = source
        return
    if isinstance(where, (int, float, complex)):
        where = bool(where)
    mask = shapes.broadcast_to(coerce.as_operand(where, device=dst._place), dst.shape)
    if mask._dtype != "bool":
        raise TypeError("Cannot cast array data to dtype('bool') according to the rule 'safe'")
    dst._assign(_engine.array_where(mask, _engine.array_cast(source, dst._dtype), dst))
