"""What `phalanx` has of data frames: classes, functions and values, each by its module.

`phalanx` finds these names by text when they are first asked for, so that its import stays light.
"""

from __future__ import annotations

import importlib
from typing import Any

from .missing_names import MODULE
from .signatures import MissingNameError

_MODULES = {
    "frame": "DataFrame",
    "series": "Series",
    "several.frame": "SpreadFrame",
    "indexes.index": "Index",
    "indexes.ranges": "RangeIndex",
    "indexes.multi": "MultiIndex",
    "indexes.dates": "DatetimeIndex",
    "indexes.deltas": "TimedeltaIndex",
    "indexes.categories": "CategoricalDtype CategoricalIndex",
    "scalars.interval": "Interval",
    "indexes.interval_ranges": "interval_range",
    "indexes.intervals": "IntervalIndex",
    "indexes.periods": "PeriodIndex period_range",
    "missing": "NA",
    "periods.frequency": "PeriodDtype",
    "periods.period": "Period",
    "dtypes": "DatetimeTZDtype IntervalDtype StringDtype BooleanDtype"
    " Int8Dtype Int16Dtype Int32Dtype Int64Dtype UInt8Dtype UInt16Dtype UInt32Dtype UInt64Dtype"
    " Float32Dtype Float64Dtype",
    "arrow_dtypes": "ArrowDtype",
    "scalars": "NaT Timedelta Timestamp",
    "dates.to_datetime": "to_datetime",
    "dates.to_timedelta": "to_timedelta",
    "dates.numeric": "to_numeric",
    "indexes.date_ranges": "bdate_range date_range timedelta_range",
    "dates.inferring": "infer_freq",
    "functions.module": "isna isnull notna notnull concat eval factorize",
    "groups.grouper": "NamedAgg",
    "interchange.from_pandas": "from_pandas",
    "options": "get_option set_option reset_option option_context options",
    "selection.index_slice": "IndexSlice",
    "reading": "read_csv",
    "shared.deferred": "col",
    "categories.categorical": "Categorical",
    "reshaping.crosstabs": "crosstab",
    "reshaping.cutting": "cut qcut",
    "reshaping.dummies": "from_dummies get_dummies",
    "reshaping.melting": "lreshape melt wide_to_long",
    "reshaping.pivot_tables": "pivot_table",
    "reshaping.pivoting": "pivot",
    "offsets.relative": "DateOffset",
    ".tseries": "offsets",  # A module of the package, not of this room.
    "files.tables": "read_table",
    "files.html_reading": "read_html",
    "files.json_normalize": "json_normalize",
    "files.json_reading": "read_json",
    "files.excel_reading": "ExcelFile read_excel",
    "files.excel_writing": "ExcelWriter",
    "files.fixed_width": "read_fwf",
    "files.sql_reading": "read_sql read_sql_query read_sql_table",
    "files.parquet": "read_parquet",
    "files.feather": "read_feather read_orc",
    "files.pickles": "read_pickle to_pickle",
    "combining.merge": "merge",
    "combining.asof": "merge_asof",
    "combining.ordered": "merge_ordered",
    "resampling.grouper": "Grouper",
}
NAMES = {name: module for module, names in _MODULES.items() for name in names.split()}


def find(name: str) -> Any:
    """What has a name. Raises MissingNameError for one that pandas has and we have not."""
    if name in NAMES:
        return getattr(importlib.import_module(f".{NAMES[name]}", __package__), name)
    raise MissingNameError(f"{name} of pandas is not supported in phalanx")


def is_known(name: str) -> bool:
    """True for names of data frames, also those that are not supported."""
    return name in NAMES or name in MODULE
