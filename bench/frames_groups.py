"""Group-bys and joins of db-benchmark, operators only: ours, pandas, polars and DuckDB.

    python bench/frames_groups.py [--rows N] [--rounds N] [--only WORD ...] [--output FILE]

The tables are in each library's own memory before; results are materialised. Ours are the
functions of `_engine.frames` on NumPy arrays. Times are the processor's, of all threads, and
medians: they tell the same on a machine that others use too. A floor is the bytes of the columns
read and written once, over the rate at which one thread copies memory.
"""

from __future__ import annotations

import argparse
import math
import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("PHALANX_NUM_THREADS", "2")
os.environ.setdefault("POLARS_MAX_THREADS", os.environ["PHALANX_NUM_THREADS"])
THREADS = int(os.environ["PHALANX_NUM_THREADS"])

import duckdb  # noqa: E402
import numpy as np  # noqa: E402
import polars as pl  # noqa: E402
from _measure import cpu_name, versions  # noqa: E402
from phalanx._engine import frames  # noqa: E402

import phalanx  # noqa: E402, F401

Answer = tuple[float, ...]  # rows, then the sums of the columns of results


def strings_of(codes: np.ndarray, width: int) -> tuple[np.ndarray, np.ndarray]:
    """Offsets and bytes of "id" and a number of `width` digits for each code."""
    digits = (codes[:, None] // 10 ** np.arange(width - 1, -1, -1)) % 10
    text = np.empty((len(codes), width + 2), np.uint8)
    text[:, 0], text[:, 1], text[:, 2:] = ord("i"), ord("d"), digits + ord("0")
    return np.arange(len(codes) + 1, dtype=np.int64) * (width + 2), text.reshape(-1)


def arrow_strings(codes: np.ndarray, width: int) -> Any:
    """The same as an array of Arrow's."""
    import pyarrow as pa

    offsets, data = strings_of(codes, width)
    return pa.LargeStringArray.from_buffers(len(codes), pa.py_buffer(offsets), pa.py_buffer(data))


WIDTHS = {"id1": 3, "id2": 3, "id3": 10}  # digits of the strings


class Groups:
    """The table of the group-bys; `texts`: id1 to id3 are strings, else of a dictionary."""

    def __init__(self, rows: int, texts: bool) -> None:
        import pyarrow as pa

        rng = np.random.default_rng(108)
        few, many = 100, rows // 100
        ranges = {"id1": few, "id2": few, "id3": many, "id4": few, "id5": few, "id6": many}
        self.columns = {name: rng.integers(0, top, rows) for name, top in ranges.items()}
        self.columns |= {"v1": rng.integers(1, 6, rows), "v2": rng.integers(1, 16, rows)}
        self.columns["v3"] = np.round(rng.random(rows) * 100, 6)
        arrays = {name: pa.array(values) for name, values in self.columns.items()}
        self.keys = {name: ("values", self.columns[name], None) for name in ("id4", "id5", "id6")}
        for name, width in WIDTHS.items():
            codes = self.columns.pop(name).astype(np.int32)
            if texts:
                arrays[name] = arrow_strings(codes, width)
                self.keys[name] = ("string", *strings_of(codes, width), None)
            else:
                labels = arrow_strings(np.arange(ranges[name]), width).cast(pa.string())
                arrays[name] = pa.DictionaryArray.from_arrays(pa.array(codes), labels)
                self.keys[name] = ("codes", codes, None)
        table = pa.table({name: arrays[name] for name in [*ranges, "v1", "v2", "v3"]})
        self.arrow = table
        self.pandas = table.to_pandas()
        self.polars = pl.from_arrow(table).rechunk()
        self.duck = duckdb.connect(config={"threads": THREADS})
        self.duck.register("arrow", table)
        self.duck.execute("create table x as select * from arrow")

    def bytes_of(self, keys: list[str], values: list[str]) -> int:
        """The bytes of keys and values, and of codes written and read once."""
        size = sum(
            array.nbytes for key in keys for array in self.keys[key][1:] if array is not None
        )
        return size + sum(self.columns[name].nbytes for name in values) + 8 * len(self.pandas)


# Name, keys, and the aggregations: column, kind of ours, its argument, of pandas, polars, DuckDB.
MEDIAN = ("v3", "median", None, "median", pl.col("v3").median(), "median(v3)")
STD = ("v3", "std", 1, "std", pl.col("v3").std().alias("s"), "stddev_samp(v3)")


def simple(column: str, kind: str) -> tuple[Any, ...]:
    """An aggregation that all name alike."""
    sql = {"mean": "avg"}.get(kind, kind)
    mine = getattr(pl.col(column), kind)().alias(f"{column}_{kind}")
    return (column, kind, None, kind, mine, f"{sql}({column})")


QUERIES = {
    "q1 sum v1 by id1": (["id1"], [simple("v1", "sum")]),
    "q2 sum v1 by id1, id2": (["id1", "id2"], [simple("v1", "sum")]),
    "q3 sum v1, mean v3 by id3": (["id3"], [simple("v1", "sum"), simple("v3", "mean")]),
    "q4 mean v1:v3 by id4": (["id4"], [simple(v, "mean") for v in ("v1", "v2", "v3")]),
    "q5 sum v1:v3 by id6": (["id6"], [simple(v, "sum") for v in ("v1", "v2", "v3")]),
    "q6 median v3, sd v3 by id4, id5": (["id4", "id5"], [MEDIAN, STD]),
    "q7 max v1, min v2 by id3": (["id3"], [simple("v1", "max"), simple("v2", "min")]),
    "q8 top 2 v3 by id6": (["id6"], "top"),
    "q9 r2 of v1, v2 by id2, id4": (["id2", "id4"], "corr"),
    "q10 sum v3, count by id1:id6": (
        ["id1", "id2", "id3", "id4", "id5", "id6"],
        [simple("v3", "sum"), simple("v1", "count")],
    ),
}


def ours(table: Groups, keys: list[str], wanted: Any) -> Answer:
    codes, count, _ = frames.group_rows([table.keys[key] for key in keys])
    columns = table.columns
    if wanted == "top":
        rows, _ = frames.best_rows(codes, count, (columns["v3"], None), 2)
        values, _ = frames.take(columns["v3"], None, rows)
        return (len(values), values.sum())
    if wanted == "corr":
        rows = [(columns["v1"], None, "corr", (columns["v2"], None, 1))]
        ((found, _),) = frames.aggregate(codes, count, rows)
        return (count, (found**2).sum())
    rows = [
        (columns[row[0]], None, row[1], *([] if row[2] is None else [row[2]])) for row in wanted
    ]
    return (count, *(found.sum() for found, _ in frames.aggregate(codes, count, rows)))


def by_pandas(table: Groups, keys: list[str], wanted: Any) -> Answer:
    grouped = table.pandas.groupby(keys, observed=True, sort=False)
    if wanted == "top":
        best = table.pandas[[*keys, "v3"]].sort_values("v3", ascending=False).groupby(keys).head(2)
        return (len(best), best.v3.sum())
    if wanted == "corr":
        found = grouped[["v1", "v2"]].corr().iloc[0::2]["v2"] ** 2
        return (len(found), found.sum())
    made = grouped.agg(**{f"c{i}": (row[0], row[3]) for i, row in enumerate(wanted)})
    return (len(made), *(made[name].sum() for name in made))


def by_polars(table: Groups, keys: list[str], wanted: Any) -> Answer:
    grouped = table.polars.lazy().group_by(keys)
    if wanted == "top":
        made = grouped.agg(pl.col("v3").top_k(2)).explode("v3").select("v3").collect()
        return (len(made), made["v3"].sum())
    if wanted == "corr":
        made = grouped.agg((pl.corr("v1", "v2") ** 2).alias("r2")).collect()
        return (len(made), made["r2"].sum())
    made = grouped.agg([row[4] for row in wanted]).collect()
    return (len(made), *(made[name].sum() for name in made.columns[len(keys) :]))


def by_duckdb(table: Groups, keys: list[str], wanted: Any) -> Answer:
    names = ", ".join(keys)
    if wanted == "top":
        text = f"select {names}, unnest(max(v3, 2)) as c from x group by {names}"
    elif wanted == "corr":
        text = f"select {names}, pow(corr(v1, v2), 2) as c from x group by {names}"
    else:
        texts = ", ".join(f"{row[5]} as c{i}" for i, row in enumerate(wanted))
        text = f"select {names}, {texts} from x group by {names}"
    table.duck.execute(f"create or replace table answer as {text}")
    columns = [row[0] for row in table.duck.execute("describe answer").fetchall()][len(keys) :]
    sums = ", ".join(f"sum({name})" for name in columns)
    return table.duck.execute(f"select count(*), {sums} from answer").fetchone()


# The number of different keys of each query, how, and whether the key is a string.
JOINS = {
    "j1 small inner": ("small", "inner", False),
    "j2 medium inner": ("medium", "inner", False),
    "j3 medium left": ("medium", "left", False),
    "j4 medium inner on strings": ("medium", "inner", True),
    "j5 big inner": ("big", "inner", False),
}


class Joins:
    """The tables of the joins: keys and one column of values each."""

    def __init__(self, rows: int, name: str, how: str, is_text: bool) -> None:
        import pyarrow as pa

        self.how, rng = how, np.random.default_rng(109)
        count = {"small": max(rows // 10**6, 10), "medium": rows // 1000, "big": rows}[name]
        labels = rng.permutation(count + count // 10)  # of each side 9 in 10 are the other's too
        left = rng.permutation(labels[:count])[rng.integers(0, count, rows)]
        left = rng.permutation(labels[:count]) if name == "big" else left
        right = rng.permutation(labels[-count:])
        self.values = [rng.random(len(left)), rng.random(len(right))]
        self.keys, tables = [], []
        for side, key in enumerate((left, right)):
            made = arrow_strings(key, 10) if is_text else pa.array(key)
            self.keys.append(
                ("string", *strings_of(key, 10), None) if is_text else ("values", key, None)
            )
            tables.append(pa.table({"key": made, f"v{side}": self.values[side]}))
        self.arrow = tables
        self.pandas = [table.to_pandas() for table in tables]
        self.polars = [pl.from_arrow(table).rechunk() for table in tables]
        self.duck = duckdb.connect(config={"threads": THREADS})
        for i, table in enumerate(tables):
            self.duck.register("arrow", table)
            self.duck.execute(f"create table t{i} as select * from arrow")

    @property
    def bytes(self) -> int:
        """The bytes of keys and values read once, and of the result."""
        read = sum(array.nbytes for key in self.keys for array in key[1:] if array is not None)
        return read + sum(v.nbytes for v in self.values) + 24 * len(self.values[0])

    def ours(self) -> Answer:
        """The rows by our functions."""
        left, right = frames.join_rows([self.keys[0]], [self.keys[1]], self.how)
        v0, _ = frames.take(self.values[0], None, left)
        v1, _ = frames.take(self.values[1], None, right)
        if self.keys[0][0] == "string":
            frames.take_strings(self.keys[0], left)
        else:
            frames.take(self.keys[0][1], None, left)
        return (len(left), v0.sum(), v1.sum())

    def by_pandas(self) -> Answer:
        """The join by pandas."""
        made = self.pandas[0].merge(self.pandas[1], on="key", how=self.how)
        return (len(made), made.v0.sum(), made.v1.sum())

    def by_polars(self) -> Answer:
        """The join by polars."""
        made = self.polars[0].lazy().join(self.polars[1].lazy(), on="key", how=self.how).collect()
        return (len(made), made["v0"].sum(), made["v1"].sum())

    def by_duckdb(self) -> Answer:
        """The join by DuckDB, into a table."""
        text = f"select t0.key, v0, v1 from t0 {self.how} join t1 on t0.key = t1.key"
        self.duck.execute(f"create or replace table answer as {text}")
        return self.duck.execute("select count(*), sum(v0), sum(v1) from answer").fetchone()


def processor_medians(functions: dict[str, Callable[[], Any]], rounds: int) -> dict[str, float]:
    """Seconds of processor time that each takes, of all threads; each runs once in a round."""
    times: dict[str, list[float]] = {name: [] for name in functions}
    for _ in range(rounds):
        for name, function in functions.items():
            start = time.process_time()
            function()
            times[name].append(time.process_time() - start)
    return {name: statistics.median(series) for name, series in times.items()}


def rate_of_copies() -> float:
    """Bytes a second that one thread reads and writes in a copy."""
    source, target = np.ones(1 << 27, np.uint8), np.ones(1 << 27, np.uint8)
    taken = processor_medians({"copy": lambda: np.copyto(target, source)}, 15)["copy"]
    return 2 * source.nbytes / taken


def measure(
    name: str, functions: dict[str, Callable[[], Answer]], size: int, options: argparse.Namespace
) -> str:
    """A row of the table, after the answers were compared."""
    answers = {library: function() for library, function in functions.items()}
    for library, answer in answers.items():
        pairs = zip(answer, answers["ours"], strict=True)
        if not all(math.isclose(a, b, rel_tol=1e-9) for a, b in pairs):
            print(f"{name}: {library} answers {answer}, ours {answers['ours']}", file=sys.stderr)
    times = processor_medians(functions, options.rounds)
    floor = size / options.rate
    peers = " | ".join(
        f"{1e3 * times[peer]:.0f} ({times[peer] / times['ours']:.1f} x)" if peer in times else ""
        for peer in ("pandas", "polars", "duckdb")
    )
    mine = times["ours"]
    row = f"| {name} | {1e3 * mine:.0f} | {peers} | {1e3 * floor:.0f} | {mine / floor:.1f} x |"
    print(row, file=sys.stderr, flush=True)
    return row


def group_rows_of(options: argparse.Namespace, texts: bool) -> list[str]:
    """The rows of the group-bys."""
    kind = "strings" if texts else "codes"
    chosen = [name for name in QUERIES if not options.only or any(w in name for w in options.only)]
    if texts:
        chosen = [name for name in chosen if {"id1", "id2", "id3"} & set(QUERIES[name][0])]
    if not chosen:
        return []
    table = Groups(options.rows, texts)
    rows = []
    for name in chosen:
        keys, wanted = QUERIES[name]
        libraries = {"ours": ours, "pandas": by_pandas, "polars": by_polars, "duckdb": by_duckdb}
        functions = {
            library: (lambda query=query, k=keys, w=wanted: query(table, k, w))
            for library, query in libraries.items()
            if library in options.libraries
        }
        special = {"top": ["v3"], "corr": ["v1", "v2"]}
        values = special[wanted] if isinstance(wanted, str) else [row[0] for row in wanted]
        size = table.bytes_of(keys, values)
        rows.append(measure(f"{name} ({kind})", functions, size, options))
    return rows


def join_rows_of(options: argparse.Namespace) -> list[str]:
    """The rows of the joins."""
    rows = []
    for name, query in JOINS.items():
        if options.only and not any(word in name for word in options.only):
            continue
        table = Joins(options.rows, *query)
        every = {
            "ours": table.ours,
            "pandas": table.by_pandas,
            "polars": table.by_polars,
            "duckdb": table.by_duckdb,
        }
        functions = {library: every[library] for library in options.libraries}
        rows.append(measure(name, functions, table.bytes, options))
    return rows


def main() -> int:
    """Measures what is asked for, and prints a Markdown table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--libraries", nargs="*", default=["ours", "pandas", "polars", "duckdb"])
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    options.rate = rate_of_copies()
    head = "| query | ours, ms | pandas | polars | DuckDB | floor, ms | ours / floor |"
    rows = [*group_rows_of(options, False), *group_rows_of(options, True), *join_rows_of(options)]
    text = "\n".join(
        [
            f"{cpu_name()}, {THREADS} threads, {options.rows} rows, medians of {options.rounds}; "
            f"copies move {options.rate / 1e9:.1f} GB/s. "
            f"{versions(['numpy', 'pandas', 'polars', 'duckdb'])}.\n",
            head,
            "|---|---:|---:|---:|---:|---:|---:|",
            *rows,
        ]
    )
    print(text)
    if options.output:
        options.output.write_text(text + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
