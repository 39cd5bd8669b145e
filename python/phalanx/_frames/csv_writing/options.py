"""What `to_csv` is told, and the dialect that it makes."""

from __future__ import annotations

import csv
import os
import re
from dataclasses import dataclass
from typing import Any

_FORMAT = re.compile(r"%(?:\.(\d{1,3}))?([efg])$")


@dataclass(frozen=True)
class Options:
    """pandas' keywords of `to_csv` that say how values are written."""

    sep: str = ","
    na_rep: str = ""
    float_format: Any = None
    quoting: int = csv.QUOTE_MINIMAL
    quotechar: str | None = '"'
    lineterminator: str = "\n"
    date_format: str | None = None
    doublequote: bool = True
    escapechar: str | None = None
    decimal: str = "."

    def writer(self, file: Any) -> Any:
        """Python's writer of this dialect, which raises TypeError for what is none."""
        return csv.writer(
            file,
            delimiter=self.sep,
            quoting=self.quoting,  # type: ignore[arg-type]
            quotechar=self.quotechar,
            lineterminator=self.lineterminator,
            doublequote=self.doublequote,
            escapechar=self.escapechar,
        )

    def engine_dialect(self) -> tuple[Any, ...]:
        """The dialect as the engine takes it. Raises NotImplementedError for what it has not."""
        for name in ("sep", "quotechar", "escapechar", "decimal"):
            given = getattr(self, name)
            if given is not None and (len(given) != 1 or not given.isascii()):
                raise NotImplementedError(f"to_csv: {name}={given!r}: one character of ASCII")
        return (
            ord(self.sep),
            -1 if self.quotechar is None else ord(self.quotechar),
            -1 if self.escapechar is None else ord(self.escapechar),
            bool(self.doublequote),
            int(self.quoting),
            self.decimal,
            self.lineterminator,
            str(self.na_rep),
        )

    def engine_format(self) -> tuple[str, int] | None:
        """A format that the engine knows: its letter and digits; None for others."""
        if self.float_format is None:
            return "", 6
        found = _FORMAT.match(self.float_format) if isinstance(self.float_format, str) else None
        return None if found is None else (found[2], 6 if found[1] is None else int(found[1]))

    def float_text(self, value: Any) -> str:
        """One float by the format asked for."""
        if callable(self.float_format):
            return str(self.float_format(value))
        text = str(value) if self.float_format is None else str(self.float_format % value)
        return text if self.decimal == "." else text.replace(".", self.decimal, 1)


def options_of(given: dict[str, Any]) -> Options:
    """The options that keywords make. Raises TypeError and ValueError for what cannot be."""
    quoting = given.pop("quoting") or csv.QUOTE_MINIMAL
    if quoting in (4, 5) and hasattr(csv, "QUOTE_STRINGS"):
        raise NotImplementedError(f"to_csv: quoting={quoting}; 0 to 3 are supported")
    escape = given["escapechar"]
    if quoting == csv.QUOTE_NONE and escape is None:
        given["quotechar"] = None
    end = given.pop("lineterminator")
    made = Options(quoting=quoting, lineterminator=end if end else os.linesep, **given)
    made.writer(_Nothing())
    return made


class _Nothing:
    """A file that nothing is written to."""

    def write(self, text: str) -> int:
        """Nothing is kept."""
        return len(text)
