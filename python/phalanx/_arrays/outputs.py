"""Where results go that a caller has an array for: `out=` and `where=`."""

from __future__ import annotations

from typing import Any

from .. import _engine
from . import coerce, dtypes


def store(out: Any, made: Any, casting: Any = "same_kind", mask: Any = None, name: str = "") -> Any:
    """`made` in the array `out`, ours or NumPy's, where the mask is true; without `out` itself.

    Raises `TypeError` where the rule `casting` forbids the conversion, `ValueError` for a shape
    that does not fit.
    """
    import numpy as np

    if isinstance(out, tuple):
        (out,) = out
    if out is None:
        return made if mask is None else _engine.array_where(mask, made, _zero(made))
    if not isinstance(out, (_engine.Array, np.ndarray)):
        raise TypeError("return arrays must be of ArrayType")
    source = dtypes.dtype_of(made._dtype)
    if not dtypes.can_cast(source, out.dtype, casting):
        raise TypeError(
            f"Cannot cast ufunc '{name}' output from {source!r} to {out.dtype!r} "
            f"with casting rule '{casting}'"
        )
    if isinstance(out, np.ndarray) and not out.flags.writeable:
        raise ValueError("output array is read-only")
    if isinstance(out, np.memmap) and mask is None and out.shape == made.shape:
        write(_engine.array_cast(made, dtypes.name_of(out.dtype)), out)
        return out
    if isinstance(out, np.ndarray):
        where = True if mask is None else coerce.to_numpy(mask)
        np.copyto(out, coerce.to_numpy(made), casting="unsafe", where=where)
        return out
    if made.ndim > out.ndim:
        raise ValueError(
            f"non-broadcastable output operand with shape {out.shape} doesn't match the broadcast "
            f"shape {made.shape}"
        )
    if made._dtype != out._dtype:
        made = _engine.array_cast(made, out._dtype)
    out._assign(made if mask is None else _engine.array_where(mask, made, out))
    return out


def write(made: Any, host: Any) -> None:
    """Writes an array's elements to a NumPy array of its shape and dtype, in chunks if need be.

    Raises `MemoryError` where they need more memory than there is.
    """
    import numpy as np

    if made._device.is_host and host.flags.aligned:
        coerce.from_numpy(host, device=made._device)._assign(made)
    elif host.flags.c_contiguous:
        _engine.array_read(made, host.ctypes.data)
    else:
        np.copyto(host, coerce.to_numpy(made))


def store_reduced(out: Any, made: Any, name: str, casting: str = "same_kind") -> Any:
    """As `store`, for reductions: `out` has the result's very shape."""
    if out is not None:
        target = out[0] if isinstance(out, tuple) else out
        if tuple(getattr(target, "shape", made.shape)) != made.shape:
            raise ValueError(
                f"output parameter for reduction operation {name} has the shape "
                f"{target.shape}; the result has {made.shape}"
            )
    return store(out, made, casting, name=name)


def with_mask(a: Any, where: Any, *others: Any) -> tuple[Any, Any]:
    """The array `a` and the mask of `where=`, on one device, that of others too."""
    array = coerce.beside(a, coerce.place_of(a, where, *others))
    return array, mask_of(where, array)


def mask_of(where: Any, *operands: Any) -> Any:
    """The mask of `where=`, beside the operands; None for True.

    Raises `TypeError` for another dtype than bool.
    """
    if where is True:
        return None
    mask = coerce.beside(where, coerce.place_of(*operands))
    if mask._dtype != "bool":
        raise TypeError(
            f"Cannot cast array data from {dtypes.dtype_of(mask._dtype)!r} to dtype('bool') "
            "according to the rule 'safe'"
        )
    return mask


def _zero(like: _engine.Array) -> Any:
    return _engine.array_number(0, like._dtype)
