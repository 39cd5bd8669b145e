"""What Numba is given by functions that fall back to it, and what its overloads are given."""

from __future__ import annotations

import pytest
from beside_numba import UNSUPPORTED, run

pytest.importorskip("numba", reason="what falls back needs Numba")


def test_numba_compiles_for_the_signatures_that_were_written():
    done = run(
        """
        from numba import types

        @njit("float64[:](float64[:])")
        def doubled(a):
            return a * 2  # Numba's own type is that of contiguous arrays

        @njit(types.List(types.float64[:])(types.float64[:]))
        def listed(a):
            found = []
            found.append(doubled(a))
            return found

        print(listed(np.ones(2)), doubled.counterpart.nopython_signatures[0].return_type)
        """
    )
    assert done.lines == ["[array([2., 2.])] array(float64, 1d, A)"], done.stderr


def test_overloads_are_found_by_numbas_types():
    done = run(
        """
        from numba import types
        import numba

        @njit
        def product(a, b):
            return a[0] * b[0]

        array = types.Array(types.float32, 1, "C", readonly=True)
        product.compile((array, numba.float64[::1]))
        key = (array, numba.float64[::1])
        made = product.overloads[key]
        print(made.signature, made.signature.return_type == types.float64)
        print(key in product.overloads, (array, array) in product.overloads)
        print(product.overloads.get((array,)))
        args = product.nopython_signatures[0].args
        print(args == key, args[0] == types.none)
        """
    )
    assert done.lines == [
        "(readonly array(float32, 1d, C), array(float64, 1d, C)) -> float64 True",
        "True False",
        "None",
        "True False",
    ], done.stderr


def test_what_numba_compiles_for_a_signature_is_its_overload():
    done = run(
        """
        import numba

        @njit
        def odd(x):
            return {0: x + 0.5}[0]

        odd.compile((numba.int32,))
        print(odd.overloads[numba.int32,].signature.return_type == numba.float64)
        print(odd.signatures == [(numba.int32,)], odd.nopython_signatures[0].args)
        print(list(odd.inspect_llvm()) == odd.signatures, odd(1))
        odd.compile((numba.int64,))
        print(len(odd.signatures))

        @njit
        def neither(x):
            return {0: x.nothing}[0]

        try:
            neither.compile((numba.int32,))
        except numba.errors.NumbaError as error:
            print(type(error).__name__, neither.signatures)
        """
    )
    expected = ["True", "True (int32,)", "True 1.5", "2", "FallbackError []"]
    assert done.lines == expected, done.stderr


def test_recompile_sees_changed_options_of_functions_that_fell_back():
    done = run(
        """
        @njit(fastmath={"nsz"})
        def difference(x, y):
            return {0: (x - y) + y}[0]

        for flags in (False, {"reassoc", "nsz"}, {"reassoc"}):
            difference.targetoptions["fastmath"] = flags
            difference.recompile()
            print(difference(0, np.inf))
        """
    )
    assert done.lines == ["nan", "0.0", "nan"], done.stderr


def test_numba_inlines_functions_that_say_so():
    done = run(
        """
asked = []

def inline(expression, caller, callee):
    asked.append(1)
    return True

@njit(inline=inline)
def helper(x):
    return x * 2

@njit(inline=inline)
def other(x):
    return {0: x}[0]
"""
        + UNSUPPORTED
        + """
@njit
def calls(x):
    return {0: other(x)}[0]

print(unsupported(np.arange(4.0)), len(asked), calls(3), len(asked))
"""
    )
    assert done.lines == ["6.0 1 3 2"], done.stderr


def test_overloads_are_for_both_compilers():
    done = run(
        """
        from numba import types
        from numba.extending import overload

        def kind(x):
            raise NotImplementedError

        @overload(kind)
        def kind_for(x):
            if isinstance(x, types.Integer):
                return lambda x: 1
            if isinstance(x, types.Float):
                return lambda x: 2

        @njit
        def ours(x):
            return kind(x) + kind(x + 0.5)

        @njit
        def theirs(x):
            return {1: kind(x)}[1]

        print(ours(1), theirs(2), type(ours).__module__.split(".")[0])
        """
    )
    assert done.lines == ["3 1 phalanx"], done.stderr
    assert "1 of 2 CPU" in done.stderr


# How Numba's overloads see what is known.
KNOWN = """
from numba import literally, types
from numba.extending import overload

def scaled():
    pass

@overload(scaled, prefer_literal=True)
def scaled_for(a, k=1, mode="x", out=None):
    factor, extra = k.literal_value, len(mode.literal_value)
    assert isinstance(k, types.IntegerLiteral) and isinstance(mode, types.StringLiteral)
    return lambda a, k=1, mode="x", out=None: a * factor + extra

def any_text():
    pass

@overload(any_text)
def any_text_for(a, mode):
    if isinstance(mode, types.UnicodeType):
        return lambda a, mode: a + 1

def known_text():
    pass

@overload(known_text)
def known_text_for(mode):
    if not isinstance(mode, types.StringLiteral):
        raise numba.TypingError("text that is known")
    length = len(mode.literal_value)
    return lambda mode: length

def zeros_of():
    pass

@overload(zeros_of)
def zeros_of_for(kind):
    if isinstance(kind, types.DType) and kind.dtype is types.float32:
        return lambda kind: np.zeros(2, kind)

@njit
def inner(a, k, mode):
    return scaled(a, k=literally(k), mode=literally(mode))
"""


def test_overloads_of_numba_see_what_is_known():
    done = run(
        KNOWN
        + """
@njit
def ours(a):
    return scaled(a, k=literally(3), mode="four"), any_text(a, "five"), known_text("sixsix")

@njit
def more():
    return zeros_of(np.float32)

print(ours(2), inner(10, 4, "abc"), more().dtype)
"""
    )
    assert done.lines == ["(10, 3, 6) 43 float32"], done.stderr
    assert "2 of 3 CPU" in done.stderr  # Numba compiles `inner` for each number


def test_what_an_overload_of_numbas_raises_makes_a_function_fall_back():
    done = run(
        """
        from numba.extending import overload

        def kind(x):
            raise NotImplementedError

        @overload(kind)
        def kind_for(x):
            assert "numba" in repr(x.__class__.__module__) and len(seen)
            return lambda x: 1

        seen = []

        @njit
        def calls(x):
            return kind(x)

        try:
            calls(1)
        except AssertionError:
            print("as in Numba")
        """
    )
    assert done.lines == ["as in Numba"], done.stderr
    assert "the overload kind_for raised AssertionError" in done.stderr


def test_loops_are_added_to_ufuncs_and_the_rest_disabled():
    done = run(
        """
        from numba import types, vectorize

        def over(x, y):
            return x * 2 + y

        def fails(x):
            return {0: x}[0]

        f = vectorize(over)
        f._compile_for_argtys((types.int32, types.int32))
        f.add((types.float64, types.float64))
        f._frozen = True
        a = np.arange(2, dtype=np.int16)
        print(f(a, a).dtype, f(np.float32(1), 1).dtype, f.types)
        for call in (lambda: f(1j, 1), lambda: f.add((types.int8, types.int8))):
            try:
                call()
            except Exception as error:
                print(type(error).__name__)

        g = vectorize(over)
        g.add("float32(float32, float32)")
        print(g(np.ones(2, np.float32), np.float32(2)).dtype, g(1, 2), g(1.5, 2))

        h = vectorize(fails)
        h.add("float32(float32)")
        h.disable_compile()
        print(h(np.float32(2)).dtype)
        """
    )
    assert done.lines == [
        "int64 float64 ['ii->l', 'dd->d']",
        "TypeError",
        "RuntimeError",
        "float32 4 5.0",
        "float32",
    ], done.stderr
    assert "1 of 2 CPU" in done.stderr
