"""`read_feather`, `to_feather`, `read_orc` and `to_orc`, through pyarrow."""

from __future__ import annotations

import warnings
from typing import Any

from ..indexes.ranges import RangeIndex
from ..interchange.arrow import arrow_table, frame_of_arrow
from ..signatures import NO_DEFAULT
from ..storage.input import refuse
from .parquet import opened, source_of
from .pyarrow_modules import damage_named, pyarrow_module


def read_feather(
    path: Any,
    columns: Any = None,
    use_threads: bool = True,
    storage_options: Any = None,
    dtype_backend: Any = NO_DEFAULT,
) -> Any:
    """A frame of a feather file, which is Arrow's own form.

    Raises DamagedFileError, a ValueError, for another file, ImportError without pyarrow, OSError.

    >>> px.DataFrame({"a": [1, 2]}).to_feather("t.feather")
    >>> px.read_feather("t.feather")
       a
    0  1
    1  2
    """
    backend = None if dtype_backend is NO_DEFAULT else dtype_backend
    refuse("read_feather", dtype_backend=backend)
    feather = pyarrow_module("pyarrow.feather", "read_feather")
    with damage_named(path, "feather"), warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*feather.*deprecated", FutureWarning)
        table = feather.read_table(
            source_of(path, storage_options, "read_feather"),
            columns=columns,
            use_threads=use_threads,
            memory_map=False,
        )
    return frame_of_arrow(table)


def read_orc(
    path: Any,
    columns: Any = None,
    dtype_backend: Any = NO_DEFAULT,
    filesystem: Any = None,
    **kwargs: Any,
) -> Any:
    """A frame of an ORC file.

    Raises DamagedFileError, a ValueError, for another file, ImportError without pyarrow, OSError.

    >>> px.DataFrame({"a": [1, 2]}).to_orc("t.orc")
    >>> px.read_orc("t.orc")
       a
    0  1
    1  2
    """
    backend = None if dtype_backend is NO_DEFAULT else dtype_backend
    refuse("read_orc", dtype_backend=backend)
    orc = pyarrow_module("pyarrow.orc", "read_orc")
    with damage_named(path, "ORC"):
        source = path if filesystem else source_of(path, None, "read_orc")
        table = orc.read_table(source, columns=columns, filesystem=filesystem, **kwargs)
    return frame_of_arrow(table)


class ArrowFileWriting:
    """`to_feather` and `to_orc` of frames."""

    _index: Any

    def to_feather(self, path: Any, **kwargs: Any) -> None:
        """Arrow's own form, to a path or an open file. More keywords go to pyarrow.

        Raises ValueError for repeated labels and objects of no one type, ImportError, OSError.
        """
        feather = pyarrow_module("pyarrow.feather", "to_feather")
        table = arrow_table(self)
        with opened(path, "to_feather") as file, warnings.catch_warnings():
            warnings.filterwarnings("ignore", ".*feather.*deprecated", FutureWarning)
            feather.write_feather(table, file, **kwargs)

    def to_orc(
        self,
        path: Any = None,
        *,
        engine: str = "pyarrow",
        index: bool | None = None,
        engine_kwargs: Any = None,
    ) -> bytes | None:
        """ORC, to a path or an open file, or as bytes where there is neither.

        Raises ValueError for labels of rows other than consecutive numbers, NotImplementedError
        for dtypes that ORC has not, ImportError without pyarrow, and OSError.
        """
        labels = self._index
        if not labels.equals(RangeIndex(len(labels))):
            raise ValueError(
                "orc does not support serializing a non-default index for the index; you can "
                ".reset_index() to make the index into column(s)"
            )
        if labels.name is not None:
            raise ValueError("orc does not serialize index meta-data on a default index")
        if engine != "pyarrow":
            raise ValueError("engine must be 'pyarrow'")
        arrow = pyarrow_module("pyarrow", "to_orc")
        orc = pyarrow_module("pyarrow.orc", "to_orc")
        table = arrow_table(self, bool(index))
        try:
            with opened(path, "to_orc") as file:
                orc.write_table(table, file, **(engine_kwargs or {}))
        except (TypeError, arrow.ArrowNotImplementedError) as error:
            raise NotImplementedError(
                f"The dtype of one or more columns is not supported yet: {error}"
            ) from error
        return file.getvalue() if path is None else None
