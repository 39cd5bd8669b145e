"""Write the stubs of the modules whose names are found when they are first asked for.

    python tools/make_stubs.py            # with the package on the path; --check writes nothing

Type checkers and editors read the sources (`py.typed`), where they cannot see names that a table
and a module's `__getattr__` give. For each public module that has such names this writes a .pyi
file beside it: what has its definition in a source is imported from there, so that its signature
is written once; functions of kernels, universal functions and functions that NumPy computes are
declared, as they are objects that tables make. See docs/decisions/0092-stubs.md.
"""

from __future__ import annotations

import argparse
import difflib
import importlib
import re
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import stub_declarations as declarations
import stub_homes as homes
from public_names import ALL_MODULES

ROOT = Path(__file__).resolve().parents[1] / "python"
PACKAGE = ROOT / "phalanx"
HEAD = '"""Made by tools/make_stubs.py: what type checkers and editors see of {name}."""\n'

# What declarations use, under names that no public name hides.
BORROWED = {
    "_numpy": "import numpy as _numpy",
    "_bool": "from builtins import bool as _bool",
    "_Sequence": "from collections.abc import Sequence as _Sequence",
    "_Any": "from typing import Any as _Any",
    "_Literal": "from typing import Literal as _Literal",
    "_overload": "from typing import overload as _overload",
}

# Names that a module gives and does not list, by the module that lists them.
FURTHER = {"phalanx.cuda": "phalanx.types"}
# Special names that programs and libraries ask for.
SPECIAL = {"__version__", "__array_api_version__", "__array_namespace_info__"}


class Page(NamedTuple):
    """A public module: its name, its source and what it is at run time."""

    name: str
    source: Path
    module: ModuleType

    @property
    def stub(self) -> Path:
        """Where its stub lies."""
        return self.source.with_suffix(".pyi")

    def static_names(self) -> dict[str, str]:
        """What the source shows; nothing where it puts another module in its place."""
        is_itself = str(self.module.__file__).endswith(str(self.source.relative_to(ROOT)))
        return homes.static_names(self.source) if is_itself else {}

    @property
    def package(self) -> str:
        """What relative imports begin at."""
        is_package = self.source.name == "__init__.py"
        return self.name if is_package else self.name.rpartition(".")[0]


def pages() -> Iterator[Page]:
    """The public modules of the package."""
    for name in sorted(ALL_MODULES):
        path = ROOT.joinpath(*name.split("."))
        source = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        yield Page(name, source, importlib.import_module(name))


def public_names(page: Page) -> list[str]:
    """What `dir` of the module gives, without what it imports for itself."""
    listed = set(getattr(page.module, "__all__", ()))
    own = page.static_names()
    names = set()
    for name in {*dir(page.module), *listed}:
        if name.startswith("_") and name not in SPECIAL:
            continue
        if name in listed or name not in own or own[name] != "import":
            names.add(name)
    if page.name in FURTHER:
        names |= set(importlib.import_module(FURTHER[page.name]).__all__)
    return sorted(names)


def needs_stub(page: Page, names: list[str]) -> bool:
    """Say whether the source alone does not show all of the names."""
    return not set(names) <= page.static_names().keys()


def lines_of(page: Page, names: list[str]) -> list[str]:
    """The stub's lines after its head: imports, then what is declared."""
    imports: set[str] = set()
    declared: list[str] = []
    for name in names:
        home = homes.by_table(name, page.name)
        value = None if home else value_of(page, name)
        home = home or homes.find(value, name, page)
        if home is not None:
            line, _, alias = home.line(page.package, name).partition("\n")
            imports.add(line)
            declared += [alias] if alias else []
        else:
            made = declarations.of(value, name)
            imports |= {each.line(page.package, alias) for alias, each in made.types.items()}
            declared += [each for each in (*made.before, made.text) if each not in declared]
    if hasattr(page.module, "__all__"):
        declared.insert(0, "__all__: list[str]")
    return [*sorted(imports), "", *declared]


def value_of(page: Page, name: str) -> Any:
    """What a program gets under the name."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return getattr(page.module, name)


def text_of(page: Page) -> str | None:
    """The stub, or None for a module that needs none."""
    names = public_names(page)
    if not needs_stub(page, names):
        return None
    lines = lines_of(page, names)
    text = "\n".join(lines).strip("\n")
    further = [line for word, line in BORROWED.items() if re.search(rf"\b{word}\b", text)]
    return "\n".join((HEAD.format(name=page.name), *further, text, ""))


def main() -> int:
    """Write the stubs, or say which are not current."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--check", action="store_true", help="write nothing; 1 if one is not current"
    )
    check = parser.parse_args().check
    stale = 0
    found = list(pages())
    homes.import_everything(PACKAGE, ROOT)
    for page in found:
        expected = text_of(page)
        present = page.stub.read_text() if page.stub.exists() else None
        if expected == present:
            continue
        stale += 1
        if check:
            print_difference(page, present, expected)
        elif expected is None:
            page.stub.unlink()
        else:
            page.stub.write_text(expected)
    print(f"== stubs: {stale} {'not current: run tools/make_stubs.py' if check else 'written'}")
    return bool(stale and check)


def print_difference(page: Page, present: str | None, expected: str | None) -> None:
    """Show the first lines that differ."""
    lines = difflib.unified_diff(
        (present or "").splitlines(), (expected or "").splitlines(), str(page.stub), "made now",
        lineterm="", n=0,
    )  # fmt: skip
    print("\n".join(list(lines)[:20]))


if __name__ == "__main__":
    sys.exit(main())
