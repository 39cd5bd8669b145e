"""pyarrow where the user has it, and its errors with the file's name."""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Iterator
from typing import Any

from phalanx.errors import DamagedFileError


def pyarrow_module(name: str, caller: str) -> Any:
    """A module of pyarrow. Raises ImportError that says what to install."""
    try:
        return importlib.import_module(name)
    except ImportError:
        raise ImportError(f"{caller} needs pyarrow: pip install pyarrow") from None


def check_engine(engine: str, caller: str) -> None:
    """Raises ValueError for an engine that pandas has not, NotImplementedError for one of those
    that it has.
    """
    if engine in ("auto", "pyarrow"):
        return
    if engine == "fastparquet":
        raise NotImplementedError(f"{caller}: engine='fastparquet'; 'pyarrow' is there")
    raise ValueError("engine must be one of 'pyarrow', 'fastparquet'")


@contextlib.contextmanager
def damage_named(path: Any, form: str) -> Iterator[None]:
    """What Arrow says of a file that it cannot read is a DamagedFileError with the file's name."""
    arrow = importlib.import_module("pyarrow")
    try:
        yield
    except (
        arrow.ArrowInvalid,
        arrow.ArrowNotImplementedError,
        arrow.ArrowSerializationError,
    ) as error:
        if str(error).startswith("No match for FieldRef"):
            raise ValueError(f"{_named(path)}: a column that is not there: {error}") from error
        raise DamagedFileError(
            f"{_named(path)}: no {form} file that can be read: {error}"
        ) from error
    except OSError as error:
        if error.errno is not None:
            raise
        raise DamagedFileError(
            f"{_named(path)}: no {form} file that can be read: {error}"
        ) from error


def _named(path: Any) -> str:
    return repr(str(path)) if not hasattr(path, "read") else "an open file"
