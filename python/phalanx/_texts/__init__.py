"""Texts row by row, by kernels over arrays that GPUs run, and for tests the CPU device."""

from .characters import CharacterMap, CharacterSet

__all__ = ["CharacterMap", "CharacterSet"]
