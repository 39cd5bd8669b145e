"""Made by tools/make_stubs.py: what type checkers and editors see of phalanx."""

import numpy as _numpy
from builtins import bool as _bool
from collections.abc import Sequence as _Sequence
from typing import Any as _Any
from typing import overload as _overload
from . import api as api
from . import compat as compat
from . import cuda as cuda
from . import dask as dask
from . import emath as emath
from . import errors as errors
from . import fft as fft
from . import linalg as linalg
from . import ml as ml
from . import random as random
from . import sparse as sparse
from . import special as special
from . import testing as testing
from . import tseries as tseries
from . import types as types
from . import util as util
from ._arrays import dtypes as dtypes
from ._arrays.attributes import isfortran as isfortran
from ._arrays.attributes import iterable as iterable
from ._arrays.attributes import may_share_memory as may_share_memory
from ._arrays.attributes import ndim as ndim
from ._arrays.attributes import require as require
from ._arrays.attributes import shape as shape
from ._arrays.attributes import shares_memory as shares_memory
from ._arrays.attributes import size as size
from ._arrays.coerce import asarray as asarray
from ._arrays.config import config as config
from ._arrays.counting import bincount as bincount
from ._arrays.creation import array as array
from ._arrays.creation import asanyarray as asanyarray
from ._arrays.creation import asarray_chkfinite as asarray_chkfinite
from ._arrays.creation import ascontiguousarray as ascontiguousarray
from ._arrays.creation import asfortranarray as asfortranarray
from ._arrays.creation import copy as copy
from ._arrays.creation import diag as diag
from ._arrays.creation import diagflat as diagflat
from ._arrays.creation import empty as empty
from ._arrays.creation import empty_like as empty_like
from ._arrays.creation import from_dlpack as from_dlpack
from ._arrays.creation import frombuffer as frombuffer
from ._arrays.creation import fromfile as fromfile
from ._arrays.creation import fromiter as fromiter
from ._arrays.creation import fromstring as fromstring
from ._arrays.creation import full as full
from ._arrays.creation import full_like as full_like
from ._arrays.creation import ones as ones
from ._arrays.creation import ones_like as ones_like
from ._arrays.creation import zeros as zeros
from ._arrays.creation import zeros_like as zeros_like
from ._arrays.differences import diff as diff
from ._arrays.differences import trapezoid as trapezoid
from ._arrays.dtype_functions import __array_api_version__ as __array_api_version__
from ._arrays.dtype_functions import astype as astype
from ._arrays.dtype_functions import can_cast as can_cast
from ._arrays.dtype_functions import common_type as common_type
from ._arrays.dtype_functions import e as e
from ._arrays.dtype_functions import euler_gamma as euler_gamma
from ._arrays.dtype_functions import finfo as finfo
from ._arrays.dtype_functions import iinfo as iinfo
from ._arrays.dtype_functions import inf as inf
from ._arrays.dtype_functions import isdtype as isdtype
from ._arrays.dtype_functions import min_scalar_type as min_scalar_type
from ._arrays.dtype_functions import nan as nan
from ._arrays.dtype_functions import newaxis as newaxis
from ._arrays.dtype_functions import pi as pi
from ._arrays.dtype_functions import promote_types as promote_types
from ._arrays.dtype_functions import result_type as result_type
from ._arrays.einsum import einsum as einsum
from ._arrays.einsum import einsum_path as einsum_path
from ._arrays.elementwise import allclose as allclose
from ._arrays.elementwise import angle as angle
from ._arrays.elementwise import array_equal as array_equal
from ._arrays.elementwise import array_equiv as array_equiv
from ._arrays.elementwise import clip as clip
from ._arrays.elementwise import fix as fix
from ._arrays.elementwise import imag as imag
from ._arrays.elementwise import isclose as isclose
from ._arrays.elementwise import iscomplex as iscomplex
from ._arrays.elementwise import iscomplexobj as iscomplexobj
from ._arrays.elementwise import isneginf as isneginf
from ._arrays.elementwise import isposinf as isposinf
from ._arrays.elementwise import isreal as isreal
from ._arrays.elementwise import isrealobj as isrealobj
from ._arrays.elementwise import nan_to_num as nan_to_num
from ._arrays.elementwise import real as real
from ._arrays.elementwise import round as _of_round
from ._arrays.elementwise import round as round
from ._arrays.elementwise import sinc as sinc
from ._arrays.explaining import explain as explain
from ._arrays.files import load as load
from ._arrays.files import memmap as memmap
from ._arrays.files import save as save
from ._arrays.files import savez as savez
from ._arrays.files import savez_compressed as savez_compressed
from ._arrays.flat import FlatIterator as _of_FlatIterator
from ._arrays.grids import diag_indices as diag_indices
from ._arrays.grids import diag_indices_from as diag_indices_from
from ._arrays.grids import fromfunction as fromfunction
from ._arrays.grids import indices as indices
from ._arrays.grids import ix_ as ix_
from ._arrays.grids import mask_indices as mask_indices
from ._arrays.grids import meshgrid as meshgrid
from ._arrays.grids import ndenumerate as ndenumerate
from ._arrays.grids import ndindex as ndindex
from ._arrays.grids import ravel_multi_index as ravel_multi_index
from ._arrays.grids import tril_indices as tril_indices
from ._arrays.grids import tril_indices_from as tril_indices_from
from ._arrays.grids import triu_indices as triu_indices
from ._arrays.grids import triu_indices_from as triu_indices_from
from ._arrays.grids import unravel_index as unravel_index
from ._arrays.histograms import digitize as digitize
from ._arrays.histograms import histogram as histogram
from ._arrays.index_tricks import HostIndex as _HostIndex
from ._arrays.inspection import __array_namespace_info__ as __array_namespace_info__
from ._arrays.iterators import broadcast as broadcast
from ._arrays.iterators import nditer as nditer
from ._arrays.iterators import nested_iters as nested_iters
from ._arrays.joining import append as append
from ._arrays.joining import array_split as array_split
from ._arrays.joining import block as block
from ._arrays.joining import column_stack as column_stack
from ._arrays.joining import concatenate as concatenate
from ._arrays.joining import dsplit as dsplit
from ._arrays.joining import dstack as dstack
from ._arrays.joining import hsplit as hsplit
from ._arrays.joining import hstack as hstack
from ._arrays.joining import row_stack as row_stack
from ._arrays.joining import split as split
from ._arrays.joining import stack as stack
from ._arrays.joining import unstack as unstack
from ._arrays.joining import vsplit as vsplit
from ._arrays.joining import vstack as vstack
from ._arrays.memory import free_all_blocks as free_all_blocks
from ._arrays.memory import get_default_memory_pool as get_default_memory_pool
from ._arrays.memory import memory_info as memory_info
from ._arrays.memory import set_memory_limit as set_memory_limit
from ._arrays.ndarray import ndarray as _ndarray
from ._arrays.ndarray import ndarray as ndarray
from ._arrays.padding import pad as pad
from ._arrays.placement import current_device as current_device
from ._arrays.placement import device as device
from ._arrays.placement import devices as devices
from ._arrays.polynomials import poly as poly
from ._arrays.polynomials import poly1d as poly1d
from ._arrays.polynomials import polyadd as polyadd
from ._arrays.polynomials import polyder as polyder
from ._arrays.polynomials import polydiv as polydiv
from ._arrays.polynomials import polyfit as polyfit
from ._arrays.polynomials import polyint as polyint
from ._arrays.polynomials import polymul as polymul
from ._arrays.polynomials import polysub as polysub
from ._arrays.polynomials import polyval as polyval
from ._arrays.polynomials import roots as roots
from ._arrays.printing import array2string as array2string
from ._arrays.printing import array_repr as array_repr
from ._arrays.printing import array_str as array_str
from ._arrays.products import dot as dot
from ._arrays.products import inner as inner
from ._arrays.products import outer as outer
from ._arrays.products import tensordot as tensordot
from ._arrays.products import vdot as vdot
from ._arrays.quantiles import median as median
from ._arrays.quantiles import nanmedian as nanmedian
from ._arrays.quantiles import nanpercentile as nanpercentile
from ._arrays.quantiles import nanquantile as nanquantile
from ._arrays.quantiles import percentile as percentile
from ._arrays.quantiles import quantile as quantile
from ._arrays.rearranging import copyto as copyto
from ._arrays.rearranging import delete as delete
from ._arrays.rearranging import insert as insert
from ._arrays.rearranging import repeat as repeat
from ._arrays.rearranging import resize as resize
from ._arrays.rearranging import roll as roll
from ._arrays.rearranging import tile as tile
from ._arrays.rearranging import trim_zeros as trim_zeros
from ._arrays.reductions import all as all
from ._arrays.reductions import any as any
from ._arrays.reductions import apply_over_axes as apply_over_axes
from ._arrays.reductions import argmax as argmax
from ._arrays.reductions import argmin as argmin
from ._arrays.reductions import count_nonzero as count_nonzero
from ._arrays.reductions import max as _of_max
from ._arrays.reductions import max as max
from ._arrays.reductions import min as _of_min
from ._arrays.reductions import min as min
from ._arrays.reductions import prod as prod
from ._arrays.reductions import ptp as ptp
from ._arrays.reductions import sum as sum
from ._arrays.scans import cumprod as cumprod
from ._arrays.scans import cumsum as cumsum
from ._arrays.scans import cumulative_prod as cumulative_prod
from ._arrays.scans import cumulative_sum as cumulative_sum
from ._arrays.scans import nancumprod as nancumprod
from ._arrays.scans import nancumsum as nancumsum
from ._arrays.selecting import argwhere as argwhere
from ._arrays.selecting import choose as choose
from ._arrays.selecting import compress as compress
from ._arrays.selecting import extract as extract
from ._arrays.selecting import fill_diagonal as fill_diagonal
from ._arrays.selecting import flatnonzero as flatnonzero
from ._arrays.selecting import nonzero as nonzero
from ._arrays.selecting import place as place
from ._arrays.selecting import put as put
from ._arrays.selecting import put_along_axis as put_along_axis
from ._arrays.selecting import putmask as putmask
from ._arrays.selecting import select as select
from ._arrays.selecting import take as take
from ._arrays.selecting import take_along_axis as take_along_axis
from ._arrays.selecting import where as where
from ._arrays.sequences import arange as arange
from ._arrays.sequences import eye as eye
from ._arrays.sequences import geomspace as geomspace
from ._arrays.sequences import identity as identity
from ._arrays.sequences import linspace as linspace
from ._arrays.sequences import logspace as logspace
from ._arrays.sequences import tri as tri
from ._arrays.sequences import tril as tril
from ._arrays.sequences import triu as triu
from ._arrays.sequences import vander as vander
from ._arrays.sets import intersect1d as intersect1d
from ._arrays.sets import isin as isin
from ._arrays.sets import setdiff1d as setdiff1d
from ._arrays.sets import setxor1d as setxor1d
from ._arrays.sets import union1d as union1d
from ._arrays.sets import unique as unique
from ._arrays.sets import unique_all as unique_all
from ._arrays.sets import unique_counts as unique_counts
from ._arrays.sets import unique_inverse as unique_inverse
from ._arrays.sets import unique_values as unique_values
from ._arrays.shapes import as_strided as as_strided
from ._arrays.shapes import atleast_1d as atleast_1d
from ._arrays.shapes import atleast_2d as atleast_2d
from ._arrays.shapes import atleast_3d as atleast_3d
from ._arrays.shapes import broadcast_arrays as broadcast_arrays
from ._arrays.shapes import broadcast_shapes as broadcast_shapes
from ._arrays.shapes import broadcast_to as broadcast_to
from ._arrays.shapes import diagonal as diagonal
from ._arrays.shapes import expand_dims as expand_dims
from ._arrays.shapes import flip as flip
from ._arrays.shapes import fliplr as fliplr
from ._arrays.shapes import flipud as flipud
from ._arrays.shapes import matrix_transpose as matrix_transpose
from ._arrays.shapes import moveaxis as moveaxis
from ._arrays.shapes import permute_dims as permute_dims
from ._arrays.shapes import ravel as ravel
from ._arrays.shapes import reshape as reshape
from ._arrays.shapes import rollaxis as rollaxis
from ._arrays.shapes import rot90 as rot90
from ._arrays.shapes import sliding_window_view as sliding_window_view
from ._arrays.shapes import squeeze as squeeze
from ._arrays.shapes import swapaxes as swapaxes
from ._arrays.shapes import trace as trace
from ._arrays.shapes import transpose as transpose
from ._arrays.sorting import argpartition as argpartition
from ._arrays.sorting import argsort as argsort
from ._arrays.sorting import lexsort as lexsort
from ._arrays.sorting import partition as partition
from ._arrays.sorting import searchsorted as searchsorted
from ._arrays.sorting import sort as sort
from ._arrays.sorting import topk as topk
from ._arrays.spread.array import SpreadArray as SpreadArray
from ._arrays.spread.group import DeviceGroup as DeviceGroup
from ._arrays.statistics import average as average
from ._arrays.statistics import mean as mean
from ._arrays.statistics import nanmax as nanmax
from ._arrays.statistics import nanmean as nanmean
from ._arrays.statistics import nanmin as nanmin
from ._arrays.statistics import nanprod as nanprod
from ._arrays.statistics import nanstd as nanstd
from ._arrays.statistics import nansum as nansum
from ._arrays.statistics import nanvar as nanvar
from ._arrays.statistics import std as std
from ._arrays.statistics import var as var
from ._arrays.texts import base_repr as base_repr
from ._arrays.texts import binary_repr as binary_repr
from ._arrays.times import busday_count as busday_count
from ._arrays.times import busday_offset as busday_offset
from ._arrays.times import datetime_as_string as datetime_as_string
from ._arrays.times import is_busday as is_busday
from ._arrays.ufunc_type import ufunc as _ufunc
from ._arrays.ufunc_type import ufunc as ufunc
from ._core.numba_names import prange as prange
from ._core.threads import get_num_threads as get_num_threads
from ._core.threads import set_num_threads as set_num_threads
from ._frames.arrow_dtypes import ArrowDtype as ArrowDtype
from ._frames.categories.categorical import Categorical as Categorical
from ._frames.combining.asof import merge_asof as merge_asof
from ._frames.combining.merge import merge as merge
from ._frames.combining.ordered import merge_ordered as merge_ordered
from ._frames.dates.inferring import infer_freq as infer_freq
from ._frames.dates.numeric import to_numeric as to_numeric
from ._frames.dates.to_datetime import to_datetime as to_datetime
from ._frames.dates.to_timedelta import to_timedelta as to_timedelta
from ._frames.dtypes import BooleanDtype as BooleanDtype
from ._frames.dtypes import CategoricalDtype as CategoricalDtype
from ._frames.dtypes import DatetimeTZDtype as DatetimeTZDtype
from ._frames.dtypes import Float32Dtype as Float32Dtype
from ._frames.dtypes import Float64Dtype as Float64Dtype
from ._frames.dtypes import Int16Dtype as Int16Dtype
from ._frames.dtypes import Int32Dtype as Int32Dtype
from ._frames.dtypes import Int64Dtype as Int64Dtype
from ._frames.dtypes import Int8Dtype as Int8Dtype
from ._frames.dtypes import IntervalDtype as IntervalDtype
from ._frames.dtypes import PeriodDtype as PeriodDtype
from ._frames.dtypes import StringDtype as StringDtype
from ._frames.dtypes import UInt16Dtype as UInt16Dtype
from ._frames.dtypes import UInt32Dtype as UInt32Dtype
from ._frames.dtypes import UInt64Dtype as UInt64Dtype
from ._frames.dtypes import UInt8Dtype as UInt8Dtype
from ._frames.files.excel_reading import ExcelFile as ExcelFile
from ._frames.files.excel_reading import read_excel as read_excel
from ._frames.files.excel_writing import ExcelWriter as ExcelWriter
from ._frames.files.feather import read_feather as read_feather
from ._frames.files.feather import read_orc as read_orc
from ._frames.files.fixed_width import read_fwf as read_fwf
from ._frames.files.html_reading import read_html as read_html
from ._frames.files.json_normalize import json_normalize as json_normalize
from ._frames.files.json_reading import read_json as read_json
from ._frames.files.parquet import read_parquet as read_parquet
from ._frames.files.pickles import read_pickle as read_pickle
from ._frames.files.pickles import to_pickle as to_pickle
from ._frames.files.sql_reading import read_sql as read_sql
from ._frames.files.sql_reading import read_sql_query as read_sql_query
from ._frames.files.sql_reading import read_sql_table as read_sql_table
from ._frames.files.tables import read_table as read_table
from ._frames.frame import DataFrame as DataFrame
from ._frames.functions.module import concat as concat
from ._frames.functions.module import eval as eval
from ._frames.functions.module import factorize as factorize
from ._frames.functions.module import isna as _of_isna
from ._frames.functions.module import isna as isna
from ._frames.functions.module import notna as _of_notna
from ._frames.functions.module import notna as notna
from ._frames.groups.grouper import NamedAgg as NamedAgg
from ._frames.indexes.categories import CategoricalIndex as CategoricalIndex
from ._frames.indexes.date_ranges import bdate_range as bdate_range
from ._frames.indexes.date_ranges import date_range as date_range
from ._frames.indexes.date_ranges import timedelta_range as timedelta_range
from ._frames.indexes.dates import DatetimeIndex as DatetimeIndex
from ._frames.indexes.deltas import TimedeltaIndex as TimedeltaIndex
from ._frames.indexes.index import Index as Index
from ._frames.indexes.interval_ranges import interval_range as interval_range
from ._frames.indexes.intervals import IntervalIndex as IntervalIndex
from ._frames.indexes.multi import MultiIndex as MultiIndex
from ._frames.indexes.periods import PeriodIndex as PeriodIndex
from ._frames.indexes.periods import period_range as period_range
from ._frames.indexes.ranges import RangeIndex as RangeIndex
from ._frames.interchange.from_pandas import from_pandas as from_pandas
from ._frames.missing import NA as NA
from ._frames.offsets.relative import DateOffset as DateOffset
from ._frames.options import get_option as get_option
from ._frames.options import option_context as option_context
from ._frames.options import options as options
from ._frames.options import reset_option as reset_option
from ._frames.options import set_option as set_option
from ._frames.periods.period import Period as Period
from ._frames.reading import read_csv as read_csv
from ._frames.resampling.grouper import Grouper as Grouper
from ._frames.reshaping.crosstabs import crosstab as crosstab
from ._frames.reshaping.cutting import cut as cut
from ._frames.reshaping.cutting import qcut as qcut
from ._frames.reshaping.dummies import from_dummies as from_dummies
from ._frames.reshaping.dummies import get_dummies as get_dummies
from ._frames.reshaping.melting import lreshape as lreshape
from ._frames.reshaping.melting import melt as melt
from ._frames.reshaping.melting import wide_to_long as wide_to_long
from ._frames.reshaping.pivot_tables import pivot_table as pivot_table
from ._frames.reshaping.pivoting import pivot as pivot
from ._frames.scalars import NaT as NaT
from ._frames.scalars import Timedelta as Timedelta
from ._frames.scalars import Timestamp as Timestamp
from ._frames.scalars.interval import Interval as Interval
from ._frames.selection.index_slice import IndexSlice as IndexSlice
from ._frames.series import Series as Series
from ._frames.several.frame import SpreadFrame as SpreadFrame
from ._frames.shared.deferred import col as col
from ._functions.decorators import jit as jit
from ._functions.decorators import njit as njit
from ._profile.benchmarking import Benchmark as Benchmark
from ._profile.benchmarking import Timing as Timing
from ._profile.benchmarking import benchmark as benchmark
from ._profile.making import profile as profile
from ._profile.profile import Profile as Profile
from ._ufunc.for_cpu import guvectorize as guvectorize
from ._ufunc.for_cpu import vectorize as vectorize
from .errors import CompileError as CompileError
from .errors import DeviceError as DeviceError
from .errors import KernelError as KernelError
from .errors import LaunchError as LaunchError
from .errors import OutOfMemoryError as OutOfMemoryError
from .errors import PerformanceWarning as PerformanceWarning
from .errors import PhalanxError as PhalanxError
from .errors import PhalanxWarning as PhalanxWarning
from .tseries import offsets as offsets
from numpy import False_ as False_
from numpy import ScalarType as ScalarType
from numpy import True_ as True_
from numpy import bool as _of_bool
from numpy import bool as bool
from numpy import busdaycalendar as busdaycalendar
from numpy import bytes_ as bytes_
from numpy import character as character
from numpy import complex128 as _of_complex128
from numpy import complex128 as complex128
from numpy import complex64 as _of_complex64
from numpy import complex64 as complex64
from numpy import complexfloating as complexfloating
from numpy import datetime64 as datetime64
from numpy import datetime_data as datetime_data
from numpy import dtype as dtype
from numpy import errstate as errstate
from numpy import exceptions as exceptions
from numpy import flexible as flexible
from numpy import float16 as _of_float16
from numpy import float16 as float16
from numpy import float32 as _of_float32
from numpy import float32 as float32
from numpy import float64 as _of_float64
from numpy import float64 as float64
from numpy import floating as floating
from numpy import generic as generic
from numpy import get_printoptions as get_printoptions
from numpy import getbufsize as getbufsize
from numpy import geterr as geterr
from numpy import geterrcall as geterrcall
from numpy import index_exp as index_exp
from numpy import inexact as inexact
from numpy import int16 as _of_int16
from numpy import int16 as int16
from numpy import int32 as _of_int32
from numpy import int32 as int32
from numpy import int64 as _of_int64
from numpy import int64 as int64
from numpy import int8 as _of_int8
from numpy import int8 as int8
from numpy import integer as integer
from numpy import isscalar as isscalar
from numpy import issubdtype as issubdtype
from numpy import little_endian as little_endian
from numpy import longlong as longlong
from numpy import mintypecode as mintypecode
from numpy import number as number
from numpy import object_ as object_
from numpy import printoptions as printoptions
from numpy import s_ as s_
from numpy import sctypeDict as sctypeDict
from numpy import set_printoptions as set_printoptions
from numpy import setbufsize as setbufsize
from numpy import seterr as seterr
from numpy import seterrcall as seterrcall
from numpy import signedinteger as signedinteger
from numpy import str_ as str_
from numpy import timedelta64 as timedelta64
from numpy import typecodes as typecodes
from numpy import typename as typename
from numpy import typing as typing
from numpy import uint16 as _of_uint16
from numpy import uint16 as uint16
from numpy import uint32 as _of_uint32
from numpy import uint32 as uint32
from numpy import uint64 as _of_uint64
from numpy import uint64 as uint64
from numpy import uint8 as _of_uint8
from numpy import uint8 as uint8
from numpy import ulonglong as ulonglong
from numpy import unsignedinteger as unsignedinteger
from numpy import void as void

__all__: list[str]
__version__: str
_Operand = (
    _ndarray | _numpy.ndarray[_Any, _Any] | _numpy.generic | complex | _Sequence[_Any]
)
class _Ufunc11(_ufunc):
    @_overload
    def __call__(self, x: _Operand, /, out: _Any = None, *, where: _Any = True, casting: str = 'same_kind', order: str = 'K', dtype: _Any = None) -> _ndarray: ...
    @_overload
    def __call__(self, x: _Any, /, out: _Any = None, *, where: _Any = True, casting: str = 'same_kind', order: str = 'K', dtype: _Any = None) -> _Any: ...
abs: _Ufunc11
"""Absolute value.
>>> px.absolute(px.asarray([-1.5, 2.0]))
array([1.5, 2. ])
"""
absolute: _Ufunc11
"""Absolute value.
>>> px.absolute(px.asarray([-1.5, 2.0]))
array([1.5, 2. ])
"""
acos: _Ufunc11
"""Inverse cosine, radians in [0, pi].
>>> px.arccos(px.asarray([0.0, 0.5]))
array([1.57079633, 1.04719755])
"""
acosh: _Ufunc11
"""Inverse hyperbolic cosine.
>>> px.arccosh(px.asarray([1.0, 2.0]))
array([0.       , 1.3169579])
"""
class _Ufunc21(_ufunc):
    @_overload
    def __call__(self, x1: _Operand, x2: _Operand, /, out: _Any = None, *, where: _Any = True, casting: str = 'same_kind', order: str = 'K', dtype: _Any = None) -> _ndarray: ...
    @_overload
    def __call__(self, x1: _Any, x2: _Any, /, out: _Any = None, *, where: _Any = True, casting: str = 'same_kind', order: str = 'K', dtype: _Any = None) -> _Any: ...
add: _Ufunc21
"""Sum of two values.
>>> px.add(px.asarray([1, 2, 3]), 2)
array([3, 4, 5])
"""
amax = _of_max
amin = _of_min
def apply_along_axis(func1d: _Any, axis: _Any, arr: _Any, *args: _Any, **kwargs: _Any) -> _Any:
    """What a function makes of each row along an axis, an array of NumPy's.

    >>> px.apply_along_axis(sum, 1, px.asarray([[1, 2], [3, 4]]))
    array([3, 7])
    """
arccos: _Ufunc11
"""Inverse cosine, radians in [0, pi].
>>> px.arccos(px.asarray([0.0, 0.5]))
array([1.57079633, 1.04719755])
"""
arccosh: _Ufunc11
"""Inverse hyperbolic cosine.
>>> px.arccosh(px.asarray([1.0, 2.0]))
array([0.       , 1.3169579])
"""
arcsin: _Ufunc11
"""Inverse sine, radians in [-pi/2, pi/2].
>>> px.arcsin(px.asarray([0.0, 0.5]))
array([0.        , 0.52359878])
"""
arcsinh: _Ufunc11
"""Inverse hyperbolic sine.
>>> px.arcsinh(px.asarray([0.0, 0.5]))
array([0.        , 0.48121183])
"""
arctan: _Ufunc11
"""Inverse tangent, radians in [-pi/2, pi/2].
>>> px.arctan(px.asarray([0.0, 0.5]))
array([0.        , 0.46364761])
"""
arctan2: _Ufunc21
"""Angle of the point (y, x), radians in [-pi, pi].
>>> px.arctan2(px.asarray([0.0, 1.0]), px.asarray([1.0, 0.0]))
array([0.        , 1.57079633])
"""
arctanh: _Ufunc11
"""Inverse hyperbolic tangent.
>>> px.arctanh(px.asarray([0.0, 0.5]))
array([0.        , 0.54930614])
"""
around = _of_round
asin: _Ufunc11
"""Inverse sine, radians in [-pi/2, pi/2].
>>> px.arcsin(px.asarray([0.0, 0.5]))
array([0.        , 0.52359878])
"""
asinh: _Ufunc11
"""Inverse hyperbolic sine.
>>> px.arcsinh(px.asarray([0.0, 0.5]))
array([0.        , 0.48121183])
"""
atan: _Ufunc11
"""Inverse tangent, radians in [-pi/2, pi/2].
>>> px.arctan(px.asarray([0.0, 0.5]))
array([0.        , 0.46364761])
"""
atan2: _Ufunc21
"""Angle of the point (y, x), radians in [-pi, pi].
>>> px.arctan2(px.asarray([0.0, 1.0]), px.asarray([1.0, 0.0]))
array([0.        , 1.57079633])
"""
atanh: _Ufunc11
"""Inverse hyperbolic tangent.
>>> px.arctanh(px.asarray([0.0, 0.5]))
array([0.        , 0.54930614])
"""
def bartlett(M: _Any) -> _Any:
    """The window of that length that is a triangle.

    >>> px.bartlett(3)
    array([0., 1., 0.])
    """
bfloat16: _Any
bitwise_and: _Ufunc21
"""Bitwise and; logical and of booleans.
>>> px.bitwise_and(px.asarray([5, 6]), 2)
array([0, 2])
"""
bitwise_count: _Ufunc11
"""Number of set bits of the absolute value (uint8).
>>> px.bitwise_count(px.asarray([0, 7, 8]))
array([0, 3, 1], dtype=uint8)
"""
bitwise_invert: _Ufunc11
"""Bitwise not; logical not of a boolean.
>>> px.invert(px.asarray([5, 6]))
array([-6, -7])
"""
bitwise_left_shift: _Ufunc21
"""First value shifted left by the second; 0 once every bit is out.
>>> px.left_shift(px.asarray([5, 6]), 2)
array([20, 24])
"""
bitwise_not: _Ufunc11
"""Bitwise not; logical not of a boolean.
>>> px.invert(px.asarray([5, 6]))
array([-6, -7])
"""
bitwise_or: _Ufunc21
"""Bitwise or; logical or of booleans.
>>> px.bitwise_or(px.asarray([5, 6]), 2)
array([7, 6])
"""
bitwise_right_shift: _Ufunc21
"""First value shifted right by the second, keeping the sign.
>>> px.right_shift(px.asarray([5, 6]), 2)
array([1, 1])
"""
bitwise_xor: _Ufunc21
"""Bitwise exclusive or.
>>> px.bitwise_xor(px.asarray([5, 6]), 2)
array([7, 4])
"""
def blackman(M: _Any) -> _Any:
    """The window of that length of three cosines.

    >>> px.blackman(3)
    array([-1.38777878e-17,  1.00000000e+00, -1.38777878e-17])
    """
bool_ = _of_bool
byte = _of_int8
c_: _HostIndex
cbrt: _Ufunc11
"""Cube root.
>>> px.cbrt(px.asarray([8.0, 27.0]))
array([2., 3.])
"""
cdouble = _of_complex128
ceil: _Ufunc11
"""Least whole number at least the value.
>>> px.ceil(px.asarray([-1.5, 1.5]))
array([-1.,  2.])
"""
conj: _Ufunc11
"""Complex conjugate.
>>> px.conjugate(px.asarray([1 + 2j]))
array([1.-2.j])
"""
conjugate: _Ufunc11
"""Complex conjugate.
>>> px.conjugate(px.asarray([1 + 2j]))
array([1.-2.j])
"""
def convolve(a: _Any, v: _Any, mode: _Any = 'full') -> _Any:
    """The convolution of two sequences.

    >>> px.convolve([1, 2, 3], [0, 1, 0.5])
    array([0. , 1. , 2.5, 4. , 1.5])
    """
copysign: _Ufunc21
"""Magnitude of the first value with the sign of the second.
>>> px.copysign(px.asarray([1.0, 2.0]), -1.0)
array([-1., -2.])
"""
def corrcoef(x: _Any, y: _Any = None, rowvar: _Any = True, *, dtype: _Any = None) -> _Any:
    """The correlation coefficients of variables, which are rows.

    >>> px.corrcoef(px.asarray([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]]))
    array([[ 1., -1.],
           [-1.,  1.]])
    """
def correlate(a: _Any, v: _Any, mode: _Any = 'valid') -> _Any:
    """The cross-correlation of two sequences.

    >>> px.correlate([1, 2, 3], [0, 1, 0.5])
    array([3.5])
    """
cos: _Ufunc11
"""Cosine of an angle in radians.
>>> px.cos(px.asarray([0.0, 0.5]))
array([1.        , 0.87758256])
"""
cosh: _Ufunc11
"""Hyperbolic cosine.
>>> px.cosh(px.asarray([0.0, 0.5]))
array([1.        , 1.12762597])
"""
def cov(m: _Any, y: _Any = None, rowvar: _Any = True, bias: _Any = False, ddof: _Any = None, fweights: _Any = None, aweights: _Any = None, *, dtype: _Any = None) -> _Any:
    """The covariances of variables, which are rows.

    >>> px.cov(px.asarray([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]]))
    array([[ 1., -1.],
           [-1.,  1.]])
    """
def cross(a: _Any, b: _Any, axisa: _Any = -1, axisb: _Any = -1, axisc: _Any = -1, axis: _Any = None) -> _Any:
    """The cross product of vectors of 3 elements.

    >>> px.cross([1, 0, 0], [0, 1, 0])
    array([0, 0, 1])
    """
csingle = _of_complex64
deg2rad: _Ufunc11
"""Degrees as radians.
>>> px.deg2rad(px.asarray([0.0, 180.0]))
array([0.        , 3.14159265])
"""
degrees: _Ufunc11
"""Radians as degrees.
>>> px.degrees(px.asarray([0.0, np.pi]))
array([  0., 180.])
"""
divide: _Ufunc21
"""Quotient; integers become float64 first.
>>> px.divide(px.asarray([1, 2]), 4)
array([0.25, 0.5 ])
"""
class _Ufunc22(_ufunc):
    @_overload
    def __call__(self, x1: _Operand, x2: _Operand, /, out: _Any = None, *, where: _Any = True, casting: str = 'same_kind', order: str = 'K', dtype: _Any = None) -> tuple[_ndarray, _ndarray]: ...
    @_overload
    def __call__(self, x1: _Any, x2: _Any, /, out: _Any = None, *, where: _Any = True, casting: str = 'same_kind', order: str = 'K', dtype: _Any = None) -> _Any: ...
divmod: _Ufunc22
"""Quotient rounded towards minus infinity, and remainder.
>>> px.divmod(px.asarray([-7, 7]), 3)
(array([-3,  2]), array([2, 1]))
"""
double = _of_float64
def ediff1d(ary: _Any, to_end: _Any = None, to_begin: _Any = None) -> _Any:
    """The differences of neighbours in the flat array.

    >>> px.ediff1d(px.asarray([1, 2, 4]))
    array([1, 2])
    """
equal: _Ufunc21
"""True where the values are equal.
>>> px.equal(px.asarray([1, 2, 3]), 2)
array([False,  True, False])
"""
exp: _Ufunc11
"""e raised to the value.
>>> px.exp(px.asarray([0.0, 0.5]))
array([1.        , 1.64872127])
"""
exp2: _Ufunc11
"""2 raised to the value.
>>> px.exp2(px.asarray([0.0, 0.5]))
array([1.        , 1.41421356])
"""
expm1: _Ufunc11
"""exp(x) - 1, exact near 0.
>>> px.expm1(px.asarray([0.0, 1e-20]))
array([0.e+00, 1.e-20])
"""
fabs: _Ufunc11
"""Absolute value of a float.
>>> px.fabs(px.asarray([-1.5, 2.0]))
array([1.5, 2. ])
"""
flatiter = _of_FlatIterator
float_power: _Ufunc21
"""First value raised to the second, computed in float64 or complex128.
>>> px.float_power(px.asarray([2, 3]), 2)
array([4., 9.])
"""
floor: _Ufunc11
"""Greatest whole number at most the value.
>>> px.floor(px.asarray([-1.5, 1.5]))
array([-2.,  1.])
"""
floor_divide: _Ufunc21
"""Quotient rounded towards minus infinity; an integer divided by zero gives 0.
>>> px.floor_divide(px.asarray([-7, 7]), 3)
array([-3,  2])
"""
fmax: _Ufunc21
"""The greater value; a NaN gives way to the other value.
>>> px.fmax(px.asarray([1.0, np.nan]), 0.5)
array([1. , 0.5])
"""
fmin: _Ufunc21
"""The lesser value; a NaN gives way to the other value.
>>> px.fmin(px.asarray([1.0, np.nan]), 0.5)
array([0.5, 0.5])
"""
fmod: _Ufunc21
"""Remainder with the sign of the dividend.
>>> px.fmod(px.asarray([-7.0, 7.0]), 3.0)
array([-1.,  1.])
"""
def format_float_positional(x: _Any, precision: _Any = None, unique: _Any = True, fractional: _Any = True, trim: _Any = 'k', sign: _Any = False, pad_left: _Any = None, pad_right: _Any = None, min_digits: _Any = None) -> _Any:
    """A number as decimal digits, without an exponent.

    >>> px.format_float_positional(0.000125)
    '0.000125'
    """
def format_float_scientific(x: _Any, precision: _Any = None, unique: _Any = True, trim: _Any = 'k', sign: _Any = False, pad_left: _Any = None, exp_digits: _Any = None, min_digits: _Any = None) -> _Any:
    """A number as decimal digits, with an exponent.

    >>> px.format_float_scientific(0.000125)
    '1.25e-04'
    """
class _Ufunc12(_ufunc):
    @_overload
    def __call__(self, x: _Operand, /, out: _Any = None, *, where: _Any = True, casting: str = 'same_kind', order: str = 'K', dtype: _Any = None) -> tuple[_ndarray, _ndarray]: ...
    @_overload
    def __call__(self, x: _Any, /, out: _Any = None, *, where: _Any = True, casting: str = 'same_kind', order: str = 'K', dtype: _Any = None) -> _Any: ...
frexp: _Ufunc12
"""Mantissa in [0.5, 1) and exponent of 2 (int32).
>>> px.frexp(px.asarray([1.0, 6.0]))
(array([0.5 , 0.75]), array([1, 3], dtype=int32))
"""
gcd: _Ufunc21
"""Greatest common divisor of the absolute values.
>>> px.gcd(px.asarray([12, 18]), 8)
array([4, 2])
"""
def genfromtxt(fname: _Any, dtype: _Any = ..., comments: _Any = '#', delimiter: _Any = None, skip_header: _Any = 0, skip_footer: _Any = 0, converters: _Any = None, missing_values: _Any = None, filling_values: _Any = None, usecols: _Any = None, names: _Any = None, excludelist: _Any = None, deletechars: _Any = " !#$%&'()*+,-./:;<=>?@[\\]^{|}~", replace_space: _Any = '_', autostrip: _Any = False, case_sensitive: _Any = True, defaultfmt: _Any = 'f%i', unpack: _Any = None, usemask: _Any = False, loose: _Any = True, invalid_raise: _Any = True, max_rows: _Any = None, encoding: _Any = None, *, ndmin: _Any = 0, like: _Any = None) -> _Any:
    """The numbers of a text file, in which some may be missing.

    >>> px.genfromtxt(["1,2", "3,"], delimiter=",")
    array([[ 1.,  2.],
           [ 3., nan]])
    """
def gradient(f: _Any, *varargs: _Any, axis: _Any = None, edge_order: _Any = 1) -> _Any:
    """The derivative by central differences along the axes.

    >>> px.gradient(px.asarray([1.0, 2.0, 4.0]))
    array([1. , 1.5, 2. ])
    """
greater: _Ufunc21
"""True where the first value is above the second.
>>> px.greater(px.asarray([1, 2, 3]), 2)
array([False, False,  True])
"""
greater_equal: _Ufunc21
"""True where the first value is at least the second.
>>> px.greater_equal(px.asarray([1, 2, 3]), 2)
array([False,  True,  True])
"""
half = _of_float16
def hamming(M: _Any) -> _Any:
    """The window of that length of a raised cosine, not 0 at its ends.

    >>> px.hamming(3)
    array([0.08, 1.  , 0.08])
    """
def hanning(M: _Any) -> _Any:
    """The window of that length of a raised cosine, 0 at its ends.

    >>> px.hanning(3)
    array([0., 1., 0.])
    """
heaviside: _Ufunc21
"""0 below 0, 1 above, and the second value at 0.
>>> px.heaviside(px.asarray([-1.0, 0.0, 2.0]), 0.5)
array([0. , 0.5, 1. ])
"""
def histogram2d(x: _Any, y: _Any, bins: _Any = 10, range: _Any = None, density: _Any = None, weights: _Any = None) -> _Any:
    """How many points of a plane are in each of the bins, and the bins' edges."""
def histogram_bin_edges(a: _Any, bins: _Any = 10, range: _Any = None, weights: _Any = None) -> _Any:
    """The edges of the bins that `histogram` would take.

    >>> px.histogram_bin_edges(px.asarray([1.0, 2.0, 3.0]), bins=2)
    array([1., 2., 3.])
    """
def histogramdd(sample: _Any, bins: _Any = 10, range: _Any = None, density: _Any = None, weights: _Any = None) -> _Any:
    """How many points are in each of the bins, and the bins' edges."""
hypot: _Ufunc21
"""sqrt(x**2 + y**2) without overflow in between.
>>> px.hypot(px.asarray([3.0]), 4.0)
array([5.])
"""
def i0(x: _Any) -> _Any:
    """The modified Bessel function of the first kind, of order 0.

    >>> px.i0(px.asarray([0.0, 1.0]))
    array([1.        , 1.26606588])
    """
int_ = _of_int64
intc = _of_int32
def interp(x: _Any, xp: _Any, fp: _Any, left: _Any = None, right: _Any = None, period: _Any = None) -> _Any:
    """The value at each x of the function that is linear between given points.

    >>> px.interp(2.5, [1, 2, 3], [3, 2, 0])
    array(1.)
    """
intp = _of_int64
invert: _Ufunc11
"""Bitwise not; logical not of a boolean.
>>> px.invert(px.asarray([5, 6]))
array([-6, -7])
"""
isfinite: _Ufunc11
"""True where the value is neither infinite nor NaN.
>>> px.isfinite(px.asarray([1.0, np.inf]))
array([ True, False])
"""
isinf: _Ufunc11
"""True where the value is infinite.
>>> px.isinf(px.asarray([1.0, np.inf]))
array([False,  True])
"""
isnan: _Ufunc11
"""True where the value is NaN.
>>> px.isnan(px.asarray([1.0, np.nan]))
array([False,  True])
"""
isnat: _Ufunc11
"""True where a time is NaT.
>>> px.isnat(px.asarray(np.array(["NaT", "2026-01-01"], "M8[D]")))
array([ True, False])
"""
isnull = _of_isna
def kaiser(M: _Any, beta: _Any) -> _Any:
    """The window of that length by the modified Bessel function, of shape beta.

    >>> px.kaiser(3, 14.0)
    array([7.72686684e-06, 1.00000000e+00, 7.72686684e-06])
    """
def kron(a: _Any, b: _Any) -> _Any:
    """The Kronecker product.

    >>> px.kron([1, 10], [1, 1])
    array([ 1,  1, 10, 10])
    """
lcm: _Ufunc21
"""Least common multiple of the absolute values.
>>> px.lcm(px.asarray([4, 6]), 10)
array([20, 30])
"""
ldexp: _Ufunc21
"""x * 2**n.
>>> px.ldexp(px.asarray([1.0, 1.5]), [2, 3])
array([ 4., 12.])
"""
left_shift: _Ufunc21
"""First value shifted left by the second; 0 once every bit is out.
>>> px.left_shift(px.asarray([5, 6]), 2)
array([20, 24])
"""
less: _Ufunc21
"""True where the first value is below the second.
>>> px.less(px.asarray([1, 2, 3]), 2)
array([ True, False, False])
"""
less_equal: _Ufunc21
"""True where the first value is at most the second.
>>> px.less_equal(px.asarray([1, 2, 3]), 2)
array([ True,  True, False])
"""
def loadtxt(fname: _Any, dtype: _Any = ..., comments: _Any = '#', delimiter: _Any = None, converters: _Any = None, skiprows: _Any = 0, usecols: _Any = None, unpack: _Any = False, ndmin: _Any = 0, encoding: _Any = None, max_rows: _Any = None, *, quotechar: _Any = None, like: _Any = None) -> _Any:
    """The numbers of a text file.

    >>> px.loadtxt(["1 2", "3 4"])
    array([[1., 2.],
           [3., 4.]])
    """
log: _Ufunc11
"""Natural logarithm.
>>> px.log(px.asarray([1.0, np.e]))
array([0., 1.])
"""
log10: _Ufunc11
"""Logarithm to base 10.
>>> px.log10(px.asarray([1.0, 1000.0]))
array([0., 3.])
"""
log1p: _Ufunc11
"""log(1 + x), exact near 0.
>>> px.log1p(px.asarray([0.0, 1e-20]))
array([0.e+00, 1.e-20])
"""
log2: _Ufunc11
"""Logarithm to base 2.
>>> px.log2(px.asarray([1.0, 8.0]))
array([0., 3.])
"""
logaddexp: _Ufunc21
"""log(exp(x) + exp(y)) without overflow in between.
>>> px.logaddexp(px.asarray([0.0, 1.0]), 0.0)
array([0.69314718, 1.31326169])
"""
logaddexp2: _Ufunc21
"""log2(2**x + 2**y) without overflow in between.
>>> px.logaddexp2(px.asarray([0.0, 1.0]), 0.0)
array([1.       , 1.5849625])
"""
logical_and: _Ufunc21
"""True where both values are not 0.
>>> px.logical_and(px.asarray([True, False]), [True, True])
array([ True, False])
"""
logical_not: _Ufunc11
"""True where the value is 0.
>>> px.logical_not(px.asarray([True, False]))
array([False,  True])
"""
logical_or: _Ufunc21
"""True where a value is not 0.
>>> px.logical_or(px.asarray([True, False]), [True, True])
array([ True,  True])
"""
logical_xor: _Ufunc21
"""True where one value, but not both, is not 0.
>>> px.logical_xor(px.asarray([True, False]), [True, True])
array([False,  True])
"""
long = _of_int64
matmul: _Ufunc21
"""Product of matrices, and of stacks of them.
>>> px.matmul(px.ones((2, 3)), px.arange(3.0))
array([3., 3.])
"""
matvec: _Ufunc21
"""Product of matrices and vectors.
>>> px.matvec(px.ones((2, 3)), px.arange(3.0))
array([3., 3.])
"""
maximum: _Ufunc21
"""The greater value; NaN if either is NaN.
>>> px.maximum(px.asarray([1.0, np.nan]), 0.5)
array([ 1., nan])
"""
mgrid: _HostIndex
minimum: _Ufunc21
"""The lesser value; NaN if either is NaN.
>>> px.minimum(px.asarray([1.0, np.nan]), 0.5)
array([0.5, nan])
"""
mod: _Ufunc21
"""Remainder with the sign of the divisor; an integer modulo zero gives 0.
>>> px.remainder(px.asarray([-7.0, 7.0]), 3.0)
array([2., 1.])
"""
modf: _Ufunc12
"""Fraction and whole part, both with the sign of the value.
>>> px.modf(px.asarray([1.5, -2.25]))
(array([ 0.5 , -0.25]), array([ 1., -2.]))
"""
multiply: _Ufunc21
"""Product of two values.
>>> px.multiply(px.asarray([1, 2, 3]), 2)
array([2, 4, 6])
"""
def nanargmax(a: _Any, axis: _Any = None, out: _Any = None, *, keepdims: _Any = ...) -> _Any:
    """The index of the greatest element that is not NaN. Raises `ValueError` of none.

    >>> px.nanargmax(px.asarray([3.0, np.nan, 1.0]))
    array(0)
    """
def nanargmin(a: _Any, axis: _Any = None, out: _Any = None, *, keepdims: _Any = ...) -> _Any:
    """The index of the least element that is not NaN. Raises `ValueError` of none.

    >>> px.nanargmin(px.asarray([3.0, np.nan, 1.0]))
    array(2)
    """
negative: _Ufunc11
"""Negated value.
>>> px.negative(px.asarray([-1.5, 2.0]))
array([ 1.5, -2. ])
"""
nextafter: _Ufunc21
"""Next representable value after the first towards the second.
>>> px.nextafter(px.asarray([1.0]), 2.0)
array([1.])
"""
not_equal: _Ufunc21
"""True where the values differ.
>>> px.not_equal(px.asarray([1, 2, 3]), 2)
array([ True, False,  True])
"""
notnull = _of_notna
ogrid: _HostIndex
def packbits(a: _Any, /, axis: _Any = None, bitorder: _Any = 'big') -> _Any:
    """The elements, true or false, as the bits of uint8.

    >>> px.packbits(px.asarray([1, 0, 1], dtype=px.uint8))
    array([160], dtype=uint8)
    """
def piecewise(x: _Any, condlist: _Any, funclist: _Any, *args: _Any, **kw: _Any) -> _Any:
    """What a function of each condition makes of the elements where it is true.

    >>> px.piecewise(px.asarray([-1.0, 2.0]), [[True, False]], [0.0, 1.0])
    array([0., 1.])
    """
positive: _Ufunc11
"""The value itself.
>>> px.positive(px.asarray([-1.5, 2.0]))
array([-1.5,  2. ])
"""
pow: _Ufunc21
"""First value raised to the second.
>>> px.power(px.asarray([2, 3]), 2)
array([4, 9])
"""
power: _Ufunc21
"""First value raised to the second.
>>> px.power(px.asarray([2, 3]), 2)
array([4, 9])
"""
r_: _HostIndex
rad2deg: _Ufunc11
"""Radians as degrees.
>>> px.rad2deg(px.asarray([0.0, np.pi]))
array([  0., 180.])
"""
radians: _Ufunc11
"""Degrees as radians.
>>> px.radians(px.asarray([0.0, 180.0]))
array([0.        , 3.14159265])
"""
def real_if_close(a: _Any, tol: _Any = 100) -> _Any:
    """The real parts where all imaginary ones are nearly 0, else the array.

    >>> px.real_if_close(px.asarray([2.0 + 1e-20j]))
    array([2.])
    """
reciprocal: _Ufunc11
"""1 divided by the value; of integers without the fraction.
>>> px.reciprocal(px.asarray([2.0, 4.0]))
array([0.5 , 0.25])
"""
remainder: _Ufunc21
"""Remainder with the sign of the divisor; an integer modulo zero gives 0.
>>> px.remainder(px.asarray([-7.0, 7.0]), 3.0)
array([2., 1.])
"""
right_shift: _Ufunc21
"""First value shifted right by the second, keeping the sign.
>>> px.right_shift(px.asarray([5, 6]), 2)
array([1, 1])
"""
rint: _Ufunc11
"""Nearest whole number, halves to even.
>>> px.rint(px.asarray([-1.5, 1.5]))
array([-2.,  2.])
"""
def savetxt(fname: _Any, X: _Any, fmt: _Any = '%.18e', delimiter: _Any = ' ', newline: _Any = '\n', header: _Any = '', footer: _Any = '', comments: _Any = '# ', encoding: _Any = None) -> _Any:
    """Writes an array of one or two dimensions to a text file."""
def set_advice(*, low_occupancy: _bool | None = None, implicit_copies: _bool | None = None, float64: _bool | None = None, strides: _bool | None = None, parallel: _bool | None = None) -> None:
    """Which advice is given as a `PerformanceWarning`; None leaves one as it is.

    Python's `warnings` filters silence it too, by class or by code, and ``PHALANX_ADVICE=0`` all
    of it: docs/guide/warnings.md has them.

    >>> px.set_advice(low_occupancy=False)
    >>> px.set_advice(low_occupancy=True)
    """
def set_fallback(policy: str) -> None:
    """What happens from now on to CPU functions that Phalanx cannot compile.

    ``"error"``, the default, raises `CompileError`; ``"numba"`` lets the installed Numba compile
    them, and ``"python"`` runs them in Python. Kernels never fall back.

    Raises `ValueError` for another word, and for ``"numba"`` where Numba is not installed.

    >>> px.set_fallback("error")
    """
short = _of_int16
sign: _Ufunc11
"""-1, 0 or 1 by the sign; z / abs(z) of a complex number; NaN of a NaN.
>>> px.sign(px.asarray([-1.5, 2.0]))
array([-1.,  1.])
"""
signbit: _Ufunc11
"""True where the sign bit is set: of -0.0, and of a NaN that has one, too.
>>> px.signbit(px.asarray([1.0, -0.0]))
array([False,  True])
"""
sin: _Ufunc11
"""Sine of an angle in radians.
>>> px.sin(px.asarray([0.0, 0.5]))
array([0.        , 0.47942554])
"""
single = _of_float32
sinh: _Ufunc11
"""Hyperbolic sine.
>>> px.sinh(px.asarray([0.0, 0.5]))
array([0.        , 0.52109531])
"""
def sort_complex(a: _Any) -> _Any:
    """The sorted elements as complex numbers.

    >>> px.sort_complex(px.asarray([2 + 1j, 1 + 2j]))
    array([1.+2.j, 2.+1.j])
    """
spacing: _Ufunc11
"""Distance to the next representable value away from 0.
>>> px.spacing(px.asarray([1.0]))
array([2.22044605e-16])
"""
sqrt: _Ufunc11
"""Square root.
>>> px.sqrt(px.asarray([4.0, 9.0]))
array([2., 3.])
"""
square: _Ufunc11
"""The value times itself.
>>> px.square(px.asarray([2, 3]))
array([4, 9])
"""
subtract: _Ufunc21
"""Difference of two values.
>>> px.subtract(px.asarray([1, 2, 3]), 2)
array([-1,  0,  1])
"""
tan: _Ufunc11
"""Tangent of an angle in radians.
>>> px.tan(px.asarray([0.0, 0.5]))
array([0.        , 0.54630249])
"""
tanh: _Ufunc11
"""Hyperbolic tangent.
>>> px.tanh(px.asarray([0.0, 0.5]))
array([0.        , 0.46211716])
"""
true_divide: _Ufunc21
"""Quotient; integers become float64 first.
>>> px.divide(px.asarray([1, 2]), 4)
array([0.25, 0.5 ])
"""
trunc: _Ufunc11
"""The value without its fraction.
>>> px.trunc(px.asarray([-1.5, 1.5]))
array([-1.,  1.])
"""
ubyte = _of_uint8
uint = _of_uint64
uintc = _of_uint32
uintp = _of_uint64
ulong = _of_uint64
def unpackbits(a: _Any, /, axis: _Any = None, count: _Any = None, bitorder: _Any = 'big') -> _Any:
    """The bits of uint8 as elements 0 and 1.

    >>> px.unpackbits(px.asarray([160], dtype=px.uint8))
    array([1, 0, 1, 0, 0, 0, 0, 0], dtype=uint8)
    """
def unwrap(p: _Any, discont: _Any = None, axis: _Any = -1, *, period: _Any = 6.283185307179586) -> _Any:
    """Angles in which no step is larger than half a period.

    >>> px.unwrap(px.asarray([0.0, 6.5]))
    array([0.        , 0.21681469])
    """
ushort = _of_uint16
class _Ufunc21Axis(_ufunc):
    @_overload
    def __call__(self, x1: _Operand, x2: _Operand, /, out: _Any = None, *, where: _Any = True, casting: str = 'same_kind', order: str = 'K', dtype: _Any = None, axis: _Any = -1) -> _ndarray: ...
    @_overload
    def __call__(self, x1: _Any, x2: _Any, /, out: _Any = None, *, where: _Any = True, casting: str = 'same_kind', order: str = 'K', dtype: _Any = None, axis: _Any = -1) -> _Any: ...
vecdot: _Ufunc21Axis
"""Sum of the products along an axis, of x1 conjugated.
>>> px.vecdot(px.arange(3.0), px.ones(3))
array(3.)
"""
vecmat: _Ufunc21
"""Product of conjugated vectors and matrices.
>>> px.vecmat(px.arange(2.0), px.ones((2, 3)))
array([1., 1., 1.])
"""
