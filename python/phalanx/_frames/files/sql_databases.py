"""Databases: connections of sqlite3, and what SQLAlchemy connects to."""

from __future__ import annotations

import contextlib
import importlib
import sqlite3
from collections.abc import Iterator
from typing import Any

from phalanx.errors import DatabaseError


@contextlib.contextmanager
def database_of(con: Any, caller: str) -> Iterator[Any]:
    """A database for a connection; what was opened here is closed again.

    Raises ImportError for texts without SQLAlchemy, TypeError for what is no connection.
    """
    if isinstance(con, sqlite3.Connection):
        yield Sqlite(con)
        return
    is_alchemy = type(con).__module__.partition(".")[0] == "sqlalchemy"
    if not isinstance(con, str) and not is_alchemy:
        raise TypeError(
            f"{caller}: con is a {type(con).__name__}; give a connection of sqlite3, or an engine, "
            "a connection or a URL of SQLAlchemy"
        )
    try:
        alchemy = importlib.import_module("sqlalchemy")
    except ImportError:
        raise ImportError(f"{caller} needs SQLAlchemy: pip install sqlalchemy") from None
    engine = alchemy.create_engine(con) if isinstance(con, str) else con
    if hasattr(engine, "connect"):
        with engine.connect() as connection:
            yield Alchemy(alchemy, connection, commits=True)
        if isinstance(con, str):
            engine.dispose()
        return
    yield Alchemy(alchemy, con, commits=False)


def quoted(name: Any) -> str:
    """A name between quotes. Raises ValueError for one that no table has."""
    text = str(name)
    if not text or "\x00" in text:
        raise ValueError("SQLite identifiers cannot contain NULs, and are not empty")
    return '"' + text.replace('"', '""') + '"'


class Sqlite:
    """A connection of sqlite3."""

    has_tables = False  # as in pandas, read_sql_table is for SQLAlchemy

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def has_table(self, name: str, schema: str | None = None) -> bool:
        """True if there is a table, or a view, of a name."""
        query = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name=?"
        return bool(self._connection.execute(query, (name,)).fetchall())

    def answers(self, query: Any, params: Any, size: int | None) -> tuple[list[str], Iterator[Any]]:
        """The names of a query's columns, and its rows: all, or so many at once.

        Raises DatabaseError with the query.
        """
        if not isinstance(query, str):
            raise TypeError("Query must be a string unless using sqlalchemy.")
        try:
            cursor = self._connection.execute(query, () if params is None else params)
        except sqlite3.Error as error:
            raise DatabaseError(f"Execution failed on sql '{query}': {error}") from error
        names = [each[0] for each in cursor.description or ()]
        return names, _parts(cursor, size)

    def write(self, name: str, statements: list[tuple[str, list[Any] | None]]) -> None:
        """Statements in one transaction, some with rows: all of them, or none.

        Raises DatabaseError.
        """
        try:
            with self._connection:
                if not self._connection.in_transaction:
                    self._connection.execute("BEGIN")
                for statement, rows in statements:
                    if rows is None:
                        self._connection.execute(statement)
                    else:
                        self._connection.executemany(statement, rows)
        except sqlite3.Error as error:
            raise DatabaseError(f"to_sql: table {name!r}: {error}") from error


class Alchemy:
    """A connection of SQLAlchemy."""

    has_tables = True

    def __init__(self, alchemy: Any, connection: Any, *, commits: bool) -> None:
        self.alchemy, self.connection, self._commits = alchemy, connection, commits

    def has_table(self, name: str, schema: str | None = None) -> bool:
        """True if there is a table, or a view, of a name."""
        inspector = self.alchemy.inspect(self.connection)
        return bool(inspector.has_table(name, schema)) or name in inspector.get_view_names(schema)

    def whole_table(self, name: str, schema: str | None, columns: list[str] | None) -> Any:
        """The query of a table's columns. Raises KeyError for columns that are not there."""
        table = self.alchemy.Table(
            name, self.alchemy.MetaData(), schema=schema, autoload_with=self.connection
        )
        if columns is None:
            return self.alchemy.select(table)
        return self.alchemy.select(*(table.c[each] for each in columns))

    def answers(self, query: Any, params: Any, size: int | None) -> tuple[list[str], Iterator[Any]]:
        """The names of a query's columns, and its rows. Raises DatabaseError."""
        try:
            if isinstance(query, str):
                found = self.connection.exec_driver_sql(query, _driver_params(params))
            else:
                found = self.connection.execute(query, params)
        except self.alchemy.exc.SQLAlchemyError as error:
            raise DatabaseError(f"Execution failed on sql '{query}': {error}") from error
        return list(found.keys()), _parts(found, size)

    def commit(self) -> None:
        """Keep what was written, where the connection is of here."""
        if self._commits:
            self.connection.commit()


def _driver_params(params: Any) -> Any:
    return tuple(params) if isinstance(params, list) else params


def _parts(cursor: Any, size: int | None) -> Iterator[list[tuple[Any, ...]]]:
    while True:
        rows = [
            tuple(each) for each in (cursor.fetchall() if size is None else cursor.fetchmany(size))
        ]
        yield rows
        if size is None or len(rows) < size:
            return
