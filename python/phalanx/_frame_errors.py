"""The errors and warnings of data frames, under pandas' names: parts of `phalanx.errors`."""

from __future__ import annotations


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


class EncodingError(ParserError, UnicodeDecodeError):
    """CSV text that is not of its encoding; the message names the line.

    >>> import io
    >>> try:
    ...     px.read_csv(io.BytesIO("name\\nRené\\n".encode("latin-1")))
    ... except px.errors.EncodingError as error:
    ...     print(error)
    line 2: it is not UTF-8; is `encoding` another one?
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

    >>> import io, warnings
    >>> with warnings.catch_warnings(record=True) as said:
    ...     warnings.simplefilter("always", px.errors.ParserWarning)
    ...     frame = px.read_csv(io.StringIO("a,b\\n1,2\\n3,4,5\\n"), on_bad_lines="warn")
    >>> str(said[0].message)
    'skipped line 3: expected 2 fields, found 3'
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

    >>> px.DataFrame({"n": range(1000)}).to_parquet("t.parquet")
    >>> frame = px.read_parquet("t.parquet")  # a column is read when it is used
    >>> with open("t.parquet", "r+b") as file:
    ...     _ = file.truncate(100)
    >>> try:
    ...     frame["n"].sum()
    ... except px.errors.ChangedFileError as error:
    ...     print(error)
    't.parquet' was written to after read_parquet: read it again
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

    >>> index = px.MultiIndex.from_tuples([("b", 1), ("a", 2), ("a", 1)])
    >>> try:
    ...     px.Series([1, 2, 3], index=index).loc[("a", 1):("b", 1)]
    ... except px.errors.UnsortedIndexError as error:
    ...     print(error.args[0])
    Key length (2) was greater than MultiIndex lexsort depth (0)
    >>> px.Series([1, 2, 3], index=index).sort_index().loc[("a", 1):("a", 2)].to_list()
    [3, 2]
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

    >>> try:
    ...     px.Timedelta(10**9, "D")
    ... except px.errors.OutOfBoundsTimedelta as error:
    ...     print(error)
    Cannot cast 1000000000 from D to 'us' without overflow.
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

    >>> import pyarrow
    >>> prices = px.Series([9.5], dtype=px.ArrowDtype(pyarrow.decimal128(38, 37)))
    >>> try:
    ...     prices * 10
    ... except px.errors.DecimalOverflowError as error:
    ...     print(type(error).__name__)
    DecimalOverflowError
    """


class DecimalDivisionError(ZeroDivisionError, ValueError):
    """A decimal that is divided by zero, for which there is no infinity.

    >>> import pyarrow
    >>> prices = px.Series([9.5], dtype=px.ArrowDtype(pyarrow.decimal128(5, 2)))
    >>> try:
    ...     prices / 0
    ... except ZeroDivisionError as error:
    ...     print(type(error).__name__)
    DecimalDivisionError
    """


class ChainedAssignmentError(Warning):
    """An assignment to a series or frame that nobody keeps; what it came of does not change.

    >>> import warnings
    >>> frame = px.DataFrame({"a": [1, 2]})
    >>> with warnings.catch_warnings(record=True) as said:
    ...     warnings.simplefilter("always", px.errors.ChainedAssignmentError)
    ...     frame["a"][0] = 5
    >>> [each.category.__name__ for each in said], frame["a"].to_list()
    (['ChainedAssignmentError'], [1, 2])
    >>> frame.loc[0, "a"] = 5  # this is the way
    >>> frame["a"].to_list()
    [5, 2]
    """


class Pandas4Warning(DeprecationWarning):
    """What pandas will have no more, or will do otherwise, in its version 4.

    >>> import warnings
    >>> with warnings.catch_warnings(record=True) as said:
    ...     warnings.simplefilter("always", px.errors.Pandas4Warning)
    ...     days = px.date_range("2024-01-01", periods=2, freq="d")
    >>> said[0].category.__name__, str(said[0].message).rpartition(", ")[2]
    ('Pandas4Warning', "please use 'D' instead.")
    """


for _each in (
    ParserError,
    EmptyDataError,
    EncodingError,
    ParserWarning,
    DamagedFileError,
    ChangedFileError,
    DatabaseError,
    IndexingError,
    InvalidIndexError,
    UnsortedIndexError,
    MergeError,
    DataError,
    SpecificationError,
    UndefinedVariableError,
    OptionError,
    IntCastingNaNError,
    IncompatibleFrequency,
    OutOfBoundsDatetime,
    OutOfBoundsTimedelta,
    DateParseError,
    DecimalOverflowError,
    DecimalDivisionError,
    ChainedAssignmentError,
    Pandas4Warning,
):
    _each.__module__ = "phalanx.errors"  # where programs find them, and pickle
