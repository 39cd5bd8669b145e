"""Where a public object is defined: the source that a stub imports it from."""

from __future__ import annotations

import ast
import functools
import importlib
import sys
from pathlib import Path
from typing import Any, NamedTuple, Protocol

# What a name is bound by, the best place to import it from first.
RANKS = {"def": 0, "class": 0, "assign": 1}


class PageLike(Protocol):
    """What is needed of a page."""

    @property
    def name(self) -> str:
        """The module's name."""

    @property
    def source(self) -> Path:
        """The module's file."""


class Home(NamedTuple):
    """A module and the name that an object has there; "" for the module itself."""

    module: str
    name: str

    def line(self, package: str, alias: str) -> str:
        """The statement that imports it, relative to a package where it is of ours."""
        module, name = (self.module, self.name) if self.name else self.module.rsplit(".", 1)
        line = f"from {relative(module, package)} import {name} as "
        if name == alias or alias.startswith("_"):
            return line + alias
        # Only a name that stays the same is one of the stub's own for type checkers.
        return f"{line}_of_{name}\n{alias} = _of_{name}"


def relative(module: str, package: str) -> str:
    """The module as a package's modules write it."""
    if module.partition(".")[0] != "phalanx":
        return module
    own, theirs = package.split("."), module.split(".")
    common = 0
    while common < min(len(own), len(theirs)) and own[common] == theirs[common]:
        common += 1
    return "." * (len(own) - common + 1) + ".".join(theirs[common:])


@functools.cache
def static_names(source: Path) -> dict[str, str]:
    """What each name at the top of a source is bound by: def, class, assign or import."""
    found: dict[str, str] = {}
    for node in statements(ast.parse(source.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found[node.name] = "def"
        elif isinstance(node, ast.ClassDef):
            found[node.name] = "class"
        elif isinstance(node, ast.Import | ast.ImportFrom):
            for each in node.names:
                is_public = each.asname == each.name
                found[each.asname or each.name.partition(".")[0]] = (
                    "assign" if is_public else "import"
                )
        else:
            found |= dict.fromkeys(targets(node), "assign")
    return found


def statements(tree: ast.AST) -> list[ast.stmt]:
    """The statements at the top of a module, also those of its conditions."""
    made: list[ast.stmt] = []
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If | ast.Try):
            made += statements(node)
        elif isinstance(node, ast.stmt):
            made.append(node)
    return made


def targets(node: ast.stmt) -> list[str]:
    """The names that an assignment binds."""
    if isinstance(node, ast.AnnAssign):
        left: list[ast.expr] = [node.target]
    elif isinstance(node, ast.Assign):
        left = list(node.targets)
    else:
        return []
    return [each.id for one in left for each in ast.walk(one) if isinstance(each, ast.Name)]


def import_everything(package: Path, root: Path) -> None:
    """Import the internal modules, so that objects are found in them."""
    for source in sorted(package.rglob("*.py")):
        parts = source.relative_to(root).with_suffix("").parts
        if "compat" in parts or "__main__" in parts or "_tools" in parts:
            continue
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        try:
            importlib.import_module(name)
        except ModuleNotFoundError as error:  # of a library that is not installed
            if (error.name or "").startswith("phalanx"):
                raise


def by_table(name: str, page: str) -> Home | None:
    """Where names are that only another library makes importable: scikit-learn or Dask.

    What a stub says must not depend on whether they are installed.
    """
    from phalanx._models.names import OF_SCIKIT_LEARN

    dask: Any = importlib.import_module("phalanx.dask")
    models: Any = importlib.import_module("phalanx.ml.dask")
    below, _, module = page.partition("phalanx.ml.")
    if not below and name in OF_SCIKIT_LEARN.get(module, "").split():
        return Home(f"sklearn.{module}", name)
    if page == "phalanx.dask":
        return Home(f"phalanx._dask.{dask._NAMES[name]}", name)
    if page.startswith("phalanx.ml.dask") and name not in models.MODULES:
        found = {each: path for table in models.MODULES.values() for each, path in table.items()}
        return Home(f"phalanx._dask.models.{found[name]}", name)
    return None


def find(value: Any, name: str, page: PageLike) -> Home | None:
    """The source that defines the object, None where a table makes it."""
    if isinstance(value, type(sys)):
        return module_home(value, name, page)
    by_itself = said(value, page.name)
    if by_itself is not None:
        return by_itself
    for module, names in searched(page.name):
        if names.get(name) in RANKS and vars(sys.modules[module]).get(name, page) is value:
            return Home(module, name)
    return of_numpy(value, name)


def module_home(value: Any, name: str, page: PageLike) -> Home:
    """A module: below the page where it is one of its own."""
    is_own = (page.source.parent / f"{name}.py").exists() or (page.source.parent / name).is_dir()
    if page.source.name == "__init__.py" and is_own:
        return Home(f"{page.name}.{name}", "")
    return Home(value.__name__, "")


def said(value: Any, page: str) -> Home | None:
    """Where a function or a class says that it is defined, if it is there."""
    module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    if not isinstance(module, str) or not isinstance(name, str) or not callable(value):
        return None
    if module == "phalanx._engine" and isinstance(value, type):
        return Home(module, name)
    known = sys.modules.get(module)
    if known is None or vars(known).get(name) is not value:
        return None
    if module.partition(".")[0] == "numpy":
        return Home(module, name) if "._" not in module else None
    source = getattr(known, "__file__", None) or ""
    if not module.startswith("phalanx") or module == page or not source.endswith(".py"):
        return None
    return Home(module, name) if static_names(Path(source)).get(name) in RANKS else None


@functools.cache
def searched(page: str) -> list[tuple[str, dict[str, str]]]:
    """The sources in which objects are looked for, and what each binds."""
    rows = []
    for module in sorted(sys.modules):
        if not module.startswith("phalanx.") or ".compat" in module or module == page:
            continue
        known = sys.modules[module]
        source = getattr(known, "__file__", None) or ""
        if known.__name__ == module and source.endswith(".py"):
            rows.append((module, static_names(Path(source))))
    return sorted(rows, key=lambda row: (not any(p[0] == "_" for p in row[0].split(".")), row[0]))


def of_numpy(value: Any, name: str) -> Home | None:
    """What is NumPy's own, under a name that NumPy has."""
    import numpy as np

    return Home("numpy", name) if vars(np).get(name, find) is value else None
