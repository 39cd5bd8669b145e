"""The current device, as a context manager and by name."""

from __future__ import annotations

import pickle
import threading

import numpy as np
import pytest

import phalanx as px
from phalanx import errors


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
    with pytest.raises(ValueError, match="; with PHALANX_CPU_DEVICES=65 there is"):
        px.device("cpu:64")
    with pytest.raises(ValueError, match="python -m phalanx info says"):
        px.device("cuda:64")
    with pytest.raises(ValueError, match=r"no device 'cpu:x'.*PHALANX_CPU_DEVICES=N"):
        px.device("cpu:x")
    with pytest.raises(TypeError, match="by its name"):
        px.device(3)
    assert np.asarray(px.zeros(2, device=px.device("cpu"))).tolist() == [0, 0]


def test_the_device_of_an_array_is_a_name_and_a_device(device):
    here = px.zeros(2).device
    assert (
        here == px.current_device().name and isinstance(here, str) and hash(here) == hash(str(here))
    )
    assert here.id == int(here) == px.zeros(2)._device.ordinal
    with here as entered:
        assert entered is here and px.ones(1).device == here
    here.synchronize()
    assert int(here.compute_capability) > 0 and 0 < here.mem_info[0] <= here.mem_info[1]
    assert here.attributes["WarpSize"] == 32 and ":" in here.pci_bus_id
    assert pickle.loads(pickle.dumps(here)) == here
    assert px.zeros(2, device=here).device == px.device(here).name == here


def test_a_device_that_is_not_there_is_refused_when_it_is_used():
    absent = type(px.zeros(1).device)(99)
    assert absent.id == 99
    with pytest.raises(errors.DeviceError, match="cuda:99"):
        absent.use()
