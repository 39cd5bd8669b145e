"""What a program costs: `phalanx.profile`, `phalanx.benchmark` and what they show."""

from __future__ import annotations

from .benchmarking import Benchmark, Timing, benchmark
from .making import profile
from .profile import Profile

__all__ = ("Benchmark", "Profile", "Timing", "benchmark", "profile")
