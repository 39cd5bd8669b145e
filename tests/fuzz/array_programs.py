"""Random programs of array code, as text that runs with `xp = numpy` and with `xp = phalanx`.

A program is written line by line, and each line runs with NumPy as it is written: so the shapes,
dtypes and values are known that the next line can use, and most lines are right. Views of views are
kept as variables, and later lines write through them.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import array_rules as rules
import numpy as np

OFTEN = ("float64", "float32", "int64", "int32", "uint8", "bool")
SELDOM = ("int8", "int16", "uint16", "uint32", "uint64", "float16", "complex64", "complex128")
OPERATORS = ("+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>")
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
UNARY = (
    *("negative", "absolute", "positive", "square", "sign", "conjugate", "logical_not", "invert"),
    *("sqrt", "exp", "log", "sin", "cos", "tanh", "arctan", "expm1", "log1p", "cbrt", "reciprocal"),
    *("floor", "ceil", "trunc", "rint", "isnan", "isfinite", "isinf", "signbit", "deg2rad"),
)
BINARY = (
    *("add", "subtract", "multiply", "divide", "floor_divide", "remainder", "fmod", "power"),
    *("maximum", "minimum", "fmax", "fmin", "hypot", "arctan2", "copysign", "heaviside"),
    *("logical_and", "logical_or", "logical_xor", "bitwise_and", "bitwise_or", "bitwise_xor"),
    *("left_shift", "right_shift", "less", "greater", "equal", "not_equal", "gcd", "lcm"),
)
# Whose results at repeated indices do not depend on the order of the operands.
AT = (
    *("add", "add", "subtract", "multiply", "maximum", "minimum", "fmax", "fmin"),
    *("bitwise_and", "bitwise_or", "bitwise_xor", "logical_xor"),
)
REDUCTIONS = ("sum", "prod", "min", "max", "any", "all", "mean", "var", "std", "argmin", "argmax")
SPECIAL = ("np.nan", "np.inf", "-np.inf", "-0.0", "0.1", "1e10", "-1e-3", "1e300")
LITERALS = ("0", "1", "2", "-1", "3", "7", "200", "-129", "0.5", "-2.0", "1.5", "True", "1j")
MAXIMUM = 64  # elements of a variable
LARGE = ((40000,), (200, 200), (2, 100, 200))  # what is computed together with others


class Expression(NamedTuple):
    """Text of the program, what NumPy makes of it, and if roundings may differ in that."""

    text: str
    value: Any
    is_rounded: bool = False
    is_ordered: bool = True  # NumPy and ours have the elements in one order in memory


class Line(NamedTuple):
    """A statement, and the variables whose values may differ by roundings once it has run."""

    text: str
    rounded: frozenset[str]


class Program(NamedTuple):
    lines: tuple[Line, ...]
    tolerance: float  # what roundings may change a value by

    @property
    def text(self) -> str:
        return "".join(line.text + "\n" for line in self.lines)


def _root(array: Any) -> Any:
    """The array whose memory it is; of a scalar that itself."""
    while isinstance(array, np.ndarray) and isinstance(array.base, np.ndarray):
        array = array.base
    return array


class Writer:
    """Writes one program; its variables are those of the program after its last line."""

    def __init__(self, seed: int, is_large: bool = False) -> None:
        self.random = random.Random(seed)
        self.names: dict[str, Any] = {"np": np, "xp": np}
        self._rounded: set[str] = set()  # names
        self._unordered: set[str] = set()
        self._lines: list[Line] = []
        self._made = 0
        self.is_large = is_large
        self.maximum = 4 * 40000 if is_large else MAXIMUM
        self._sizes = rules.Sizes(is_large)
        self.is_careless = self.random.random() < 0.3

    # What there is

    def variables(self) -> list[str]:
        return [name for name in self.names if name.startswith("v")]

    def arrays(self) -> list[str]:
        return [name for name in self.variables() if isinstance(self.names[name], np.ndarray)]

    def new_name(self, kind: str = "v") -> str:
        """The name of a variable, or with `kind` "h" of an array of NumPy's."""
        self._made += 1
        return f"{kind}{self._made}"

    def value_of(self, text: str) -> Any:
        return eval(text, self.names)

    def evaluate(self, text: str, *parts: Expression, rounds: bool = False) -> Expression:
        """The expression; `rounds` says that two right libraries may round it differently."""
        value = self.value_of(text)
        made = np.asarray(value)
        is_rounded = (rounds or any(part.is_rounded for part in parts)) and made.dtype.kind in "fc"
        self._sizes.note(made, is_rounded)
        is_view = any(np.may_share_memory(made, part.value) for part in parts)
        is_ordered = all(
            part.is_ordered and (is_view or _is_in_order(part.value)) for part in parts
        )
        return Expression(text, value, is_rounded, is_ordered)

    # Operands

    def dtype(self) -> str:
        return self.random.choice(OFTEN if self.random.random() < 0.7 else SELDOM)

    def shape(self) -> tuple[int, ...]:
        if self.is_large and self.random.random() < 0.8:
            return self.random.choice(LARGE)
        sizes = (0, 1, 2, 3, 4, 5) if self.random.random() < 0.3 else (2, 3, 4)
        ranks = (0, 1, 1, 1, 2, 2, 2, 3)
        return tuple(self.random.choice(sizes) for _ in range(self.random.choice(ranks)))

    def variable(self) -> Expression:
        return self.known(self.random.choice(self.variables()))

    def known(self, name: str) -> Expression:
        return Expression(
            name, self.names[name], name in self._rounded, name not in self._unordered
        )

    def array(self) -> Expression | None:
        """A variable that is an array, one of the last more often."""
        names = self.arrays()
        if not names:
            return None
        roots = [id(_root(self.names[name])) for name in names]
        related = [name for name, root in zip(names, roots, strict=True) if roots.count(root) > 1]
        if related and self.random.random() < 0.4:
            return self.known(self.random.choice(related))
        return self.known(self.random.choice(names[-4:] if self.random.random() < 0.6 else names))

    def data(self, dtype: str, shape: tuple[int, ...]) -> str:
        """An array of NumPy's with small values, multiples of an eighth, seldom others."""
        count = int(np.prod(shape))
        if count > MAXIMUM:
            step = self.random.randint(1, 9)
            return f"({step} * np.arange({count}) % 11).astype('{dtype}').reshape({shape})"
        values = [self.number(dtype) for _ in range(count)]
        text = f"np.array([{', '.join(values)}], '{dtype}')"
        return text if len(shape) == 1 else f"{text}.reshape({shape})"

    def number(self, dtype: str) -> str:
        kind = np.dtype(dtype).kind
        if kind == "b":
            return self.random.choice(("True", "False"))
        if kind in "iu":
            low = 0 if kind == "u" else -9
            return str(self.random.randint(low, 9))
        if self.random.random() < 0.04:
            return self.random.choice(SPECIAL)
        whole = str(self.random.randint(-24, 24) / self.random.choice((1, 2, 4)))
        return f"{whole}+{self.random.randint(0, 5)}j" if kind == "c" else whole

    def operand(self, like: Any = None) -> Expression:
        """A variable, a view, a number or an array of NumPy's, mostly one that broadcasts."""
        choice = self.random.random()
        if like is not None and choice < 0.2:
            if choice < 0.13:
                return self.evaluate(self.random.choice(LITERALS))
            dtype = self.dtype()
            return self.evaluate(f"np.{dtype}({self.number(dtype)})")
        if choice < 0.25 or not self.variables():
            shape = np.shape(like) if like is not None else self.shape()
            shape = shape[self.random.randint(0, 1) :] if shape else shape
            return self.evaluate(self.data(self.dtype(), shape))
        for _ in range(8):
            found = self.variable()
            if self.random.random() < 0.4:
                found = self.view(found) or found
            if like is None or self.is_careless or _broadcast(found.value, like) is not None:
                return found
        return self.evaluate("1")

    def expression(self, depth: int = 0) -> Expression | None:
        """An operand with one to three operations on it."""
        made: Expression | None = self.operand()
        for _ in range(self.random.choice((1, 1, 1, 2, 3)) - depth):
            if made is None:
                return None
            made = self.operation(made)
        return made

    def operation(self, given: Expression) -> Expression | None:
        choice = self.random.random()
        if choice < 0.2:
            name = self.random.choice(UNARY)
            prefix = "np" if self.random.random() < 0.1 else "xp"
            return self.applied(name, f"{prefix}.{name}({given.text})", given)
        other = self.operand(given.value)
        if self.random.random() < 0.2:
            given, other = other, given
        if choice < 0.6:
            name = self.random.choice(OPERATORS + COMPARISONS)
            return self.applied(name, f"({given.text} {name} {other.text})", given, other)
        if choice < 0.8:
            name = self.random.choice(BINARY)
            return self.applied(name, f"xp.{name}({given.text}, {other.text})", given, other)
        if choice < 0.9:
            dtype = self.dtype()
            text = f"xp.asarray({given.text}).astype('{dtype}')"
            return self.applied("astype", text, given, dtype=dtype)
        mask = self.operand(given.value)
        text = f"xp.where({mask.text}, {given.text}, {other.text})"
        return self.applied("where", text, given, other, mask)

    def applied(
        self, name: str, text: str, *parts: Expression, dtype: Any = None
    ) -> Expression | None:
        """The operation, if the rules allow it and NumPy does it; else None, mostly."""
        values = [part.value for part in parts]
        is_rounded = any(part.is_rounded for part in parts)
        if not any(isinstance(value, (np.ndarray, np.generic)) for value in values):
            return None  # Python's numbers alone
        is_broadcast = name not in ("concatenate", "moved")
        if is_broadcast and _broadcast_size(values) > self.maximum:
            return None
        if rules.refusal(name, values, is_rounded, dtype) is not None:
            return None
        try:
            made = self.evaluate(text, *parts, rounds=rules.rounds(name, values))
        except Exception:
            return None
        is_small = (
            isinstance(made.value, (np.ndarray, np.generic)) and made.value.size <= self.maximum
        )
        return made if is_small and made.value.dtype.kind in "biufc" else None

    # Views

    def view(self, of: Expression) -> Expression | None:
        """A view of an array's elements."""
        if not isinstance(of.value, np.ndarray):
            return None
        text = self.random.choice(self._views(of))
        try:
            return self.evaluate(text, of)
        except Exception:
            return None

    def _views(self, of: Expression) -> list[str]:
        text, array = of.text, of.value
        forms = [text + self.key(array), text + self.key(array), text + self.key(array)]
        forms += [f"{text}{key}" for key in ("[::-1]", "[None]", "[...]", "[..., None]", ".T")]
        forms += [f"xp.{name}({text})" for name in ("flip", "transpose", "atleast_2d")]
        forms.append(f"xp.broadcast_to({text}, {(2, *array.shape)})")
        forms.append(f"{text}.{self.random.choice(('real', 'imag', 'squeeze()', 'view()'))}")
        if array.ndim > 1:
            forms += [f"{text}.swapaxes(0, -1)", f"{text}.diagonal()", f"xp.rot90({text})"]
            forms += [f"xp.moveaxis({text}, 0, -1)", f"xp.split({text}, [1])[-1]"]
        if of.is_ordered:
            forms += [f"{text}.reshape(-1)", f"{text}.ravel()", f"{text}.flatten()"]
            forms += [f"{text}.reshape({self.other_shape(array)})", f"xp.ravel({text}, order='F')"]
            if array.dtype.kind in "iu":
                name = array.dtype.name
                other = name[1:] if array.dtype.kind == "u" else f"u{name}"
                forms.append(f"{text}.view('{self.random.choice((other, 'int16'))}')")
        return forms

    def other_shape(self, array: Any) -> tuple[int, ...]:
        size = array.size
        divisors = [i for i in range(1, size + 1) if size % i == 0] or [0]
        first = self.random.choice(divisors)
        shape = (first, size // first if first else 3)
        return (*shape, 1) if self.random.random() < 0.2 else shape

    def slice(self, size: int) -> str:
        if self.random.random() < 0.3:
            return self.random.choice((":", "::-1", "::2", "1:", ":-1", "::-2", "1::2"))
        start, stop = (self.random.randint(-size - 1, size + 1) for _ in range(2))
        step = self.random.choice((1, 1, 1, 2, -1, -2, 3))
        return f"{start}:{stop}:{step}" if step != 1 else f"{start}:{stop}"

    def key(self, array: Any, is_basic: bool = True) -> str:
        """An index: of slices and numbers, or else with an array of positions or a mask."""
        if not is_basic and array.ndim and self.random.random() < 0.7:
            return self.array_key(array)
        if array.ndim == 0 or self.random.random() < 0.1:
            return "[...]"
        items = [self.slice(size) for size in array.shape[: self.random.randint(1, array.ndim)]]
        for i, size in enumerate(array.shape[: len(items)]):
            if self.random.random() < 0.25 and size:
                items[i] = str(self.random.randint(-size, size - 1))
        if self.random.random() < 0.1:
            items.insert(self.random.randint(0, len(items)), self.random.choice(("...", "None")))
        return f"[{', '.join(items)}]"

    def array_key(self, array: Any) -> str:
        size = array.shape[0]
        choice = self.random.random()
        if choice < 0.45 or size == 0:
            for name in self.variables():
                value = self.names[name]
                if np.asarray(value).dtype.kind == "b" and value.shape == array.shape:
                    return f"[{name}]"
            return f"[{self.comparable(array)}]"
        count = self.random.randint(0, 4)
        text = self.positions(size, count)
        if array.ndim == 1 or choice < 0.8 or not array.shape[1]:
            return f"[{text}]"
        if choice < 0.88:
            return f"[{text}, {self.slice(3)}]"
        if choice < 0.94:
            return f"[{self.slice(3)}, {self.positions(array.shape[1], count)}]"
        return f"[{text}, {self.positions(array.shape[1], self.random.choice((1, count)))}]"

    def positions(self, size: int, count: int) -> str:
        """That many indices as an array, some of them from the end, some repeated."""
        found = [self.random.randint(-size, size - 1) for _ in range(count)]
        dtype = self.random.choice(("int64", "int64", "int8" if size < 128 else "int32"))
        text = f"np.array({found}, '{dtype}')"
        return f"xp.asarray({text})" if self.random.random() < 0.6 else text

    def comparable(self, array: Any) -> str:
        for name in self.variables():
            value = self.names[name]
            is_like = np.shape(value) == array.shape and not np.iscomplexobj(value)
            if is_like and name not in self._rounded:
                return f"{name} {self.random.choice(COMPARISONS)} 1"
        return self.data("bool", array.shape)

    # Lines

    def run(self, text: str, target: str | None, *parts: Expression, rounds: bool = False) -> bool:
        """Adds a line, of which `target` is what it gives a value or other elements."""
        self.names.pop("__warningregistry__", None)  # which warnings leave there
        before = dict(self.names)
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            try:
                exec(text, self.names)
                failed = False
            except (MemoryError, RecursionError):
                raise
            except Exception:
                failed = True
        self.names.pop("__warningregistry__", None)
        if rules.is_unspecified(told):
            raise rules.Unspecified
        if failed:
            # It may have begun: NumPy's errors of values come in the midst of a loop.
            assert self.names.keys() == before.keys()
        elif target is not None:
            self._note(target, rounds or any(part.is_rounded for part in parts))
            if target not in before and not all(part.is_ordered for part in parts):
                self._unordered.add(target)
        self._lines.append(Line(text, frozenset(self._rounded)))
        return not failed

    def _note(self, target: str, is_rounded: bool) -> None:
        """Marks the variables that share elements with one whose roundings may differ."""
        value = self.names[target]
        if not isinstance(value, np.ndarray):
            self._rounded.discard(target)
        self._sizes.note(value, is_rounded)
        same = {target}
        if isinstance(value, np.ndarray):
            root = _root(value)
            arrays = {name: each for name, each in self.names.items() if name[0] in "hv"}
            same |= {name for name, each in arrays.items() if _root(each) is root}
        if (is_rounded and np.asarray(value).dtype.kind in "fc") or same & self._rounded:
            self._rounded |= same

    def forget(self, name: str) -> None:
        self._rounded.discard(name)

    def write(
        self,
        first: list[Callable[[Writer], Any]],
        count: int,
        kinds: dict[Callable[[Writer], Any], int],
    ) -> Program:
        """A program of `count` lines: the first ones, and some of the kinds by their weights."""
        functions, weights = list(kinds), list(kinds.values())
        with np.errstate(all="ignore", invalid="warn"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tries = 0
            while len(self._lines) < count and tries < 40 * count:
                tries += 1
                kind = first.pop(0) if first else self.random.choices(functions, weights)[0]
                try:
                    kind(self)
                except rules.Unspecified:
                    break
        return Program(tuple(self._lines), self._sizes.tolerance())


def _is_in_order(value: Any) -> bool:
    """True if the dimensions are in memory as they are in the shape: so are those of results."""
    return np.ndim(value) < 2 or bool(value.flags.c_contiguous)


def _broadcast(one: Any, other: Any) -> tuple[int, ...] | None:
    try:
        return np.broadcast_shapes(np.shape(one), np.shape(other))
    except ValueError:
        return None


def _broadcast_size(values: list[Any]) -> int:
    """How many elements a result has, 0 where the shapes do not fit."""
    try:
        return int(np.prod(np.broadcast_shapes(*map(np.shape, values))))
    except ValueError:
        return 0


def removals(program: Program) -> Iterator[Program]:
    """The program without one of its lines each."""
    for i in reversed(range(len(program.lines))):
        yield program._replace(lines=program.lines[:i] + program.lines[i + 1 :])
