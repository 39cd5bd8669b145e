"""Sums, extremes and moments of columns and of rows."""
