"""CSV text in a device's memory, as columns."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

import phalanx as px

from .. import _engine
from .._arrays.launching import written
from .columns import DTYPES, Column, Part, Places, finished, settled, start
from .decimals import tables_on
from .missing import missing_on
from .numbers import STATES
from .structure import CHUNK, Marks, structure_of

# Kernels are launched and waited for some fifty times: the host reads so many bytes meanwhile.
_LEAST_BYTES = 4 << 20
_FEED = b"\n"
# Text, starts of fields and columns may take as many times the memory of the text.
_SHARE_OF_MEMORY = 4


class TextSource:
    """Where the host reads what it needs of a text: a descriptor or a buffer."""

    def __init__(self, source: Any) -> None:
        self._source = source

    def bytes_at(self, begin: int, end: int) -> bytes:
        """The bytes [begin, end)."""
        if isinstance(self._source, int):
            return os.pread(self._source, end - begin, begin)
        return bytes(memoryview(self._source).cast("B")[begin:end])


def takes(dialect: Mapping[str, Any], plan: Mapping[str, Any]) -> bool:
    """Tells if kernels read such a text; the host's reader reads the others."""
    point, quote, separator = (dialect[each] for each in ("decimal", "quote", "separator"))
    absent = ("escape", "comment", "thousands")
    return (
        all(dialect[each] == -1 for each in absent)
        and not dialect["skips_initial_space"]
        and (dialect["doubles_quotes"] or quote == -1)
        and quote != separator
        and chr(point) not in "0123456789+-eE \t"
        and not plan["true_texts"]
        and not plan["false_texts"]
    )


def is_worth(size: int, device: _engine.Device) -> bool:
    """Tells if a device reads a text of that many bytes sooner than the host, and has room.

    With PHALANX_ARRAY_KERNELS=gpu each device reads all texts so: tests run the kernels without a
    GPU, and on one with short texts.
    """
    if os.environ.get("PHALANX_ARRAY_KERNELS") == "gpu":
        return True
    if device.is_host:
        return False
    return size >= _LEAST_BYTES and _SHARE_OF_MEMORY * size <= device.memory_info()["free"]


class Reader:
    """Reads a text from a reader's place to its end."""

    def __init__(self, reader: Any, source: Any, dialect: Mapping[str, Any], device: str) -> None:
        self._reader = reader
        self._source = TextSource(source)
        self._dialect = dialect
        self._device = device

    def read(self, plan: Mapping[str, Any]) -> tuple[int, list[Part]] | None:
        """Rows and the columns of a plan, as the host's reader gives them, on the device.

        None where the text is empty or not regular. Columns that kernels do not read are the
        host's: those whose parts are NumPy's arrays. Raises OSError, and what the host's reader
        raises.
        """
        if self._reader.position >= self._reader.size:
            return None
        guessed = self._reader.guess(plan)
        structure = self.structure(*self.text(), plan["width"])
        if structure is None:
            return None
        parts = self.parts(structure, self.columns(plan, guessed, structure.quote))
        self._read_others(plan, parts)
        return structure.rows, [part for part in parts if part is not None]

    def text(self) -> tuple[Any, int]:
        """The text in the device's memory, and how many bytes it has with a line feed at its end.

        Up to a whole number of chunks follow bytes that are nothing.
        """
        begin, end = self._reader.position, self._reader.size
        size = end - begin
        has_end = self._source.bytes_at(end - 1, end) == _FEED
        padded = -(-(size + 1) // CHUNK) * CHUNK
        text = px.empty(padded, dtype="uint8", device=self._device)
        memory = written(text)
        marks = (self._dialect["separator"], self._dialect["quote"])
        behind = next(each for each in b"012" if each not in marks)
        tail = np.full(padded - size, behind, np.uint8)
        if not has_end:
            tail[0] = _FEED[0]
        _engine.DeviceArray(memory, (padded - size,), (1,), size).copy_from_host(tail)
        self._reader.copy_text(memory)
        return text, size + (not has_end)

    def structure(self, text: Any, size: int, width: int) -> Any:
        """Where fields of records of a width begin; None where the text is not regular."""
        marks = Marks(self._dialect["separator"], self._dialect["quote"])
        return structure_of(text, size, marks, width, bool(self._dialect["skips_blank_lines"]))

    def columns(
        self, plan: Mapping[str, Any], kinds: Sequence[str | None], quote: int
    ) -> list[Column]:
        """The columns of a plan, before they are read, by the kinds that the first rows have."""
        gone = [missing_on(self._device, each, quote) for each in plan["missing"]]
        made = []
        for kind, (place, _, wanted, unit, own) in zip(kinds, plan["columns"], strict=True):
            known = kind if kind in DTYPES and not gone[own].has_quotes else None
            made.append(Column(place, known, unit, gone[own], wanted == "int64"))
        return made

    def parts(self, structure: Any, columns: Sequence[Column]) -> list[Part | None]:
        """The columns that kernels read, None in the place of others."""
        begin = self._reader.position
        made: list[Part | None] = [None] * len(columns)
        waiting = [i for i, column in enumerate(columns) if column.kind is not None]
        tables, point = tables_on(self._device), self._dialect["decimal"]
        while waiting:
            state = px.zeros((len(columns), STATES), "int32", device=self._device)
            places = Places(structure, point, state, tables)
            for i in waiting:
                start(places, columns[i], i)
            states = np.asarray(places.state)
            for i in waiting:
                if settled(columns[i], states[i]):
                    made[i] = finished(
                        places,
                        columns[i],
                        states[i],
                        lambda first, last: self._source.bytes_at(begin + first, begin + last),
                    )
            waiting = [i for i in waiting if made[i] is None and columns[i].kind is not None]
        return made

    def _read_others(self, plan: Mapping[str, Any], parts: list[Part | None]) -> None:
        """Puts the columns that the host reads among the others."""
        others = [i for i, part in enumerate(parts) if part is None]
        if not others:
            return
        here = self._reader.position
        columns = [plan["columns"][i] for i in others]
        _, found, _, _ = self._reader.read({**plan, "columns": columns})
        self._reader.move_to(here)
        for i, part in zip(others, found, strict=True):
            parts[i] = part
