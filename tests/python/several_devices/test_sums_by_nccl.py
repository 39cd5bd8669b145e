"""Sums over devices by NCCL: a small library in its place adds up memory of CPU devices."""

import ctypes

import fake_nccl
import numpy as np
import pytest
from phalanx._arrays.spread import nccl
from phalanx.errors import DeviceError

import phalanx as px

pytestmark = fake_nccl.needed


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    return fake_nccl.build(tmp_path_factory.mktemp("nccl"))


@pytest.fixture
def fake(built, group, monkeypatch):
    """The library with its counters at 0. CPU devices count as GPUs; they are waited for."""
    if any(not each._device.is_host for each in group):
        pytest.skip("the library adds up memory of the host")
    loaded = ctypes.CDLL(str(built))
    for name in ("fake_sums", "fake_communicators", "fake_failure"):
        ctypes.c_int.in_dll(loaded, name).value = 0
    start = nccl.start

    def waited(parts):
        made = start(parts)
        group.synchronize()
        return made

    nccl._made.clear()
    monkeypatch.setenv("PHALANX_NCCL", str(built))
    monkeypatch.setattr(nccl, "_is_gpu", lambda device: True)
    monkeypatch.setattr(nccl, "start", waited)
    yield lambda name: ctypes.c_int.in_dll(loaded, name)
    nccl._made.clear()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_products(group, fake, dtype):
    x = np.random.default_rng(0).normal(size=(50, 4)).astype(dtype)
    spread = group.asarray(x)
    for found, expected in (
        (spread.T @ spread, x.T @ x),
        (spread[:, 0] @ spread[:, 1], x[:, 0] @ x[:, 1]),
    ):
        assert found.device == group[0].name and found.dtype == expected.dtype
        np.testing.assert_allclose(np.asarray(found), expected, rtol=1e-4, atol=1e-4)
    assert fake("fake_sums").value == 2 and fake("fake_communicators").value == 1


def test_counts(group, fake):
    host = np.random.default_rng(0).integers(0, 9, 100)
    counts = np.bincount(group.asarray(host))
    assert np.asarray(counts).tolist() == np.bincount(host).tolist()
    assert fake("fake_sums").value == 1


def test_dtypes_that_it_does_not_have(group, fake):
    x = np.arange(12).reshape(6, 2).astype("complex128")
    spread = group.asarray(x)
    assert (np.asarray(spread.T @ spread) == x.T @ x).all()
    assert fake("fake_sums").value == 0


def test_failures(group, fake):
    x = group.ones((6, 2))
    fake("fake_failure").value = 5
    with pytest.raises(DeviceError, match="ncclReduce failed: invalid usage"):
        x.T @ x
    fake("fake_failure").value = 0
    assert (np.asarray(x.T @ x) == 6).all()  # the group was ended


def test_a_library_that_is_not_there(group, fake, monkeypatch, tmp_path):
    x = group.ones((6, 2))
    monkeypatch.setenv("PHALANX_NCCL", str(tmp_path / "none.so"))
    with pytest.raises(DeviceError, match="PHALANX_NCCL is set, but NCCL cannot be loaded"):
        x.T @ x
    monkeypatch.setenv("PHALANX_NCCL", "0")
    assert (np.asarray(x.T @ x) == 6).all()
    assert fake("fake_sums").value == 0


def test_one_device_has_nothing_to_add(group, fake):
    x = px.devices(group[0].name).ones((6, 2))
    assert (np.asarray(x.T @ x) == 6).all()
    assert fake("fake_sums").value == 0
