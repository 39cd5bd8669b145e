"""Which module answers to an import name of cuDF's."""

from __future__ import annotations

TABLE: dict[str, str] = {
    "cudf": "phalanx.compat.cudf",
    "cudf.api": "phalanx.api",
    "cudf.api.types": "phalanx.api.types",
    "cudf.core": "phalanx.compat.cudf.core",
    "cudf.core.dtypes": "phalanx.compat.cudf.dtypes",
    "cudf.datasets": "phalanx.compat.cudf.datasets",
    "cudf.pandas": "phalanx.compat.cudf.pandas",
    "cudf.testing": "phalanx.testing",
    "cudf.utils": "phalanx.compat.cudf.core",
    "cudf.utils.dtypes": "phalanx.compat.cudf.dtypes",
}

# Modules of cuDF's that are not there, and what to take instead; of others the page says it.
INSTEAD: dict[str, str] = {
    "cudf.core.column": "columns of Arrow's come and go by from_arrow and to_arrow",
    "cudf.io": "the functions that read and write are names of cudf itself",
}


def remedy(name: str) -> str:
    """What a program takes in the place of a module that is not there."""
    for module, text in INSTEAD.items():
        if f"{name}.".startswith(f"{module}."):
            return text
    return "docs/guide/coming-from-cudf.md says what there is"
