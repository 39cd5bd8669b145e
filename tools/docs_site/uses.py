"""Which pages have programs, that are run, with a public name in them."""

import ast
import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

# Classes whose objects functions make; others are made by their own name.
MAKERS = {
    "DataFrame": ("phalanx.DataFrame", "phalanx.read_csv", "phalanx.from_pandas"),
    "Series": ("phalanx.DataFrame", "phalanx.Series", "phalanx.read_csv"),
    "ndarray": ("phalanx.asarray", "phalanx.zeros", "phalanx.ones", "phalanx.arange"),
    "Dispatcher": ("phalanx.cuda.jit",),
    "Generator": ("phalanx.random.default_rng",),
}
BLOCK = re.compile(r"^```(?:python|\{code-cell\}[^\n]*)\n(.*?)^```", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Use:
    """A page of the site with a program."""

    page: str
    title: str


def programs(root: Path) -> dict[Use, str]:
    """The programs that tests and the site's build run, by their pages."""
    found = {}
    for file in [*sorted(root.glob("docs/guide/*.md")), *sorted(root.glob("docs/tutorials/*.md"))]:
        text = file.read_text()
        heading = re.search(r"^# (.*)$", text, re.MULTILINE)
        code = "\n".join(
            re.sub(r"^:.*$|^%.*$", "", block, flags=re.MULTILINE) for block in BLOCK.findall(text)
        )
        page = file.relative_to(root / "docs")
        found[Use(page.as_posix(), heading[1] if heading else page.stem)] = code
    for file in sorted(root.glob("examples/gallery/[!_]*.py")):
        code = file.read_text()
        title = (ast.get_docstring(ast.parse(code)) or file.stem).partition("\n")[0].rstrip(".")
        found[Use(f"gallery/{file.stem}.md", title)] = code
    return found


def mentioned(code: str) -> tuple[set[str], set[str]]:
    """Whole names that a program reaches through its imports, and all attributes it asks for."""
    tree = ast.parse(code)
    bound: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            bound.update({each.asname or each.name: each.name for each in node.names})
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            bound.update(
                {each.asname or each.name: f"{node.module}.{each.name}" for each in node.names}
            )
    paths = {each for each in bound.values() if each.startswith("phalanx")}
    attributes = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            head, _, rest = ast.unparse(node).partition(".")
            if head in bound and re.fullmatch(r"[\w.]+", rest):  # of a module, not of a result
                paths.add(f"{bound[head]}.{rest}")
            else:
                attributes.add(node.attr)
    return paths, attributes


def find(root: Path, public: set[str]) -> dict[str, list[Use]]:
    """The pages of each public name; of a member of a class those that ask anything for it."""
    found: dict[str, list[Use]] = defaultdict(list)
    members = defaultdict(list)
    for path in public:
        owner, _, name = path.rpartition(".")
        if owner in public:
            members[name].append(path)
    for use, code in programs(root).items():
        paths, attributes = mentioned(code)
        for path in sorted(paths & public):
            found[path].append(use)
        held = {each.rpartition(".")[2] for each in paths} | {
            owner for owner, makers in MAKERS.items() if any(each in paths for each in makers)
        }
        for attribute in sorted(attributes):
            for path in members.get(attribute, ()):
                if path.split(".")[-2] in held:
                    found[path].append(use)
    return found
