"""Arrays that stay where they are until kernels need them: maps of files, and their libraries'."""

from __future__ import annotations

import math
from typing import Any

from .. import _engine
from . import dtypes

# Smaller arrays are copied: the engine notes no memory of fewer bytes.
_LEAST_BYTES = 16384


def is_map(host: Any) -> bool:
    """Returns whether nobody can write to a NumPy array: a map of a file with mode "r"."""
    import numpy as np

    is_plain = host.flags.c_contiguous and host.flags.aligned and host.nbytes >= _LEAST_BYTES
    return is_plain and isinstance(host, np.memmap) and host.mode == "r"


def of_map(host: Any, dtype: str, device: _engine.Device) -> Any:
    """The array of a GPU whose elements stay in the map."""
    return _engine.array_source_in_memory(host.ctypes.data, host.shape, dtype, host, device)


def on_host(host: Any, dtype: str, device: _engine.Device) -> Any:
    """The array of a GPU whose elements are copied to the host's memory; None without room."""
    import numpy as np

    own = np.ascontiguousarray(host)
    return _engine.array_copied_to_host(own.ctypes.data, own.shape, dtype, device)


def has_rows(a: Any) -> bool:
    """Returns whether `a` is read by slicing, as the datasets of HDF5 and Zarr are.

    They tell the chunks in which they are stored, and are no arrays that compute.
    """
    if hasattr(a, "__array_ufunc__") or not hasattr(a, "__getitem__"):
        return False
    return all(hasattr(a, name) for name in ("shape", "dtype", "chunks"))


def of_rows(dataset: Any, device: _engine.Device) -> Any:
    """The array of a dataset for which there is no room, of which rows are read as needed.

    None for one that can be read at once. Raises `TypeError` for elements that arrays do not have.
    """
    import numpy as np

    stored = np.dtype(dataset.dtype)
    shape = tuple(dataset.shape)
    bytes_ = math.prod(shape) * stored.itemsize
    if not shape or bytes_ < _LEAST_BYTES or _has_room(device, bytes_):
        return None
    name = dtypes.name_of(stored)
    native = stored.newbyteorder("=")

    def read(first: int, last: int) -> Any:
        rows = np.ascontiguousarray(dataset[first:last], native)
        return rows.reshape(-1).view(np.uint8)  # times have no buffers

    return _engine.array_source_of_rows(read, shape, name, device)


def _has_room(device: _engine.Device, bytes_: int) -> bool:
    found = device.memory_info()
    free = found["free"] + found["cached_here"]
    limit = found["limit"]
    room = free if limit is None else min(free, limit - found["used"])
    return bool(bytes_ <= room)
