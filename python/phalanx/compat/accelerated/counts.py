"""What was fitted where, and why not here."""

from __future__ import annotations

import sys
import threading
from collections import Counter
from typing import NamedTuple


class Fits(NamedTuple):
    """Fits of one class: here, and by scikit-learn for each reason."""

    here: int
    there: dict[str, int]


_counts: Counter[tuple[str, str]] = Counter()
_lock = threading.Lock()
HERE = ""


def count(name: str, reason: str = HERE) -> None:
    """Count a fit of a class; a reason says why it was scikit-learn's."""
    with _lock:
        _counts[name, reason] += 1


def fits() -> dict[str, Fits]:
    """Return the fits of each class so far."""
    made: dict[str, Fits] = {}
    for name in sorted({name for name, _ in _counts}):
        reasons = {reason: number for (each, reason), number in _counts.items() if each == name}
        made[name] = Fits(reasons.pop(HERE, 0), reasons)
    return made


def clear() -> None:
    """Forget all fits."""
    _counts.clear()


def report() -> None:
    """Print the fits of each class to stderr; nothing where there were none."""
    found = fits()
    if not found:
        return
    lines = ["phalanx: scikit-learn's models, and where they were fitted"]
    for name, (here, there) in found.items():
        if here:
            lines.append(f"  {name}: {here} by phalanx")
        lines += [f"  {name}: {number} by scikit-learn: {why}" for why, number in there.items()]
    print("\n".join(lines), file=sys.stderr)
