"""Frequencies: offsets of texts, under pandas' names."""

from .._frames.dates.inferring import infer_freq
from .._frames.offsets.texts import frequency_of as to_offset

__all__ = ["infer_freq", "to_offset"]
