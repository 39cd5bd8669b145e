"""Matrices that are made of few numbers: diagonals, ones, random entries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import phalanx as px

from . import _checks, _formats


def _of_diagonals(diagonals: Any, offsets: Any, shape: Any, dtype: Any, is_array: bool) -> Any:
    """The diagonals as a dia matrix; each begins at its diagonal's first place."""
    if _checks.is_scalar(offsets):
        first = diagonals[0] if len(diagonals) else 0
        diagonals = [px.atleast_1d(diagonals)] if _checks.is_scalar(first) else diagonals
        offsets = [offsets]
    vectors = [px.atleast_1d(px.asarray(each)) for each in diagonals]
    offsets = [int(each) for each in offsets]
    if len(vectors) != len(offsets):
        raise ValueError(f"there are {len(vectors)} diagonals and {len(offsets)} offsets")
    if shape is None:
        side = len(vectors[0]) + abs(offsets[0]) if vectors else 0
        shape = (side, side)
    rows, columns = _checks.shape_of(shape)
    if dtype is None:
        dtype = _checks.promoted(*(each.dtype for each in vectors)) if vectors else "float64"
    width = max((min(rows + k, columns - k) + max(k, 0) for k in offsets), default=0)
    data = px.zeros((len(vectors), max(width, 0)), _checks.data_dtype(dtype))
    for i, (vector, k) in enumerate(zip(vectors, offsets, strict=True)):
        length = min(rows + k, columns - k, columns, rows)
        if length < 0:
            raise ValueError(f"the offset {k} is outside of the shape {(rows, columns)}")
        if vector.ndim != 1 or len(vector) not in (1, length):
            raise ValueError(
                f"the diagonal at offset {k} has {length} places, not the shape {vector.shape}"
            )
        data[i, max(k, 0) : max(k, 0) + length] = vector
    dia = _formats.class_of("dia", is_array)
    return dia((data, np.asarray(offsets, "int32")), shape=(rows, columns))


def diags(
    diagonals: Any,
    offsets: Any = 0,
    shape: Any = None,
    format: str | None = None,
    dtype: Any = None,
) -> Any:
    """A matrix of diagonals: vectors, or single numbers, which are repeated.

    Raises `ValueError` for a diagonal of another length than the shape has.
    """
    return _of_diagonals(diagonals, offsets, shape, dtype, False).asformat(format)


def diags_array(
    diagonals: Any, /, *, offsets: Any = 0, shape: Any = None, format: str | None = None,
    dtype: Any = None,
) -> Any:  # fmt: skip
    """As `diags`, a sparse array.

    >>> px.sparse.diags_array([1.0, 2.0]).toarray()
    array([[1., 0.],
           [0., 2.]])
    """
    return _of_diagonals(diagonals, offsets, shape, dtype, True).asformat(format)


def spdiags(data: Any, diags: Any, m: Any = None, n: Any = None, format: str | None = None) -> Any:
    """The matrix of (m, n) whose diagonals are rows of `data`, as `dia_matrix` stores them.

    >>> px.sparse.spdiags([[1.0, 2.0], [3.0, 4.0]], [0, 1], 2, 2).toarray()
    array([[1., 4.],
           [0., 2.]])
    """
    if m is None and n is None:
        m = n = len(data[0])
    elif n is None:
        m, n = m
    return _formats.class_of("dia", False)((data, diags), shape=(m, n)).asformat(format)


def identity(n: int, dtype: Any = "d", format: str | None = None) -> Any:
    """The identity matrix of (n, n)."""
    return eye(n, n, dtype=dtype, format=format)


def eye(
    m: int, n: int | None = None, k: int = 0, dtype: Any = "d", format: str | None = None
) -> Any:
    """The matrix of (m, n) with ones on the k-th diagonal."""
    return _eye((m, m if n is None else n), k, dtype, format, False)


def eye_array(
    m: int, n: int | None = None, *, k: int = 0, dtype: Any = "d", format: str | None = None
) -> Any:
    """As `eye`, a sparse array.

    >>> px.sparse.eye_array(2).toarray()
    array([[1., 0.],
           [0., 1.]])
    """
    return _eye((m, m if n is None else n), k, dtype, format, True)


def _eye(shape: tuple[int, int], k: int, dtype: Any, format: str | None, is_array: bool) -> Any:
    rows, columns = _checks.shape_of(shape)
    length = max(min(rows + min(k, 0), columns - max(k, 0)), 0)
    if format in (None, "dia"):
        data = px.ones((1, max(length + max(k, 0), 0)), _checks.data_dtype(dtype))
        return _formats.class_of("dia", is_array)((data, k), shape=(rows, columns))
    index = px.arange(length, dtype=_checks.index_dtype(rows, columns))
    data = px.ones(length, _checks.data_dtype(dtype))
    coo = _formats.class_of("coo", is_array)
    made = coo._of_places(data, index - min(k, 0), index + max(k, 0), (rows, columns))
    return made.asformat(format)


def random(
    m: int, n: int, density: float = 0.01, format: str = "coo", dtype: Any = None,
    random_state: Any = None, data_rvs: Callable[[int], Any] | None = None,
) -> Any:  # fmt: skip
    """A matrix with entries at random places, uniform in [0, 1) or as `data_rvs(count)` has them.

    `random_state` is a seed or a generator. Raises `ValueError` for a density outside of [0, 1].

    >>> px.sparse.random(10, 10, density=0.2).nnz
    20
    """
    return _random((m, n), density, dtype, (random_state, data_rvs), False).asformat(format)


def rand(
    m: int, n: int, density: float = 0.01, format: str = "coo", dtype: Any = None,
    random_state: Any = None,
) -> Any:  # fmt: skip
    """As `random`, with uniform entries.

    >>> px.sparse.rand(10, 10, density=0.2).nnz
    20
    """
    return random(m, n, density, format, dtype, random_state)


def random_array(
    shape: Any, *, density: float = 0.01, format: str = "coo", dtype: Any = None,
    rng: Any = None, data_sampler: Callable[..., Any] | None = None,
) -> Any:  # fmt: skip
    """As `random`, a sparse array of a shape; `data_sampler(size=count)` gives its entries.

    >>> px.sparse.random_array((10, 10), density=0.2).nnz
    20
    """
    sampler = None if data_sampler is None else lambda count: data_sampler(size=count)
    return _random(_checks.shape_of(shape), density, dtype, (rng, sampler), True).asformat(format)


def _random(
    shape: tuple[int, int], density: float, dtype: Any, source: tuple[Any, Any], is_array: bool
) -> Any:
    if not 0 <= density <= 1:
        raise ValueError(f"the density is from 0 to 1, not {density}")
    rows, columns = _checks.shape_of(shape)
    wanted = _checks.data_dtype("float64" if dtype is None else dtype)
    state, sampler = source
    is_seed = state is None or isinstance(state, (int, np.integer))
    generator = px.random.default_rng(state) if is_seed else state
    count = round(density * rows * columns)
    places = _distinct(generator, rows * columns, count)
    if sampler is not None:
        data = px.asarray(sampler(count)).astype(wanted)
    else:
        data = _uniform(generator, count).astype(wanted)
    if wanted.kind == "c" and sampler is None:
        data = data + (_uniform(generator, count) * 1j).astype(wanted)
    width = max(columns, 1)
    coo = _formats.class_of("coo", is_array)
    return coo._of_places(data, places // width, places % width, (rows, columns))


def _uniform(generator: Any, count: int) -> Any:
    draw = getattr(generator, "random", None) or generator.random_sample
    return px.asarray(draw(count))


def _distinct(generator: Any, extent: int, count: int) -> Any:
    """`count` distinct numbers below `extent`, rising."""
    if 3 * count >= extent:
        return px.sort(px.asarray(generator.permutation(extent)[:count]))
    draw = getattr(generator, "integers", None) or generator.randint
    chosen = px.zeros(0, "int64")
    while chosen.size < count:
        more = px.asarray(draw(0, extent, count + count // 8 + 8)).astype("int64")
        chosen = px.unique(px.concatenate([chosen, more]))
    if chosen.size > count:
        chosen = px.sort(chosen[px.asarray(generator.permutation(chosen.size)[:count])])
    return chosen
