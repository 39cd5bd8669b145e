"""Where a file of the repository is on the site, and its links rewritten for there.

Pages link to one another, to measurements, and to sources by paths in the repository, which work
on a code host. The site has every file that is linked: pages of `docs/` at its root, other Markdown
and the sources themselves below `source/`. So it needs no address of a repository and is whole
without a network.
"""

import posixpath
import re
from collections.abc import Callable
from pathlib import Path, PurePosixPath

# Code blocks, links, and code between backticks: whichever begins first.
TOKEN = re.compile(
    r"(?:^|(?<=\n))(?P<fence>```+|~~~+).*?\n(?P=fence)"
    r"|(?P<before>\[[^\]\n]*\]\()(?P<target>[^)\s]+)(?P<after>[^)]*\))"
    r"|`[^`\n]*`",
    re.DOTALL,
)
# Pages and folders that the site has pages of its own for.
REPLACED = {
    "docs/README.md": "index.md",
    "docs/guide": "guides.md",
    "bench/results": "measurements/index.md",
}
LANGUAGES = {
    ".py": "python", ".cpp": "cpp", ".h": "cpp", ".def": "cpp", ".cu": "cuda", ".sh": "bash",
    ".toml": "toml", ".cmake": "cmake",
}  # fmt: skip


def site_page(path: str) -> str:
    """The site's page of a file or folder of the repository, by its path there."""
    if path in REPLACED:
        return REPLACED[path]
    if path.startswith("docs/site/"):
        return path.removeprefix("docs/site/")
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    if path.startswith("bench/results/") and path.endswith(".md"):
        return "measurements/" + PurePosixPath(path).name
    return f"source/{path}" if path.endswith(".md") else f"source/{path}.md"


def page_of(target: str, page: str, root: Path) -> str | None:
    """The file, or the folder, that a link of a page leads to; None for one that is no path."""
    if re.match(r"[a-z]+:", target) or target.startswith("#"):
        return None
    goal = posixpath.normpath(posixpath.join(posixpath.dirname(page), target.partition("#")[0]))
    if goal.startswith("..") or not (root / goal).exists():
        return None
    if (root / goal).is_dir() and (root / goal / "README.md").exists():
        return f"{goal}/README.md"
    return goal


def rewritten(text: str, page: str, root: Path, found: Callable[[str], None]) -> str:
    """The text of a page with its links as the site has them; `found` is told each file linked."""

    def one(match: re.Match[str]) -> str:
        goal = page_of(match["target"], page, root) if match["target"] else None
        if goal is None:
            return match[0]
        found(goal)
        there = posixpath.relpath(site_page(goal), posixpath.dirname(site_page(page)) or ".")
        _, mark, anchor = match["target"].partition("#")
        return f"{match['before']}{there}{mark}{anchor}{match['after']}"

    return TOKEN.sub(one, text)


def source_page(path: str, root: Path) -> str:
    """A page that shows a source, or what a folder holds."""
    file = root / path
    title = f"# `{path}`\n\n"
    if file.is_dir():
        names = sorted(
            entry.name + "/" * entry.is_dir()
            for entry in file.iterdir()
            if not entry.name.startswith((".", "__pycache__"))
        )
        return title + "This folder has\n\n" + "\n".join(f"- `{name}`" for name in names) + "\n"
    language = LANGUAGES.get(file.suffix, "text")
    return f"{title}```````{language}\n{file.read_text()}\n```````\n"
