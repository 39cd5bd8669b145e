"""``numba.core.errors``: Numba's names for the errors and warnings of `phalanx.errors`."""

from __future__ import annotations

from ..errors import (
    CompileError,
    DeprecationError,
    LoweringError,
    PerformanceWarning,
    PhalanxWarning,
    TypingError,
    UnsupportedError,
)
from ._placeholders import names_of

NumbaError = CompileError
TypingError = TypingError
UnsupportedError = UnsupportedError
UnsupportedBytecodeError = UnsupportedError
LoweringError = LoweringError
CompilerError = CompileError
ConstantInferenceError = TypingError
RequireLiteralValue = TypingError
DeprecationError = DeprecationError
NumbaTypeError = TypingError
NumbaValueError = TypingError
NumbaWarning = PhalanxWarning
NumbaPerformanceWarning = PerformanceWarning
NumbaDebugInfoWarning = PhalanxWarning
NumbaInvalidConfigWarning = PhalanxWarning
NumbaDeprecationWarning = PhalanxWarning
NumbaPendingDeprecationWarning = PhalanxWarning

__getattr__ = names_of("numba.core.errors")
