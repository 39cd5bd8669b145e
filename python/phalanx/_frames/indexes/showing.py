"""Indexes as text, as pandas prints them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .durations import text_of as duration_text
from .fields import text as date_text

WIDTH = 80
MOST_ITEMS = 100


def shown_label(label: Any) -> str:
    """A label as an index shows it."""
    if isinstance(label, str):
        text = label.replace("\t", r"\t").replace("\r", r"\r").replace("\n", r"\n")
        return f"'{text}'"
    if isinstance(label, tuple):
        inner = ", ".join(map(shown_label, label))
        return f"({inner},)" if len(label) == 1 else f"({inner})"
    if isinstance(label, (np.datetime64, np.timedelta64)) and label == label:
        return date_text(label) if isinstance(label, np.datetime64) else duration_text(label)
    return str(label)


def shown_name(name: Any) -> str:
    """A name as the line of attributes has it."""
    if isinstance(name, list):
        return "[" + ", ".join(map(shown_name, name)) + "]"
    return shown_label(name)


def shown(name: str, data: str, attributes: Sequence[tuple[str, Any]]) -> str:
    """An index of a class's name, its labels as text, and what follows them, on as many lines as
    the width asks for.
    """
    indent = len(name) + 1
    length = len(data.rsplit("\n", 1)[-1]) if "\n" in data else indent + len(data)
    text = ""
    for i, (key, value) in enumerate(attributes):
        word = f"{key}={value}"
        separator = ", " if i else ""
        comma = 1 if i < len(attributes) - 1 else 0
        if length + len(separator) + len(word) + comma > WIDTH:
            separator = separator.rstrip() + "\n" + " " * indent
            length = indent - len(separator)
            data = data if i else data.rstrip()
        text += separator + word
        length += len(separator) + len(word)
    return f"{name}({data}{text})"


def head_and_tail(count: int, texts: Callable[[slice], list[Any]]) -> tuple[list[Any], list[Any]]:
    """Texts of the first and last labels where there are too many, else none and all."""
    if count <= MOST_ITEMS:
        return [], texts(slice(0, count))
    few = min(MOST_ITEMS // 2, 10)
    return texts(slice(0, few)), texts(slice(count - few, count))


class Lines:
    """Lines of words, each as long as the width allows."""

    def __init__(self, prefix: str, width: int) -> None:
        self.text = ""
        self.line = prefix
        self.prefix = prefix
        self.width = width

    def add(self, word: str, width: int) -> None:
        """Put a word on the line, or on the next where the line is full."""
        if len(self.line.rstrip()) + len(word.rstrip()) >= width:
            self.text += self.line.rstrip()
            self.line = self.prefix
        self.line += word

    def end(self) -> None:
        """End the line."""
        self.text += self.line.rstrip()
        self.line = self.prefix


def listed(name: str, head: list[str], tail: list[str], *, justify: bool) -> str:
    """Labels between brackets, as the lines after the class's name have them."""
    if not tail:
        return "[], "
    indent = " " * (len(name) + 2)
    if len(tail) == 1 and not head:
        return f"[{tail[0]}], "
    long = any(len(", ".join(part)) >= WIDTH for part in (head, tail))
    if justify and (head or long):
        head, tail = _justified(head, tail)
    lines = Lines("\n" + indent, WIDTH)
    for each in head:
        lines.add(each + ", ", WIDTH)
    if head:
        lines.end()
        lines.text += f"\n{indent}..."
    for each in tail[:-1]:
        lines.add(each + ", ", WIDTH)
    lines.add(tail[-1], WIDTH - 2)
    text = lines.text + lines.line + "],"
    text += "\n" + " " * (len(name) + 1) if len(text) > WIDTH else " "
    return "[" + text[len(indent) + 1 :]


def _justified(head: list[str], tail: list[str]) -> tuple[list[str], list[str]]:
    most = max(map(len, head + tail))
    return [each.rjust(most) for each in head], [each.rjust(most) for each in tail]


def stacked(name: str, head: list[list[str]], tail: list[list[str]]) -> str:
    """Tuples between brackets, one below the other, their parts in columns."""
    if not tail:
        return "[], "
    rows = head + tail
    widths = [max(map(len, parts)) for parts in zip(*rows, strict=True)]
    lines = [_tuple(row, widths, len(name)) for row in rows]
    indent = "\n " + " " * len(name) + " "
    separator = "," + indent
    text = separator.join(lines[: len(head)])
    if head:
        text += f",{indent}...{indent}"
    text += separator.join(lines[len(head) :])
    return f"[{text}],\n" + " " * (len(name) + 1)


def _tuple(row: list[str], widths: list[int], indent: int) -> str:
    """A tuple's parts, as many as fit on a line."""
    parts = [each.rjust(width) for each, width in zip(row, widths, strict=True)]
    for count in range(len(parts), 0, -1):
        text = ", ".join(parts[:count]) + (", ..." if count < len(parts) else "")
        if len(text) + 2 < WIDTH - indent - 3 or count == 1:
            return f"({text})"
    raise AssertionError("a tuple has a part")
