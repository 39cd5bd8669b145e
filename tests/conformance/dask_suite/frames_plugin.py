"""Dask's comparisons take pandas' indexes only: ours are handed to them as pandas'."""

import os


def pytest_collection_modifyitems(items):
    """With PHALANX_QUICK one case of each test, the last."""
    if os.environ.get("PHALANX_QUICK"):
        items[:] = {each.nodeid.partition("[")[0]: each for each in items}.values()


def pytest_sessionstart():
    from dask.dataframe import utils
    from pandas import testing

    import phalanx as px

    def as_pandas(value):
        return (
            value.to_pandas() if isinstance(value, px.Index | px.Series | px.DataFrame) else value
        )

    def compared(function):
        return lambda left, right, *args, **options: function(
            as_pandas(left), as_pandas(right), *args, **options
        )

    for name in ("assert_frame_equal", "assert_series_equal", "assert_index_equal"):
        setattr(testing, name, compared(getattr(testing, name)))
    utils.tm = testing
