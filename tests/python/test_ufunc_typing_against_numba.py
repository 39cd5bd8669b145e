"""How NumPy's functions on scalars are typed, against Numba, over all operand types."""

import itertools

import numpy as np
import pytest

numba = pytest.importorskip("numba")

from numba import types  # noqa: E402
from numba.core.errors import NumbaError  # noqa: E402
from numba.core.registry import cpu_target  # noqa: E402

from phalanx import _engine  # noqa: E402

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
DTYPES = ["bool", *INTEGERS, "float16", "float32", "float64", "complex64", "complex128"]

UFUNCS = [pair for pair in _engine.infer_ufuncs() if hasattr(np, pair[0])]


@pytest.fixture(scope="module")
def context():
    cpu_target.typing_context.refresh()
    return cpu_target.typing_context


def numbas(context, function, operands):
    try:
        signature = context.resolve_function_type(
            function, tuple(getattr(types, name) for name in operands), {}
        )
    except NumbaError:
        return None
    return None if signature is None else str(signature.return_type)


@pytest.mark.parametrize(("name", "arity"), UFUNCS)
def test_every_call_is_typed_as_numba_types_it(context, name, arity):
    for operands in itertools.product(DTYPES, repeat=arity):
        typed = _engine.infer_ufunc(name, list(operands))
        here = None if typed is None else typed[1]
        assert here == numbas(context, getattr(np, name), operands), (name, operands)


def test_no_ufunc_of_numba_is_missing(context):
    known = {name for name, _ in UFUNCS}
    missing = set()
    for name in dir(np):
        function = getattr(np, name)
        if isinstance(function, np.ufunc) and function.nout == 1 and name not in known:
            operands = ("float64",) * function.nin
            if numbas(context, function, operands) is not None:
                missing.add(name)
    assert missing == set()


def test_the_loop_is_one_that_numpy_has():
    for name, arity in UFUNCS:
        for operands in itertools.product(DTYPES, repeat=arity):
            typed = _engine.infer_ufunc(name, list(operands))
            if typed is None:
                continue
            resolved = getattr(np, name).resolve_dtypes(
                (*(np.dtype(each) for each in typed[0]), None)
            )
            assert [str(each) for each in resolved[:-1]] == typed[0], (name, operands)
            assert str(resolved[-1]) == typed[1], (name, operands)
