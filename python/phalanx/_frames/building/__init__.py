"""Frames and series of what programs have: dicts, lists, arrays, pandas' and Arrow's objects."""
