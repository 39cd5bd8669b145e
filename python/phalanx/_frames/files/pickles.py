"""`read_pickle` and `to_pickle`."""

from __future__ import annotations

import pickle
from typing import Any

from ..shared.base import Labelled
from ..storage.compressing import compressed, method_to_write
from ..storage.input import opened_bytes
from ..storage.output import local_path, open_output


def read_pickle(path: Any, compression: Any = "infer", storage_options: Any = None) -> Any:
    """What `to_pickle` wrote, or whatever a pickle has: of files that you trust only.

    Raises OSError, and what ``pickle.load`` raises.

    >>> px.DataFrame({"a": [1, 2]}).to_pickle("t.pickle")
    >>> px.read_pickle("t.pickle")
       a
    0  1
    1  2
    """
    with opened_bytes(path, compression, "read_pickle", storage_options) as file:
        return pickle.load(file)


def to_pickle(
    obj: Any,
    filepath_or_buffer: Any,
    compression: Any = "infer",
    protocol: int = 5,
    storage_options: Any = None,
) -> None:
    """Any object as a pickle, to a path or an open file. Raises OSError, and pickle's errors.

    >>> px.to_pickle(px.Series([1, 2]), "s.pickle")
    >>> px.read_pickle("s.pickle")
    0    1
    1    2
    dtype: int64
    """
    if storage_options:
        raise ValueError("storage_options passed with file object or non-fsspec file path")
    written = pickle.dumps(obj, pickle.HIGHEST_PROTOCOL if protocol < 0 else protocol)
    if hasattr(filepath_or_buffer, "write"):
        kind = None if compression == "infer" else compression
        method, options = method_to_write(kind, None, "to_pickle")
        with compressed(filepath_or_buffer, method, options) as inner:
            inner.write(written)
        return
    where = local_path(filepath_or_buffer, "to_pickle")
    method, options = method_to_write(compression, where, "to_pickle")
    with open_output(where) as file, compressed(file, method, options, where.name) as inner:
        inner.write(written)


class Pickling(Labelled):
    """`to_pickle` of frames and series."""

    def to_pickle(
        self,
        path: Any,
        *,
        compression: Any = "infer",
        protocol: int = 5,
        storage_options: Any = None,
    ) -> None:
        """A pickle, to a path or an open file. Raises OSError."""
        to_pickle(self, path, compression, protocol, storage_options)
