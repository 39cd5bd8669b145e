"""Threads of a process that is one of several on a machine: those that its starter left to it."""

from __future__ import annotations

import os
import sys

OURS = "PHALANX_NUM_THREADS"
# How the names begin that joblib's loky and Dask give to the processes that they start.
LOKY, DASK = "LokyProcess", "Dask Worker process"
# What joblib tells the processes that it starts, in the order in which it is believed.
_OF_JOBLIB = ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS")


def is_worker(*starters: str) -> bool:
    """True in a process that one of the starters, `LOKY` and `DASK`, made for its tasks.

    `multiprocessing` knows the name of the process; it is not loaded to be asked.
    """
    if (started := sys.modules.get("multiprocessing.process")) is None:
        return False
    return str(started.current_process().name).startswith(starters)


def limit_in_loky() -> None:
    """In a process of joblib's: have as many threads as joblib leaves to each, if nothing is said.

    Else each of them would run on all cores at the same time as the others.
    """
    if OURS in os.environ or not is_worker(LOKY):
        return
    for name in _OF_JOBLIB:
        if (value := os.environ.get(name, "")).isdecimal() and 1 <= int(value) <= 4096:
            os.environ[OURS] = value
            return
