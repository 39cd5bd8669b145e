"""Cuts what a kernel needs out of CUDA C source that holds host code too.

A scanner knows comments, texts, directives and balanced brackets, no types. It splits a file, and
the files of its repository that it includes, into items: functions, structs, variables, directives.
Kept are

* all directives, but for includes: what a file of the repository holds is put in place, headers
  that the front end has stay, others go;
* the items that the kernel's name leads to, by the words that items have in common, if device code
  may use them: functions and variables that are marked (``__device__``, ``constexpr``, a macro that
  holds such a mark), constants, types, templates of these;
* of classes that are kept, all members but functions of the host.

What is kept is not changed. Nothing here knows of a particular file.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from cuda_c_items import (
    CONDITION,
    WORD,
    Item,
    is_function,
    items_of,
    starts_type,
    tokens_of,
)

_INCLUDE = re.compile(r'\s*#\s*include\s*(["<])([^">]+)[">]')
_DEFINE = re.compile(r"\s*#\s*define\s+(\w+)((?:\([^)]*\))?)(.*)", re.DOTALL)
_MARKS = {"__device__", "__global__", "__constant__", "__shared__", "__managed__", "constexpr"}


class Files:
    """The items of a file and of what it includes, in order."""

    def __init__(self, folders: Iterable[Path], known: frozenset[str], root: Path) -> None:
        self.folders = list(folders)
        self.known = known  # headers that the front end has
        self.root = root
        self.seen: set[Path] = set()

    def read(self, path: Path) -> Iterator[Item]:
        """The items of `path`; a file is read once."""
        self.seen.add(path.resolve())
        yield from self.items(path.read_text("utf-8-sig", errors="replace"), path.parent)

    def items(self, source: str, folder: Path) -> Iterator[Item]:
        """The items of source that lies in `folder`."""
        for item in items_of(tokens_of(source)):
            found = _INCLUDE.match(item.text) if item.is_directive else None
            if not found:
                yield item
                continue
            path = self._find(found[2], folder)
            if path is not None:
                if path.resolve() not in self.seen:
                    yield from self.read(path)
            elif found[2] in self.known:
                yield item

    def _find(self, name: str, folder: Path) -> Path | None:
        if name in self.known:
            return None
        for each in (folder, *self.folders):
            path = each / name
            if path.is_file() and self.root.resolve() in path.resolve().parents:
                return path
        return None


def cut(items: list[Item], kernel: str) -> str:
    """The source of one kernel: what its name leads to."""
    macros = _macros(items)
    marks = _marking(macros)
    declared: dict[str, list[int]] = {}
    spaces = _namespaces(items)
    for i, item in enumerate(items):
        is_known = item.words[:1] != ["using"] or item.head[2].text != "::"
        is_known = is_known or item.words[1] in spaces
        if is_known and not item.is_directive and _is_for_devices(item, marks):
            for name in item.names:
                declared.setdefault(name, []).append(i)
    texts: dict[int, str] = {}
    waiting = [*WORD.findall(kernel), "operator"]
    known: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in known:
            continue
        known.add(name)
        waiting += WORD.findall(macros.get(name, ""))
        for i in declared.get(name, []):
            if i not in texts:
                texts[i] = _without_host(items[i], marks)
                waiting += WORD.findall(texts[i])
    return "".join(_written(items, texts))


def _written(items: list[Item], texts: dict[int, str]) -> Iterator[str]:
    for i, item in enumerate(items):
        if item.is_directive:
            yield f"{item.text}\n"
            continue
        namespace = _used_namespace(item)
        if namespace:
            opened = "".join(f"namespace {each} {{ " for each in namespace)
            closed = "}" * len(namespace)
            text = f"{opened}{closed} {item.text}"
        elif i in texts:
            text = texts[i]
        else:
            yield from _conditions(item)
            continue
        yield "".join(f"{each}{{ " for each in item.outside)
        yield f"{text}{'}' * len(item.outside)}\n"


def _conditions(item: Item) -> list[str]:
    """The directives of an item that ends a condition which began before it, or begins one."""
    found = [t.text for t in item.tokens if t.kind == "directive" and CONDITION.match(t.text)]
    depth = 0
    for text in found:
        matched = CONDITION.match(text)
        kind = matched[1] if matched else ""
        depth += {"if": 1, "endif": -1}.get(kind, 0)
        if depth < 0 or (depth == 0 and kind == "el"):
            return [f"{each}\n" for each in found]
    return [f"{each}\n" for each in found] if depth else []


def _used_namespace(item: Item) -> list[str]:
    """The words of ``using namespace``, and of another name for one that the front end has."""
    return item.words[2:] if item.words[:2] == ["using", "namespace"] else []


def _namespaces(items: list[Item]) -> set[str]:
    """Those that there are: the files' own and the front end's."""
    own = {word for item in items for outside in item.outside for word in WORD.findall(outside)}
    return own | {"std", "cuda", "thrust", "cooperative_groups"}


def _macros(items: list[Item]) -> dict[str, str]:
    found: dict[str, str] = {}
    for item in items:
        for token in item.tokens:
            define = _DEFINE.match(token.text) if token.kind == "directive" else None
            if define:
                found[define[1]] = f"{found.get(define[1], '')} {define[3]}"
    return found


def _marking(macros: dict[str, str]) -> set[str]:
    """The words that mark functions and variables of devices: macros that hold one too."""
    marks = set(_MARKS)
    while True:
        more = {name for name, text in macros.items() if marks & set(WORD.findall(text))} - marks
        if not more:
            return marks
        marks |= more


def _is_for_devices(item: Item, marks: set[str]) -> bool:
    words = item.words
    if marks & set(words) or starts_type(item.head):
        return True
    if is_function(item.head):
        return False
    if "namespace" in words[:1]:
        return True
    return "const" in words or "extern" in words


def _without_host(item: Item, marks: set[str]) -> str:
    """The text of an item; of a class the members that are functions of the host are left out."""
    is_class = {"struct", "class", "union"} & set(item.words) and starts_type(item.head)
    if not is_class or item.opens < 0:
        return item.text
    before = "".join(token.text for token in item.tokens[: item.opens + 1])
    after = "".join(token.text for token in item.tokens[item.closes :])
    members = []
    for member in items_of(item.tokens[item.opens + 1 : item.closes]):
        is_host = is_function(member.head) and not marks & set(member.words)
        if not is_host or (member.head[-2:-1] and member.head[-2].text in ("default", "delete")):
            members.append(_without_host(member, marks))
    inside = "\n".join(members)
    return f"{before}\n{inside}\n{after}"


def texts_of(path: Path, word: str = "__global__") -> str:
    """The constant texts of a Python program that hold CUDA C, one behind the other."""
    tree = ast.parse(path.read_text())
    found = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and word in node.value
    ]
    return "\n".join(found)
