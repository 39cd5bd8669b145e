"""The page with the names of other packages that Phalanx answers to."""

import importlib
import types
import warnings
from collections.abc import Iterator

from site_stage import Stage

TABLES = {
    "numba": ("_table", "../guide/coming-from-numba-cuda.md"),
    "cupy": ("_cupy_table", "../guide/coming-from-cupy.md"),
    "pycuda": ("_pycuda_table", "../guide/coming-from-pycuda.md"),
    "cudf": ("_cudf_table", "../guide/coming-from-cudf.md"),
    "dask_cudf": ("_dask_cudf_table", "../guide/dask.md"),
}
HEAD = """# Names of other packages

What an import gives under `python -m phalanx run` ([guide](../guide/run.md)): for each module the
names that Phalanx answers to. Numba's are those where Numba is not installed; where it is,
`numba.cuda` and the decorators are ours. NumPy's names are in
[a page of their own](../guide/numpy-names.md), cuML's are those of `phalanx.ml`
([guide](../guide/coming-from-cuml.md)).
"""


def names_of(module: str) -> list[str]:
    """The public names of a module that answers to another's."""
    found = importlib.import_module(module)
    listed = []
    for name in sorted({*getattr(found, "__all__", ()), *dir(found)}):
        if name.startswith("_"):
            continue
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                value = getattr(found, name)
        except (AttributeError, ImportError, NotImplementedError):  # a module of the package
            continue
        home = str(getattr(value, "__module__", ""))
        if isinstance(value, types.ModuleType) or home in ("typing", "collections.abc"):
            continue
        listed.append(name)
    return listed


def sections() -> Iterator[str]:
    """A section for each package."""
    for package, (table, page) in TABLES.items():
        rows = importlib.import_module(f"phalanx.compat.{table}").TABLE
        yield f"## {package}\n\nWhat is different: [guide]({page})."
        for imported, module in rows.items():
            names = ", ".join(f"`{name}`" for name in names_of(module))
            if names:
                yield f"**`{imported}`**: {names}."


def write(stage: Stage) -> None:
    """Writes the page."""
    stage.write("reference/other-names.md", HEAD + "\n" + "\n\n".join(sections()) + "\n")
