"""How many CPU devices there are, and what a program is told that asks for another."""

import pytest

import phalanx as px


def test_a_cpu_device_that_is_not_there_names_the_setting():
    with pytest.raises(ValueError, match=r"no device 'cpu:999'.*PHALANX_CPU_DEVICES"):
        px.zeros(3, device="cpu:999")
