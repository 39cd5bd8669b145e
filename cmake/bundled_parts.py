"""Collects the licences of all parts that the wheel carries, and lists the parts (SBOM).

    bundled_parts.py FOLDER VERSION

writes FOLDER/LICENSE.<part>.txt, which the wheel installs beside the libraries, and
FOLDER/phalanx.cdx.json, a software bill of materials (CycloneDX 1.6, for `sboms/` of the wheel's
metadata as PEP 770 has it). Fails where a part's licence is not found.
"""

from __future__ import annotations

import importlib.metadata
import json
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple


class Part(NamedTuple):
    """One piece of software of others in the wheel."""

    name: str
    package: str  # that it comes from
    source: str  # "deb" or "pypi"
    licence: str  # SPDX
    how: str


PARTS = (
    Part("llvm", "llvm-19-dev", "deb", "Apache-2.0 WITH LLVM-exception", "static in the module"),
    Part("fmt", "libfmt-dev", "deb", "MIT", "compiled into the module"),
    Part("zlib", "zlib1g-dev", "deb", "Zlib", "static in the module"),
    Part("pcre2", "libpcre2-dev", "deb", "BSD-3-Clause", "static in the module"),
    Part("zstd", "libzstd-dev", "deb", "BSD-3-Clause", "static in the module"),
    Part(
        "libstdc++",
        "libstdc++-12-dev",
        "deb",
        "GPL-3.0-or-later WITH GCC-exception-3.1",
        "static in the module",
    ),
    Part("nanobind", "nanobind", "pypi", "BSD-3-Clause", "compiled into the module"),
    Part("highway", "libhwy-dev", "deb", "Apache-2.0", "compiled into the module"),
    Part("sleef", "libsleef3", "deb", "BSL-1.0", "phalanx/_libs/libsleef.so.3"),
    Part(
        "libdevice",
        "nvidia-nvvm",
        "pypi",
        "LicenseRef-NVIDIA-CUDA-EULA",
        "phalanx/_libs/libdevice.10.bc",
    ),
)


def debian_version(package: str) -> str:
    """The version of an installed Debian package."""
    command = ["dpkg-query", "-W", "-f", "${Version}", package]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def debian_licence(package: str) -> str:
    """The copyright file of an installed Debian package."""
    return Path("/usr/share/doc", package, "copyright").read_text()


def pypi_licence(package: str) -> str:
    """The licence texts in the metadata of an installed Python package."""
    files = importlib.metadata.files(package) or []
    found = [file for file in files if file.name.lower().startswith("license")]
    if not found:
        raise FileNotFoundError(f"the Python package {package} has no licence file")
    return "\n".join(file.read_text() for file in found)


def component(part: Part) -> dict[str, Any]:
    """The entry of a part in the bill of materials."""
    if part.source == "deb":
        version = debian_version(part.package)
        purl = f"pkg:deb/debian/{part.package.replace('+', '%2B')}@{version}"
    else:
        version = importlib.metadata.version(part.package)
        purl = f"pkg:pypi/{part.package}@{version}"
    return {
        "type": "library",
        "bom-ref": part.name,
        "name": part.name,
        "version": version,
        "licenses": [{"expression": part.licence}],
        "purl": purl,
        "description": part.how,
    }


def bill(version: str) -> dict[str, Any]:
    """The bill of materials of the wheel of this version."""
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "library",
                "bom-ref": "phalanx",
                "name": "phalanx",
                "version": version,
                "licenses": [{"expression": "BSD-3-Clause"}],
                "purl": f"pkg:pypi/phalanx@{version}",
            }
        },
        "components": [component(part) for part in PARTS],
        "dependencies": [
            {"ref": "phalanx", "dependsOn": [part.name for part in PARTS]},
            *({"ref": part.name} for part in PARTS),
        ],
    }


def main() -> None:
    """Write licences and bill of materials into the folder of the first argument."""
    folder, version = Path(sys.argv[1]), sys.argv[2]
    folder.mkdir(parents=True, exist_ok=True)
    for part in PARTS:
        licence = debian_licence if part.source == "deb" else pypi_licence
        (folder / f"LICENSE.{part.name}.txt").write_text(licence(part.package))
    (folder / "phalanx.cdx.json").write_text(json.dumps(bill(version), indent=2) + "\n")


if __name__ == "__main__":
    main()
