"""The cell magic ``%%phalanx_profile`` of notebooks."""

from __future__ import annotations

import importlib
import shlex
from pathlib import Path
from typing import Any

from .making import profile
from .profile import check_name

_USAGE = "usage: %%phalanx_profile [--save TRACE.json] [--html PAGE.html]"


def register_magic(ipython: Any) -> None:
    """Makes ``%%phalanx_profile`` known to an IPython shell.

        %%phalanx_profile --html profile.html
        y = px.sin(x).sum()

    runs the cell and shows its profile below, also where the cell raised. The variable
    ``phalanx_profile`` has the `Profile` afterwards.
    """

    def phalanx_profile(line: str, cell: str) -> None:
        """Run the cell and show what the engine did, and what that cost."""
        options = _options(line)
        _check_files(options)
        taken = profile()
        with taken:
            outcome = ipython.run_cell(cell)
        ipython.user_ns["phalanx_profile"] = taken
        _show(taken)  # before it is written: a full disk does not lose it
        for write, path in ((taken.save, options["--save"]), (taken.html, options["--html"])):
            if path is not None:
                write(path)
        del outcome  # the shell has shown what was raised

    ipython.register_magic_function(phalanx_profile, magic_kind="cell")


def remove_magic(ipython: Any) -> None:
    """Takes ``%%phalanx_profile`` away again."""
    ipython.magics_manager.magics["cell"].pop("phalanx_profile", None)


def _check_files(options: dict[str, str | None]) -> None:
    """Raises `FileNotFoundError` or `ValueError` before the cell has run for an hour."""
    for option, path in options.items():
        if path is None:
            continue
        check_name(option.removeprefix("--"), path)
        if not Path(path).absolute().parent.is_dir():
            raise FileNotFoundError(
                f"%%phalanx_profile {option}: there is no folder {str(Path(path).parent)!r} "
                "to write to: make it first"
            )


def _options(line: str) -> dict[str, str | None]:
    options: dict[str, str | None] = {"--save": None, "--html": None}
    words = shlex.split(line)
    while words:
        option = words.pop(0)
        if option not in options or not words:
            raise ValueError(f"%%phalanx_profile does not understand {option!r}; {_USAGE}")
        options[option] = str(Path(words.pop(0)).expanduser())
    return options


def _show(taken: Any) -> None:
    importlib.import_module("IPython.display").display(taken)
