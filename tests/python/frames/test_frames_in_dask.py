"""What Dask's tests found: quantiles of whole rows by each interpolation, and smaller things."""

import numpy as np
import pandas as pd
import pytest

import phalanx as px

FRAMES = {
    "numbers": {"a": [3, 1, 2, 2, 5], "b": [1.0, 2, 0, -1, 3]},
    "texts": {"t": list("hello")},
    "mixed": {"a": [1, 1, 0], "t": ["b", "a", "c"]},
    "gaps": {"a": [1.0, np.nan, 0, 4]},
    "dates": {"d": pd.to_datetime(["2026-01-02", "2025-01-01", "2026-05-05"])},
    "categories": {"c": pd.Categorical(["b", "a", "b"], categories=["b", "a"], ordered=True)},
}


@pytest.mark.parametrize("interpolation", ["nearest", "lower", "higher", "linear"])
@pytest.mark.parametrize("name", FRAMES)
def test_quantiles_of_rows(name, interpolation):
    frame = pd.DataFrame(FRAMES[name])
    for q in (0, 0.5, [0.1, 0.5, 0.9], np.linspace(0, 1, 7)):
        options = {"interpolation": interpolation, "method": "table"}
        if interpolation == "linear":
            with pytest.raises(ValueError, match="Invalid interpolation"):
                px.from_pandas(frame).quantile(q, **options)
            continue
        made = px.from_pandas(frame).quantile(q, **options).to_pandas()
        expected = frame.quantile(q, numeric_only=False, **options)
        check = getattr(
            pd.testing,
            f"assert_{type(expected).__name__.lower()}_equal".replace("dataframe", "frame"),
        )
        check(made, expected)


def test_another_method_is_refused():
    with pytest.raises(ValueError, match="Invalid method"):
        px.DataFrame({"a": [1]}).quantile(method="both")


def test_attributes_of_columns_that_begin_with_an_underscore():
    assert px.DataFrame({"_meta": [1, 2]})._meta.tolist() == [1, 2]
    assert px.Series([3], index=["_a"])._a == 3


@pytest.mark.parametrize("dtype", ["object", "int64", "range"])
def test_an_empty_default_index_says_nothing_of_the_dtype(dtype):
    for sort in (None, False):
        made, expected = (
            m.Index(["a"]).union(
                m.RangeIndex(0) if dtype == "range" else m.Index([], dtype=dtype), sort=sort
            )
            for m in (px, pd)
        )
        assert str(made.dtype) == str(expected.dtype) and made.tolist() == expected.tolist()


def test_a_dtype_of_categories_is_there_first():
    import subprocess
    import sys

    code = "import phalanx as px; assert list(px.CategoricalDtype([0, 1]).categories) == [0, 1]"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_an_axis_that_series_have_not():
    with pytest.raises(ValueError, match="No axis named 1"):
        px.Series([1]).align(px.Series([2]), axis=1)
