"""Times, vectors, tuples, dataclasses and named arguments as kernels take them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest

from phalanx import cuda, errors, types

NAT = np.datetime64("NaT")


def run(function, out, *args):
    cuda.jit(function)[1, len(out)](out, *args)
    return out


class TestTimes:
    points = np.array(["2005-02-03", "NaT", "1969-01-01", "2020-02-29"], "M8[D]")
    spans = np.array([5, 7, "NaT", -12], "m8[h]")

    def test_sums_and_differences_follow_numpy(self, device):
        def add(out, a, b):
            i = cuda.grid(1)
            out[i] = a[i] + b[i]

        def subtract(out, a, b):
            i = cuda.grid(1)
            out[i] = a[i] - b[i]

        hours = np.zeros(4, "M8[h]")
        np.testing.assert_array_equal(
            run(add, hours.copy(), self.points, self.spans), self.points + self.spans
        )
        np.testing.assert_array_equal(
            run(subtract, hours.copy(), self.points, self.spans), self.points - self.spans
        )
        other = self.points[::-1].copy()
        np.testing.assert_array_equal(
            run(subtract, np.zeros(4, "m8[s]"), self.points, other), self.points - other
        )

    def test_comparisons_with_nat_are_false(self, device):
        def compare(out, a, b):
            i = cuda.grid(1)
            out[i, 0] = a[i] == b[i]
            out[i, 1] = a[i] != b[i]
            out[i, 2] = a[i] < b[i]
            out[i, 3] = a[i] >= b[i]

        a, b = self.points, self.points.astype("M8[s]")
        b[0] += 1
        got = run(compare, np.zeros((4, 4), bool), a, b)
        np.testing.assert_array_equal(got, np.stack([a == b, a != b, a < b, a >= b], 1))

    def test_spans_scale_and_divide(self, device):
        def scale(out, a, n):
            i = cuda.grid(1)
            out[i] = -(a[i] * n)

        def divide(out, a, b):
            i = cuda.grid(1)
            out[i] = a[i] / b[i]

        np.testing.assert_array_equal(
            run(scale, np.zeros(4, "m8[h]"), self.spans, 3), -(self.spans * 3)
        )
        minutes = np.array([30, 60, 90, 7], "m8[m]")
        np.testing.assert_array_equal(
            run(divide, np.zeros(4), self.spans, minutes), self.spans / minutes
        )

    def test_scalars_and_globals_are_times(self, device):
        one = np.timedelta64(1, "D")

        def shift(out, start):
            out[cuda.grid(1)] = start + one

        start = np.datetime64("2024-12-31", "D")
        assert run(shift, np.zeros(1, "M8[D]"), start)[0] == start + one
        assert run(shift, np.zeros(1, "M8[D]"), np.datetime64("NaT", "D"))[0] is not NAT

    def test_device_arrays_keep_the_unit(self, device):
        on_device = cuda.to_device(self.points)
        assert on_device.dtype == self.points.dtype
        np.testing.assert_array_equal(on_device.copy_to_host(), self.points)
        assert str(types.from_dtype(self.spans.dtype)) == "timedelta64[h]"

    def test_months_and_days_do_not_mix(self, device):
        def add(out, a):
            out[0] = a[0] + np.timedelta64(1, "M")

        with pytest.raises(errors.CompileError):
            run(add, np.zeros(1, "M8[D]"), self.points)


def test_vectors_are_made_of_numbers_and_vectors(device):
    def mix(out, n):
        two = cuda.float32x2(n, 2)
        four = cuda.float4(two, 3, cuda.float32x1(4.5))
        local = cuda.local.array(3, cuda.uchar4)
        local[2] = cuda.uint8x4(1, 2, 3, 255)
        out[0] = four.x
        out[1] = four.y
        out[2] = four.w
        out[3] = local[2].w

    assert run(mix, np.zeros(4), 1.5)[:4].tolist() == [1.5, 2.0, 4.5, 255.0]


def test_vectors_of_a_wrong_length_are_refused(device):
    def short(out):
        out[0] = cuda.float32x3(1, 2).x

    with pytest.raises(errors.CompileError, match="made of 3 numbers"):
        run(short, np.zeros(1))

    def write(out):
        v = cuda.float32x2(1, 2)
        v.x = 3
        out[0] = v.x

    with pytest.raises(errors.CompileError, match="cannot be assigned"):
        run(write, np.zeros(1))


def test_thread_indices_are_values_as_a_whole(device):
    def whole(out):
        index = cuda.threadIdx
        x, _, z = cuda.blockDim
        out[index.x] = index.x + 10 * x + 100 * z

    assert run(whole, np.zeros(3)).tolist() == [130, 131, 132]


class Pair(NamedTuple):
    n: int
    values: np.ndarray


@dataclass
class Settings:
    scale: float
    values: np.ndarray
    pair: Pair
    label: None = None


def test_dataclasses_and_tuples_with_none_pass_their_fields(device):
    def use(out, settings, parts):
        i = cuda.grid(1)
        out[i] = settings.scale * settings.values[i] + settings.pair.n + parts[1][0]
        if parts[0] is None and settings.label is None:
            out[i] += settings.pair.values[i]

    values = np.arange(3.0)
    settings = Settings(2.0, values, Pair(5, values * 100))
    assert run(use, np.zeros(3), settings, (None, (7, None))).tolist() == [12, 114, 216]


def test_arguments_have_names_and_defaults(device):
    @cuda.jit
    def fill(out, first, second=20, third=300.5):
        out[0] = first
        out[1] = second
        out[2] = third

    out = np.zeros(3)
    fill[1, 1](out, 1)
    assert out.tolist() == [1, 20, 300.5]
    fill[1, 1](out, third=5, first=3)
    assert out.tolist() == [3, 20, 5]
    with pytest.raises(TypeError, match="fourth"):
        fill[1, 1](out, 1, fourth=2)
    with pytest.raises(TypeError):
        fill[1, 1](out)


def test_tuple_types_print_as_numba_has_them():
    assert str(types.UniTuple(types.int64, 2)) == "UniTuple(int64 x 2)"
    assert str(types.Tuple([types.int64, types.float32])) == "Tuple(int64, float32)"
    assert isinstance(types.Tuple([types.int8, types.int8]), types.UniTuple)
    assert isinstance(types.uint16, types.Integer)
    assert isinstance(types.complex64, types.Number)
    assert not types.uint16.signed
