"""`to_sql` of frames and series."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..columns import Column
from ..columns.categories import CategoryColumn
from ..dtypes import family
from ..missing import is_missing
from ..scalars import Timedelta, Timestamp
from ..shared.base import Labelled
from ..storage.input import refuse
from .sql_databases import Alchemy, Sqlite, database_of, quoted

_IF_EXISTS = ("fail", "replace", "append", "delete_rows")
_SQLITE = {"i": "INTEGER", "u": "INTEGER", "b": "INTEGER", "f": "REAL", "M": "TIMESTAMP",
           "m": "INTEGER"}  # fmt: skip
_ALCHEMY = {"i": "BigInteger", "u": "BigInteger", "b": "Boolean", "f": "Float", "M": "DateTime",
            "m": "BigInteger"}  # fmt: skip


class SqlWriting(Labelled):
    """`to_sql` of frames and series."""

    def to_sql(
        self,
        name: str,
        con: Any,
        *,
        schema: str | None = None,
        if_exists: str = "fail",
        index: bool = True,
        index_label: Any = None,
        chunksize: int | None = None,
        dtype: Any = None,
        method: Any = None,
    ) -> int | None:
        """A table of a database: all rows or none. Returns how many rows were written.

        ``con`` is as in `read_sql`. A table that is there is an error, is replaced, is added to,
        or loses its rows first (``if_exists``: 'fail', 'replace', 'append', 'delete_rows').
        ``dtype`` is a type of the database for columns. Raises ValueError for a table that is
        there, DatabaseError, ImportError without SQLAlchemy for other databases than sqlite3.
        """
        if if_exists not in _IF_EXISTS:
            raise ValueError(f"'{if_exists}' is not valid for if_exists")
        refuse("to_sql", method=None if method == "multi" else method)
        if chunksize is not None and chunksize < 1:
            raise ValueError("chunksize argument should be non-zero")
        frame: Any = self if self.ndim == 2 else self.to_frame()  # type: ignore[attr-defined]
        labels, parts = _columns(frame, index, index_label)
        if len(set(labels)) != len(labels):
            raise ValueError(f"duplicate names of columns: {labels}")
        kinds = dtype if isinstance(dtype, dict) else dict.fromkeys(labels, dtype)
        with database_of(con, "to_sql") as database:
            exists = database.has_table(name, schema)
            if exists and if_exists == "fail":
                raise ValueError(f"Table '{name}' already exists.")
            plan = _Plan(name, schema, if_exists, exists, chunksize)
            write = _to_sqlite if isinstance(database, Sqlite) else _to_alchemy
            write(database, plan, labels, parts, kinds)
        return len(frame)


class _Plan:
    """Which table is written, and what becomes of one that is there."""

    def __init__(
        self, name: str, schema: str | None, if_exists: str, exists: bool, size: int | None
    ) -> None:
        self.name, self.schema, self.size = name, schema, size
        self.is_dropped = exists and if_exists == "replace"
        self.is_emptied = exists and if_exists == "delete_rows"
        self.is_made = not exists or self.is_dropped

    def parts(self, rows: list[Any]) -> Iterator[list[Any]]:
        """The rows, so many at once."""
        size = self.size or max(len(rows), 1)
        for first in range(0, len(rows), size):
            yield rows[first : first + size]


def _columns(frame: Any, index: bool, label: Any) -> tuple[list[str], list[Column]]:
    """The names and the columns of a table, those of the rows' labels first."""
    labels = [str(each) for each in frame.columns]
    if not index:
        return labels, list(frame._parts)
    rows = frame.index
    count = rows.nlevels
    if label is None:
        names = list(rows.names)
        if count == 1 and names[0] is None and "index" not in labels:
            names = ["index"]
        own = [f"level_{i}" if each is None else str(each) for i, each in enumerate(names)]
    else:
        own = [str(each) for each in (label if isinstance(label, (list, tuple)) else [label])]
        if len(own) != count:
            raise ValueError(
                f"Length of 'index_label' should match number of levels, which is {count}"
            )
    levels = [rows.get_level_values(i)._values_column() for i in range(count)]
    return own + labels, levels + list(frame._parts)


def _values(column: Column, *, as_text: bool) -> list[Any]:
    """Rows as a driver takes them: None where one is missing, dates as Python's or as text."""
    made = []
    for each in column.tolist():
        value = each
        if is_missing(each):
            value = None
        elif isinstance(each, Timestamp):
            value = each.to_pydatetime()
            value = value.isoformat(" ") if as_text else value
        elif isinstance(each, Timedelta):
            value = each.value
        elif hasattr(each, "item"):
            value = each.item()
        made.append(value)
    return made


def _kind(column: Column) -> str:
    if family(column.dtype) == "object":
        kinds = {type(each) for each in column.tolist() if not is_missing(each)}
        if kinds and kinds <= {int, bool}:
            return "i"
        return "f" if kinds and kinds <= {int, float} else "O"
    is_text = isinstance(column, CategoryColumn) or family(column.dtype) == "text"
    return "O" if is_text else str(column.dtype.kind)


def _to_sqlite(
    database: Sqlite, plan: _Plan, labels: list[str], parts: list[Column], kinds: dict[str, Any]
) -> None:
    table = quoted(plan.name)
    statements: list[tuple[str, list[Any] | None]] = []
    if plan.is_dropped:
        statements.append((f"DROP TABLE {table}", None))
    if plan.is_emptied:
        statements.append((f"DELETE FROM {table}", None))
    if plan.is_made:
        typed = (
            f"{quoted(label)} {kinds.get(label) or _SQLITE.get(_kind(part), 'TEXT')}"
            for label, part in zip(labels, parts, strict=True)
        )
        statements.append((f"CREATE TABLE {table} ({', '.join(typed)})", None))
    rows = list(zip(*(_values(each, as_text=True) for each in parts), strict=True))
    into = f"INSERT INTO {table} ({', '.join(map(quoted, labels))})"
    marks = ", ".join("?" for _ in labels)
    statements += [(f"{into} VALUES ({marks})", each) for each in plan.parts(rows)]
    database.write(plan.name, statements)


def _to_alchemy(
    database: Alchemy, plan: _Plan, labels: list[str], parts: list[Column], kinds: dict[str, Any]
) -> None:
    alchemy, connection = database.alchemy, database.connection
    columns = [
        alchemy.Column(label, kinds.get(label) or _alchemy_type(alchemy, part))
        for label, part in zip(labels, parts, strict=True)
    ]
    table = alchemy.Table(plan.name, alchemy.MetaData(), *columns, schema=plan.schema)
    rows = list(zip(*(_values(each, as_text=False) for each in parts), strict=True))
    if plan.is_dropped:
        table.drop(connection)
    if plan.is_emptied:
        connection.execute(table.delete())
    if plan.is_made:
        table.create(connection)
    for part in plan.parts(rows):
        connection.execute(table.insert(), [dict(zip(labels, row, strict=True)) for row in part])
    database.commit()


def _alchemy_type(alchemy: Any, column: Column) -> Any:
    if family(column.dtype) == "zoned":
        return alchemy.DateTime(timezone=True)
    return getattr(alchemy, _ALCHEMY.get(_kind(column), "Text"))()
