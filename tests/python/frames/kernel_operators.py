"""The operators by a GPU's kernels, of NumPy's arrays as `_engine.frames` has them."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from phalanx._grouping import engine

import phalanx as px


def _given(value: Any, device: str) -> Any:
    if isinstance(value, np.ndarray):
        return px.asarray(value, device=device)
    if isinstance(value, (list, tuple)):
        return type(value)(_given(each, device) for each in value)
    return value


def _made(value: Any) -> Any:
    if isinstance(value, px.ndarray):
        return np.asarray(value)
    if isinstance(value, (list, tuple)):
        return [_made(each) for each in value]
    return value


class KernelOperators:
    """`_engine.frames` by kernels: those of a GPU's code run on the CPU device too."""

    def __init__(self) -> None:
        wanted = os.environ.get("PHALANX_TEST_DEVICES", "cpu")
        self.device = "cuda" if "cuda" in wanted else "cpu"

    def __getattr__(self, name: str) -> Any:
        function = getattr(engine, name)

        def call(*args: Any, **keywords: Any) -> Any:
            return _made(function(*_given(args, self.device), **_given(keywords, self.device)))

        return call
