"""The value that stands for no value."""

MISSING = object()
