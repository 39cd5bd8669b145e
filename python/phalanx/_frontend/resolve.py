"""What Python objects mean inside a kernel: the engine asks for each name that it meets."""

from __future__ import annotations

import builtins
import enum
import sys
import threading
import types
import weakref
from collections.abc import Callable
from typing import Any

from .. import _engine, errors
from .._core import enums, intrinsic
from .._types import aggregates, numba_objects, objects
from .extensions import is_overloaded
from .missing import MISSING
from .providers import replacement, special_names

# Named tuples that compiled code named, by name and fields, for what comes back from it.
NAMED_TUPLES: dict[tuple[str, tuple[str, ...]], type[tuple[Any, ...]]] = {}

# Its setdefault is several steps, of which another thread's may lose a list.
_captured_lock = threading.RLock()
_captured: weakref.WeakKeyDictionary[Callable[..., Any], list[Any]] = weakref.WeakKeyDictionary()

# Modules whose functions are known by another name than that of the module they are made in.
_MODULES = {"_operator": "operator"}


# Classes of NumPy's that are called, or asked for, as functions are.
_NUMPY_CLASSES = frozenset(("finfo", "iinfo", "ndarray", "ndenumerate", "ndindex", "nditer"))

# The names by which the formatting of f"{a}" and f"{a!r}" is looked up; no Python code has them.
_FORMATS = {'f"': format, 'f"s': str, 'f"r': repr, 'f"a': ascii}


def lookup(function: Callable[..., Any], name: str) -> Any:
    """The value of a free name: closure, then globals, then builtins; `MISSING` if none has it."""
    if name in _FORMATS:
        return _FORMATS[name]
    if name[:1] in special_names:
        return special_names[name[0]](name)
    found = _looked_up(function, name)
    if found is not MISSING and _is_device_array(found):
        # Kernels know it by its address: it lives as long as the function.
        with _captured_lock:
            _captured.setdefault(function, []).append(found)
    return found


def _looked_up(function: Callable[..., Any], name: str) -> Any:
    free = function.__code__.co_freevars
    if name in free and function.__closure__ is not None:
        try:
            return function.__closure__[free.index(name)].cell_contents
        except ValueError:
            return function if name == function.__name__ else MISSING
    if name in function.__globals__:
        return function.__globals__[name]
    # Compiled by its decorator, it has no name in its module yet.
    return getattr(builtins, name, function if name == function.__name__ else MISSING)


def item(owner: Any, key: str) -> Any:
    """The item of an enum class, by a member's name; `MISSING` for everything else."""
    if isinstance(owner, type) and issubclass(owner, enum.Enum):
        return owner.__members__.get(key, MISSING)
    return MISSING


def attribute(owner: Any, name: str) -> Any:
    """The attribute of a module or namespace, `MISSING` if there is none."""
    if _is_ffi(owner):
        return _FROM_BUFFER if name == "from_buffer" else MISSING
    return getattr(owner, name, MISSING)


def similar(owner: Any, name: str, names: list[str]) -> str:
    """The name that looks most like the unknown `name`, empty where none does: of a function's
    names, `names` and globals, or of the attributes of a module or class."""
    import difflib

    if isinstance(owner, types.FunctionType):
        known = [*names, *owner.__code__.co_freevars, *owner.__globals__, *dir(builtins)]
    else:
        known = dir(owner)
    found = difflib.get_close_matches(name, known, 1, 0.76)
    return found[0] if found else ""


def describe(value: Any) -> tuple[Any, ...]:
    """What the value is: a kind, and what belongs to it. The kinds are listed in _KINDS.

    A function with overloads is ``("overloaded", what it is without them)``: ``None`` for one that
    is written in Python, whose body is for the host.
    """
    found = _describe(value)
    if not is_overloaded(value):
        return found
    return ("overloaded", None if found[0] == "function" else found)


def _describe(value: Any) -> tuple[Any, ...]:
    value = numba_objects.own(value)
    ours = _written_in_python(value)
    if ours is not None:
        return ("function", ours, [], None, None)
    handler = _KINDS.get(type(value))
    if handler is not None:
        return handler(value)
    for kind, handler in _KINDS_BY_BASE:
        if isinstance(value, kind):
            return handler(value)
    if hasattr(type(value), "__module__") and "numpy" in sys.modules:
        found = _describe_numpy(value)
        if found is not None:
            return found
    if hasattr(type(value), "_describe_"):  # knows what it means in a kernel
        return value._describe_()  # type: ignore[no-any-return]
    return _describe_by_looks(value)


def _describe_by_looks(value: Any) -> tuple[Any, ...]:
    """Objects of other libraries, by what they have."""
    if callable(getattr(value, "py_func", None)):
        return ("function", value.py_func, _signatures(value), *own_options(value), _items(value))
    return _describe_foreign(value)


def own_options(function: Any) -> tuple[int | None, dict[str, Any] | None]:
    """What a CPU function that is called says itself: see `Function.own_options`."""
    find = getattr(type(function), "own_options", None)
    return (None, None) if find is None else find(function)


def _items(function: Any) -> tuple[Any, ...] | None:
    """How it is called with arrays of its items, for those that ufuncs call; see `ItemCalls`."""
    found = getattr(function, "item_calls", None)
    if found is None:
        return None
    operands = [(*each[:-1], _engine_type(each.element)) for each in found.operands]
    return found.inputs, operands, found.layout, found.extents


def _describe_foreign(value: Any) -> tuple[Any, ...]:
    """Objects of other libraries, and whatever is left."""
    if _is_device_array(value):
        return _describe_device_array(value)
    if _is_ffi(value):
        return ("scope", "an FFI of cffi")
    if getattr(value, "__module__", "") == "numpy.random" and hasattr(value, "__name__"):
        return ("unusable", f"numpy.random.{value.__name__}")
    return ("unusable", _article(type(value).__name__))


def _written_in_python(value: Any) -> Any:
    """Our own source of a function of NumPy's that is compiled with its caller, or None."""
    # Their import costs milliseconds: kernels that name nothing of NumPy's do without.
    if not callable(value) or isinstance(value, type):
        return None
    if not _is_numpys(value) and type(getattr(value, "__self__", None)).__name__ != "Random":
        return None
    return replacement(value)


def is_pythons_random(function: Any) -> bool:
    """Returns whether it is a function of the module ``random``: a method of its hidden object."""
    module = sys.modules.get("random")
    owner = getattr(function, "__self__", None)
    return module is not None and owner is not None and owner is getattr(module, "_inst", None)


def _is_numpys(value: Any) -> bool:
    return str(getattr(value, "__module__", "")).partition(".")[0] == "numpy"


_FROM_BUFFER = intrinsic.Intrinsic("cffi.from_buffer", "A pointer to an array's elements.")


def _is_ffi(value: Any) -> bool:
    return type(value).__name__ == "FFI" and type(value).__module__.startswith("cffi.")


def _is_device_array(value: Any) -> bool:
    return hasattr(value, "__cuda_array_interface__") or type(value).__name__ == "DeviceNDArray"


def _describe_device_array(value: Any) -> tuple[Any, ...]:
    from .._device.transfer import as_cuda_array

    array = as_cuda_array(value)
    if array.device != _engine.current_device():
        return ("unusable", "an array in the memory of another device")
    return ("device_array", array.type, array.address, list(array.shape), list(array.strides))


def _signatures(dispatcher: Any) -> list[tuple[list[Any], Any]]:
    """What a device function was declared to take and to give."""
    return [
        (
            [_engine_type(each, is_value=True) for each in signature.args],
            None
            if signature.return_type is None
            else _engine_type(signature.return_type, is_value=True),
        )
        for signature in getattr(dispatcher, "declared_signatures", ())
    ]


def _article(name: str) -> str:
    return f"an object of type {name}"


def _describe_none(_: None) -> tuple[Any, ...]:
    return ("none",)


def _describe_bool(value: bool) -> tuple[Any, ...]:
    return ("scalar", "boolean", value)


def _describe_int(value: int) -> tuple[Any, ...]:
    if -(2**63) <= value < 2**63:
        return ("scalar", "int64", value)
    if 0 <= value < 2**64:
        return ("scalar", "uint64", value)
    return ("unusable", "an integer of more than 64 bits")


def _describe_float(value: float) -> tuple[Any, ...]:
    return ("scalar", "float64", value)


def _describe_complex(value: complex) -> tuple[Any, ...]:
    return ("scalar", "complex128", value)


def _describe_text(value: str) -> tuple[Any, ...]:
    return ("text", value)


def _describe_bytes(value: bytes) -> tuple[Any, ...]:
    if value.isascii():
        return ("text", value.decode("ascii"))
    return ("unusable", "bytes that are not ASCII")


def _describe_tuple(value: tuple[Any, ...]) -> tuple[Any, ...]:
    names = getattr(value, "_fields", None)
    if names is None:
        return ("tuple", list(value), "", [])
    return ("tuple", list(value), type(value).__name__, list(names))


def _describe_module(value: types.ModuleType) -> tuple[Any, ...]:
    return ("scope", f"the module {value.__name__}")


def _describe_function(value: types.FunctionType) -> tuple[Any, ...]:
    # Wrappers of numpy's array functions; the name is what the compiler knows.
    module = value.__module__ or ""  # None for what exec() made without a __name__
    if module == "numpy" or module.startswith("numpy."):
        return ("intrinsic", _numpy_name(value))
    if value is aggregates.from_dtype:
        return ("intrinsic", "types.from_dtype")
    return ("function", value, [], None, None)


def _describe_builtin(value: types.BuiltinFunctionType) -> tuple[Any, ...]:
    module = value.__module__ or type(value.__self__).__name__
    return ("intrinsic", f"{_MODULES.get(module, module)}.{value.__name__}")


def _describe_intrinsic(value: intrinsic.Intrinsic) -> tuple[Any, ...]:
    return ("intrinsic", value.name)


def _describe_namespace(value: intrinsic.Namespace) -> tuple[Any, ...]:
    if value.name in ("cuda.threadIdx", "cuda.blockIdx", "cuda.blockDim", "cuda.gridDim"):
        return ("intrinsic", value.name)
    return ("scope", value.name)


def _describe_type(value: objects.Type) -> tuple[Any, ...]:
    return ("type", _engine_type(value))


def _engine_type(value: Any, is_value: bool = False) -> Any:
    from .._types.bridge import to_argument, to_engine

    return to_argument(value) if is_value else to_engine(value)


def _describe_enum_member(value: enum.Enum) -> tuple[Any, ...]:
    if isinstance(value, int):
        return _describe_int(int(value))
    # As it is passed to a kernel, see phalanx._launch.arguments.
    return ("tuple", [value.value], enums.name_of(type(value)), ["value"])


def _describe_class(value: type) -> tuple[Any, ...]:
    if issubclass(value, BaseException):
        return ("exception", exception_name(value))
    if issubclass(value, enum.Enum):
        return ("scope", f"the enum {value.__name__}")
    if value.__module__ == "builtins":
        return ("intrinsic", f"builtins.{value.__name__}")
    if value.__module__ == "numpy" and value.__name__ in _NUMPY_CLASSES:
        return ("intrinsic", f"numpy.{value.__name__}")
    fields = getattr(value, "_fields", None)
    if issubclass(value, tuple) and fields is not None:
        NAMED_TUPLES.setdefault((value.__name__, tuple(fields)), value)
        return ("tuple_class", value.__name__, list(fields))
    numpy = sys.modules.get("numpy")
    if numpy is not None and issubclass(value, numpy.generic):
        return ("type", _engine_type(numpy.dtype(value)))
    return ("unusable", f"the class {value.__name__}")


def exception_name(value: type[BaseException]) -> str:
    """The name by which compiled code knows an exception class, which is remembered."""
    if value.__module__ == "builtins":
        return value.__name__
    name = f"{value.__module__}.{value.__qualname__}"
    errors.named[name] = weakref.ref(value)
    return name


def _describe_numpy(value: Any) -> tuple[Any, ...] | None:
    numpy = sys.modules["numpy"]
    if isinstance(value, numpy.ndarray):
        return _describe_array(numpy, value)
    if isinstance(value, numpy.generic):
        if value.dtype.kind in "mM":
            return ("time", _engine_type(value.dtype), int(value.astype(numpy.int64)))
        name = "boolean" if value.dtype.kind == "b" else value.dtype.name
        if value.dtype.kind in "biufc" or name == "bfloat16":
            return ("scalar", name, value.item())
        return ("unusable", f"a NumPy scalar of dtype {value.dtype}")
    if isinstance(value, numpy.ufunc):
        return ("intrinsic", _numpy_name(value))
    if isinstance(value, numpy.dtype):
        return ("type", _engine_type(value))
    if is_array_function(value):
        return ("intrinsic", _numpy_name(value))
    return None


def _numpy_name(function: Any) -> str:
    """The name by which the compiler knows it; others of that name, such as ``np.emath.sqrt`` and
    the ufuncs of SciPy, mean something else and keep the name of their module."""
    name = function.__name__
    if getattr(sys.modules.get("numpy"), name, None) is function:
        return f"numpy.{name}"
    return f"{getattr(function, '__module__', 'ufunc')}.{name}"


def is_array_function(value: Any) -> bool:
    """Returns whether it is one of NumPy's functions of arrays, which have a class of their own
    from NumPy 1.25 on."""
    return type(value).__name__ == "_ArrayFunctionDispatcher"


def _describe_array(numpy: Any, value: Any) -> tuple[Any, ...]:
    try:
        element = _engine_type(value.dtype)
    except TypeError:
        return ("unusable", f"an array of dtype {value.dtype}")
    packed = numpy.ascontiguousarray(value)
    return ("array", element, list(value.shape), packed.tobytes())


_KINDS: dict[type, Callable[[Any], tuple[Any, ...]]] = {
    type(None): _describe_none,
    bool: _describe_bool,
    int: _describe_int,
    float: _describe_float,
    complex: _describe_complex,
    str: _describe_text,
    bytes: _describe_bytes,
    tuple: _describe_tuple,
    types.ModuleType: _describe_module,
    types.FunctionType: _describe_function,
    types.BuiltinFunctionType: _describe_builtin,
    intrinsic.Intrinsic: _describe_intrinsic,
    intrinsic.Namespace: _describe_namespace,
}

_KINDS_BY_BASE: tuple[tuple[type, Callable[[Any], tuple[Any, ...]]], ...] = (
    (objects.Type, _describe_type),
    (enum.Enum, _describe_enum_member),
    (type, _describe_class),
    (tuple, _describe_tuple),
    (types.ModuleType, _describe_module),
    (intrinsic.Intrinsic, _describe_intrinsic),
    (intrinsic.Namespace, _describe_namespace),
)
