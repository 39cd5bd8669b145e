"""The devices that tests of several ones use: all of the fastest kind, or PHALANX_TEST_GROUP's."""

import os

import pytest

import phalanx as px

GROUP = px.devices(*os.environ.get("PHALANX_TEST_GROUP", "all").split(","))
NAMES = [each.name for each in GROUP]
# What devices of two kinds cannot do together.
ONE_KIND = pytest.mark.skipif(
    len({name.partition(":")[0] for name in NAMES}) > 1,
    reason="GPUs and the CPU device neither read each other's memory nor have the same last bits",
)
