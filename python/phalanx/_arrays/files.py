"""Arrays in files: `load`, `save`, and maps of files as sources and targets."""

from __future__ import annotations

import contextlib
import errno
import math
import mmap
import os
import stat
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from .. import _engine
from . import archive, coerce, dtypes, outputs, placement

_MS_SYNC = 4  # of sys/mman.h on Linux


def load(
    file: Any,
    mmap_mode: Any = None,
    allow_pickle: bool = False,
    fix_imports: bool = True,
    encoding: Any = "ASCII",
    *,
    device: Any = None,
    **options: Any,
) -> Any:
    """The array of a ``.npy`` file; of an ``.npz`` file an `Archive`, a mapping of its arrays.

    With `mmap_mode` the file is mapped: see `memmap`. Objects of Python's are not loaded, so
    `fix_imports` and `encoding` change nothing; `options` are the others of `numpy.load`.

    Raises `OSError` for a file that cannot be read, `ValueError` for one of another format and for
    a map to write to that is asked for on a GPU, `TypeError` for ``allow_pickle=True``.

    >>> px.save("x.npy", px.arange(3))
    >>> px.load("x.npy")
    array([0, 1, 2])
    """
    import numpy as np

    if allow_pickle:
        raise TypeError(
            "arrays have no objects of Python's, and reading them runs code of the file: leave out "
            "allow_pickle=True, or load such a file with numpy.load"
        )
    found = np.load(file, mmap_mode, False, fix_imports, encoding, **options)
    if isinstance(found, np.ndarray):
        return _of_file(found, mmap_mode, device)
    return archive.Archive(found, lambda stored: _of_file(stored, None, device))


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

    >>> px.save("m.npy", px.zeros(3))
    >>> px.load("m.npy", mmap_mode="r").shape
    (3,)
    """
    import numpy as np

    stored = dtypes.numpy_dtype(dtypes.name_of(dtype))
    path = Path(os.fspath(filename))
    with _removed_on_error(path):
        found = np.memmap(path, stored, mode, offset, shape, order)
        if mode == "w+":
            _reserve(path, offset + found.nbytes)
        return _of_file(found, mode, None)


def save(file: Any, arr: Any, allow_pickle: bool = True) -> None:
    """Writes an array to a ``.npy`` file, whose name gets that ending if it has none.

    What is not computed yet goes to the file as it is computed, in chunks if it does not fit the
    device's memory. The file is replaced when all of it is there; it keeps its permissions, and a
    symbolic link stays one. `allow_pickle` is of no use, as arrays have no objects.

    Raises `OSError` where the disk is full or the file must not be written to, `TypeError` for
    bfloat16, which the format does not have; an older file of the name is as it was then.

    >>> px.save("x.npy", px.arange(3))
    >>> np.load("x.npy")
    array([0, 1, 2])
    """
    import numpy as np

    made = _storable(arr)
    if hasattr(file, "write"):
        np.save(file, coerce.to_numpy(made))
        return
    name = os.fspath(file)
    name = name if name.endswith(".npy") else name + ".npy"
    path = Path(os.path.realpath(name))
    part = path.with_name(f".{path.name}.{threading.get_native_id()}.part")
    with _named_in_errors(name, part, path), _removed_on_error(part), _replacing(path, part):
        _write(part, made)


def savez(file: Any, *args: Any, allow_pickle: bool = True, **kwds: Any) -> None:
    """Writes several arrays to an ``.npz`` file, as `numpy.savez` does: by name, or as ``arr_0``...

    Raises `OSError` where the file cannot be written, `TypeError` for bfloat16.

    >>> px.savez("x.npz", a=px.arange(2))
    >>> sorted(np.load("x.npz"))
    ['a']
    """
    import numpy as np

    _save_archive(np.savez, file, args, kwds)


def savez_compressed(file: Any, *args: Any, allow_pickle: bool = True, **kwds: Any) -> None:
    """As `savez`, in fewer bytes and more time.

    >>> px.savez_compressed("x.npz", a=px.arange(2))
    >>> sorted(np.load("x.npz"))
    ['a']
    """
    import numpy as np

    _save_archive(np.savez_compressed, file, args, kwds)


def _save_archive(
    function: Callable[..., None], file: Any, args: tuple[Any, ...], named: dict[str, Any]
) -> None:
    hosts = [coerce.to_numpy(_storable(each)) for each in args]
    function(
        file, *hosts, **{name: coerce.to_numpy(_storable(each)) for name, each in named.items()}
    )


def _storable(a: Any) -> Any:
    """The array, if files of NumPy's have its dtype."""
    made = coerce.asarray(a)
    if made._dtype == "bfloat16":
        raise TypeError(
            "NumPy's files have no bfloat16: save x.astype('float32'), or the bits "
            "x.view('uint16'), whose .view(px.bfloat16) is the array"
        )
    return made


def flush(array: Any) -> None:
    """Returns when what was assigned to an array of a mapped file is on the disk.

    Raises `OSError` where that fails. Other arrays have nothing to write.
    """
    import numpy as np

    if array._device.is_host and math.prod(array.shape):
        _sync(*np.lib.array_utils.byte_bounds(coerce.to_numpy(array)))


def _sync(first: int, last: int) -> None:
    """Writes the pages of memory between two addresses to the files that they are maps of."""
    import ctypes

    first -= first % mmap.PAGESIZE
    msync = ctypes.CDLL(None, use_errno=True).msync
    msync.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    if msync(first, last - first, _MS_SYNC) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


@contextlib.contextmanager
def _replacing(path: Path, part: Path) -> Iterator[None]:
    """Makes an empty file to write to, which then takes the place, owner and mode of another one.

    Raises `PermissionError` where that one must not be written to.
    """
    older = path.stat() if path.exists() else None
    if older and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    part.unlink(missing_ok=True)
    part.touch(0o600 if older else 0o666)  # nobody else reads it before it has the other's mode
    yield
    if older:
        with contextlib.suppress(PermissionError):  # only root gives files away
            os.chown(part, older.st_uid, older.st_gid)
        part.chmod(stat.S_IMODE(older.st_mode))
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
    if size == 0:  # which is no size for posix_fallocate
        return
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


@contextlib.contextmanager
def _named_in_errors(name: str, *paths: Path) -> Iterator[None]:
    """Errors of one of the paths name what the caller gave."""
    try:
        yield
    except OSError as error:
        if error.filename not in map(str, paths):
            raise
        raise OSError(error.errno, error.strerror, name) from None
