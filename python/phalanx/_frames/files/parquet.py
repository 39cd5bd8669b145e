"""`read_parquet` and `to_parquet`, through pyarrow."""

from __future__ import annotations

import contextlib
import io
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..interchange.arrow import arrow_table, frame_of_arrow
from ..signatures import NO_DEFAULT
from ..storage.input import refuse
from ..storage.locations import local_or_opened
from ..storage.output import local_path, open_output
from .parquet_rows import ATTRS, frame_of_file, with_attrs
from .pyarrow_modules import check_engine, damage_named, pyarrow_module


def read_parquet(
    path: Any,
    engine: str = "auto",
    columns: Any = None,
    storage_options: Any = None,
    dtype_backend: Any = NO_DEFAULT,
    filesystem: Any = None,
    filters: Any = None,
    to_pandas_kwargs: Any = None,
    **kwargs: Any,
) -> Any:
    """A frame of parquet: a path, a folder, a URL, a list of these, or an open file.

    Of one file, columns of numbers and texts are read when somebody looks at them, and of rows that
    are taken before, by `head` or a filter, only the row groups that have one. A filter by
    comparisons of columns with values skips row groups by their statistics. `explain` tells what is
    not read yet. The file stays open for that, and must not be written to.

    ``columns`` and ``filters`` (as pyarrow's: ``[("a", ">", 3)]``) say what is read at all.
    ``row_groups`` is a list of numbers of row groups of one file. Index, labels and dtypes are
    those that pandas wrote beside the table.

    Raises DamagedFileError, a ValueError, for a file that is no parquet, also at first use, where
    one that was written to is a ChangedFileError; ImportError without pyarrow, OSError, and
    NotImplementedError for other engines and dtype backends.

    >>> px.DataFrame({"a": [1, 2]}).to_parquet("t.parquet")
    >>> px.read_parquet("t.parquet")
       a
    0  1
    1  2
    """
    check_engine(engine, "read_parquet")
    refuse(
        "read_parquet",
        dtype_backend=None if dtype_backend is NO_DEFAULT else dtype_backend,
        to_pandas_kwargs=to_pandas_kwargs,
    )
    parquet = pyarrow_module("pyarrow.parquet", "read_parquet")
    source = path if filesystem else source_of(path, storage_options, "read_parquet")
    groups = kwargs.pop("row_groups", None)
    if (
        groups is None
        and filters is None
        and filesystem is None
        and not kwargs
        and _is_file(source)
    ):
        made = frame_of_file(source, None if columns is None else list(columns))
        if made is not None:
            return made
    with damage_named(path, "parquet"):
        if groups is not None:
            table = _row_groups(parquet, source, columns, groups)
        else:
            table = parquet.read_table(
                source,
                columns=columns,
                filters=filters,
                filesystem=filesystem,
                use_pandas_metadata=True,
                **kwargs,
            )
    return frame_with_attrs(table)


def frame_with_attrs(table: Any) -> Any:
    """The frame of a table, with the attributes that were written beside it."""
    return with_attrs(frame_of_arrow(table), table.schema)


def source_of(path: Any, storage_options: Any, caller: str) -> Any:
    """What pyarrow reads: a path that exists, an open file, also of a URL, or a list of such."""
    if isinstance(path, (list, tuple)):
        return [source_of(each, storage_options, caller) for each in path]
    given = local_or_opened(path, storage_options, caller)
    if not isinstance(given, (str, os.PathLike)):
        return given
    where = Path(given).expanduser()
    if not where.exists():
        raise FileNotFoundError(2, "No such file or directory", str(given))
    return str(where)


def _row_groups(parquet: Any, source: Any, columns: Any, groups: Any) -> Any:
    wanted = [groups] if isinstance(groups, int) else list(groups)
    file = parquet.ParquetFile(source)
    for each in wanted:
        if each not in range(file.num_row_groups):
            raise IndexError(f"row group {each} of {file.num_row_groups}")
    return file.read_row_groups(wanted, columns=columns, use_pandas_metadata=True)


def _is_file(source: Any) -> bool:
    return isinstance(source, str) and Path(source).is_file()


class ParquetWriting:
    """`to_parquet` of frames."""

    def to_parquet(
        self,
        path: Any = None,
        *,
        engine: str = "auto",
        compression: str | None = "snappy",
        index: bool | None = None,
        partition_cols: Any = None,
        storage_options: Any = None,
        filesystem: Any = None,
        **kwargs: Any,
    ) -> bytes | None:
        """Parquet, to a path or an open file, or as bytes where there is neither.

        The index goes along unless ``index`` is False, consecutive numbers as a remark only.
        With ``partition_cols`` a folder of files is written. More keywords go to pyarrow.

        Raises ValueError for repeated labels and for objects of no one type, ImportError without
        pyarrow, OSError, and NotImplementedError for other engines.
        """
        check_engine(engine, "to_parquet")
        refuse("to_parquet", storage_options=storage_options)
        parquet = pyarrow_module("pyarrow.parquet", "to_parquet")
        table = table_with_attrs(self, index)
        if kwargs.get("schema") is not None:
            table = table.cast(kwargs.pop("schema"))
        if partition_cols is not None:
            labels = [partition_cols] if isinstance(partition_cols, str) else list(partition_cols)
            parquet.write_to_dataset(
                table,
                _folder(path),
                compression=compression,
                partition_cols=labels,
                filesystem=filesystem,
                **kwargs,
            )
            return None
        if filesystem is not None:
            parquet.write_table(
                table, path, compression=compression, filesystem=filesystem, **kwargs
            )
            return None
        with opened(path, "to_parquet") as file:
            parquet.write_table(table, file, compression=compression, **kwargs)
        return file.getvalue() if path is None else None


def _folder(path: Any) -> Any:
    if path is None or (hasattr(path, "write") and not isinstance(path, os.PathLike)):
        raise ValueError("partition_cols needs the path of a folder")
    return os.fspath(path)


def table_with_attrs(frame: Any, index: bool | None) -> Any:
    """A table of a frame, with its attributes beside it."""
    table = arrow_table(frame, index)
    if not frame.attrs:
        return table
    more = {**(table.schema.metadata or {}), ATTRS: json.dumps(frame.attrs)}
    return table.replace_schema_metadata(more)


@contextlib.contextmanager
def opened(path: Any, caller: str) -> Iterator[Any]:
    """A file for bytes: in memory for None, an open one as it is, else one of the file system,
    which appears when it is whole.
    """
    if path is None:
        yield io.BytesIO()
    elif hasattr(path, "write"):
        yield path
    else:
        with open_output(local_path(path, caller)) as file:
            yield file
