"""Our typing rules against Numba's own, over all operand types and literals.

The oracle is the typing context of Numba's CUDA target, which needs no GPU. What differs on
purpose is in DIFFERENCES with its reason, and must differ in every case it names.
"""

import builtins
import cmath
import itertools
import math
import operator
from collections.abc import Callable
from dataclasses import dataclass

import pytest

numba = pytest.importorskip("numba")

import numba_oracle  # noqa: E402, F401
from numba import cuda, types  # noqa: E402
from numba.core.errors import NumbaError  # noqa: E402
from numba.core.registry import cpu_target  # noqa: E402
from numba.core.sigutils import normalize_signature  # noqa: E402
from numba.cuda.descriptor import cuda_target  # noqa: E402

from phalanx import _engine  # noqa: E402

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float16", "float32", "float64"]
COMPLEX = ["complex64", "complex128"]
DTYPES = ["bool", *INTEGERS, *FLOATS, *COMPLEX]
# For three operands, where every combination would take minutes: one dtype of each behaviour.
FEW = ["bool", "int8", "int32", "uint64", "float16", "float32", "float64", "complex64"]
LITERALS = {"2": types.literal(2), "-1": types.literal(-1), "True": types.literal(True)}
# What a literal counts as when we are asked.
OUR_NAMES = {"2": "int64", "-1": "int64", "True": "bool"}
MODULES = {"operator": operator, "math": math, "cmath": cmath, "cuda": cuda, "cuda.fp16": cuda.fp16}
FUNCTIONS = [pair for pair in _engine.infer_functions() if not pair[0].startswith("op.")]

# operands, results; None where the call has no type
Typed = tuple[tuple[str, ...], tuple[str, ...]] | None


@dataclass(frozen=True)
class Difference:
    """A deliberate difference: which calls it covers, and why."""

    functions: tuple[str, ...]
    covers: Callable[..., bool]
    reason: str


def any_operand(names: list[str]) -> Callable[..., bool]:
    return lambda *operands: any(operand in names for operand in operands)


def no_complex(*operands: str) -> bool:
    return not any(operand in COMPLEX for operand in operands)


def half_beside_real(*operands: str) -> bool:
    return "float16" in operands and no_complex(*operands)


def complex_beside_number(first: str, second: str) -> bool:
    untyped = {"bool", "True", "float16"}
    return bool({first, second} & set(COMPLEX)) and not {first, second} & untyped


def int_and_bool_literal(first: str, second: str) -> bool:
    return {first, second} in ({"2", "True"}, {"-1", "True"})


DIFFERENCES = [
    Difference(
        ("operator.pos",),
        any_operand(["float16"]),
        "numba-cuda 0.30 keeps float16, as Numba itself does for -x",
    ),
    Difference(
        ("operator.eq", "operator.ne"),
        int_and_bool_literal,
        "Numba compares two literals as they are; an operation here has operands of one type",
    ),
    Difference(
        ("min", "max"),
        half_beside_real,
        "Numba's declaration crashes on float16; numba-cuda 0.30 takes it, with this result",
    ),
    Difference(("int",), any_operand(["float16"]), "numba-cuda 0.30 takes float16"),
    Difference(("float",), any_operand(["bool", "True"]), "Python's float() takes a bool"),
    Difference(
        ("complex",),
        lambda *operands: len(operands) == 2 and complex_beside_number(*operands),
        "Numba types complex parts of a complex number, and then fails to compile them",
    ),
    Difference(("math.exp2", "math.nextafter"), no_complex, "numba-cuda 0.30 has this function"),
    Difference(
        ("cmath.cosh", "cmath.sinh", "cmath.phase", "cmath.polar"),
        no_complex,
        "Python's take real numbers",
    ),
    Difference(
        ("cmath.tanh", "cmath.acosh", "cmath.log10"),
        lambda operand: operand != "complex128",
        "Python's take real numbers; Numba computes complex64 as complex128 by accident",
    ),
    Difference(
        ("cmath.rect",),
        lambda *operands: (
            no_complex(*operands)
            and any(operand in [*INTEGERS, "2", "-1"] for operand in operands)
            and not any(operand in ["bool", "True", "float16"] for operand in operands)
        ),
        "Python's takes integers",
    ),
    Difference(
        ("cuda.popc", "cuda.brev", "cuda.clz", "cuda.ffs"),
        any_operand(FLOATS),
        "Numba truncates the float to 8 or 32 bits before it counts",
    ),
]


def numba_type(name: str) -> types.Type:
    return LITERALS.get(name) or getattr(types, name)


def flat_names(types_: tuple[types.Type, ...]) -> tuple[str, ...]:
    """The names of the types, tuples taken apart (Numba types `min(a, b)` as `min((a, b))`)."""
    names: list[str] = []
    for type_ in types_:
        if isinstance(type_, types.BaseTuple):
            names.extend(flat_names(tuple(type_)))
        else:
            names.append(str(types.unliteral(type_)))
    return tuple(names)


@pytest.fixture(scope="module")
def context():
    cpu_target.target_context.refresh()  # declares the rest of cmath, for every target
    cuda_target.typing_context.refresh()
    return cuda_target.typing_context


def python_function(name: str) -> object:
    module, _, attribute = name.rpartition(".")
    return getattr(MODULES[module], attribute) if module else getattr(builtins, name)


def numbas(context, name: str, operands: tuple[str, ...]) -> Typed:
    arguments = tuple(map(numba_type, operands))
    try:
        if name.startswith("cuda."):  # some are known as attributes of their module only
            module, _, attribute = name.rpartition(".")
            function = context.resolve_getattr(types.Module(MODULES[module]), attribute)
            signature = function.get_call_type(context, arguments, {})
        else:
            signature = context.resolve_function_type(python_function(name), arguments, {})
    except (NumbaError, NotImplementedError):  # the latter for min() of float16
        return None
    if signature is None:
        return None
    return flat_names(signature.args), flat_names((signature.return_type,))


def ours(name: str, operands: tuple[str, ...]) -> Typed:
    typed = _engine.infer_elementwise(name, [OUR_NAMES.get(each, each) for each in operands])
    if typed is None:
        return None
    declared, _, _, results = typed
    return tuple(declared), tuple(results)


def difference_for(name: str, operands: tuple[str, ...]) -> Difference | None:
    found = [
        difference
        for difference in DIFFERENCES
        if name in difference.functions and difference.covers(*operands)
    ]
    assert len(found) <= 1, f"{name}{operands}: covered by more than one difference"
    return found[0] if found else None


def problems(context, name: str, arity: int) -> list[str]:
    operand_names = [*(FEW if arity == 3 else DTYPES), *LITERALS]
    found = []
    for operands in itertools.product(operand_names, repeat=arity):
        theirs, here = numbas(context, name, operands), ours(name, operands)
        listed = difference_for(name, operands)
        if listed is None and theirs != here:
            found.append(f"{name}{operands}: Numba {theirs}, here {here}")
        if listed is not None and theirs == here:
            found.append(f"{name}{operands}: listed as different ({listed.reason}), but is not")
    return found


@pytest.mark.parametrize(("name", "arity"), FUNCTIONS)
def test_every_call_is_typed_as_numba_types_it(context, name, arity):
    module, _, attribute = name.rpartition(".")
    if module and not hasattr(MODULES[module], attribute):
        pytest.skip(f"this version's {module} has no such function")
    assert problems(context, name, arity) == []


AUGMENTED = {
    name: f"i{name.removeprefix('operator.').rstrip('_')}"
    for name, arity in FUNCTIONS
    if name.startswith("operator.") and arity == 2
}


@pytest.mark.parametrize("name", [name for name in AUGMENTED if hasattr(operator, AUGMENTED[name])])
def test_augmented_assignment_is_typed_as_the_operator(context, name):
    function = getattr(operator, AUGMENTED[name])
    for pair in itertools.product(DTYPES, repeat=2):
        try:
            typed = context.resolve_function_type(function, tuple(map(numba_type, pair)), {})
        except NumbaError:
            typed = None
        theirs = typed and (flat_names(typed.args), flat_names((typed.return_type,)))
        assert ours(name, pair) == theirs, pair


def test_no_math_function_or_operator_of_numba_is_missing(context):
    known = {name for name, _ in FUNCTIONS}
    candidates = {
        f"{module.__name__.lstrip('_')}.{name}": function
        for module in (math, cmath, operator)
        for name, function in vars(module).items()
    }
    # i... are the augmented assignments; identity and truth of a value are no arithmetic.
    skipped = {f"operator.i{name.removeprefix('operator.')}".rstrip("_") for name in known}
    skipped |= {"operator.is_", "operator.is_not", "operator.truth"}
    missing = set()
    for name, function in candidates.items():
        if name in known or name in skipped or "._" in name or not callable(function):
            continue
        for count in (1, 2, 3):
            try:
                typed = context.resolve_function_type(function, (types.float64,) * count, {})
            except (NumbaError, KeyError, ValueError):  # a declaration may assume its count
                continue
            if typed is not None:
                missing.add(name)
    assert missing == set()


ARRAY_TYPES = [
    f"Array({dtype}, {ndim}, '{layout}', readonly={readonly})"
    for dtype in ("float32", "int64")
    for ndim in (1, 2)
    for layout in "CFA"
    for readonly in (True, False)
]
TUPLE_TYPES = [
    "Tuple(())",
    "Tuple((int64,))",
    "Tuple((int32, float32))",
    "UniTuple(int64, 2)",
    "UniTuple(uint64, 2)",
    "Tuple((int64, UniTuple(float32, 2)))",
    "Tuple((float64, Tuple((int8, int64))))",
    "Tuple((int64, float32[:]))",
    "Tuple((int64, float32[::1]))",
]
ALL_TYPES = [*DTYPES, *ARRAY_TYPES, *TUPLE_TYPES]


def parsed(text: str) -> types.Type:
    return eval(text, {}, vars(types))


@pytest.mark.parametrize("first", ALL_TYPES)
def test_unification_is_numbas(context, first):
    for second in ALL_TYPES:
        theirs = context.unify_pairs(parsed(first), parsed(second))
        expected = None if theirs is None else str(theirs)
        assert _engine.infer_unify([first, second]) == expected, (first, second)


def test_unification_of_many_is_numbas(context):
    for names in itertools.product(DTYPES, repeat=3):
        theirs = context.unify_types(*map(parsed, names))
        assert _engine.infer_unify(list(names)) == str(theirs), names


@pytest.mark.parametrize("first", ALL_TYPES)
def test_conversions_rank_as_numbas(context, first):
    for second in ALL_TYPES:
        theirs = context.can_convert(parsed(first), parsed(second))
        expected = "none" if theirs is None else theirs.name
        assert _engine.infer_conversion(first, second) == expected, (first, second)


SIGNATURES = [
    "void(float32[::1], int64)",
    "f4[:], i8",
    "(f4,)",
    "()",
    "void()",
    "none(f8)",
    "int32(int32, int32)",
    "float32[:](int32)",
    "Tuple((int64, f4))(i4)",
    "UniTuple(f8, 3)(b1, c8, c16)",
    "void(float32[:, :], float32[:, ::1], float32[::1, :], float32[:, :, ::1])",
    "void(f4[:,], f4[:, ::1,])",
    "void(Array(float32, 2, 'C', readonly=True), Array(f8, 1, 'A'))",
    "void(CPointer(float32), CPointer(int8))",
    "void(Tuple((int64, UniTuple(f4[:], 2))))",
    "void(f2, intp, uintp, intc, uint, char, byte, size_t, double, longlong)",
    "void(\n    f4[:],\n    i8,\n)",
]


@pytest.mark.parametrize("text", SIGNATURES)
def test_signature_strings_mean_what_numba_makes_of_them(text):
    arguments, result = normalize_signature(text)
    expected = (None if result is None else str(result), [str(each) for each in arguments])
    assert _engine.infer_signature(text) == expected


# With what Numba raises for the same text.
BAD_SIGNATURES = {
    "float32": TypeError,
    "void(float32[1:])": KeyError,
    "foo(float32)": NameError,
    "void(float32": SyntaxError,
    "void(float32 float32)": SyntaxError,
    "int32(int32, 3)": TypeError,
    "": SyntaxError,
}


@pytest.mark.parametrize("text", BAD_SIGNATURES)
def test_a_bad_signature_string_is_refused_with_a_caret(text):
    with pytest.raises(BAD_SIGNATURES[text]):
        normalize_signature(text)
    with pytest.raises(TypeError, match=r"(?s)^signature: .*\n *\^+$"):
        _engine.infer_signature(text)
