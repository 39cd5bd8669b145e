"""Where the files of NVIDIA's toolkit are: in Python packages, in a toolkit, on the system."""

from __future__ import annotations

import importlib
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from . import config

_PACKAGE = Path(__file__).parent.parent


def _roots() -> Iterator[Path]:
    """Folders with bin, include and lib: those of Python packages, then of toolkits."""
    for folder in dict.fromkeys([_PACKAGE.parent, *map(Path, sys.path)]):
        yield from sorted(folder.glob("nvidia/*"))
    for variable in ("CUDA_HOME", "CUDA_PATH"):
        if os.environ.get(variable):
            yield Path(os.environ[variable])
    yield from sorted(Path("/usr/local").glob("cuda*"), reverse=True)


def library_folders() -> list[Path]:
    """The folders where libraries are looked for, nearest first."""
    folders = [_PACKAGE / "_libs"]
    for root in _roots():
        folders += [root / "lib", root / "lib64"]
    folders += [Path(p) for p in os.environ.get("LD_LIBRARY_PATH", "").split(":") if p]
    folders += [Path("/usr/lib/x86_64-linux-gnu"), Path("/usr/lib64"), Path("/usr/lib")]
    return [folder for folder in dict.fromkeys(folders) if folder.is_dir()]


def find_library(stem: str) -> Path | None:
    """The file of a library, such as ``nvrtc``; None where there is none.

    NVIDIA's cuda-pathfinder decides where it is installed: it also knows what the process has
    loaded already, conda environments and the loader's configuration. It opens what it finds.
    """
    known = _found_by_pathfinder(stem)
    if known is not None:
        return known
    found = (file for folder in library_folders() for file in sorted(folder.glob(f"lib{stem}.so*")))
    return next((file for file in found if "builtins" not in file.name), None)


def _found_by_pathfinder(stem: str) -> Path | None:
    try:
        pathfinder = importlib.import_module("cuda.pathfinder")
    except ImportError:
        return None
    try:
        path = pathfinder.load_nvidia_dynamic_lib(stem).abs_path
    except (RuntimeError, ValueError):  # not found, or not one of NVIDIA's
        return None
    return Path(path) if path else None


def find_tool(name: str) -> Path | None:
    """A program of the toolkit, such as ``nvdisasm``; None where there is none."""
    on_path = shutil.which(name)
    if on_path:
        return Path(on_path)
    found = (root / "bin" / name for root in _roots())
    return next((file for file in found if os.access(file, os.X_OK)), None)


def include_folders() -> list[Path]:
    """The folders of CUDA's headers: the nearest toolkit with all of them, else with most."""
    given = [Path(p) for p in os.environ.get("NUMBA_CUDA_INCLUDE_PATH", "").split(":") if p]
    given += [Path(p) for p in extra_search_paths()]
    complete: list[Path] = []
    partial: list[Path] = []
    for root in _roots():
        folder = root / "include"
        if (folder / "cuda_fp16.h").exists():
            # Without CCCL, which Python packages leave out, most headers include what is not there.
            (complete if (folder / "cccl").is_dir() else partial).append(folder)
    for folder in complete[:1]:
        return [*given, folder, folder / "cccl"]
    return [*given, *partial[:1]]


def extra_search_paths() -> list[str]:
    """The folders of headers that the user names, for CUDA C source."""
    name = "CUDA_NVRTC_EXTRA_SEARCH_PATHS"
    given = config.setting(name) or os.environ.get(f"NUMBA_{name}", "")
    return [p for p in given.split(":") if p]
