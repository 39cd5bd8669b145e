"""The layers of a Python package: who imports whom, imports inside functions counted.

Imports below `if TYPE_CHECKING` do not count: they are never run.
"""

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Import(NamedTuple):
    """An import statement's module, the line that it is in, and if that is inside a function."""

    target: str
    line: int
    is_late: bool


class Package:
    """The modules of a package, by their dotted names, and what each imports of them.

    A unit of `layers` without a source is a compiled module.
    """

    def __init__(self, root: Path, layers: Iterable[str]) -> None:
        self.name = root.name
        self.files = {self._module(root, file): file for file in sorted(root.rglob("*.py"))}
        units = {self.unit(module) for module in self.files}
        self.modules = {*self.files, *(f"{self.name}.{unit}" for unit in {*layers} - units)}
        self.imports = {name: list(self._imports(name)) for name in self.files}

    def _module(self, root: Path, file: Path) -> str:
        parts = (root.name, *file.relative_to(root).with_suffix("").parts)
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    def unit(self, module: str) -> str:
        """The sub-package or module below the root that a module belongs to, or the root."""
        return module.split(".")[1] if "." in module else self.name

    def _imports(self, module: str) -> Iterator[Import]:
        file = self.files[module]
        home = module if file.name == "__init__.py" else module.rpartition(".")[0]
        for node, is_late in _run(ast.parse(file.read_text())):
            for target in self._targets(node, home):
                if target != module:
                    yield Import(target, node.lineno, is_late)

    def _targets(self, node: ast.stmt, home: str) -> Iterator[str]:
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(node, home)
            below = [f"{base}.{alias.name}" for alias in node.names]
            names = [name if name in self.modules else base for name in below]
        else:
            return
        yield from (name for name in dict.fromkeys(names) if name.split(".")[0] == self.name)


def _absolute(node: ast.ImportFrom, home: str) -> str:
    if not node.level:
        return node.module or ""
    parts = home.split(".")[: len(home.split(".")) - node.level + 1]
    return ".".join([*parts, *([node.module] if node.module else [])])


def _run(node: ast.AST, is_late: bool = False) -> Iterator[tuple[ast.stmt, bool]]:
    """The statements that may run, and if a function does."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt):
            yield child, is_late
        is_typing = isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test)
        if not is_typing:
            yield from _run(child, is_late or isinstance(child, _FUNCTIONS))


def late_problems(package: Package) -> Iterator[str]:
    """Yield the imports of the package's modules inside functions, as `file:line: what`."""
    for module, imports in package.imports.items():
        for target, line, is_late in imports:
            if is_late:
                yield f"{package.files[module]}:{line}: import {target} at the head"


def import_problems(package: Package, layers: dict[str, set[str]]) -> Iterator[str]:
    """Yield the imports that LAYERS does not allow, as `file:line: what`."""
    for module, imports in package.imports.items():
        unit = package.unit(module)
        if unit not in layers:
            yield f"{package.files[module]}: {unit} is not in LAYERS"
            continue
        for target, line, _ in imports:
            where = f"{package.files[module]}:{line}"
            other = package.unit(target)
            if target not in package.modules:
                yield f"{where}: there is no module {target}"
            elif other != unit and other not in layers[unit]:
                yield f"{where}: {unit} must not import {other}"


def module_cycles(package: Package) -> Iterator[str]:
    """Yield the groups of modules that import each other, also by way of others."""
    graph = {
        name: {each.target for each in imports if each.target in package.files}
        for name, imports in package.imports.items()
    }
    # What imports nothing that is left, or is imported by nothing, is in no cycle.
    left = set(graph)
    while True:
        used = {target for name in left for target in graph[name]} & left
        kept = {name for name in left if name in used and graph[name] & left}
        if kept == left:
            break
        left = kept
    if left:
        yield f"modules that import each other: {' '.join(sorted(left))}"
