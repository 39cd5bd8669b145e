"""Examples of public names that are written by hand, for names whose docstring shows none.

    PYTHONPATH=build/test/python python tools/docs_site/written.py [FILE...]

writes anew what the sessions of docs/site/examples/*.txt print; read the difference before it is
kept. tests/python/test_written_examples.py runs them. A file is read line by line:

    == phalanx.Series (pandas)           the owner, and what prints the same; also numpy, scipy,
                                         and sklearn where phalanx.ml is written; or gpu: it needs
                                         one, and is run with the fake driver
    >>> series = px.Series([1, 2])       what all of its examples begin with
    -- at iat                            the names of the owner that the example is of
    >>> series.at[0]
    1

What stands before the first owner says what the file is.
"""

import contextlib
import doctest
import functools
import importlib
import io
import linecache
import re
import sys
import tempfile
import types
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[2] / "docs/site/examples"
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
ADDRESS = re.compile(r" at 0x[0-9a-f]+")


@dataclass(frozen=True)
class Example:
    """A session at Python's prompt, and the public names that it shows."""

    owner: str
    names: tuple[str, ...]
    setting: str
    session: str
    oracle: str  # the library that prints the same, or nothing; "gpu": it needs a GPU

    @property
    def paths(self) -> list[str]:
        """The whole names."""
        return [f"{self.owner}.{name}" for name in self.names]

    @property
    def text(self) -> str:
        """The session with what is done before."""
        return f"{self.setting}\n{self.session}".strip()


def read(text: str) -> Iterator[Example]:
    """The examples of a file."""
    for part in re.split(r"^== ", text, flags=re.MULTILINE)[1:]:
        head, _, body = part.partition("\n")
        owner, _, mark = head.partition(" ")
        setting, *examples = re.split(r"^-- ", body, flags=re.MULTILINE)
        for each in examples:
            names, _, session = each.partition("\n")
            yield Example(
                owner, tuple(names.split()), setting.strip(), session.strip(), mark.strip("()")
            )


def files() -> list[Path]:
    """The files with examples."""
    return sorted(FOLDER.glob("*.txt"))


@functools.cache
def all_examples() -> tuple[Example, ...]:
    """The examples of all files."""
    return tuple(example for file in files() for example in read(file.read_text()))


@functools.cache
def by_path() -> dict[str, str]:
    """The session of each public name that has one, without doctest's word for an empty line."""
    return {
        path: each.text.replace("<BLANKLINE>", "") for each in all_examples() for path in each.paths
    }


def scope(library: str = "") -> dict[str, Any]:
    """The names that sessions begin with; another library, where it is given, serves as `px`."""
    import numpy as np

    import phalanx
    from phalanx import cuda

    px: Any = phalanx
    if library in ("numpy", "pandas"):
        px = importlib.import_module(library)
    if library == "scipy":
        special = importlib.import_module("scipy.special")
        px = types.SimpleNamespace(asarray=np.asarray, special=special)
    return {"np": np, "px": px, "cuda": cuda}


def failures(example: Example, library: str = "") -> str:
    """What a session, with another library where it is given, prints otherwise than it says."""
    said: list[str] = []
    name = example.paths[0]
    text = example.text.replace("phalanx.ml", library) if library == "sklearn" else example.text
    test = doctest.DocTestParser().get_doctest(text, scope(library), name, name, 0)
    doctest.DocTestRunner(optionflags=FLAGS).run(test, out=said.append)
    return "".join(said)


def _printed(source: str, names: dict[str, Any]) -> str:
    out = io.StringIO()
    # Kernels are compiled from their source at a later statement; Python finds it here.
    file = f"<example[{len(linecache.cache)}]>"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    try:
        # As at the prompt: what a statement gives is printed.
        with contextlib.redirect_stdout(out):
            exec(compile(source, file, "single"), names)
    except Exception as error:  # a session may show an error
        head = "Traceback (most recent call last):\n    ...\n"
        return f"{head}{type(error).__name__}: {error}"
    lines = ADDRESS.sub(" at 0x...", out.getvalue()).rstrip("\n").split("\n")
    return "\n".join(each.rstrip() or "<BLANKLINE>" for each in lines) if out.getvalue() else ""


def _session(source: str) -> str:
    first, *others = source.rstrip("\n").split("\n")
    return "\n".join([f">>> {first}", *(f"... {each}".rstrip() for each in others)])


def run_anew(example: Example) -> str:
    """The session with what it prints now."""
    names = scope()
    parser = doctest.DocTestParser()
    for each in parser.get_examples(example.setting):
        if "Traceback" in (said := _printed(each.source, names)):
            raise ValueError(f"{example.paths[0]}: {each.source}{said}")
    lines = []
    for each in parser.get_examples(example.session):
        lines += [_session(each.source), _printed(each.source, names)]
    return "\n".join(each for each in lines if each)


def update(file: Path) -> None:
    """Writes a file with what its sessions print now."""
    text = file.read_text()
    for example in read(text):
        if example.oracle == "gpu":
            continue
        head = f"-- {' '.join(example.names)}\n"
        # Some write files.
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            new = f"{head}{run_anew(example)}\n"
        old = f"{head}{example.session}\n"
        mark = f" ({example.oracle})" if example.oracle else ""
        place = text.index(old, text.index(f"== {example.owner}{mark}\n"))
        text = text[:place] + new + text[place + len(old) :]
    file.write_text(text)


if __name__ == "__main__":
    for given in [Path(each).resolve() for each in sys.argv[1:]] or files():
        update(given)
