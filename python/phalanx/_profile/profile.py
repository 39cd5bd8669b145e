"""A profile: what the engine did in a block of a program, and what that cost."""

from __future__ import annotations

import copy
import os
import socket
import sysconfig
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from .. import _engine
from . import advice, records, summary, table, trace
from .memory import Peak, peaks
from .rates import Rates, measured
from .records import Record
from .scopes import Scopes


class _Watched:
    """The methods that are scopes, as long as at least one profile or profiler wants them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._watchers = 0
        self._scopes = Scopes()

    def begin(self) -> None:
        with self._lock:
            if self._watchers == 0:
                self._scopes.install()
            self._watchers += 1

    def end(self) -> None:
        with self._lock:
            self._watchers -= 1
            if self._watchers == 0:
                self._scopes.remove()


watched = _Watched()


def package_folder() -> str:
    """Where this package is: its lines are not the program's."""
    return str(Path(__file__).parent.parent) + os.sep


def library_folders() -> list[str]:
    """Where Python and installed packages are: their lines are not the program's."""
    paths = sysconfig.get_paths()
    names = ("stdlib", "platstdlib", "purelib", "platlib")
    return sorted({paths[name] + os.sep for name in names if name in paths})


def check_name(method: str, path: Any) -> None:
    """Raises ValueError where a file's name says that the other method is to write it."""
    other, suffixes = ("html", (".html", ".htm")) if method == "save" else ("save", (".json",))
    if Path(path).suffix in suffixes:
        raise ValueError(f"{method}() does not write {str(path)!r}: {other}() does")


class Profile:
    """What the engine did while it was taken: `print` it, `save` a trace, write a page by `html`.

    `phalanx.profile` makes one. It can be pickled once it has ended, and merged with others.

    Attributes:
        label: The title of the table and the page.
        records: Each launch, copy, compilation, allocation and so on, in the order they began.
        seconds: How long the block took, by the host's clock.
        lost: Records that the engine had no room for; 0 for fewer than 260,000 of a thread.
        rates: The measured rates of the devices that occur, by name; see `python -m phalanx info`.
    """

    def __init__(self, label: str = "") -> None:
        self.label = label
        self.records: list[Record] = []
        self.seconds = 0.0
        self.lost = 0
        self.process = f"{socket.gethostname()}:{os.getpid()}"
        self._first = 0
        self._is_on = False
        self._rates: dict[str, Rates] | None = None

    def __enter__(self) -> Profile:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Records from now on. Raises `RuntimeError` where it does already."""
        if self._is_on:
            raise RuntimeError("this profile is being taken already: stop() it, or make another")
        watched.begin()
        _engine.profile_start(package_folder(), library_folders())
        self._is_on = True
        self._rates = None  # of the devices that occurred before, or of none
        self._first = _engine.profile_time()

    def stop(self) -> None:
        """Ends it, and waits for work on GPUs that was begun; nothing where it has ended."""
        if not self._is_on:
            return
        self._is_on = False
        end = _engine.profile_time()
        try:
            found, self.lost = records.unpack(_engine.profile_take(), self._first)
            self.records = [each for each in found if each.start * 1e9 <= end - self._first]
            summary.add_occupancy(self.records)  # as long as the engine keeps the code
        finally:
            _engine.profile_stop()
            watched.end()
        self.seconds = (end - self._first) * 1e-9
        for each in self.records:
            each.process = self.process

    @property
    def devices(self) -> list[str]:
        """The devices that something ran on, by name."""
        return sorted({each.device for each in self.records if each.kind in records.ON_DEVICES})

    @property
    def rates(self) -> dict[str, Rates]:
        """The measured rates of the devices that occur; others can be put in their place."""
        if self._rates is not None:
            return self._rates
        found = measured(self.devices)
        if not self._is_on:  # else devices may be missing
            self._rates = found
        return found

    @rates.setter
    def rates(self, rates: dict[str, Rates]) -> None:
        self._rates = dict(rates)

    @property
    def peaks(self) -> list[Peak]:
        """The most memory in use on each device, with the lines that made what was in use then."""
        return peaks(self.records)

    def rows(self) -> list[summary.Row]:
        """The table: one row for each kernel, expression, operator, fit and kind of copy."""
        return summary.rows(self.records)

    def advice(self) -> list[advice.Advice]:
        """What would make the program faster, in one sentence each, the largest gain first."""
        return advice.find(self)

    def save(self, path: Any) -> None:
        """Writes a trace for Perfetto (https://ui.perfetto.dev) or chrome://tracing, as JSON.

        Raises:
            OSError: The file cannot be written.
            RuntimeError: The profile is being taken.
            ValueError: The name is that of a page, ``.html``.
        """
        self._need_end("saved")
        check_name("save", path)
        Path(path).write_text(trace.to_json(self), encoding="utf-8")

    def html(self, path: Any) -> None:
        """Writes one page that needs no network: timeline, table, roofline, memory, advice.

        Raises:
            OSError: The file cannot be written.
            RuntimeError: The profile is being taken.
            ValueError: The name is that of a trace, ``.json``.
        """
        self._need_end("written")
        check_name("html", path)
        from . import page

        Path(path).write_text(page.to_html(self), encoding="utf-8")

    def merge(self, others: Iterable[Profile]) -> Profile:
        """A profile of this one and others, of other processes or threads.

        Each keeps its own clock: all begin at 0.

        Raises:
            RuntimeError: One of them is being taken.
            TypeError: What is given is no profile.
        """
        made = Profile(self.label)
        made.process = self.process
        if isinstance(others, Profile) or not isinstance(others, Iterable):
            raise TypeError(
                f"merge() takes a list of profiles, not {type(others).__name__}: p.merge([other])"
            )
        merged = (self, *others)
        for each in merged:
            if not isinstance(each, Profile):
                raise TypeError(f"merge() takes profiles, not {type(each).__name__}")
            each._need_end("merged")
            made.records.extend(each.records)
            made.seconds = max(made.seconds, each.seconds)
            made.lost += each.lost
        if any(each._rates for each in merged):  # else measured when somebody asks
            made._rates = {name: rates for each in merged for name, rates in each.rates.items()}
        made.records.sort(key=lambda record: (record.start, -record.end))
        return made

    def _need_end(self, done: str) -> None:
        """Refuses what would be empty: records are there when the block has ended."""
        if self._is_on:
            raise RuntimeError(
                f"a profile that is being taken cannot be {done}: do so after the `with` block, "
                "or stop() it first"
            )

    def __getstate__(self) -> dict[str, Any]:
        if self._is_on:
            raise TypeError("a profile that is being taken cannot be pickled: stop() it first")
        state = {**self.__dict__, "_rates": self.rates}  # those of the machine that it was taken on
        state["records"] = [_without_children(each) for each in self.records]
        return state

    def __repr__(self) -> str:
        if self._is_on:
            return "<profile, being taken>"
        return table.to_text(self)

    def _repr_html_(self) -> str:
        from . import page

        return page.to_fragment(self)


def _without_children(record: Record) -> Record:
    plain = copy.copy(record)
    plain.children = []
    return plain
