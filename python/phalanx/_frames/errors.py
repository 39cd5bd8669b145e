"""Errors of frames that Python has no class for."""

from __future__ import annotations

from .arrow_dtypes import DecimalDivisionError as DecimalDivisionError
from .arrow_dtypes import DecimalOverflowError as DecimalOverflowError
from .indexes.lookups import InvalidIndexError as InvalidIndexError


class IndexingError(Exception):
    """A selection that does not fit: too many keys, a mask of other labels."""


class MergeError(ValueError):
    """Frames that cannot be merged as asked for."""


class SpecificationError(Exception):
    """Functions of ``agg`` that are described in a way that there is none."""


class DamagedFileError(ValueError):
    """A file that is none of its form, or that is damaged; the message names the file."""


class ChangedFileError(DamagedFileError):
    """A file that was written to while a frame had not read all of it."""


class DataError(Exception):
    """Columns that windows or bins of time have no numbers of."""


class DatabaseError(OSError):
    """A query or a statement that a database does not carry out, with its text."""


class Pandas4Warning(DeprecationWarning):
    """What pandas will have no more, or will do otherwise, in its version 4."""


class OptionError(AttributeError, KeyError):
    """An option that there is not."""
