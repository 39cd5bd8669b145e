"""The programs of examples/programs: all check themselves at small sizes."""

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]

FOLDER = REPOSITORY / "examples" / "programs"
FILES = sorted(file for file in FOLDER.glob("[!_]*.py") if file.name != "run_all.py")
PAGE = REPOSITORY / "docs" / "examples.md"
# Packages without which a program is left out.
OPTIONAL = {"taxi_dask": "dask", "handwritten_digits": "sklearn", "tsne_map": "sklearn"}
# Libraries with threads of their own, which wait for each other in loops where cores are few.
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


def run_all(*arguments, device="cpu"):
    return subprocess.run(
        [sys.executable, str(FOLDER / "run_all.py"), *map(str, arguments)],
        env={**os.environ, **ONE_THREAD, "PHALANX_DEVICE": device},
        capture_output=True,
        text=True,
    )


def test_all_programs_check_themselves(device, tmp_path):
    table = tmp_path / "rows.json"
    done = run_all("--small", "--save", tmp_path, "--json", table, device=device)
    rows = {row["name"]: row for row in json.loads(table.read_text())}
    assert sorted(rows) == [file.stem for file in FILES]
    failed = {name: row["error"] for name, row in rows.items() if "error" in row}
    assert not failed, done.stdout + done.stderr
    assert done.returncode == 0, done.stderr
    missing = {name: row["missing"] for name, row in rows.items() if "missing" in row}
    for name, reason in missing.items():
        assert name in OPTIONAL and OPTIONAL[name] in reason, (name, reason)
    ran = [row for name, row in rows.items() if name not in missing]
    assert all(row["seconds"] > 0 and row["device"].startswith(device) for row in ran)
    pytest.importorskip("matplotlib")
    pictures = {file.stem for file in FILES if "run.picture" in file.read_text()}
    assert {file.stem for file in tmp_path.glob("*.png")} == pictures - set(missing)


def test_a_program_that_does_not_exist_is_named():
    done = run_all("--small", "no_such_program")
    assert done.returncode == 2
    assert "no program no_such_program; there are" in done.stderr


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_program_is_short_and_says_what_it_is(file):
    text = file.read_text()
    tree = ast.parse(text)
    said = ast.get_docstring(tree)
    title, _, rest = said.partition("\n\n")
    assert len(text.splitlines()) <= 100
    assert "\n" not in title and title.endswith(".")
    assert len(rest) > 80  # which known program it is, and the source of its method
    assert "\nFIELD, USES = " in text
    assert f"examples/programs/{file.name})" in PAGE.read_text()
