"""The pages of the reference: public names with signature, docstring and where they are used."""

import importlib
import inspect
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import docstrings
import public_names
import samples
import subjects
import uses
from public_names import Name
from site_stage import Stage

DIRECTIVES = {
    "class": "class",
    "function": "function",
    "method": "method",
    "property": "property",
    "value": "data",
}
# A class with more members than these has a page of its own.
MEMBERS_IN_LINE = 12


class Names:
    """What is public, and where a name that a docstring mentions leads."""

    def __init__(self) -> None:
        self.modules = {each: list(public_names.of_module(each)) for each in public_names.MODULES}
        self.home: dict[int, Name] = {}
        self.members: dict[str, list[Name]] = {}
        for name in (each for names in self.modules.values() for each in names):
            if name.kind in ("class", "function"):
                self.home.setdefault(id(name.value), name)
            if name.kind == "class" and self.is_home(name) and public_names.is_ours(name.value):
                self.members[name.path] = list(public_names.of_class(name))
        self.paths = {each.path for names in self.modules.values() for each in names}
        self.paths |= {each.path for names in self.members.values() for each in names}

    def is_home(self, name: Name) -> bool:
        """Returns whether an object is described under this name, and not under another one."""
        home = self.home.get(id(name.value))
        return home is None or home.path == name.path

    def resolve(self, owner: str) -> docstrings.Resolve:
        """Finds what a docstring of something in `owner` mentions."""
        around = owner.rpartition(".")[0]

        def find(word: str) -> str | None:
            if not re.fullmatch(r"[A-Za-z_][\w.]*", word):
                return None
            tried = [word, f"{owner}.{word}", f"{around}.{word}", f"phalanx.{word}"]
            return next((each for each in tried if each in self.paths), None)

        return find


class Writer:
    """Writes the entries of the reference."""

    def __init__(self, names: Names, used: dict[str, list[uses.Use]]) -> None:
        self.names = names
        self.used = used
        self.examples: dict[str, str] = {}

    def entry(self, name: Name, fence: str = "::::") -> str:
        """The entry of a name, with those of its members."""
        parts = [self.text(name), self.example(name), self.where_used(name)]
        if self.names.is_home(name):
            parts += [self.entry(each, ":::") for each in self.names.members.get(name.path, ())]
        text = "\n\n".join(each for each in parts if each)
        signed = name.name + public_names.signature(name).replace("\n", " ")
        return f"{fence}{{py:{DIRECTIVES[name.kind]}}} {signed}\n\n{text}\n{fence}"

    def text(self, name: Name) -> str:
        """What is said of a name."""
        if name.kind == "value":
            return f"`{type(name.value).__name__}`: `{shown(name.value)}`"
        if not self.names.is_home(name):
            path = self.names.home[id(name.value)].path
            return f"The same as {{py:obj}}`{path}`."
        if not public_names.is_ours(name.value) and name.kind in ("class", "function"):
            package = str(getattr(name.value, "__module__", "")).partition(".")[0]
            known = {"sklearn": "scikit-learn", "numpy": "NumPy", "": "NumPy", "scipy": "SciPy"}
            return f"{known.get(package, package)}'s own, as it is there: see its documentation."
        text = docstrings.markdown(name.docstring, self.names.resolve(name.owner))
        above = public_names.bases(name) if name.kind == "class" else []
        links = ", ".join(f"{{py:obj}}`{self.names.home[id(each)].path}`" for each in above)
        return f"{text}\n\nIt has the members of {links}, too." if links else text

    def example(self, name: Name) -> str:
        """What a name gives for small arguments, where its docstring shows nothing."""
        is_shown = docstrings.has_code(name.docstring)
        if name.kind == "value" or is_shown or not self.names.is_home(name):
            return ""
        text = samples.example(name)
        if text:
            self.examples[name.path] = text
        return f"```pycon\n{text}\n```" if text else ""

    def where_used(self, name: Name) -> str:
        """Links to the pages with programs that use it."""
        found = self.used.get(name.path, ())
        links = ", ".join(f"[{each.title}](/{each.page})" for each in found[:3])
        return f"*Programs:* {links}" if links else ""


def shown(value: object) -> str:
    """A value in a few characters."""
    text = repr(value).replace("`", "'").replace("\n", " ")
    text = re.sub(r" at 0x[0-9a-f]+", "", text)
    return text if len(text) <= 60 else text[:57] + "..."


def first_sentence(text: str) -> str:
    """The first sentence of what is said of a name."""
    return re.split(r"(?<=[.])\s", text.partition("\n\n")[0].replace("\n", " "))[0]


def table(names: Iterable[Name], writer: Writer) -> str:
    """Names with their first sentences."""
    rows = []
    for each in names:
        sentence = first_sentence(writer.text(each)).replace("|", "\\|")
        rows.append(f"| {{py:obj}}`{each.name} <{each.path}>` | {sentence} |")
    return "\n".join(["| name | |", "|---|---|", *rows])


def toctree(pages: Iterable[str]) -> str:
    """The pages below a page."""
    listed = "\n".join(pages)
    return f"```{{toctree}}\n:hidden:\n\n{listed}\n```" if listed else ""


def write_class(stage: Stage, writer: Writer, name: Name) -> str:
    """Writes the page of a class with many members; returns its name."""
    members = writer.names.members[name.path]
    parts = [
        f"# `{name.path}`",
        f"```{{py:currentmodule}} {name.owner}\n```",
        f"{first_sentence(writer.text(name))}\n"
        f'<a href="#{name.path}">Parameters, an example and members</a> are below the table.',
        table(members, writer),
        writer.entry(name),
    ]
    stage.write(f"reference/{name.path}.md", "\n\n".join(parts))
    return name.path


def write_names(
    stage: Stage, writer: Writer, page: str, head: str, names: list[Name]
) -> Iterator[str]:
    """Writes a page of names, and pages of the large classes among them; yields the latter."""
    large = [
        each
        for each in names
        if len(writer.names.members.get(each.path, ())) > MEMBERS_IN_LINE
        and writer.names.is_home(each)
    ]
    below = [write_class(stage, writer, each) for each in large]
    parts = [head, table(names, writer)]
    parts += [writer.entry(each) for each in names if each not in large]
    stage.write(f"reference/{page}.md", "\n\n".join([*parts, toctree(below)]))
    yield from below


def docstring_of(module: str) -> str:
    """What a module says of itself."""
    return inspect.getdoc(importlib.import_module(module)) or ""


def write_module(stage: Stage, writer: Writer, module: str, subject: str) -> None:
    """Writes the pages of a module: one, or one for each of its subjects."""
    names = writer.names.modules[module]
    said = docstrings.markdown(docstring_of(module), writer.names.resolve(module))
    title = f"# `{module}`: {subject}\n\n```{{py:module}} {module}\n:no-index-entry:\n```\n\n{said}"
    parts = subjects.of(module, names)
    if len(parts) == 1:
        list(write_names(stage, writer, module, title, names))
        return
    pages, listed = [], []
    for each, those in parts.items():
        page = f"{module}-{re.sub(r'[^a-z]+', '-', each.lower())}"
        head = f"# `{module}`: {each}\n\n```{{py:currentmodule}} {module}\n```"
        list(write_names(stage, writer, page, head, those))
        pages.append(page)
        some = ", ".join(f"{{py:obj}}`{name.name} <{name.path}>`" for name in those[:12])
        more = f" and {len(those) - 12} more" if len(those) > 12 else ""
        listed.append(f"| [{each}]({page}.md) | {some}{more} |")
    text = "\n".join(["| page | names |", "|---|---|", *listed])
    stage.write(f"reference/{module}.md", f"{title}\n\n{text}\n\n{toctree(pages)}\n")


def write(stage: Stage, root: Path) -> None:
    """Writes the reference."""
    names = Names()
    writer = Writer(names, uses.find(root, names.paths))
    rows = []
    for module, subject in public_names.MODULES.items():
        write_module(stage, writer, module, subject)
        rows.append(f"| [`{module}`]({module}.md) | {subject} | {len(names.modules[module])} |")
    text = (
        "# Reference\n\nEvery public name, as the built package has it: parameters, docstring, "
        "and pages whose programs use it.\n\n| module | what it has | names |\n|---|---|---:|\n"
        + "\n".join(rows)
        + "\n\nNames of other packages that run under `phalanx run` are in "
        "[names of other packages](other-names.md).\n\n"
        + toctree([*public_names.MODULES, "other-names"])
    )
    stage.write("reference/index.md", text)
    # For tools/doc_coverage.py, which counts names without an example.
    (root / "build/site-examples.json").write_text(json.dumps(writer.examples, indent=1))
