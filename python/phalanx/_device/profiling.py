"""What a profiler that watches the process collects."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from .. import _engine


def profile_start() -> None:
    """Makes a profiler (Nsight Systems, Nsight Compute) collect from now on; none: no effect.

    >>> cuda.profile_start()
    >>> cuda.profile_stop()
    """
    _engine.profile(True)


def profile_stop() -> None:
    """Ends what `profile_start` began.

    >>> cuda.profile_stop()
    """
    _engine.profile(False)


@contextlib.contextmanager
def profiling() -> Iterator[None]:
    """A ``with`` block that a profiler collects.

    >>> with cuda.profiling():
    ...     cuda.synchronize()
    """
    profile_start()
    try:
        yield
    finally:
        profile_stop()
