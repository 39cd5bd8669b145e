"""What frames and series have of files: one method for each form that they are written in."""

from __future__ import annotations

from ..csv_writing.to_csv import CsvWriting
from .excel_writing import ExcelWriting
from .feather import ArrowFileWriting
from .json_writing import JsonWriting
from .parquet import ParquetWriting
from .pickles import Pickling
from .sql_writing import SqlWriting


class SeriesFiles(CsvWriting, Pickling, JsonWriting, SqlWriting, ExcelWriting):
    """CSV, JSON, pickles and databases."""


class FrameFiles(
    CsvWriting, Pickling, JsonWriting, SqlWriting, ExcelWriting, ParquetWriting, ArrowFileWriting
):
    """Text, pickles, and the forms of Arrow."""
