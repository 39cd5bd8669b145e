"""How a model is fitted to blocks: by tasks, or by workers that exchange their sums."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from ..._arrays.nccl import VARIABLE
from .blocks import Blocks, client_of


def fitted(fit: Callable[[Any, Any], None], model: Any, blocks: Blocks) -> None:
    """Fit a model to blocks: ``fit(model, source)``, where the source is best.

    With a client, and workers that have a GPU each and NCCL, they exchange sums among themselves.
    Raises as `fit`, and as `ranks.fits.by_workers`.
    """
    client = client_of()
    if client is not None and not client.asynchronous and os.environ.get(VARIABLE, "") != "0":
        from ..ranks.fits import by_workers

        if by_workers(client, fit, model, blocks):
            return
    fit(model, blocks)
