"""The command line: ``run``, ``replay`` and ``info``."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import Any

_RUN_USAGE = (
    "python -m phalanx run [--device DEVICE] [--check[=CATEGORIES]] [--fallback WHERE] "
    "[--only cuda] [--accelerate sklearn] [--profile[=FILE]] "
    "(SCRIPT | -m MODULE | -c CODE) [ARGS ...]"
)

_RUN_HELP = f"""usage: {_RUN_USAGE}

Runs a Python program with the names of numba, numba.cuda, cupy, pycuda, cudf and cuml served by
Phalanx, so that an unmodified script runs on the GPU where there is one and at native speed on the
CPU elsewhere.

  SCRIPT           a file, a directory or a zip file, as for python itself; - is standard input
  -m MODULE        an importable module, as for python -m
  -c CODE          a program given as text
  --check          kernels look for indices out of bounds, divisions by zero and the like, and say
                   where they are (slower); --check=bounds,nan names the categories
  --fallback WHERE what happens to CPU functions that Phalanx cannot compile: numba (the installed
                   Numba compiles them), python (they run in Python) or error; default: the
                   environment's PHALANX_FALLBACK, else numba where it is installed, else error
  --only cuda      serve numba.cuda alone; the rest of numba, and cupy, are those installed
  --accelerate sklearn
                   classes of scikit-learn's that phalanx.ml has, too, are fitted by it where it
                   supports their parameters, with a summary when the program ends
  --profile        when the program ends, also by an error, a table of what it cost is printed,
                   with advice; --profile=trace.json (for Perfetto) or --profile=page.html is
                   written, too
  --device DEVICE  cpu, cuda, cuda:N or auto (default: the environment's PHALANX_DEVICE, else the
                   GPU where there is one, else the CPU)
"""


def main(arguments: Sequence[str]) -> int:
    """Runs one command; returns the process's exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m phalanx", description="Python programs, fast on CPUs and GPUs."
    )
    parser.add_argument("--version", action="store_true", help="print the version and leave")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    commands.add_parser("run", help="run a script of numba, cupy, pycuda or cudf", add_help=False)
    replay = commands.add_parser(
        "replay", help="run a saved launch (PHALANX_REPLAY) on the CPU, looking for its fault"
    )
    replay.add_argument("file", help="what the failed launch has written")
    replay.add_argument("--check", metavar="CATEGORIES", help="what to look for: bounds,races,...")
    info = commands.add_parser("info", help="devices, driver, libraries, cache, what is missing")
    info.add_argument("--json", action="store_true", help="print as JSON")
    if arguments and arguments[0] == "run":
        return _run(list(arguments[1:]))
    options = parser.parse_args(arguments)
    if options.version:
        from .. import __version__

        print(f"phalanx {__version__}")
        return 0
    if options.command == "info":
        from .info import show

        return show(as_json=options.json)
    if options.command == "replay":
        return _replay(options.file, options.check)
    parser.print_help()
    return 2


def _replay(file: str, check: str | None) -> int:
    os.environ["PHALANX_DEVICE"] = "cpu"
    from .._device import devices
    from . import replay as _replay

    devices.serve_cpu_as_cuda()
    try:
        return _replay.replay(file, check or _replay.DEFAULT_CHECK)
    except (OSError, ValueError) as error:
        print(f"phalanx replay: {error}", file=sys.stderr)
        return 2


def _run(arguments: list[str]) -> int:
    """``run``: everything after the script, module or code belongs to the program."""
    given: dict[str, str] = {}
    while arguments and arguments[0].startswith("--"):
        option, has_value, value = arguments.pop(0).partition("=")
        if option == "--help":
            print(_RUN_HELP, end="")
            return 0
        if reason := _refusal(option, is_empty=bool(has_value and not value)):
            return _usage(reason)
        if not value and option == "--check":
            value = "1"
        if option == "--profile":
            given[option] = value
            continue
        if not value:
            if not arguments:
                return _usage(f"{option} needs a value: {_VALUES[option]}")
            value = arguments.pop(0)
        given[option] = value
    if not arguments or arguments[0] in ("-h",):
        print(_RUN_HELP, end="", file=sys.stdout if arguments else sys.stderr)
        return 0 if arguments else 2
    try:
        _check_program(given, arguments[0])
        _set_up(given)
        profile = _start_profile(given)
    except ValueError as error:
        return _usage(str(error))
    return profile.run(_run_program, arguments) if profile else _run_program(arguments)


def _refusal(option: str, *, is_empty: bool) -> str:
    if option not in _VALUES:
        return f"unknown option {option}"
    # A variable of the shell that is not set.
    return f"nothing follows {option}=: {_VALUES[option]}" if is_empty else ""


def _run_program(arguments: list[str]) -> int:
    """What ends the program is shown as Python shows it."""
    from . import traceback

    try:
        return _start(arguments)
    except BaseException as error:
        is_ours = traceback.program_part(error.__traceback__) is None
        if isinstance(error, ImportError) and is_ours:  # no such module
            print(f"phalanx run: {error}", file=sys.stderr)
            return 1
        traceback.shorten_uncaught()
        raise


_VALUES = {
    "--accelerate": "sklearn",
    "--check": "the categories",
    "--device": "cpu, cuda, cuda:N or auto",
    "--fallback": "numba, python or error",
    "--only": "cuda",
    "--profile": "a file, .json or .html",
}


def _check_program(given: dict[str, str], program: str) -> None:
    """Refuses what is no program; a trace, too, as most are valid Python that does nothing."""
    if given.get("--profile") == "" and program.endswith((".json", ".html")):
        raise ValueError(f"is {program} the file to write? Then --profile={program}")
    if not program.startswith("-") and not os.path.exists(program):  # noqa: PTH110  (pathlib costs an import at start)
        raise ValueError(f"no such file: {program}")


def _set_up(given: dict[str, str]) -> None:
    """Serves the names, as the options say; raises `ValueError` for a value that there is not."""
    if "--device" in given:
        _check_device(given["--device"])
        os.environ["PHALANX_DEVICE"] = given["--device"]
    if "--check" in given:
        os.environ["PHALANX_CHECK"] = given["--check"]
    from .. import compat
    from .._device import devices

    if "PHALANX_CHECK" in os.environ:
        from .._core import check as _check

        _check.read(None)
    devices.serve_cpu_as_cuda()
    compat.install(given.get("--only"))
    if "--accelerate" in given:
        _accelerate(given["--accelerate"])
    _set_fallback(given.get("--fallback") or os.environ.get("PHALANX_FALLBACK"))


def _start_profile(given: dict[str, str]) -> Any:
    """The profile that the options ask for, which is being taken; None for none."""
    if "--profile" not in given:
        return None
    from . import profiling

    return profiling.start(given["--profile"])


def _check_device(name: str) -> None:
    """Refuses what names no device, before the program runs; the engine looks if it is there."""
    kind, colon, ordinal = name.partition(":")
    if name != "auto" and (kind not in ("cpu", "cuda") or bool(colon) != ordinal.isdigit()):
        raise ValueError(f"--device takes cpu, cuda, cuda:N or auto, not {name!r}")


def _accelerate(library: str) -> None:
    """Models of another library are fitted by ours, with a summary when the program ends."""
    import atexit

    if library != "sklearn":
        raise ValueError(f"only sklearn can be accelerated, not {library!r}")
    from ..compat import accelerated

    try:
        accelerated.install()
    except ImportError as error:
        raise ValueError(str(error)) from None
    atexit.register(accelerated.report)


def _set_fallback(policy: str | None) -> None:
    """What becomes of CPU functions that do not compile, with a summary when the program ends."""
    import atexit

    from .._functions import fallback
    from .._types.numba_objects import find_installed

    fallback.set_fallback(policy or ("error" if find_installed() is None else "numba"))
    atexit.register(fallback.report)


def _start(arguments: list[str]) -> int:
    """Runs the program as Python itself would, with ``sys.argv`` and ``sys.path`` set for it."""
    import runpy
    import stat

    first, rest = arguments[0], arguments[1:]
    if first in ("-m", "-c") and not rest:
        return _usage(f"{first} needs a {'module' if first == '-m' else 'program'}")
    if first == "-m":
        sys.argv = rest
        _look_first_in(os.getcwd())  # noqa: PTH109  (as python -m does)
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    elif first == "-c":
        _run_code(rest[0], ["-c", *rest[1:]], "<phalanx -c>")
    elif first == "-":
        _run_code(sys.stdin.read(), arguments, "<stdin>")
    elif first.startswith("-"):
        return _usage(f"unknown option {first}")
    else:
        if stat.S_ISFIFO(os.stat(first).st_mode):  # noqa: PTH116  (runpy opens files twice)
            with open(first, encoding="utf-8") as pipe:  # noqa: PTH123
                _run_code(pipe.read(), arguments, first)
            return 0
        sys.argv = arguments
        _look_first_in(os.path.dirname(os.path.abspath(first)))  # noqa: PTH100, PTH120
        runpy.run_path(first, run_name="__main__")
    return 0


def _look_first_in(folder: str) -> None:
    """Puts the program's folder where Python put ours; with ``python -P`` there is none."""
    if not sys.flags.safe_path:
        sys.path[0] = folder


def _run_code(code: str, arguments: list[str], name: str) -> None:
    """A text: it goes into linecache too, since kernels are compiled from their source."""
    import linecache
    import types

    linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)
    sys.argv = arguments
    _look_first_in("")
    module = types.ModuleType("__main__")
    sys.modules["__main__"] = module
    exec(compile(code, name, "exec"), module.__dict__)


def _usage(message: str) -> int:
    print(f"phalanx run: {message}\nusage: {_RUN_USAGE}", file=sys.stderr)
    return 2
