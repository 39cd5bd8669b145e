"""Elements by number, by truth and by choice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from .. import _engine
from . import axes, coerce, dtypes, gathering, host, joining, scattering, shapes

if TYPE_CHECKING:
    from .ndarray import ndarray


def _numpy(name: str) -> Any:
    import numpy as np

    return getattr(np, name)


def _to(out: Any, made: Any) -> Any:
    if out is None:
        return made
    if made.shape != out.shape:
        raise ValueError("output array does not match result of ndarray.take")
    out[...] = made
    return out


def take(
    a: Any, indices: Any, axis: int | None = None, out: Any = None, mode: str = "raise"
) -> ndarray:
    """The elements at those indices of `axis`, of the flat array without one.

    Raises `IndexError` for indices out of range, unless `mode` is ``"wrap"`` or ``"clip"``.

    >>> px.take([10, 20, 30], [2, 0])
    array([30, 10])
    """
    array, index = coerce.operands(a, indices)
    if axis is not None and array.shape:  # of no dimension: NumPy takes axis 0 for one of 1
        axis = axes.one(axis, array.ndim)
    if mode not in ("raise", "wrap", "clip") or not gathering.pays(array, index, axis):
        return _to(out, host.run(_numpy("take"), array, indices, axis, mode=mode))
    if axis is None:
        array, axis = array._reshape((-1,)), 0
    return _to(out, gathering.take(array, index, axis, mode))


def take_along_axis(arr: Any, indices: Any, axis: int | None = -1) -> ndarray:
    """The elements at indices of `axis`, which an array of as many dimensions has.

    Raises `IndexError` for indices out of range, `ValueError` where the dimensions differ.

    >>> px.take_along_axis(px.asarray([[3, 1], [2, 4]]), px.asarray([[1], [0]]), axis=1)
    array([[1],
           [2]])
    """
    array = coerce.as_operand(arr)
    index = coerce.as_operand(indices, device=array._place)
    is_given = axis is not None and -array.ndim <= axis < array.ndim
    if not is_given or index.ndim != array.ndim or not gathering.pays(array, index, axis):
        return host.run(_numpy("take_along_axis"), array, indices, axis)
    assert axis is not None
    return gathering.along_axis(array, index, axis % array.ndim)


def _target(a: Any) -> _engine.Array:
    if not isinstance(a, _engine.Array):
        raise TypeError(f"expected an array of phalanx to write to, not {type(a).__name__}")
    host.check_writable(a)
    return a


def put(a: Any, ind: Any, v: Any, mode: str = "raise") -> None:
    """Gives the flat array's elements at those indices the values, which are repeated.

    Raises `IndexError` for indices out of range, unless `mode` is ``"wrap"`` or ``"clip"``.

    >>> x = px.zeros(4, dtype=px.int64)
    >>> px.put(x, [0, 2], [7, 8])
    >>> x
    array([7, 0, 8, 0])
    """
    if not scattering.put(_target(a), ind, v, mode):
        host.update(_numpy("put"), a, ind, v, mode)


def put_along_axis(arr: Any, indices: Any, values: Any, axis: int | None) -> None:
    """Gives the elements that `take_along_axis` takes those values.

    >>> x = px.zeros((2, 2))
    >>> px.put_along_axis(x, px.asarray([[0], [1]]), 5, axis=1)
    >>> x
    array([[5., 0.],
           [0., 5.]])
    """
    if not scattering.put_along_axis(_target(arr), indices, values, axis):
        host.update(_numpy("put_along_axis"), arr, indices, values, axis)


def putmask(a: Any, /, mask: Any, values: Any) -> None:
    """Gives the elements at which the mask is true those of values, which are repeated.

    >>> x = px.arange(4)
    >>> px.putmask(x, x > 1, [10, 20, 30, 40])
    >>> x
    array([ 0,  1, 30, 40])
    """
    if not scattering.putmask(_target(a), mask, values):
        host.update(_numpy("putmask"), a, mask, values)


def place(arr: Any, mask: Any, vals: Any) -> None:
    """Gives the elements at which the mask is true the first values, which are repeated.

    >>> x = px.arange(4)
    >>> px.place(x, x > 1, [7, 8])
    >>> x
    array([0, 1, 7, 8])
    """
    if not scattering.place(_target(arr), mask, vals):
        host.update(_numpy("place"), arr, mask, vals)


def fill_diagonal(a: Any, val: Any, wrap: bool = False) -> None:
    """Gives the diagonal of an array of equal extents the values, which are repeated.

    Raises `ValueError` below two dimensions, or for more than two of different extents.

    >>> x = px.zeros((2, 2))
    >>> px.fill_diagonal(x, 5)
    >>> x
    array([[5., 0.],
           [0., 5.]])
    """
    a = _target(a)
    if a.ndim == 2 and not wrap and isinstance(val, (bool, int, float, complex)):
        shapes.diagonal_view(a, 0, 0, 1)[...] = val
    else:
        host.update(_numpy("fill_diagonal"), a, val, wrap)


def choose(a: Any, choices: Any, out: Any = None, mode: str = "raise") -> Any:
    """For each element the one of that number's choice, all broadcast.

    Raises `ValueError` for numbers without a choice, unless `mode` is ``"wrap"`` or ``"clip"``.

    >>> px.choose(px.asarray([0, 1, 0]), [[1, 2, 3], [10, 20, 30]])
    array([ 1, 20,  3])
    """
    return _to(out, host.run(_numpy("choose"), a, choices, mode=mode))


def compress(condition: Any, a: Any, axis: int | None = None, out: Any = None) -> ndarray:
    """What is along `axis` where a 1-d condition is true.

    >>> px.compress([False, True, True], px.asarray([1, 2, 3]))
    array([2, 3])
    """
    return _to(out, host.run(_numpy("compress"), condition, a, axis))


def extract(condition: Any, arr: Any) -> ndarray:
    """The elements at which the condition is true, as one dimension.

    >>> px.extract([True, False, True], px.asarray([1, 2, 3]))
    array([1, 3])
    """
    return host.run(_numpy("extract"), condition, arr)


def select(condlist: Any, choicelist: Any, default: Any = 0) -> ndarray:
    """For each element that of the first choice whose condition is true, else the default.

    Raises `ValueError` for lists of different lengths or none, `TypeError` for conditions that are
    not of bool.

    >>> x = px.arange(4)
    >>> px.select([x < 1, x > 2], [x, 10 * x], default=-1)
    array([ 0, -1, -1, 30])
    """
    if len(condlist) != len(choicelist):
        raise ValueError("list of cases must be same length as list of conditions")
    if not condlist:
        raise ValueError("select with an empty condition list is not possible")
    place = coerce.place_of(*condlist, *choicelist, default)
    conditions = [coerce.beside(each, place) for each in condlist]
    for number, each in enumerate(conditions):
        if each._dtype != "bool":
            raise TypeError(f"invalid entry {number} in condlist: should be boolean ndarray")
    values = [*choicelist, default]
    numbers = (bool, int, float, complex)
    kinds = [v if isinstance(v, numbers) else coerce.beside(v, place) for v in values]
    weak = [v if isinstance(v, numbers) else v.dtype for v in kinds]
    name = dtypes.result_type(*weak)
    made: Any = _as(kinds[-1], name)
    shape = shapes.broadcast_shapes(*(getattr(v, "shape", ()) for v in (*conditions, *kinds)))
    for condition, value in zip(reversed(conditions), reversed(kinds[:-1]), strict=True):
        made = _engine.array_where(condition, _as(value, name), made)
    return made if made.shape == shape else _engine.array_copy(made, shape)


def _as(value: Any, name: str) -> Any:
    if isinstance(value, _engine.Array):
        return _engine.array_cast(value, name)
    return _engine.array_number(value, name)


def nonzero(a: Any) -> Any:
    """The indices of all elements that are not 0: an array for each dimension.

    Raises `ValueError` for an array without dimensions.

    >>> px.nonzero(px.asarray([0, 3, 0, 4]))
    (array([1, 3]),)
    """
    array = coerce.as_operand(a)
    return gathering.nonzero(array) if array.shape else host.run(_numpy("nonzero"), array)


def flatnonzero(a: Any) -> ndarray:
    """The indices of the flat array's elements that are not 0.

    >>> px.flatnonzero(px.asarray([[0, 1], [2, 0]]))
    array([1, 2])
    """
    return gathering.nonzero(coerce.as_operand(a)._reshape((-1,)))[0]


def argwhere(a: Any) -> ndarray:
    """The indices of all elements that are not 0, as rows.

    >>> px.argwhere(px.asarray([[0, 1], [2, 0]]))
    array([[0, 1],
           [1, 0]])
    """
    array = coerce.as_operand(a)
    if not array.shape:
        return host.run(_numpy("argwhere"), array)
    return joining.stack(gathering.nonzero(array), axis=1)


@overload
def where(condition: Any, /) -> tuple[ndarray, ...]: ...
@overload
def where(condition: Any, x: Any, y: Any, /) -> ndarray: ...
def where(condition: Any, x: Any = None, y: Any = None, /) -> Any:
    """The elements of x where the condition is true, else those of y, all broadcast.

    Without x and y as `nonzero`. Raises `ValueError` where one of them is missing.

    >>> px.where(px.asarray([True, False]), [1, 2], [10, 20])
    array([ 1, 20])
    """
    if (x is None) != (y is None):
        raise ValueError("either both or neither of x and y should be given")
    if x is None:
        return nonzero(condition)
    numbers = (bool, int, float, complex)
    place = coerce.place_of(condition, x, y)
    given = [v if isinstance(v, numbers) else coerce.beside_others(v, place) for v in (x, y)]
    weak = [v if isinstance(v, numbers) else v.dtype for v in given]
    name = dtypes.result_type(*weak)
    condition = coerce.beside(condition, place)
    if condition._dtype != "bool":
        condition = _engine.array_cast(condition, "bool")
    return _engine.array_where(condition, *(_as(each, name) for each in given))
