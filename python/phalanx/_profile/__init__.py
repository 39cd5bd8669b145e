"""What a program costs: `phalanx.profile`, `phalanx.benchmark` and what they show."""

from __future__ import annotations

from .benchmarking import benchmark
from .profile import Profile, profile

__all__ = ("Profile", "benchmark", "profile")
