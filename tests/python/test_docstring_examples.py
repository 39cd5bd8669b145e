"""Every example in the docstring of a public name runs, and shows what the docstring says."""

import doctest
import inspect
import re
import sys
from pathlib import Path

import numpy as np
import pytest

import phalanx as px
from phalanx import cuda

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
import public_names

FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
NAMES = {"np": np, "px": px, "phalanx": px, "cuda": cuda}


def documented():
    """(name, docstring) of the public names with an example, members of classes too, each once."""
    seen = {}
    for each in public_names.all_names():
        text = each.docstring
        is_ours = each.kind in ("method", "property") or public_names.is_ours(each.value)
        if ">>>" in text and is_ours:
            seen.setdefault(text, each.path)
    seen.setdefault(px.types.__doc__, "phalanx.types")
    return [(name, text) for text, name in seen.items()]


EXAMPLES = documented()

# What examples that have a word need.
NEEDS = {
    "parquet": "pyarrow", "feather": "pyarrow", "orc(": "pyarrow", "pyarrow": "pyarrow",
    "excel": "openpyxl", "Excel": "openpyxl", "html(": "lxml", "import pandas": "pandas",
}  # fmt: skip


@pytest.mark.parametrize(("name", "text"), EXAMPLES, ids=[name for name, _ in EXAMPLES])
def test_an_example_runs(name, text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # some write files
    example = text[text.index(">>>") :]
    for word, library in NEEDS.items():
        if word in example:
            pytest.importorskip(library)
    parser = doctest.DocTestParser()
    test = parser.get_doctest(inspect.cleandoc(text), dict(NAMES), name, name, 0)
    said = []
    doctest.DocTestRunner(optionflags=FLAGS).run(test, out=said.append)
    assert not said, "".join(said)


def test_most_of_the_functions_of_arrays_have_an_example():
    from phalanx._arrays.names import NAMES as known

    functions = [
        name
        for name in known
        if inspect.isfunction(getattr(px, name)) and getattr(px, name).__module__ != "numpy"
    ]
    without = [name for name in functions if ">>>" not in (getattr(px, name).__doc__ or "")]
    assert len(without) <= 10, without


def test_examples_show_a_use_and_no_class_check():
    check = re.compile(r">>> (issubclass|hasattr|callable)\(")
    bare = [name for name, text in EXAMPLES if text.count(">>> ") == 1 and check.search(text)]
    assert bare == ["phalanx.errors.SpillError"]  # is raised where a disk is full
