"""Which memory manager each device has, where a plug-in brings its own."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from .. import _engine


class _Managers:
    """The memory manager of each device, made when it is needed first."""

    def __init__(self) -> None:
        self._factory: Callable[..., Any] | None = None
        self._made: dict[_engine.Device, Any] = {}
        # A device gets one manager. Reentrant: a manager's first steps may ask for it.
        self._lock = threading.RLock()

    @property
    def are_used(self) -> bool:
        """Returns whether any device may have a plug-in."""
        return self._factory is not None or bool(self._made)

    def set_factory(self, factory: Callable[..., Any] | None) -> None:
        """Lets ``factory(context=...)`` make the managers; None: there are none any more."""
        with self._lock:
            self._factory = factory
            self._made.clear()

    def get(self, device: _engine.Device, context: Any) -> Any:
        """The manager of a device, None for Phalanx's own memory."""
        if device not in self._made and self._factory is not None:
            with self._lock:
                if device not in self._made and self._factory is not None:
                    self.set(device, self._factory(context=context))
        return self._made.get(device)

    def set(self, device: _engine.Device, manager: Any) -> None:
        """Gives a device a manager, or None."""
        self._made[device] = manager
        if manager is not None:
            manager.initialize()


managers = _Managers()
