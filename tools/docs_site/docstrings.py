"""Docstrings as Markdown of the reference.

Docstrings are plain text: paragraphs, lists, names in single backticks, code that is indented or
begins with `>>>`. Markdown is nearly that; what is left are names that become links.
"""

import ast
import re
from collections.abc import Callable, Iterator

Resolve = Callable[[str], str | None]

CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
LITERAL = re.compile(r"``([^`\n]+(?:`[^`\n]+)*)``")
# Sections, and what each line of one begins with: a name and a colon, but in what is returned.
SECTION = re.compile(r"^(Args|Attributes|Raises|Returns|Yields):$")
ENTRY = re.compile(r"^(\*{0,2}[\w.]+(?:, \*{0,2}[\w.]+)*): (.*)$", re.DOTALL)
UNDERLINE = re.compile(r"^-{3,}$")


def has_code(text: str) -> bool:
    """Returns whether a docstring shows code: an indented block, or Python's prompt."""
    return bool(re.search(r"^>>> |\n\n {4}\S", text, re.MULTILINE))


def _paragraphs(text: str) -> Iterator[tuple[bool, list[str]]]:
    """The paragraphs of a docstring, each with whether it is code."""
    lines: list[str] = []
    for line in [*text.splitlines(), ""]:
        if line.strip():
            lines.append(line)
            continue
        if lines:
            yield (
                all(each.startswith("    ") for each in lines) or lines[0].startswith(">>>"),
                lines,
            )
        lines = []


def _joined(paragraphs: Iterator[tuple[bool, list[str]]]) -> Iterator[tuple[bool, list[str]]]:
    """Code with empty lines in between is one block."""
    held: list[str] = []
    for is_code, lines in paragraphs:
        if is_code:
            held = [*held, "", *lines] if held else lines
            continue
        if held:
            yield True, held
            held = []
        yield False, lines
    if held:
        yield True, held


def _code(lines: list[str]) -> str:
    least = min(len(each) - len(each.lstrip()) for each in lines if each.strip())
    text = "\n".join(each[least:] for each in lines)
    return f"```{'pycon' if text.startswith('>>>') else language(text)}\n{text}\n```"


def language(text: str) -> str:
    """Python where it can be read as such, else text."""
    try:
        ast.parse(text)
    except SyntaxError:
        return "text"
    return "python"


def _entries(lines: list[str]) -> Iterator[str]:
    """The entries of a section, each with the lines that are indented further."""
    least = min(len(each) - len(each.lstrip()) for each in lines)
    held: list[str] = []
    for line in lines:
        if held and len(line) - len(line.lstrip()) == least:
            yield " ".join(held)
            held = []
        held.append(line.strip())
    yield " ".join(held)


def _section(title: str, lines: list[str], resolve: Resolve) -> str:
    """A section as a list of what it names; what is returned is one text."""
    if title in ("Returns", "Yields"):
        return f"**{title}:** {_prose([each.strip() for each in lines], resolve)}"
    entries = [ENTRY.sub(r"`\1`: \2", each) for each in _entries(lines)]
    return f"**{title}:**\n\n" + _prose([f"- {each}" for each in entries], resolve)


def _prose(lines: list[str], resolve: Resolve) -> str:
    found = SECTION.match(lines[0])
    if found and len(lines) > 1:
        return _section(found[1], lines[1:], resolve)
    if len(lines) > 1 and UNDERLINE.match(lines[1].strip()):
        # NumPy's sections: a headline, then names with what they are.
        head = f"**{lines[0].strip()}**"
        return f"{head}\n\n{_prose(lines[2:], resolve)}" if lines[2:] else head

    def one(match: re.Match[str]) -> str:
        word = match[1]
        path = resolve(word.rstrip("()"))
        return f"{{py:obj}}`{word} <{path}>`" if path else f"`{word}`"

    text = "\n".join(lines)
    text = LITERAL.sub(lambda match: f"`{match[1]}`" if "`" not in match[1] else match[0], text)
    text = CODE.sub(one, text)
    return re.sub(r"^ {1,3}(?=\S)", "", text, flags=re.M) if not _is_list(lines) else text


def _is_list(lines: list[str]) -> bool:
    return lines[0].lstrip().startswith(("- ", "* "))


def _escaped(text: str) -> str:
    """Stars and angles of signatures in prose are no emphasis and no HTML."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(
        each
        if i % 2
        else re.sub(r"(?<!\*)\*{1,2}(?=\w+[,) ])|<(?=\w)|^#(?=\s)", r"\\\g<0>", each, flags=re.M)
        for i, each in enumerate(parts)
    )


def markdown(text: str, resolve: Resolve) -> str:
    """The Markdown of a docstring; `resolve` gives the whole name of one that is public."""
    return "\n\n".join(
        _code(lines) if is_code else _escaped(_prose(lines, resolve))
        for is_code, lines in _joined(_paragraphs(text))
    )
