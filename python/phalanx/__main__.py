"""``python -m phalanx``: run scripts on Phalanx, and show what this machine has."""

from __future__ import annotations

import sys

from ._tools.cli import main


def command() -> None:
    """The console script ``phalanx``."""
    sys.exit(main(sys.argv[1:]))


if __name__ == "__main__":
    command()
