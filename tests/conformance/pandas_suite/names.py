"""The import names of pandas' tests.

`pandas` is a module of ours: its names are phalanx's. The tests, their fixtures and those of
pandas' helpers for tests that are made of public names are the checkout's; `pandas.errors` and the
assertions are ours. Every other module holds public names of phalanx where a name is one, and
placeholders: they are of pandas' internals, or of what phalanx does not provide.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import phalanx.api.types
import phalanx.testing
from phalanx._frames.signatures import NO_DEFAULT
from phalanx._frames.toplevel import NAMES
from placeholders import Placeholder, placeholders_in

import phalanx as px

SOURCE_VARIABLE = "PHALANX_PANDAS_SRC"
# Taken from the checkout: no part of them is pandas itself.
CHECKOUT = (
    "pandas.tests", "pandas.conftest", "pandas.util._test_decorators", "pandas.util.version",
    "pandas.util._exceptions", "pandas.compat", "pandas._testing", "pandas.core.roperator",
)  # fmt: skip
OURS = {
    "pandas.errors": "pandas_suite.errors",
    "pandas._testing.asserters": "pandas_suite.asserters",
    "pandas.testing": "phalanx.testing",
    "pandas.api.types": "phalanx.api.types",
    "pandas.core.ops": "pandas.core.roperator",
}


def array(data: Any, dtype: Any = None, copy: bool = True) -> Any:
    """Served as `pandas.array`: an index, which has dtypes and no labels, as such arrays have."""
    return px.Index(px.Series(data).convert_dtypes() if dtype is None else data, dtype=dtype)


NOTHING = object()
# Values that tests hand to public functions, or guards ask for.
VALUES: dict[str, Any] = {
    "no_default": NO_DEFAULT,
    "iNaT": -(2**63),
    "using_string_dtype": lambda: True,
    "CHAINED_WARNING_DISABLED": True,
    "_one_ellipsis_message": "indexer may only contain one '...' entry",
}


def string_methods() -> Any:
    """The class of `.str`, which tests ask for by its private place."""
    return type(px.Series(["a"]).str)


def public(name: str) -> Any:
    """What phalanx has under a public name of pandas, or `NOTHING`."""
    if name in NAMES:
        return getattr(px, name)
    if hasattr(phalanx.api.types, name):
        return getattr(phalanx.api.types, name)
    return string_methods() if name == "StringMethods" else VALUES.get(name, NOTHING)


class Names(ModuleType):
    """One of pandas' modules: public names are phalanx's, everything else is a placeholder."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name != "__version__":
            raise AttributeError(name)
        found = public(name)
        if found is not NOTHING:
            return found
        full = f"{self.__name__}.{name}"
        if full in OURS or (self.__path__ and is_module(full)):
            return importlib.import_module(full)
        if name.endswith(("Error", "Exception", "Warning", "OutOfBoundsDatetime")):
            return getattr(importlib.import_module("pandas.errors"), name)
        return Placeholder(full)


def source() -> Path:
    """The folder that holds the folder `pandas`."""
    return Path(os.environ[SOURCE_VARIABLE])


def is_module(name: str) -> bool:
    """Returns whether pandas has a module of that name."""
    place = source().joinpath(*name.split("."))
    return place.is_dir() or any(place.parent.glob(f"{place.name}.*"))


class Loader(importlib.abc.Loader):
    """Makes the modules of names, and gives out those of ours."""

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        if spec.name in OURS:
            return importlib.import_module(OURS[spec.name])
        module = Names(spec.name)
        module.__path__ = [str(source().joinpath(*spec.name.split(".")))]
        return module

    def exec_module(self, module: ModuleType) -> None:
        if module.__name__ == "pandas":
            module.__dict__["__version__"] = "3.1.1"
            module.__dict__["options"] = px.options
            module.__dict__["array"] = array


class Finder(importlib.abc.MetaPathFinder):
    """Comes before Python's own finder, and leaves to it what is the checkout's."""

    def find_spec(
        self, fullname: str, path: Any = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname.partition(".")[0] != "pandas":
            return None
        if fullname not in OURS and any(f"{fullname}.".startswith(f"{each}.") for each in CHECKOUT):
            return importlib.machinery.PathFinder.find_spec(fullname, path)
        return importlib.machinery.ModuleSpec(fullname, Loader(), is_package=True)


def _made(kind: type, make: Any) -> Any:
    """The constructor of frames, series and indexes: of placeholders one is made, too.

    So a module loads that makes a table of what is not there; in a test it is an error.
    """

    def new(cls: type, *args: Any, **options: Any) -> Any:
        for each in placeholders_in([*args, *options.values()]):
            return each(kind.__name__)
        if "PYTEST_CURRENT_TEST" not in os.environ and isinstance(options.get("dtype"), str):
            try:
                phalanx.api.types.pandas_dtype(options["dtype"])
            except NotImplementedError:
                return Placeholder(f"pandas.{options['dtype']}")
        return object.__new__(cls) if make is object.__new__ else make(cls, *args, **options)

    return new


def _of_type(made: Any) -> Any:
    """Arrow's dtypes: while a module loads, one that is not there is a placeholder."""

    def call(cls: type, *args: Any, **options: Any) -> Any:
        try:
            return made(cls, *args, **options)
        except NotImplementedError:
            if "PYTEST_CURRENT_TEST" in os.environ:
                raise
            return Placeholder("pandas.ArrowDtype(...)")

    return call


def install() -> None:
    """Installs the names; `SOURCE_VARIABLE` names the folder that holds `pandas`."""
    for kind in (px.DataFrame, px.Series, px.Index):
        kind.__new__ = _made(kind, kind.__new__)
    of_arrow = type(px.ArrowDtype)
    of_arrow.__call__ = _of_type(of_arrow.__call__)
    sys.meta_path.insert(0, Finder())
    testing = importlib.import_module("pandas._testing")
    for name in ("SubclassedSeries", "SubclassedDataFrame"):
        getattr(testing, name).__module__ = "pandas_suite"  # they are no objects of pandas
