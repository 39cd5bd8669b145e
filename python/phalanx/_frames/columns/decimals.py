"""Columns of decimals."""

from __future__ import annotations

import decimal
from collections.abc import Sequence
from typing import Any

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from ..arrow_dtypes import DecimalDtype
from ..missing import NA
from . import decimal_rows, string_rows
from .column import Column
from .objects import object_array
from .strings import StringColumn

# Decimals of that many digits are integers of 64 bits.
_DIGITS_OF_INT64 = 18
_SIGN = np.uint64(1 << 63)
# Reads what has more digits than the contexts of programs mostly keep.
_EXACT = decimal.Context(prec=2 * 38)


class DecimalColumn(Column):
    """Words of 128 bits as Arrow has them, an int64 array of shape (rows, 2), and which are there.

    Both are NumPy's, in the host's memory. Missing rows have any words.
    """

    __slots__ = ("dtype", "valid", "words")
    dtype: DecimalDtype

    def __init__(self, words: np.ndarray, valid: np.ndarray | None, dtype: DecimalDtype) -> None:
        self.words = words
        self.valid = valid
        self.dtype = dtype

    def __len__(self) -> int:
        return len(self.words)

    @property
    def numbers(self) -> decimal_rows.Words:
        """Words and mask, as `decimal_rows` takes them."""
        return self.words, self.valid

    def _like(self, words: np.ndarray, valid: np.ndarray | None) -> DecimalColumn:
        return DecimalColumn(words, valid, self.dtype)

    # Rows.

    def take(self, rows: ndarray, *, has_missing: bool = False) -> DecimalColumn:
        places = np.asarray(rows)
        if not has_missing:
            valid = None if self.valid is None else self.valid[places]
            return self._like(np.take(self.words, places, axis=0), valid)
        there = places >= 0
        if len(self) == 0:
            return self.missing(len(places))
        words = np.take(self.words, np.where(there, places, 0), axis=0)
        if self.valid is not None:
            there = there & self.valid[np.where(there, places, 0)]
        return self._like(words, there)

    def filter(self, mask: ndarray) -> DecimalColumn:
        return self.take(np.flatnonzero(np.asarray(mask)))  # type: ignore[arg-type]

    def slice(self, part: slice) -> DecimalColumn:
        return self._like(self.words[part], None if self.valid is None else self.valid[part])

    def element(self, row: int) -> Any:
        if self.valid is not None and not self.valid[row]:
            return NA
        return self.decimal_of(self.words[row])

    def decimal_of(self, words: np.ndarray) -> decimal.Decimal:
        """Python's decimal of one row's words."""
        whole = decimal_rows.integer_of(words)
        return decimal.Decimal(whole).scaleb(-self.dtype.scale, _EXACT)

    def joined(self, others: Sequence[Column]) -> DecimalColumn:
        columns: list[Any] = [self, *others]
        valid = None
        if any(each.valid is not None for each in columns):
            valid = np.concatenate([each.present() for each in columns])
        return self._like(np.concatenate([each.words for each in columns]), valid)

    def where(self, mask: ndarray, other: Any) -> DecimalColumn:
        kept = np.asarray(mask)
        valid = None
        if self.valid is not None or other.valid is not None:
            valid = np.where(kept, self.present(), other.present())
        return self._like(np.where(kept[:, None], self.words, other.words), valid)

    # Missing values.

    def present(self) -> np.ndarray:
        """The mask `valid`, made where it is None."""
        return np.ones(len(self), bool) if self.valid is None else self.valid

    def isna(self) -> ndarray:
        gone: ndarray = px.asarray(~self.present())
        return gone

    def has_missing(self) -> bool:
        return self.valid is not None and not bool(self.valid.all())

    def missing(self, count: int) -> DecimalColumn:
        return self._like(np.zeros((count, 2), np.int64), np.zeros(count, bool))

    # Other forms.

    def to_numpy(self) -> np.ndarray:
        """Python's decimals, NaN where they are missing, as pandas has it."""
        return self._objects(np.nan)

    def objects_of(self) -> np.ndarray:
        return self._objects(NA)

    def _objects(self, missing: Any) -> np.ndarray:
        texts = self.as_texts().to_numpy()
        there = self.present().tolist()
        return object_array(
            [decimal.Decimal(each) if known else missing
             for each, known in zip(texts, there, strict=True)]
        )  # fmt: skip

    def as_texts(self) -> StringColumn:
        """The decimals as Python writes them."""
        offsets, text = decimal_rows.to_texts(self.numbers, self.dtype.scale)
        valid = None if self.valid is None else px.asarray(self.valid)
        return StringColumn(px.asarray(offsets), px.asarray(text), valid)

    def as_floats(self) -> np.ndarray:
        """The nearest float64 of each row, NaN of missing ones."""
        return decimal_rows.to_floats(self.numbers, self.dtype.scale)

    def key(self) -> tuple[Any, ...]:
        """Their integers, or where these may have more than 64 bits, texts of the same order."""
        mask = None if self.valid is None else np.ascontiguousarray(self.valid)
        if self.dtype.precision <= _DIGITS_OF_INT64:
            return "values", np.ascontiguousarray(self.words[:, 0]), mask
        images = np.empty((len(self), 2), ">u8")
        images[:, 0] = self.words[:, 1].view(np.uint64) ^ _SIGN
        images[:, 1] = self.words[:, 0].view(np.uint64)
        offsets = np.arange(0, 16 * len(self) + 1, 16, dtype=np.int64)
        return "string", offsets, images.reshape(-1).view(np.uint8), mask

    def ranks(self) -> np.ndarray:
        """The place of each row among the different ones in order, missing ones last."""
        kind, *_ = self.key()
        if kind != "values":
            return self.order_numbers()
        different, places = np.unique(self.words[:, 0], return_inverse=True)
        if self.valid is None:
            return places
        return np.where(self.valid, places, len(different))

    def order_numbers(self) -> np.ndarray:
        """Integers in the order of the rows that are not missing, equal where these are."""
        kind, *parts = self.key()
        if kind == "values":
            return np.asarray(parts[0])
        offsets, text, mask = parts
        key = px.asarray(offsets), px.asarray(text), None if mask is None else px.asarray(mask)
        found = string_rows.ranks(key)
        assert found is not None  # decimals are on the host
        return found

    @property
    def nbytes(self) -> int:
        return self.words.nbytes + (0 if self.valid is None else self.valid.nbytes)
