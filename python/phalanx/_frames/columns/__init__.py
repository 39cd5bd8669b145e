"""Columns: values that frames, series and indexes are made of. No method changes one."""

from .column import Column as Column
