"""Graphs: launches and copies that are recorded once and done again and again."""

from __future__ import annotations

from typing import Any

from .. import _engine
from .._core.cards import card
from .streams import engine_stream


class Graph:
    """What a ``with`` block launches and copies, to be done again by `launch`.

        with cuda.graph() as g:
            step[blocks, threads](a, b)
            step[blocks, threads](b, a)
        for _ in range(1000):
            g.launch()

    Inside the block nothing runs: kernels, copies between arrays that exist, and fills are
    recorded, in order, whatever stream they name. The graph keeps the arrays alive; scalars are as
    they were. A GPU does the whole graph for the cost of about one launch. Allocating memory and
    waiting for the device raise `ValueError` inside the block, and so do host arrays as arguments
    on a GPU and copies of host memory that is not page-locked there.

    >>> x = cuda.to_device(np.ones(3))
    >>> y = cuda.device_array_like(x)
    >>> with cuda.graph() as g:
    ...     y.copy_to_device(x)
    >>> g.launch()
    >>> y.copy_to_host()
    array([1., 1., 1.])
    """

    def __init__(self) -> None:
        self._graph: _engine.Graph | None = None

    def __enter__(self) -> Graph:
        if self._graph is not None:
            raise ValueError("a graph is recorded once; make another one with cuda.graph()")
        self._graph = _engine.record()
        return self

    def __exit__(self, kind: Any, *details: object) -> None:
        if self._graph is None:
            return
        if kind is None:
            self._graph.end()
            return
        graph, self._graph = self._graph, None
        graph.end(keep=False)

    def launch(self, stream: Any = 0) -> None:
        """Does all that was recorded, in order, on a stream of the graph's device.

        Raises `ValueError` for a graph that is empty, not recorded yet, or launched while a graph
        is recorded.
        """
        if self._graph is None:
            raise ValueError("the graph is empty: record it first, `with cuda.graph() as g:`")
        self._graph.launch(engine_stream(stream))

    def __len__(self) -> int:
        """Recorded launches, copies and fills."""
        return 0 if self._graph is None else int(self._graph.size)

    def __repr__(self) -> str:
        return f"<Graph of {len(self)} operations>"

    def _repr_html_(self) -> str:
        state = "nothing recorded yet" if self._graph is None else "recorded: launch() does it"
        return card(f"graph of {len(self)} operations", [("state", state)])


def graph() -> Graph:
    """A graph to record in a ``with`` block: see `Graph`.

    >>> len(cuda.graph())
    0
    """
    return Graph()
