"""Joins, orders and places in groups by a GPU's kernels: the tests of `test_joins`."""

from __future__ import annotations

import pytest

from . import test_joins as host
from .kernel_operators import KernelOperators


@pytest.fixture(autouse=True)
def _by_kernels(monkeypatch):
    monkeypatch.setenv("PHALANX_ARRAY_KERNELS", "gpu")
    monkeypatch.setattr(host, "frames", KernelOperators())


test_joins_are_those_of_pandas = host.test_joins_are_those_of_pandas
test_joins_by_several_keys = host.test_joins_by_several_keys
test_keys_that_are_unique_on_the_right = host.test_keys_that_are_unique_on_the_right
test_semi_and_anti_joins_part_the_left_rows = host.test_semi_and_anti_joins_part_the_left_rows
test_random_keys_are_joined = host.test_random_keys_are_joined
test_rows_are_ordered_by_one_key = host.test_rows_are_ordered_by_one_key
test_rows_are_ordered_by_several_keys = host.test_rows_are_ordered_by_several_keys
test_running_numbers_are_those_of_pandas = host.test_running_numbers_are_those_of_pandas
test_places_in_groups = host.test_places_in_groups
test_best_rows_are_those_of_nlargest = host.test_best_rows_are_those_of_nlargest
test_ranks_are_those_of_pandas = host.test_ranks_are_those_of_pandas
