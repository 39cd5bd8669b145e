"""NumPy's types (promotion, casts, loops of ufuncs) as the engine knows them, against NumPy."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from phalanx import _engine

DTYPES = [
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float16", "float32", "float64", "complex64", "complex128"),
]
WEAK = {"int": int, "float": float, "complex": complex}
ALL = [*DTYPES, *WEAK]


def of_numpy(name):
    """What numpy.result_type takes for it: a number of Python's for a weak one."""
    return WEAK[name](1) if name in WEAK else np.dtype(name)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_types_meet_as_in_numpy(count):
    for names in itertools.combinations_with_replacement(ALL, count):
        expected = np.result_type(*map(of_numpy, names)).name
        for order in set(itertools.permutations(names)):
            assert _engine.numpy_result_type(list(order)) == expected, order


def test_bfloat16_meets_others_as_ml_dtypes_has_it():
    meets = {"bool": "bfloat16", "int8": "bfloat16", "float16": "float32", "float32": "float32"}
    for other, expected in {**meets, "int": "bfloat16", "float": "bfloat16"}.items():
        assert _engine.numpy_result_type(["bfloat16", other]) == expected, other
    assert _engine.numpy_result_type(["bfloat16", "complex"]) == "complex64"


@pytest.mark.parametrize("casting", ["equiv", "safe", "same_kind", "unsafe"])
def test_types_cast_as_in_numpy(casting):
    for a, b in itertools.product(DTYPES, repeat=2):
        assert _engine.numpy_can_cast(a, b, casting) == np.can_cast(a, b, casting), (a, b)


def test_a_rule_of_casting_that_there_is_not_is_an_error():
    with pytest.raises(ValueError, match="same_kind"):
        _engine.numpy_can_cast("int8", "int16", "same")


def loop_of_numpy(ufunc, names):
    """The input type of the loop that NumPy takes, and the output's; None where it has none."""
    try:
        types = [WEAK.get(name) or np.dtype(name) for name in names]
        found = ufunc.resolve_dtypes((*types, None))
    except TypeError:
        return None
    return found[0].name, found[-1].name


@pytest.mark.parametrize(("name", "arity"), _engine.infer_ufuncs())
def test_ufuncs_take_the_loops_of_numpy(name, arity):
    ufunc = getattr(np, name)
    is_logical = name.startswith("logical_") and arity == 2
    for names in itertools.product(ALL, repeat=arity):
        if set(names) <= WEAK.keys() and arity == 2:
            continue  # of Python's numbers alone resolve_dtypes makes objects; calls do not
        ours, numpys = _engine.numpy_loop(name, list(names)), loop_of_numpy(ufunc, names)
        if is_logical:  # whatever the loop, the operands' truth is what counts
            ours, numpys = ours[1], numpys[1]
        assert ours == numpys, names
