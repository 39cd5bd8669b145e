"""The subjects that the reference of a large module is divided by."""

import importlib

from public_names import Name

# Subjects of arrays, each with the modules of phalanx._arrays that have its names.
ARRAYS = {
    "making arrays": "creation sequences grids coerce index_tricks matrix_functions",
    "shapes and parts": "shapes joining rearranging selecting attributes iterators",
    "elementwise functions": "ufuncs elementwise ufunc_type",
    "sums, means and other reductions": "reductions statistics scans differences quantiles "
    "histograms counting",
    "sorting and sets": "sorting sets",
    "products and polynomials": "products einsum polynomials",
    "dtypes": "dtype_functions dtypes",
    "files and texts": "texts files printing archive",
}
FRAMES = "data frames"
OTHER = "arrays: devices, memory and other names"
FUNCTIONS = "CPU functions, errors and settings"


def _of_root(names: list[Name]) -> dict[str, list[Name]]:
    arrays = importlib.import_module("phalanx._arrays.names").NAMES
    frames = importlib.import_module("phalanx._frames.toplevel").NAMES
    home = {each: subject for subject, modules in ARRAYS.items() for each in modules.split()}
    found: dict[str, list[Name]] = {each: [] for each in [FRAMES, *ARRAYS, OTHER, FUNCTIONS]}
    declared = set(importlib.import_module("phalanx").__all__)
    for name in names:
        if name.name in frames:
            found[FRAMES].append(name)
        elif name.name in declared:
            found[FUNCTIONS].append(name)
        else:
            found[home.get(arrays.get(name.name, ""), OTHER)].append(name)
    return {subject: those for subject, those in found.items() if those}


def of(module: str, names: list[Name]) -> dict[str, list[Name]]:
    """The names of a module by their subject: one subject for all but the largest module."""
    return _of_root(names) if module == "phalanx" else {"": names}
