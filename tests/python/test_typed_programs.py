"""What mypy, and pyright where it is installed, say of programs that use Phalanx.

The programs of `typed_programs/accepted` have no error under `mypy --strict`; in those of
`typed_programs/refused` each line with ``# E: text`` has an error with that text, no other one has.
"""

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
REPOSITORY = HERE.parents[1]
PACKAGE = REPOSITORY / "python" / "phalanx"
ACCEPTED = sorted((HERE / "typed_programs" / "accepted").glob("*.py"))
REFUSED = sorted((HERE / "typed_programs" / "refused").glob("*.py"))
ERROR = re.compile(r"^(.*\.py):(\d+): error: (.*)$", re.MULTILINE)

pytestmark = pytest.mark.skipif(
    not PACKAGE.is_dir() or not all(map(importlib.util.find_spec, ("mypy", "nanobind"))),
    reason="needs mypy, of the extra 'lint', nanobind, and the sources",
)


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """A folder with the package as a wheel has it: with the stub of the compiled module."""
    folder = tmp_path_factory.mktemp("typed") / "phalanx"
    folder.mkdir()
    for entry in PACKAGE.iterdir():
        if entry.name != "_engine.pyi":
            (folder / entry.name).symlink_to(entry)
    patterns = REPOSITORY / "phalanx" / "bindings" / "stub.pat"
    subprocess.run(
        [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "phalanx._engine",
         "-p", patterns, "-o", folder / "_engine.pyi"],
        check=True,
    )  # fmt: skip
    return folder.parent


def expected_errors():
    rows = {}
    for file in REFUSED:
        for number, line in enumerate(file.read_text().splitlines(), 1):
            if "# E: " in line:
                rows[str(file), number] = line.partition("# E: ")[2]
    return rows


@pytest.fixture(scope="module")
def of_mypy(package, tmp_path_factory):
    """Errors by file and line, of all programs at once."""
    config = tmp_path_factory.mktemp("mypy") / "mypy.ini"
    config.write_text("[mypy]\nstrict = True\nfollow_imports = silent\n")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", config, "--no-error-summary",
         "--hide-error-context", "--cache-dir", package.parent / "cache", *ACCEPTED, *REFUSED],
        env={**os.environ, "MYPYPATH": str(package)},
        capture_output=True, text=True, cwd=HERE,
    )  # fmt: skip
    assert done.returncode == 1 and not done.stderr, done.stdout + done.stderr
    found = {}
    for file, line, text in ERROR.findall(done.stdout):
        found.setdefault((str(HERE / file), int(line)), []).append(text)
    return found


@pytest.mark.parametrize("file", ACCEPTED, ids=lambda file: file.stem)
def test_mypy_accepts_right_programs(file, of_mypy):
    assert {row: text for row, text in of_mypy.items() if row[0] == str(file)} == {}


@pytest.mark.parametrize("file", REFUSED, ids=lambda file: file.stem)
def test_mypy_names_each_mistake(file, of_mypy):
    wanted = {row: text for row, text in expected_errors().items() if row[0] == str(file)}
    found = {row: text for row, text in of_mypy.items() if row[0] == str(file)}
    assert len(wanted) >= 8
    assert found.keys() == wanted.keys()
    for row, text in wanted.items():
        assert any(text in each for each in found[row]), (row, found[row])


def test_mypy_finds_nothing_in_the_examples(package):
    examples = REPOSITORY / "examples"
    for folder in sorted({file.parent for file in examples.rglob("*.py")}):
        done = subprocess.run(
            [sys.executable, "-m", "mypy", "--config-file", examples / "mypy.ini",
             "--no-error-summary", "--cache-dir", package.parent / "cache", *folder.glob("*.py")],
            env={**os.environ, "MYPYPATH": f"{package}:{examples}"},
            capture_output=True, text=True, cwd=folder,
        )  # fmt: skip
        found = [line for line in done.stdout.splitlines() if ".pyi:" not in line]
        assert not done.stderr and found == [], done.stdout + done.stderr


@pytest.mark.skipif(importlib.util.find_spec("pyright") is None, reason="needs pyright")
def test_pyright_agrees(package):
    folder = package / "programs"
    folder.mkdir()
    for file in (*ACCEPTED, *REFUSED):
        (folder / f"{file.parent.name}_{file.name}").write_text(file.read_text())
    (package / "pyrightconfig.json").write_text(
        json.dumps({"include": ["programs"], "extraPaths": ["."]})
    )
    done = subprocess.run(
        [sys.executable, "-m", "pyright", "--outputjson", "-p", package,
         "--pythonpath", sys.executable],
        capture_output=True, text=True,
    )  # fmt: skip
    rows = json.loads(done.stdout)["generalDiagnostics"]
    found = {
        (Path(each["file"]).name, each["range"]["start"]["line"] + 1)
        for each in rows
        if each["severity"] == "error"
    }
    wanted = {(f"refused_{Path(file).name}", line) for file, line in expected_errors()}
    assert found == wanted, [each for each in rows if each["severity"] == "error"]
