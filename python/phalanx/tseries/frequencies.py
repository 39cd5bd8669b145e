"""Frequencies: offsets of texts, under pandas' names."""

from .._frames.offsets.texts import frequency_of as to_offset

__all__ = ["to_offset"]
