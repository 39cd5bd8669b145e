"""Arrays from and to text files, and numbers as text: through NumPy's on the host."""

from __future__ import annotations

from typing import Any

from . import hosted

_DOCS = {
    "loadtxt": "The numbers of a text file.",
    "genfromtxt": "The numbers of a text file, in which some may be missing.",
    "savetxt": "Writes an array of one or two dimensions to a text file.",
    "format_float_positional": "A number as decimal digits, without an exponent.",
    "format_float_scientific": "A number as decimal digits, with an exponent.",
}

_MADE = {name: hosted.HostFunction(name, doc) for name, doc in _DOCS.items()}


def base_repr(number: Any, base: int = 2, padding: int = 0) -> str:
    """A whole number by its digits in a base from 2 to 36.

    >>> px.base_repr(10, base=3)
    '101'
    """
    import numpy as np

    return np.base_repr(int(number), base, padding)


def binary_repr(num: Any, width: int | None = None) -> str:
    """A whole number by its binary digits; a negative one in two's complement of that width.

    >>> px.binary_repr(-3, width=4)
    '1101'
    """
    import numpy as np

    return np.binary_repr(int(num), width)


def __getattr__(name: str) -> Any:
    try:
        return _MADE[name]
    except KeyError:
        raise AttributeError(name) from None
