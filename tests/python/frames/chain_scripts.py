"""Further methods of chains, as scripts use them: several arguments, functions, round trips."""

from __future__ import annotations

import io

from .chain_picks import (
    AGGREGATIONS,
    OPERATORS,
    column,
    dates,
    groups,
    key,
    labelled,
    none_of,
    number,
    of_kind,
    pick,
    place,
    text,
)
from .reshape_samples import module_of

CONSTANTS = [0, 1.5, "?", None, True]


def _with(frame, change):
    """A frame after a change in place."""
    made = frame.copy()
    change(made)
    return made


def _loc(frame, a, b):
    def change(made):
        made.loc[column(frame, a).notna(), place(frame, b)] = pick(CONSTANTS, a + b)

    # Of no rows pandas looks at the value if one block has all columns.
    return _with(frame, change) if len(frame) else none_of("rows")


def _loc_of_new(frame, a, b):
    def change(made):
        made.loc[number(frame, a) > b - 4, "new"] = pick([1, 2.5, "x"], b)

    return _with(frame, change)


def _iloc(frame, a, b):
    def change(made):
        made.iloc[a % 3 : b, a % made.shape[1]] = frame.iloc[0, b % made.shape[1]]

    # The same.
    return _with(frame, change) if a % 3 < min(b, len(frame)) else none_of("rows")


def _item(frame, a, b):
    def change(made):
        name = key(frame, a)
        if made[name].dtype.kind not in "iuf":
            none_of("numbers")
        made[name] = pick(OPERATORS, b)(made[name], pick([1, 2, 0.5], a))

    return _with(frame, change)


ASSIGNMENTS = {
    "loc": _loc,
    "loc of a new column": _loc_of_new,
    "iloc": _iloc,
    "item": _item,
    "functions": lambda f, a, b: f.assign(x=lambda g: number(g, a) * 2, y=lambda g: g["x"] - b),
    "set_axis": lambda f, a, b: f.set_axis(range(a, a + len(f))),
    "pipe": lambda f, a, b: f.pipe(lambda g, n: g.head(n), b),
}


def _numbers(f):
    """The columns of numbers, as n0 and so on: `eval` takes NumPy's arrays, and its errors."""
    return labelled(f.select_dtypes(["number", "bool"]).select_dtypes(exclude="timedelta"))


CHOICES = {
    "where other": lambda f, a, b: f.assign(x=column(f, a).where(number(f, b) > 1, number(f, a))),
    "where of a number": lambda f, a, b: f.assign(x=number(f, a).where(number(f, a) > 0, b)),
    "query": lambda f, a, b: _numbers(f).query(f"n{a % _numbers(f).shape[1]} > {b - 4}"),
    "query of texts": lambda f, a, b: labelled(f).query(f"n{a % f.shape[1]} == 'a' or index < {b}"),
    "eval": lambda f, a, b: _numbers(f).eval(
        f"z = n0 {pick(['+', '-', '*', '<', '=='], b)} n{a % _numbers(f).shape[1]}"
    ),
    "between": lambda f, a, b: f[number(f, a).between(-1, b, inclusive=pick(["both", "left"], a))],
    "isin of a dict": lambda f, a, b: f.isin({place(f, a): [0, "a", 1.5, True]}),
    "isin of a frame": lambda f, a, b: f.reset_index(drop=True).isin(
        f.reset_index(drop=True).iloc[: b + 1]
    ),
    "nlargest of several": lambda f, a, b: f.nlargest(a, [key(f, b), key(f, a)]),
    "sort_values with a key": lambda f, a, b: f.sort_values(
        key(f, a), key=lambda c: c.abs() if c.dtype.kind in "if" else c, kind="stable"
    ),
    "sort_values of lengths": lambda f, a, b: f.sort_values(
        text(f, a).name, key=lambda c: c.str.len(), kind="stable", ascending=b % 2 == 0
    ),
    "squeeze": lambda f, a, b: f[[place(f, a)]].squeeze("columns"),
    "filter by name": lambda f, a, b: f.filter(like="a"),
    "items": lambda f, a, b: module_of(f).DataFrame(dict(f.items())),
    "get": lambda f, a, b: f.get(key(f, a)),
    "first rows of all": lambda f, a, b: f.drop_duplicates().groupby(key(f, a)).nth(b % 3),
}

NUMBERS = {
    "interpolate": lambda f, a, b: f.assign(x=number(f, a).interpolate(limit=b % 3 or None)),
    "idxmin": lambda f, a, b: f[[number(f, a).name]].reset_index(drop=True).idxmin(),
    "idxmax": lambda f, a, b: f.iloc[[f.reset_index(drop=True)[key(f, a)].idxmax()]],
    "cut": lambda f, a, b: f.assign(
        x=module_of(f).cut(number(f, a), [-10, 0, 1, 100], labels=["l", "m", "h"], right=b % 2 > 0)
    ),
    "qcut": lambda f, a, b: f.assign(
        x=module_of(f).qcut(number(f, a).rank(method="first"), 2 + b % 3, labels=False)
    ),
    "quantile": lambda f, a, b: number(f, a).quantile([0.25, 0.5, b / 9]),
    # A list of scalars of unsigned and of other integers is one of objects in pandas.
    "agg": lambda f, a, b: f.select_dtypes("number", exclude="uint8").agg(["sum", "min", "count"]),
    "corr": lambda f, a, b: f.select_dtypes("int64").corr(),
    "apply": lambda f, a, b: f.assign(x=number(f, a).apply(lambda v: v * 2 + b)),
    "apply to rows": lambda f, a, b: f.select_dtypes("int64").apply(lambda r: r.sum(), axis=1),
    "map of a function": lambda f, a, b: f.assign(x=text(f, a).map(len, na_action="ignore")),
    "cumulative": lambda f, a, b: f.select_dtypes("number").cumsum(),
    "rolling sum": lambda f, a, b: f.assign(x=number(f, a).rolling(2 + b % 3).sum()),
    "rolling of all": lambda f, a, b: f.select_dtypes("int64").rolling(3, min_periods=1).mean(),
    "ewm": lambda f, a, b: f.assign(x=number(f, a).ewm(alpha=0.5).mean()),
    "rank of all": lambda f, a, b: f.select_dtypes("number").rank(ascending=b % 2 == 0, pct=True),
    "minus mean": lambda f, a, b: f.select_dtypes("int64") - f.select_dtypes("int64").mean(),
    "sum of rows": lambda f, a, b: f.assign(x=f.select_dtypes(["int64", "float64"]).sum(axis=1)),
    "max of rows": lambda f, a, b: f.assign(x=f.select_dtypes("int64").max(axis=1)),
}


def _dummies(f, a, b):
    texts = text(f, a)
    # Where no text has a label, pandas fails to make a frame of no columns.
    return texts.str.get_dummies(",") if (texts.str.len() > 0).any() else none_of("labels")


TEXTS = {
    "lower": lambda f, a, b: f.assign(x=text(f, a).str.lower(), y=text(f, b).str.strip()),
    "extract": lambda f, a, b: f.join(text(f, a).str.extract(r"(?P<w>[a-z])(?P<d>\d)?")),
    "split": lambda f, a, b: text(f, a).str.split(pick([",", " ", "a"], b), expand=True),
    "split at most": lambda f, a, b: text(f, a).str.split(" ", n=1, expand=True),
    "partition": lambda f, a, b: text(f, a).str.partition(","),
    "get_dummies": _dummies,
    "zfill": lambda f, a, b: f.assign(x=text(f, a).str.zfill(b), y=text(f, a).str.pad(a, "both")),
    "find": lambda f, a, b: f.assign(x=text(f, a).str.find("b"), y=text(f, a).str.count("[a-z]")),
    "isdigit": lambda f, a, b: f.assign(x=text(f, a).str.isdigit(), y=text(f, a).str.isupper()),
    "title": lambda f, a, b: f.assign(x=text(f, a).str.title(), y=text(f, a).str.swapcase()),
    "plus": lambda f, a, b: f.assign(x=text(f, a) + "_", y="x" + text(f, b)),
    "times": lambda f, a, b: f.assign(x=text(f, a) * 2, y=text(f, a).str.repeat(b % 3)),
    "removeprefix": lambda f, a, b: f.assign(x=text(f, a).str.removeprefix("a")),
    "get": lambda f, a, b: f.assign(x=text(f, a).str.get(b % 3), y=text(f, a).str[-1]),
    "to_datetime": lambda f, a, b: f.assign(
        x=module_of(f).to_datetime(dates(f, a).dt.strftime("%Y-%m-%d"))
    ),
    "compared": lambda f, a, b: f.assign(x=text(f, a) > "a", y=text(f, a) == text(f, b)),
    "match": lambda f, a, b: f.assign(
        x=text(f, a).str.match("[ab]"),
        y=text(f, a).str.fullmatch("."),
        z=text(f, b).str.endswith("b"),
    ),
    "joined": lambda f, a, b: f.groupby(key(f, b))[text(f, a).name].agg("sum"),
}

FIELDS = ["month", "dayofweek", "quarter", "dayofyear", "is_month_end", "minute", "second",
          "microsecond", "is_leap_year", "days_in_month", "is_year_start", "weekday"]  # fmt: skip

DATES = {
    "fields": lambda f, a, b: f.assign(
        x=getattr(dates(f, a).dt, pick(FIELDS, b)), y=getattr(dates(f, a).dt, pick(FIELDS, a + b))
    ),
    "normalize": lambda f, a, b: f.assign(x=dates(f, a).dt.normalize()),
    "month_name": lambda f, a, b: f.assign(x=dates(f, a).dt.month_name()),
    "period": lambda f, a, b: f.assign(
        x=dates(f, a).dt.tz_localize(None).dt.to_period(pick(["M", "D", "Y", "Q"], b))
    ),
    "period field": lambda f, a, b: f.assign(x=of_kind(f, a, "period").dt.year),
    "isocalendar": lambda f, a, b: f.join(labelled(f).pipe(dates, a).dt.isocalendar()),
    "round": lambda f, a, b: f.assign(x=dates(f, a).dt.round(pick(["D", "h", "min"], b))),
    "ceil": lambda f, a, b: f.assign(x=dates(f, a).dt.ceil(pick(["D", "h"], b))),
    "later than": lambda f, a, b: f[dates(f, a) >= module_of(f).Timestamp("2000-01-01")],
    "to UTC": lambda f, a, b: f.assign(x=of_kind(f, a, "datetime64[us,").dt.tz_convert("UTC")),
    "days": lambda f, a, b: f.assign(x=of_kind(f, a, "timedelta").dt.days),
    "months later": lambda f, a, b: f.assign(x=dates(f, a) + module_of(f).DateOffset(months=b)),
    "resample": lambda f, a, b: _resampled(f, a, b),
    "resample of counts": lambda f, a, b: (
        f.set_index(dates(f, a).rename("t")).resample("10YS").size()
    ),
    "grouped by year": lambda f, a, b: f.groupby(dates(f, a).dt.year)[key(f, b)].count(),
    "Grouper": lambda f, a, b: f.groupby(
        module_of(f).Grouper(key=dates(f, a).name, freq="10YE")
    ).size(),
}


def _resampled(f, a, b):
    moments = dates(f, a).rename("t")
    values = number(f, b).rename("v").to_frame().set_index(moments)
    return getattr(
        values.resample(pick(["10YE", "20YS", "40QE"], b)), pick(["sum", "count", "max"], a)
    )()


def _other(f, a):
    """A label other than the key's: of the key itself pandas puts missing ones first."""
    return key(f, a + 1) if f.shape[1] > 1 else none_of("other column")


def _apply(f, a, b):
    function = pick(
        [
            len,
            lambda g: g.head(1),
            lambda g: g.iloc[:, 0].count(),
            lambda g: g.notna().sum(),
        ],
        b,
    )
    return f.groupby(key(f, a), observed=True).apply(function)


GROUPED = {
    "apply": _apply,
    "agg of several": lambda f, a, b: groups(f, a, b)[[key(f, a + 1)]].agg(["min", "max"]),
    "agg of a dict": lambda f, a, b: groups(f, a, b).agg(
        {key(f, a + 1): "count", key(f, a + 2): ["first", pick(AGGREGATIONS, b)]}
    ),
    "agg of a function": lambda f, a, b: groups(f, a, b)[number(f, a + 1).name].agg(
        lambda v: v.max() - v.min()
    ),
    "rolling": lambda f, a, b: (
        groups(f, a, b)[number(f, a + 1).name].rolling(2, min_periods=1).sum()
    ),
    "filter": lambda f, a, b: groups(f, a, b).filter(lambda g: len(g) > b % 3),
    # Of infinities pandas' sums that compensate rounding are NaN from the second one on.
    "cumsum": lambda f, a, b: f.assign(
        x=groups(f, a, b)[of_kind(f, a + 1, "int", "uint", "Int").name].cumsum()
    ),
    "diff": lambda f, a, b: f.assign(x=groups(f, a, b)[number(f, a + 1).name].diff()),
    "ngroup": lambda f, a, b: f.assign(x=groups(f, a, b).ngroup()),
    "ffill": lambda f, a, b: groups(f, a, b).ffill(),
    "nth": lambda f, a, b: groups(f, a, b).nth(b % 3),
    "quantile": lambda f, a, b: groups(f, a, b)[number(f, a + 1).name].quantile(0.5),
    "of a level": lambda f, a, b: f.groupby(level=0)[place(f, a)].count(),
    "share": lambda f, a, b: f.assign(
        x=number(f, a + 1) / groups(f, a, b)[number(f, a + 1).name].transform("sum")
    ),
    "idxmax": lambda f, a, b: (
        f.reset_index(drop=True).groupby(key(f, a))[number(f, a + 1).name].idxmax()
    ),
    "value_counts": lambda f, a, b: groups(f, a, b)[_other(f, a)].value_counts(),
    "unstacked": lambda f, a, b: (
        f.groupby([key(f, a), key(f, b)], observed=True).size().unstack(fill_value=0)
    ),
}


def _columns_of_levels(f, a, b):
    labels = [(pick("xy", i + a), f"n{i}") for i in range(f.shape[1])]
    return f.set_axis(module_of(f).MultiIndex.from_tuples(labels, names=["u", "v"]), axis=1)


RESHAPED = {
    "concat with keys": lambda f, a, b: module_of(f).concat(
        [f, f.head(a)], keys=["x", "y"], names=["k"] if b % 2 else None
    ),
    "concat of series": lambda f, a, b: module_of(f).concat([column(f, a), column(f, b)]),
    "merge with suffixes": lambda f, a, b: f.merge(
        f.tail(a), on=key(f, b), how="left", suffixes=("_l", "_r")
    ),
    "merge with indicator": lambda f, a, b: f.head(a).merge(
        f.tail(b), on=key(f, b), how=pick(["outer", "left", "right"], a), indicator=True
    ),
    "merge on two": lambda f, a, b: f.merge(f.head(a), on=[key(f, a), key(f, b)]),
    # Keys of one dtype: of others the dtype of no rows is chance.
    "merge of names": lambda f, a, b: labelled(f).merge(
        f.head(a).add_suffix("_o"), left_on="n0", right_on=f"{f.columns[0]}_o", how="left"
    ),
    "melt of several": lambda f, a, b: f.melt(
        [key(f, a)], [key(f, a + 1), key(f, a + 2)], var_name="v", value_name="w"
    ),
    "wide_to_long": lambda f, a, b: module_of(f).wide_to_long(
        f.set_axis([f"v{i}" for i in range(f.shape[1] or none_of("columns"))], axis=1).assign(
            id=range(len(f))
        ),
        "v",
        i="id",
        j="n",
    ),
    "explode of several": lambda f, a, b: f.explode([key(f, a), key(f, a + 1)]),
    "explode of texts": lambda f, a, b: f.assign(x=text(f, a).str.split(",")).explode("x"),
    "columns of levels": _columns_of_levels,
    "a level of columns": lambda f, a, b: _columns_of_levels(f, a, b)[pick("xy", b)],
    "stack of a level": lambda f, a, b: _columns_of_levels(f, a, b).stack(pick(["u", "v"], b)),
    "swaplevel of columns": lambda f, a, b: _columns_of_levels(f, a, b).swaplevel(axis=1),
    "levels joined": lambda f, a, b: _columns_of_levels(f, a, b).pipe(
        lambda g: g.set_axis(["_".join(each) for each in g.columns], axis=1)
    ),
    "pivot_table of sums": lambda f, a, b: labelled(f).pivot_table(
        index="n0", columns="n1", values="n2", aggfunc=pick(["sum", "mean"], a), fill_value=0
    ),
    "reset of a level": lambda f, a, b: f.set_index([key(f, a), key(f, a + 1)]).reset_index(
        level=1
    ),
    "sort_index of a level": lambda f, a, b: f.set_index([key(f, a), key(f, b)]).sort_index(
        level=0
    ),
    "to_frame": lambda f, a, b: column(f, a).rename("q").to_frame().reset_index(),
    "get_dummies of all": lambda f, a, b: module_of(f).get_dummies(labelled(f), dtype=int),
}


def _csv(f, a, b):
    file = io.StringIO(f.to_csv(index=False))
    return module_of(f).read_csv(file, dtype=dict.fromkeys(f.columns, "str") if a % 2 else None)


TRIPS = {
    "to_dict of lists": lambda f, a, b: module_of(f).DataFrame(labelled(f).to_dict("list")),
    "to_dict of records": lambda f, a, b: module_of(f).DataFrame(labelled(f).to_dict("records")),
    "from_dict": lambda f, a, b: module_of(f).DataFrame.from_dict(
        f.reset_index(drop=True).to_dict("index"), orient="index"
    ),
    "from_dict of split": lambda f, a, b: module_of(f).DataFrame(**f.to_dict("split")),
    "itertuples": lambda f, a, b: module_of(f).DataFrame(list(labelled(f).itertuples(index=False))),
    # pandas makes no frame of rows that have a label twice.
    "iterrows": lambda f, a, b: module_of(f).DataFrame(
        [row for _, row in f.loc[:, ~f.columns.duplicated()].iterrows()]
    ),
    "csv": _csv,
    "values": lambda f, a, b: module_of(f).DataFrame(f.to_numpy(), columns=f.columns),
    "tolist": lambda f, a, b: module_of(f).DataFrame({"x": column(f, a).tolist()}),
    "reindex_like": lambda f, a, b: f.reset_index(drop=True).reindex_like(f.head(b)),
}

SCRIPTS = {
    "assigned": ASSIGNMENTS,
    "chosen": CHOICES,
    "numbers": NUMBERS,
    "texts": TEXTS,
    "dates": DATES,
    "grouped": GROUPED,
    "reshaped": RESHAPED,
    "trips": TRIPS,
}
