"""numba's names for the threads of parallel loops."""

from __future__ import annotations

from .. import _engine


def get_num_threads() -> int:
    """How many threads run parallel loops, and the blocks of kernels on the CPU device."""
    return int(_engine.device("cpu").limits["multiprocessors"])


def set_num_threads(n: int) -> None:
    """Accepts the number that there is.

    Raises `ValueError` for numbers that are out of range, as Numba does, and `NotImplementedError`
    for others: the number is chosen when the process starts.
    """
    most = get_num_threads()
    if not 1 <= n <= most:
        raise ValueError(f"The number of threads must be between 1 and {most}")
    if n != most:
        raise NotImplementedError(
            f"the number of threads is chosen at the start: set PHALANX_NUM_THREADS={n}"
        )


def threading_layer() -> str:
    """What runs the threads: oneTBB."""
    return "tbb"
