r"""Python's regular expressions as deterministic automata, for kernels.

The tree of Python's parser becomes a program of Thompson's (K. Thompson, Regular Expression Search
Algorithm, CACM 11, 1968), whose threads are in order of preference (R. Cox, Regular Expression
Matching: the Virtual Machine Approach, 2009). A state of the automaton is the threads between two
characters, and what `^`, `$` and `\b` ask of the one before; what they ask of the next one is known
when that is read, so that matches are found one symbol later than they end.
docs/decisions/0085-texts-on-gpus.md.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from ..._texts.automata import Automaton
from .patterns import UnlikeError, _names, _parser
from .symbols import ALL, FEED, Classes, Ranges, characters_of, words

_MOST_NODES = 4096
_MOST_STATES = 1024
_MOST_STEPS = 200_000  # of threads, as each takes Python a microsecond

# Nodes of a program: a set of characters and the node after it, ways to go on by preference, a
# place with its flags and the node after it, and the match.
_SET, _SPLIT, _AT, _MATCH = range(4)
_EVERY: Ranges = ((0, ALL),)


@lru_cache(256)
def automaton(pattern: re.Pattern[str], how: str, task: str) -> Automaton | None:
    """The tables of a pattern, None where it has constructs that are no automaton's, or too many
    states.

    `how`: "search", "match" or "fullmatch". `task`: "matching" tells if there is a match,
    "counting" where the next one ends, "back" goes from an end to the first place where it may
    begin. Of patterns that match the empty text there is the first alone.
    """
    flags = pattern.flags & ~re.DEBUG
    if flags & re.LOCALE or not isinstance(pattern.pattern, str):
        return None
    tree = _parser.parse(pattern.pattern, flags)
    if task != "matching" and tree.getwidth()[0] == 0:
        return None
    try:
        program = _Program(backward=task == "back")
        entry = program.made(tree, how, flags, task)
        return _Subsets(program, entry, keeps_order=task == "counting").tables(task == "back")
    except UnlikeError:
        return None


class _Program:
    """The nodes of a pattern. Backward it reads a text from its end."""

    def __init__(self, backward: bool) -> None:
        self.nodes: list[tuple[Any, ...]] = []
        self._backward = backward

    def made(self, tree: Any, how: str, flags: int, task: str) -> int:
        """The node to begin with."""
        goal = self._node(_MATCH)
        if how == "fullmatch":
            goal = self._node(_AT, _names.AT_END_STRING, flags, goal)
        entry = self._sequence(tree, flags, goal)
        if how != "search" or task == "back":
            return entry
        loop = self._node(_SPLIT, ())
        self.nodes[loop] = (_SPLIT, (entry, self._node(_SET, _EVERY, loop)))
        return loop

    def _node(self, *node: Any) -> int:
        if len(self.nodes) >= _MOST_NODES:
            raise UnlikeError
        self.nodes.append(node)
        return len(self.nodes) - 1

    def _sequence(self, tree: Any, flags: int, goal: int) -> int:
        """The first node of a sequence that goes on at another one."""
        items = list(tree)
        for operation, argument in items if self._backward else reversed(items):
            goal = self._item(operation, argument, flags, goal)
        return goal

    def _item(self, operation: Any, argument: Any, flags: int, goal: int) -> int:
        characters = characters_of(operation, argument, flags)
        if characters is not None:
            return self._node(_SET, characters, goal)
        if operation is _names.AT:
            if argument not in _PLACES:
                raise UnlikeError
            return self._node(_AT, argument, flags, goal)
        if operation is _names.BRANCH:
            ways = [self._sequence(each, flags, goal) for each in argument[1]]
            return self._node(_SPLIT, tuple(ways))
        if operation is _names.SUBPATTERN:
            _, added, removed, tree = argument
            return self._sequence(tree, (flags | added) & ~removed, goal)
        if operation in (_names.MAX_REPEAT, _names.MIN_REPEAT):
            return self._repeat(argument, flags, goal, is_lazy=operation is _names.MIN_REPEAT)
        raise UnlikeError  # what looks around, refers to groups, or does not go back

    def _repeat(self, argument: Any, flags: int, goal: int, *, is_lazy: bool) -> int:
        low, high, tree = argument
        if high != 1 and tree.getwidth()[0] == 0:
            raise UnlikeError  # as in `_Writer._repeat`

        def choice(inside: int) -> tuple[int, int]:
            return (goal, inside) if is_lazy else (inside, goal)

        if high is _names.MAXREPEAT:
            loop = self._node(_SPLIT, ())
            inside = self._sequence(tree, flags, loop)
            self.nodes[loop] = (_SPLIT, choice(inside))
            after, low = (inside, low - 1) if low else (loop, 0)
        else:
            after = goal
            for _ in range(high - low):
                after = self._node(_SPLIT, choice(self._sequence(tree, flags, after)))
        for _ in range(low):
            after = self._sequence(tree, flags, after)
        return after


class _Context:
    """What places ask of a symbol next to them."""

    def __init__(
        self, is_edge: bool, is_feed: bool, is_last: bool, is_word: dict[int, bool]
    ) -> None:
        self.is_edge = is_edge
        self.is_feed = is_feed
        self.is_last = is_last  # the line feed at the end of the text
        self.is_word = is_word


def _at_boundary(before: _Context, after: _Context, flags: int) -> bool:
    narrow = flags & re.ASCII
    return before.is_word.get(narrow, False) != after.is_word.get(narrow, False)


def _at_line(before: _Context, after: _Context, flags: int) -> bool:
    return before.is_edge or bool(flags & re.MULTILINE and before.is_feed)


def _at_end(before: _Context, after: _Context, flags: int) -> bool:
    return after.is_edge or (after.is_feed if flags & re.MULTILINE else after.is_last)


_PLACES = {
    _names.AT_BEGINNING: _at_line,
    _names.AT_BEGINNING_STRING: lambda before, after, flags: before.is_edge,
    _names.AT_END: _at_end,
    _names.AT_END_STRING: lambda before, after, flags: after.is_edge,
    _names.AT_BOUNDARY: _at_boundary,
}
State = tuple[tuple[int, ...], int]  # threads, and the context before them


class _Subsets:
    """The automaton of a program: its states are the sets of threads that are met."""

    def __init__(self, program: _Program, entry: int, *, keeps_order: bool) -> None:
        self._nodes = program.nodes
        self._entry = entry
        self._keeps_order = keeps_order
        self._steps = 0
        places = [node for node in self._nodes if node[0] == _AT]
        self._has_places = bool(places)
        kinds = {node[2] & re.ASCII for node in places if node[1] is _names.AT_BOUNDARY}
        of_nodes = {node[1] for node in self._nodes if node[0] == _SET}
        sets = [*sorted(of_nodes), FEED, *(words(kind) for kind in sorted(kinds))]
        self._classes = Classes(sets)
        self._set_numbers = {each: i for i, each in enumerate(sets[: len(of_nodes)])}
        self._contexts, self._context_of = self._find_contexts(len(of_nodes), sorted(kinds))

    def _find_contexts(self, feeds: int, kinds: Sequence[int]) -> tuple[list[_Context], list[int]]:
        """The contexts that places tell apart, and that of each symbol and of the edge."""
        members = self._classes.members
        last = self._classes.number_of(10)

        def of_class(i: int, is_last: bool = False) -> _Context:
            is_word = {kind: bool(members[i, feeds + 1 + k]) for k, kind in enumerate(kinds)}
            return _Context(False, bool(members[i, feeds]), is_last, is_word)

        of_symbols = [of_class(i) for i in range(self._classes.count)]
        of_symbols += [of_class(last, is_last=True), _Context(True, False, False, {})]
        kept: dict[Any, int] = {}
        contexts: list[_Context] = []
        numbers = []
        for each in of_symbols:
            key = None
            if self._has_places:
                key = (each.is_edge, each.is_feed, each.is_last, *each.is_word.items())
            if key not in kept:
                kept[key] = len(contexts)
                contexts.append(each)
            numbers.append(kept[key])
        return contexts, numbers

    def tables(self, backward: bool) -> Automaton:
        """The tables of all states that are met. Raises UnlikeError where they are too many."""
        self._backward = backward
        symbols = len(self._context_of)
        self._places_of: dict[State, int] = {((), 0): 0}
        self._waiting: list[State] = []
        starts = [self._number(((self._entry,), each)) for each in self._context_of]
        # At the edge of a text there is no symbol before: its context is the last one.
        starts.append(starts[-1])
        rows = {0: [0] * symbols}
        while self._waiting:
            state = self._waiting.pop()
            rows[self._places_of[state]] = self._row(state)
        table = np.array([rows[i] for i in range(len(rows))], np.int32)
        return Automaton(*self._classes.pages(), table, np.array(starts, np.int32))

    def _number(self, state: State) -> int:
        if not state[0]:
            return 0
        if state not in self._places_of:
            if len(self._places_of) >= _MOST_STATES:
                raise UnlikeError
            self._places_of[state] = len(self._places_of)
            self._waiting.append(state)
        return self._places_of[state]

    def _row(self, state: State) -> list[int]:
        """Where a state goes, by symbol."""
        threads, before = state
        closures: dict[int, tuple[list[int], bool]] = {}
        row = []
        for symbol, context in enumerate(self._context_of):
            if context not in closures:
                closures[context] = self._closure(threads, before, context)
            ready, has_match = closures[context]
            goal = 0
            # After the edge there is nothing.
            if symbol < len(self._context_of) - 1:
                number = symbol if symbol < self._classes.count else self._classes.number_of(10)
                goal = self._number((self._stepped(ready, number), context))
            row.append(2 * goal + has_match)
        return row

    def _closure(self, threads: tuple[int, ...], before: int, after: int) -> tuple[list[int], bool]:
        """The threads that wait for a character, and True where there is a match."""
        sides = self._contexts[before], self._contexts[after]
        sides = sides[::-1] if self._backward else sides
        ready: list[int] = []
        seen: set[int] = set()
        waiting = list(reversed(threads))
        has_match = False
        while waiting:
            thread = waiting.pop()
            if thread in seen:
                continue
            seen.add(thread)
            self._steps += 1
            node = self._nodes[thread]
            if node[0] == _SET:
                ready.append(thread)
            elif node[0] == _SPLIT:
                waiting += reversed(node[1])
            elif node[0] == _AT:
                if _PLACES[node[1]](*sides, node[2]):
                    waiting.append(node[3])
            else:
                has_match = True
                if self._keeps_order:
                    break
        if self._steps > _MOST_STEPS:
            raise UnlikeError
        return ready, has_match

    def _stepped(self, ready: list[int], number: int) -> tuple[int, ...]:
        """The threads after a character of a class."""
        members = self._classes.members[number]
        self._steps += len(ready)
        goals: dict[int, None] = {}
        for thread in ready:
            _, characters, goal = self._nodes[thread]
            if members[self._set_numbers[characters]]:
                goals[goal] = None
        return tuple(goals) if self._keeps_order else tuple(sorted(goals))
