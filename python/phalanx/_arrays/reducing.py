"""How reductions are computed: by the engine where it has a kernel, else through NumPy."""

from __future__ import annotations

import math
from typing import Any

from .. import _engine
from . import axes, coerce, dtypes, host, outputs

_NUMPY = {"sum": "add", "prod": "multiply", "min": "minimum", "max": "maximum"}
_OF_TRUTHS = {"sum": "any", "prod": "all"}
_NUMPY |= {"any": "logical_or", "all": "logical_and"}


class _NoValue:
    """Stands for an argument that was not given, where None means something."""

    def __repr__(self) -> str:
        return "<no value>"


NO_VALUE = _NoValue()


def axes_of(axis: Any, ndim: int) -> tuple[int, ...]:
    """The axes that `axis` means, an int, a tuple or None for all of them."""
    if axis is None:
        return tuple(range(ndim))
    return axes.several(axis, ndim)


def restored(made: Any, shape: tuple[int, ...], reduced: tuple[int, ...]) -> Any:
    """The reduced array with extents of 1 where axes are gone."""
    if not shape:
        return made
    kept = [i for i in range(len(shape)) if i not in reduced]
    full = [1 if i in reduced else shape[i] for i in range(len(shape))]
    return made._view(full, [(i, 0, 1) for i in kept])


def plain(
    array: Any, name: str, dtype: str, reduced: tuple[int, ...], keepdims: bool = False
) -> Any:
    """The engine's reduction, recorded; small floats are summed in float32 and rounded once."""
    if dtype == "bool" and name in _OF_TRUTHS:
        array, name = truth(array), _OF_TRUTHS[name]
    if name in ("sum", "prod") and dtypes.computed_in(dtype) != dtype:
        exact = plain(array, name, dtypes.computed_in(dtype), reduced, keepdims)
        return _engine.array_cast(exact, dtype)
    made = _engine.array_reduce(array, name, dtype, list(reduced))
    return restored(made, array.shape, reduced) if keepdims else made


def dtype_of_sum(array: Any, dtype: Any = None) -> str:
    """What a sum has: the dtype asked for, else that of the elements, of 64 bits for integers."""
    if dtype is not None:
        wanted = dtypes.name_of(dtype)
        dtypes.warn_of_imaginary_parts(array._dtype, wanted)
        return wanted
    if dtypes.is_time(array._dtype):
        return str(array._dtype)
    types = _engine.numpy_reduction_types("sum", array._dtype)
    assert types is not None  # every dtype of arrays has a sum
    return types[1]


def has_kernel(name: str, array: Any) -> bool:
    """Returns whether the engine has the reduction for these elements."""
    is_order = name in ("min", "max", "argmin", "argmax")
    is_sum = name == "prod" or (name == "sum" and array._dtype.startswith("datetime64"))
    return not (
        (is_order and array._dtype.startswith("complex"))
        or (is_sum and dtypes.is_time(array._dtype))
    )


def reduce(
    name: str,
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = False,
    initial: Any = NO_VALUE,
    where: Any = True,
) -> Any:
    """The reduction with all that NumPy's ufunc.reduce takes."""
    array, mask = outputs.with_mask(a, where)
    if dtype is None and name in ("sum", "prod") and array._dtype == "bool":
        dtype = getattr(out[0] if isinstance(out, tuple) else out, "dtype", None)
    if array.ndim == 0 and type(axis) is int and axis in (0, -1):
        axis = ()  # as NumPy has it for ufuncs
    reduced = axes_of(axis, array.ndim)
    is_truth = name in ("any", "all")
    result = "bool" if is_truth else _result(name, array, dtype)
    is_given = dtype is not None or initial is not NO_VALUE  # of times NumPy knows what that means
    if (
        not has_kernel(name, array)
        or (dtype is not None and not _is_fold(name))
        or (is_given and dtypes.is_time(array._dtype))
    ):
        options = {"axis": reduced, "dtype": dtype, "keepdims": bool(keepdims)}
        made = _on_host(name, array, options, initial, mask)
    else:
        masked = array if mask is None else _masked(name, array, mask, result, initial)
        made = _computed(name, masked, result, reduced, bool(keepdims), initial)
    return outputs.store_reduced(out, made, _NUMPY[name])


def _is_fold(name: str) -> bool:
    return name in ("sum", "prod")


def _result(name: str, array: Any, dtype: Any) -> str:
    return dtype_of_sum(array, dtype) if _is_fold(name) else str(array._dtype)


def _masked(name: str, array: Any, mask: Any, dtype: str, initial: Any) -> Any:
    """The elements, with what changes no result where the mask is false."""
    if name in ("min", "max") and (initial is NO_VALUE or initial is None):
        raise ValueError(
            f"reduction operation '{_NUMPY[name]}' does not have an identity, so to use a where "
            "mask one has to specify 'initial'"
        )
    if name in ("any", "all"):
        array, dtype = truth(array), "bool"
    elif _is_fold(name):
        array = _engine.array_cast(array, dtype)
    neutral: Any = {"sum": 0, "prod": 1, "any": False, "all": True}.get(name, initial)
    made = _engine.array_where(mask, array, _engine.array_number(neutral, dtype))
    if made.shape != array.shape:
        raise ValueError(
            f"the mask of shape {mask.shape} does not fit the array of shape {array.shape}"
        )
    return made


def truth(array: Any) -> Any:
    """The elements as booleans: true where they are not 0."""
    return array if array._dtype == "bool" else _engine.array_cast(array, "bool")


def _computed(
    name: str, array: Any, dtype: str, reduced: tuple[int, ...], keepdims: bool, initial: Any
) -> Any:
    has_initial = initial is not NO_VALUE and initial is not None
    if has_initial and any(array.shape[i] == 0 for i in reduced):
        kept = [n for i, n in enumerate(array.shape) if i not in reduced]
        if keepdims:
            kept = [1 if i in reduced else n for i, n in enumerate(array.shape)]
        first = _engine.array_copy(_engine.array_number(initial, dtype), kept)
        return first if kept else first._as_number()
    if name in ("min", "max") and any(array.shape[i] == 0 for i in reduced):
        raise ValueError(
            f"zero-size array to reduction operation {_NUMPY[name]} which has no identity"
        )
    made = plain(array, name, dtype, reduced, keepdims)
    if not has_initial:
        return made
    number = _engine.array_number(bool(initial) if dtype == "bool" else initial, dtype)
    return _engine.array_apply(_NUMPY[name], made, number)


def _on_host(name: str, array: Any, options: dict[str, Any], initial: Any, mask: Any) -> Any:
    import numpy as np

    if initial is not NO_VALUE:
        options["initial"] = initial
    if mask is not None:
        options["where"] = mask
    return host.run(getattr(np, _NUMPY[name]).reduce, array, **options)


def position(name: str, a: Any, axis: Any, out: Any, keepdims: bool) -> Any:
    """The index of an extreme: `argmin` and `argmax`."""
    import numpy as np

    array = coerce.as_operand(a)
    reduced = axes_of(None if axis is None else axes.one(axis, array.ndim), array.ndim)
    if math.prod(array.shape[i] for i in reduced) == 0:
        raise ValueError(f"attempt to get {name} of an empty sequence")
    if not has_kernel(name, array):
        made = host.run(getattr(np, name), array, axis=axis, keepdims=keepdims)
    else:
        made = plain(array, name, array._dtype, reduced, keepdims)
    return outputs.store_reduced(out, made, name)
