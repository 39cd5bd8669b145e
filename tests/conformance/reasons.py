"""Why tests fail, by the exception's text: the rules of what is counted apart.

`internal`: the test reaches for pandas' internals, that is a placeholder of a module that is not
public, or a private attribute (`_name`) of an object. `missing`: it asks for a name, a keyword or a
value of which phalanx says that it is not there (NotImplementedError). All others are `failed`:
they count against what is there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

KINDS = ("failed", "missing", "internal")
_PUBLIC = r"(?!(api|arrays|errors|io|offsets|plotting|testing|tseries)\.)(_\w+|[a-z]\w*)\."
INTERNAL = re.compile(
    rf"NotImplementedError: phalanx does not provide pandas\.{_PUBLIC}"
    r"|AttributeError: '\w+' object has no attribute '_[a-z]"
    r"|AttributeError: module '[\w.]+' has no attribute '_[a-z]"
)
MISSING = re.compile(
    r"([\w.]*\.)?(NotImplementedError|MissingNameError)\b|TypeError: data type 'pandas\.ArrowDtype"
)
# What differs from test to test for one reason: texts in quotes, numbers, addresses.
_DETAILS = (r"'[^']*'", "'...'"), (r"\b\d+(\.\d+)?(e[+-]?\d+)?\b", "N"), (r"0x[0-9a-f]+", "0x")


def kind_of(why: str) -> str:
    """`internal`, `missing` or `failed`."""
    why = why.removeprefix("cannot be imported: ")
    if INTERNAL.match(why):
        return "internal"
    return "missing" if MISSING.match(why) else "failed"


def shortened(why: str) -> str:
    """The reason without what is of one test."""
    text = why.partition("[left]")[0]
    if not MISSING.match(why):
        for pattern, short in _DETAILS:
            text = re.sub(pattern, short, text)
    return text.strip()[:160]


def counted(reasons: Iterable[str]) -> list[tuple[str, int]]:
    """Reasons and how many tests have them, the most frequent first."""
    return Counter(map(shortened, reasons)).most_common()
