"""phalanx.benchmark."""

from __future__ import annotations

import math
import time

import numpy as np
import pytest

import phalanx
import phalanx as px
from phalanx import cuda


def wait(seconds):
    time.sleep(seconds)


def twice(seconds):
    time.sleep(2 * seconds)


def test_a_function_has_its_median_spread_and_first_call():
    timing = phalanx.benchmark(wait, 0.005, runs=7)
    assert timing.name == "wait"
    assert len(timing.times) == len(timing.host_times) == 7
    assert 0.005 <= timing.best <= timing.median
    assert timing.host_median <= timing.median
    assert timing.spread >= 0
    assert timing.first >= 0.005
    assert "wait" in repr(timing)


def test_several_functions_are_compared_with_the_first():
    both = phalanx.benchmark([wait, twice], 0.01, runs=3, names=["once", "twice"])
    assert [each.name for each in both] == ["once", "twice"]
    assert both[1].median > both[0].median
    head, once, two = repr(both).splitlines()
    assert head.split()[-1] == "ratio"
    assert once.split()[-1] == "1.00"
    assert float(two.split()[-1]) > 1


def test_results_that_are_recorded_are_computed():
    x = px.asarray(np.ones(10))
    made = []

    def double(x):
        made.append(x * 2)
        return {"result": [made[-1]]}

    phalanx.benchmark(double, x, runs=1)
    assert not any(each._is_pending for each in made)


def test_a_launch_is_called_as_its_kernel():
    @cuda.jit
    def fill(x):
        x[0] = 1

    assert phalanx.benchmark(fill[1, 1], cuda.device_array(1), runs=1).name == "fill"


def test_the_time_bounds_the_runs():
    timing = phalanx.benchmark(wait, 0.01, seconds=0.1)
    assert 5 <= len(timing.times) <= 11
    assert len(phalanx.benchmark(wait, 0, seconds=10.0).times) == 1000


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        ((3,), {}, TypeError, "argument|calls functions"),
        (([wait, 3],), {}, TypeError, "int is none: pass the function"),
        (([],), {}, ValueError, "no function"),
        ((wait, 0), {"runs": 0}, ValueError, "at least 1 run"),
        ((wait, 0), {"warmup": 0}, ValueError, "warm-up of at least 1"),
        ((wait, 0), {"names": ["a", "b"]}, ValueError, "1 functions and 2 names"),
        (([wait, wait], 0), {"names": "ab"}, ValueError, "2 functions and 1 names"),
        ((wait, 0), {"runs": 2.5}, TypeError, r"benchmark\(runs=\) is a whole number, not float"),
        ((wait, 0), {"warmup": "1"}, TypeError, r"benchmark\(warmup=\) is a whole number"),
        ((wait, 0), {"warmup": None}, TypeError, r"benchmark\(warmup=\) is a whole number"),
        ((wait, 0), {"names": [1]}, TypeError, r"benchmark\(names=\) are texts, not int"),
        ((wait, 0), {"seconds": "1"}, TypeError, r"benchmark\(seconds=\) is a number, not str"),
        ((wait, 0), {"seconds": -1}, ValueError, "0 or more, not -1"),
        ((wait, 0), {"seconds": math.nan}, ValueError, "0 or more, not nan"),
    ],
)
def test_wrong_input_is_refused(arguments, options, error, message):
    with pytest.raises(error, match=message):
        phalanx.benchmark(*arguments, **options)
