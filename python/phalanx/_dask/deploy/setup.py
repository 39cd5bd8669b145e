"""What a worker does as it starts: takes its place, or says why it cannot."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from distributed.diagnostics.plugin import WorkerPlugin

from .layout import Place
from .versions import WorkerError, kinds_here, refuse_devices, refuse_versions, versions_here

# Of a worker's memory, what arrays on the host may take: below the 95 % at which its nanny ends
# it, so that a task gets an OutOfMemoryError and the worker lives on.
_OF_MEMORY = 0.9


class TakePlace(WorkerPlugin):  # type: ignore[misc]
    """Binds a worker to its cores, its GPU and its memory, and compares versions."""

    name = "phalanx-place"

    def __init__(
        self, place: Place, versions: Mapping[str, str], device_memory: int | None
    ) -> None:
        self.place = place
        self.versions = dict(versions)
        self.device_memory = device_memory

    def setup(self, worker: Any) -> None:
        """Raise WorkerError for other versions than the client's, and for a GPU that is not there.

        Called by `distributed` before the worker takes tasks.
        """
        import phalanx as px

        refuse_versions(worker.name, versions_here(), self.versions)
        if self.place.gpu is not None:
            refuse_devices(worker.name, kinds_here(), "cuda")
        if hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(0, self.place.cores)
        if px.get_num_threads() > len(self.place.cores):
            raise WorkerError(
                f"worker {worker.name} has {px.get_num_threads()} threads of the engine, not "
                f"{len(self.place.cores)}: the program computes while it is imported; put that "
                'below `if __name__ == "__main__":`'
            )
        if self.place.memory:
            px.set_memory_limit(int(self.place.memory * _OF_MEMORY), device="cpu")
        if self.place.gpu is not None and self.device_memory is not None:
            px.set_memory_limit(self.device_memory, device="cuda")
