"""Orthogonal bases of a few long vectors, made of their products in pairs."""

from __future__ import annotations

from typing import Any

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray

# The least share of the largest diagonal element of a factor: products lose twice its digits.
_LEAST_SHARE = 1e-6
_NEAR = 0.1  # how far from 1 the products of a basis may be after a first pass


def _divided(basis: ndarray) -> tuple[ndarray, np.ndarray] | None:
    """Orthogonal vectors and the factor of these; None where the vectors are nearly dependent."""
    try:
        factor = np.linalg.cholesky(np.asarray(basis.T @ basis)).T
    except np.linalg.LinAlgError:
        return None
    sizes = np.diag(factor)
    if not (sizes > _LEAST_SHARE * sizes.max()).all():  # of NaN, too
        return None
    return basis @ px.asarray(np.linalg.inv(factor)).to_device(basis.device), factor


def orthogonal(vectors: Any, *, exactly: bool = True) -> tuple[ndarray, np.ndarray]:
    """An orthogonal basis of columns, in their dtype, and the factor, float64 on the host.

    Of T. Fukaya and others, "CholeskyQR2: a simple and communication-avoiding algorithm for
    computing a tall-skinny QR factorization on a large-scale parallel system" (2014): a Cholesky
    factor of the products of columns, and again of what came out. Without `exactly` once, where
    only the space is wanted. Nearly dependent columns take Householder's reflections.
    """
    first = _divided(vectors.astype(np.float64)) if vectors.shape[0] >= vectors.shape[1] else None
    if first is not None and not exactly:
        return first[0].astype(vectors.dtype), first[1]
    second = None if first is None else _divided(first[0])
    if first is None or second is None or np.abs(np.diag(second[1]) - 1).max() > _NEAR:
        basis, factor = px.linalg.qr(vectors)
        return basis, np.asarray(factor, np.float64)
    return second[0].astype(vectors.dtype), second[1] @ first[1]
