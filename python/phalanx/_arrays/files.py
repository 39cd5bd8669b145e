"""Arrays in files: `load`, `save`, and maps of files as sources and targets."""

from __future__ import annotations

import contextlib
import math
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .. import _engine
from . import coerce, dtypes, outputs, placement


def load(file: Any, mmap_mode: Any = None, *, device: Any = None) -> Any:
    """The array of a ``.npy`` file; of an ``.npz`` file a dict of its arrays.

    With `mmap_mode` the file is mapped: see `memmap`. Objects of Python's are not loaded.

    Raises `OSError` for a file that cannot be read, `ValueError` for one of another format and for
    a map to write to that is asked for on a GPU.
    """
    import numpy as np

    found = np.load(file, mmap_mode=mmap_mode, allow_pickle=False)
    if isinstance(found, np.ndarray):
        return _of_file(found, mmap_mode, device)
    with found:
        return {name: _of_file(found[name], None, device) for name in found.files}


def memmap(
    filename: Any,
    dtype: Any = "uint8",
    mode: Any = "r+",
    offset: int = 0,
    shape: Any = None,
    order: Any = "C",
) -> Any:
    """The array of a part of a file, mapped as `numpy.memmap` does it.

    With mode ``"r"`` it is an array of the current device: a GPU reads it as it is needed, in
    chunks if it does not fit. With ``"r+"`` and ``"w+"`` it is one of the CPU device, and what is
    assigned to it goes to the file, from arrays of any device: ``mapped[...] = 2 * x``. Mode
    ``"w+"`` takes the space on the disk at once.

    Raises `OSError` where the file cannot be had or the disk is full; no new file is left then.
    Raises `ValueError` for a map to write to whose elements would have to be copied.
    """
    import numpy as np

    stored = dtypes.numpy_dtype(dtypes.name_of(dtype))
    path = Path(os.fspath(filename))
    with _removed_on_error(path):
        found = np.memmap(path, stored, mode, offset, shape, order)
        if mode == "w+":
            _reserve(path, offset + found.nbytes)
        return _of_file(found, mode, None)


def save(file: Any, arr: Any) -> None:
    """Writes an array to a ``.npy`` file, whose name gets that ending if it has none.

    What is not computed yet goes to the file as it is computed, in chunks if it does not fit the
    device's memory. The file is replaced when all of it is there.

    Raises `OSError` where the disk is full; an older file of the name is as it was then.
    """
    import numpy as np

    made = coerce.asarray(arr)
    if hasattr(file, "write"):
        np.save(file, coerce.to_numpy(made))
        return
    path = Path(os.fspath(file))
    if path.suffix != ".npy":
        path = path.with_name(path.name + ".npy")
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    with _removed_on_error(part):
        _write(part, made)
        part.replace(path)


def _write(path: Path, made: Any) -> None:
    import numpy as np

    if math.prod(made.shape) == 0:  # nothing can be mapped
        with path.open("wb") as file:
            np.save(file, coerce.to_numpy(made))
        return
    stored = dtypes.numpy_dtype(made._dtype)
    sink = np.lib.format.open_memmap(path, "w+", stored, made.shape)
    _reserve(path, path.stat().st_size)
    outputs.write(made, sink)
    sink.flush()


def _of_file(found: Any, mode: str | None, device: Any) -> Any:
    """The array of NumPy's, on the CPU device if what is assigned to it is to be in the file."""
    is_target = mode in ("r+", "w+", "readwrite", "write")
    if not is_target:
        return coerce.asarray(found, device=device)
    place = placement.engine_device(device)
    if place is not None and not place.is_host:
        raise ValueError(
            f"a map to write to is an array of the CPU device, not of {placement.name_of(place)}: "
            "map it without device=, and assign arrays of any device to it"
        )
    if not found.flags.aligned or not found.dtype.isnative:
        raise ValueError(
            f"kernels cannot write to {found.dtype!r} at that place of the file: choose an offset "
            f"that is a multiple of {found.dtype.alignment} and a native byte order"
        )
    return coerce.asarray(found, device=_host_device())


def _host_device() -> _engine.Device:
    return next(each for each in _engine.devices() if each.is_host)


def _reserve(path: Path, size: int) -> None:
    """Takes the space on the disk: a write to a map of a full disk would end the process."""
    with path.open("r+b") as file:
        os.posix_fallocate(file.fileno(), 0, size)


@contextlib.contextmanager
def _removed_on_error(path: Path) -> Iterator[None]:
    """Removes a file that was not there before, if what is done with it fails."""
    is_new = not path.exists()
    try:
        yield
    except BaseException:
        if is_new:
            path.unlink(missing_ok=True)
        raise
