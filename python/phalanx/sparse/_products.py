"""Products of compressed matrices with dense vectors and matrices, on the device they are on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import phalanx as px

from .._arrays import coerce
from . import _checks
from ._structure import Parts

_SMALL = 1 << 14  # rows and entries of a part at least


class Plans:
    """The plans of a matrix's indptr, made when the first product on a GPU needs them.

    They are others after another indptr has been assigned. What is written into an indptr in
    place is not seen.
    """

    def __init__(self) -> None:
        self._indptr: Any = None
        self._made: dict[str, Any] = {}

    def of(self, parts: Parts, name: str, make: Callable[[], Any]) -> Any:
        """The plan of that name for these parts."""
        if self._indptr is not parts.indptr:
            self._made = {}
            self._indptr = parts.indptr
        made = self._made  # another thread may begin another one
        if name not in made:
            made[name] = make()
        return made[name]


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
    y = px.empty((parts.shape[0], *x.shape[1:]), computed, device=data._place)
    if is_by_kernels is None:
        is_by_kernels = not coerce.is_on_host(data)
    if not data.size or not y.size:
        y[...] = 0
    elif is_by_kernels:
        _on_device(parts, x, y, plans)
    else:
        _on_host(parts, x, y)
    return y.astype(dtype, copy=False)


def _on_device(parts: Parts, x: Any, y: Any, plans: Plans) -> None:
    from . import _device_kernels, _device_plans

    indptr, nnz = parts.indptr, parts.data.size
    if x.ndim == 1:
        plan = plans.of(parts, "vector", lambda: _device_plans.for_vector(indptr, nnz))
        _device_kernels.times_vector(parts, x, y, plan)
    else:
        plan = plans.of(parts, "matrix", lambda: _device_plans.for_matrix(indptr))
        _device_kernels.times_matrix(parts, x, y, plan)


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
