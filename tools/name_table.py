"""Writes docs/guide/numpy-names.md: which of NumPy's names there are.

    python tools/name_table.py [--check]

With --check nothing is written; the exit status is 1 where the file says something else.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

import phalanx as px

FILE = Path(__file__).parent.parent / "docs" / "guide" / "numpy-names.md"
HEADING = """# NumPy's names

Made by `tools/name_table.py` of NumPy {version}: names without a leading underscore, of the
modules those in `__all__`. What is missing raises an `AttributeError` that says how to call
NumPy's.

| NumPy's | names | here | missing |
|---|---:|---:|---|
"""


def methods_of(kind: Any) -> list[str]:
    """All public names of a class."""
    return sorted(name for name in dir(kind) if not name.startswith("_"))


def namespaces() -> list[tuple[str, Iterable[str], Any]]:
    """Title, NumPy's names, and the module or class of ours that has them."""
    generator = type(px.random.default_rng(0))
    return [
        ("`numpy`", np.__all__, px),
        ("`numpy.linalg`", np.linalg.__all__, px.linalg),
        ("`numpy.fft`", np.fft.__all__, px.fft),
        ("`numpy.random`", np.random.__all__, px.random),
        ("`numpy.random.Generator`", methods_of(np.random.Generator), generator),
        ("`numpy.ndarray`", methods_of(np.ndarray), type(px.zeros(1))),
    ]


# Ours of this name is pandas'.
PANDAS = {"testing"}


def _has(ours: Any, name: str) -> bool:
    return hasattr(ours, name) and not (ours is px and name in PANDAS)


def counts() -> dict[str, tuple[int, int]]:
    """How many names each has, and how many there are here."""
    return {
        title: (len({*names}), sum(_has(ours, name) for name in {*names}))
        for title, names, ours in namespaces()
    }


def table() -> str:
    """The file's text."""
    rows, lists = [], []
    for title, names, ours in namespaces():
        every = sorted({*names})
        there = [name for name in every if _has(ours, name)]
        missing = ", ".join(f"`{name}`" for name in every if name not in there)
        rows.append(f"| {title} | {len(every)} | {len(there)} | {missing} |\n")
        lists.append(f"\n## {title}\n\n{', '.join(f'`{name}`' for name in there)}.\n")
    return HEADING.format(version=np.__version__) + "".join(rows) + "".join(lists)


def main() -> int:
    """Write the file, or compare it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    is_check = parser.parse_args().check
    if is_check:
        return int(FILE.read_text() != table())
    FILE.write_text(table())
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
