"""Runs every program and prints one table; fails if one fails.

    python examples/programs/run_all.py [--small] [--save DIR] [--json FILE] [NAME ...]

Programs for CuPy, PyCUDA and Numba run as they would under `python -m phalanx run`.
"""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from pathlib import Path

from _page import write
from _program import Missing, Run, arguments, device, perform

import phalanx as px

HERE = Path(__file__).resolve()
NAMES = sorted(file.stem for file in HERE.parent.glob("[!_]*.py") if file != HERE)


def one(name: str, small: bool, save: Path | None) -> dict[str, object]:
    """Runs a program; returns its row of the table."""
    run = Run(name, small, save)
    row: dict[str, object] = {"name": name, "device": device()}
    try:
        module = importlib.import_module(name)
        title = (module.__doc__ or "").split("\n")[0]
        row.update(field=module.FIELD, uses=module.USES, title=title)
        perform(module.main, run)
    except Missing as reason:
        return {**row, "missing": str(reason)}
    except Exception as error:
        return {**row, "error": f"{type(error).__name__}: {error}"}
    row["seconds"] = run.seconds
    if run.peer_name:
        row.update(peer=run.peer_name, peer_seconds=run.peer_seconds, times=run.times)
    return {**row, "line": run.line}


def shown(row: dict[str, object]) -> str:
    """The row as text."""
    if "line" in row:
        return f"{row['field']:<12} {row['line']}"
    why = f"left out: {row['missing']}" if "missing" in row else f"FAILED: {row['error']}"
    return f"{row.get('field', ''):<12} {row['name']:<20} {why}"


def table(names: list[str], small: bool, save: Path | None) -> list[dict[str, object]]:
    """Runs the programs one after the other and prints a line for each."""
    px.config.background_compile = False  # what is measured are the kernels
    heads = f"{'field':<12} {'program':<20} {'device':<7} {'time':>10}"
    print(f"{heads}   {'peer':<12} {'time':>10}   times faster")
    rows = []
    for name in names:
        rows.append(one(name, small, save))
        print(shown(rows[-1]), flush=True)
    return rows


def main() -> int:
    """Runs what the command line says, under `phalanx run`; returns the number that failed."""
    parser = arguments(__doc__ or "")
    parser.add_argument("names", nargs="*", metavar="NAME", help="programs; all by themselves")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the rows into this file")
    parser.add_argument("--page", type=Path, metavar="FILE", help="write the table of this page")
    parser.add_argument("--served", action="store_true", help="runs under `phalanx run` already")
    options = parser.parse_args()
    unknown = sorted(set(options.names) - set(NAMES))
    if unknown:
        parser.error(f"no program {', '.join(unknown)}; there are {', '.join(NAMES)}")
    if not options.served:
        command = [sys.executable, "-m", "phalanx", "run", str(HERE), "--served", *sys.argv[1:]]
        return subprocess.run(command, check=False).returncode
    rows = table(options.names or NAMES, options.small, options.save)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1))
    if options.page:
        write(options.page, rows)
    return sum("error" in row for row in rows)


if __name__ == "__main__":
    sys.exit(main())
