"""Groups of rows and their aggregations, against pandas."""

import itertools

import numpy as np
import pytest

pd = pytest.importorskip("pandas", minversion="3.1", reason="pandas is the oracle")

from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402
from phalanx._engine import frames  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::FutureWarning")

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float32", "float64"]
TIMES = ["datetime64[ns]", "timedelta64[us]"]


def string_key(values):
    """The key of a list of str and None."""
    texts = ["" if each is None else each for each in values]
    encoded = [text.encode() for text in texts]
    offsets = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
    mask = np.array([each is not None for each in values], dtype=bool)
    return ("string", offsets, np.frombuffer(b"".join(encoded), dtype=np.uint8), mask)


def values_key(values, mask=None):
    return ("values", np.ascontiguousarray(values), mask)


def as_pandas(key):
    """A key as a column that pandas groups by."""
    if key[0] == "string":
        _, offsets, data, mask = key
        texts = [data[a:b].tobytes().decode() for a, b in itertools.pairwise(offsets)]
        known = np.ones(len(texts), bool) if mask is None else mask
        return pd.Series([t if k else None for t, k in zip(texts, known, strict=True)], dtype="str")
    kind, values, mask = key
    if kind == "codes":
        return pd.Series(np.where(values < 0, np.nan, values), dtype="Int64")
    column = pd.Series(values)
    if mask is None:
        return column
    if values.dtype.kind in "iub":
        return pd.Series(pd.array(values)).mask(~mask)
    return column.mask(~mask)


def expect_groups(keys, drops_missing):
    """Compares the groups of keys with pandas' groupby(sort=False)."""
    columns = [as_pandas(key) for key in keys]
    grouped = pd.DataFrame(dict(enumerate(columns))).groupby(
        list(range(len(keys))), sort=False, dropna=drops_missing
    )
    expected = grouped.ngroup().to_numpy(dtype="int64", na_value=-1)
    codes, count, first_rows = frames.group_rows(keys, drops_missing)
    np.testing.assert_array_equal(codes, expected)
    assert codes.dtype == np.int32
    assert count == expected.max(initial=-1) + 1
    assert first_rows.dtype == np.int64
    known = np.where(expected < 0, count, expected)  # dropped rows are the last
    np.testing.assert_array_equal(first_rows, np.unique(known, return_index=True)[1][:count])


def random_values(dtype, rows, distinct, seed=0):
    rng = np.random.default_rng(seed)
    if dtype.startswith(("datetime", "timedelta")):
        pool = rng.integers(-(2**50), 2**50, distinct).astype("int64")
        pool[:1] = np.iinfo("int64").min  # NaT
        return pool[rng.integers(0, distinct, rows)].view(dtype)
    kind = np.dtype(dtype)
    if kind.kind == "b":
        return rng.integers(0, 2, rows).astype(bool)
    if kind.kind == "f":
        pool = rng.normal(size=distinct).astype(kind)
        pool[: min(3, distinct)] = [np.nan, 0.0, -0.0][: min(3, distinct)]
        return pool[rng.integers(0, distinct, rows)]
    limits = np.iinfo(kind)
    pool = rng.integers(limits.min, limits.max, distinct, dtype=kind, endpoint=True)
    return pool[rng.integers(0, distinct, rows)]


def random_mask(pattern, rows):
    """No mask, or one by the pattern: none, some or all missing."""
    if pattern == "no mask":
        return None
    if pattern == "some":
        return np.random.default_rng(7).random(rows) > 0.2
    return np.full(rows, pattern == "none")


MASKS = ["no mask", "none", "some", "all"]


@pytest.mark.parametrize("drops_missing", [True, False])
@pytest.mark.parametrize("pattern", MASKS)
@pytest.mark.parametrize("distinct", [1, 5, 30_000])
@pytest.mark.parametrize("dtype", ["bool", *INTEGERS, *FLOATS, *TIMES])
def test_rows_are_grouped_by_one_key(dtype, distinct, pattern, drops_missing):
    rows = 70_000
    values = random_values(dtype, rows, distinct)
    expect_groups([values_key(values, random_mask(pattern, rows))], drops_missing)


@pytest.mark.parametrize("drops_missing", [True, False])
@pytest.mark.parametrize("length", [0, 3, 7, 8, 12, 15, 16, 40])
@pytest.mark.parametrize("distinct", [1, 7, 25_000])
def test_rows_are_grouped_by_strings(distinct, length, drops_missing):
    rng = np.random.default_rng(1)
    pool = [None, "", *(f"{i:0{length}d}"[:length] for i in range(distinct))]
    values = [pool[i] for i in rng.integers(0, len(pool), 50_000)]
    expect_groups([string_key(values)], drops_missing)


@pytest.mark.parametrize("drops_missing", [True, False])
def test_codes_of_minus_one_are_missing(drops_missing):
    codes = np.random.default_rng(2).integers(-1, 100, 40_000).astype("int8")
    expect_groups([("codes", codes, None)], drops_missing)


@pytest.mark.parametrize("drops_missing", [True, False])
@pytest.mark.parametrize("distinct", [2, 40, 20_000])
@pytest.mark.parametrize(
    "kinds",
    [
        ("int64", "float64"),
        ("int64", "int64", "uint64"),
        ("int8", "string", "bool"),
        ("string", "string"),
        ("float64", "int64", "uint64", "string", "datetime64[ns]"),
    ],
)
def test_rows_are_grouped_by_several_keys(kinds, distinct, drops_missing):
    """Their words have 64 bits, 128 bits, and more than that."""
    rows = 60_000
    keys = []
    for seed, kind in enumerate(kinds):
        if kind == "string":
            numbers = np.random.default_rng(seed).integers(0, distinct, rows)
            keys.append(string_key([None if n == 1 else f"id{n:03d}" for n in numbers]))
        else:
            keys.append(values_key(random_values(kind, rows, distinct, seed)))
    expect_groups(keys, drops_missing)


@pytest.mark.parametrize("rows", [0, 1])
@pytest.mark.parametrize("key", ["int64", "float64", "string"])
def test_no_row_and_one_row(rows, key):
    made = string_key(["a"] * rows) if key == "string" else values_key(np.ones(rows, key))
    codes, count, first_rows = frames.group_rows([made])
    assert (codes.tolist(), count, first_rows.tolist()) == ([0] * rows, rows, [0] * rows)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.one_of(st.none(), st.text(max_size=20)),
            st.integers(-(2**63), 2**63 - 1),
            st.floats(allow_nan=True, width=64),
        ),
        min_size=1,
        max_size=40,
    ),
    st.booleans(),
)
def test_random_keys_are_grouped(rows, drops_missing):
    texts, integers, floats = zip(*rows, strict=True)
    keys = [string_key(texts), values_key(np.array(integers)), values_key(np.array(floats))]
    expect_groups(keys, drops_missing)


# --- aggregations


SIMPLE = [
    "count",
    "sum",
    "prod",
    "mean",
    "min",
    "max",
    "first",
    "last",
    "var",
    "std",
    "median",
    "nunique",
]
OURS = {"prod": "product"}


def aggregated(codes, groups, *rows):
    """Values and validity of each aggregation, the codes as they are made by group_rows."""
    return frames.aggregate(codes, groups, list(rows))


def expect_equal(found, valid, expected, kind):
    """Compares an aggregation's numbers with a column of pandas."""
    missing = expected.isna().to_numpy()
    np.testing.assert_array_equal(
        missing, np.zeros(len(missing), bool) if valid is None else ~valid
    )
    numbers = (
        expected.to_numpy(dtype=found.dtype, na_value=0) if missing.any() else expected.to_numpy()
    )
    ours = np.where(missing, 0, found)
    if found.dtype.kind == "f" and kind not in ("min", "max", "first", "last"):
        tolerance = 1e-6 if found.dtype == np.float32 else 1e-9
        np.testing.assert_allclose(ours, np.where(missing, 0, numbers), rtol=tolerance, atol=1e-12)
    else:
        np.testing.assert_array_equal(ours, np.where(missing, 0, numbers))


@pytest.mark.parametrize("pattern", ["no mask", "some", "all"])
@pytest.mark.parametrize("groups", [1, 30, 20_000])
@pytest.mark.parametrize("dtype", ["bool", *INTEGERS, *FLOATS])
@pytest.mark.parametrize("kind", SIMPLE)
def test_aggregations_are_those_of_pandas(kind, dtype, groups, pattern):
    if dtype == "bool" and kind in ("prod", "median", "var", "std"):
        pytest.skip("pandas has no such aggregation of bool")
    rows = 60_000
    rng = np.random.default_rng(3)
    key = rng.integers(0, groups, rows).astype("int32")
    values = random_values(dtype, rows, 500, seed=4)
    if kind == "prod" and dtype in FLOATS:
        values = np.where(np.isnan(values), values, 1 + values / 100).astype(dtype)
    mask = random_mask(pattern, rows)
    column = as_pandas(values_key(values, mask))
    expected = getattr(column.groupby(key, sort=False), kind)()
    dtype_of_pandas = expected.dtype
    if dtype == "float32":  # which pandas adds up in float32
        expected = getattr(column.astype("float64").groupby(key, sort=False), kind)()
    codes, count, _ = frames.group_rows([values_key(key)])
    ((found, valid),) = aggregated(codes, count, (values, mask, OURS.get(kind, kind)))
    if mask is None and kind != "prod":  # which pandas narrows where the numbers are small
        assert found.dtype == dtype_of_pandas
    expect_equal(found, valid, expected, kind)


@pytest.mark.parametrize("groups", [3, 9_000])
def test_several_aggregations_share_the_rows(groups):
    rows = 50_000
    rng = np.random.default_rng(5)
    key = rng.integers(0, groups, rows)
    a, b = rng.normal(size=rows), rng.integers(0, 9, rows)
    a[::7] = np.nan
    frame = pd.DataFrame({"key": key, "a": a, "b": b})
    grouped = frame.groupby("key", sort=False)
    codes, count, first_rows = frames.group_rows([values_key(key)])
    np.testing.assert_array_equal(
        key[first_rows], list(grouped.groups) if groups < 9 else frame.key.unique()
    )
    made = aggregated(
        codes,
        count,
        (a, None, "size"),
        (a, None, "idxmin"),
        (a, None, "idxmax"),
        (b, None, "first_row"),
        (a, None, "last_row"),
        (b, None, "any"),
        (b, None, "all"),
        (a, None, "var", 0),
        (a, None, "corr", (b, None, 1)),
        (a, None, "cov", (b, None, 1)),
    )
    known = frame.dropna()
    expected = [
        grouped.size(),
        known.groupby("key").a.idxmin().reindex(frame.key.unique()),
        known.groupby("key").a.idxmax().reindex(frame.key.unique()),
        frame.reset_index().groupby("key", sort=False)["index"].first(),
        known.reset_index().groupby("key")["index"].last().reindex(frame.key.unique()),
        grouped.b.any(),
        grouped.b.all(),
        grouped.a.var(ddof=0),
        grouped[["a", "b"]].corr().a.xs("b", level=1),
        grouped[["a", "b"]].cov().a.xs("b", level=1),
    ]
    for (found, valid), column in zip(made, expected, strict=True):
        expect_equal(found, valid, column, "several")


@pytest.mark.parametrize("interpolation", ["linear", "lower", "higher", "nearest", "midpoint"])
@pytest.mark.parametrize("quantile", [0, 0.1, 0.25, 0.5, 0.9, 1])
@pytest.mark.parametrize("dtype", ["int64", "uint8", *FLOATS])
@pytest.mark.parametrize("groups", [4, 5_000])
def test_quantiles_are_those_of_pandas(groups, dtype, quantile, interpolation):
    rows = 20_000
    key = np.random.default_rng(6).integers(0, groups, rows)
    values = (
        random_values(dtype, rows, 300, seed=7) if dtype != "int64" else np.arange(rows) * 7 % 1013
    )
    expected = pd.Series(values).groupby(key, sort=False).quantile(quantile, interpolation)
    codes, count, _ = frames.group_rows([values_key(key)])
    ((found, valid),) = aggregated(
        codes, count, (values, None, "quantile", (quantile, interpolation))
    )
    assert found.dtype == expected.dtype
    expect_equal(found, valid, expected, "quantile")


def test_sums_keep_what_rounding_takes_off():
    codes = np.zeros(3, "int32")
    ((found, _),) = aggregated(codes, 1, (np.array([1e16, 1.0, -1e16]), None, "sum"))
    assert found[0] == 1.0
    ((found, _),) = aggregated(codes, 1, (np.array([np.inf, 1.0, 2.0]), None, "mean"))
    assert found[0] == np.inf


def test_variances_are_sound_far_from_zero():
    values = 1e9 + np.random.default_rng(8).random(100_000)
    codes = np.arange(100_000, dtype="int32") % 3
    ((found, _),) = aggregated(codes, 3, (values, None, "var"))
    np.testing.assert_allclose(found, [values[i::3].var(ddof=1) for i in range(3)], rtol=1e-6)


@pytest.mark.parametrize("dtype", ["int32", "int64"])
@pytest.mark.parametrize("groups", [1, 100, 9_000])
def test_rows_by_group_are_a_stable_order(groups, dtype):
    codes = np.random.default_rng(9).integers(-1, groups, 50_000).astype(dtype)
    rows, starts = frames.rows_by_group(codes, groups)
    dropped = np.count_nonzero(codes < 0)
    np.testing.assert_array_equal(rows, np.argsort(codes, kind="stable")[dropped:])
    np.testing.assert_array_equal(
        starts, np.cumsum([0, *np.bincount(codes[codes >= 0], minlength=groups)])
    )


def test_distinct_strings_are_counted():
    codes = np.array([0, 1, 0, 0, 1, -1], "int32")
    key = string_key(["a", "b", "c", "a", None, "x"])
    assert frames.count_distinct(codes, 2, key).tolist() == [2, 1]


# --- wrong input


GOOD = np.zeros(3, "int32")


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: frames.group_rows([]), ValueError, "no keys"),
        (lambda: frames.group_rows([GOOD]), TypeError, "a key is"),
        (lambda: frames.group_rows([("numbers", GOOD, None)]), ValueError, "a key is"),
        (lambda: frames.group_rows([("values", [1, 2], None)]), TypeError, "NumPy array"),
        (lambda: frames.group_rows([("values", np.zeros(6)[::2], None)]), TypeError, "C order"),
        (
            lambda: frames.group_rows([("values", np.zeros((2, 2)), None)]),
            TypeError,
            "one dimension",
        ),
        (lambda: frames.group_rows([("values", np.zeros(2, ">i4"), None)]), TypeError, "not taken"),
        (lambda: frames.group_rows([("values", np.array(["a"]), None)]), TypeError, "not taken"),
        (lambda: frames.group_rows([("values", np.zeros(2, "f2"), None)]), TypeError, "float16"),
        (lambda: frames.group_rows([("values", np.zeros(2, "c8"), None)]), TypeError, "complex64"),
        (lambda: frames.group_rows([("codes", np.zeros(2, "u4"), None)]), TypeError, "signed"),
        (lambda: frames.group_rows([values_key(GOOD), values_key(GOOD[:2])]), ValueError, "differ"),
        (lambda: frames.group_rows([values_key(GOOD, np.ones(2, bool))]), ValueError, "mask"),
        (lambda: frames.group_rows([values_key(GOOD, np.ones(3, "u1"))]), TypeError, "boolean"),
        (
            lambda: frames.group_rows([("string", np.array([0, 5]), np.zeros(2, "u1"), None)]),
            ValueError,
            "past",
        ),
        (
            lambda: frames.group_rows([("string", np.array([0, 2, 1]), np.zeros(2, "u1"), None)]),
            ValueError,
            "decrease",
        ),
        (lambda: frames.aggregate(GOOD, 0, [(GOOD, None, "sum")]), ValueError, "codes"),
        (lambda: frames.aggregate(GOOD - 2, 1, [(GOOD, None, "sum")]), ValueError, "codes"),
        (lambda: frames.aggregate(GOOD, -1, []), ValueError, "negative"),
        (lambda: frames.aggregate(GOOD.astype("i2"), 1, []), TypeError, "int32"),
        (lambda: frames.aggregate(GOOD, 1, [(GOOD[:2], None, "sum")]), ValueError, "fit"),
        (lambda: frames.aggregate(GOOD, 1, [(GOOD, None, "total")]), ValueError, "total"),
        (lambda: frames.aggregate(GOOD, 1, [(GOOD, None, "corr")]), TypeError, "second"),
        (
            lambda: frames.aggregate(GOOD, 1, [(GOOD, None, "quantile", (1.5, "linear"))]),
            ValueError,
            "0 to 1",
        ),
        (
            lambda: frames.aggregate(GOOD, 1, [(GOOD, None, "quantile", (0.5, "cubic"))]),
            ValueError,
            "cubic",
        ),
        (lambda: frames.rows_by_group(GOOD + 1, 1), ValueError, "codes"),
    ],
)
def test_wrong_input_is_refused(call, error, text):
    with pytest.raises(error, match=text):
        call()
