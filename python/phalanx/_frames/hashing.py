"""Hashes of rows, the same in every process and as pandas makes them.

Numbers are mixed by splitmix64's steps, texts are SipHash-2-4 of their UTF-8 bytes, and the hashes
of the columns of a row are combined as the elements of a tuple are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import phalanx as px

from . import above
from .columns.categories import CategoryColumn
from .columns.codes import codes_of
from .columns.column import Column
from .columns.making import column_of
from .columns.numbers import NumberColumn
from .columns.strings import StringColumn
from .in_place import in_place
from .indexes.index import Index
from .shared.base import Labelled

KEY = "0123456789123456"
_MISSING = np.uint64(2**64 - 1)
_NA = np.uint64(2**61 - 1)  # of nullable dtypes: what Python's hash of NA is in pandas


@in_place
def hash_pandas_object(
    obj: Any,
    index: bool = True,
    encoding: str = "utf8",
    hash_key: str | None = KEY,
    categorize: bool = True,
) -> Any:
    """A uint64 for each row of a frame, a series or an index, equal for equal rows.

    ``index`` takes the labels of rows into it. Raises TypeError for another object, ValueError for
    a ``hash_key`` that is not 16 bytes long.
    """
    key = _key(KEY if hash_key is None else hash_key, encoding)
    if isinstance(obj, Index):
        return above.Series(_of_rows(_levels(obj), encoding, key), obj)
    if not isinstance(obj, Labelled):
        raise TypeError(f"Unexpected type for hashing {type(obj)}")
    hashes = [hash_column(each, encoding, key) for each in obj._parts]
    if index:
        hashes.append(_of_rows(_levels(obj.index), encoding, key))
    made = hashes[0] if obj.ndim == 1 and not index else _combined(hashes, len(obj))
    return above.Series(made, obj.index)


@in_place
def hash_array(
    vals: Any, encoding: str = "utf8", hash_key: str = KEY, categorize: bool = True
) -> Any:
    """A uint64 for each value of an array, as a NumPy array."""
    return np.asarray(hash_column(column_of(vals), encoding, _key(hash_key, encoding)))


def _levels(index: Index) -> list[Column]:
    if index.nlevels == 1:
        return [index._values_column()]
    return [index.get_level_values(i)._values_column() for i in range(index.nlevels)]


def _of_rows(columns: Sequence[Column], encoding: str, key: tuple[int, int]) -> Any:
    hashes = [hash_column(each, encoding, key) for each in columns]
    return hashes[0] if len(hashes) == 1 else _combined(hashes, len(columns[0]))


def _key(text: str, encoding: str) -> tuple[int, int]:
    raw = text.encode(encoding)
    if len(raw) != 16:
        raise ValueError(f"key should be a 16-byte string encoded, got {raw!r} (len {len(raw)})")
    return int.from_bytes(raw[:8], "little"), int.from_bytes(raw[8:], "little")


def hash_column(column: Column, encoding: str, key: tuple[int, int]) -> Any:
    """The hash of each value of a column, a uint64 array."""
    if isinstance(column, CategoryColumn):
        return _of_categories(column, encoding, key)
    if isinstance(column, NumberColumn):
        return _of_numbers(column)
    if isinstance(column, StringColumn) and encoding in ("utf8", "utf-8"):
        return _of_texts(column, key)
    return _of_objects(column, encoding, key)


def _of_categories(column: CategoryColumn, encoding: str, key: tuple[int, int]) -> Any:
    known = np.asarray(hash_column(column.dtype.values, encoding, key))
    return px.asarray(np.append(known, _MISSING))[column.codes.astype(np.int64)]


def _of_numbers(column: NumberColumn) -> Any:
    values = column.values
    kind = values.dtype.kind
    if kind == "c":
        return _mixed(_bits(px.real(values))) + px.uint64(23) * _mixed(_bits(px.imag(values)))
    made = _mixed(_bits(values))
    return made if column.valid is None else px.where(column.valid, made, _NA)


def _bits(values: Any) -> Any:
    """The numbers' own bits as uint64; of ints and bools the number itself."""
    kind, size = values.dtype.kind, values.dtype.itemsize
    if kind in "mM":
        return values.view(np.int64).astype(np.uint64)
    if kind == "f":
        # One pattern of bits for what is equal: both zeros, and every NaN.
        values = px.where(px.isnan(values), values.dtype.type(np.nan), values + 0)
        return values.view(f"u{size}").astype(np.uint64)
    return values.view(f"u{size}").astype(np.uint64) if kind == "i" else values.astype(np.uint64)


def _mixed(bits: Any) -> Any:
    bits = (bits ^ (bits >> 30)) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> 27)) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> 31)


def _combined(hashes: Sequence[Any], rows: int) -> Any:
    """One hash a row of the hashes of its columns, which are those of a tuple in Python."""
    made: Any = px.full(rows, 0x345678, np.uint64)
    factor = 1000003
    for i, each in enumerate(hashes):
        made = (made ^ each) * np.uint64(factor % 2**64)
        factor += 82520 + 2 * (len(hashes) - i)
    return made + np.uint64(97531)


def _of_objects(column: Column, encoding: str, key: tuple[int, int]) -> Any:
    """Of Python's objects: bytes, texts, and the texts of others, one of those that are equal."""
    codes, firsts = codes_of([column])
    raw = [
        each if isinstance(each, bytes) else str(each).encode(encoding)
        for each in column.take(firsts).tolist()
    ]
    offsets = np.append(0, np.cumsum([len(each) for each in raw])).astype(np.int64)
    known = _mixed(siphash(offsets, np.frombuffer(b"".join(raw), np.uint8), key))
    return px.asarray(np.append(known, _MISSING))[codes]


def _of_texts(column: StringColumn, key: tuple[int, int]) -> Any:
    """Each text is hashed once, however often it is there."""
    codes, firsts = codes_of([column])
    few = column.take(firsts)
    known = _mixed(siphash(np.asarray(few.offsets), np.asarray(few.text), key))
    return px.asarray(np.append(known, _MISSING))[codes]


def siphash(offsets: np.ndarray, data: np.ndarray, key: tuple[int, int]) -> np.ndarray:
    """SipHash-2-4 of pieces of bytes: ``offsets`` has where each begins, and the end of the last.

    All pieces advance together by a word of eight bytes, as long as they have one.
    """
    begins, sizes = offsets[:-1].astype(np.int64), np.diff(offsets).astype(np.int64)
    start = (0x736F6D6570736575, 0x646F72616E646F6D, 0x6C7967656E657261, 0x7465646279746573)
    state = [np.full(len(sizes), each ^ key[i % 2], np.uint64) for i, each in enumerate(start)]
    padded = np.concatenate([data, np.zeros(8, np.uint8)])
    for word in range(int(sizes.max(initial=-8)) // 8 + 1):
        rows = np.flatnonzero(sizes >= 8 * word)
        values = _words(padded, begins[rows] + 8 * word, sizes[rows] - 8 * word, sizes[rows])
        some = [each[rows] for each in state]
        some[3] ^= values
        _rounds(some, 2)
        some[0] ^= values
        for each, new in zip(state, some, strict=True):
            each[rows] = new
    state[2] ^= np.uint64(0xFF)
    _rounds(state, 4)
    return state[0] ^ state[1] ^ state[2] ^ state[3]


def _words(
    padded: np.ndarray, begins: np.ndarray, left: np.ndarray, sizes: np.ndarray
) -> np.ndarray:
    """The next eight bytes of each piece; of the last word its bytes and the piece's length."""
    raw = padded[begins[:, None] + np.arange(8)]
    raw[np.arange(8) >= left[:, None]] = 0
    words = raw.view("<u8").ravel().astype(np.uint64)
    ends = left < 8
    words[ends] |= (sizes[ends].astype(np.uint64) & np.uint64(0xFF)) << np.uint64(56)
    return words


def _rounds(v: list[np.ndarray], times: int) -> None:
    for _ in range(times):
        v[0] += v[1]
        v[2] += v[3]
        v[1] = _turned(v[1], 13) ^ v[0]
        v[3] = _turned(v[3], 16) ^ v[2]
        v[0] = _turned(v[0], 32) + v[3]
        v[2] += v[1]
        v[3] = _turned(v[3], 21) ^ v[0]
        v[1] = _turned(v[1], 17) ^ v[2]
        v[2] = _turned(v[2], 32)


def _turned(words: np.ndarray, places: int) -> np.ndarray:
    return (words << np.uint64(places)) | (words >> np.uint64(64 - places))
