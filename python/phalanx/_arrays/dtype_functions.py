"""Functions of dtypes, the dtypes' names and the constants: NumPy's, of our arrays too."""

from __future__ import annotations

import math
from typing import Any

from .. import _engine
from . import coerce, dtypes, host

pi, e, inf, nan = math.pi, math.e, math.inf, math.nan
euler_gamma = 0.5772156649015329
newaxis = None
__array_api_version__ = "2025.12"

# What `phalanx` has as NumPy has it: dtypes, classes of dtypes, errors.
FROM_NUMPY = {
    *("bool", "bool_", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float16", "float32", "float64", "complex64", "complex128", "int_", "uint", "intp", "uintp"),
    *("half", "single", "double", "csingle", "cdouble", "byte", "ubyte", "short", "ushort"),
    *("intc", "uintc", "long", "ulong", "longlong", "ulonglong", "dtype", "generic", "number"),
    *("integer", "signedinteger", "unsignedinteger", "inexact", "floating", "complexfloating"),
    *("datetime64", "timedelta64", "datetime_data", "busdaycalendar"),
    *("True_", "False_", "ScalarType", "typename", "typecodes", "mintypecode", "sctypeDict"),
    *("little_endian", "character", "flexible", "object_", "str_", "bytes_", "void"),
    *("seterrcall", "geterrcall", "setbufsize", "getbufsize", "dtypes", "typing"),
    *("exceptions", "errstate", "seterr", "geterr", "isscalar", "issubdtype"),
}


def __getattr__(name: str) -> Any:
    if name == "bfloat16":
        return getattr(dtypes.dtype_of(name), "type", dtypes.dtype_of(name))
    if name not in FROM_NUMPY:
        raise AttributeError(name)
    import numpy as np

    return getattr(np, name)


def _type_of(value: Any) -> Any:
    return dtypes.dtype_of(value._dtype) if isinstance(value, _engine.Array) else value


def result_type(*arrays_and_dtypes: Any) -> Any:
    """The dtype that a function of these arrays, dtypes and numbers of Python's computes in.

    >>> px.result_type(px.int32, px.float32)
    dtype('float64')
    """
    import numpy as np

    given = [_type_of(each) for each in arrays_and_dtypes]
    if not any(map(dtypes.is_bfloat16, given)):
        return np.result_type(*given)
    return dtypes.dtype_of(dtypes.result_type(*given))


def promote_types(type1: Any, type2: Any) -> Any:
    """The least dtype to which both can be cast safely. Raises `TypeError` if there is none.

    >>> px.promote_types(px.int32, px.float32)
    dtype('float64')
    """
    import numpy as np

    if not dtypes.is_bfloat16(type1) and not dtypes.is_bfloat16(type2):
        return np.promote_types(type1, type2)
    return dtypes.dtype_of(dtypes.result_type(type1, type2))


def can_cast(from_: Any, to: Any, casting: Any = "safe") -> bool:
    """Returns whether an array's dtype, or a dtype, can be cast to another one by the rule.

    >>> px.can_cast(px.int32, px.float64)
    True
    """
    return dtypes.can_cast(_type_of(from_), to, casting)


def common_type(*arrays: Any) -> Any:
    """The class of floats that all of the arrays' elements go into. Raises `TypeError` of bools.

    >>> px.common_type(px.ones(2, dtype=px.float32), px.arange(2))
    <class 'numpy.float64'>
    """
    import numpy as np

    return np.common_type(*(np.empty(0, _type_of(each)) for each in arrays))


def min_scalar_type(a: Any, /) -> Any:
    """The least dtype that holds a number; of an array with dimensions its own dtype.

    >>> px.min_scalar_type(300)
    dtype('uint16')
    """
    import numpy as np

    if isinstance(a, _engine.Array):
        return a.dtype if a.ndim else np.min_scalar_type(coerce.to_numpy(a))
    return np.min_scalar_type(host.as_host(a))


class FloatLimits:
    """NumPy's finfo of a dtype, with numbers of Python's for those of the Array API."""

    def __init__(self, dtype: Any) -> None:
        import numpy as np

        self._finfo = np.finfo(dtype)
        self.dtype = self._finfo.dtype
        self.bits = int(self._finfo.bits)
        for name in ("eps", "max", "min", "smallest_normal", "smallest_subnormal", "tiny"):
            setattr(self, name, float(getattr(self._finfo, name)))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._finfo, name)

    def __repr__(self) -> str:
        return repr(self._finfo)


class _BFloat16Limits:
    """Those of bfloat16, which NumPy does not know."""

    bits, nexp, nmant, iexp, precision, resolution = 16, 8, 7, 8, 2, 0.01
    eps, epsneg = 2.0**-7, 2.0**-8
    max, min = (2 - 2.0**-7) * 2.0**127, -(2 - 2.0**-7) * 2.0**127
    smallest_normal = tiny = 2.0**-126
    smallest_subnormal = 2.0**-133

    @property
    def dtype(self) -> Any:
        """The dtype."""
        return dtypes.dtype_of("bfloat16")

    def __repr__(self) -> str:
        return f"finfo(eps={self.eps}, min={self.min}, max={self.max}, dtype=bfloat16)"


BFLOAT16 = _BFloat16Limits()


def finfo(type: Any, /) -> Any:
    """The limits of a floating-point dtype, or of an array's.

    >>> px.finfo(px.float32).bits
    32
    """
    given = _type_of(type)
    return BFLOAT16 if dtypes.is_bfloat16(given) else FloatLimits(given)


def iinfo(type: Any, /) -> Any:
    """The limits of an integer dtype, or of an array's.

    >>> px.iinfo(px.int8).max
    127
    """
    import numpy as np

    return np.iinfo(_type_of(type))


def isdtype(dtype: Any, kind: Any) -> bool:
    """Returns whether a dtype is of a kind: ``"bool"``, ``"integral"``, ``"real floating"``, ...

    >>> px.isdtype(px.float32, "real floating")
    True
    """
    import numpy as np

    # NumPy holds that of ml_dtypes for no number.
    given = np.dtype("f4" if dtypes.is_bfloat16(dtype) else dtype)
    return bool(np.isdtype(given, kind))


def astype(x: Any, dtype: Any, /, *, copy: bool = True, device: Any = None) -> Any:
    """The array's elements converted; without `copy` the array itself where nothing changes.

    Raises `TypeError` for what is no array.

    >>> px.astype(px.asarray([1.7, 2.2]), px.int32)
    array([1, 2], dtype=int32)
    """
    if not isinstance(x, _engine.Array):
        raise TypeError(f"Input should be a phalanx array. It is a {x.__class__} instead.")
    options = {} if device is None else {"device": device}
    return coerce.as_operand(
        x, dtype, copy=True if copy and x._dtype == dtypes.name_of(dtype) else None, **options
    )
