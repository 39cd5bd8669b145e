"""The value that means "no value"."""

MISSING = object()
