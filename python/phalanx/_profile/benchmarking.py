"""How long functions take, and how certain that is."""

from __future__ import annotations

import numbers
import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, overload

from .. import _engine
from .units import seconds_text

_LEAST_RUNS = 5
_MOST_RUNS = 1_000


@dataclass(frozen=True)
class Timing:
    """The times of one function, in seconds: what `phalanx.benchmark` gives; prints as a table.

    Attributes:
        name: What the function is called.
        times: From the call until the device has the results, of each run.
        host_times: From the call to its return.
        first: The first call, with compilation.
    """

    name: str
    times: tuple[float, ...]
    host_times: tuple[float, ...]
    first: float

    @property
    def median(self) -> float:
        """The time that half of the runs stay below."""
        return statistics.median(self.times)

    @property
    def host_median(self) -> float:
        """The same of the host alone: what the program waits for the call."""
        return statistics.median(self.host_times)

    @property
    def spread(self) -> float:
        """Half of the runs lie this far from each other: the interquartile range."""
        if len(self.times) < 2:
            return 0.0
        lower, _, upper = statistics.quantiles(self.times, n=4)
        return upper - lower

    @property
    def best(self) -> float:
        """The shortest time."""
        return min(self.times)

    def __repr__(self) -> str:
        return Benchmark((self,)).__repr__()


@dataclass(frozen=True)
class Benchmark:
    """The times of several functions: what `phalanx.benchmark` gives of a list of them.

    Prints as a table that compares them with the first. It has a length, an index and an order as
    a list of `Timing` has.

    Attributes:
        timings: The times of each function, in the order they were given.
    """

    timings: tuple[Timing, ...]

    def __iter__(self) -> Iterator[Timing]:
        return iter(self.timings)

    def __getitem__(self, index: int) -> Timing:
        return self.timings[index]

    def __len__(self) -> int:
        return len(self.timings)

    def __repr__(self) -> str:
        rows = [("", "median", "spread", "host", "best", "first call", "runs", "ratio")]
        base = self.timings[0].median
        rows += [
            (
                each.name,
                seconds_text(each.median),
                seconds_text(each.spread),
                seconds_text(each.host_median),
                seconds_text(each.best),
                seconds_text(each.first),
                str(len(each.times)),
                f"{each.median / base:.2f}" if base else "",
            )
            for each in self.timings
        ]
        widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
        return "\n".join(
            "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])])
            for row in rows
        )


@overload
def benchmark(
    function: Callable[..., Any],
    *args: Any,
    seconds: float = 0.5,
    warmup: int = 1,
    runs: int | None = None,
    names: str | Iterable[str] | None = None,
) -> Timing: ...


@overload
def benchmark(
    function: Iterable[Callable[..., Any]],
    *args: Any,
    seconds: float = 0.5,
    warmup: int = 1,
    runs: int | None = None,
    names: str | Iterable[str] | None = None,
) -> Benchmark: ...


def benchmark(
    function: Callable[..., Any] | Iterable[Callable[..., Any]],
    *args: Any,
    seconds: float = 0.5,
    warmup: int = 1,
    runs: int | None = None,
    names: str | Iterable[str] | None = None,
) -> Timing | Benchmark:
    """Calls a function again and again, and tells how long it takes until its results are there.

    Results that are only recorded are computed, and the devices are waited for, so that no work is
    left out. Several functions take turns, so that what changes on the machine meanwhile meets all.

        phalanx.benchmark(step, x)                        # prints a line
        phalanx.benchmark([with_numpy, with_phalanx], x)  # and compares

    Args:
        function: What is called, with `args`; or a sequence of functions, which take the same.
        args: The arguments.
        seconds: How long each function is measured, at least 5 and at most 1000 runs.
        warmup: Calls before that, of which the first is told apart: it compiles.
        runs: How many runs there are, whatever the time.
        names: What the functions are called in the table, a text for one; else their own names.

    Returns:
        A `Timing` of one function, a `Benchmark` of several. Times are in seconds.

    Raises:
        TypeError: Something that is to be called cannot be, a count is no whole number, the
            seconds are no number, or a name is no text.
        ValueError: There are no functions, fewer than one run or warm-up, seconds below 0, or
            another number of names.
    """
    is_one = callable(function) or not isinstance(function, Iterable)
    functions: list[Any] = [function] if is_one else list(function)  # type: ignore[arg-type]
    labels = _labels(functions, names)
    _check(functions, labels)
    _check_bounds(seconds, warmup, runs)
    firsts = [_warm(each, args, warmup) for each in functions]
    taken: list[list[tuple[float, float]]] = [[] for _ in functions]
    while True:
        for each, times in zip(functions, taken, strict=True):
            if _needs_more(times, seconds, runs):
                times.append(_timed(each, args))
        if not any(_needs_more(times, seconds, runs) for times in taken):
            break
    timings = tuple(
        Timing(label, tuple(row[0] for row in times), tuple(row[1] for row in times), first)
        for label, times, first in zip(labels, taken, firsts, strict=True)
    )
    return timings[0] if is_one else Benchmark(timings)


def _labels(functions: Sequence[Any], names: str | Iterable[str] | None) -> list[str]:
    if isinstance(names, str):
        return [names]
    if names is not None:
        if not isinstance(names, Iterable):
            raise TypeError(
                f"benchmark(names=) is a list of texts, one for each function, not "
                f"{type(names).__name__}"
            )
        return list(names)
    return [_name(each) for each in functions]


def _name(function: Any) -> str:
    """What a function is called; a launch that was configured, such as k[4, 256], as its kernel."""
    function = getattr(function, "launcher", function)
    return str(getattr(function, "__name__", type(function).__name__))


def _check(functions: Sequence[Any], labels: Sequence[Any]) -> None:
    for each in functions:
        if not callable(each):
            raise TypeError(
                f"benchmark() calls functions, and {type(each).__name__} is none: pass the "
                "function and its arguments, benchmark(f, x), not its result, benchmark(f(x))"
            )
    if not functions:
        raise ValueError("benchmark() was given no function")
    if len(labels) != len(functions):
        raise ValueError(f"benchmark() has {len(functions)} functions and {len(labels)} names")
    for label in labels:
        if not isinstance(label, str):
            raise TypeError(f"benchmark(names=) are texts, not {type(label).__name__}")


def _check_bounds(seconds: Any, warmup: Any, runs: Any) -> None:
    for name, count in (("runs", 1 if runs is None else runs), ("warmup", warmup)):
        if not isinstance(count, int):
            raise TypeError(f"benchmark({name}=) is a whole number, not {type(count).__name__}")
    if not isinstance(seconds, numbers.Real):
        raise TypeError(f"benchmark(seconds=) is a number, not {type(seconds).__name__}")
    if not float(seconds) >= 0:  # nor NaN
        raise ValueError(f"benchmark(seconds=) is 0 or more, not {seconds}")
    if warmup < 1:
        raise ValueError("benchmark() needs a warm-up of at least 1 call: the first one compiles")
    if runs is not None and runs < 1:
        raise ValueError("benchmark() needs at least 1 run")


def _needs_more(times: list[tuple[float, float]], seconds: float, runs: int | None) -> bool:
    if runs is not None:
        return len(times) < runs
    if len(times) < _LEAST_RUNS:
        return True
    return len(times) < _MOST_RUNS and sum(row[0] for row in times) < seconds


def _warm(function: Callable[..., Any], args: Sequence[Any], warmup: int) -> float:
    first = _timed(function, args)[0]
    for _ in range(warmup - 1):
        _timed(function, args)
    return first


def _timed(function: Callable[..., Any], args: Sequence[Any]) -> tuple[float, float]:
    """Seconds until the results are there, and until the call returned."""
    begin = time.perf_counter()
    result = function(*args)
    returned = time.perf_counter()
    compute(result)
    for device in _engine.devices():
        device.synchronize()
    return time.perf_counter() - begin, returned - begin


def compute(result: Any) -> None:
    """Computes what is only recorded: arrays, in containers and columns of frames, too."""
    if isinstance(result, _engine.Array):
        result._evaluate()
    elif isinstance(result, (list, tuple, set)):
        for each in result:
            compute(each)
    elif isinstance(result, dict):
        compute(list(result.values()))
    elif hasattr(result, "_explained_columns"):
        for _, _, array in result._explained_columns():
            compute(array)
