"""Fail when a file or a function is too long; list the files that are on their way there.

python tools/check_sizes.py
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

FILE_SOFT, FILE_HARD, FUNCTION_HARD = 300, 600, 60
CPP, PYTHON = {".h", ".cpp", ".def"}, {".py"}
CHECKED = CPP | PYTHON | {".cmake", ".sh"}

# What hides braces: comments, raw strings, strings, characters, preprocessor lines. A digit
# before the quote is a digit separator (1'000), no character.
HIDDEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])*'|^[ \t]*#(?:\\\n|[^\n])*",
    re.DOTALL | re.MULTILINE,
)
SCOPE = re.compile(
    r"\b(?:namespace|class|struct|union|enum)\b(?:[^()=]|alignas\([^()]*\))*$|\bextern\s*$"
)


class Function(NamedTuple):
    """A function's name, first line and number of lines."""

    name: str
    line: int
    length: int


def without_hidden(text: str) -> str:
    """Blank out everything in which a brace means nothing, keeping the lines."""
    return HIDDEN.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def closing(text: str, start: int) -> int:
    """Return the position after the brace that closes the one at `start`."""
    depth = 0
    for found in re.compile(r"[{}]").finditer(text, start):
        depth += 1 if found[0] == "{" else -1
        if depth == 0:
            return found.end()
    return len(text)


def name_in(head: str) -> str:
    """Return the name of the function that `head` begins."""
    found = re.search(r"([\w:~]+|operator\W+)\s*\(", head)
    return found[1] if found else "?"


def cpp_functions(text: str) -> Iterator[Function]:
    """Yield the functions of a C++ file: braces after a parameter list, outside other functions."""
    text = without_hidden(text)
    position = start = 0  # `start` is where the current declaration begins
    while found := re.compile(r"[{};]").search(text, position):
        position = found.end()
        head = text[start : found.start()]
        if found[0] != "{" or SCOPE.search(head):
            start = position
            continue
        position = closing(text, found.start())
        if re.match(r"\s*[,{();.]", text[position:]):
            continue  # a braced initialiser in the middle of the declaration
        if "(" in head:
            begin = start + len(head) - len(head.lstrip())
            first = text.count("\n", 0, begin) + 1
            last = text.count("\n", 0, position) + 1
            yield Function(name_in(head), first, last - first + 1)
        start = position


def python_functions(text: str) -> Iterator[Function]:
    """Yield the functions of a Python file; the docstring does not count."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            if ast.get_docstring(node, clean=False) is not None:
                doc = node.body[0]
                length -= (doc.end_lineno or doc.lineno) - doc.lineno + 1
            yield Function(node.name, node.lineno, length)


def functions(file: Path, text: str) -> Iterator[Function]:
    """Yield the functions of a file of any language that is checked for them."""
    if file.suffix in PYTHON:
        yield from python_functions(text)
    elif file.suffix in CPP - {".def"}:
        yield from cpp_functions(text)


def tracked_files() -> list[Path]:
    """Return the sources that are in the repository or about to be."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\0")
    files = (Path(name) for name in sorted(set(names)) if name)
    return [file for file in files if file.suffix in CHECKED and file.exists()]


def main() -> int:
    """Print the warning table and the failures."""
    long_files, failures = [], []
    files = tracked_files()
    for file in files:
        text = file.read_text()
        lines = text.count("\n")
        if lines > FILE_HARD:
            failures.append(f"{file}: {lines} lines, the limit is {FILE_HARD}")
        elif lines > FILE_SOFT:
            long_files.append((lines, file))
        failures += [
            f"{file}:{function.line}: {function.name} has {function.length} lines, "
            f"the limit is {FUNCTION_HARD}"
            for function in functions(file, text)
            if function.length > FUNCTION_HARD
        ]
    if long_files:
        print(f"== sizes: {len(long_files)} files over the soft limit of {FILE_SOFT} lines")
        for lines, file in sorted(long_files, reverse=True):
            print(f"  {lines:5}  {file}")
    print(
        "\n".join(failures) if failures else f"== sizes: {len(files)} files, none over the limits"
    )
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
