"""Groups and aggregations by a GPU's kernels: the tests of `test_groups`, of the same rules."""

from __future__ import annotations

import pytest

from . import test_groups as host
from .kernel_operators import KernelOperators


@pytest.fixture(autouse=True)
def _by_kernels(monkeypatch):
    monkeypatch.setenv("PHALANX_ARRAY_KERNELS", "gpu")
    monkeypatch.setattr(host, "frames", KernelOperators())


test_rows_are_grouped_by_one_key = host.test_rows_are_grouped_by_one_key
test_rows_are_grouped_by_strings = host.test_rows_are_grouped_by_strings
test_codes_of_minus_one_are_missing = host.test_codes_of_minus_one_are_missing
test_rows_are_grouped_by_several_keys = host.test_rows_are_grouped_by_several_keys
test_no_row_and_one_row = host.test_no_row_and_one_row
test_random_keys_are_grouped = host.test_random_keys_are_grouped
test_aggregations_are_those_of_pandas = host.test_aggregations_are_those_of_pandas
test_several_aggregations_share_the_rows = host.test_several_aggregations_share_the_rows
test_quantiles_are_those_of_pandas = host.test_quantiles_are_those_of_pandas
test_variances_are_sound_far_from_zero = host.test_variances_are_sound_far_from_zero
test_rows_by_group_are_a_stable_order = host.test_rows_by_group_are_a_stable_order
test_distinct_strings_are_counted = host.test_distinct_strings_are_counted
