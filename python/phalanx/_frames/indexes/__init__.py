"""Indexes: the labels of rows and of columns, and how two of them are aligned."""

from phalanx.errors import InvalidIndexError as InvalidIndexError
from phalanx.errors import UnsortedIndexError as UnsortedIndexError

from .categories import CategoricalIndex as CategoricalIndex
from .date_ranges import date_range as date_range
from .date_ranges import timedelta_range as timedelta_range
from .dates import DatetimeIndex as DatetimeIndex
from .deltas import TimedeltaIndex as TimedeltaIndex
from .index import Index as Index
from .joins import align as align
from .lookups import LabelError as LabelError
from .making import index_of as index_of
from .multi import MultiIndex as MultiIndex
from .ranges import RangeIndex as RangeIndex
