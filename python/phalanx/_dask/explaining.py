"""What `explain` tells of Dask's collections: the kernels of a task of each kind."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

import dask
from dask.core import flatten
from dask.local import get_sync
from dask.utils import key_split

import phalanx as px

from .._arrays import explaining
from .results import compute


class TaskExplanation(NamedTuple):
    """Tasks of one name: how many the collection has, and what explains the result of one."""

    number: int
    found: Any  # None where it has no array or frame of ours, or none was needed


class TaskExplanations:
    """What `explain` tells of a collection, by the names of its tasks, in `tasks`."""

    def __init__(self, title: str, tasks: dict[str, TaskExplanation]) -> None:
        self.title = title
        self.tasks = tasks

    def __repr__(self) -> str:
        parts = [self.title]
        for name, (number, found) in self.tasks.items():
            parts.append(f"\n{name}, {number} task{'s' if number != 1 else ''}")
            parts.append(
                "no array or frame of phalanx" if found is None else f"of one of them: {found!r}"
            )
        return "\n".join(parts)


def register_arrays() -> None:
    """Has `explain` take Dask's arrays."""
    from dask.array import Array

    explaining.OTHERS[Array] = explained


def register_frames() -> None:
    """Has `explain` take Dask's data frames, series and indexes."""
    from dask.dataframe.dask_expr import FrameBase

    explaining.OTHERS[FrameBase] = explained


def explained(collection: Any) -> TaskExplanations:
    """Computes in this process what one chunk of the collection needs, and tells its kernels.

    The tasks are those that `compute` runs, after Dask has put some of them together.
    """
    is_frame = hasattr(collection, "optimize")
    best = collection.optimize() if is_frame else dask.optimize(collection)[0]
    graph = best.__dask_graph__()
    first = next(iter(flatten(best.__dask_keys__())))
    seen: dict[str, Any] = {}

    def note(key: Any, value: Any, *_: Any) -> None:
        name = key_split(key)
        if name not in seen and (isinstance(value, px.ndarray) or _is_frame(value)):
            seen[name] = _own_kernels(explaining.explain(value))
        compute(value)

    # Alone: the others are in a set, and the one of `results` may compute before this one looks.
    get_sync(graph, [first], callbacks=[(None, None, None, note, None)])
    counts = Counter(key_split(key) for key in dict(graph))
    ordered = [*(name for name in seen if name in counts), *(n for n in counts if n not in seen)]
    kind = type(collection).__name__
    return TaskExplanations(
        f"{kind} of Dask's, {sum(counts.values())} tasks; one chunk was computed",
        {name: TaskExplanation(counts[name], seen.get(name)) for name in ordered},
    )


def _own_kernels(found: Any) -> Any:
    """Without the kernels of tasks before, which have run."""
    if not isinstance(found, explaining.Explanation):
        return found
    own = tuple(each for each in found.kernels if not each.has_run)
    return explaining.Explanation(found.title, own)


def _is_frame(value: Any) -> bool:
    return hasattr(value, "_explained_columns")
