"""A few random functions against Numba; tests/fuzz/functions.py runs as many as one likes."""

import math
import pathlib
import sys

import numpy as np
import pytest

pytest.importorskip("numba")
_FOLDER = pathlib.Path(__file__).parents[1] / "fuzz"
sys.path.insert(0, str(_FOLDER))
import batches  # noqa: E402
import functions as fuzz  # noqa: E402
from interpreted import Interpreted  # noqa: E402


@pytest.mark.parametrize("number", range(12))
def test_a_random_function_gives_what_numba_gives(number):
    assert list(fuzz.differences(number)) == []


# Numbers that differed: 32 multiplies beyond 64 bits, 50 divides floats, 58 adds beyond 64 bits.
@pytest.mark.parametrize("number", [32, 50, 58])
def test_a_function_that_differed_once_gives_what_numba_gives(number):
    assert list(fuzz.differences(number)) == []


@pytest.mark.parametrize("number", range(1, 4))
def test_what_gives_the_interpreters_results_gives_numbas(number):
    function = fuzz.Function(number)
    assert function.is_as_interpreted()
    assert function.numba_difference() == ""


INTERPRETED = [
    ("a + 1", (5,), 6, False),
    ("a + 1", (2**63 - 1,), -(2**63), True),
    ("-a", (-(2**63),), -(2**63), True),
    ("abs(a) << 3", (2**62 + 1,), 8, True),
    ("2**63 - 1 + a", (0,), 2**63 - 1, False),
    ("a**0.5", (4.0,), 2.0, False),
    ("(a + a)**2", (1e300,), math.inf, True),
    ("a / (a - a)", (1.0,), "ZeroDivisionError", False),
    ("a**-1", (0.0,), "ZeroDivisionError", False),
    ("a * 2", (np.int32(2**31 - 1),), 2**32 - 2, False),
]


@pytest.mark.parametrize(("expression", "values", "expected", "departed"), INTERPRETED)
def test_the_interpreter_wraps_and_says_so(expression, values, expected, departed):
    function = Interpreted(f"def f(a):\n    a = {expression}\n    return a\n")
    assert fuzz.is_same(fuzz.outcome(function, values), expected)
    assert function.departed is departed


def test_a_root_of_a_negative_number_is_no_number():
    assert math.isnan(Interpreted("def f(a):\n    a **= 0.5\n    return a\n")(-1.0))


def test_what_differs_from_python_is_asked_of_numba(monkeypatch):
    monkeypatch.setattr(fuzz, "function_text", lambda number: "def f(a, b, x, y, p):\n    return a")
    tally = fuzz.Counter()
    assert list(fuzz.differences(1, tally)) == []
    assert tally == {"interpreter": 1}
    monkeypatch.setattr(fuzz.Function, "is_as_interpreted", lambda self: False)
    assert list(fuzz.differences(1, tally)) == []
    assert tally == {"interpreter": 1, "Numba": 1}
    monkeypatch.setattr(fuzz, "is_same", lambda a, b: False)
    assert "function 1" in next(fuzz.differences(1, tally))


def _script(folder, numbers_that_die=(), numbers_that_differ=()):
    path = folder / "script.py"
    path.write_text(
        "import argparse, os\n"
        "parser = argparse.ArgumentParser()\n"
        "parser.add_argument('--first', type=int)\n"
        "parser.add_argument('--count', type=int)\n"
        "parser.add_argument('--progress', action='store_true')\n"
        "given = parser.parse_args()\n"
        "for number in range(given.first, given.first + given.count):\n"
        "    print('at', number, flush=True)\n"
        f"    if number in {tuple(numbers_that_die)}: os.abort()\n"
        f"    if number in {tuple(numbers_that_differ)}: print('differs', number)\n"
        "print('at', given.first + given.count)\n"
        "print('judge of numbers:', given.count)\n"
    )
    return [sys.executable, str(path)]


def test_batches_name_what_differs_and_what_dies_and_go_on_where_they_ended(tmp_path, capsys):
    script = _script(tmp_path, numbers_that_die=[7], numbers_that_differ=[3, 8])
    record = tmp_path / "record.txt"
    assert batches.run(script, range(5), jobs=2, size=4, record=record) == 1
    assert batches.run(script, range(12), jobs=2, size=4, record=record) == 3
    printed = capsys.readouterr().out
    assert printed.count("differs 3\n") == 1
    assert "number 7: the process ended with -6" in printed
    # The process that died had counted nothing yet.
    assert printed.splitlines()[-3:] == [
        "12 of 12 done from 0: 3 differ",
        "numbers that differ: 3 7 8",
        "judge of numbers: 9",
    ]


def test_a_number_without_an_end_is_named(tmp_path, capsys, monkeypatch):
    script = _script(tmp_path, numbers_that_differ=[5])
    path = tmp_path / "script.py"
    path.write_text(path.read_text().replace("print('differs', number)", "time.sleep(60)", 1))
    path.write_text("import time\n" + path.read_text())
    monkeypatch.setattr(batches, "LIMIT", 3)
    assert batches.run(script, range(8), jobs=1) == 1
    assert "number 5: the process printed nothing for 3 s" in capsys.readouterr().out


def test_batches_end_in_time(tmp_path, capsys):
    assert batches.run(_script(tmp_path), range(9), jobs=1, seconds=0) == 0
    assert "0 of 9 done" in capsys.readouterr().out
