"""What `explain` tells of kernels that will run and of those that ran."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

import phalanx as px
from phalanx import _engine

pytestmark = pytest.mark.usefixtures("device")


def kernels():
    return _engine.array_statistics()["kernels"]


def square(n=64):
    return px.asarray(np.random.default_rng(1).random((n, n), np.float32))


def test_recorded_kernels_are_told_and_not_run(device):
    x = square(200)
    y = x + x.T - x.mean(axis=0)
    before = kernels()
    made = px.explain(y)
    assert kernels() == before and y._is_pending
    first, last = made.kernels
    assert [first.number, last.number] == [1, 2]
    assert first.code.startswith("sum(a, axis=0)") or first.code.startswith("mean(a, axis=0)")
    assert first.shape == (200,) and "reduction" in first.why
    assert first.bytes_read == 200 * 200 * 4 and first.bytes_written == 200 * 4
    assert last.shape == (200, 200) and last.dtype == "float32" and "asked" in last.why
    assert last.bytes_written == 200 * 200 * 4
    assert {each.kernel for each in last.inputs} == {None, 1}
    assert not (first.has_run or last.has_run)
    assert all(each.expected_seconds > 0 and each.seconds is None for each in made.kernels)
    assert kernels() == before
    expected = np.asarray(x) + np.asarray(x).T - np.asarray(x).mean(0)
    np.testing.assert_allclose(y, expected, rtol=1e-5, atol=1e-6)
    assert kernels() == before + 2


def test_kernels_that_ran_are_told_with_what_they_read(device):
    x = square(300)  # too large for a kernel that folds on its way
    y = px.exp(x / x.max()) * 2
    np.asarray(y)
    made = px.explain(y)
    assert [each.has_run for each in made.kernels] == [True, True]
    assert made.kernels[1].inputs[-1].kernel == 1
    assert "exp" in made.kernels[1].code
    z = px.explain(y + 1)
    assert [each.has_run for each in z.kernels] == [True, True, False]


def test_measured_kernels_have_times(device):
    y = square() * 2 + 1
    made = px.explain(y, measure=True)
    assert not y._is_pending
    assert len(made.kernels) == 1 and made.kernels[0].seconds > 0
    np.testing.assert_array_equal(y, np.asarray(square()) * 2 + 1)


def test_the_code_of_kernels_that_ran(device):
    y = px.sqrt(square() * 2 + 1)
    with pytest.raises(ValueError, match="measure=True"):
        px.explain(y).kernels[0].ir()
    kernel = px.explain(y, measure=True).kernels[0]
    assert "kernel @px_sqrt(" in kernel.ir()
    assert "define" in kernel.llvm()
    assert ("sqrtps" if device == "cpu" else "sqrt.rn.f32") in kernel.assembly()


def test_code_shows_the_expression_and_its_numbers(device):
    a, b = square(4), square(4)
    assert px.explain(a * 2.5 + px.sin(b)).kernels[0].code == "(a * 2.5) + sin(b)"
    t = px.exp(a)
    assert px.explain(t / (t + 1)).kernels[0].code == "t0 = exp(a); t0 / (t0 + 1)"
    assert px.explain((a > 0.5).sum(axis=(0, 1))).kernels[0].code.startswith("sum(")
    assert px.explain(a.astype("float64")).kernels[0].code == "float64(a)"


def test_arrays_that_no_kernel_made(device):
    made = px.explain(px.asarray(np.arange(3.0)))
    assert made.kernels == () and "no kernel" in repr(made)


def test_assignments_are_kernels_too(device):
    x = square()
    part = x[1:]
    part[...] = part * 2
    assert any("*" in each.code for each in px.explain(x).kernels)


def test_text_and_pictures(device):
    x = square(200)
    y = x + x.T - x.mean(axis=0)
    text = repr(px.explain(y))
    assert text.startswith("float32 (200, 200) on ") and "will run" in text
    assert all(len(line) < 250 for line in text.splitlines())
    ElementTree.fromstring(px.explain(y, "svg"))
    page = px.explain(y, "html")
    assert page.startswith("<!DOCTYPE html>") and page.count("<rect") == 3
    assert "<svg" in px.explain(y)._repr_html_()


def test_wrong_arguments(device):
    with pytest.raises(TypeError, match="takes an array"):
        px.explain(3)
    with pytest.raises(ValueError, match="'text', 'html' or 'svg'"):
        px.explain(square(), "pdf")


def test_loops_go_on_to_take_the_same_kernels(device):
    """Although what is computed together with a value is found among the arrays made last."""

    def step(x):
        root = px.sqrt(x + 1.03125)
        low, high = root * 0.25 - x, root * 0.75 + x
        return low, px.exp(-high) * low

    x = px.asarray(np.linspace(0, 1, 40_000))
    counts = []
    for _ in range(6):
        low, made = step(x)
        made._evaluate()
        low._evaluate()
        counts.append(_engine.statistics()["counts"]["codegen"])
    assert counts[-1] == counts[1]
