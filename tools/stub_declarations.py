"""How a stub declares what has no definition in a source: objects that tables make."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from stub_homes import Home

RESULT = re.compile(r"`` -> ([^:]*):")
CALL = re.compile(r"``(?:\w+\.)*(\w+)\(([^)]*)\)``")
NUMBER = re.compile(r"\(u?int(32|64)\)|; int32 in")

OPERAND = """_Operand = (
    _ndarray | _numpy.ndarray[_Any, _Any] | _numpy.generic | complex | _Sequence[_Any]
)"""

# Of functions of kernels, whose result depends on how they are called.
OVERLOADED = ("grid", "gridsize")
GRID = '''@_overload
def {name}(ndim: _Literal[1], /) -> int: ...
@_overload
def {name}(ndim: _Literal[2], /) -> tuple[int, int]: ...
@_overload
def {name}(ndim: _Literal[3], /) -> tuple[int, int, int]:
    """{doc}"""'''


class Declaration(NamedTuple):
    """A declaration's text, what comes before it, and the types that it names, by alias."""

    text: str
    before: tuple[str, ...] = ()
    types: Mapping[str, Home] = MappingProxyType({})


def of(value: Any, name: str) -> Declaration:
    """The declaration of a public object."""
    kind = type(value).__name__
    if kind == "Namespace":
        return namespace(value, name)
    if kind == "Intrinsic":
        return Declaration(intrinsic(value, name))
    if hasattr(value, "nin") and hasattr(value, "nout"):
        return universal(value, name)
    if callable(value) and not isinstance(value, type) and is_described(value):
        return Declaration(function(value, name))
    return instance(value, name)


def doc_lines(value: Any, indent: str = "    ") -> str:
    """The docstring as a body's first lines; `...` where there is none."""
    text = inspect.cleandoc(getattr(value, "__doc__", None) or "")
    if not text:
        return f"{indent}..."
    return quoted(text, indent)


def quoted(text: str, indent: str) -> str:
    """A text as a docstring."""
    text = text.replace("\\", "\\\\").replace('"""', "'''")
    end = "\n" if "\n" in text else ""
    return textwrap.indent(f'"""{text}{end}"""', indent, lambda line: bool(line.strip()))


def is_described(value: Any) -> bool:
    """Say whether the object says what it takes."""
    try:
        inspect.signature(value)
    except (TypeError, ValueError):
        return False
    return True


def function(value: Any, name: str) -> str:
    """A function, by its signature."""
    signature = inspect.signature(value)
    result = annotation(signature.return_annotation)
    is_of_kernels = type(value).__name__ == "Dispatcher"
    doc = quoted(first_paragraphs(value.__doc__), "    ") if is_of_kernels else doc_lines(value)
    return f"def {name}({parameters(signature)}) -> {result}:\n{doc}"


def annotation(given: Any) -> str:
    """A type as it is written; Any for none."""
    if given is inspect.Signature.empty:
        return "_Any"
    text = given if isinstance(given, str) else getattr(given, "__name__", str(given))
    return re.sub(r"\b(Any|bool)\b", r"_\1", text)


def parameters(signature: inspect.Signature) -> str:
    """The parameters as they are written, each with a type."""
    made: list[str] = []
    kinds = [each.kind for each in signature.parameters.values()]
    for i, each in enumerate(signature.parameters.values()):
        before = kinds[i - 1] if i else None
        if before is each.POSITIONAL_ONLY and each.kind is not each.POSITIONAL_ONLY:
            made.append("/")
        has_star = before in (each.VAR_POSITIONAL, each.KEYWORD_ONLY)
        if each.kind is each.KEYWORD_ONLY and not has_star:
            made.append("*")
        made.append(parameter(each))
    if kinds and kinds[-1] is inspect.Parameter.POSITIONAL_ONLY:
        made.append("/")
    return ", ".join(made)


def parameter(each: inspect.Parameter) -> str:
    """One parameter with its default, where that can be written."""
    is_star, is_dictionary = each.kind is each.VAR_POSITIONAL, each.kind is each.VAR_KEYWORD
    stars = "*" if is_star else "**" if is_dictionary else ""
    text = f"{stars}{each.name}: {annotation(each.annotation)}"
    if each.default is each.empty:
        return text
    is_plain = isinstance(each.default, bool | int | float | str | type(None))
    return f"{text} = {each.default!r}" if is_plain else f"{text} = ..."


def universal(value: Any, name: str) -> Declaration:
    """A universal function: of a class by the number of operands and results."""
    inputs = ["x"] if value.nin == 1 else [f"x{i + 1}" for i in range(value.nin)]
    has_axis = "axis" in inspect.signature(value).parameters
    kind = f"_Ufunc{value.nin}{value.nout}{'Axis' if has_axis else ''}"
    one = "_ndarray"
    result = one if value.nout == 1 else f"tuple[{', '.join([one] * value.nout)}]"
    rest = (
        "out: _Any = None, *, where: _Any = True, casting: str = 'same_kind', order: str = 'K', "
        f"dtype: _Any = None{', axis: _Any = -1' if has_axis else ''}"
    )
    taken = [", ".join(f"{each}: {type_}" for each in inputs) for type_ in ("_Operand", "_Any")]
    lines = [
        OPERAND,
        f"class {kind}(_ufunc):\n"
        f"    @_overload\n    def __call__(self, {taken[0]}, /, {rest}) -> {result}: ...\n"
        f"    @_overload\n    def __call__(self, {taken[1]}, /, {rest}) -> _Any: ...",
    ]
    doc = doc_lines(value, "").replace("\n\n", "\n")
    types = {
        "_ufunc": Home("phalanx._arrays.ufunc_type", "ufunc"),
        "_ndarray": Home("phalanx._arrays.ndarray", "ndarray"),
    }
    return Declaration(f"{name}: {kind}\n{doc}", tuple(lines), types)


def instance(value: Any, name: str) -> Declaration:
    """A value of some class of ours, or a plain one."""
    kind = type(value)
    if kind in (int, float, complex, str):
        return Declaration(f"{name}: {kind.__name__}")
    if not kind.__module__.startswith("phalanx"):
        return Declaration(f"{name}: _Any")
    alias = f"_{kind.__name__.lstrip('_')}"
    return Declaration(f"{name}: {alias}", types={alias: Home(kind.__module__, kind.__qualname__)})


# Names of kernels.


def intrinsic(value: Any, name: str, indent: str = "") -> str:
    """A name of kernel code: a function where its doc line shows a call, else a value."""
    if name in OVERLOADED and not indent:
        return GRID.format(name=name, doc=value.__doc__)
    call = CALL.match(value.__doc__)
    result = result_of(first_paragraphs(value.__doc__))
    if call is None:
        return f"{indent}{name}: {result}\n{doc_lines(value, indent)}"
    taken = ["self"] if indent else []
    taken += written(call[2])
    said = quoted(first_paragraphs(value.__doc__), indent + "    ")
    return f"{indent}def {name}({', '.join(taken)}) -> {result}:\n{said}"


def first_paragraphs(text: str) -> str:
    """A text without the example at its end: what tables make would fill the stubs of kernels."""
    return text.partition("\n\n>>>")[0]


def result_of(doc: str) -> str:
    """The type of what a doc line says comes back: Python's number for a dtype."""
    said = RESULT.search(doc)
    if said is None:
        return "int" if NUMBER.search(doc) else "_Any"
    kinds = [
        "int" if "int" in each else "float" if each.startswith("float") else "_Any"
        for each in said[1].split(", ")
    ]
    return kinds[0] if len(kinds) == 1 else f"tuple[{', '.join(kinds)}]"


def written(text: str) -> list[str]:
    """The parameters that a doc line shows; types there mean operands."""
    names = [each.strip() for each in text.split(",") if each.strip()]
    if names and all(re.fullmatch(r"(u?int|b?float)\d+", each) for each in names):
        return [f"x{i + 1}: _Any" for i in range(len(names))] + ["/"]
    made = []
    for each in names:
        before, _, default = each.partition("=")
        made.append(f"{before}: _Any" + (f" = {default}" if default else ""))
    return made


def namespace(value: Any, name: str, outer: str = "") -> Declaration:
    """A group of names of kernels, as a class of its own and its only instance."""
    kind = f"_{outer}{name[0].upper()}{name[1:]}"
    before: list[str] = []
    body: list[str] = []
    for member, each in vars(value).items():
        if member.startswith("_") or member == "name":
            continue
        if type(each).__name__ == "Namespace":
            made = namespace(each, member, kind.strip("_"))
            before += made.before
            body.append(textwrap.indent(made.text, "    "))
        else:
            body.append(intrinsic(each, member, "    "))
    text = f"class {kind}:\n{doc_lines(value)}\n" + "\n".join(body)
    return Declaration(f"{name}: {kind}\n{doc_lines(value, '')}", (*before, text))
