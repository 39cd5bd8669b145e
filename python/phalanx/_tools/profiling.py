"""``python -m phalanx run --profile``: a profile of a whole program, also of one that fails."""

from __future__ import annotations

import atexit
import os
import sys
from typing import Any


def start(file: str) -> None:
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
    atexit.register(_finish, taken, file)
    taken.start()


def _finish(taken: Any, file: str) -> None:
    taken.stop()
    print(taken, file=sys.stderr, flush=True)
    if not file:
        return
    try:
        (taken.save if file.endswith(".json") else taken.html)(file)
    except OSError as error:
        print(f"phalanx run: the profile could not be written: {error}", file=sys.stderr)
