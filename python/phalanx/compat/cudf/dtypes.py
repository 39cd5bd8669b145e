"""`cudf.core.dtypes`: dtypes that pandas has, and those of cuDF alone, which are refused."""

from __future__ import annotations

from typing import Any, NoReturn

from ..._frames.arrow_dtypes import DecimalDtype as Decimal128Dtype  # noqa: F401
from ..._frames.arrow_dtypes import ListDtype as ListDtype
from ..._frames.dtypes import CategoricalDtype as CategoricalDtype
from ..._frames.dtypes import IntervalDtype as IntervalDtype
from ..._frames.dtypes import pandas_dtype


class _Refused:
    """A dtype that phalanx has not: a program may ask whether a column has it, and none has."""

    _instead: str

    def __init__(self, *args: Any, **keywords: Any) -> None:
        self._refuse()

    @classmethod
    def from_arrow(cls, typ: Any) -> NoReturn:
        """Raises NotImplementedError, as making one does."""
        cls._refuse()

    @classmethod
    def _refuse(cls) -> NoReturn:
        raise NotImplementedError(
            f"phalanx has no {cls.__name__}: {cls._instead} (docs/guide/coming-from-cudf.md)"
        )


_OBJECTS = "dicts are values of object columns"
_WIDER = "Decimal128Dtype holds the same numbers"


class StructDtype(_Refused):
    """Fields under names."""

    _instead = _OBJECTS


class Decimal32Dtype(_Refused):
    """Decimal numbers of up to 9 digits."""

    _instead = _WIDER


class Decimal64Dtype(_Refused):
    """Decimal numbers of up to 18 digits."""

    _instead = _WIDER


def dtype(arbitrary: Any) -> Any:
    """The dtype that a text, a type or a dtype names. Raises TypeError for what names none."""
    return pandas_dtype(arbitrary)
