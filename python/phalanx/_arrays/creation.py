"""Arrays of given shapes, of numbers in sequence, and of other objects' memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import _engine
from . import coerce, dtypes, host, making, placement, shapes

if TYPE_CHECKING:
    from .ndarray import ndarray


def array(
    object: Any,
    dtype: Any = None,
    *,
    copy: bool | None = True,
    order: str | None = "K",
    subok: bool = False,
    ndmin: int = 0,
    like: Any = None,
    device: Any = None,
) -> ndarray:
    """A new array of a number, nested lists, or an array of any library.

    `ndmin` puts dimensions of 1 in front. Raises `ValueError` with `copy=False` where a copy is
    needed, `TypeError` for elements that arrays do not have.

    >>> px.array([1, 2], ndmin=2)
    array([[1, 2]])
    """
    made = _of_array(object, dtype, order) if copy and device is None else None
    if made is None:
        made = coerce.asarray(object, dtype, order, device=device, copy=_needs_copy(object, copy))
    if made.ndim < ndmin:
        made = made._reshape((1,) * (ndmin - made.ndim) + made.shape)
    return made


def _of_array(array: Any, dtype: Any, order: Any) -> Any:
    """A copy of an array of ours of that dtype; None of anything else."""
    if not isinstance(array, _engine.Array) or array._is_number:
        return None
    if dtype is not None and dtypes.name_of(dtype) != array._dtype:
        return None
    return coerce.copied(array, coerce.named_order(order, "K"))


def _needs_copy(object: Any, copy: bool | None) -> bool | None:
    is_array = isinstance(object, _engine.Array) or hasattr(object, "__array_interface__")
    return copy if is_array or copy is False else None


def asanyarray(a: Any, dtype: Any = None, order: str | None = None, **options: Any) -> ndarray:
    """As `asarray`.

    >>> px.asanyarray([1, 2])
    array([1, 2])
    """
    return coerce.asarray(a, dtype, order, **options)


def ascontiguousarray(a: Any, dtype: Any = None, *, like: Any = None) -> ndarray:
    """The array in C order, of at least one dimension; a copy where its memory is not so.

    >>> px.ascontiguousarray(px.ones((2, 3)).T).flags.c_contiguous
    True
    """
    made = coerce.in_order(coerce.asarray(a, dtype), "C")
    return made._reshape(1) if made.ndim == 0 else made


def asfortranarray(a: Any, dtype: Any = None, *, like: Any = None) -> ndarray:
    """The array in Fortran's order, of at least one dimension; a copy where it is not so.

    >>> px.asfortranarray(px.ones((2, 3))).flags.f_contiguous
    True
    """
    made = coerce.in_order(coerce.asarray(a, dtype), "F")
    return made._reshape(1) if made.ndim == 0 else made


def copy(a: Any, order: str = "K", subok: bool = False) -> ndarray:
    """A copy of the array, with memory of its own.

    >>> px.copy(px.arange(3))
    array([0, 1, 2])
    """
    return coerce.copied(coerce.asarray(a), coerce.named_order(order, "K"))


def empty(
    shape: Any, dtype: Any = float, order: str = "C", *, device: Any = None, like: Any = None
) -> ndarray:
    """An array whose elements may have any value. Raises `ValueError` for negative extents.

    >>> px.empty((2, 3)).shape
    (2, 3)
    """
    place = placement.engine_device(device)
    dimensions, name = making.extents(shape), dtypes.name_of(dtype)
    if coerce.named_order(order, "C") == "F":
        return making.uninitialized(dimensions[::-1], name, place).T
    return making.uninitialized(dimensions, name, place)


def zeros(
    shape: Any, dtype: Any = float, order: str = "C", *, device: Any = None, like: Any = None
) -> ndarray:
    """An array of zeros. Raises `ValueError` for negative extents.

    >>> px.zeros((2, 3), dtype=px.int32)
    array([[0, 0, 0],
           [0, 0, 0]], dtype=int32)
    """
    return making.filled(making.extents(shape), 0, dtypes.name_of(dtype), device, order)


def ones(
    shape: Any, dtype: Any = None, order: str = "C", *, device: Any = None, like: Any = None
) -> ndarray:
    """An array of ones. Raises `ValueError` for negative extents.

    >>> px.ones((2, 2))
    array([[1., 1.],
           [1., 1.]])
    """
    name = dtypes.name_of(float if dtype is None else dtype)
    return making.filled(making.extents(shape), 1, name, device, order)


def full(
    shape: Any,
    fill_value: Any,
    dtype: Any = None,
    order: str = "C",
    *,
    device: Any = None,
    like: Any = None,
) -> ndarray:
    """An array of one value, or of an array's values broadcast; its dtype by default.

    Raises `ValueError` for negative extents and shapes that do not fit.

    >>> px.full((2, 2), 7)
    array([[7, 7],
           [7, 7]])
    """
    dimensions = making.extents(shape)
    name = None if dtype is None else dtypes.name_of(dtype)
    is_plain = isinstance(fill_value, (bool, int, float, complex))
    if is_plain and name is not None and not dtypes.is_time(name):
        if isinstance(fill_value, (float, complex)) and name not in ("float64", "bfloat16"):
            import numpy as np

            fill_value = np.asarray(fill_value).astype(name).item()  # which takes nan for ints
        return making.filled(dimensions, fill_value, name, device, order)
    if name is not None and dtypes.is_time(name) and not isinstance(fill_value, _engine.Array):
        import numpy as np

        fill_value = np.full(np.shape(fill_value), fill_value, dtype)
    value = coerce.as_operand(fill_value, dtype, device=device)
    made = _engine.array_copy(value, dimensions, placement.engine_device(device))
    order = coerce.named_order(order, "C")
    return made if order == "C" else coerce.in_order(made, order)


class _Like:
    """What the functions whose names end in ``_like`` take of an array."""

    def __init__(self, a: Any, dtype: Any, shape: Any, order: Any, device: Any) -> None:
        if isinstance(a, _engine.Array):
            device = a._place if device is None else device
        else:
            import numpy as np

            a = np.asarray(host.as_host(a))
        self._shape = tuple(a.shape) if shape is None else making.extents(shape)
        self._axes = self._layout(a, coerce.named_order(order, "K"))
        self.dtype = getattr(a, "dtype", None) if dtype is None else dtype
        self.device = device

    def _layout(self, a: Any, order: str) -> list[int] | None:
        if order == "A":
            is_pending = isinstance(a, _engine.Array) and a._is_pending
            order = "F" if not is_pending and a.flags.fnc else "C"
        if order == "F":
            return [*range(len(self._shape))][::-1]
        return coerce.layout(a) if order == "K" and len(self._shape) == a.ndim else None

    @property
    def shape(self) -> tuple[int, ...]:
        """The extents from the slowest dimension of memory to the fastest."""
        if self._axes is None:
            return self._shape
        return tuple(self._shape[i] for i in self._axes)

    def finished(self, made: Any) -> Any:
        """An array of that shape with its dimensions in their order."""
        if self._axes is None:
            return made
        made._evaluate()  # views of what is in memory keep the order
        return coerce.transposed_back(made, self._axes)


def empty_like(
    prototype: Any,
    dtype: Any = None,
    order: str = "K",
    subok: bool = True,
    shape: Any = None,
    *,
    device: Any = None,
) -> ndarray:
    """An array of any values with another one's shape, dtype and device where not given.

    >>> px.empty_like(px.ones(3, dtype=px.int16)).dtype
    dtype('int16')
    """
    like = _Like(prototype, dtype, shape, order, device)
    return like.finished(empty(like.shape, like.dtype, device=like.device))


def zeros_like(
    a: Any,
    dtype: Any = None,
    order: str = "K",
    subok: bool = True,
    shape: Any = None,
    *,
    device: Any = None,
) -> ndarray:
    """An array of zeros with another one's shape, dtype and device where not given.

    >>> px.zeros_like(px.ones(2))
    array([0., 0.])
    """
    like = _Like(a, dtype, shape, order, device)
    return like.finished(zeros(like.shape, like.dtype, device=like.device))


def ones_like(
    a: Any,
    dtype: Any = None,
    order: str = "K",
    subok: bool = True,
    shape: Any = None,
    *,
    device: Any = None,
) -> ndarray:
    """An array of ones with another one's shape, dtype and device where not given.

    >>> px.ones_like(px.zeros(2))
    array([1., 1.])
    """
    like = _Like(a, dtype, shape, order, device)
    return like.finished(ones(like.shape, like.dtype, device=like.device))


def full_like(
    a: Any,
    fill_value: Any,
    dtype: Any = None,
    order: str = "K",
    subok: bool = True,
    shape: Any = None,
    *,
    device: Any = None,
) -> ndarray:
    """An array of one value with another one's shape, dtype and device where not given.

    >>> px.full_like(px.ones(2), 7)
    array([7., 7.])
    """
    like = _Like(a, dtype, shape, order, device)
    if not isinstance(fill_value, (bool, int, float, complex)):  # an array goes by dimensions
        made = like.finished(empty(like.shape, like.dtype, device=like.device))
        made[...] = fill_value
        return made
    return like.finished(full(like.shape, fill_value, like.dtype, device=like.device))


def frombuffer(
    buffer: Any, dtype: Any = float, count: int = -1, offset: int = 0, *, device: Any = None
) -> ndarray:
    """A 1-d array of a buffer's bytes, of the same memory where the device reaches it.

    >>> px.frombuffer(bytes([1, 2, 3]), dtype=px.uint8)
    array([1, 2, 3], dtype=uint8)
    """
    import numpy as np

    made = np.frombuffer(buffer, dtype, count, offset)
    return coerce.asarray(made, device=device)


def fromiter(iter: Any, dtype: Any, count: int = -1, *, device: Any = None) -> ndarray:
    """A 1-d array of what an iterable gives.

    >>> px.fromiter((i * i for i in range(4)), px.int64)
    array([0, 1, 4, 9])
    """
    import numpy as np

    return host.as_ours(np.fromiter(iter, dtype, count), placement.engine_device(device))


def from_dlpack(x: Any, /, *, device: Any = None, copy: bool | None = None) -> ndarray:
    """The array over the memory that another library shares through DLPack.

    With `device` another than where it is, a copy there. Raises `TypeError` where `x` has no
    `__dlpack__`, `ValueError` with `copy=False` where a copy is needed.

    >>> print(px.from_dlpack(np.arange(3)))
    [0 1 2]
    """
    if isinstance(x, _engine.Array):
        return coerce.asarray(x, device=device, copy=copy)
    from .._device.arrays import DeviceNDArray

    given = _engine.from_dlpack(x)
    memory = DeviceNDArray(given, tuple(given.shape), tuple(given.strides))
    made = _engine.array_of_memory(memory, True, _engine.is_automatic())
    return coerce.asarray(made, device=device, copy=copy)


def fromstring(string: Any, dtype: Any = float, count: int = -1, *, sep: str) -> ndarray:
    """A 1-d array of the numbers in a text, between which `sep` is.

    >>> px.fromstring("1 2 3", sep=" ")
    array([1., 2., 3.])
    """
    import numpy as np

    return host.as_ours(np.fromstring(string, dtype, count, sep=sep))


def fromfile(
    file: Any,
    dtype: Any = float,
    count: int = -1,
    sep: str = "",
    offset: int = 0,
    *,
    like: Any = None,
) -> ndarray:
    """A 1-d array of a file's bytes, or of its numbers with `sep` between them.

    Raises `OSError` where the file cannot be read. Larger than memory: `memmap`.

    >>> np.arange(3).tofile("x.bin")
    >>> px.fromfile("x.bin", dtype=px.int64)
    array([0, 1, 2])
    """
    import numpy as np

    stored = dtypes.numpy_dtype("bfloat16") if dtypes.is_bfloat16(dtype) else dtype
    return host.as_ours(np.fromfile(file, stored, count, sep, offset))


def asarray_chkfinite(a: Any, dtype: Any = None, order: str | None = None) -> ndarray:
    """As `asarray`; raises `ValueError` where an element is not finite.

    >>> px.asarray_chkfinite([1.0, 2.0])
    array([1., 2.])
    """
    import numpy as np

    made = coerce.asarray(a, dtype, order)
    np.asarray_chkfinite(coerce.to_numpy(made))
    return made


def diag(v: Any, k: int = 0) -> ndarray:
    """The k-th diagonal of a matrix, or the matrix with a 1-d array there.

    Raises `ValueError` for other dimensions.

    >>> px.diag([1, 2])
    array([[1, 0],
           [0, 2]])
    """
    v = coerce.as_operand(v)
    if v.ndim == 2:
        return copy(shapes.diagonal(v, k))
    if v.ndim != 1:
        raise ValueError("Input must be 1- or 2-d.")
    size = v.size + abs(k)
    made = zeros((size, size), v._dtype, device=v._place)
    shapes.diagonal_view(made, k, 0, 1)._assign(v)
    return made


def diagflat(v: Any, k: int = 0) -> ndarray:
    """The matrix with all elements of an array on its k-th diagonal.

    >>> px.diagflat([1, 2])
    array([[1, 0],
           [0, 2]])
    """
    return diag(coerce.as_operand(v)._reshape(-1), k)
