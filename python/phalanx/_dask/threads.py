"""Threads of the engine in workers that Dask starts by itself, as `LocalCluster` does."""

from __future__ import annotations

import os

from .._core.worker_threads import DASK, OURS, is_worker


def limit_in_worker() -> None:
    """In a worker process: have as many threads as the worker has, if nothing else is said.

    Else the workers of a machine would have all its cores each. The engine reads the variable when
    it first computes. A program that loads arrays while it is imported comes here before there is
    a worker: then Dask's word for libraries counts, by default one thread.
    """
    if OURS in os.environ or not is_worker(DASK):
        return
    from distributed.worker import Worker

    threads = [each.state.nthreads for each in Worker._instances]
    told = os.environ.get("OMP_NUM_THREADS", "")
    if threads or told.isdecimal():
        os.environ[OURS] = str(max(1, threads[0] if threads else int(told)))
