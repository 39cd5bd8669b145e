"""What pandas has as ``pandas.api``: so far the questions about dtypes."""

from . import types as types
