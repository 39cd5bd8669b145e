"""Columns: values that frames, series and indexes are made of. No method changes one."""

from .casting import cast as cast
from .column import Column as Column
from .making import column_of as column_of
