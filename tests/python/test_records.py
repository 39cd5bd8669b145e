"""Records in kernels: arguments, arrays inside them, whole ones, in every kind of memory."""

from __future__ import annotations

import numpy as np
import pytest
from phalanx.cuda.devicearray import DeviceRecord, from_record_like

from phalanx import cuda, errors, types

INNER = np.dtype([("k", "u1"), ("v", "f4", (2,))])
PACKED = np.dtype([("a", "f8"), ("k", "u1"), ("m", "i2", (2, 3)), ("inner", INNER)])
ALIGNED = np.dtype([("a", "f8"), ("k", "u1"), ("m", "i2", (2, 3)), ("inner", INNER)], align=True)


def sample(dtype, count=5):
    values = np.zeros(count, dtype)
    for i in range(count):
        values[i]["a"] = i + 0.5
        values[i]["k"] = i
        values[i]["m"] = np.arange(6).reshape(2, 3) * (i + 1)
        values[i]["inner"]["k"] = 2 * i
        values[i]["inner"]["v"] = (i, -i)
    return values


@pytest.fixture(params=[PACKED, ALIGNED], ids=["packed", "aligned"])
def dtype(request):
    return request.param


def test_fields_arrays_and_records_inside_are_read(device, dtype):
    @cuda.jit
    def read(values, out):
        i = cuda.grid(1)
        if i < values.shape[0]:
            record = values[i]
            out[i] = record.a + record["k"] + record.m[1, 2] + record.m[-1, 0]
            out[i] += record.inner.k + values[i].inner.v[1] + values.m[i, 0, 1]

    values, out = sample(dtype, 40), np.zeros(40)
    read[2, 32](values, out)
    m, inner = values["m"], values["inner"]
    expected = values["a"] + values["k"] + m[:, 1, 2] + m[:, 1, 0]
    np.testing.assert_allclose(out, expected + inner["k"] + inner["v"][:, 1] + m[:, 0, 1])


def test_fields_arrays_and_whole_records_are_written(device, dtype):
    @cuda.jit
    def write(values, source):
        i = cuda.grid(1)
        if i < values.shape[0]:
            values[i] = source[i]
            values[i].m[0, 1] = 9
            values[i].inner.v[:] = values[i].a
            values[i]["k"] += 1

    values, source = np.zeros(40, dtype), sample(dtype, 40)
    write[2, 32](values, source)
    source["m"][:, 0, 1] = 9
    source["inner"]["v"] = source["a"][:, None]
    source["k"] += 1
    np.testing.assert_array_equal(values, source)


@pytest.mark.parametrize("recarray", [False, True])
def test_a_record_is_an_argument_by_its_place(device, dtype, recarray):
    @cuda.jit
    def change(record, out):
        out[0] = record.a + record.inner.v[0]
        record.a = 3.5
        record.m[1, 1] = 4

    values = sample(dtype).view(np.recarray) if recarray else sample(dtype)
    out = np.zeros(1)
    change[1, 1](values[2], out)
    assert out[0] == 4.5
    assert values[2]["a"] == 3.5
    assert values[2]["m"][1, 1] == 4
    inside = sample(dtype)

    @cuda.jit
    def change_inner(record):
        record.v[1] = 8

    change_inner[1, 1](inside[3]["inner"])
    assert inside[3]["inner"]["v"].tolist() == [3, 8]


def test_records_in_shared_and_local_arrays(device, dtype):
    record = types.from_dtype(dtype)

    @cuda.jit
    def reverse(values, out):
        shared = cuda.shared.array(32, record)
        local = cuda.local.array(2, record)
        i = cuda.threadIdx.x
        local[1] = values[i]
        local[1].m[0, 0] = i
        local[0] = local[1]
        shared[i] = local[0]
        cuda.syncthreads()
        out[i] = shared[31 - i]
        out[i].a += local[0].m[0, 0]

    values = sample(dtype, 32)
    out = np.zeros(32, dtype)
    reverse[1, 32](values, out)
    expected = values.copy()
    expected["m"][:, 0, 0] = np.arange(32)
    expected = expected[::-1].copy()
    expected["a"] += np.arange(32)
    np.testing.assert_array_equal(out, expected)


def test_records_pass_through_device_functions_and_branches(device, dtype):
    @cuda.jit(device=True)
    def total(record):
        return record.a + record.m[1, 0]

    record = types.from_dtype(dtype)

    @cuda.jit
    def pick(values, out):
        i = cuda.grid(1)
        local = cuda.local.array(1, record)
        local[0] = values[0]
        chosen = values[i] if i % 2 else local[0]
        out[i] = total(chosen)

    values, out = sample(dtype), np.zeros(5)
    pick[1, 5](values, out)
    sums = values["a"] + values["m"][:, 1, 0]
    assert out.tolist() == [sums[i] if i % 2 else sums[0] for i in range(5)]


def test_a_tuple_and_a_record_with_other_offsets_fill_a_record(device):
    @cuda.jit
    def fill(out, other):
        out[0] = (1.5, 2)
        out[1] = other[0]

    out = np.zeros(2, np.dtype([("x", "f8"), ("n", "u1")]))
    other = np.zeros(1, np.dtype([("x", "f4"), ("n", "i8")], align=True))
    other[0] = (2.5, 3)
    fill[1, 1](out, other)
    assert out.tolist() == [(1.5, 2), (2.5, 3)]


def test_device_records_are_read_and_written_from_the_host(device, dtype):
    host = sample(dtype)[3]
    record = from_record_like(host)
    assert record["a"] == 3.5
    record["k"] = 200
    record["m"][0, 1] = 77
    record["inner"]["v"][:] = np.array([1, 2], "f4")

    @cuda.jit
    def double(value):
        value.a *= 2

    double[1, 1](record)
    back = record.copy_to_host()
    assert (back["a"], back["k"], back["m"][0, 1]) == (7.0, 200, 77)
    assert back["inner"]["v"].tolist() == [1, 2]
    made = DeviceRecord(dtype)
    made.copy_to_device(record)
    assert made.copy_to_host() == back


def test_signatures_take_records(device):
    record = types.from_dtype(ALIGNED)

    @cuda.jit(types.void(record[:], record))
    def copy(out, value):
        out[1] = value

    out, values = np.zeros(2, ALIGNED), sample(ALIGNED)
    copy[1, 1](out, values[4])
    assert out[1] == values[4]


def test_types_of_records_print_as_numba_has_them():
    record = types.from_dtype(np.dtype([("x", "f4", (2,)), ("n", "i4")]))
    expected = "Record(x[type=nestedarray(float32, (2,));offset=0],n[type=int32;offset=8];12;False)"
    assert str(record) == expected
    assert record.typeof("n") == types.int32
    assert record.offset("n") == 8
    assert record.dtype == np.dtype([("x", "f4", (2,)), ("n", "i4")])


def test_an_unknown_field_is_named(device):
    @cuda.jit
    def read(values, out):
        out[0] = values[0].missing

    with pytest.raises(errors.CompileError, match="has no field missing"):
        read[1, 1](sample(ALIGNED), np.zeros(1))
