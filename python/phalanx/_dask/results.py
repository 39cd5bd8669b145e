"""What tasks of Dask's give is computed when the task is done, not when somebody looks.

Else a recorded sum of a chunk would keep the chunk's memory, and a reduction of an array that is
larger than memory would need all of it. What one task does is still recorded and fused.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from dask.callbacks import Callback

import phalanx as px


def compute(value: Any) -> None:
    """Computes the arrays in the result of a task, which may be in lists and dicts."""
    if isinstance(value, px.ndarray):
        value._evaluate()
    elif isinstance(value, (list, tuple)):
        for each in value:
            compute(each)
    elif isinstance(value, dict):
        for each in value.values():
            compute(each)


def size_of(array: Any) -> int:
    """The bytes of an array, computed: a worker of `distributed` asks when its task is done."""
    array._evaluate()
    return int(array.nbytes)


def size_of_rows(rows: Any) -> int:
    """The bytes of a frame, a series or an index, texts included."""
    usage = rows.memory_usage(deep=True)
    return int(usage if isinstance(usage, int) else usage.sum())


def computed_in_workers() -> None:
    """Has the tasks of `distributed` fail where the device has no memory for what they give.

    A worker takes any error of `size_of` for a size that is not known, and would keep the array
    uncomputed: whoever reads it later would get the error.
    """
    from distributed import worker

    run = getattr(worker, "_run_task_simple", None)  # not there in older versions
    if run is None:
        return

    @wraps(run)
    def run_computed(task: Callable[..., Any], *arguments: Any) -> Any:
        def call(data: Any) -> Any:
            made = task(data)
            compute(made)
            return made

        return run(call, *arguments)

    worker._run_task_simple = run_computed


def register() -> None:
    """Has Dask's schedulers for one machine compute what their tasks give."""
    Callback(posttask=lambda key, result, *state: compute(result)).register()
