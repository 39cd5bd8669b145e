"""Arrays in pickles: NumPy's arrays of their elements, which joblib sends through files."""

from __future__ import annotations

import sys
import threading
import weakref
from typing import Any

from .. import _engine
from . import coerce, placement

# joblib's arrays of this size or more go to its processes through files (`max_nbytes`).
_BYTES_OF_FILES = 1_000_000
_MOST_KEPT = 8
_kept: dict[int | None, tuple[weakref.ref[_engine.Array], Any]] = {}
_lock = threading.Lock()


def sent(array: _engine.Array) -> Any:
    """A NumPy array of the elements; the same object as before, if they are the same.

    joblib writes an array to a file once for all tasks of a `Parallel`, and knows it by identity.
    """
    host = coerce.to_numpy(array)
    if host.nbytes < _BYTES_OF_FILES or "joblib" not in sys.modules:
        return host
    key = id(array)
    with _lock:
        known, before = _kept.pop(key, (None, None))
        if known is not None and known() is array and _is_same(host, before):
            host = before
        while len(_kept) >= _MOST_KEPT:
            _kept.pop(next(iter(_kept), None), None)
        _kept[key] = weakref.ref(array, lambda _: _kept.pop(key, None)), host
    return host


def _is_same(host: Any, before: Any) -> bool:
    if host.__array_interface__ == before.__array_interface__:
        return True
    if (host.dtype, host.shape, host.strides) != (before.dtype, before.shape, before.strides):
        return False
    # Of a GPU's array, which is copied each time. By bytes, as NaN is not equal to itself; in
    # parts, so that arrays that differ are known soon.
    parts = zip(_bytes_of(host), _bytes_of(before), strict=True)
    return all((one == other).all() for one, other in parts)


def _bytes_of(host: Any) -> Any:
    flat = host.ravel(order="K").view("u1")
    step = 1 << 20
    return (flat[i : i + step] for i in range(0, flat.size, step))


def restored(host: Any, device: str) -> Any:
    """The array of a pickle; on the current device where there is none of that name."""
    import numpy as np

    try:
        place = placement.engine_device(device)
    except ValueError:
        place = None
    if isinstance(host, np.memmap):  # a file of joblib's, which its other processes read too
        return coerce.from_numpy(host, device=place)
    own = host if host.flags.writeable else np.array(host)
    return coerce.from_numpy(own, is_shared=False, device=place)
