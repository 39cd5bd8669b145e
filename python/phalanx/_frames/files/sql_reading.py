"""`read_sql` and its kin: frames of what a database answers."""

from __future__ import annotations

import decimal
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from .. import above
from ..columns import Column
from ..columns.making import column_of
from ..dates.to_datetime import to_datetime
from ..indexes.making import index_of
from ..indexes.ranges import RangeIndex
from ..signatures import NO_DEFAULT
from .sql_databases import database_of


class Request(NamedTuple):
    """What is made of the rows of an answer."""

    index_col: Any
    coerce_float: bool
    parse_dates: Any
    dtype: Any
    backend: Any


def read_sql(
    sql: Any,
    con: Any,
    index_col: Any = None,
    coerce_float: bool = True,
    params: Any = None,
    parse_dates: Any = None,
    columns: list[str] | None = None,
    chunksize: int | None = None,
    dtype_backend: Any = NO_DEFAULT,
    dtype: Any = None,
) -> Any:
    """A frame of a query's rows, or of a table that is named.

    ``con`` is a connection of sqlite3, or an engine, a connection or a URL of SQLAlchemy, which
    knows other databases (`pip install sqlalchemy`). With ``chunksize`` it is an iterator of
    frames. Raises DatabaseError with the query for what the database refuses, ImportError where
    SQLAlchemy is needed, TypeError for another connection.

    >>> import sqlite3
    >>> connection = sqlite3.connect(":memory:")
    >>> rows = px.DataFrame({"a": [1, 2]}).to_sql("t", connection, index=False)
    >>> px.read_sql("select a from t", connection)
       a
    0  1
    1  2
    >>> connection.close()
    """
    with database_of(con, "read_sql") as database:
        is_table = isinstance(sql, str) and database.has_table(sql)
    if is_table:
        return read_sql_table(
            sql, con, None, index_col, coerce_float, parse_dates, columns, chunksize, dtype_backend
        )
    return read_sql_query(
        sql, con, index_col, coerce_float, params, parse_dates, chunksize, dtype, dtype_backend
    )


def read_sql_query(
    sql: Any,
    con: Any,
    index_col: Any = None,
    coerce_float: bool = True,
    params: Any = None,
    parse_dates: Any = None,
    chunksize: int | None = None,
    dtype: Any = None,
    dtype_backend: Any = NO_DEFAULT,
) -> Any:
    """A frame of a query's rows; the keywords and errors are those of `read_sql`.

    >>> import sqlite3
    >>> connection = sqlite3.connect(":memory:")
    >>> px.read_sql_query("select 1 as a", connection)
       a
    0  1
    >>> connection.close()
    """
    backend = None if dtype_backend is NO_DEFAULT else dtype_backend
    request = Request(index_col, coerce_float, parse_dates, dtype, backend)
    parts = _frames(con, sql, params, chunksize, request)
    return parts if chunksize is not None else next(parts)


def read_sql_table(
    table_name: str,
    con: Any,
    schema: str | None = None,
    index_col: Any = None,
    coerce_float: bool = True,
    parse_dates: Any = None,
    columns: list[str] | None = None,
    chunksize: int | None = None,
    dtype_backend: Any = NO_DEFAULT,
) -> Any:
    """A frame of a table, or of some columns; it needs SQLAlchemy, as in pandas.

    Raises ValueError where there is no such table, and what `read_sql` raises.
    """
    with database_of(con, "read_sql_table") as database:
        if not database.has_tables:
            raise NotImplementedError("read_sql_table only supported for SQLAlchemy connectable.")
        if not database.has_table(table_name, schema):
            raise ValueError(f"Table {table_name} not found")
        kept = None
        if columns is not None:
            index = [index_col] if isinstance(index_col, str) else list(index_col or [])
            kept = index + [each for each in columns if each not in index]
        query = database.whole_table(table_name, schema, kept)
    backend = None if dtype_backend is NO_DEFAULT else dtype_backend
    request = Request(index_col, coerce_float, parse_dates, None, backend)
    parts = _frames(con, query, None, chunksize, request)
    return parts if chunksize is not None else next(parts)


def _frames(
    con: Any, query: Any, params: Any, chunksize: int | None, request: Request
) -> Iterator[Any]:
    with database_of(con, "read_sql") as database:
        names, parts = database.answers(query, params, chunksize)
        is_first = True
        for rows in parts:
            if rows or is_first:
                yield _frame(names, rows, request)
            is_first = False


def _frame(names: list[str], rows: list[Any], request: Request) -> Any:
    values = list(zip(*rows, strict=True)) if rows else [()] * len(names)
    parts = [_column(list(each), request.coerce_float) for each in values]
    made: Any = above.DataFrame._of(parts, RangeIndex(len(rows)), index_of(names))
    if request.dtype is not None:
        made = made.astype(request.dtype)
    made = _with_dates(made, request.parse_dates)
    if request.backend is not None:
        made = made.convert_dtypes(dtype_backend=request.backend)
    return made if request.index_col is None else made.set_index(request.index_col)


def _column(values: list[Any], coerce_float: bool) -> Column:
    if coerce_float and any(isinstance(each, decimal.Decimal) for each in values):
        values = [float(each) if isinstance(each, decimal.Decimal) else each for each in values]
    return column_of(values)


def _with_dates(made: Any, wanted: Any) -> Any:
    """Columns as dates: of a list, or of a dict with a format, a unit or more keywords for each."""
    if wanted is None or wanted is False:
        return made
    if wanted is True:
        wanted = []
    named = wanted if isinstance(wanted, Mapping) else dict.fromkeys(
        [wanted] if isinstance(wanted, str) else wanted
    )  # fmt: skip
    for label in made.columns:
        if label not in named:
            continue
        how = named[label]
        if isinstance(how, Mapping):
            keywords = dict(how)
        elif how in ("D", "s", "ms", "us", "ns"):
            keywords = {"unit": how, "errors": "coerce"}
        else:
            keywords = {"format": how, "errors": "coerce"}
        if made[label].dtype.kind in "iuf" and "unit" not in keywords and how is None:
            keywords = {"unit": "s", "errors": "coerce"}
        made[label] = to_datetime(made[label], **keywords)
    return made
