"""Errors of dates, under pandas' names."""

from __future__ import annotations


class OutOfBoundsDatetime(ValueError):
    """A date that its unit cannot count."""


class OutOfBoundsTimedelta(ValueError):
    """A duration that its unit cannot count."""


class DateParseError(ValueError):
    """A text that is no date."""
