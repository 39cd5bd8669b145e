"""The current device, as a context manager and by name."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import phalanx as px


def test_new_arrays_are_made_on_the_current_device(device):
    before = px.current_device()
    with px.device("cpu") as inner:
        assert inner.name == "cpu" and px.current_device() == "cpu"
        x = px.ones(3)
        with px.device(before):
            assert px.current_device() == before
            assert px.ones(3).device == px.arange(3).device == before.name
        assert px.current_device() == "cpu"
    assert x.device == "cpu" and px.current_device() == before
    assert (x + 1).device == "cpu"


def test_it_is_given_back_after_an_error(device):
    before = px.current_device()
    with pytest.raises(ZeroDivisionError), px.device("cpu"):
        raise ZeroDivisionError
    assert px.current_device() == before


def test_one_object_is_entered_twice(device):
    before = px.current_device()
    cpu = px.device("cpu")
    with cpu, cpu:
        assert px.current_device() == cpu
    assert px.current_device() == before


def test_use_is_of_the_thread(device):
    before = px.current_device()
    seen = []

    def run():
        px.device("cpu").use()
        seen.append(px.arange(3).device)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert seen == ["cpu"] and px.current_device() == before


def test_devices_and_wrong_names(device):
    assert px.device("cpu") in px.devices()
    assert px.device(device).name in map(str, px.devices())
    assert {px.device("cpu"): 1}[px.device("cpu")] == 1
    with pytest.raises(ValueError, match=r"there is no device 'tpu'; there are .*'cpu'"):
        px.device("tpu")
    with pytest.raises(TypeError, match="by its name"):
        px.device(3)
    assert np.asarray(px.zeros(2, device=px.device("cpu"))).tolist() == [0, 0]
