"""Linear algebra and random numbers in CPU functions, against NumPy."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from from_text import function_with

import phalanx
from phalanx import CompileError, _engine, _library, njit

RANDOM = np.random.default_rng(0)


@njit
def product(a, b):
    return a @ b


@njit
def dotted(a, b):
    return np.dot(a, b)


SHAPES = [((6,), (6,)), ((5, 6), (6,)), ((6,), (6, 4)), ((5, 6), (6, 4)), ((37, 41), (41, 530))]


@pytest.mark.parametrize("shapes", SHAPES)
@pytest.mark.parametrize("dtype", ["float64", "float32", "complex128", "int64"])
def test_products(shapes, dtype):
    a, b = ((RANDOM.random(shape) * 8).astype(dtype) for shape in shapes)
    for function in (product, dotted):
        actual = function(a, b)
        np.testing.assert_allclose(actual, a @ b, rtol=1e-5 if dtype == "float32" else 1e-12)
        assert np.asarray(actual).dtype == (a @ b).dtype or a.ndim == b.ndim == 1
    if a.ndim == b.ndim == 2:
        np.testing.assert_allclose(product(b.T, a.T), b.T @ a.T, rtol=1e-5)


def test_products_that_do_not_fit_raise():
    with pytest.raises(ValueError, match="incompatible array sizes"):
        product(np.ones((2, 3)), np.ones((2, 3)))


@njit
def algebra(a, b):
    return np.linalg.solve(a, b), np.linalg.inv(a), np.linalg.det(a), np.linalg.norm(a)


@pytest.mark.parametrize("dtype", ["float64", "float32", "complex128", "int64"])
@pytest.mark.parametrize("n", [1, 2, 9, 40])
def test_linear_algebra(dtype, n):
    a = (RANDOM.random((n, n)) * 10 + np.eye(n) * 20).astype(dtype)
    for b in (RANDOM.random(n).astype(dtype), RANDOM.random((n, 3)).astype(dtype)):
        rtol = 1e-3 if dtype == "float32" else 1e-8
        solution, inverse, determinant, size = algebra(a, b)
        np.testing.assert_allclose(solution, np.linalg.solve(a, b), rtol=rtol, atol=rtol)
        np.testing.assert_allclose(inverse, np.linalg.inv(a), rtol=rtol, atol=rtol)
        np.testing.assert_allclose(determinant, np.linalg.det(a), rtol=rtol)
        np.testing.assert_allclose(size, np.linalg.norm(a), rtol=rtol)


def test_singular_matrices_raise():
    with pytest.raises(np.linalg.LinAlgError, match="Singular matrix"):
        algebra(np.ones((3, 3)), np.ones(3))
    with pytest.raises(np.linalg.LinAlgError):
        algebra(np.ones((3, 2)), np.ones(3))


def test_matrices_made_and_traced():
    @njit
    def made(a):
        return np.eye(3), np.eye(2, 4, 1), np.identity(2), np.trace(a), np.outer(a[0], a[1])

    a = RANDOM.random((4, 3))
    for actual, expected in zip(made(a), made.py_func(a), strict=True):
        np.testing.assert_allclose(actual, expected)


DRAWS = [
    "np.random.random()", "np.random.random(5)", "np.random.rand(2, 3)", "np.random.randn(7)",
    "np.random.normal(2.0, 3.0, 4)", "np.random.uniform(-1.0, 4.0, (2, 2))",
    "np.random.randint(0, 10, 20)", "np.random.randint(5)", "np.random.randint(-3, 2**40, 9)",
    "np.random.permutation(9)", "np.random.choice(np.arange(5.0), 8)",
    "np.random.standard_normal()", "np.random.permutation(np.arange(4.0))",
    "np.random.exponential(2.0, 3)",
]  # fmt: skip


@pytest.mark.parametrize("draw", DRAWS)
@pytest.mark.parametrize("seed", [0, 12345])
def test_random_numbers_are_those_of_numpy(draw, seed):
    made = function_with(f"np.random.seed(s)\nfirst = {draw}\nreturn first, {draw}", "s", np=np)
    expected = made(seed)
    actual = njit(made)(seed)
    for ours, theirs in zip(actual, expected, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-15)


def test_many_words_equal_numpys():
    @njit
    def many(n):
        np.random.seed(7)
        return np.random.random(n)

    generator = np.random.RandomState(7)
    np.testing.assert_array_equal(many(5000), generator.random_sample(5000))


def test_shuffle_in_place():
    @njit
    def shuffled(a):
        np.random.seed(3)
        np.random.shuffle(a)
        return a

    for a in (np.arange(20), np.arange(12).reshape(6, 2)):
        expected = a.copy()
        np.random.RandomState(3).shuffle(expected)
        np.testing.assert_array_equal(shuffled(a.copy()), expected)


# Numbers of 53 bits: two equal ones of a few thousand come from equal states, not from chance.
DRAW_IN_TWO_THREADS = """
import numpy as np
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
import phalanx
from phalanx import CompileError, _engine, _library, njit

@njit
def draw(out):
    for i in range(out.size):
        out[i] = np.random.random()
    return out

both = Barrier(2)

def in_a_thread(_):
    both.wait()
    return draw(np.empty(1000))

with ThreadPoolExecutor(2) as pool:
    for out in pool.map(in_a_thread, range(2)):
        print(*(float(x).hex() for x in out))
"""


def test_unseeded_numbers_differ_between_processes_and_threads(tmp_path):
    script = tmp_path / "draw.py"  # a file: functions are compiled from their source
    script.write_text(DRAW_IN_TWO_THREADS)

    def in_a_process():
        command = [sys.executable, str(script)]
        shown = subprocess.run(command, capture_output=True, text=True, check=True)
        return [float.fromhex(word) for word in shown.stdout.split()]

    drawn = in_a_process() + in_a_process()
    assert len(set(drawn)) == 4000
    assert all(0 <= x < 1 for x in drawn)


def registered_in(source):
    """The names that a module's functions are registered under, as far as they are written out."""
    for node in ast.walk(ast.parse(source)):
        for call in getattr(node, "decorator_list", ()):
            if isinstance(call, ast.Call) and ast.unparse(call.func) in ("implements", "written"):
                yield from (each.value for each in call.args if isinstance(each, ast.Constant))


def test_what_a_module_registers_is_named_in_the_library():
    """Or it would never be imported for that name, and the function not be found."""
    files = sorted(Path(_library.__file__).parent.glob("*.py"))
    found = [(name, file.stem) for file in files for name in registered_in(file.read_text())]
    assert len(found) > 100
    assert [each for each in found if each[1] not in _library._MODULES_OF.get(each[0], ())] == []


def test_each_name_has_one_meaning():
    """What the compiler has itself is not written in Python, too."""
    compilers = {name.replace("array.", "method.") for name in _engine.numpy_names()}
    both = compilers & _library._MODULES_OF.keys()
    # where(condition) is nonzero(), lists have a copy(), ascontiguousarray(a, dtype) converts.
    assert both == {"numpy.where", "numpy.ascontiguousarray", "method.copy"}


DRAWS = """
import random
import numpy as np
from phalanx import njit
@njit
def draw():
    np.random.seed(3)
    random.seed(3)
    return np.random.randn(2).sum() + random.gauss(0.0, 1.0)
draw()
"""


def test_functions_that_draw_are_kept_on_disk(tmp_path):
    (tmp_path / "draws.py").write_text(DRAWS)
    environment = {**os.environ, "PHALANX_CACHE_DIR": str(tmp_path / "cache")}
    subprocess.run([sys.executable, tmp_path / "draws.py"], env=environment, check=True)
    assert any((tmp_path / "cache").rglob("*.phx"))


@njit
def of_a_list(n):
    made = [0.0]
    for i in range(n):
        made += [i / 2]
    return np.mean(made)


@njit
def draws_by_a_generator(n):
    return np.random.default_rng(3).random(n)


@njit
def total_of_rows(rows):
    return len(rows)


def test_messages_say_what_to_write():
    with pytest.raises(CompileError, match=r"found list\(float64\)\nnp\.array\(\.\.\.\) makes"):
        of_a_list(3)
    with pytest.raises(CompileError, match=r"use numpy\.random\.default_rng\nDraw with"):
        draws_by_a_generator(3)
    with pytest.raises(TypeError, match=r"list of lists .* np\.array\(\.\.\.\) makes an array"):
        total_of_rows([[1, 2], [3, 4]])
    with pytest.raises(TypeError, match=r"pass arrays, which its to_numpy\(\) gives"):
        total_of_rows(phalanx.DataFrame({"a": [1]}))
