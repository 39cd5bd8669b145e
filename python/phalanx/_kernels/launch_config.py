"""The configuration of the launch that a kernel is being compiled for."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from .. import _engine


class LaunchConfiguration:
    """Grid, block, stream and dynamic shared memory of a launch, and what is launched."""

    def __init__(self, configured: Any) -> None:
        self.dispatcher = configured.launcher
        self.griddim: tuple[int, int, int] = configured.grid
        self.blockdim: tuple[int, int, int] = configured.block
        self.sharedmem: int = configured.shared
        self.stream: Any = configured.stream

    def __repr__(self) -> str:
        return f"<launch of {self.dispatcher.__name__}[{self.griddim}, {self.blockdim}]>"


def current_launch_config() -> LaunchConfiguration | None:
    """The launch that the calling thread compiles for, None outside of compilation."""
    configured = _engine.current_configured()
    return None if configured is None else LaunchConfiguration(configured)


def ensure_current_launch_config() -> LaunchConfiguration:
    """`current_launch_config`; raises `RuntimeError` where there is none."""
    found = current_launch_config()
    if found is None:
        raise RuntimeError("No launch config set for this thread")
    return found


@contextlib.contextmanager
def capture_compile_config(dispatcher: Any) -> Iterator[dict[str, Any]]:
    """Records under ``"config"`` the launch that makes `dispatcher` compile in the block.

    It stays None when everything that the block launches was compiled before.
    """
    if dispatcher is None:
        raise TypeError("dispatcher is required")
    record: dict[str, Any] = {"config": None}
    dispatcher.compile_listeners.append(record)
    try:
        yield record
    finally:
        dispatcher.compile_listeners.remove(record)


__all__ = ["capture_compile_config", "current_launch_config", "ensure_current_launch_config"]
