"""Tests of what several devices do: PHALANX_CPU_DEVICES=3 pytest tests/python/several_devices.

Where there is one device they are not collected: tools/run_tests.sh has a run with three.
"""

import pytest

import phalanx as px

collect_ignore_glob = ["test_*.py"] if len(px.devices("all")) < 2 else []


@pytest.fixture(scope="session")
def group():
    """All devices of the fastest kind."""
    return px.devices("all")
