"""The public names of the package, as they are at run time: for the reference and its coverage.

Names are resolved when they are asked for (`__getattr__` of modules), so that importing and asking
`dir` sees them all, and reading the sources does not.
"""

import dataclasses
import functools
import importlib
import inspect
import pkgutil
import types
import warnings
from collections.abc import Iterator
from typing import Any

# The public modules, in the order of the reference, each with what it is; "" for those without a
# page of their own: packages of modules, and modules whose names are other libraries' or described
# elsewhere.
ALL_MODULES = {
    "phalanx": "arrays, data frames and CPU functions",
    "phalanx.linalg": "linear algebra",
    "phalanx.fft": "Fourier transforms",
    "phalanx.random": "random numbers",
    "phalanx.special": "special functions",
    "phalanx.emath": "mathematics with complex results",
    "phalanx.sparse": "sparse matrices",
    "phalanx.sparse.linalg": "solvers of sparse systems",
    "phalanx.cuda": "kernels, devices, streams and graphs",
    "phalanx.cuda.random": "random numbers in kernels",
    "phalanx.cuda.libdevice": "functions of libdevice in kernels",
    "phalanx.cuda.bf16": "bfloat16 in kernels",
    "phalanx.cuda.vector_types": "vector types in kernels",
    "phalanx.ml.cluster": "clusters",
    "phalanx.ml.compose": "models of columns",
    "phalanx.ml.dask": "models over Dask's collections",
    "phalanx.ml.datasets": "made-up data",
    "phalanx.ml.decomposition": "decompositions",
    "phalanx.ml.ensemble": "forests and boosting",
    "phalanx.ml.feature_extraction": "features",
    "phalanx.ml.feature_extraction.text": "features of texts",
    "phalanx.ml.impute": "missing numbers",
    "phalanx.ml.linear_model": "linear models",
    "phalanx.ml.manifold": "manifolds",
    "phalanx.ml.metrics": "metrics",
    "phalanx.ml.model_selection": "splits, searches and validation",
    "phalanx.ml.naive_bayes": "naive Bayes",
    "phalanx.ml.neighbors": "nearest neighbours",
    "phalanx.ml.pipeline": "pipelines",
    "phalanx.ml.preprocessing": "preprocessing",
    "phalanx.ml.random_projection": "random projections",
    "phalanx.ml.svm": "support vectors",
    "phalanx.ml.tree": "trees",
    "phalanx.dask": "clusters of workers",
    "phalanx.extending": "functions of your own by type",
    "phalanx.types": "types of kernels and functions",
    "phalanx.errors": "errors and warnings",
    "phalanx.testing": "assertions of tests",
    "phalanx.api.types": "what a dtype is",
    "phalanx.tseries.offsets": "offsets of dates",
    "phalanx.util": "hashes of rows",
    **dict.fromkeys(
        (
            "phalanx.api",
            "phalanx.cuda.devicearray",
            "phalanx.cuda.kernels",
            "phalanx.cuda.kernels.transpose",
            "phalanx.cuda.launchconfig",
            "phalanx.ml",
            "phalanx.ml.dask.cluster",
            "phalanx.ml.dask.datasets",
            "phalanx.ml.dask.decomposition",
            "phalanx.ml.dask.ensemble",
            "phalanx.ml.dask.linear_model",
            "phalanx.ml.dask.naive_bayes",
            "phalanx.ml.dask.neighbors",
            "phalanx.ml.dask.preprocessing",
            "phalanx.tseries",
            "phalanx.tseries.frequencies",
        ),
        "",
    ),
}
MODULES = {name: subject for name, subject in ALL_MODULES.items() if subject}


@dataclasses.dataclass(frozen=True)
class Name:
    """A public name: of a module (``owner`` is one) or of a class."""

    owner: str
    name: str
    value: Any
    kind: str  # class, function, method, property, value

    @property
    def path(self) -> str:
        """The whole name."""
        return f"{self.owner}.{self.name}"

    @property
    def docstring(self) -> str:
        """Its docstring, without the one that it has from Python's own types."""
        if self.kind == "value":
            return ""
        text = inspect.getdoc(self.value) or ""
        plain = inspect.getdoc(object) if self.kind == "class" else None
        return "" if text == plain else text


def is_ours(value: Any) -> bool:
    """Returns whether something is the package's own, and not another's that it hands on."""
    module = getattr(value, "__module__", None) or getattr(type(value), "__module__", "")
    return str(module).startswith("phalanx")


def _kind(value: Any) -> str:
    if isinstance(value, type):
        return "class"
    if callable(value) and not isinstance(value, types.ModuleType):
        return "function"
    return "value"


def _is_helper(module: types.ModuleType, value: Any, defines: bool) -> bool:
    """Returns whether a module has something only to work with: types and what it imports."""
    home = str(getattr(value, "__module__", ""))
    if home in ("typing", "collections.abc") or isinstance(value, types.ModuleType):
        return True
    # A module that defines functions is no list of what others have.
    return defines and home != module.__name__ and not hasattr(module, "__all__")


def of_module(module: str) -> Iterator[Name]:
    """The public names of a module, by their order in the alphabet."""
    found = importlib.import_module(module)
    lists = "__dir__" in vars(found) or hasattr(found, "__all__")
    defines = not lists and any(
        isinstance(each, types.FunctionType) and each.__module__ == module
        for name, each in vars(found).items()
        if not name.startswith("_")
    )
    for name in sorted({*getattr(found, "__all__", ()), *dir(found)}):
        if name.startswith("_") or f"{module}.{name}" in MODULES:
            continue
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                value = getattr(found, name)
        except (AttributeError, ImportError):  # needs a package that is not installed
            continue
        if _is_helper(found, value, defines) or (not lists and not is_ours(value)):
            continue
        yield Name(module, name, value, _kind(value))


@functools.cache
def classes() -> frozenset[type]:
    """The classes with a public name."""
    found = (each for module in MODULES for each in of_module(module))
    return frozenset(each.value for each in found if each.kind == "class" and is_ours(each.value))


def bases(name: Name) -> list[type]:
    """The public classes that a class has members of, the nearest first."""
    found: list[type] = []
    for base in name.value.__mro__[1:]:
        if base in classes() and not any(issubclass(each, base) for each in found):
            found.append(base)
    return found


def of_class(name: Name) -> Iterator[Name]:
    """The public members of a class that the package defines, by their order in the alphabet.

    Those that it has from another class with a public name are members of that one.
    """
    above = {each for base in bases(name) for each in base.__mro__}
    ours = [base for base in name.value.__mro__ if is_ours(base) and base not in above]
    for member in sorted({each for base in ours for each in vars(base)}):
        if member.startswith("_"):
            continue
        raw = inspect.getattr_static(name.value, member)
        value = raw.__func__ if isinstance(raw, classmethod | staticmethod) else raw
        # Descriptors of scikit-learn, where it is installed, are its own interface.
        is_another = type(raw).__module__.startswith("sklearn")
        if isinstance(value, type) or value is None or is_another:
            continue
        if callable(value):
            yield Name(name.path, member, value, "method")
        elif hasattr(value, "__get__"):
            yield Name(name.path, member, value, "property")


def all_names() -> Iterator[Name]:
    """Every public name with its members, a class once where several modules have it."""
    seen: set[int] = set()
    for module in MODULES:
        for name in of_module(module):
            yield name
            if name.kind == "class" and is_ours(name.value) and id(name.value) not in seen:
                seen.add(id(name.value))
                yield from of_class(name)


def signature(name: Name) -> str:
    """Its parameters as Python writes them; empty for what has none."""
    if name.kind in ("property", "value"):
        return ""
    try:
        found = inspect.signature(name.value)
    except (TypeError, ValueError):
        return "(...)"
    parameters = list(found.parameters.values())
    if name.kind == "method" and not _is_static(name):
        parameters = parameters[1:]
    # Types are in the stubs; here they would hide the names. Defaults that are objects are "...".
    plain = []
    for each in parameters:
        default = each.default
        if default is not each.empty and not isinstance(
            default, bool | int | float | str | tuple | list | dict | type(None)
        ):
            default = _Shown(getattr(default, "__name__", None) or "...")
        plain.append(each.replace(annotation=each.empty, default=default))
    return str(found.replace(parameters=plain, return_annotation=found.empty))


def _is_static(name: Name) -> bool:
    owner = pkgutil.resolve_name(name.owner)
    return isinstance(inspect.getattr_static(owner, name.name), staticmethod)


class _Shown:
    """A default that is shown by a text."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text
