"""Frames and series as the objects of other libraries, and those as ours."""
