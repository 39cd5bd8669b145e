"""Threads that use one array at once: assignments, views, reads."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import phalanx as px
from phalanx import _engine

THREADS = 6
TURNS = 30
pytestmark = pytest.mark.usefixtures("device", "frequent_turns")


def at_once(*works):
    """Calls each of `works` in THREADS threads, TURNS times each."""
    device = _engine.current_device()
    failures = []

    def run(work):
        try:
            _engine.set_current_device(device)
            for _ in range(TURNS):
                work()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=run, args=(work,)) for work in works * THREADS]
    for each in threads:
        each.start()
    for each in threads:
        each.join(120)
    assert not any(each.is_alive() for each in threads)
    if failures:
        raise failures[0]


def one_number(array):
    """The number that all elements are: an assignment is seen whole or not at all."""
    host = np.asarray(px.array(array))
    assert (host == host.flat[0]).all()
    return host.flat[0]


def test_an_array_is_assigned_while_others_read(device):
    x = px.zeros((40, 50))

    def add():
        nonlocal x
        x += 1

    at_once(add, lambda: one_number(x + 1), lambda: one_number(x.T * 2))
    assert 1 <= one_number(x) <= THREADS * TURNS  # two that add at once may both read the same


def test_arrays_that_share_elements(device):
    x = px.zeros((40, 50))
    upper = x[:20]

    def add():
        local = upper[:10]
        local += 1

    def add_to_columns():
        local = x.T[3]
        local += 1

    at_once(add, add_to_columns, lambda: one_number(x[:10, 4:] + 1), lambda: one_number(x[20:, 4:]))
    assert 1 <= one_number(x[:10, 4:]) <= THREADS * TURNS
    assert one_number(x[20:, 4:]) == 0
    assert 1 <= one_number(x[20:, 3]) <= THREADS * TURNS


def test_values_that_several_threads_look_at(device):
    def look():
        x = px.asarray(np.arange(5000.0))
        y = px.sqrt(x) + shared
        assert np.array_equal(np.asarray(y), np.sqrt(np.arange(5000.0)) + expected)

    base = px.asarray(np.arange(5000.0))
    expected = np.arange(5000.0) * 3 + 1
    shared = base * 3 + 1
    at_once(look)
