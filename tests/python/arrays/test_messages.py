"""What errors say: what was given, and what to write instead."""

from __future__ import annotations

import re

import numpy as np
import pytest

import phalanx as px

pytestmark = pytest.mark.usefixtures("device")


def assign(x, name, value):
    setattr(x, name, value)


def put(x, value):
    x[0] = value


def twice(count):
    return px.concatenate([px.zeros(2**62, dtype="uint8")] * count)


# The line, the class of its error, and what its message has.
MESSAGES = {
    "no number assigned": (lambda x: put(x, None), TypeError, "None would be of dtype object"),
    "text assigned": (lambda x: put(x, "1.5"), TypeError, "'1.5' would be of dtype <U3"),
    "nothing": (lambda x: px.asarray(None), TypeError, "None would be of dtype object"),
    "no matrix": (lambda x: px.sparse.coo_matrix(None), TypeError, "None is no array: None would"),
    "no number": (lambda x: px.array([1, None]), TypeError, "[1, None] would be of dtype object"),
    "too large": (lambda x: px.array([2**70]), TypeError, "would be of dtype object"),
    "text of a ufunc": (lambda x: px.sqrt("a"), TypeError, "'a' would be of dtype <U1"),
    "long lists": (lambda x: px.array([None] * 99), TypeError, "[None, None, None, None, None, "),
    "supported": (lambda x: px.zeros(2, "S3"), TypeError, "only bool, integers and floats of up"),
    "objects": (lambda x: px.sqrt({}), TypeError, "only bool, integers and floats of up to 64"),
    "a shape": (lambda x: px.zeros(2.5), TypeError, "a single integer, got 2.5"),
    "no shape": (lambda x: px.ones(None), TypeError, "a single integer, got None"),
    "in a shape": (lambda x: px.zeros((2, 2.5)), TypeError, "'float' object cannot be interpreted"),
    "explain": (lambda x: px.explain(np.ones(3)), TypeError, "not numpy.ndarray: px.asarray(a)"),
    "explain a list": (lambda x: px.explain([1]), TypeError, "an array of phalanx, not list"),
    "float limit": (lambda x: px.set_memory_limit(1.5e9), TypeError, "1 << 30, or None; not 1500"),
    "text limit": (lambda x: px.set_memory_limit("1GB"), TypeError, "1 << 30, or None; not '1GB'"),
    "dimensions": (
        lambda x: px.concatenate([px.ones(2), px.ones((2, 2))]),
        ValueError,
        "must have same number of dimensions, but the array at index 0 has 1 dimension(s) and the "
        "array at index 1 has 2 dimension(s)",
    ),
    "2**63": (lambda x: twice(2), ValueError, "array is too big: it has 9223372036854775808"),
    "2**64": (lambda x: twice(4), ValueError, "array is too big: it has 18446744073709551616"),
    "x.shape =": (lambda x: assign(x, "shape", (3, 1)), AttributeError, "x = x.reshape(shape)"),
    "x.dtype =": (lambda x: assign(x, "dtype", "i8"), AttributeError, "x.view(dtype), or x.astype"),
    "x.strides =": (lambda x: assign(x, "strides", (0,)), AttributeError, "px.as_strided(x, shape"),
    "x.other =": (lambda x: assign(x, "other", 1), AttributeError, "no attribute 'other'"),
}


@pytest.mark.parametrize("name", MESSAGES)
def test_messages(name):
    call, kind, message = MESSAGES[name]
    x = px.arange(3.0)
    with pytest.raises(kind, match=re.escape(message)):
        call(x)
    assert x.tolist() == [0, 1, 2]


def test_what_can_be_assigned():
    x = px.zeros(3, "complex64")
    x.real, x.imag, x.flat = 1, 2, [1j, 2, 3]
    assert x.tolist() == [1j, 2, 3]
