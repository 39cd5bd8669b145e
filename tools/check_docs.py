"""Fail when the docs do not match the code.

Links in Markdown files lead somewhere, every operation has its doc line and its place in the pages
made from the table, every pass has its golden text, every public name of the Python package its
docstring.

    python tools/check_docs.py
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import op_table

LINK = re.compile(r"(?<!!)!?\[[^\]]*\]\(([^)\s]+)[^)]*\)")
FENCE = re.compile(r"^(```|~~~).*?^\1", re.DOTALL | re.MULTILINE)
INLINE_CODE = re.compile(r"`[^`\n]*`")
ROW = re.compile(r"^\s*(?:STRUCTURE_)?OP\(\s*(\w+)\s*,(.*)\)\s*$", re.MULTILINE)
DOC = re.compile(r'"((?:\\.|[^"\\])*)"\s*$')
PASS = re.compile(r"^PASS(?:_WITH_CHECKS)?\( *(\w+),", re.MULTILINE)
OP_TABLES = ("phalanx/ir/ops.def", "phalanx/ir/structure_ops.def")


def tracked(*patterns: str) -> list[Path]:
    """Return the files in the repository, or about to be, that match the patterns."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--"]
    result = subprocess.run([*command, *patterns], check=True, capture_output=True, text=True)
    files = (Path(name) for name in sorted(set(result.stdout.split("\0"))) if name)
    return [file for file in files if file.exists()]


def anchors(text: str) -> set[str]:
    """Return the anchors that the headings of a Markdown text get."""
    headings = re.findall(r"^#+ +(.*?)\s*$", FENCE.sub("", text), re.MULTILINE)
    plain = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings)
    return {heading.replace(" ", "-") for heading in plain}


def link_problems() -> Iterator[str]:
    """Yield the links in Markdown files that lead nowhere."""
    for file in tracked("*.md"):
        text = INLINE_CODE.sub("", FENCE.sub("", file.read_text()))
        for target in LINK.findall(text):
            if re.match(r"[a-z]+:", target):
                continue
            path, _, anchor = target.partition("#")
            goal = (file.parent / path).resolve() if path else file.resolve()
            if not goal.exists():
                yield f"{file}: {target} does not exist"
            elif anchor and goal.suffix == ".md" and anchor not in anchors(goal.read_text()):
                yield f"{file}: {target}: there is no such heading"


def op_problems() -> Iterator[str]:
    """Yield the operations whose row does not end in a doc line, or that a page lacks."""
    for table in map(Path, OP_TABLES):
        if not table.exists():
            continue
        for name, rest in ROW.findall(table.read_text()):
            doc = DOC.search(rest)
            if doc is None or not doc[1].strip():
                yield f"{table}: {name} has no doc line"
    yield from op_table.problems()


def pass_problems(
    table: Path = Path("phalanx/passes/passes.def"), texts: Path = Path("tests/golden/passes")
) -> Iterator[str]:
    """Yield the passes without a golden text that has their name and runs them."""
    for name in dict.fromkeys(PASS.findall(table.read_text())):
        text = texts / f"{name}.txt"
        cases = text.read_text().split("\n====\n") if text.exists() else []
        # A case that does not say what it runs, runs the pass of the file's name.
        said = [re.search(r"^#!(.*)$", case, re.MULTILINE) for case in cases]
        if not cases:
            yield f"{table}: {name} has no {text}"
        elif not any(line is None or re.search(rf"\b{name}\b", line[1]) for line in said):
            yield f"{text}: no case runs {name}"


def bases_of(owner: ast.ClassDef) -> set[str]:
    """The names of a class's bases."""
    return {base.id for base in owner.bases if isinstance(base, ast.Name)}


def described_by_bases(trees: Iterable[ast.Module]) -> set[tuple[str, str]]:
    """Classes and methods of theirs that an abstract base of the package describes."""
    classes = [node for tree in trees for node in tree.body if isinstance(node, ast.ClassDef)]
    abstract = {
        each.name: {
            node.name
            for node in each.body
            if isinstance(node, ast.FunctionDef) and ast.get_docstring(node) is not None
        }
        for each in classes
        if "ABC" in bases_of(each)
    }
    return {
        (each.name, method)
        for each in classes
        for base in bases_of(each) & set(abstract)
        for method in abstract[base]
    }


def name_problems() -> Iterator[str]:
    """Yield the public modules, classes and functions of the package without a docstring.

    What overrides a method of an abstract base has its description.
    """
    documented = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    trees = {file: ast.parse(file.read_text()) for file in tracked("python/phalanx/*.py")}
    described = described_by_bases(trees.values())
    for file, tree in trees.items():
        if tree.body and ast.get_docstring(tree) is None:
            yield f"{file}: the module has no docstring"
        classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
        members = [(f"{owner.name}.", node) for owner in classes for node in owner.body]
        for prefix, node in [*(("", node) for node in tree.body), *members]:
            if not isinstance(node, documented) or f"{prefix}{node.name}".startswith("_"):
                continue
            if node.name.startswith("_") or is_overload(node):
                continue
            if (prefix[:-1], node.name) in described:
                continue
            if ast.get_docstring(node) is None:
                yield f"{file}:{node.lineno}: {prefix}{node.name} has no docstring"


def is_overload(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> bool:
    """Say whether `node` only repeats a documented name: an overload or a property's setter."""
    names = {ast.unparse(decorator).rpartition(".")[2] for decorator in node.decorator_list}
    return bool(names & {"overload", "setter", "deleter"})


def main() -> int:
    """Print what the docs lack."""
    found = [*link_problems(), *op_problems(), *pass_problems(), *name_problems()]
    complete = "== docs: links, operations, passes and public names are complete"
    print("\n".join(found) if found else complete)
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
