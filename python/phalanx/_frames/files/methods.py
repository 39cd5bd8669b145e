"""What frames and series have of files: one method for each form that they are written in."""

from __future__ import annotations

from ..csv_writing.to_csv import CsvWriting
from .feather import ArrowFileWriting
from .json_writing import JsonWriting
from .parquet import ParquetWriting
from .pickles import Pickling


class SeriesFiles(CsvWriting, Pickling, JsonWriting):
    """CSV, JSON and pickles."""


class FrameFiles(CsvWriting, Pickling, JsonWriting, ParquetWriting, ArrowFileWriting):
    """Text, pickles, and the forms of Arrow."""
