"""Tests of what several devices do: PHALANX_CPU_DEVICES=3 pytest tests/python/several_devices.

Where there is one device they are not collected: tools/run_tests.sh has a run with three. A group
of a GPU and the CPU device: PHALANX_TEST_GROUP=cuda:0,cpu.
"""

import pytest
from device_group import GROUP
from phalanx._arrays.spread.array import SpreadArray

collect_ignore_glob = ["test_*.py"] if len(GROUP) < 2 else []


@pytest.fixture(scope="session")
def group():
    """All devices of the fastest kind, or those that the environment names."""
    return GROUP


@pytest.fixture
def went_to_host(monkeypatch):
    """The spread arrays that were brought to the host."""
    found, own = [], SpreadArray.__array__

    def noted(self, *args, **kwargs):
        found.append(self)
        return own(self, *args, **kwargs)

    monkeypatch.setattr(SpreadArray, "__array__", noted)
    return found
