"""How warnings look, that they are kept with the cache entry, and how they are silenced."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from phalanx import errors

GUIDE = Path(__file__).resolve().parents[2] / "docs/guide/warnings.md"

PROGRAM = """
import numpy as np
from phalanx import cuda, njit, prange

@cuda.jit(device=True)
def third(x):
    return x / 3

@cuda.jit
def scale(a):
    i = cuda.grid(1)
    if i < a.size:
        a[i] = a[i] * 2  # wide

@cuda.jit
def divide(a):
    i = cuda.grid(1)
    if i < a.size:
        a[i] = third(a[i])

@cuda.jit
def clear(a):
    i, j = cuda.grid(2)
    if i < a.shape[0] and j < a.shape[1]:
        a[i, j] = 0  # gaps

@njit(parallel=True)
def chain(n):
    x = 1.0
    for i in prange(n):
        x = x / 2 + i
    return x

a = cuda.to_device(np.ones(64, np.float32))
square = cuda.to_device(np.ones((64, 64), np.float32))
for again in range(3):
    scale[128, 32](a)
    scale[128, (16, 2)](a)  # other code on the CPU device, for rows of threads
    divide[128, 32](a)
    clear[(64, 64), (1, 8)](square)
    chain(10)
cuda.synchronize()
"""

SAID = {
    "PHX103 scale": ("Float64Warning", "a[i] = a[i] * 2  # wide"),
    "PHX103 divide": ("Float64Warning", "return x / 3"),
    "PHX104 clear": ("StrideWarning", "a[i, j] = 0  # gaps"),
    "PHX105 the prange loop": ("ParallelWarning", "for i in prange(n):"),
}


def codes():
    found = {}
    for each in vars(errors).values():
        if isinstance(each, type) and "code" in vars(each) and issubclass(each, Warning):
            found[each.code] = each.__name__
    return found


def test_each_code_has_its_section_in_the_guide():
    text = GUIDE.read_text()
    sections = re.findall(r"^## (PHX\d+)$", text, re.MULTILINE)
    rows = dict(re.findall(r"^\| \[(PHX\d+)\]\(#phx\d+\) \| `(\w+)` \|", text, re.MULTILINE))
    assert sections == sorted(codes())
    assert rows == codes()
    assert all(re.search(rf"\[{code}\]\(#{code.lower()}\)", text) for code in sections)
    leaves = {
        name
        for name, each in vars(errors).items()
        if isinstance(each, type)
        and issubclass(each, errors.PhalanxWarning)  # others have pandas' names, and no code
        and not each.__subclasses__()
    }
    assert set(codes().values()) == leaves
    assert "guide/warnings.md" in (GUIDE.parents[1] / "README.md").read_text()


def lines_of(text):
    """(place, class, message, source line) of what Python printed of warnings."""
    return re.findall(r"^(\S+:\d+): (\w+Warning): (.*)\n  (.*)$", text, re.MULTILINE)


def test_warnings_are_one_line_each_and_name_the_place_once(run_python):
    done = run_python(PROGRAM, PHALANX_DEVICE="cpu")
    found = lines_of(done.stderr)
    assert len(done.stderr.splitlines()) == 2 * len(found) == 2 * len(SAID), done.stderr
    for place, category, message, source in found:
        begin = next(each for each in SAID if message.startswith(each))
        assert (category, source) == SAID[begin]
        assert message.endswith(f"[docs/guide/warnings.md#{message[:6].lower()}]")
        assert done.stderr.count(place) == 1


def test_a_warm_cache_gives_the_same_warnings(run_python):
    cold = run_python(PROGRAM, PHALANX_DEVICE="cpu").stderr
    warm = run_python(PROGRAM, PHALANX_DEVICE="cpu").stderr
    assert sorted(lines_of(warm)) == sorted(lines_of(cold)) != []


EDITS = {
    "lines above": lambda text: "\n\n# more\n" + text,
    "a comment inside": lambda text: text.replace(
        "    i = cuda.grid(1)", "    # x\n    i = cuda.grid(1)"
    ),
    "a decorator of two lines": lambda text: text.replace("@cuda.jit\n", "@cuda.jit(\n)\n"),
}


@pytest.mark.parametrize("edit", EDITS)
def test_warnings_of_the_cache_follow_their_lines(run_python, edit):
    """A kernel that moved in its file is the same code; its warning is where it is now."""
    run_python(PROGRAM, PHALANX_DEVICE="cpu")
    moved = EDITS[edit](PROGRAM)
    warm = run_python(moved, PHALANX_DEVICE="cpu").stderr
    fresh = run_python(moved, PHALANX_DEVICE="cpu", PHALANX_CACHE="0").stderr
    assert sorted(lines_of(warm)) == sorted(lines_of(fresh))
    assert len(lines_of(warm)) == len(SAID)


SILENT = [
    ([], {"PHALANX_ADVICE": "0"}, []),
    (["-W", "ignore"], {}, []),
    (["-W", "ignore:PHX"], {}, []),
    (["-W", "ignore:PHX1"], {}, []),
    (["-W", "ignore::UserWarning"], {}, []),
    ([], {"PYTHONWARNINGS": "ignore:PHX103,ignore:PHX105"}, ["PHX104 clear"]),
    (["-W", "ignore:PHX104"], {}, ["PHX103 scale", "PHX103 divide", "PHX105 the prange loop"]),
]


@pytest.mark.parametrize(("options", "environment", "left"), SILENT)
def test_warnings_are_silenced(run_python, options, environment, left):
    for _ in range(2):  # without and with entries in the cache
        done = run_python(PROGRAM, *options, PHALANX_DEVICE="cpu", **environment)
        said = [message for _, _, message, _ in lines_of(done.stderr)]
        assert len(said) == len(left), done.stderr
        assert all(any(each.startswith(begin) for each in said) for begin in left)


@pytest.mark.parametrize("environment", [{}, {"PHALANX_ADVICE": "0"}])
def test_warnings_become_errors_unless_they_are_not_given(run_python, environment):
    for _ in range(2):
        done = run_python(
            PROGRAM, "-W", "error:PHX103", check=False, PHALANX_DEVICE="cpu", **environment
        )
        assert (done.returncode == 0) == bool(environment), done.stderr
        assert ("Float64Warning: PHX103 scale" in done.stderr) == (not environment)


def test_advice_that_a_program_sets_stays_silent_where_the_user_wants_none(run_python):
    code = "import phalanx\nphalanx.set_advice(float64=True, strides=True)\n" + PROGRAM
    assert run_python(code, PHALANX_DEVICE="cpu", PHALANX_ADVICE="0").stderr == ""
    code = "import phalanx\nphalanx.set_advice(float64=False, parallel=False)\n" + PROGRAM
    assert [each[1] for each in lines_of(run_python(code, PHALANX_DEVICE="cpu").stderr)] == [
        "StrideWarning"
    ]


def test_small_grids_and_copies_are_told_once_a_kernel(run_python, device):
    code = """
import numpy as np
from phalanx import cuda
@cuda.jit
def touch(a):
    a[0] = 1
for blocks in range(1, 5):
    touch[blocks, 32](np.zeros(4))
"""
    said = [each[1] for each in lines_of(run_python(code, PHALANX_DEVICE=device).stderr)]
    assert said == (["OccupancyWarning", "CopyWarning"] if device == "cuda" else [])


def test_options_that_exclude_each_other_warn_at_the_decorator():
    from phalanx import cuda

    with pytest.warns(errors.OptionWarning, match=r"PHX301 debug and lineinfo") as caught:
        cuda.jit(debug=True, lineinfo=True)(lambda: None)
    assert caught[0].filename == __file__
