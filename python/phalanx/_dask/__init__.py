"""Arrays as the chunks of Dask's, frames as its partitions: what Dask finds by entry points.

Nothing here is loaded but by Dask, and nothing loads Dask or NumPy that was not loaded.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import sys
import warnings
from collections.abc import Iterator
from typing import Any

from .._core.imports import when_loaded

_ARRAYS = "phalanx._arrays.ndarray"
_FRAMES = "phalanx._frames.frame"
_SERIES = "phalanx._frames.series"
_INDEXES = "phalanx._frames.indexes.index"


@contextlib.contextmanager
def _other_versions(refused: str) -> Iterator[None]:
    """A warning where a version of Dask has not what is needed: it works on with others' data."""
    try:
        yield
    except ImportError as error:
        warnings.warn(
            f"phalanx's {refused} of this version of Dask: {error}", RuntimeWarning, stacklevel=4
        )


def _register_sizes(sizeof: Any) -> None:
    from .. import ndarray
    from . import results

    def register(module: str, name: str) -> None:
        sizeof.register(getattr(sys.modules[module], name), results.size_of_rows)

    sizeof.register(ndarray, results.size_of)
    # Workers ask for the sizes of frames without `dask.dataframe`, too: of futures' results.
    for module, name in ((_FRAMES, "DataFrame"), (_SERIES, "Series"), (_INDEXES, "Index")):
        when_loaded((module,), functools.partial(register, module, name))


def attach(sizeof: Any) -> None:
    """Called by Dask as it is imported, with its registry of sizes (entry point `dask.sizeof`).

    The other registries get their rows when both sides of them are loaded: a program that has
    Dask but no arrays of ours, or ours but no `dask.array`, pays nothing.
    """

    def register_chunks() -> None:
        with _other_versions("arrays cannot be chunks"):
            from . import chunks, explaining, results

            chunks.register()
            results.register()
            explaining.register_arrays()

    def register_partitions() -> None:
        with _other_versions("frames cannot be partitions"):
            from .frames import registry

            registry.register()

    def load_frames() -> None:
        # A program may have series alone. Where frames are being loaded, they end soon.
        if _FRAMES not in sys.modules:
            importlib.import_module(_FRAMES)

    def register_transport() -> None:
        from . import parts, transport

        transport.register()
        parts.register()

    def register_splits() -> None:
        from . import parts

        parts.register_splits()

    def register_shards() -> None:
        with _other_versions("frames cannot be shuffled between workers"):
            from .frames import shards

            shards.register()

    def be_in_worker() -> None:
        from . import results, threads

        results.computed_in_workers()
        threads.limit_in_worker()

    sizeof.register_lazy("phalanx", functools.partial(_register_sizes, sizeof))
    when_loaded(("dask.array", _ARRAYS), register_chunks)
    when_loaded(("dask.dataframe", _FRAMES), register_partitions)
    when_loaded(("dask.dataframe", _SERIES), load_frames)
    when_loaded(("distributed.protocol", _ARRAYS), register_transport)
    splits = "dask.dataframe.backends"
    when_loaded(("distributed.protocol", splits, _ARRAYS), register_splits)
    when_loaded(("distributed.shuffle._shuffle", "dask.dataframe", _FRAMES), register_shards)
    when_loaded(("distributed.worker", _ARRAYS), be_in_worker)
