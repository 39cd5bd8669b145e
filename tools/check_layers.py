"""Fail when the engine or the Python package breaks its LAYERS.

python tools/check_layers.py phalanx python/phalanx

In C++ it also fails for a room that reaches into another's sub-folder or leaks a dependency; in
Python for modules that import each other. A Python package may have LAYERS of its own sub-packages:
there each import of another stands at the head of a module.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from python_layers import Package, import_problems, late_problems, module_cycles

INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')
SOURCES = {".h", ".cpp", ".def"}

# Headers from outside that only some rooms may see: upgrading one recompiles those rooms only.
OUTSIDE = {
    "llvm": {"codegen", "jit", "cudac"},
    "llvm-c": {"codegen", "jit"},
    "clang": {"cudac"},
    "nanobind": {"bindings"},
    "Python.h": {"bindings"},
    "numpy": {"bindings"},
    "oneapi": {"runtime"},
    "sleef.h": set[str](),
    "cuda.h": set[str](),
    "cuda_runtime.h": set[str](),
    "nvrtc.h": set[str](),
}


def read_layers(path: Path) -> dict[str, set[str]]:
    """Return the rooms that each room may include."""
    lines = (line for line in path.read_text().splitlines() if ":" in line and line[0] != "#")
    return {room.strip(): set(below.split()) for room, below in (line.split(":") for line in lines)}


def cycles(layers: dict[str, set[str]]) -> Iterator[str]:
    """Yield the rules that do not lead downwards."""
    done: set[str] = set()
    for room, below in layers.items():
        for missing in sorted(below - done):
            yield f"LAYERS: {room} may include {missing}, which is not above it in the file"
        done.add(room)


def include_problem(room: str, quote: str, path: str, layers: dict[str, set[str]]) -> str | None:
    """Say what is wrong when a file of `room` includes `path`."""
    top, *rest = path.split("/")
    if top in OUTSIDE:
        return None if room in OUTSIDE[top] else f"{room} must not see {path}"
    if quote == "<":
        return f'write "{path}"' if top == "phalanx" else None
    if top != "phalanx" or len(rest) < 2:
        return f'"{path}" is not a path from the root of the repository'
    other = rest[0]
    if other == room:
        return None
    if other not in layers[room]:
        return f"{room} must not include {other}"
    if len(rest) > 2:
        return f"{path} is private to {other}"
    return None


def problems(root: Path) -> Iterator[str]:
    """Yield every broken rule as `file:line: what`."""
    layers = read_layers(root / "LAYERS")
    yield from cycles(layers)
    if (root / "__init__.py").exists():
        package = Package(root, layers)
        yield from import_problems(package, layers)
        yield from module_cycles(package)
        for inner in sorted(root.glob("*/LAYERS")):
            yield from inner_problems(inner)
    else:
        yield from include_problems(root, layers)


def inner_problems(path: Path) -> Iterator[str]:
    """Yield the broken rules among the sub-packages of a package that has LAYERS of its own."""
    layers = read_layers(path)
    package = Package(path.parent, layers)
    yield from cycles(layers)
    yield from import_problems(package, layers)
    yield from late_problems(package)


def include_problems(root: Path, layers: dict[str, set[str]]) -> Iterator[str]:
    """Yield the includes that LAYERS does not allow."""
    for file in sorted(root.rglob("*")):
        if file.suffix not in SOURCES:
            continue
        room = file.relative_to(root).parts[0]
        if room not in layers:
            yield f"{file}: the room {room} is not in LAYERS"
            continue
        for number, line in enumerate(file.read_text().splitlines(), 1):
            found = INCLUDE.match(line)
            if found and (problem := include_problem(room, found[1], found[2], layers)):
                yield f"{file}:{number}: {problem}"


def main() -> int:
    """Print the broken rules."""
    found = [problem for root in sys.argv[1:] for problem in problems(Path(root))]
    print("\n".join(found) if found else "== layers: clean")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
