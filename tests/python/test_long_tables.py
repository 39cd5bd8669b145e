"""Which cases of tables of tests a usual run takes."""

from pathlib import Path
from types import SimpleNamespace

import long_tables
import pytest


@pytest.fixture
def usual(monkeypatch):
    monkeypatch.delenv("PHALANX_WHOLE_TABLES", raising=False)


def items(test, count, file="tests/python/test_x.py"):
    return [SimpleNamespace(path=Path(file), nodeid=f"{file}::{test}[{i}]") for i in range(count)]


def kept(given, args=("tests/python",)):
    """The cases that are run, and how many pytest is told of as left out."""
    told = []
    hook = SimpleNamespace(pytest_deselected=lambda items: told.extend(items))
    given = list(given)
    long_tables.left_out(SimpleNamespace(args=args, hook=hook), given)
    return [each.nodeid for each in given], len(told)


@pytest.mark.usefixtures("usual")
@pytest.mark.parametrize("count", [11, 12, 80, 1000])
def test_a_share_of_each_table_is_run_and_no_table_is_left_out(count):
    for number in range(50):
        found, told = kept(items(f"test_{number}", count))
        assert len(found) == max(1, round(count / 8)) and told == count - len(found)


@pytest.mark.usefixtures("usual")
def test_the_same_cases_are_run_and_a_new_one_moves_one_other():
    for count in range(11, 60):
        before, after = (set(kept(items("test_of", each))[0]) for each in (count, count + 1))
        assert before == set(kept(items("test_of", count))[0])
        assert len(before - after) <= 1
        elsewhere = kept(items("test_of", count, "/anywhere/tests/python/test_x.py"))[0]
        assert {each.removeprefix("/anywhere/") for each in elsewhere} == before


@pytest.mark.usefixtures("usual")
def test_short_tests_programs_and_named_tests_are_run_whole():
    assert kept(items("test_short", 10)) == ([each.nodeid for each in items("test_short", 10)], 0)
    for name in long_tables.WHOLE:
        assert kept(items("test_all", 30, f"tests/python/{name}.py"))[1] == 0
    assert kept(items("test_all", 30), ("tests/python/test_x.py::test_all",))[1] == 0


def test_files_that_are_run_whole_are_there():
    folder = Path(__file__).parent
    assert all(list(folder.rglob(f"{name}.py")) for name in long_tables.WHOLE)


def test_all_cases_are_run_where_they_are_asked_for(monkeypatch):
    monkeypatch.setenv("PHALANX_WHOLE_TABLES", "1")
    assert kept(items("test_all", 30))[1] == 0
