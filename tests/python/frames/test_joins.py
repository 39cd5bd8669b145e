"""Joins, orders, rows taken and numbers of rows in their groups, against pandas."""

import numpy as np
import pytest

pd = pytest.importorskip("pandas", minversion="3.1", reason="pandas is the oracle")

from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402
from phalanx._engine import frames  # noqa: E402

from .test_groups import as_pandas, random_mask, random_values, string_key, values_key  # noqa: E402

HOWS = ["inner", "left", "right", "outer"]


def frame_of(keys, name):
    """A frame of keys, and of the rows' numbers under a name."""
    frame = pd.DataFrame({f"k{i}": as_pandas(key) for i, key in enumerate(keys)})
    frame[name] = np.arange(len(frame))
    return frame


def expect_join(left, right, how):
    on = [f"k{i}" for i in range(len(left))]
    merged = frame_of(left, "left").merge(frame_of(right, "right"), on=on, how=how)
    made = frames.join_rows(left, right, how)
    for found, side in zip(made, ("left", "right"), strict=True):
        assert found.dtype == np.int64
        np.testing.assert_array_equal(
            found, merged[side].fillna(-1).to_numpy("int64"), err_msg=side
        )


def random_key(kind, rows, distinct, seed):
    if kind == "string":
        numbers = np.random.default_rng(seed).integers(0, distinct, rows)
        return string_key([None if n == 1 else f"id{n:0{1 + n % 20}d}" for n in numbers])
    rng = np.random.default_rng(seed)
    if kind == "wide":
        return values_key(rng.integers(0, distinct, rows) * 2**40)
    if kind == "masked":
        return values_key(rng.integers(0, distinct, rows), rng.random(rows) > 0.1)
    if kind == "float64":
        return values_key(
            np.where(rng.random(rows) < 0.05, np.nan, rng.integers(0, distinct, rows))
        )
    return values_key(rng.integers(0, distinct, rows).astype(kind))


@pytest.mark.parametrize("how", HOWS)
@pytest.mark.parametrize(
    ("left_rows", "right_rows"), [(0, 5), (5, 0), (1, 1), (300, 40), (50_000, 40_000)]
)
@pytest.mark.parametrize("kind", ["int64", "wide", "uint8", "float64", "string", "masked"])
def test_joins_are_those_of_pandas(kind, left_rows, right_rows, how):
    distinct = 200 if kind == "uint8" else max(left_rows, 20)
    if kind == "uint8":
        left_rows, right_rows = min(left_rows, 3000), min(right_rows, 2000)
    left = random_key(kind, left_rows, distinct, 1)
    right = random_key(kind, right_rows, distinct, 2)
    expect_join([left], [right], how)


@pytest.mark.parametrize("how", HOWS)
@pytest.mark.parametrize(
    "kinds", [("int64", "string"), ("float64", "wide"), ("string", "string", "uint8")]
)
def test_joins_by_several_keys(kinds, how):
    left = [random_key(kind, 5_000, 30, i) for i, kind in enumerate(kinds)]
    right = [random_key(kind, 3_000, 30, 10 + i) for i, kind in enumerate(kinds)]
    expect_join(left, right, how)


@pytest.mark.parametrize("how", HOWS)
def test_keys_that_are_unique_on_the_right(how):
    rng = np.random.default_rng(3)
    left = [values_key(rng.integers(0, 60_000, 50_000) * 2**33)]
    right = [values_key(rng.permutation(60_000)[:40_000] * 2**33)]
    expect_join(left, right, how)


@pytest.mark.parametrize("kind", ["int64", "string", "float64"])
def test_semi_and_anti_joins_part_the_left_rows(kind):
    left = random_key(kind, 40_000, 900, 4)
    right = random_key(kind, 500, 900, 5)
    matched = as_pandas(left).isin(as_pandas(right)).to_numpy()
    for how, rows in (("semi", matched), ("anti", ~matched)):
        found, partner = frames.join_rows([left], [right], how)
        np.testing.assert_array_equal(found, np.flatnonzero(rows))
        assert (partner == -1).all()


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from([None, "", "a", "b" * 20]), st.sampled_from([0.0, -0.0, np.nan, 1.5])
        ),
        max_size=12,
    ),
    st.lists(
        st.tuples(
            st.sampled_from([None, "", "a", "b" * 20]), st.sampled_from([0.0, -0.0, np.nan, 1.5])
        ),
        max_size=12,
    ),
    st.sampled_from(HOWS),
)
def test_random_keys_are_joined(left, right, how):
    def keys(rows):
        texts = [text for text, _ in rows]
        return [string_key(texts), values_key(np.array([number for _, number in rows], "float64"))]

    expect_join(keys(left), keys(right), how)


# --- the nearest key


@pytest.mark.parametrize("direction", ["backward", "forward", "nearest"])
@pytest.mark.parametrize("allow_exact", [True, False])
@pytest.mark.parametrize("tolerance", [None, 0, 5])
@pytest.mark.parametrize("by", [0, 1, 2])
@pytest.mark.parametrize("dtype", ["int64", "float64", "datetime64[ns]"])
def test_nearest_rows_are_those_of_merge_asof(dtype, by, tolerance, allow_exact, direction):
    rng = np.random.default_rng(6)
    on = [np.sort(rng.integers(0, 20_000, rows)).astype("int64") for rows in (3_000, 2_000)]
    on = [each / 4 if dtype == "float64" else each.astype(dtype) for each in on]
    keys = [
        [values_key(rng.integers(0, 5, len(each))), random_key("string", len(each), 4, 7)][:by]
        for each in on
    ]
    sides = []
    for each, own, name in zip(on, keys, ("left", "right"), strict=True):
        frame = frame_of(own, name) if own else pd.DataFrame({name: np.arange(len(each))})
        sides.append(frame.assign(on=each))
    distance = pd.Timedelta(tolerance) if tolerance is not None and dtype[0] == "d" else tolerance
    if tolerance is not None and dtype == "float64":
        distance = float(tolerance)
    expected = pd.merge_asof(
        *sides,
        on="on",
        by=[f"k{i}" for i in range(by)] or None,
        direction=direction,
        allow_exact_matches=allow_exact,
        tolerance=distance,
    )
    found = frames.asof_rows(
        (on[0], keys[0]),
        (on[1], keys[1]),
        direction,
        -1 if tolerance is None else tolerance,
        allow_exact,
    )
    np.testing.assert_array_equal(found, expected.right.fillna(-1).to_numpy("int64"))


# --- orders


@pytest.mark.parametrize("position", ["first", "last"])
@pytest.mark.parametrize("ascending", [True, False])
@pytest.mark.parametrize("pattern", ["no mask", "some", "all"])
@pytest.mark.parametrize("distinct", [3, 40_000])
@pytest.mark.parametrize(
    "dtype", ["bool", "int8", "int64", "uint64", "float32", "float64", "datetime64[ns]", "string"]
)
def test_rows_are_ordered_by_one_key(dtype, distinct, pattern, ascending, position):
    rows = 50_000
    if dtype == "string":
        key = random_key("string", rows, distinct, 8)
        key = (*key[:3], random_mask(pattern, rows))
    else:
        key = values_key(random_values(dtype, rows, distinct), random_mask(pattern, rows))
    frame = pd.DataFrame({"key": as_pandas(key)})
    expected = frame.sort_values(
        "key", ascending=ascending, na_position=position, kind="stable"
    ).index
    found = frames.order_rows([key], [not ascending], position == "first")
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(
    "ascending", [(True, True, True), (False, True, False), (True, False, True)]
)
@pytest.mark.parametrize(
    "kinds",
    [
        ("int64", "string", "float64"),
        ("uint8", "uint8", "uint8"),
        ("wide", "float64", "wide", "wide"),
    ],
)
def test_rows_are_ordered_by_several_keys(kinds, ascending):
    ascending = [*ascending, True][: len(kinds)]
    keys = [random_key(kind, 20_000, 40, i) for i, kind in enumerate(kinds)]
    if kinds[0] == "wide":  # more than 128 bits
        keys[1] = values_key(
            np.random.default_rng(1).choice(np.random.default_rng(2).normal(size=40), 20_000)
        )
        keys[0] = values_key(keys[0][1] * 2**15 - 2**60)
    frame = frame_of(keys, "row")
    expected = frame.sort_values(list(frame.columns[:-1]), ascending=ascending, kind="stable").index
    found = frames.order_rows(keys, [not each for each in ascending])
    np.testing.assert_array_equal(found, expected)


# --- rows taken


@pytest.mark.parametrize(
    "dtype", ["bool", "int8", "int16", "float32", "float64", "complex128", "datetime64[s]"]
)
@pytest.mark.parametrize("mask", [False, True])
@pytest.mark.parametrize("missing", [False, True])
def test_values_are_taken(dtype, mask, missing):
    rng = np.random.default_rng(9)
    values = rng.integers(0, 100, 30_000).astype("int64").astype(dtype)
    known = rng.random(30_000) > 0.3 if mask else None
    rows = rng.integers(-1 if missing else 0, 30_000, 50_000)
    found, valid = frames.take(values, known, rows)
    expected = np.where(rows < 0, np.zeros(1, dtype), values[rows])
    np.testing.assert_array_equal(found.view(dtype) if dtype[:2] == "da" else found, expected)
    if not (mask or missing):
        assert valid is None
    else:
        np.testing.assert_array_equal(valid, (rows >= 0) & (known[rows] if mask else True))


@pytest.mark.parametrize("count", [0, 1, 30_000])
def test_strings_are_taken_and_concatenated(count):
    rng = np.random.default_rng(10)
    texts = [None if n == 0 else "x" * (n % 30) + str(n) for n in rng.integers(0, 50, count)]
    key = string_key(texts)
    rows = rng.integers(-1, count, 2 * count)
    taken = ("string", *frames.take_strings(key, rows))
    expected = [None if row < 0 else texts[row] for row in rows]
    if count:
        assert as_pandas(taken).fillna("?").tolist() == [
            text or ("?" if text is None else "") for text in expected
        ]
    both = ("string", *frames.concatenate_strings([key, taken, (*key[:3], None)]))
    as_text = ["" if text is None else text for text in texts]
    assert as_pandas(both).fillna("?").tolist() == [
        *("?" if text is None else text for text in [*texts, *expected]),
        *as_text,
    ]


@pytest.mark.parametrize("share", [0, 0.1, 0.9, 1])
def test_rows_of_masks(share):
    mask = np.random.default_rng(11).random(70_000) < share
    np.testing.assert_array_equal(frames.rows_of_mask(mask), np.flatnonzero(mask))


# --- numbers of rows in their groups


def grouped_column(dtype, groups, pattern):
    rows = 50_000
    key = np.random.default_rng(12).integers(0, groups, rows)
    values = random_values(dtype, rows, 300, seed=13)
    mask = random_mask(pattern, rows)
    codes, count, _ = frames.group_rows([values_key(key)])
    return key, values, mask, codes, count


@pytest.mark.parametrize("kind", ["sum", "product", "min", "max"])
@pytest.mark.parametrize("pattern", ["no mask", "some"])
@pytest.mark.parametrize("groups", [1, 40, 30_000])
@pytest.mark.parametrize("dtype", ["int8", "int64", "uint16", "float32", "float64"])
def test_running_numbers_are_those_of_pandas(dtype, groups, pattern, kind):
    key, values, mask, codes, count = grouped_column(dtype, groups, pattern)
    if kind == "product" and np.dtype(dtype).kind == "f":
        values = (1 + values / 1000).astype(dtype)
    column = as_pandas(values_key(values, mask))
    grouped = (column.astype("float64") if dtype == "float32" else column).groupby(key)
    expected = getattr(grouped, {"product": "cumprod"}.get(kind, f"cum{kind}"))()
    found, valid = frames.running(codes, count, kind, values, mask)
    missing = expected.isna().to_numpy()
    np.testing.assert_array_equal(missing, np.zeros(len(key), bool) if valid is None else ~valid)
    numbers = expected.fillna(0).to_numpy()
    ours = np.where(missing, 0, found)
    if found.dtype.kind == "f":
        np.testing.assert_allclose(
            ours, numbers, rtol=1e-5 if dtype == "float32" else 1e-9, atol=1e-9
        )
    else:
        np.testing.assert_array_equal(ours, numbers)


@pytest.mark.parametrize("groups", [1, 40, 30_000])
def test_places_in_groups(groups):
    key, values, _, codes, count = grouped_column("float64", groups, "no mask")
    frame = pd.DataFrame({"key": key, "v": values, "row": np.arange(len(key))})
    grouped = frame.groupby("key")
    np.testing.assert_array_equal(frames.running(codes, count, "count")[0], grouped.cumcount())
    for periods in (0, 1, -2, 100, -(2**40)):
        found = frames.shifted_rows(codes, count, periods)
        if abs(periods) < 2**31:
            np.testing.assert_array_equal(found, grouped.row.shift(periods).fillna(-1))
        else:
            assert (found == -1).all()
    for (first, last), expected in {
        (0, 3): grouped.head(3),
        (-2, None): grouped.tail(2),
        (1, 2): grouped.nth(1),
        (-1, None): grouped.nth(-1),
    }.items():
        np.testing.assert_array_equal(
            frames.rows_at_places(codes, count, first, last), expected.row
        )


@pytest.mark.parametrize("greatest", [True, False])
@pytest.mark.parametrize("groups", [3, 10_000])
@pytest.mark.parametrize("dtype", ["int16", "float64"])
def test_best_rows_are_those_of_nlargest(dtype, groups, greatest):
    key, values, _, codes, count = grouped_column(dtype, groups, "no mask")
    column = pd.Series(values).dropna().groupby(key[~np.isnan(values)])
    expected = column.nlargest(3) if greatest else column.nsmallest(3)
    rows, starts = frames.best_rows(codes, count, (values, None), 3, greatest)
    by_key = np.argsort(key[frames.rows_at_places(codes, count, 0, 1)], kind="stable")
    found = np.concatenate([rows[starts[g] : starts[g + 1]] for g in by_key])
    np.testing.assert_array_equal(found, expected.index.get_level_values(1))


@pytest.mark.parametrize("method", ["average", "min", "max", "first", "dense"])
@pytest.mark.parametrize("descending", [True, False])
@pytest.mark.parametrize("pattern", ["no mask", "some"])
@pytest.mark.parametrize("dtype", ["int8", "float64"])
def test_ranks_are_those_of_pandas(dtype, pattern, descending, method):
    key, values, mask, codes, count = grouped_column(dtype, 70, pattern)
    expected = (
        as_pandas(values_key(values, mask)).groupby(key).rank(method, ascending=not descending)
    )
    found, _ = frames.rank_rows(codes, count, values_key(values, mask), method, descending)
    np.testing.assert_array_equal(found, expected.to_numpy("float64", na_value=np.nan))


# --- wrong input

ONES = np.ones(3, "int64")


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: frames.join_rows([values_key(ONES)], [], "inner"), ValueError, "keys"),
        (lambda: frames.join_rows([], [], "inner"), ValueError, "no keys"),
        (
            lambda: frames.join_rows([values_key(ONES)], [values_key(ONES.astype("i4"))], "inner"),
            TypeError,
            "convert",
        ),
        (
            lambda: frames.join_rows([values_key(ONES)], [string_key(["a"])], "inner"),
            TypeError,
            "kind",
        ),
        (
            lambda: frames.join_rows([values_key(ONES)], [values_key(ONES)], "cross"),
            ValueError,
            "cross",
        ),
        (
            lambda: frames.asof_rows((ONES[::-1].cumsum()[::-1].copy(), []), (ONES, [])),
            ValueError,
            "sorted",
        ),
        (
            lambda: frames.asof_rows((np.array([np.nan]), []), (np.ones(1), [])),
            ValueError,
            "missing",
        ),
        (lambda: frames.asof_rows((ONES, []), (np.ones(3), [])), TypeError, "convert"),
        (
            lambda: frames.asof_rows((ONES, [values_key(ONES[:2])]), (ONES, [values_key(ONES)])),
            ValueError,
            "rows",
        ),
        (lambda: frames.asof_rows((ONES, []), (ONES, []), "upward"), ValueError, "upward"),
        (lambda: frames.order_rows([values_key(ONES)], [True, False]), ValueError, "directions"),
        (lambda: frames.take(ONES, None, np.array([3])), ValueError, "-1 to 2"),
        (lambda: frames.take(ONES, None, np.array([-2])), ValueError, "-1 to 2"),
        (lambda: frames.take(ONES, None, np.array([0], "i4")), TypeError, "int64"),
        (lambda: frames.take_strings(values_key(ONES), np.array([0])), TypeError, "strings"),
        (lambda: frames.take_strings(string_key(["a"]), np.array([1])), ValueError, "-1 to 0"),
        (lambda: frames.rows_of_mask(np.ones(3, "u1")), TypeError, "boolean"),
        (lambda: frames.concatenate_strings([values_key(ONES)]), TypeError, "strings"),
        (lambda: frames.running(np.zeros(3, "i4"), 1, "mean", ONES), ValueError, "mean"),
        (lambda: frames.running(np.zeros(3, "i4"), 1, "sum", ONES[:2]), ValueError, "fit"),
        (lambda: frames.best_rows(np.zeros(3, "i4"), 1, (ONES, None), -1), ValueError, "negative"),
        (
            lambda: frames.rank_rows(np.zeros(3, "i4"), 1, values_key(ONES), "mode"),
            ValueError,
            "mode",
        ),
    ],
)
def test_wrong_input_is_refused(call, error, text):
    with pytest.raises(error, match=text):
        call()
