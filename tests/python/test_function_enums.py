"""Members of enums as arguments and results of CPU functions."""

from __future__ import annotations

import enum
import gc
import os
import subprocess
import sys

import pytest

from phalanx import njit


class Color(enum.Enum):
    red = 1
    green = 2


class Size(enum.Enum):
    small = 1
    half = 2.5
    pair = (1, 2)


class Access(enum.Flag):
    read = 1
    write = 2


@njit
def same(member):
    return member


@njit
def chosen(n):
    if n:
        return Color.red
    return Color.green


def local_enum():
    class Color(enum.Enum):
        blue = 1

    return Color


@pytest.mark.parametrize(
    "member", (*Color, *Size, *Access, Access.read | Access.write), ids=lambda member: str(member)
)
def test_a_member_comes_back_as_itself(member):
    assert same(member) is member
    assert njit(lambda a: (1, (a,)))(member)[1][0] is member
    assert same((member, Color.red)) == (member, Color.red)


def test_a_member_that_the_function_names_comes_back():
    assert chosen(1) is Color.red and chosen(0) is Color.green
    assert njit(lambda n: [Color.red, Color.green][n])(1) is Color.green
    assert njit(lambda: [Color.red, Color.green])() == [Color.red, Color.green]
    assert njit(lambda: Color["green"])() is Color.green


def test_enums_of_one_name_are_told_apart():
    first, second = local_enum(), local_enum()
    for kind in (first, second, Color):
        assert same(kind(1)) is kind(1)
    swapped = njit(lambda a, b: (b, second.blue, a, a is b))(first.blue, Color.red)
    assert swapped == (Color.red, second.blue, first.blue, False)


def test_a_member_of_a_class_that_is_gone_is_an_error():
    def made():
        member = local_enum().blue
        return njit(lambda: member)

    function = made()
    kind = type(function())
    assert kind.__qualname__ == "local_enum.<locals>.Color"
    cells = function.py_func.__closure__
    cells[0].cell_contents = None
    del kind
    gc.collect()
    with pytest.raises(TypeError, match=r"enum Color\w* is not there any more"):
        function()


CACHED = """
import enum
from phalanx import njit
class Color(enum.Enum):
    red = 1
@njit(cache=True)
def both(member):
    return member, Color.red
assert both(Color.red)[0] is both(Color.red)[1] is Color.red
"""


def test_a_function_of_the_cache_returns_members(tmp_path):
    (tmp_path / "cached.py").write_text(CACHED)
    environment = {**os.environ, "PHALANX_CACHE_DIR": str(tmp_path / "cache")}
    for _ in range(2):
        subprocess.run([sys.executable, tmp_path / "cached.py"], env=environment, check=True)
        assert any((tmp_path / "cache").rglob("*"))


def test_a_value_that_no_member_has_is_an_error():
    class Odd(enum.Enum):
        nothing = float("nan")

    with pytest.raises(TypeError, match="the enum Odd has no member of the value nan"):
        same(Odd.nothing)
