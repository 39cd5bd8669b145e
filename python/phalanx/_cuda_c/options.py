"""The options that nvcc and NVRTC take, as far as they say what the source means."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

_STANDARDS = {"03": 3, "11": 11, "14": 14, "17": 17, "20": 20}


@dataclass(frozen=True)
class SourceOptions:
    """What a compilation of CUDA C is told besides the text."""

    macros: tuple[str, ...] = ()  # NAME or NAME=VALUE
    folders: tuple[str, ...] = ()  # of headers
    standard: int = 17  # of C++
    fastmath: bool = False
    contract: bool = True  # a * b + c may be one operation
    debug: bool = False
    max_registers: int = 0
    others: tuple[str, ...] = field(default=(), compare=False)  # which do not matter here

    @staticmethod
    def parse(given: Iterable[str]) -> SourceOptions:
        """Reads ``-DNAME=VALUE``, ``-IFOLDER``, ``-std=c++14``, ``--use_fast_math`` and the like.

        Raises `TypeError` for what is no text, and `ValueError` for an option that lacks its value
        or names a C++ standard that is not known. What is only NVIDIA's compiler's is kept aside.
        """
        macros: list[str] = []
        folders: list[str] = []
        others: list[str] = []
        single: dict[str, int | bool] = {}
        words = iter(_texts(given))
        for word in words:
            name, value = _split(word, words)
            if name == "macro":
                macros.append(value)
            elif name == "folder":
                folders.append(value)
            elif name == "standard":
                single["standard"] = _standard(value)
            elif name == "fmad":
                single["contract"] = value == "true"
            elif name == "registers":
                single["max_registers"] = int(value)
            elif word in ("-use_fast_math", "--use_fast_math"):
                single["fastmath"] = True
            elif word in ("-G", "--device-debug"):
                single["debug"] = True
            else:
                others.append(word)
        return SourceOptions(tuple(macros), tuple(folders), others=tuple(others), **single)  # type: ignore[arg-type]


PLAIN = SourceOptions()  # nothing said


# Options with a value, which follows at once, behind "=", or as the next word.
_WITH_VALUE = {
    "--define-macro": "macro", "-D": "macro", "--include-path": "folder", "-I": "folder",
    "--std": "standard", "-std": "standard", "--fmad": "fmad", "-fmad": "fmad",
    "--maxrregcount": "registers", "-maxrregcount": "registers",
}  # fmt: skip


def _texts(given: Iterable[str]) -> Iterator[str]:
    if isinstance(given, str):
        raise TypeError("options are a tuple of texts, such as ('-DN=4',), not one text")
    for word in given:
        if not isinstance(word, str):
            raise TypeError(f"an option is a text, not {type(word).__name__}")
        yield word


def _split(word: str, rest: Iterator[str]) -> tuple[str, str]:
    """What the option says, and its value; "" where it is none of those with a value."""
    for option, meaning in _WITH_VALUE.items():
        if not word.startswith(option):
            continue
        value = word[len(option) :]
        if value.startswith("="):
            return meaning, value[1:]
        if value and len(option) == 2:  # -DNAME
            return meaning, value
        if not value:
            following = next(rest, None)
            if following is None:
                raise ValueError(f"the option {word} needs a value")
            return meaning, following
    return "", ""


def _standard(text: str) -> int:
    year = text.removeprefix("c++").removeprefix("gnu++")
    if year not in _STANDARDS:
        raise ValueError(f"C++ {text} is not known: c++11, c++14, c++17 and c++20 are")
    return max(_STANDARDS[year], 11)
