"""Splits CUDA C source into items: functions, types, variables and directives.

A scanner knows comments, texts, directives and balanced brackets; it knows no types.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

_TOKEN = re.compile(
    r"""
    (?P<directive> ^[ \t]*\#(?:\\\r?\n|/\*.*?\*/|[^\n])*)
  | (?P<space>     [^\S\n]+|\n|//(?:\\\r?\n|[^\n])*|/\*.*?\*/|\\\r?\n)
  | (?P<text>      R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
  | (?P<word>      [A-Za-z_]\w*)
  | (?P<number>    \.?\d(?:[eEpP][+-]|[\w.]|'(?=\w))*)
  | (?P<sign>      ::|->|[^\s\w])
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
WORD = re.compile(r"[A-Za-z_]\w*")
CONDITION = re.compile(r"\s*#\s*(if|el|endif)")
_TYPES = {"struct", "class", "union", "enum", "typedef", "using", "static_assert"}
_CLOSING = {"(": ")", "[": "]", "{": "}"}
# Words that take brackets before a function's own.
_ATTRIBUTES = {"__launch_bounds__", "__align__", "__attribute__", "alignas", "__declspec",
               "__builtin_align__", "decltype", "explicit", "noexcept", "__cluster_dims__",
               "__block_size__"}  # fmt: skip


@dataclass(frozen=True)
class Token:
    """A piece of source: its kind, a group of _TOKEN, and its text."""

    kind: str
    text: str


@dataclass
class Item:
    """What stands between two others at the top level of a file, a namespace or a class."""

    tokens: list[Token]
    head: list[Token]  # up to the body, without spaces and directives
    outside: tuple[str, ...] = ()  # the heads of the namespaces around it
    opens: int = -1  # where its body begins among the tokens
    closes: int = -1
    names: set[str] = field(default_factory=set)

    @property
    def is_directive(self) -> bool:
        return len(self.tokens) == 1 and self.tokens[0].kind == "directive"

    @property
    def text(self) -> str:
        return "".join(token.text for token in self.tokens)

    @property
    def words(self) -> list[str]:
        return [token.text for token in self.head if token.kind == "word"]


def tokens_of(source: str) -> list[Token]:
    """The pieces of source; comments are spaces."""
    found = []
    for match in _TOKEN.finditer(source):
        kind, text = match.lastgroup or "sign", match.group()
        if kind == "mark":
            kind = "text"
        if kind == "space":
            text = "\n" if "\n" in text else " "
        found.append(Token(kind, text))
    return found


def closing(tokens: list[Token], start: int) -> int:
    """Where the bracket at `start` ends. Of alternatives of an #if the first one counts."""
    depth = 0
    saved: list[int] = []
    for i in range(start, len(tokens)):
        token = tokens[i]
        if token.kind == "directive":
            condition = CONDITION.match(token.text)
            if condition and condition[1] == "if":
                saved.append(depth)
            elif condition and saved:
                # Brackets of the branch before were counted: those of this one are the same.
                depth = saved[-1] if condition[1] == "el" else depth
                if condition[1] == "endif":
                    saved.pop()
        elif token.kind == "sign" and token.text in "([{":
            depth += 1
        elif token.kind == "sign" and token.text in ")]}":
            depth -= 1
            if depth == 0:
                return i
    return len(tokens) - 1


def items_of(tokens: list[Token], outside: tuple[str, ...] = ()) -> Iterator[Item]:
    """The items of a file or of a body, those of namespaces among them."""
    i = 0
    while i < len(tokens):
        token = tokens[i]
        if token.kind == "directive":
            yield Item([token], [])
            i += 1
        elif token.kind == "space" or token.text == ";":
            i += 1
        else:
            item, i = _item(tokens, i, outside)
            if _is_namespace(item.head):
                inner = (*outside, "".join(f"{each.text} " for each in item.head))
                yield from items_of(item.tokens[item.opens + 1 : item.closes], inner)
            else:
                yield item


def _is_namespace(head: list[Token]) -> bool:
    texts = [token.text for token in head]
    linkage = texts[:1] == ["extern"] and len(texts) == 2 and texts[1].startswith('"')
    return linkage or ("namespace" in texts[:2] and "=" not in texts and "using" not in texts)


def _item(tokens: list[Token], start: int, outside: tuple[str, ...]) -> tuple[Item, int]:
    """The item that begins at `start`, and where the next one does."""
    item = Item([], [], outside)
    i = start
    while i < len(tokens):
        token = tokens[i]
        if token.text == "{" and token.kind == "sign":
            end = closing(tokens, i)
            if _initializes(item.head):  # a member of a class, before a constructor's body
                i = end + 1
                continue
            if item.opens < 0:
                item.opens, item.closes = i - start, end - start
            i = end + 1
            if _is_namespace(item.head) or is_function(item.head):
                break
            continue
        if token.text in ("(", "[") and token.kind == "sign":
            end = closing(tokens, i)
            item.head += _solid(tokens[i : end + 1])
            i = end + 1
            continue
        if token.kind not in ("space", "directive"):
            item.head.append(token)
        i += 1
        if token.text == ";":
            break
        if token.text == ":" and item.words in (["public"], ["private"], ["protected"]):
            break
    item.tokens = tokens[start:i]
    item.names = set(_names(item))
    return item, i


def _initializes(head: list[Token]) -> bool:
    texts = [token.text for token in _flat(head)]
    return ":" in texts and "(" in texts[: texts.index(":")] and head[-1].kind == "word"


def _solid(tokens: Iterable[Token]) -> list[Token]:
    return [token for token in tokens if token.kind not in ("space", "directive")]


def _flat(head: list[Token]) -> Iterator[Token]:
    """A head without what is in round brackets and in those of templates' parameters."""
    depth = 0
    angles = 0
    after_template = False
    for token in head:
        if token.text in ("(", "["):
            depth += 1
            if depth == 1 and not angles:
                yield token
        elif token.text in (")", "]"):
            depth -= 1
        elif depth == 0 and token.text == "<" and (after_template or angles):
            angles += 1
        elif depth == 0 and token.text == ">" and angles:
            angles -= 1
        elif depth == 0 and not angles:
            yield token
        after_template = token.text == "template"


def starts_type(item_head: list[Token]) -> bool:
    """True for what defines a type: not for a function that gives a struct."""
    flat = list(_flat(item_head))
    texts = [token.text for token in flat]
    first = next((text for text in texts if text not in ("template", "static", "extern")), "")
    if first in ("typedef", "using", "static_assert", "enum"):
        return True
    return first in _TYPES and _callee(item_head) is None


def _callee(head: list[Token]) -> str | None:
    """The name before the brackets of a function's parameters; None: it is no function."""
    flat = list(_flat(head))
    found = None
    for i, token in enumerate(flat):
        if token.text == "operator":
            return "operator"
        if token.text in ("=", ":"):
            break
        if token.text != "(" or i == 0 or flat[i - 1].text in _ATTRIBUTES:
            continue
        before = flat[i - 1]
        if before.text == ">":  # of a specialization: name<int>(
            j = i - 1
            while j > 0 and flat[j].text != "<":
                j -= 1
            before = flat[j - 1]
        # The last one: a macro with brackets may stand before the name.
        if before.kind == "word" and _after_bracket(head, token) not in ("*", "&"):
            found = before.text
    return found


def _after_bracket(head: list[Token], bracket: Token) -> str:
    position = next(i for i, token in enumerate(head) if token is bracket)
    return head[position + 1].text if position + 1 < len(head) else ""


def is_function(head: list[Token]) -> bool:
    return not starts_type(head) and _callee(head) is not None


def _names(item: Item) -> Iterator[str]:
    """The names that an item declares."""
    if is_function(item.head):
        yield _callee(item.head) or ""
        return
    flat = list(_flat(item.head))
    texts = [token.text for token in flat]
    if "enum" in texts and item.opens >= 0:
        body = item.tokens[item.opens + 1 : item.closes]
        yield from (token.text for token in body if token.kind == "word")
    yield from _names_of_types(item, flat)
    depth = 0  # of the arguments of a template
    for token, following in itertools.pairwise([*flat, Token("sign", ";")]):
        depth += {"<": 1, ">": -1}.get(token.text, 0)
        if token.kind == "word" and not depth and following.text in (";", ",", "=", "[", "("):
            yield token.text
        if token.text == "=":
            break
    if "typedef" in texts:  # of a function: typedef int (*name)(int)
        three = zip(item.head, item.head[1:], item.head[2:], strict=False)
        yield from (name.text for star, name, end in three if star.text == "*" and end.text == ")")


def _names_of_types(item: Item, flat: list[Token]) -> Iterator[str]:
    """struct name, enum class name, struct __align__(16) name, using name."""
    texts = [token.text for token in flat]
    for keyword in ("struct", "class", "union", "enum", "using"):
        if keyword not in texts:
            continue
        after = flat[texts.index(keyword) + 1 :]
        named = [t.text for t in after if t.kind == "word" and t.text not in _ATTRIBUTES]
        yield from named[: 2 if keyword == "enum" else 1]
        for token, following in itertools.pairwise(after):
            if token.kind == "word" and following.text in (":", "<", ";"):
                yield token.text
        if item.opens >= 0 and named and keyword != "using":
            yield named[-1]
