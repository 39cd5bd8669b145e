"""Advice names the fault of a program, and its line; and is silent where there is none."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from phalanx._profile.rates import Rates
from programs import FAULTS, GOOD

import phalanx as px

GPU = Rates(
    launch=5e-6,
    memory=2e12,
    from_host=25e9,
    to_host=25e9,
    copy=1e-5,
    arithmetic=3e13,
    wide_arithmetic=1.5e13,
    processors=132,
    max_threads=2048,
)


def names(programs):
    return [each.name for each in programs]


@pytest.mark.parametrize("program", FAULTS, ids=names(FAULTS))
@pytest.mark.filterwarnings("ignore")
def test_the_planted_fault_and_its_line_are_named(run_profiled, program):
    taken, path = run_profiled(program.text)
    if program.with_gpu_rates:
        taken.rates = {**taken.rates, "cuda:0": GPU}
    found = taken.advice()
    told = [(each.cause, each.site and (each.site.path, each.site.line)) for each in found]
    assert (program.cause, (str(path), program.line)) in told, f"{told}\n{taken}"


def test_a_function_that_python_calls_is_told_from_a_loop(run_profiled):
    program = next(each for each in FAULTS if each.name.startswith("a function of each group"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        taken, _ = run_profiled(program.text)
    told = next(each.text for each in taken.advice() if each.cause == "launches")
    assert "DataFrameGroupBy.apply calls its function in Python" in told and "PHX106" in told


@pytest.mark.parametrize("program", GOOD, ids=names(GOOD))
def test_good_programs_get_no_advice(run_profiled, program):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        taken, _ = run_profiled(program.text)
    assert taken.advice() == [], taken


def test_a_number_of_numpys_is_named_among_what_makes_arrays_wide():
    x = px.asarray(np.ones(2_000_000, np.float32))
    with px.profile() as taken:
        for _ in range(50):
            (x * np.float64(2)).sum()._evaluate()
    (told,) = (each.text for each in taken.advice() if each.cause == "float64")
    assert "float(n)" in told
    assert (x * float(np.float64(2))).dtype == np.float32
