"""pandas' names, so that one that we have not is told from one that nobody has."""

from __future__ import annotations

from .signatures import MissingNameError

_BOTH = """
    T abs add add_prefix add_suffix agg aggregate align all any apply asfreq asof astype at at_time
    attrs axes between_time bfill clip combine combine_first compare convert_dtypes copy corr count
    cov cummax cummin cumprod cumsum describe diff div divide dot drop drop_duplicates droplevel
    dropna dtypes duplicated empty eq equals ewm expanding explode ffill fillna filter
    first_valid_index flags floordiv ge get groupby gt head hist iat idxmax idxmin iloc index
    infer_objects info interpolate isin isna isnull items keys kurt kurtosis last_valid_index le loc
    lt map mask max mean median memory_usage min mod mode mul multiply ndim ne nlargest notna
    notnull nsmallest nunique pct_change pipe plot pop pow prod product quantile radd rank rdiv
    reindex reindex_like rename rename_axis reorder_levels replace resample reset_index rfloordiv
    rmod rmul rolling round rpow rsub rtruediv sample sem set_axis set_flags shape shift size skew
    sort_index sort_values sparse squeeze std sub subtract sum swaplevel tail take to_clipboard
    to_csv to_dict to_excel to_hdf to_json to_latex to_markdown to_numpy to_period to_pickle to_sql
    to_string to_timestamp to_xarray transform transpose truediv truncate tz_convert tz_localize
    unstack update value_counts values var where xs from_arrow
"""

_FRAME_ONLY = """
    assign boxplot columns corrwith eval from_dict from_records insert isetitem iterrows itertuples
    join melt merge pivot pivot_table query select select_dtypes set_index stack style to_feather
    to_html to_iceberg to_orc to_parquet to_records to_stata to_xml
"""

_SERIES_ONLY = """
    argmax argmin argsort array autocorr between case_when cat divmod dt dtype factorize hasnans
    is_monotonic_decreasing is_monotonic_increasing is_unique item list name nbytes rdivmod repeat
    searchsorted str struct to_frame to_list tolist unique
"""

_MODULE = """
    ArrowDtype Categorical CategoricalIndex DateOffset DatetimeIndex ExcelFile ExcelWriter Flags
    Grouper HDFStore IndexSlice Interval IntervalDtype IntervalIndex NaT NamedAgg Period PeriodDtype
    PeriodIndex SparseDtype Timedelta TimedeltaIndex Timestamp bdate_range crosstab cut date_range
    factorize from_dummies get_dummies infer_freq interval_range json_normalize lreshape melt merge
    merge_asof merge_ordered period_range pivot pivot_table qcut read_clipboard read_csv read_excel
    read_feather read_fwf read_hdf read_html read_iceberg read_json read_orc read_parquet
    read_pickle read_sas read_spss read_sql read_sql_query read_sql_table read_stata read_table
    read_xml set_eng_float_format timedelta_range to_datetime to_numeric to_pickle to_timedelta
    wide_to_long offsets plotting
"""

FRAME = frozenset(_BOTH.split()) | frozenset(_FRAME_ONLY.split())
SERIES = frozenset(_BOTH.split()) | frozenset(_SERIES_ONLY.split())
# Functions and classes of the module.
MODULE = frozenset(_MODULE.split())


def absent(kind: str, name: str, known: frozenset[str]) -> AttributeError:
    """The error for an attribute that an object has not."""
    if name in known:
        return MissingNameError(
            f"{kind}.{name} of pandas is not supported; to_pandas() gives an object that has it"
        )
    return AttributeError(f"'{kind}' object has no attribute '{name}'")
