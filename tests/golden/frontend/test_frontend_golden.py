"""Kernels to IR, and wrong kernels to messages: text in, text out.

Each case is a .py file with kernels and the signature of each in a comment before it:

    # (float32[::1], int64)
    def kernel(a, n): ...

Before the signature may come what it is if not a kernel: a `device` function, a `function` for
the CPU, or a `parallel` one; a `checked` kernel reports names without a value. What is made around
a function of elements has the name of its form: a kernel `flat`, `rows`, `items`, `reduce`,
`reduce_rows`, or `stacked` (arrays of two dimensions have items of one, those of one dimension
numbers or, the last, arrays of one element), and a `loop` or `parallel` one with the letters of its
operands' layouts. What the front end makes of it is beside it in a .out file;
PHALANX_UPDATE_GOLDEN=1 rewrites it.
"""

from __future__ import annotations

import ast
import linecache
import os
import re
from pathlib import Path

import pytest
from phalanx._types.bridge import argument_types, from_engine, parse
from phalanx._ufunc.compiled import ItemCalls, ItemCore, ItemOperand
from phalanx._ufunc.inner_loops import Function, Operand, parameter_types

from phalanx import _engine, errors

HERE = Path(__file__).parent
CASES = sorted(path for path in HERE.glob("*.py") if not path.name.startswith("test_"))

FORMS = ("flat", "rows", "items", "reduce", "stacked", "loop")


def signatures(text):
    """Function name -> signature text and kind, from the comment above each function."""
    found = {}
    lines = text.splitlines()
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef):
            comment = re.fullmatch(r"# (\w+ )?(\(.*\))", lines[node.lineno - 2])
            if comment:
                found[node.name] = (comment[2], (comment[1] or "kernel").strip())
    return found


def around(function, types, kind):
    """What calls the function for each item."""
    form, _, layouts = kind.partition("_")
    if form in ("loop", "parallel"):
        operands = tuple(Operand(from_engine(each)) for each in types)
        loop = Function(function.__name__, ItemCore(function, ()), operands, True, {})
        return _engine.compile_item_loop(
            loop.core,
            list(parameter_types(loop)),
            loop.name,
            layouts,
            operands=[([], False, 0)] * len(types),
            elementwise=True,
            parallel=form == "parallel",
        )
    items = None
    if form == "stacked":
        last = len(types) - 1
        rows = tuple(
            ItemOperand(
                tuple(range(each.ndim - 1)),
                each.ndim == 2 or i == last,
                i == last,
                from_engine(each.element),
            )
            for i, each in enumerate(types)
        )
        items = ItemCalls(last, rows, "(n),()->()", (0,))
    core = ItemCore(function, (), items)
    return _engine.compile_for_items(core, types, function.__name__, kind.replace("_", " "))


def compiled_function(function, types, kind):
    if kind.partition("_")[0] in FORMS or kind.startswith("parallel_"):
        return around(function, types, kind)
    if kind in ("function", "parallel"):
        return _engine.compile_function(function, types, parallel=kind == "parallel")
    assert kind in ("kernel", "checked", "device")
    return _engine.compile_python(
        function, types, True, kind == "device", unassigned=kind == "checked"
    )


def compiled(path):
    text = path.read_text()
    name = path.name  # messages hold no directory
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    names = {"__name__": path.stem}
    exec(compile(text, name, "exec"), names)
    parts = []
    for function, (signature, kind) in signatures(text).items():
        types = list(argument_types(parse(signature)))
        try:
            result = str(compiled_function(names[function], types, kind)).strip()
        except errors.CompileError as error:
            result = f"{type(error).__name__}: {error}"
        parts.append(f"# {function}\n{result}\n")
    return "\n".join(parts)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_the_front_end_makes_this_of_it(path):
    actual = compiled(path)
    expected = path.with_suffix(".out")
    if os.environ.get("PHALANX_UPDATE_GOLDEN"):
        expected.write_text(actual)
    assert actual == expected.read_text()
