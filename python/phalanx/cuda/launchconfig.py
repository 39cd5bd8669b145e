"""The configuration of the launch that a kernel is being compiled for."""

from __future__ import annotations

from .._kernels.launch_config import (
    capture_compile_config,
    current_launch_config,
    ensure_current_launch_config,
)

__all__ = ["capture_compile_config", "current_launch_config", "ensure_current_launch_config"]
