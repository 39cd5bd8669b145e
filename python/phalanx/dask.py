"""Several workers for one program, by Dask's `distributed`: `phalanx.dask.Cluster()`.

Needs the package `distributed`. Arrays and frames in Dask's collections need nothing of this
module: docs/guide/dask.md.
"""

from __future__ import annotations

import importlib
from typing import Any

_NAMES = {
    "Cluster": "deploy.cluster",
    "Traffic": "traffic",
    "WorkerError": "deploy.versions",
    "check_workers": "deploy.versions",
    "traffic": "traffic",
}


def __getattr__(name: str) -> Any:
    if name not in _NAMES:
        raise AttributeError(f"module 'phalanx.dask' has no attribute {name!r}")
    try:
        module = importlib.import_module(f"._dask.{_NAMES[name]}", "phalanx")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("dask", "distributed"):
            raise
        raise ModuleNotFoundError(
            f"phalanx.dask.{name} needs the package distributed: "
            "pip install 'dask[array,dataframe]' distributed",
            name=error.name,
        ) from error
    return getattr(module, name)


def __dir__() -> list[str]:
    return sorted(_NAMES)
