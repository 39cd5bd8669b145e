"""Kernels made by exec() and eval() have a source under the import names of `phalanx run`."""

import builtins
import linecache

import numpy as np
import pytest
from phalanx.compat import _text_sources

from phalanx import cuda

KERNEL = "def f(x):\n    x[cuda.grid(1)] += 1\n"


@pytest.fixture
def kept():
    _text_sources.install()
    yield
    _text_sources.uninstall()


def test_a_kernel_made_by_exec_runs(kept, device):
    space = {"cuda": cuda}
    exec(KERNEL, space)
    x = np.zeros(4, np.int32)
    cuda.jit(space["f"])[1, 4](x)
    assert x.tolist() == [1, 1, 1, 1]


def test_exec_and_eval_use_the_caller_s_names(kept):
    outer = 3
    assert eval("(lambda a: a)(outer)") == 3
    space = {}
    exec("def f():\n    return 5\nresult = f()", space)
    assert space["result"] == 5
    exec("def g():\n    return 6", None, space)
    assert space["g"]() == 6
    assert eval("  outer + 1") == outer + 1
    assert eval("x + y", {"x": 1}, {"y": 2}) == 3


def test_a_class_body_s_locals_are_written(kept):
    class Made:
        exec("def method(self):\n    return 7")

    assert Made().method() == 7


def test_the_caller_s_future_statements_hold(kept):
    caller = {}
    text = "from __future__ import annotations\ndef run():\n    space = {}\n"
    text += "    exec('def f(x: no_such): pass', space)\n    return space['f']"
    exec(text, caller)
    assert caller["run"]().__annotations__ == {"x": "no_such"}


def test_errors_are_those_of_the_built_ins(kept):
    with pytest.raises(SyntaxError):
        exec("def :")
    with pytest.raises(NameError):
        eval("no_such_name")
    with pytest.raises(TypeError):
        exec("pass", globals={}, locals={}, nothing=1)


def test_old_texts_are_dropped(kept, monkeypatch):
    monkeypatch.setattr(_text_sources, "_KEPT", len(_text_sources._names) + 3)
    before = len(linecache.cache)
    for _ in range(10):
        exec("def f(): pass", {})
    assert len(linecache.cache) <= before + 3


def test_uninstalling_puts_the_built_ins_back():
    _text_sources.install()
    _text_sources.uninstall()
    assert builtins.exec is _text_sources._exec
    assert builtins.eval is _text_sources._eval
