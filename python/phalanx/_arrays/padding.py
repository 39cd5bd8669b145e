"""Arrays with more elements around them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import coerce, creation, dtypes, host, making

if TYPE_CHECKING:
    from .ndarray import ndarray


def _numpy(name: str) -> Any:
    import numpy as np

    return getattr(np, name)


def pad(array: Any, pad_width: Any, mode: Any = "constant", **kwargs: Any) -> ndarray:
    """The array with more elements around it, by NumPy's modes.

    By a number it is recorded. By the edges, by reflections (`"reflect"`, `"symmetric"`) and by the
    other side (`"wrap"`) it is made on the device of `array`, where no side needs an element twice;
    other modes are NumPy's on the host.
    Raises `ValueError` for another mode or other keywords than the mode has.

    >>> import phalanx as px
    >>> px.pad(px.arange(3), (1, 2), mode="edge").tolist()
    [0, 0, 1, 2, 2, 2]
    """
    array = coerce.as_operand(array)
    if not isinstance(pad_width, dict):
        value = kwargs.get("constant_values", 0)
        if mode == "constant" and not {*kwargs} - {"constant_values"} and _is_number(value):
            return _by_a_number(array, _pairs(pad_width, array.ndim), value)
        if isinstance(mode, str) and mode in _SIDES and not kwargs and not _is_few(array):
            pairs = _pairs(pad_width, array.ndim)
            if all(_has(n, pair, mode) for n, pair in zip(array.shape, pairs, strict=True)):
                return _by_its_own(array, pairs, mode)
    return host.run(_numpy("pad"), array, pad_width, mode, **kwargs)


def _by_a_number(array: Any, pairs: list[Any], value: Any) -> Any:
    extents = [low + n + high for n, (low, high) in zip(array.shape, pairs, strict=True)]
    shape = making.checked(tuple(extents))
    around = _pad_value(array, value)
    parts: list[tuple[Any, list[int] | None]] = [(around, None)]
    if array.size:
        parts.append((array, [low for low, _ in pairs]))
    return making.of_parts(shape, array._dtype, parts, array._place)


# By mode: what of `n` elements comes before them, and after them. The slices have as many elements
# as are wanted, but for those of the edge, of which each side repeats one.
_SIDES: dict[str, Any] = {
    "edge": lambda n, low, high: (slice(0, 1), slice(n - 1, n)),
    "reflect": lambda n, low, high: (slice(low, 0, -1), _downwards(n - 2, high)),
    "symmetric": lambda n, low, high: (_downwards(low - 1, low), _downwards(n - 1, high)),
    "wrap": lambda n, low, high: (slice(n - low, n), slice(0, high)),
}
# Arrays of the CPU device with fewer elements are NumPy's work, which takes less than the launches.
_FEW = 32768


def _is_few(array: Any) -> bool:
    return bool(array._device.is_host and array.size < _FEW)


def _has(n: int, pair: tuple[int, int], mode: str) -> bool:
    """Returns whether `n` elements are enough, so that no side needs one twice."""
    if mode == "edge":
        return n > 0
    return max(pair) <= n - (mode == "reflect")


def _downwards(first: int, count: int) -> slice:
    return slice(first, first - count if first >= count else None, -1)


def _by_its_own(array: Any, pairs: list[Any], mode: str) -> Any:
    """Axis by axis, so that the corners are made of sides that are there already.

    It is written at once: recorded, each operation on it would be one kernel for each of its parts.
    """
    inside = [slice(low, low + n) for n, (low, _) in zip(array.shape, pairs, strict=True)]
    extents = [low + n + high for n, (low, high) in zip(array.shape, pairs, strict=True)]
    made = making.uninitialized(making.checked(tuple(extents)), array._dtype, array._place)
    made[tuple(inside)] = array
    for axis, (low, high) in enumerate(pairs):
        n, before = array.shape[axis], (slice(None),) * axis
        here = made[(*before, slice(None), *inside[axis + 1 :])]
        own = here[(*before, inside[axis])]
        places = slice(0, low), slice(low + n, low + n + high)
        for place, key in zip(places, _SIDES[mode](n, low, high), strict=True):
            if place.stop > place.start:
                here[(*before, place)] = own[(*before, key)]
    return made


def _pairs(pad_width: Any, ndim: int) -> list[Any]:
    if type(pad_width) is int and pad_width >= 0:
        return [(pad_width, pad_width)] * ndim
    import numpy as np

    widths = np.asarray(host.as_host(pad_width))
    if widths.dtype.kind not in "iu":
        raise TypeError("`pad_width` must be of integral type.")
    if (widths < 0).any():
        raise ValueError("index can't contain negative values")
    return list(np.broadcast_to(widths, (ndim, 2)).tolist())


def _is_number(value: Any) -> bool:
    return isinstance(value, (bool, int, float, complex))


def _pad_value(array: Any, value: Any) -> Any:
    """A number of the array's dtype.

    What the dtype does not have is converted, or refused, as NumPy does it when it pads.
    """
    least = 0 if "uint" in array._dtype else -128
    is_small = isinstance(value, int) and least <= value < 128
    if not is_small and not (isinstance(value, float) and dtypes.is_floating(array._dtype)):
        import numpy as np

        value = np.pad(np.empty(0, array.dtype), (1, 0), constant_values=value)[0]
        if not dtypes.is_time(array._dtype):
            value = value.item()
    return creation.full((), value, array._dtype, device=array._place)
