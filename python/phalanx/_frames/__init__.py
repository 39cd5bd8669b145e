"""Data frames."""
