"""Methods that a chain is made of: each takes a frame and two small numbers."""

from __future__ import annotations

from hypothesis import strategies as st

from .chain_picks import (
    AGGREGATIONS,
    DTYPES,
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
    ranked,
    text,
)
from .chain_scripts import SCRIPTS
from .reshape_samples import module_of

ROWS = {
    "head": lambda f, a, b: f.head(a),
    "tail": lambda f, a, b: f.tail(a),
    "slice": lambda f, a, b: f.iloc[a : 30 - b : 1 + a % 3],
    "reversed": lambda f, a, b: f.iloc[::-1],
    "take": lambda f, a, b: f.take([i % max(len(f), 1) for i in (a, b, 0)][: len(f)]),
    "filter of missing": lambda f, a, b: f[column(f, a).notna()],
    "filter of equal": lambda f, a, b: f[column(f, a) == column(f, b)],
    "filter of less": lambda f, a, b: f[number(f, a) < b],
    "loc of a mask": lambda f, a, b: f.loc[column(f, a).isna(), [place(f, b)]],
    "loc of labels": lambda f, a, b: f.loc[f.index[a % 3 : b]],
    "isin": lambda f, a, b: f[column(f, a).isin(column(f, a).head(b))],
    "dropna": lambda f, a, b: f.dropna(how=pick(["any", "all"], a)),
    "dropna of columns": lambda f, a, b: f.dropna(axis=1),
    "drop_duplicates": lambda f, a, b: f.drop_duplicates(keep=pick(["first", "last", False], a)),
    "drop_duplicates by": lambda f, a, b: f.drop_duplicates(subset=[place(f, a)]),
    "duplicated": lambda f, a, b: f[~f.duplicated(subset=[place(f, a)], keep="last")],
    "sort_values": lambda f, a, b: f.sort_values(
        place(f, a),
        ascending=b % 2 == 0,
        kind="stable",
        na_position=pick(["last", "first"], b // 2),
    ),
    "sort_values by two": lambda f, a, b: f.sort_values([key(f, a), key(f, b)]),
    "sort_index": lambda f, a, b: f.sort_index(ascending=a % 2 == 0, kind="stable"),
    "sort_index of columns": lambda f, a, b: f.sort_index(axis=1),
    "nlargest": lambda f, a, b: f.nlargest(a, key(f, b)),
    "nsmallest": lambda f, a, b: f.nsmallest(a, key(f, b), keep="all"),
    "concat": lambda f, a, b: module_of(f).concat([f, f.head(a)], ignore_index=b % 2 == 0),
    "concat of columns": lambda f, a, b: module_of(f).concat([f, column(f, a).rename("z")], axis=1),
    "concat of others": lambda f, a, b: module_of(f).concat([f.iloc[:, :2], f.iloc[:, 1:]]),
    "truncate": lambda f, a, b: f.reset_index(drop=True).truncate(a, a + b),
    "reindex": lambda f, a, b: f.reset_index(drop=True).reindex(range(a, a + b)),
    "reindex of columns": lambda f, a, b: _with_new_columns(f),
}

COLUMNS = {
    "select": lambda f, a, b: f[[place(f, a), place(f, b)]],
    "drop": lambda f, a, b: f.drop(columns=place(f, a)),
    "rename": lambda f, a, b: f.rename(columns={place(f, a): "r"}),
    "add_prefix": lambda f, a, b: f.add_prefix("p_"),
    "insert": lambda f, a, b: f.assign(e=column(f, a)),
    "pop": lambda f, a, b: f.iloc[:, a % f.shape[1] :],
    "select_dtypes": lambda f, a, b: f.select_dtypes(pick(["number", "object", "str", "bool"], a)),
    "arithmetic": lambda f, a, b: f.assign(x=pick(OPERATORS, b)(column(f, a), number(f, b))),
    "arithmetic with a number": lambda f, a, b: f.assign(x=pick(OPERATORS, b)(column(f, a), 2)),
    "minus": lambda f, a, b: f.assign(x=-number(f, a), y=number(f, b).abs()),
    "sum of columns": lambda f, a, b: f.assign(x=column(f, a) + column(f, b)),
    "astype": lambda f, a, b: f.assign(x=column(f, a).astype(pick(DTYPES, b))),
    "astype of all": lambda f, a, b: f.astype(pick(["str", "object", "category"], a)),
    "convert_dtypes": lambda f, a, b: f.convert_dtypes(),
    "infer_objects": lambda f, a, b: f.infer_objects(),
    "fillna": lambda f, a, b: f.assign(x=column(f, a).fillna(pick([0, "?", 1.5, True], b))),
    "fillna of first": lambda f, a, b: f.assign(x=column(f, a).fillna(column(f, a).shift(b))),
    "ffill": lambda f, a, b: f.ffill(limit=a or None),
    "bfill": lambda f, a, b: f.bfill(),
    "shift": lambda f, a, b: f.shift(a - 4),
    "shift filled": lambda f, a, b: f.assign(x=number(f, a).shift(b, fill_value=7)),
    "diff": lambda f, a, b: f.assign(x=column(f, a).diff(b - 4)),
    "rank": lambda f, a, b: f.assign(
        x=column(f, a).rank(method=pick(["average", "min", "max", "first", "dense"], b))
    ),
    "cumsum": lambda f, a, b: f.assign(
        x=getattr(column(f, a), pick(["cumsum", "cummax", "cummin"], b))()
    ),
    "clip": lambda f, a, b: f.assign(x=number(f, a).clip(a - 4, b)),
    "round": lambda f, a, b: f.round(a % 3),
    "where": lambda f, a, b: f.where(column(f, a).notna()),
    "mask": lambda f, a, b: f.assign(x=column(f, a).mask(number(f, b) > 1)),
    "replace": lambda f, a, b: f.assign(
        x=column(f, a).replace(pick([0, "a", 1.5, True], b), pick([1, "z", None], a))
    ),
    "map": lambda f, a, b: f.assign(
        x=column(f, a)[: len(f) or none_of("rows")].map({0: 1, "a": 2, 1.5: 3, True: 0})
    ),
    "isna": lambda f, a, b: f.isna(),
    "pct_change": lambda f, a, b: f.assign(x=number(f, a).pct_change(1 + b % 3)),
    "rolling": lambda f, a, b: f.assign(x=number(f, a).rolling(1 + b % 4, min_periods=1).max()),
    "expanding": lambda f, a, b: f.assign(x=number(f, a).expanding().count()),
    "explode": lambda f, a, b: f.explode(place(f, a)),
    "combine_first": lambda f, a, b: f.assign(
        x=column(f, a).combine_first(of_kind(f, b, str(column(f, a).dtype)))
    ),
    "update of a cell": lambda f, a, b: _with_cell(f, a, b),
}

TEXT_METHODS = {
    "upper": lambda f, a, b: f.assign(x=text(f, a).str.upper()),
    "len": lambda f, a, b: f.assign(x=text(f, a).str.len()),
    "contains": lambda f, a, b: f.assign(x=text(f, a).str.contains(pick(["a", "[0-9]", "."], b))),
    "slice": lambda f, a, b: f.assign(x=text(f, a).str[a % 3 : b]),
    "replace": lambda f, a, b: f.assign(x=text(f, a).str.replace("a", "é")),
    "split": lambda f, a, b: f.assign(x=text(f, a).str.split(" ").str[0]),
    "startswith": lambda f, a, b: f[text(f, a).str.startswith("a", na=False)],
    "cat": lambda f, a, b: f.assign(x=text(f, a).str.cat(text(f, b), sep="-", na_rep="")),
    "to_numeric": lambda f, a, b: f.assign(
        x=module_of(f).to_numeric(text(f, a), errors=pick(["coerce", "raise"], b))
    ),
}

DATE_METHODS = {
    "year": lambda f, a, b: f.assign(x=getattr(dates(f, a).dt, pick(["year", "day", "hour"], b))),
    "floor": lambda f, a, b: f.assign(x=dates(f, a).dt.floor(pick(["D", "h"], b))),
    "strftime": lambda f, a, b: f.assign(x=dates(f, a).dt.strftime("%Y-%m-%d %H")),
    "difference": lambda f, a, b: f.assign(x=dates(f, a) - dates(f, a).min()),
    "day_name": lambda f, a, b: f.assign(x=dates(f, a).dt.day_name()),
    "total_seconds": lambda f, a, b: f.assign(x=of_kind(f, a, "timedelta").dt.total_seconds()),
    "later": lambda f, a, b: f.assign(x=dates(f, a) + module_of(f).Timedelta(b, "h")),
}

GROUPS = {
    "agg": lambda f, a, b: groups(f, a, b)[[place(f, a + 1)]].agg(pick(AGGREGATIONS, b)),
    "all": lambda f, a, b: getattr(
        groups(f, a, b), pick(["count", "first", "last", "max", "min"], b)
    )(),
    "several": lambda f, a, b: f.groupby([key(f, a), key(f, b)], observed=True).size(),
    "named": lambda f, a, b: f.groupby(key(f, a), observed=True).agg(
        x=(key(f, b), "count"), y=(key(f, b), pick(AGGREGATIONS, a))
    ),
    "transform": lambda f, a, b: f.assign(
        x=groups(f, a, b)[place(f, b)].transform(pick(["count", "first", "max", "size"], a))
    ),
    "cumcount": lambda f, a, b: f.assign(x=groups(f, a, b).cumcount()),
    "shift": lambda f, a, b: f.assign(x=groups(f, a, b)[place(f, b)].shift(1)),
    "head": lambda f, a, b: groups(f, a, b).head(2),
    "rank": lambda f, a, b: f.assign(x=groups(f, a, b)[ranked(f, b)].rank()),
    "as columns": lambda f, a, b: f.groupby(key(f, a), as_index=False, observed=True)[
        key(f, b)
    ].agg(pick(AGGREGATIONS, a)),
    "value_counts": lambda f, a, b: column(f, a).value_counts(
        normalize=b % 2 == 0, dropna=b % 3 > 0
    ),
    "value_counts of rows": lambda f, a, b: f.value_counts(),
    "nunique": lambda f, a, b: f.nunique(),
    "count": lambda f, a, b: f.count(),
    "describe": lambda f, a, b: number(f, a).describe(),
    "mode": lambda f, a, b: column(f, a).mode(),
    "sum": lambda f, a, b: f.select_dtypes("number").sum(),
}

SHAPES = {
    "set_index": lambda f, a, b: f.set_index(key(f, a), drop=b % 2 == 0),
    "set_index of two": lambda f, a, b: f.set_index([key(f, a), key(f, b)], append=b % 3 == 0),
    "reset_index": lambda f, a, b: f.reset_index(drop=a % 3 == 0),
    "merge": lambda f, a, b: f.merge(
        f.head(a), on=key(f, b), how=pick(["inner", "left", "right", "outer"], a)
    ),
    "merge of indexes": lambda f, a, b: f.merge(
        f.tail(a), left_index=True, right_index=True, how=pick(["inner", "left", "outer"], b)
    ),
    "merge of all": lambda f, a, b: f.head(a).merge(f),
    "join": lambda f, a, b: f.join(
        f.head(a).add_suffix("_r"), how=pick(["left", "inner", "outer"], b)
    ),
    "melt": lambda f, a, b: f.melt([key(f, a)], ignore_index=b % 2 == 0),
    "pivot_table": lambda f, a, b: f.pivot_table(
        values=key(f, a),
        index=key(f, b),
        columns=key(f, a + 1),
        aggfunc=pick(["count", "first", "max"], a),
        observed=True,
    ),
    "pivot": lambda f, a, b: _pivot(f, a, b),
    "stack": lambda f, a, b: labelled(f).stack(),
    "unstack": lambda f, a, b: f.set_index([key(f, a), key(f, b)]).unstack(),
    "transpose": lambda f, a, b: f.head(4).T,
    "get_dummies": lambda f, a, b: module_of(f).get_dummies(column(f, a)),
    "crosstab": lambda f, a, b: module_of(f).crosstab(column(f, a), column(f, b)),
    "cut": lambda f, a, b: f.assign(x=module_of(f).cut(number(f, a), [-5, 0, 2, 50])),
    "rename_axis": lambda f, a, b: f.rename_axis("n").rename_axis("m", axis=1),
    "swaplevel": lambda f, a, b: f.set_index(key(f, a), append=True).swaplevel(),
    "droplevel": lambda f, a, b: f.set_index(key(f, a), append=True).droplevel(0),
    "xs": lambda f, a, b: f.xs(f.index[a % len(f)]).rename("x"),
    "align": lambda f, a, b: f.iloc[a:] + f.iloc[: 30 - b],
    "compare": lambda f, a, b: f == f.shift(1),
    "relabelled": lambda f, a, b: labelled(f),
}


def _pivot(frame, a, b):
    down, across = key(frame, a), key(frame, a + 1 + b % 2)
    if down == across:
        raise LookupError("pandas pivots some frames by one column, and others not")
    return frame.pivot(index=down, columns=across, values=place(frame, a + b))


def _with_new_columns(frame):
    # pandas gives new columns the dtype of another that had float32, whether it stays or not.
    if "float32" in map(str, frame.dtypes) and frame.shape[1] > 1:
        raise LookupError("float32 beside others")
    return frame.reindex(columns=["a", "c", "q"])


def _with_cell(frame, a, b):
    made = frame.copy()
    made.iloc[a % len(made), b % made.shape[1]] = None
    return made


STEPS = {
    f"{theme}: {name}": step
    for theme, table in {
        "rows": ROWS,
        "columns": COLUMNS,
        "str": TEXT_METHODS,
        "dt": DATE_METHODS,
        "groups": GROUPS,
        "shape": SHAPES,
        **SCRIPTS,
    }.items()
    for name, step in table.items()
}
CHAINS = st.lists(
    st.tuples(st.sampled_from(list(STEPS)), st.integers(0, 9), st.integers(0, 9)),
    min_size=1,
    max_size=6,
)
