"""Regular expressions as automata over characters, in a device's memory.

A symbol is a class of characters that the pattern does not tell apart, or one of two more: a line
feed at the end of the text, and the end. An entry of the table is twice the next state, and one
more if the pattern has matched before the symbol. State 0 goes nowhere.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

import phalanx as px

from .._arrays.launching import read


class Automaton(NamedTuple):
    """Tables of a pattern.

    `table` has a row for each state and a column for each symbol: the classes, then the last line
    feed, then the end of the text. `starts` has the state to begin with after each symbol; after
    the last symbol, at the start of a text.
    """

    pages: np.ndarray  # of the characters' classes, int32, for `number_of`
    entries: np.ndarray
    table: np.ndarray  # int32
    starts: np.ndarray  # int32

    @property
    def symbols(self) -> int:
        """How many there are."""
        return self.table.shape[1]


class Pattern:
    """A pattern for the host's engine, and as automata, which are made when asked for.

    `matching` finds if there is a match; `counting` where the next one ends, and `replacing` is
    that and one that goes back to where it begins. Each is None where there is none.
    """

    def __init__(self, host: Any, make: Callable[[str], Automaton | None]) -> None:
        self.host = host
        self._make = make
        self._on: dict[tuple[str, str], Any] = {}

    @cached_property
    def matching(self) -> Automaton | None:
        """Tells if there is a match."""
        return self._make("matching")

    @cached_property
    def counting(self) -> Automaton | None:
        """Tells where the next match ends."""
        return self._make("counting")

    @cached_property
    def replacing(self) -> tuple[Automaton, Automaton] | None:
        """Tells also where the match begins."""
        back = None if self.counting is None else self._make("back")
        return None if self.counting is None or back is None else (self.counting, back)

    def on(self, name: str, automaton: Automaton, device: str) -> tuple[Any, ...]:
        """The memory of an automaton's tables on a device."""
        if (name, device) not in self._on:
            arrays = (automaton.pages, automaton.entries, automaton.table.ravel(), automaton.starts)
            self._on[name, device] = tuple(px.asarray(each, device=device) for each in arrays)
        return tuple(map(read, self._on[name, device]))
