"""Columns of text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from .. import engine
from ..dtypes import STR, StringDtype
from . import string_rows
from .column import Column

# Python's texts may have halves of surrogate pairs, which UTF-8 proper has not.
_SURROGATES = "surrogatepass"


class StringColumn(Column):
    """Texts as UTF-8, one after the other, where each begins, and which are there (None: all).

    ``offsets`` is int64 with an element more than there are rows; text `i` has the bytes
    ``text[offsets[i] : offsets[i + 1]]``. The first offset is not 0 in a slice of a column. Rows
    that are missing have any bytes.
    """

    __slots__ = ("dtype", "offsets", "text", "valid")
    dtype: StringDtype

    def __init__(
        self,
        offsets: ndarray,
        text: ndarray,
        valid: ndarray | None = None,
        dtype: StringDtype = STR,
    ) -> None:
        self.dtype = dtype
        self.offsets = offsets
        self.text = text
        self.valid = valid

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def lengths(self) -> ndarray:
        """Bytes of each row."""
        lengths: ndarray = self.offsets[1:] - self.offsets[:-1]
        return lengths

    # Rows.

    @property
    def parts(self) -> string_rows.Parts:
        """Offsets, bytes and mask, as `string_rows` takes them."""
        return self.offsets, self.text, self.valid

    def take(self, rows: ndarray, *, has_missing: bool = False) -> StringColumn:
        rows = px.asarray(rows)
        if len(self) == 0 and has_missing:
            return self.missing(rows.shape[0])
        return StringColumn(*string_rows.take(self.parts, rows, has_missing), self.dtype)

    def filter(self, mask: ndarray) -> StringColumn:
        return self.take(px.flatnonzero(px.asarray(mask)))

    def slice(self, part: slice) -> StringColumn:
        first, last, step = part.indices(len(self))
        if step != 1:
            return self.take(px.arange(first, last, step, device=self.offsets.device))
        valid = None if self.valid is None else self.valid[part]
        offsets = self.offsets[first : max(first, last) + 1]
        return StringColumn(offsets, self.text, valid, self.dtype)

    def element(self, row: int) -> Any:
        if self.valid is not None and not bool(self.valid[row]):
            return self.dtype.na_value
        row += len(self) if row < 0 else 0
        first, last = np.asarray(self.offsets[row : row + 2]).tolist()
        return np.asarray(self.text[first:last]).tobytes().decode("utf-8", _SURROGATES)

    def joined(self, others: Sequence[Column]) -> StringColumn:
        columns: list[Any] = [self, *others]
        return StringColumn(*string_rows.concatenate([each.parts for each in columns]), self.dtype)

    def where(self, mask: ndarray, other: Column) -> StringColumn:
        rows = px.arange(len(self), device=self.offsets.device)
        return self.joined([other]).take(px.where(mask, rows, rows + len(self)))

    # Missing values.

    def present(self) -> ndarray:
        """The mask `valid`, made where it is None."""
        return px.ones_like(self.offsets[1:], dtype=bool) if self.valid is None else self.valid

    def isna(self) -> ndarray:
        none: ndarray = px.zeros_like(self.offsets[1:], dtype=bool)
        return none if self.valid is None else ~self.valid

    def has_missing(self) -> bool:
        return self.valid is not None and not bool(self.valid.all())

    def missing(self, count: int) -> StringColumn:
        return StringColumn(
            px.zeros_like(self.offsets, shape=(count + 1,)),
            self.text[:0],
            px.zeros_like(self.offsets, shape=(count,), dtype=bool),
            self.dtype,
        )

    # Other forms.

    def to_numpy(self) -> np.ndarray:
        first = int(self.offsets[0])
        offsets = np.asarray(self.offsets)
        written = np.asarray(self.text)[first : offsets[-1]].tobytes()
        places = (offsets - first).tolist()
        if written.isascii():  # One text is cut faster than many bytes are decoded.
            whole = written.decode("ascii")
            texts = [whole[a:b] for a, b in pairwise(places)]
        else:
            texts = [written[a:b].decode("utf-8", _SURROGATES) for a, b in pairwise(places)]
        made = np.empty(len(texts), object)
        made[:] = texts
        if self.valid is not None:
            made[~np.asarray(self.valid)] = self.dtype.na_value
        return made

    def key(self) -> tuple[Any, ...]:
        return "string", *map(engine.placed_mask, self.parts)

    @property
    def device(self) -> Any:
        return engine.device_of(self.offsets)

    @property
    def is_on_gpu(self) -> bool:
        return engine.is_on_gpu(self.offsets)

    @property
    def nbytes(self) -> int:
        mask = 0 if self.valid is None else self.valid.nbytes
        return int(self.offsets.nbytes + self.text.nbytes + mask)


def of_texts(
    texts: Iterable[str], missing: np.ndarray | None = None, dtype: StringDtype = STR
) -> StringColumn:
    """A column of Python's texts, some of which are missing whatever they are."""
    kept = list(texts)
    if missing is not None and missing.any():
        kept = ["" if gone else each for each, gone in zip(kept, missing, strict=True)]
        valid = px.asarray(~missing)
    else:
        valid = None
    whole = "".join(kept)
    if whole.isascii():
        written, sizes = whole.encode(), map(len, kept)
    else:
        parts = [each.encode("utf-8", _SURROGATES) for each in kept]
        written, sizes = b"".join(parts), map(len, parts)
    offsets = np.zeros(len(kept) + 1, np.int64)
    np.cumsum(np.fromiter(sizes, np.int64, len(kept)), out=offsets[1:])
    text = np.frombuffer(written, np.uint8) if written else np.zeros(0, np.uint8)
    return StringColumn(px.asarray(offsets), px.asarray(text), valid, dtype)
