"""Products of compressed matrices with dense vectors and matrices, on the device they are on."""

from __future__ import annotations

from typing import Any

import numpy as np

import phalanx as px

from .._arrays import coerce
from . import _checks
from ._structure import Parts

_SMALL = 1 << 14  # rows and entries of a part at least


class Plans:
    """The plan of a matrix's indptr, made when the first product on a GPU needs it.

    It is another one after another indptr has been assigned. What is written into an indptr in
    place is not seen.
    """

    def __init__(self) -> None:
        self._indptr: Any = None
        self._plan: Any = None

    def of(self, parts: Parts) -> Any:
        """The plan of these parts."""
        from . import _device_kernels

        if self._indptr is not parts.indptr:
            self._plan = _device_kernels.plan(parts.indptr, parts.data.size)
            self._indptr = parts.indptr
        return self._plan


def _number_of_parts(parts: Parts) -> int:
    from .._functions import get_num_threads

    items = parts.shape[0] + parts.data.size
    count = max(1, min(8 * get_num_threads(), items // _SMALL))
    return int(count)


def _unsigned(indices: Any) -> Any:
    """Indices on the host, which need not be asked whether they are negative."""
    host = coerce.to_numpy(indices)
    return host.view(f"u{host.dtype.name}")


def times_dense(parts: Parts, x: Any, plans: Plans, is_by_kernels: bool | None = None) -> Any:
    """A @ x, for A of (m, n) by rows and x of (n,) or (n, p), as an array of (m,) or (m, p).

    `is_by_kernels` is for tests: the GPU's kernels run on the CPU device too.
    """
    dtype = _checks.promoted(parts.data.dtype, x.dtype)
    # Counts of true products do not wrap around in int32, as the entries of a row are fewer.
    computed = np.dtype("int32") if dtype.kind == "b" else dtype
    data = parts.data.astype(computed, copy=False)
    x = px.ascontiguousarray(x.astype(computed, copy=False))
    parts = parts._replace(data=data)
    y = px.empty((parts.shape[0], *x.shape[1:]), computed)
    if is_by_kernels is None:
        is_by_kernels = not coerce.is_on_host(data)
    if not data.size or not y.size:
        y[...] = 0
    elif is_by_kernels:
        from . import _device_kernels

        if x.ndim == 1:
            _device_kernels.times_vector(parts, x, y, plans.of(parts))
        else:
            _device_kernels.times_matrix(parts, x, y)
    else:
        _on_host(parts, x, y)
    return y.astype(dtype, copy=False)


def _on_host(parts: Parts, x: Any, y: Any) -> None:
    from . import _host_kernels

    function = _host_kernels.times_vector if x.ndim == 1 else _host_kernels.times_matrix
    carries = np.empty((_number_of_parts(parts), *x.shape[1:]), y.dtype)
    function(
        coerce.to_numpy(parts.data),
        _unsigned(parts.indices),
        _unsigned(parts.indptr),
        coerce.to_numpy(x),
        y,
        carries,
    )
