"""Operators of series and frames, which meet by their labels."""
