"""Fail when the wheel is too large, leaks symbols, or needs more than its platform tag says."""

import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

SIZE_LIMIT = 45_000_000
# What every machine with the tag's C library has; everything else must be in the wheel.
SYSTEM_LIBRARIES = {
    "ld-linux-x86-64.so.2",
    "libc.so.6",
    "libdl.so.2",
    "libgcc_s.so.1",
    "libm.so.6",
    "libpthread.so.0",
}
EXPORTED = {"PyInit__engine"}


def output_of(*command: str | Path) -> str:
    """Run a command of binutils and return what it prints."""
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def newest_glibc(library: Path) -> tuple[int, ...]:
    """Return the newest version of glibc that `library` asks for."""
    versions = re.findall(r"\bGLIBC_([0-9.]+)", output_of("objdump", "-T", library))
    return max((tuple(map(int, version.split("."))) for version in versions), default=())


def library_problems(library: Path, bundled: set[str], limit: tuple[int, ...]) -> list[str]:
    """Check one shared object: what it needs is there, and not newer than the tag says."""
    needed = re.findall(r"NEEDED\s+(\S+)", output_of("objdump", "-p", library))
    found = [
        f"{library.name} needs {name}, which is not in the wheel"
        for name in needed
        if name not in SYSTEM_LIBRARIES | bundled
    ]
    glibc = newest_glibc(library)
    if glibc > limit:
        found.append(f"{library.name} needs glibc {glibc}, the tag says {limit}")
    return found


def exported_symbols(module: Path) -> set[str]:
    """Return the names that `module` shows to the rest of the process."""
    table = output_of("nm", "-D", "--defined-only", module)
    return {line.split()[-1].split("@")[0] for line in table.splitlines()}


def problems(wheel: Path) -> list[str]:
    """Return what is wrong with `wheel`, one sentence each."""
    found = []
    if wheel.stat().st_size > SIZE_LIMIT:
        found.append(f"{wheel.name} has {wheel.stat().st_size} bytes, over {SIZE_LIMIT}")
    tag = re.search(r"manylinux_(\d+)_(\d+)", wheel.name)
    if tag is None:
        return [*found, f"{wheel.name} has no manylinux tag"]
    limit = (int(tag[1]), int(tag[2]))
    with tempfile.TemporaryDirectory() as folder:
        zipfile.ZipFile(wheel).extractall(folder)
        package = Path(folder, "phalanx")
        libraries = sorted(package.glob("_libs/*.so*"))
        bundled = {library.name for library in libraries}
        modules = list(package.glob("_engine*.so"))
        for library in [*modules, *libraries]:
            found += library_problems(library, bundled, limit)
        for module in modules:
            if leaked := exported_symbols(module) - EXPORTED:
                found.append(f"{module.name} exports {len(leaked)} names, as {min(leaked)}")
        if not modules:
            found.append("there is no phalanx/_engine*.so")
        if not (package / "_libs/libdevice.10.bc").exists():
            found.append("there is no phalanx/_libs/libdevice.10.bc")
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
