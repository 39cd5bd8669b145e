"""Where text goes."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any


def written(text: str, target: Any, *, printed: bool = False) -> str | None:
    """Write text to a path or a file, or return it; with ``printed`` to the standard output."""
    if target is None:
        if not printed:
            return text
        target = sys.stdout
    if hasattr(target, "write"):
        target.write(text)
    elif isinstance(target, (str, Path)):
        Path(target).write_text(text, encoding="utf-8")
    else:
        raise TypeError("buf is not a file name and it has no write method")
    return None
