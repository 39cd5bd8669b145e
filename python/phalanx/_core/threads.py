"""How many threads run parallel loops; the names are Numba's."""

from __future__ import annotations

import operator

from .. import _engine


def most_threads() -> int:
    """How many the process started with."""
    return int(_engine.device("cpu").limits["multiprocessors"])


def get_num_threads() -> int:
    """How many threads run what this thread launches: parallel loops, and kernels on the CPU.

    >>> px.get_num_threads() >= 1
    True
    """
    return _engine.thread_limit() or most_threads()


def set_num_threads(n: int) -> None:
    """Lets `n` threads run what the calling thread launches from now on.

    `n` is at least 1 and at most the number that the process started with: one for each core that
    it may use, or what ``PHALANX_NUM_THREADS`` says. Blocks of one cooperative launch run on all of
    these whatever `n` is. Results do not depend on it. Raises `ValueError` for other numbers,
    `TypeError` for what is no whole number.

    >>> before = px.get_num_threads()
    >>> px.set_num_threads(1)
    >>> px.get_num_threads()
    1
    >>> px.set_num_threads(before)
    """
    try:
        n = operator.index(n)
    except TypeError:
        raise TypeError(f"a number of threads is a whole number, not {n!r}") from None
    most = most_threads()
    if not 1 <= n <= most:
        raise ValueError(f"The number of threads must be between 1 and {most}")
    _engine.set_thread_limit(n)
