"""Random functions, compiled here: Python, or else Numba, must give the same, or raise the same.

    python tests/fuzz/functions.py --first 0 --count 1000
    python tests/fuzz/functions.py --count 100000 --jobs 16 --seconds 560 --record functions.txt

The second goes on where the last one with this record ended. Function N is the same everywhere, so
a difference is looked at again with `--first N --count 1`.
"""

from __future__ import annotations

import argparse
import contextlib
import linecache
import math
import os
import random
import re
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import batches
import numpy as np
from interpreted import Interpreted

INTEGERS = (0, 1, -1, 2, 3, -7, 10, 63, 64, 1000, -(2**31), 2**31, 2**53 + 1, 2**63 - 1, -(2**63))
FLOATS = (
    0.0,
    -0.0,
    1.0,
    -1.5,
    0.1,
    3.0,
    -7.25,
    1e10,
    1e300,
    -1e-300,
    math.inf,
    -math.inf,
    math.nan,
)
CONSTANTS = (
    "10**-3",
    "2**63 - 1",
    "(1 << 40) - 1",
    "3**21 // 3**10",
    "-(2**40)",
    "7 // -2",
    "2**-1",
)
MAKERS: tuple[Callable[[Any], Any], ...] = (np.int32, np.uint8, np.int64, np.float32, np.float64)
NARROW = {np.int32: 31, np.uint8: 8, np.int64: 63}
EXACT = 1e-13  # what two implementations of ** may differ by
SHARE = 40  # Numba is asked for one in this many functions, whatever Python says

# What is an error here and none in Numba, by its text, with the reason.
LISTED = {
    "fits no type: Int value is too large": "an integer beyond 64 bits is an error wherever it is: "
    "Numba does not see it in code that it leaves out before it asks for types",
}
# Functions that differ, with the reason.
LISTED_NUMBERS = {
    18419: "of a uint8 that a later line of the loop makes an int64, ~a beside an int64 is a "
    "float64 when the loop is gone through first, and ^ does not take it",
    54559: "of a name that is assigned twice Numba leaves no types out, whatever is assigned",
    58875: "as 18419",
    60419: "of a uint8 that a later line makes an int64, ~a beside an int64 is a float64 in the "
    "first round of Numba's typing, and stays one",
    63847: "as 60419, of -a",
    23911: "code after a jump that is always taken gives names no types here",
    43435: "Python's compiler copies the end of a function into both ways of `x if c else 1.0`; "
    "what Numba computes there has the type of its way, float32 or float64",
}


class Writer:
    """Writes one function of two integers, two floats and a bool; each name keeps its type."""

    def __init__(self, choices: random.Random) -> None:
        self._random = choices
        self._names = {"int": ["a", "b"], "float": ["x", "y"], "bool": ["p"]}
        self._loops = 0
        self._lines: list[str] = []

    def text(self) -> str:
        """The whole definition."""
        self._body(1, self._random.randint(2, 6))
        results = [self._expression(kind, 2) for kind in ("int", "float", "bool", "int", "float")]
        self._lines.append(f"    return {', '.join(results)}")
        return "\n".join(["def f(a, b, x, y, p):", *self._lines]) + "\n"

    # ---- Statements ----

    def _body(self, depth: int, count: int) -> None:
        for _ in range(count):
            self._statement(depth)

    def _statement(self, depth: int) -> None:
        kinds = [self._assign, self._assign, self._augment, self._unpack]
        if depth < 4:
            kinds += [self._if, self._if, self._for, self._while]
        self._random.choice(kinds)(depth)

    def _line(self, depth: int, text: str) -> None:
        self._lines.append("    " * depth + text)

    def _assign(self, depth: int) -> None:
        kind = self._kind()
        value = self._expression(kind, 3)
        name = self._random.choice(self._names[kind])
        if depth == 1 and self._random.random() < 0.5:  # bound on every path from here on
            name = f"{kind[0]}{len(self._names[kind])}"
            self._names[kind].append(name)
        self._line(depth, f"{name} = {value}")

    def _augment(self, depth: int) -> None:
        kind = self._random.choice(("int", "float"))
        operator = self._random.choice(("+=", "-=", "*="))
        name = self._random.choice(self._names[kind])
        self._line(depth, f"{name} {operator} {self._expression(kind, 2)}")

    def _unpack(self, depth: int) -> None:
        kinds = [self._kind() for _ in range(2)]
        values = ", ".join(self._expression(kind, 2) for kind in kinds)
        names = ", ".join(self._random.choice(self._names[kind]) for kind in kinds)
        self._line(depth, f"{names} = {values}")

    def _if(self, depth: int) -> None:
        self._line(depth, f"if {self._expression('bool', 2)}:")
        self._body(depth + 1, self._random.randint(1, 2))
        if self._random.random() < 0.3:
            self._line(depth, f"elif {self._expression('bool', 2)}:")
            self._body(depth + 1, 1)
        if self._random.random() < 0.5:
            self._line(depth, "else:")
            self._body(depth + 1, self._random.randint(1, 2))

    def _for(self, depth: int) -> None:
        self._loops += 1
        name = f"i{self._loops}"
        numbers = self._random.choice(
            (
                f"range({self._random.randint(0, 5)})",
                f"range({self._name('int')} & 3, 9, 2)",
                f"range(7, {self._name('int')} & 3, -{self._random.randint(1, 3)})",
                f"range(0, {self._name('int')} & 7, ({self._name('int')} & 3) + 1)",
                f"range({2**63 - 9}, {2**63 - 1}, ({self._name('int')} & 3) + 2)",
            )
        )
        self._line(depth, f"for {name} in {numbers}:")
        self._names["int"].append(name)
        self._body(depth + 1, self._random.randint(1, 2))
        self._way_out(depth + 1)
        self._names["int"].remove(name)
        if self._random.random() < 0.2:
            self._line(depth, "else:")
            self._body(depth + 1, 1)

    def _while(self, depth: int) -> None:
        self._loops += 1
        name = f"n{self._loops}"
        self._line(depth, f"{name} = 0")
        self._line(depth, f"while {name} < {self._random.randint(1, 5)} and {self._name('bool')}:")
        self._line(depth + 1, f"{name} += 1")
        self._body(depth + 1, self._random.randint(1, 2))
        self._way_out(depth + 1)

    def _way_out(self, depth: int) -> None:
        if self._random.random() < 0.4:
            word = self._random.choice(("break", "continue"))
            self._line(depth, f"if {self._expression('bool', 1)}:")
            self._line(depth + 1, word)
            self._body(depth, 1)

    # ---- Expressions ----

    def _kind(self) -> str:
        return self._random.choice(("int", "int", "float", "float", "bool"))

    def _name(self, kind: str) -> str:
        return self._random.choice(self._names[kind])

    def _expression(self, kind: str, depth: int) -> str:
        if depth == 0 or self._random.random() < 0.2:
            return self._leaf(kind)
        return getattr(self, f"_{kind}_expression")(depth - 1)  # type: ignore[no-any-return]

    def _leaf(self, kind: str) -> str:
        if self._random.random() < 0.6:
            return self._name(kind)
        if kind == "int":
            return str(self._random.choice((0, 1, 2, -3, 7, 100, 2**31, 2**62)))
        if kind == "float":
            return self._random.choice(("0.5", "-2.0", "1e9", "0.0", "3.25", "1e-5"))
        return self._random.choice(("True", "False", f"{self._name('int')} > 2"))

    def _int_expression(self, depth: int) -> str:
        left, right = self._expression("int", depth), self._expression("int", depth)
        operator = self._random.choice(("+", "-", "*", "//", "%", "&", "|", "^"))
        forms = (
            f"({left} {operator} {right})",
            f"({left} {operator} {right})",
            f"({left} {operator} {right})",
            f"({left} << ({right} & 15))",
            f"({left} >> ({right} & 31))",
            # Of constants alone Python leaves wide powers to the run, where Numba's wrap and ours
            # are an error.
            f"({left} ^ b)**{self._random.randint(0, 4)}",
            f"min({left}, {right})",
            f"max({left}, {right}, {self._leaf('int')})",
            f"abs({left})",
            f"(-{left})",
            f"(~{left})",
            f"({left} if {self._expression('bool', depth)} else {right})",
            f"int({self._expression('bool', depth)})",
            f"({left}, {right})[{self._random.randint(0, 1)}]",
            f"int({self._random.choice(CONSTANTS)})",
        )
        return self._random.choice(forms)

    def _float_expression(self, depth: int) -> str:
        left, right = self._expression("float", depth), self._expression("float", depth)
        operator = self._random.choice(("+", "-", "*", "/", "//", "%"))
        forms = (
            f"({left} {operator} {right})",
            f"({left} {operator} {right})",
            f"({left} {operator} {right})",
            f"({left} {self._random.choice('+-*')} {self._expression('int', depth)})",
            f"({self._expression('int', depth)} / {right})",
            _power(left, self._random.choice((2, 3, -1, 0.5))),
            f"min({left}, {right})",
            f"max({left}, {right})",
            f"abs({left})",
            f"(-{left})",
            f"float({self._expression('int', depth)})",
            f"({left} if {self._expression('bool', depth)} else {right})",
            f"({self._random.choice(CONSTANTS)} * {left})",
        )
        return self._random.choice(forms)

    def _bool_expression(self, depth: int) -> str:
        kind = self._random.choice(("int", "float"))
        left, right = self._expression(kind, depth), self._expression(kind, depth)
        compare = self._random.choice(("<", "<=", ">", ">=", "==", "!="))
        one, other = self._expression("bool", depth), self._expression("bool", depth)
        forms = (
            f"({left} {compare} {right})",
            f"({left} {compare} {right})",
            f"({left} < {right} <= {self._leaf(kind)})",
            f"({one} and {other})",
            f"({one} or {other})",
            f"(not {one})",
            f"({self._expression('int', depth)} {compare} {self._expression('float', depth)})",
        )
        return self._random.choice(forms)


def _power(base: str, exponent: float) -> str:
    """A power; Python folds roots of negative constants to complex ones, which none is here."""
    is_constant = re.search(r"(?<![\w.])[A-Za-z_]", base) is None
    return (
        f"abs({base})**{exponent}" if is_constant and exponent == 0.5 else f"({base})**{exponent}"
    )


def function_text(number: int) -> str:
    """The text of function `number`."""
    return Writer(random.Random(f"function {number}")).text()


def arguments(number: int, count: int = 24) -> Iterator[tuple[Any, ...]]:
    """Tuples of arguments for function `number`, all of one tuple of types."""
    choices = random.Random(f"arguments {number}")
    kinds: list[Any] = [int, int, float, float, bool]
    if number % 4 == 3:  # NumPy's scalars
        kinds[0] = choices.choice((np.int32, np.uint8, np.int64))
        kinds[2] = choices.choice((np.float32, np.float64))
    for _ in range(count):
        integers = [choices.choice((*INTEGERS, choices.randint(-50, 50))) for _ in range(2)]
        floats = [choices.choice((*FLOATS, choices.uniform(-9, 9))) for _ in range(2)]
        if kinds[0] in NARROW:
            integers[0] = abs(integers[0]) % 2 ** NARROW[kinds[0]]
        values = (*integers, *floats, choices.random() < 0.5)
        with np.errstate(all="ignore"):
            yield tuple(kind(value) for kind, value in zip(kinds, values, strict=True))


def outcome(function: Callable[..., Any], values: tuple[Any, ...]) -> Any:
    """What a call gives: its result, or the class of what it raises."""
    try:
        return function(*values)
    except ArithmeticError as error:
        return type(error).__name__


def is_same(a: Any, b: Any) -> bool:
    """Returns whether two outcomes are equal: types, NaN and the sign of zero count."""
    if type(a) is not type(b):
        return False
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(is_same, a, b))
    if isinstance(a, float):
        if math.isnan(a) or math.isnan(b):
            return math.isnan(a) and math.isnan(b)
        return math.copysign(1, a) == math.copysign(1, b) and (
            a == b or math.isclose(a, b, rel_tol=EXACT)
        )
    return bool(a == b)


def is_same_or_float(a: Any, b: Any) -> bool:
    """Returns whether two outcomes are equal; a float may replace an integer of its value."""
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(is_same_or_float, a, b))
    is_float = isinstance(a, float) and type(b) is int
    return (is_float and a == float(b)) or is_same(a, b)


@contextlib.contextmanager
def numba_that_wraps() -> Iterator[Any]:
    """Numba, whose sums, differences and products of signed integers wrap.

    It marks them as never wrapping (nsw), for faster indices: what comes after one that does is
    then whatever LLVM makes of it, as -0.0 of ``x // float(a)`` whose sign follows from `a`.
    """
    import numba
    import numba.cpython.numbers
    import numba.np.math.numbers

    modules = (numba.cpython.numbers, numba.np.math.numbers)
    before = [module._int_arith_flags for module in modules]
    for module in modules:
        module._int_arith_flags = lambda rettype: []
    try:
        yield numba
    finally:
        for module, flags in zip(modules, before, strict=True):
            module._int_arith_flags = flags


class Function:
    """Function `number`: as Python has it, compiled here, and by Numba when it is asked."""

    def __init__(self, number: int) -> None:
        import phalanx

        self.text = function_text(number)
        self.name = f"function {number}"
        self.tuples = list(arguments(number))
        names: dict[str, Any] = {}
        place = f"<{self.name}>"
        linecache.cache[place] = (len(self.text), None, self.text.splitlines(keepends=True), place)
        exec(compile(self.text, place, "exec"), names)
        self._python = names["f"]
        self.interpreted = Interpreted(self.text)
        self.error: phalanx.errors.CompileError | None = None
        self.wanted: list[Any] = []  # what Numba gives, once it was asked
        ours = phalanx.njit(cache=False)(self._python)
        self.found = []
        try:
            self.found = [outcome(ours, values) for values in self.tuples]
        except phalanx.errors.CompileError as error:
            self.error = error

    def is_as_interpreted(self) -> bool:
        """Returns whether what was compiled here gives what Python does."""
        pairs = zip(self.tuples, self.found, strict=False)
        return self.error is None and all(
            is_same(outcome(self.interpreted, values), found) for values, found in pairs
        )

    def is_sampled(self, number: int) -> bool:
        """Returns whether Numba runs in any case: for types that Python lacks, and for a share."""
        return number % SHARE == 0 or any(isinstance(each, np.float32) for each in self.tuples[0])

    def is_typed_in_rounds(self) -> bool:
        """Returns whether Numba has floats of our values, Python's, and a name is a uint8.

        Numba gives types in rounds, and an expression keeps those of earlier ones: of a uint8 that
        is found to be an int64 later, -a is a uint64 and an int64, which is a float64. Which
        names that happens to depends on the order of the rounds.
        """
        has_bytes = any(isinstance(each, np.uint8) for each in self.tuples[0])
        if self.error is not None or not has_bytes:
            return False
        return all(
            is_same_or_float(wanted, found)
            and is_same_or_float(found, outcome(self.interpreted, values))
            for values, wanted, found in zip(self.tuples, self.wanted, self.found, strict=True)
        )

    def numba_difference(self) -> str | None:
        """How what was compiled here differs from Numba, None where Numba has no types for it."""
        with numba_that_wraps() as numba:
            theirs = numba.njit(self._python)
            try:
                self.wanted = [outcome(theirs, values) for values in self.tuples]
            except (numba.core.errors.NumbaError, NotImplementedError):
                return None
        if self.error is not None:
            return f"{self.name} does not compile: {self.error}\n{self.text}"
        for values, numbas, ours in zip(self.tuples, self.wanted, self.found, strict=True):
            if not is_same(numbas, ours):
                return f"{self.name}{values}:\n  numba   {numbas}\n  phalanx {ours}\n{self.text}"
        return ""


def differences(number: int, tally: Counter[str] | None = None) -> Iterator[str]:
    """How what is compiled here differs from Python and from Numba, if it does.

    What gives Python's own results is right; only where it does not, and for `SHARE` of the
    functions, Numba is asked, whose compiler takes twenty times as long. `tally` counts which of
    them said that a function is right.
    """
    tally = Counter() if tally is None else tally
    function = Function(number)
    is_python = function.is_as_interpreted()
    judge = "interpreter, wrapped" if function.interpreted.departed else "interpreter"
    if is_python and not function.is_sampled(number):
        tally[judge] += 1
        return
    difference = function.numba_difference()
    if difference is None:
        tally[judge if is_python else "no types in Numba"] += 1
        return
    is_listed = number in LISTED_NUMBERS or any(text in str(function.error) for text in LISTED)
    is_listed = is_listed or function.is_typed_in_rounds()
    # The least integer // -1 has no meaning in Numba; here it wraps, as the interpreter's does.
    if difference and (is_listed or (is_python and function.interpreted.is_undefined)):
        tally["listed"] += 1
        return
    tally["differs" if difference else "Numba"] += 1
    if difference:
        yield difference


def main() -> int:
    """Runs the functions; 1 where one differs."""
    os.environ.setdefault("NUMBA_OPT", "1")  # compiles twice as fast, and means the same
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=0, help="processes at a time")
    parser.add_argument("--seconds", type=float, default=math.inf, help="when to begin no more")
    parser.add_argument("--record", type=Path, help="a file of what was done, to go on from")
    parser.add_argument("--progress", action="store_true", help="say each number")
    options = parser.parse_args()
    numbers = range(options.first, options.first + options.count)
    if options.jobs:
        return (
            batches.run(
                [sys.executable, __file__],
                numbers,
                jobs=options.jobs,
                seconds=options.seconds,
                size=100,
                record=options.record,
            )
            > 0
        )
    warnings.simplefilter("ignore")
    tally: Counter[str] = Counter()
    for number in numbers:
        if options.progress:
            print("at", number, flush=True)
        for text in differences(number, tally):
            print(text, flush=True)
    if options.progress:
        print("at", numbers.stop)
    for judge, count in tally.items():
        print(f"judge {judge}: {count}")
    return 1 if tally["differs"] else 0


if __name__ == "__main__":
    sys.exit(main())
