"""How many components a principal component analysis should have."""

from __future__ import annotations

from math import inf, lgamma, log, pi

import numpy as np


def likeliest_rank(variances: np.ndarray, samples: int) -> int:
    """The number of components that is most likely, for variances from the greatest on.

    Of T. Minka, "Automatic choice of dimensionality for PCA" (2000).
    """
    evidence = [-inf, *(_evidence(variances, rank, samples) for rank in range(1, len(variances)))]
    return int(np.argmax(evidence))


def _evidence(variances: np.ndarray, rank: int, samples: int) -> float:
    """Minka's (77): the logarithm of the evidence of `rank` components."""
    features = len(variances)
    least = np.finfo(variances.dtype).eps
    if variances[rank - 1] < least:
        return -inf  # the variances from here on are noise of the computer
    frame = -rank * log(2)
    for each in range(1, rank + 1):
        half = (features - each + 1) / 2
        frame += lgamma(half) - half * log(pi)
    kept = -samples / 2 * float(np.log(variances[:rank]).sum())
    noise = max(float(least), float(variances[rank:].sum()) / (features - rank))
    left = -samples * (features - rank) / 2 * log(noise)
    size = features * rank - rank * (rank + 1) / 2
    smooth = variances.astype(np.float64).copy()
    smooth[rank:] = noise
    curvature = 0.0
    for i in range(rank):
        after = slice(i + 1, features)
        apart = (variances[i] - variances[after]) * (1 / smooth[after] - 1 / smooth[i])
        with np.errstate(divide="ignore", invalid="ignore"):
            curvature += float(np.log(apart).sum()) + log(samples) * (features - i - 1)
    return (
        frame
        + kept
        + left
        + (size + rank) / 2 * log(2 * pi)
        - curvature / 2
        - rank / 2 * log(samples)
    )
