"""Assertions of tests with data frames, under pandas' names."""

from ._frames.functions.asserting import assert_frame_equal as assert_frame_equal
from ._frames.functions.asserting import assert_index_equal as assert_index_equal
from ._frames.functions.asserting import assert_series_equal as assert_series_equal
