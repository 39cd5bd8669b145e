"""`phalanx.profile`."""

from __future__ import annotations

from typing import Any

from .cluster import ClusterProfile
from .profile import Profile


def profile(label: str = "", *, client: Any = None) -> Profile:
    """Records what the engine does inside of a ``with`` block, and what that costs.

        with phalanx.profile() as p:
            step(x)
        print(p)              # a table, and advice
        p.save("trace.json")  # for Perfetto
        p.html("profile.html")

    Kernels, expressions of arrays, methods of frames, fits of models, compilations, copies and
    memory are recorded, each with the line of the program that caused it, in all threads. Outside
    of the block nothing is; inside, a launch takes up to a microsecond longer. On GPUs the times
    are those of events around launches and copies; of many launches that follow each other within
    20 microseconds one of sixteen has them, and the others get the mean of those (`Record.untimed`,
    a ``~`` in the table). `python -m phalanx run --profile` takes one of a whole program, and
    ``%%phalanx_profile`` of a notebook's cell.

    Args:
        label: A title for the table and the page.
        client: A client of Dask's `distributed`: its workers are profiled, too, and what they did
            is merged. Each process keeps its own clock.

    Raises:
        TypeError: `label` is no text, or `client` no client.
    """
    if not isinstance(label, str):
        raise TypeError(
            f"profile() takes a title, not {type(label).__name__}: to profile a function, call it "
            "inside of `with phalanx.profile() as p:`"
        )
    if client is None:
        return Profile(label)
    if not callable(getattr(client, "run", None)):
        raise TypeError(
            f"profile(client=) takes a client of Dask's `distributed`, not {type(client).__name__}"
        )
    return ClusterProfile(label, client)
