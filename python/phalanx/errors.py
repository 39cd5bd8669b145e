"""Every exception and warning of Phalanx.

The caller's mistakes are `CompileError`, `TypeError`, `ValueError` and `LaunchError`; failures of
a device are `DeviceError`; exceptions raised inside a kernel are `KernelError` or the exception
named in the kernel.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

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

    >>> issubclass(px.CompileError, px.PhalanxError)
    True
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

    >>> issubclass(px.errors.LoweringError, px.CompileError)
    True
    """


class DeviceError(PhalanxError, RuntimeError):
    """The device or its driver failed; `code` is the driver's error code, 0 if there is none.

    >>> issubclass(px.OutOfMemoryError, px.DeviceError)
    True
    """

    code: int = 0

    @property
    def msg(self) -> str:
        """The message, under the name that numba-cuda's errors give it."""
        return str(self.args[0]) if self.args else ""


class OutOfMemoryError(DeviceError, MemoryError):
    """The device has too little memory; the message says how much was asked for, what holds it.

    >>> issubclass(px.OutOfMemoryError, MemoryError)
    True
    """


class SpillError(OSError):
    """Rows that memory has no room for could not be kept in a file: the disk is full, or there is
    no such folder. What was written of it is gone, the operands are as they were.

    >>> issubclass(px.errors.SpillError, OSError)
    True
    """


class LinkFileError(DeviceError, ValueError):
    """A file of a kind that cannot be linked with kernels.

    >>> issubclass(px.errors.LinkFileError, px.DeviceError)
    True
    """


class LinkFileNotFoundError(DeviceError, FileNotFoundError):
    """A file to link with kernels that does not exist.

    >>> try:
    ...     cuda.jit(link=["no_such_file.cu"])(lambda x: None)[1, 1](np.zeros(1))
    ... except px.errors.LinkFileNotFoundError as error:
    ...     print(isinstance(error, FileNotFoundError))
    True
    """


class ParserError(ValueError):
    """Text that is no CSV of the dialect and the columns asked for; the message names the line.

    >>> import io
    >>> try:
    ...     px.read_csv(io.StringIO("a,b" + chr(10) + "1,2" + chr(10) + "1,2,3"))
    ... except px.errors.ParserError as error:
    ...     print("line 3" in str(error))
    True
    """


class EmptyDataError(ValueError):
    """CSV text without any record.

    >>> import io
    >>> try:
    ...     px.read_csv(io.StringIO(""))
    ... except px.errors.EmptyDataError as error:
    ...     print(error)
    No columns to parse from file
    """


class OtherAccess:
    """The access before, of two that race: `line` is 0, `block` and `thread` are None where it is
    not known any more which of several it was.
    """

    __slots__ = ("block", "file", "line", "source", "text", "thread")

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

    __slots__ = (
        "array", "block", "category", "count", "file", "index", "line", "other", "shape", "source",
        "text", "thread",
    )  # fmt: skip

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

    >>> issubclass(px.PerformanceWarning, px.PhalanxWarning)
    True
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


# Of data frames, under pandas' names.


class EncodingError(ParserError, UnicodeDecodeError):
    """CSV text that is not of its encoding; the message names the line.

    >>> issubclass(px.errors.EncodingError, UnicodeDecodeError)
    True
    """

    def __init__(self, message: str, found: UnicodeDecodeError) -> None:
        UnicodeDecodeError.__init__(self, *found.args)
        self.message = message

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.message, UnicodeDecodeError(*self.args))


class ParserWarning(Warning):
    """CSV text of which something is left out; the message says what.

    >>> issubclass(px.errors.ParserWarning, Warning)
    True
    """


class DamagedFileError(ValueError):
    """A file that is none of its form, or that is damaged; the message names the file.

    >>> rows = open("t.parquet", "wb").write(b"no parquet")
    >>> try:
    ...     px.read_parquet("t.parquet")
    ... except px.errors.DamagedFileError as error:
    ...     print("t.parquet" in str(error))
    True
    """


class ChangedFileError(DamagedFileError):
    """A file that was written to while a frame had not read all of it.

    >>> issubclass(px.errors.ChangedFileError, px.errors.DamagedFileError)
    True
    """


class DatabaseError(OSError):
    """A query or a statement that a database does not carry out, with its text.

    >>> import sqlite3
    >>> connection = sqlite3.connect(":memory:")
    >>> try:
    ...     px.read_sql("select a from nowhere", connection)
    ... except px.errors.DatabaseError as error:
    ...     print("nowhere" in str(error))
    True
    >>> connection.close()
    """


class IndexingError(Exception):
    """A selection that does not fit: too many keys, a mask of other labels.

    >>> try:
    ...     px.DataFrame({"a": [1]}).loc[0, 0, 0]
    ... except px.errors.IndexingError as error:
    ...     print(error)
    Too many indexers
    """


class InvalidIndexError(Exception):
    """What is no label, or labels that are there more than once where each must be one row.

    >>> try:
    ...     px.Series([1, 2], index=["a", "a"]).reindex(["a"])
    ... except (ValueError, px.errors.InvalidIndexError) as error:
    ...     print(error)
    cannot reindex on an axis with duplicate labels
    """


class UnsortedIndexError(KeyError):
    """A slice of labels needs an index that is sorted by its levels: call `sort_values` first.

    >>> issubclass(px.errors.UnsortedIndexError, KeyError)
    True
    """

    def __str__(self) -> str:
        return str(self.args[0])


class MergeError(ValueError):
    """Frames that cannot be merged as asked for.

    >>> left = px.DataFrame({"k": [1, 1]})
    >>> try:
    ...     left.merge(left, on="k", validate="one_to_one")
    ... except px.errors.MergeError as error:
    ...     print(type(error).__name__)
    MergeError
    """


class DataError(Exception):
    """Columns that windows or bins of time have no numbers of.

    >>> try:
    ...     px.Series(["a", "b"]).rolling(2).sum()
    ... except px.errors.DataError as error:
    ...     print(error)
    No numeric types to aggregate
    """


class SpecificationError(Exception):
    """Functions of ``agg`` that are described in a way that there is none.

    >>> try:
    ...     px.DataFrame({"a": [1]}).groupby("a").agg({"a": {"b": "sum"}})
    ... except px.errors.SpecificationError as error:
    ...     print(type(error).__name__)
    SpecificationError
    """


class UndefinedVariableError(NameError):
    """A name in the text of `query` or `eval` that nothing has.

    >>> try:
    ...     px.DataFrame({"a": [1]}).query("b > 1")
    ... except px.errors.UndefinedVariableError as error:
    ...     print(error)
    name 'b' is not defined
    """


class OptionError(AttributeError, KeyError):
    """An option that there is not.

    >>> try:
    ...     px.get_option("display.nothing")
    ... except px.errors.OptionError as error:
    ...     print(type(error).__name__)
    OptionError
    """


class IntCastingNaNError(ValueError):
    """Missing or infinite numbers that are to become integers.

    >>> try:
    ...     px.Series([np.nan]).astype("int64")
    ... except px.errors.IntCastingNaNError as error:
    ...     print("non-finite" in str(error))
    True
    """


class IncompatibleFrequency(TypeError, ValueError):
    """Periods of different frequencies.

    >>> try:
    ...     px.Period("2026-01", "M") - px.Period("2026", "Y")
    ... except px.errors.IncompatibleFrequency as error:
    ...     print(type(error).__name__)
    IncompatibleFrequency
    """


class OutOfBoundsDatetime(ValueError):
    """A date that its unit cannot count.

    >>> try:
    ...     px.Timestamp("2026-01-01").as_unit("ns") + px.Timedelta(days=10**5)
    ...     px.Timestamp("3000-01-01").as_unit("ns")
    ... except px.errors.OutOfBoundsDatetime as error:
    ...     print(type(error).__name__)
    OutOfBoundsDatetime
    """


class OutOfBoundsTimedelta(ValueError):
    """A duration that its unit cannot count.

    >>> issubclass(px.errors.OutOfBoundsTimedelta, ValueError)
    True
    """


class DateParseError(ValueError):
    """A text that is no date.

    >>> try:
    ...     px.to_datetime("no date")
    ... except ValueError as error:
    ...     print(isinstance(error, px.errors.DateParseError))
    True
    """


class DecimalOverflowError(OverflowError, ValueError):
    """A decimal that would have more digits than its dtype has, or than the 38 of any.

    >>> issubclass(px.errors.DecimalOverflowError, OverflowError)
    True
    """


class DecimalDivisionError(ZeroDivisionError, ValueError):
    """A decimal that is divided by zero, for which there is no infinity.

    >>> issubclass(px.errors.DecimalDivisionError, ZeroDivisionError)
    True
    """


class ChainedAssignmentError(Warning):
    """An assignment to a series or frame that nobody keeps; what it came of does not change.

    >>> issubclass(px.errors.ChainedAssignmentError, Warning)
    True
    """


class Pandas4Warning(DeprecationWarning):
    """What pandas will have no more, or will do otherwise, in its version 4.

    >>> issubclass(px.errors.Pandas4Warning, DeprecationWarning)
    True
    """
