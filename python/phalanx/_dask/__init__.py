"""Arrays as the chunks of Dask's: what Dask finds by the entry points of this package.

Nothing here is loaded but by Dask, and nothing loads Dask or NumPy that was not loaded.
"""

from __future__ import annotations

import warnings
from typing import Any

from .imports import when_loaded

_ARRAYS = "phalanx._arrays.ndarray"


def attach(sizeof: Any) -> None:
    """Called by Dask as it is imported, with its registry of sizes (entry point `dask.sizeof`).

    The other registries get their rows when both sides of them are loaded: a program that has
    Dask but no arrays of ours, or ours but no `dask.array`, pays nothing.
    """

    def register_size() -> None:
        from .. import ndarray
        from . import results

        sizeof.register(ndarray, results.size_of)

    def register_chunks() -> None:
        try:
            from . import chunks, results
        except ImportError as error:  # Dask works on, with other chunks
            warnings.warn(
                f"phalanx's arrays cannot be chunks of this version of Dask: {error}",
                RuntimeWarning,
                stacklevel=2,
            )
            return
        chunks.register()
        results.register()

    def register_transport() -> None:
        from . import transport

        transport.register()

    sizeof.register_lazy("phalanx", register_size)
    when_loaded(("dask.array", _ARRAYS), register_chunks)
    when_loaded(("distributed.protocol", _ARRAYS), register_transport)
