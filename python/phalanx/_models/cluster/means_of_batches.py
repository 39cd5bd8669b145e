"""What k-means of batches needs on the way: samples that are drawn, labels, and when it ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from .distance_kernels import nearest_of_any


def labels_of(x: ndarray, centers: np.ndarray) -> np.ndarray:
    """The number of each sample's nearest center, int32, on the host."""
    return np.asarray(nearest_of_any(x, px.asarray(centers)))


def random_part(
    x: np.ndarray, weight: np.ndarray, size: int, random: Any
) -> tuple[np.ndarray, np.ndarray]:
    """Samples that are drawn, with their weights; all of them where there are no more."""
    if size >= len(x):
        return x, weight
    rows = random.randint(0, len(x), size)
    return x[rows], weight[rows]


class Progress:
    """The inertia of batches, smoothed: steps end when it is not less for some of them.

    `size` is that of a batch, `count` how many samples there are, `patience` the greatest number of
    steps without a lesser inertia, or None; `tell` takes what there is to say.
    """

    def __init__(
        self,
        size: int,
        count: int,
        steps: int,
        patience: int | None,
        tell: Callable[[str], None],
    ) -> None:
        self.step = 0
        self.smooth: float | None = None
        self.size = size
        self._share = min(1.0, 2.0 * size / (count + 1))
        self._steps, self._patience, self._tell = steps, patience, tell
        self._least: float | None = None
        self._waited = 0

    def ends(self, inertia: float, has_settled: bool) -> bool:
        """True if this step is the last; `has_settled` says that centers hardly moved."""
        self.step += 1
        inertia /= self.size
        text = f"Minibatch step {self.step}/{self._steps}: mean batch inertia: {inertia}"
        if self.step == 1:  # of the first centers
            self._tell(text)
            return False
        self._smooth(inertia)
        self._tell(f"{text}, ewa inertia: {self.smooth}")
        if has_settled:
            self._tell(f"Converged (small centers change) at step {self.step}/{self._steps}")
            return True
        if self._patience is not None and self._waited >= self._patience:
            self._tell(
                f"Converged (lack of improvement in inertia) at step {self.step}/{self._steps}"
            )
            return True
        return False

    def _smooth(self, inertia: float) -> None:
        if self.smooth is None:
            self.smooth = inertia
        else:
            self.smooth = self.smooth * (1 - self._share) + inertia * self._share
        if self._least is None or self.smooth < self._least:
            self._waited, self._least = 0, self.smooth
        else:
            self._waited += 1
