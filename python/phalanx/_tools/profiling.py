"""``python -m phalanx run --profile``: a profile of a whole program, also of one that fails."""

from __future__ import annotations

import atexit
import contextlib
import os
import sys
from collections.abc import Callable
from typing import Any


class ProgramProfile:
    """A profile of the whole process, which is shown and written when it ends."""

    def __init__(self, taken: Any, file: str) -> None:
        self._taken = taken
        self._file = file
        self._process = os.getpid()
        self._has_succeeded = False

    def run(self, program: Callable[..., int], *arguments: Any) -> int:
        """What the program gives or raises; its own failure comes before one to write a file."""
        try:
            status = program(*arguments)
        except SystemExit as error:
            self._has_succeeded = error.code is None or error.code == 0
            raise
        self._has_succeeded = status == 0
        return status

    def finish(self) -> None:
        """Ends the profile, prints it and writes it; where it cannot, the process fails.

        A forked child has the parent's handlers, and nothing of its own to tell.
        """
        if os.getpid() != self._process:
            return
        self._taken.stop()
        _tell(str(self._taken))
        if not self._file:
            return
        is_trace = self._file.endswith(".json")
        try:
            (self._taken.save if is_trace else self._taken.html)(self._file)
        except OSError as error:
            reason = error.strerror or error
            _tell(f"phalanx run: cannot write the profile {self._file}: {reason}")
            if self._has_succeeded:
                sys.stderr = _FailingAtExit(sys.stderr)


def _tell(text: str) -> None:
    """To standard error, which the program may have closed, or put away."""
    with contextlib.suppress(OSError, ValueError):  # the file is written all the same
        print(text, file=sys.stderr or sys.__stderr__, flush=True)


class _FailingAtExit:
    """Standard error that cannot be flushed: Python ends then with the status 120.

    What runs at exit cannot choose the status otherwise without cutting short what follows it.
    """

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def flush(self) -> None:
        self._stream.flush()
        raise OSError("the profile could not be written")


def start(file: str) -> ProgramProfile:
    """Takes a profile from now until the process ends, then prints it to standard error.

    Args:
        file: Where it is written, too: a trace as ``.json``, or a page as ``.html``. "" for none.

    Raises:
        ValueError: The file's name ends in something else, or its folder cannot be written to.
    """
    if file and not file.endswith((".json", ".html")):
        raise ValueError(f"--profile writes a trace, .json, or a page, .html, not {file!r}")
    folder = os.path.dirname(file) or "."  # noqa: PTH120  (pathlib costs an import at start)
    if not os.access(folder, os.W_OK):  # said before the program has run for an hour
        raise ValueError(f"--profile cannot write {file!r}: make the folder {folder!r} first")
    # The program may change its folder, and the file belongs where the command was given.
    file = file and os.path.abspath(file)  # noqa: PTH100
    from .. import profile

    taken = profile()
    # What the program registers itself runs before this, and is part of it.
    made = ProgramProfile(taken, file)
    atexit.register(made.finish)
    taken.start()
    return made
