"""Every exception and warning of Phalanx.

The caller's mistakes are `CompileError`, `TypeError`, `ValueError` and `LaunchError`; failures of
a device are `DeviceError`; exceptions raised inside a kernel are `KernelError` or the exception
named in the kernel.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._frame_errors import ChainedAssignmentError as ChainedAssignmentError
from ._frame_errors import ChangedFileError as ChangedFileError
from ._frame_errors import DamagedFileError as DamagedFileError
from ._frame_errors import DatabaseError as DatabaseError
from ._frame_errors import DataError as DataError
from ._frame_errors import DateParseError as DateParseError
from ._frame_errors import DecimalDivisionError as DecimalDivisionError
from ._frame_errors import DecimalOverflowError as DecimalOverflowError
from ._frame_errors import EmptyDataError as EmptyDataError
from ._frame_errors import EncodingError as EncodingError
from ._frame_errors import IncompatibleFrequency as IncompatibleFrequency
from ._frame_errors import IndexingError as IndexingError
from ._frame_errors import IntCastingNaNError as IntCastingNaNError
from ._frame_errors import InvalidIndexError as InvalidIndexError
from ._frame_errors import MergeError as MergeError
from ._frame_errors import OptionError as OptionError
from ._frame_errors import OutOfBoundsDatetime as OutOfBoundsDatetime
from ._frame_errors import OutOfBoundsTimedelta as OutOfBoundsTimedelta
from ._frame_errors import Pandas4Warning as Pandas4Warning
from ._frame_errors import ParserError as ParserError
from ._frame_errors import ParserWarning as ParserWarning
from ._frame_errors import SpecificationError as SpecificationError
from ._frame_errors import UndefinedVariableError as UndefinedVariableError
from ._frame_errors import UnsortedIndexError as UnsortedIndexError

if TYPE_CHECKING:
    from weakref import ReferenceType


# Classes that are raised or warned in place of those of this module: what programs that expect
# another library's errors catch too. `phalanx.compat` fills it.
raised_as: dict[str, type[BaseException]] = {}

# Classes of programs that compiled code named, by module and name: for what comes back from it.
named: dict[str, ReferenceType[type[BaseException]]] = {}


def class_to_raise(name: str) -> type[BaseException]:
    """The class that the engine raises, or warns with, for one of this module.

    >>> px.errors.class_to_raise("CompileError") is px.CompileError
    True
    """
    found: type[BaseException] = raised_as.get(name) or globals()[name]
    return found


def remade(name: str, args: tuple[object, ...], state: dict[str, object]) -> BaseException:
    """The error that was pickled: of the class that is raised here for that one of this module."""
    kind = class_to_raise(name)
    error: BaseException = kind.__new__(kind)
    error.args = args
    error.__dict__.update(state)
    return error


def raised_class(name: str) -> type[BaseException] | None:
    """The exception class that compiled code knows by that name."""
    known = named.get(name)
    return None if known is None else known()


def location_of(path: str, line: int) -> str:
    """A line of a program with the function that it is in, as tracebacks and Numba name it.

    >>> px.errors.location_of("program.py", 3)
    'In file program.py, line 3'
    """
    import ast
    import linecache

    text = "".join(linecache.getlines(path))
    try:
        nodes = list(ast.walk(ast.parse(text)))
    except (SyntaxError, SystemError):  # SystemError: see _core/trees.py
        nodes = []
    functions = [
        node
        for node in nodes
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.lineno <= line <= (node.end_lineno or 0)
    ]
    inner = max(functions, key=lambda node: node.lineno, default=None)
    where = f"file {path}, line {line}"
    return f"In {where}" if inner is None else f"In function {inner.name!r}, {where}"


class PhalanxError(Exception):
    """The base of the errors that are not also a standard Python exception.

    >>> @px.njit
    ... def f(x):
    ...     return x.no_such_attribute
    >>> try:
    ...     f(1)
    ... except px.PhalanxError as error:
    ...     print(str(error).splitlines()[-1])
    Unknown attribute 'no_such_attribute' of type int64
    """


class CompileError(PhalanxError):
    """A kernel's source is wrong, or uses something that is not supported.

    The message has the file, the line, the source line with a caret, the types seen, and what to
    write instead. `sentence` is what is wrong by itself, `file` and `line` are where, "" and 0 if
    no line of the program is known.

    >>> @px.njit
    ... def wrong(x):
    ...     return x.nothing
    >>> try:
    ...     wrong(1)
    ... except px.CompileError as error:
    ...     print(error.sentence)
    Unknown attribute 'nothing' of type int64
    """

    sentence: str = ""
    file: str = ""
    line: int = 0

    @property
    def msg(self) -> str:
        """The message, under the name that Numba's errors give it."""
        return str(self.args[0]) if self.args else ""


class TypingError(CompileError):
    """Types that do not fit each other, or a name or attribute that does not exist.

    >>> try:
    ...     px.njit(lambda x: x.nothing)(1)
    ... except px.errors.TypingError as error:
    ...     print(error.sentence)
    Unknown attribute 'nothing' of type int64
    """


class KernelResultError(TypingError, TypeError):
    """A kernel that returns a value: results go into arrays that are arguments.

    >>> @cuda.jit
    ... def returns(x):
    ...     return x[0]
    >>> try:
    ...     returns[1, 1](np.zeros(1))
    ... except px.errors.KernelResultError as error:
    ...     print(isinstance(error, TypeError))
    True
    """


class UnsupportedError(CompileError):
    """Python that kernels do not have; the message says what to write instead.

    >>> def waiting(x):
    ...     async def later():
    ...         return x
    ...     return later
    >>> try:
    ...     px.njit(waiting)(1)
    ... except px.CompileError as error:
    ...     print(type(error).__name__)
    UnsupportedError
    """


class LoweringError(CompileError):
    """Code that types but cannot be compiled for the chosen device.

    >>> code = cuda.CUSource("int f(int x) { return x; }")  # not extern "C"
    >>> f = cuda.declare_device("f", "int32(int32)", link=code, abi="c")
    >>> @cuda.jit
    ... def kernel(out):
    ...     out[0] = f(1)
    >>> try:
    ...     with px.device("cpu"):
    ...         kernel[1, 1](np.zeros(1, np.int32))
    ... except px.errors.LoweringError as error:
    ...     print(str(error).partition(",")[0])
    kernel 'kernel' calls f()
    """


class DeviceError(PhalanxError, RuntimeError):
    """The device or its driver failed; `code` is the driver's error code, 0 if there is none.

    >>> try:
    ...     px.zeros(2**48, device="cpu")
    ... except px.DeviceError as error:
    ...     print(error.code, error.msg.partition(":")[0])
    0 out of memory on the CPU device
    """

    code: int = 0

    @property
    def msg(self) -> str:
        """The message, under the name that numba-cuda's errors give it."""
        return str(self.args[0]) if self.args else ""


class OutOfMemoryError(DeviceError, MemoryError):
    """The device has too little memory; the message says how much was asked for, what holds it.

    >>> try:
    ...     px.zeros(2**48, device="cpu")
    ... except MemoryError as error:
    ...     print(str(error).partition(":")[0])
    out of memory on the CPU device
    """


class SpillError(OSError):
    """Rows that memory has no room for could not be kept in a file: the disk is full, or there is
    no such folder. What was written of it is gone, the operands are as they were.

    >>> issubclass(px.errors.SpillError, OSError)
    True
    """


class LinkFileError(DeviceError, ValueError):
    """A file of a kind that cannot be linked with kernels.

    >>> try:
    ...     cuda.LinkableCode.from_path("kernel.txt")
    ... except px.errors.LinkFileError as error:
    ...     print(str(error).partition(":")[0])
    Don't know how to link file with extension .txt
    """


class LinkFileNotFoundError(DeviceError, FileNotFoundError):
    """A file to link with kernels that does not exist.

    >>> try:
    ...     cuda.jit(link=["no_such_file.cu"])(lambda x: None)[1, 1](np.zeros(1))
    ... except px.errors.LinkFileNotFoundError as error:
    ...     print(isinstance(error, FileNotFoundError))
    True
    """


class OtherAccess:
    """The access before, of two that race: `line` is 0, `block` and `thread` are None where it is
    not known any more which of several it was.
    """

    __slots__ = {
        "block": "The block's index (x, y, z), or None.",
        "file": "The file of the source.",
        "line": "The line there, from 1; 0 where it is not known.",
        "source": "The line's text.",
        "text": "What it does to which array.",
        "thread": "The thread's index in its block (x, y, z), or None.",
    }

    file: str
    line: int
    source: str
    text: str
    block: tuple[int, int, int] | None
    thread: tuple[int, int, int] | None

    def __init__(self, **fields: object) -> None:
        for name in self.__slots__:
            setattr(self, name, fields[name])

    def __repr__(self) -> str:
        return f"<access at {self.file}:{self.line}: {self.text}>"


class Fault:
    """One location in a kernel where check mode found something: the first thread to come there.

    `category` as in ``check=``; `file`, `line` and `source` (the line's text); `text`, what happens
    to which array ("write out"); `array`, its name in the kernel, "" if it has none or the fault is
    of no array; `block` and `thread`; `index` and `shape`, where the category has them; `count`,
    how often it happened there; `other`, of a race, the access before.

    >>> @cuda.jit(check="bounds")
    ... def beyond(x):
    ...     x[cuda.grid(1)] = 1
    >>> try:
    ...     beyond[1, 4](np.zeros(3))
    ... except px.KernelError as error:
    ...     fault = error.faults[0]
    ...     print(fault.category, fault.array, fault.index, fault.shape, fault.thread)
    bounds x (3,) (3,) (3, 0, 0)
    """

    __slots__ = {
        "array": 'The name of the array in the kernel, or "".',
        "block": "The block's index (x, y, z).",
        "category": "The category of check mode.",
        "count": "How often it happened at this location.",
        "file": "The file of the source.",
        "index": "The index that was used, a number for each dimension; else empty.",
        "line": "The line there, from 1.",
        "other": "Of a race the access before; else None.",
        "shape": "The shape of the array; else empty.",
        "source": "The line's text.",
        "text": "What happens to which array.",
        "thread": "The thread's index in its block (x, y, z).",
    }

    array: str
    category: str
    file: str
    line: int
    source: str
    text: str
    block: tuple[int, int, int]
    thread: tuple[int, int, int]
    index: tuple[int, ...]
    shape: tuple[int, ...]
    count: int
    other: OtherAccess | None

    def __init__(self, **fields: object) -> None:
        for name in self.__slots__:
            setattr(self, name, fields[name])

    def __repr__(self) -> str:
        return f"<{self.category} fault at {self.file}:{self.line}: {self.text}>"


class KernelError(PhalanxError):
    """Faults that check mode found in a launch, or an exception inside a kernel whose type has no
    Python class of that name.

    `faults` has a `Fault` for each of the first locations, in order; it is empty for exceptions.

    >>> @cuda.jit(check="bounds")
    ... def beyond(x):
    ...     x[cuda.grid(1)] = 1
    >>> try:
    ...     beyond[1, 4](np.zeros(3))
    ... except px.KernelError as error:
    ...     print(error.faults[0].category, error.faults[0].index)
    bounds (3,)
    """

    faults: tuple[Fault, ...] = ()


class LaunchError(PhalanxError, ValueError):
    """A launch configuration that no device can run, such as a grid of 0 blocks.

    >>> @cuda.jit
    ... def kernel(x):
    ...     x[0] = 1
    >>> try:
    ...     kernel[0, 32](np.zeros(1))
    ... except px.LaunchError as error:
    ...     print("grid" in str(error))
    True
    """


class DeviceFunctionError(LaunchError, RuntimeError):
    """A launch of a device function, which only kernels call.

    >>> @cuda.jit(device=True)
    ... def part(x):
    ...     return x
    >>> try:
    ...     part[1, 1](np.zeros(1))
    ... except px.errors.DeviceFunctionError as error:
    ...     print("device function" in str(error))
    True
    """


class PhalanxWarning(UserWarning):
    """The base of all warnings.

    The message of one begins with the `code` of its class, which docs/guide/warnings.md explains.

    >>> import warnings
    >>> @cuda.jit
    ... def double(x):
    ...     x[cuda.grid(1)] *= 2  # a number of float64
    >>> with warnings.catch_warnings(record=True) as said:
    ...     warnings.simplefilter("always")
    ...     double[1, 4](np.ones(4, np.float32))
    >>> [each.category.code for each in said if issubclass(each.category, px.errors.Float64Warning)]
    ['PHX103']
    """

    code: str


class PerformanceWarning(PhalanxWarning):
    """Something correct that is slower than it need be: implicit copies, low occupancy.

    >>> import warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("error", px.PerformanceWarning)
    ...     px.ones(3).sum()
    array(3.)
    """


class OccupancyWarning(PerformanceWarning):
    """A grid too small to keep a GPU busy.

    >>> px.errors.OccupancyWarning.code
    'PHX101'
    """

    code = "PHX101"


class CopyWarning(PerformanceWarning):
    """Host arrays that are copied to a GPU and back for a launch; arrays of a GPU, if asked for.

    >>> px.errors.CopyWarning.code
    'PHX102'
    """

    code = "PHX102"


class Float64Warning(PerformanceWarning):
    """float64 arithmetic in a kernel whose arrays hold narrower numbers.

    >>> px.errors.Float64Warning.code
    'PHX103'
    """

    code = "PHX103"


class StrideWarning(PerformanceWarning):
    """Neighbouring threads that read or write elements far apart.

    >>> px.errors.StrideWarning.code
    'PHX104'
    """

    code = "PHX104"


class ParallelWarning(PerformanceWarning):
    """A `prange` loop that runs on one core.

    >>> px.errors.ParallelWarning.code
    'PHX105'
    """

    code = "PHX105"


class UserFunctionWarning(PerformanceWarning):
    """A function of a frame's rows or elements that Python runs for each of them.

    >>> px.errors.UserFunctionWarning.code
    'PHX106'
    """

    code = "PHX106"


class CacheWarning(PhalanxWarning):
    """The disk cache cannot be used; compiled kernels last for this process only.

    >>> px.errors.CacheWarning.code
    'PHX201'
    """

    code = "PHX201"


class FallbackWarning(PhalanxWarning):
    """A kernel of arrays that could not be compiled; its operations run one by one instead.

    >>> px.errors.FallbackWarning.code
    'PHX202'
    """

    code = "PHX202"


class OptionWarning(PhalanxWarning):
    """Options of a decorator that do not go together.

    >>> px.errors.OptionWarning.code
    'PHX301'
    """

    code = "PHX301"


class LinkWarning(PhalanxWarning):
    """What the compiler of CUDA C source had to say of code that is linked.

    >>> px.errors.LinkWarning.code
    'PHX302'
    """

    code = "PHX302"


class DeprecationError(PhalanxError):
    """An option that numba.cuda had once and that is gone.

    >>> try:
    ...     cuda.jit(argtypes=())
    ... except px.errors.DeprecationError as error:
    ...     print(error)
    cuda.jit no longer takes argtypes=: give a signature: cuda.jit('void(float32[:])')
    """
