"""Programs in a process where Phalanx's entry points are found, as of an installed package."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def run_installed(tmp_path):
    """Runs code where Phalanx's entry points are found, as those of an installed package are."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    info = tmp_path / "site" / f"phalanx-{project['version']}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Name: phalanx\nVersion: {project['version']}\n")
    groups = project["entry-points"].items()
    lines = [f"[{g}]\n" + "\n".join(f"{k} = {v}" for k, v in rows.items()) for g, rows in groups]
    (info / "entry_points.txt").write_text("\n".join(lines))

    def run(code, folder=None, **environment):
        path = [folder or info.parent, info.parent, os.environ.get("PYTHONPATH", "")]
        script = tmp_path / "script.py"
        script.write_text(code)
        done = subprocess.run(
            [sys.executable, str(script)],
            env=os.environ
            | {"PYTHONPATH": os.pathsep.join(map(str, path)), "PHALANX_DEVICE": "cpu"}
            | {"PHALANX_CACHE_DIR": str(tmp_path / "cache"), **environment},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run
