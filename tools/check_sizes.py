"""Fail when a file, function, parameter list or class is too long.

    python tools/check_sizes.py             # --shrink first takes off the list what is mended

Universal Ctags finds functions and classes of C++, Python's own `ast` those of Python. What was
over a limit when the limit came is in known_sizes.txt, which may only shrink: a name that is not
in it fails, and so does one that has grown, or that is listed without need. Functions whose
parameters others have fixed are in fixed_signatures.txt, with the reason.
"""

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

FILE_SOFT = 300
LIMITS = {"file": 600, "function": 60, "parameters": 6, "members": 60}
UNITS = {"file": "lines", "function": "lines", "parameters": "parameters", "members": "members"}
CPP, PYTHON = {".h", ".cpp"}, {".py"}
CHECKED = CPP | PYTHON | {".def", ".cmake", ".sh"}
KNOWN = Path("tools/known_sizes.txt")
FIXED = Path("tools/fixed_signatures.txt")
MODELS = re.compile(r"python/phalanx/_models/.*: __init__")

Key = tuple[str, str]  # what is measured, and "path: name"


class Size(NamedTuple):
    """One measured thing: the limit it falls under, where it is, its name and its size."""

    kind: str
    file: Path
    line: int
    name: str
    size: int

    @property
    def key(self) -> Key:
        """What names it in the list of known ones; lines move, names stay."""
        return self.kind, f"{self.file}: {self.name}" if self.name else str(self.file)


def cpp_tags(files: list[Path]) -> dict[Path, list[dict[str, Any]]]:
    """Return what Universal Ctags says of the files, by file."""
    command = ["ctags", "--options=NONE", "--language-force=C++", "--c++-kinds=+p", "-L", "-"]
    command += ["--fields=+neSsZ", "--output-format=json", "-f", "-"]
    try:
        names = "\n".join(map(str, files))
        out = subprocess.run(command, check=True, capture_output=True, text=True, input=names)
    except FileNotFoundError:
        sys.exit("sizes: no ctags here; `make setup-lint` installs universal-ctags")
    tags: dict[Path, list[dict[str, Any]]] = {file: [] for file in files}
    for line in out.stdout.splitlines():
        tag = json.loads(line)
        tags[Path(tag["path"])].append(tag)
    return tags


def parameter_count(signature: str) -> int:
    """Return the number of parameters in a C++ parameter list."""
    depth, count = 0, 0
    for sign in signature.replace("->", "").strip()[1:-1]:
        depth += (sign in "(<[{") - (sign in ")>]}")
        count += sign == "," and depth == 0
    return count + (signature.strip("() ") not in ("", "void"))


def cpp_sizes(file: Path, tags: list[dict[str, Any]]) -> Iterator[Size]:
    """Yield the functions and classes of a C++ file. Lambdas count in the function around them."""
    inside: dict[str, list[int]] = {}  # lines of what each scope holds
    for tag in tags:
        inside.setdefault(tag.get("scope", ""), []).append(tag["line"])
    for tag in tags:
        name, line = tag["name"], tag["line"]
        if tag["kind"] in ("class", "struct") and "end" in tag:
            whole = f"{tag['scope']}::{name}" if "scope" in tag else name
            members = sum(line <= member <= tag["end"] for member in inside.get(whole, ()))
            yield Size("members", file, line, name, members)
        elif tag["kind"] in ("function", "prototype") and not name.startswith("__anon"):
            yield Size("parameters", file, line, name, parameter_count(tag.get("signature", "")))
            if tag["kind"] == "function" and "end" in tag:
                yield Size("function", file, line, name, tag["end"] - line + 1)


def attributes(node: ast.ClassDef) -> set[str]:
    """Return the names that a class defines: in its body, and on `self` in its methods."""
    names = set()
    for item in ast.walk(node):
        match item:
            case ast.Attribute(value=ast.Name(id="self"), attr=attr, ctx=ast.Store()):
                names.add(attr)
    for item in node.body:
        match item:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                names.add(name)
            case ast.AnnAssign(target=ast.Name(id=name)):
                names.add(name)
            case ast.Assign(targets=targets):
                names |= {each.id for each in targets if isinstance(each, ast.Name)}
    return names


def python_length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return the lines of a function; the docstring does not count."""
    length = (node.end_lineno or node.lineno) - node.lineno + 1
    if ast.get_docstring(node, clean=False) is not None:
        doc = node.body[0]
        length -= (doc.end_lineno or doc.lineno) - doc.lineno + 1
    return length


def python_sizes(file: Path, text: str) -> Iterator[Size]:
    """Yield the functions and classes of a Python file; `self` is no parameter."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ClassDef):
            yield Size("members", file, node.lineno, node.name, len(attributes(node)))
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield Size("function", file, node.lineno, node.name, python_length(node))
            given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            count = len([each for each in given if each.arg not in ("self", "cls")])
            yield Size("parameters", file, node.lineno, node.name, count)


def tracked_files() -> list[Path]:
    """Return the sources that are in the repository or about to be."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\0")
    files = (Path(name) for name in sorted(set(names)) if name)
    return [file for file in files if file.suffix in CHECKED and file.exists()]


def sizes() -> Iterator[Size]:
    """Yield every size in the tree."""
    files = tracked_files()
    tags = cpp_tags([file for file in files if file.suffix in CPP])
    for file in files:
        text = file.read_text()
        yield Size("file", file, 1, "", text.count("\n"))
        if file.suffix in PYTHON:
            yield from python_sizes(file, text)
        elif file in tags:
            yield from cpp_sizes(file, tags[file])


def fixed_signatures() -> set[Key]:
    """Return the functions whose parameters others have fixed: the indented rows of the list."""
    lines = FIXED.read_text().splitlines()
    return {("parameters", line.strip()) for line in lines if line[:2] == "  "}


def over_limit(found: list[Size]) -> dict[Key, Size]:
    """Return what is over its limit by key, the largest of those with one name in one file."""
    over: dict[Key, Size] = {}
    for each in sorted(found, key=lambda each: each.size):
        if each.size > LIMITS[each.kind]:
            over[each.key] = each
    return dict(sorted(over.items()))


def worst_of(found: list[Size]) -> dict[Key, Size]:
    """Return what is over its limit and ours to mend."""
    fixed = fixed_signatures()
    over = over_limit(found).items()
    return {key: each for key, each in over if key not in fixed and not is_of_a_model(key)}


def is_of_a_model(key: Key) -> bool:
    """True if it is about the constructor of a model, whose parameters are scikit-learn's."""
    return key[0] == "parameters" and bool(MODELS.fullmatch(key[1]))


def known_sizes() -> dict[Key, int]:
    """Return the list: rows of `kind size path: name`."""
    rows = (line.split(maxsplit=2) for line in KNOWN.read_text().splitlines() if line[:1] != "#")
    return {(kind, name): int(size) for kind, size, name in rows}


def write_known(known: dict[Key, int]) -> None:
    """Write the list back, with the comment that it begins with."""
    lines = [line for line in KNOWN.read_text().splitlines() if line[:1] == "#"]
    lines += [f"{kind} {size} {name}" for (kind, name), size in sorted(known.items())]
    KNOWN.write_text("\n".join(lines) + "\n")


def problems(over: dict[Key, Size], known: dict[Key, int]) -> Iterator[str]:
    """Yield what is over a limit and not listed so, and what is listed without need."""
    for key, each in over.items():
        limit = max(LIMITS[each.kind], known.get(key, 0))
        if each.size > limit:
            what = f"{each.name} has " if each.name else ""
            size = f"{what}{each.size} {UNITS[each.kind]}, the limit is {limit}"
            yield f"{each.file}:{each.line}: {size}"
    for kind, name in known:
        if (kind, name) not in over:
            yield f"{KNOWN}: {name} is within the limit of {kind}: run {sys.argv[0]} --shrink"


def needless(found: list[Size]) -> Iterator[str]:
    """Yield the rows of fixed signatures that name nothing over its limit."""
    for key in sorted(fixed_signatures() - over_limit(found).keys()):
        yield f"{FIXED}: {key[1]} has no more than {LIMITS['parameters']} parameters"


def main() -> int:
    """Print the warning table and the failures."""
    found = list(sizes())
    over, known = worst_of(found), known_sizes()
    if "--shrink" in sys.argv[1:]:
        known = {key: min(size, over[key].size) for key, size in known.items() if key in over}
        write_known(known)
    files = [each for each in found if each.kind == "file"]
    long_files = sorted((each for each in files if each.size > FILE_SOFT), key=lambda e: -e.size)
    if long_files:
        print(f"== sizes: {len(long_files)} files over the soft limit of {FILE_SOFT} lines")
        for each in long_files:
            print(f"  {each.size:5}  {each.file}")
    if failures := [*problems(over, known), *needless(found)]:
        print("\n".join(failures))
    else:
        print(f"== sizes: {len(files)} files, none over the limits but {len(known)} known ones")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
