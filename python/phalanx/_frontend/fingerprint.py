"""A key for what a function means, without parsing it: for the disk cache.

The key is made of the bytecode, the constants, and the values of everything outside that the code
refers to: globals, closure variables, attributes of modules, and functions, each in the same way.
"""

from __future__ import annotations

import contextlib
import enum
import sys
import types
from _blake2 import blake2b
from collections.abc import Callable, Iterator
from opcode import EXTENDED_ARG, opmap, opname
from types import CodeType
from typing import Any, NamedTuple

from .._core import enums, intrinsic
from .._types import objects
from .extensions import generators, is_overloaded
from .missing import MISSING
from .providers import replacement
from .resolve import (
    exception_name,
    is_array_function,
    lookup,
    own_options,
)

_CACHE = opmap.get("CACHE", 0)
_ATTR_SHIFT = 1 if sys.version_info >= (3, 12) else 0  # LOAD_ATTR has a flag bit from 3.12 on


class _Unsafe(Exception):
    """Something is referred to whose changes could not be seen."""


def fingerprint(
    function: Callable[..., Any], *, lines: bool = True, around: tuple[Any, ...] = ()
) -> bytes | None:
    """The key of a function, equal only for functions that mean the same.

    ``None`` when something that the function refers to cannot be told apart from another value;
    then nothing may be cached. `lines` also tells functions at other locations apart,
    for code that holds line numbers. `around` are values that tell apart what is made of it.
    """
    made = _Fingerprint(lines)
    try:
        made.add_function(function)
        if around:
            made.add_value(around)
    except _Unsafe:
        return None
    return made.digest()


def code_key(code: CodeType) -> bytes:
    """A key equal only for code that does the same, wherever it was written."""
    made = _Fingerprint(lines=False)
    made.add_code(code)
    return made.digest()


def referred(function: Callable[..., Any], kind: type) -> list[Any]:
    """The values of a type that a function refers to, also through functions that it calls."""
    made = _Collector(kind)
    made.add_function(function)
    return made.found


class _Fingerprint:
    def __init__(self, lines: bool) -> None:
        self._parts: list[bytes] = [sys.implementation.cache_tag.encode()]
        self._lines = lines
        self._seen: dict[int, int] = {}
        self._kept: list[Any] = []  # so that no id is used twice

    def digest(self) -> bytes:
        sizes = ",".join([str(len(part)) for part in self._parts]).encode()
        return blake2b(sizes + b"|" + b"".join(self._parts), digest_size=32).digest()

    def _text(self, *texts: object) -> None:
        self._parts.append("\0".join(map(str, texts)).encode("utf-8", "surrogatepass"))

    # ---- Code ----

    def add_function(self, function: Any) -> None:
        if id(function) in self._seen:
            self._text("again", self._seen[id(function)])
            return
        self._seen[id(function)] = len(self._seen)
        self._kept.append(function)
        code = function.__code__
        self.add_code(code)
        self.add_value(function.__defaults__)
        self.add_value(tuple(sorted((function.__kwdefaults__ or {}).items())))
        for chain in dict.fromkeys(_all_chains(code, set(code.co_freevars))):
            self._add_reference(function, chain)
        for name in code.co_names:  # members of values may be written in Python
            self._add_overloads(f"method.{name}", f"attribute.{name}")

    def _add_overloads(self, *keys: Any) -> None:
        for make in generators(*keys):
            self._text("overload")
            self.add_function(make)

    def _add_reference(self, function: Any, chain: tuple[str, ...]) -> None:
        value = lookup(function, chain[0])
        used = 1
        while isinstance(value, _HOLDERS) and used < len(chain):
            value = getattr(value, chain[used], MISSING)
            used += 1
        if isinstance(value, types.ModuleType):
            raise _Unsafe  # handed on: any of its attributes may be used
        self._text(*chain)
        # A name that does not exist is an error that the compiler reports each time.
        self.add_value(None if value is MISSING else value)

    def add_code(self, code: CodeType) -> None:
        self._parts.append(code.co_code)
        self._text(
            code.co_name,
            code.co_argcount,
            code.co_posonlyargcount,
            code.co_kwonlyargcount,
            code.co_flags,
            code.co_names,
            code.co_varnames,
            code.co_freevars,
            code.co_cellvars,
        )
        if self._lines:
            self._text(code.co_filename, code.co_firstlineno)
            self._parts.append(code.co_linetable)
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                self.add_code(constant)
            else:
                self.add_value(constant)

    # ---- Values ----

    def add_value(self, value: Any) -> None:
        kind = type(value)
        if kind in _PLAIN:
            self._text(kind.__name__, repr(value))
            return
        if is_overloaded(value):
            self._add_overloads(value)
        for base, add in _BY_BASE:
            if isinstance(value, base):
                add(self, value)
                return
        if hasattr(kind, "_fingerprint_"):
            self.add_value(value._fingerprint_())
        elif callable(getattr(value, "py_func", None)):
            declared = getattr(value, "declared_signatures", "")
            items = getattr(value, "item_calls", None)
            self._text("dispatcher", declared, own_options(value), *([items] if items else []))
            self.add_function(value.py_func)
        else:
            self._add_numpy(value)

    def _add_tuple(self, value: tuple[Any, ...]) -> None:
        self._text("tuple", type(value).__name__, getattr(value, "_fields", ""), len(value))
        for element in value:
            self.add_value(element)

    def _add_slice(self, value: slice) -> None:  # a constant from Python 3.14 on
        self._text("slice")
        for part in (value.start, value.stop, value.step):
            self.add_value(part)

    def _add_set(self, value: frozenset[Any]) -> None:
        self._text("frozenset", sorted(map(repr, value)))

    def _add_enum_member(self, value: enum.Enum) -> None:
        kind = type(value)
        self._text("enum", kind.__qualname__, enums.name_of(kind), value.name)
        self.add_value(value.value)

    def _add_builtin(self, value: types.BuiltinFunctionType) -> None:
        if type(value.__self__).__name__ == "Random":  # random.random and random.getrandbits
            self._add_replaced(value)
            return
        self._text("builtin", value.__module__, value.__qualname__)
        self._add_overloads(f"{value.__module__}.{value.__name__}")

    def _add_replaced(self, value: Any) -> None:
        """Functions that are compiled from another text: those of ``random`` and ``np.random``,
        whose classes differ from version to version of NumPy."""
        written = replacement(value)
        if written is None:
            raise _Unsafe
        self.add_function(written)

    def _add_intrinsic(self, value: intrinsic.Intrinsic | intrinsic.Namespace) -> None:
        self._text("intrinsic", value.name)

    def _add_type(self, value: objects.Type) -> None:
        self._text("type", type(value).__name__, value)

    def _add_python_function(self, function: Any) -> None:
        module = function.__module__ or ""
        if module == "numpy" or module.startswith("numpy."):
            self._text("numpy", module, function.__qualname__)
            self._add_overloads(f"numpy.{function.__name__}")
        else:
            self.add_function(function)

    def _add_class(self, value: type) -> None:
        self._text("class", value.__module__, value.__qualname__, getattr(value, "_fields", ""))
        if issubclass(value, BaseException):
            exception_name(value)  # the kernel from the cache raises it too
        if issubclass(value, enum.Enum):
            self._text(enums.name_of(value))  # members come back from code of the cache too
            for member in value:
                self._text(member.name)
                self.add_value(member.value)

    def _add_numpy(self, value: Any) -> None:
        numpy = sys.modules.get("numpy")
        if numpy is None:
            raise _Unsafe
        if isinstance(value, numpy.ndarray) and not value.dtype.hasobject:
            self._text("array", value.dtype.descr, value.shape)
            self._parts.append(value.tobytes())
        elif isinstance(value, numpy.generic) and not value.dtype.hasobject:
            self._text("scalar", value.dtype.descr)
            self._parts.append(value.tobytes())
        elif isinstance(value, numpy.dtype):
            self._text("dtype", value.descr, value.itemsize, value.isalignedstruct)
        elif isinstance(value, numpy.ufunc):
            self._text("ufunc", value.__name__)
        elif is_array_function(value):
            self._text("numpy", value.__module__, value.__name__)
            self._add_overloads(f"numpy.{value.__name__}")
        else:
            self._add_replaced(value)


class _Collector(_Fingerprint):
    """Goes the same ways, to find values."""

    def __init__(self, kind: type) -> None:
        super().__init__(lines=False)
        self._kind = kind
        self.found: list[Any] = []

    def add_value(self, value: Any) -> None:
        if isinstance(value, self._kind):
            self.found.append(value)
            return
        with contextlib.suppress(_Unsafe):
            super().add_value(value)

    def _add_reference(self, function: Any, chain: tuple[str, ...]) -> None:
        with contextlib.suppress(_Unsafe):
            super()._add_reference(function, chain)


_PLAIN = frozenset((type(None), bool, int, float, complex, str, bytes, type(...)))
_BY_BASE: tuple[tuple[type, Callable[[_Fingerprint, Any], None]], ...] = (
    (tuple, _Fingerprint._add_tuple),
    (frozenset, _Fingerprint._add_set),
    (slice, _Fingerprint._add_slice),
    (types.FunctionType, _Fingerprint._add_python_function),
    (types.BuiltinFunctionType, _Fingerprint._add_builtin),
    (types.MethodType, _Fingerprint._add_replaced),
    (intrinsic.Intrinsic, _Fingerprint._add_intrinsic),
    (intrinsic.Namespace, _Fingerprint._add_intrinsic),
    (objects.Type, _Fingerprint._add_type),
    (enum.Enum, _Fingerprint._add_enum_member),
    (type, _Fingerprint._add_class),
)
_HOLDERS = (types.ModuleType, intrinsic.Namespace)


def _all_chains(code: CodeType, outer: set[str]) -> Iterator[tuple[str, ...]]:
    """The dotted names that the code, and the code of functions in it, loads from outside."""
    yield from _chains(code, outer)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _all_chains(constant, outer)


class Instruction(NamedTuple):
    """One instruction, without those that hold caches."""

    name: str
    argument: int


def is_method(each: Instruction) -> bool:
    """Returns whether it loads an attribute to be called as a method."""
    return each.name == "LOAD_METHOD" or (_ATTR_SHIFT == 1 and each.argument & 1 == 1)


def name_of(code: CodeType, each: Instruction) -> str:
    """The name that a load is for, empty for other instructions."""
    match each.name:
        case "LOAD_GLOBAL":
            return code.co_names[each.argument >> 1]
        case "LOAD_ATTR":
            return code.co_names[each.argument >> _ATTR_SHIFT]
        case "LOAD_NAME" | "LOAD_METHOD":
            return code.co_names[each.argument]
        case "LOAD_FAST" | "LOAD_FAST_BORROW" | "LOAD_DEREF":
            return _slot_name(code, each.argument)
    return ""


def _chains(code: CodeType, outer: set[str]) -> Iterator[tuple[str, ...]]:
    """The dotted names as parts: ``("cuda", "shared", "array")``."""
    chain: tuple[str, ...] = ()
    for each in instructions(code):
        name = name_of(code, each)
        if chain and each.name in ("LOAD_ATTR", "LOAD_METHOD"):
            chain = (*chain, name)
            continue
        if chain:
            yield chain
        is_outer = each.name in ("LOAD_GLOBAL", "LOAD_NAME")
        is_outer = is_outer or (each.name == "LOAD_DEREF" and name in outer)
        chain = (name,) if is_outer else ()


def instructions(code: CodeType) -> Iterator[Instruction]:
    """The instructions, each with its whole argument."""
    extended = 0
    octets = code.co_code
    for op, low in zip(octets[::2], octets[1::2], strict=True):
        if op == EXTENDED_ARG:
            extended = (low | extended) << 8
        elif op != _CACHE:
            yield Instruction(opname[op], low | extended)
            extended = 0


def _slot_name(code: CodeType, slot: int) -> str:
    """The variable of a slot: locals, cells that are no locals, closure variables."""
    local = code.co_varnames
    if slot < len(local):
        return local[slot]
    cells = [each for each in code.co_cellvars if each not in local]
    return (*cells, *code.co_freevars)[slot - len(local)]
