"""Compiles kernels of public repositories in CUDA C, unchanged: one line for each.

    export PHALANX_CUDA_C_SOURCES=../cuda_c_sources    # OWNER/REPO below it, at the commits
    python tests/conformance/cuda_c_kernels.py [-k TEXT] [--fetch] [--show] [--seconds N]

``cuda_c_kernels.txt`` lists them. Files hold host code too: `cuda_c_cutting.py` takes out, by rules
that are the same for all files, what a kernel needs; so it does from the texts of Python programs.
As nvcc does, the script defines ``__NVCC__`` and includes ``cuda_runtime.h`` first; for the host's
headers of C++, which are left out, it includes what of C++ the front end has. A kernel passes when
the front end makes IR that the verifier takes, and the engine makes of it PTX for compute
capability 9.0 and machine code of the CPU, within a minute; nothing is launched. Else it failed,
whatever the reason.

``known/cuda-c-kernels.txt`` lists those that are known to fail, with reasons. The exit status is 0
when at least as many pass as REQUIRED says and all others than those, 1 when not, 77 without the
folder. ``--fetch`` clones what is missing; ``--show`` prints what was cut out. No source of others
is in this repository.
"""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cuda_c_cutting import Files, Item, cut, texts_of

HERE = Path(__file__).resolve().parent
VARIABLE = "PHALANX_CUDA_C_SOURCES"
SKIPPED = 77
REQUIRED = 92  # of a hundred kernels
PTX_OF = (9, 0)
# What sources take for granted, as other headers bring it: nvcc's, and the host's C++ library's.
FIRST = "".join(
    f"#include <{name}>\n"
    for name in (
        "cuda_runtime.h",
        "algorithm",
        "cmath",
        "cstddef",
        "limits",
        "type_traits",
        "utility",
    )
)


@dataclass(frozen=True)
class Kernel:
    """A line of the list, for one of its kernels."""

    kind: str
    repository: str
    commit: str
    path: str
    name: str
    folders: tuple[str, ...] = ()
    macros: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        return f"{self.repository}/{self.path}::{self.name}"


def listed(text: str) -> Iterator[Kernel]:
    """The kernels of ``cuda_c_kernels.txt``."""
    repository = commit = ""
    for line in text.splitlines():
        if line.startswith("["):
            repository, commit = line[1:].split("] ")
        elif line and not line.startswith("#"):
            kind, path, names, *options = [each.strip() for each in line.split(" | ")]
            words = shlex.split(options[0]) if options else []
            pairs = list(zip(words[::2], words[1::2], strict=True))
            for name in names.split("; "):
                yield Kernel(
                    kind, repository, commit, path, name,
                    tuple(value for option, value in pairs if option == "-I"),
                    tuple(value for option, value in pairs if option == "-D"),
                )  # fmt: skip


def known_failures(text: str) -> dict[str, str]:
    """Titles and reasons: two spaces stand between."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return {title: why.strip() for title, _, why in (line.partition("  ") for line in lines)}


def checkout(root: Path, kernel: Kernel, fetches: bool) -> Path | None:
    """The folder of the kernel's repository, None where it is not there."""
    folder = root / kernel.repository
    if folder.is_dir() or not fetches:
        return folder if folder.is_dir() else None
    url = f"https://github.com/{kernel.repository}"
    part = folder.with_name(f"{folder.name}.part")
    part.mkdir(parents=True, exist_ok=True)
    git = ["git", "-C", str(part)]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "fetch", "-q", "--depth", "1", url, kernel.commit], check=True)
    subprocess.run([*git, "checkout", "-q", "FETCH_HEAD"], check=True)
    part.rename(folder)
    return folder


def front_end_headers() -> frozenset[str]:
    """The names of the headers that the front end has."""
    folder = HERE.parents[1] / "phalanx" / "cudac" / "include"
    found = (path.relative_to(folder).as_posix() for path in folder.rglob("*.cuh"))
    return frozenset(name.removesuffix(".cuh") for name in found)


def source_of(kernel: Kernel, root: Path, headers: frozenset[str]) -> str:
    """What is compiled: the device part of the kernel's file."""
    files = Files([root / each for each in kernel.folders], headers, root)
    items: list[Item] = []
    for name in kernel.path.split(" + "):
        path = root / name
        if path.suffix == ".py":
            items += files.items(texts_of(path), path.parent)
        else:
            items += files.read(path)
    return FIRST + cut(items, kernel.name)


def compile_kernel(kernel: Kernel, source: str) -> None:
    """Makes IR, PTX and machine code of the CPU. Raises what the engine raises."""
    from phalanx._cuda_c import CudaCModule, SourceOptions

    from phalanx import _engine

    options = SourceOptions(macros=("__NVCC__", *kernel.macros))
    module = CudaCModule(source, "kernel.cu", options, kernels=(kernel.name,))
    handle = module.kernel(kernel.name).handle
    if ".entry" not in handle.ptx(PTX_OF):
        raise AssertionError("the PTX has no kernel")
    if not handle.cubin(_engine.device("cpu")):
        raise AssertionError("there is no code for the CPU")


def outcome(kernel: Kernel, source: str, seconds: int) -> str:
    """Why the kernel does not compile; "" when it does. It is tried in a process of its own."""
    command = [sys.executable, __file__, "--one", kernel.title]
    try:
        done = subprocess.run(
            command, input=source, capture_output=True, text=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        return f"takes longer than {seconds} seconds"
    if done.returncode == 0:
        return ""
    said = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
    return said[-1][:300] if said else f"ended with {done.returncode}"


def one(title: str, kernels: list[Kernel]) -> int:
    """Compiles the source that comes in: of the kernel with that title."""
    kernel = next(each for each in kernels if each.title == title)
    try:
        compile_kernel(kernel, sys.stdin.read())
    except Exception as error:  # whatever it is, it failed
        sentence = getattr(error, "sentence", None) or f"{type(error).__name__}: {error}"
        print(str(sentence).replace("\n", " "))
        return 1
    return 0


def attempt(kernel: Kernel, root: Path, headers: frozenset[str], seconds: int) -> str:
    """Why the kernel failed, "" when it passed."""
    try:
        source = source_of(kernel, root, headers)
    except (OSError, SyntaxError) as error:
        return str(error)
    return outcome(kernel, source, seconds)


def run(kernels: list[Kernel], root: Path, options: argparse.Namespace) -> tuple[int, int, int]:
    """Prints a line for each: how many were tried, how many passed, how many surprised."""
    headers = front_end_headers()
    known = known_failures((HERE / "known" / "cuda-c-kernels.txt").read_text())
    passed = wrong = tried = 0
    for kernel in kernels:
        folder = checkout(root, kernel, options.fetch)
        if folder is None:
            print(f"{kernel.title}: skipped: not there", flush=True)
            continue
        if options.show:
            print(source_of(kernel, folder, headers))
        tried += 1
        why = attempt(kernel, folder, headers, options.seconds)
        passed += not why
        if (kernel.title in known) != bool(why):
            wrong += 1
        word = "failed, as known" if why and kernel.title in known else "failed"
        passes = "compiled, but is listed as known to fail" if kernel.title in known else "compiled"
        print(f"{kernel.kind}: {kernel.title}: {f'{word}: {why}' if why else passes}", flush=True)
    return tried, passed, wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("-k", metavar="TEXT", default="", help="only kernels of that text")
    parser.add_argument("--fetch", action="store_true", help="clone what is missing")
    parser.add_argument("--show", action="store_true", help="print what was cut out")
    parser.add_argument("--seconds", type=int, default=60, help="for a kernel, at most")
    parser.add_argument("--one", metavar="TITLE", help=argparse.SUPPRESS)
    options = parser.parse_args()
    kernels = list(listed((HERE / "cuda_c_kernels.txt").read_text()))
    if options.one:
        return one(options.one, kernels)
    root = os.environ.get(VARIABLE)
    if not root:
        print(f"set {VARIABLE} to a folder with the kernels' repositories, as OWNER/REPO")
        return SKIPPED
    chosen = [each for each in kernels if options.k in f"{each.kind} {each.title}"]
    tried, passed, wrong = run(chosen, Path(root).resolve(), options)
    enough = bool(options.k) or passed >= REQUIRED
    print(f"cuda-c parsed {passed} of {tried} kernels")
    return 0 if enough and not wrong else 1


if __name__ == "__main__":
    sys.exit(main())
