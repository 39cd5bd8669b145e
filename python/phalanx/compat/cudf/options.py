"""Options under cuDF's names; those of display are pandas'."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..._frames import options

# The values that say what is so anyway, of which the first is what an option begins with, and
# what the option is about.
_OWN: dict[str, tuple[tuple[Any, ...], str]] = {
    "copy_on_write": ((True,), "Columns are shared until one is changed, as in pandas 3."),
    "default_float_bitwidth": ((None, 64), "Bits of floats that are read."),
    "default_integer_bitwidth": ((None, 64), "Bits of ints that are read."),
    "io.parquet.low_memory": ((False,), "Parquet is read in chunks."),
    "memory_profiling": ((False,), "Each call's peak of memory is kept."),
    "mode.pandas_compatible": ((True,), "Results are pandas'."),
    "spill": ((False,), "Columns go to the host where the device's memory is full."),
    "spill_device_limit": ((None,), "How much of the device's memory is for columns."),
    "spill_on_demand": ((False,), "As spill, where an allocation fails."),
    "spill_stats": ((0,), "What is counted of spilling."),
}


def get_option(name: str) -> Any:
    """The value of an option. Raises KeyError for a name that none has."""
    return _OWN[name][0][0] if name in _OWN else options.get_option(name)


def set_option(name: str, val: Any) -> None:
    """Sets an option.

    Raises NotImplementedError for a value of cuDF's options that would change what phalanx does,
    KeyError for names that no option has.
    """
    if name not in _OWN:
        options.set_option(name, val)
    elif val not in _OWN[name][0]:
        raise NotImplementedError(
            f"cudf.set_option({name!r}, {val!r}): phalanx has {get_option(name)!r} only "
            "(docs/guide/coming-from-cudf.md)"
        )


def describe_option(name: str | None = None) -> None:
    """Prints what an option is about, or each."""
    for each in _OWN if name is None else (name,):
        if each not in _OWN:
            raise KeyError(f"no option {each!r} of cuDF's; there are: {', '.join(_OWN)}")
        print(f"{each}:\n\t{_OWN[each][1]}\n\t[currently: {get_option(each)}]")


@contextmanager
def option_context(*args: Any) -> Iterator[None]:
    """Options inside a ``with`` block: a name, its value, and so on."""
    if not args or len(args) % 2:
        raise ValueError("Need to provide an even number of arguments")
    pairs = dict(zip(args[::2], args[1::2], strict=True))
    before = {name: get_option(name) for name in pairs}
    try:
        for name, value in pairs.items():
            set_option(name, value)
        yield
    finally:
        for name, value in before.items():
            set_option(name, value)
