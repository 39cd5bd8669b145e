"""Functions of each device's own, in a thread for each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from ... import _engine
from ..placement import device

if TYPE_CHECKING:
    from .group import DeviceGroup


def run_on(group: DeviceGroup, function: Callable[..., Any], *rows: Sequence[Any]) -> list[Any]:
    """What the function makes of the values of each device, which is current meanwhile.

    Each device has a thread of its own, so that none waits for what another brings to the host.
    Raises what the function raises, of the first device of the group that does.
    """

    origin = _engine.ProfileOrigin()  # in profiles all of it is part of what the caller does

    def call(name: str, *own: Any) -> Any:
        with origin.delegate(), device(name):
            return function(*own)

    names = [each.name for each in group]
    if len(names) == 1:
        return [call(names[0], *(each[0] for each in rows))]
    with ThreadPoolExecutor(len(names)) as pool:
        return list(pool.map(call, names, *rows))
