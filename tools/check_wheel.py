"""Fail when the wheel is too large, leaks symbols, or needs more than its tags say.

auditwheel judges the platform tag, abi3audit the stable ABI; what they do not look at is here.
"""

import json
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

# What every machine with the tag's C library has: fewer than the manylinux policies allow.
SYSTEM_LIBRARIES = {
    "ld-linux-x86-64.so.2",
    "libc.so.6",
    "libdl.so.2",
    "libgcc_s.so.1",
    "libm.so.6",
    "libpthread.so.0",
}
SCRIPTS = Path(sys.executable).parent  # of the virtual environment that has the auditors
# Of the block that each thread is made with. For libraries loaded later the C library keeps
# some 1.6 KB for all of a process (decision 0049).
THREAD_LOCAL_LIMIT = 256


def output_of(*command: str | Path) -> str:
    """Run a command and return what it prints."""
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def audit_problems(wheel: Path) -> Iterator[str]:
    """Yield what auditwheel says: libraries that are missing, symbols newer than the tag."""
    tag = re.search(r"manylinux_(\d+)_(\d+)_\w+", wheel.name)
    if tag is None:
        yield f"{wheel.name} has no manylinux tag"
        return
    audit = json.loads(output_of(SCRIPTS / "auditwheel", "show", "--json", wheel))
    for library in {*audit["external_libs"], *audit["versioned_symbols"]} - SYSTEM_LIBRARIES:
        yield f"{wheel.name} needs {library}, which is not in the wheel"
    fits = re.fullmatch(r"manylinux_(\d+)_(\d+)_\w+", audit["overall_tag"])
    if fits is None or (int(fits[1]), int(fits[2])) > (int(tag[1]), int(tag[2])):
        symbols = json.dumps(audit["versioned_symbols"])
        yield f"{wheel.name} is {audit['overall_tag']} only: {symbols}"


def abi_problems(wheel: Path) -> Iterator[str]:
    """Yield what abi3audit says: names of Python that the stable ABI of the tag does not have."""
    command = [str(SCRIPTS / "abi3audit"), "--strict", "--verbose", str(wheel)]
    audit = subprocess.run(command, check=False, capture_output=True, text=True)
    if audit.returncode != 0:
        yield f"{wheel.name} breaks the stable ABI:\n{audit.stdout}{audit.stderr}"


def exported_symbols(module: Path) -> set[str]:
    """Return the names that `module` shows to the rest of the process."""
    table = output_of("nm", "-D", "--defined-only", module)
    return {line.split()[-1].split("@")[0] for line in table.splitlines()}


def thread_local_bytes(module: Path) -> int:
    """Return the size of the module's part of each thread's block."""
    for line in output_of("readelf", "-lW", module).splitlines():
        if line.split()[:1] == ["TLS"]:
            return int(line.split()[5], 16)
    return 0


class Contents(NamedTuple):
    """What a wheel has to hold."""

    size_limit: int
    library: str  # what is loaded, as a pattern
    exported: set[str]
    files: tuple[str, ...] = ()
    is_extension: bool = True


# By the wheel's name.
CONTENTS = {
    "phalanx": Contents(
        45_000_000,
        "phalanx/_engine*.so",
        {"PyInit__engine", "__jit_debug_descriptor", "__jit_debug_register_code"},
        ("phalanx/_libs/libdevice.10.bc",),
    ),
    "phalanx_cuda_c": Contents(
        20_000_000,
        "phalanx_cudac/libphalanx_cudac.so",
        {"phalanx_cudac_build", "phalanx_cudac_compile", "phalanx_cudac_release"},
        is_extension=False,
    ),
}


def library_problems(library: Path, contents: Contents) -> Iterator[str]:
    """Yield what is wrong with the library in a wheel."""
    if leaked := exported_symbols(library) - contents.exported:
        yield f"{library.name} exports {len(leaked)} names, as {min(leaked)}"
    if contents.is_extension and (size := thread_local_bytes(library)) > THREAD_LOCAL_LIMIT:
        yield f"{library.name} has {size} bytes of thread-local variables"


def problems(wheel: Path) -> list[str]:
    """Return what is wrong with `wheel`, one sentence each."""
    contents = CONTENTS[wheel.name.split("-")[0]]
    found = []
    if wheel.stat().st_size > contents.size_limit:
        found.append(f"{wheel.name} has {wheel.stat().st_size} bytes, over {contents.size_limit}")
    found += audit_problems(wheel)
    if contents.is_extension:
        found += abi_problems(wheel)
    with tempfile.TemporaryDirectory() as folder:
        zipfile.ZipFile(wheel).extractall(folder)
        libraries = list(Path(folder).glob(contents.library))
        for library in libraries:
            found += library_problems(library, contents)
        if not libraries:
            found.append(f"there is no {contents.library}")
        found += [
            f"there is no {each}" for each in contents.files if not Path(folder, each).exists()
        ]
    return found


def main() -> int:
    """Check the wheels named on the command line."""
    status = 0
    for wheel in map(Path, sys.argv[1:]):
        found = problems(wheel)
        for problem in found:
            print(f"wheel: {problem}", file=sys.stderr)
        if not found:
            print(f"== wheel: {wheel.name}, {wheel.stat().st_size / 1e6:.1f} MB, checked")
        status |= bool(found)
    return status


if __name__ == "__main__":
    sys.exit(main())
