"""Kernels whose arguments pass through handlers of the user's: ``cuda.jit(extensions=[...])``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .. import _engine
from .._core.typed import P, R
from .._types import bridge
from .dispatcher import Dispatcher


class HandledDispatcher(Dispatcher[P, R]):
    """A kernel with argument handlers.

    Each handler has ``prepare_args(ty, value, stream, retr)`` and returns the type and the value to
    launch with; what it appends to `retr` is called once the launch is queued. The last one is
    asked first. `ty` is None for a value that the kernel could not take itself.
    """

    def __getitem__(self, configuration: Any, /) -> Any:
        handlers: Sequence[Any] = self.options.others["extensions"]
        return HandledLaunch(super().__getitem__(configuration), handlers)


class HandledLaunch:
    """A configured launch that asks the handlers for its arguments."""

    def __init__(self, configured: Any, handlers: Sequence[Any]) -> None:
        self._configured = configured
        self._handlers = handlers

    def __call__(self, *args: Any) -> None:
        after: list[Callable[[], None]] = []
        stream = self._configured.stream or 0
        self._configured(*(self._prepared(value, stream, after) for value in args))
        for call in after:
            call()

    def _prepared(self, value: Any, stream: Any, after: list[Callable[[], None]]) -> Any:
        kind = _type_of(value)
        for handler in reversed(self._handlers):
            kind, value = handler.prepare_args(kind, value, stream=stream, retr=after)
        return value

    def __getattr__(self, name: str) -> Any:
        return getattr(self._configured, name)


def _type_of(value: Any) -> Any:
    declared = getattr(value, "_numba_type_", None)
    if declared is not None:
        return declared
    try:
        return bridge.from_engine(_engine.typeof(value))
    except TypeError:
        return None
