"""Models with scikit-learn's contract, on CPU and GPU: `from phalanx.ml.cluster import KMeans`.

Modules and names are scikit-learn's. All models are also found here: `phalanx.ml.KMeans`. They take
NumPy's arrays, pandas' frames, lists, and our arrays and frames; results are NumPy's arrays unless
what was given is ours.
"""

from __future__ import annotations

import importlib
from typing import Any

from .._models.names import MODULES, OF_SCIKIT_LEARN, find, module_of

_PUBLIC = {each.partition(".")[0] for each in (*MODULES, *OF_SCIKIT_LEARN, "dask")}


def __getattr__(name: str) -> Any:
    if name in _PUBLIC:
        return importlib.import_module(f".{name}", __name__)
    if module := module_of(name):
        return find(module, name)
    raise AttributeError(f"module 'phalanx.ml' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*_PUBLIC, *(name for table in MODULES.values() for name in table)})


__all__ = __dir__()
