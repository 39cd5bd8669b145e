"""Which module answers to an import name of dask_cudf's."""

from __future__ import annotations

TABLE: dict[str, str] = {
    "dask_cudf": "phalanx.compat.dask_cudf",
    "dask_cudf.core": "phalanx.compat.dask_cudf",
    "dask_cudf.backends": "phalanx.compat.dask_cudf",
    "dask_cudf.io": "phalanx.compat.dask_cudf",
}


def remedy(name: str) -> str:
    """What a program takes in the place of a module that is not there."""
    return f"the functions of {name} are names of dask_cudf itself; docs/guide/dask.md has them"
