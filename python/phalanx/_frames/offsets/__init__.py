"""Offsets: the rules of the calendar by which dates move, pandas' classes of `pandas.offsets`."""

from . import texts as texts
