"""``cupy.cuda.stream``: streams, events and graphs, on those of `phalanx.cuda`.

What arrays compute goes to the default stream of their device, whichever stream is current: in
order, so that programs with several streams have right results.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from typing import Any

from .. import cuda


class Stream:
    """A stream of the current device; as a context manager the current one inside."""

    null: Stream
    ptds: Stream

    priority = 0  # of all streams, whatever was asked for
    _recorded: cuda.Graph | None = None

    def __init__(
        self,
        null: bool = False,
        non_blocking: bool = False,
        ptds: bool = False,
        priority: int | None = None,
    ) -> None:
        if null:
            self._own = cuda.default_stream()
        else:
            self._own = cuda.per_thread_default_stream() if ptds else cuda.stream()
        self._before: list[Stream] = []

    @classmethod
    def from_external(cls, obj: Any) -> ExternalStream:
        """The stream of another library's object, by its `__cuda_stream__`.

        Raises `TypeError` for an object without one, or of another version of the protocol than 0.
        """
        find = getattr(obj, "__cuda_stream__", None)
        if find is None:
            raise TypeError(f"{type(obj).__name__} has no __cuda_stream__")
        version, handle = find() if callable(find) else find
        if version != 0:
            raise TypeError(f"version {version} of __cuda_stream__ is not known")
        return ExternalStream(int(handle))

    @property
    def ptr(self) -> int:
        """The driver's handle."""
        return int(self._own.handle)

    @property
    def done(self) -> bool:
        """Returns whether all work of the stream is done."""
        return _recorded(self).done

    def __cuda_stream__(self) -> tuple[int, int]:
        return 0, self.ptr

    def synchronize(self) -> None:
        """Waits until all work of the stream is done."""
        self._own.synchronize()

    def record(self, event: Event | None = None) -> Event:
        """Marks this point of the stream's queue, in a new event if none is given."""
        marked = Event() if event is None else event
        marked.record(self)
        return marked

    def wait_event(self, event: Event) -> None:
        """Makes later work of the stream wait for the event."""
        event._own.wait(self._own)

    def add_callback(self, callback: Callable[..., Any], arg: Any) -> None:
        """Calls ``callback(stream, 0, arg)`` when the work so far is done."""
        self._own.add_callback(lambda _, status, given: callback(self, status, given), arg)

    def launch_host_func(self, callback: Callable[[Any], Any], arg: Any) -> None:
        """Calls ``callback(arg)`` when the work so far is done."""
        self._own.add_callback(lambda _, __, given: callback(given), arg)

    def use(self) -> Stream:
        """Makes it the thread's current stream; gives itself."""
        _local.stream = self
        return self

    def __enter__(self) -> Stream:
        self._before.append(get_current_stream())
        return self.use()

    def __exit__(self, *details: object) -> None:
        self._before.pop().use()

    def begin_capture(self, mode: int | None = None) -> None:
        """Records what this thread launches, on whichever stream, until `end_capture`.

        `mode` says what other threads may do meanwhile; here it makes no difference. Raises
        `RuntimeError` on a default stream, and `ValueError` while the thread records another graph.
        """
        if self.ptr in (0, 1, 2):
            raise RuntimeError("cannot capture on a default stream: use a stream of its own")
        recorded = cuda.graph()
        recorded.__enter__()
        self._recorded = recorded

    def end_capture(self) -> Graph:
        """Ends the capture; gives the graph. Raises `RuntimeError` where there is none."""
        if self._recorded is None:
            raise RuntimeError("the stream captures nothing: call begin_capture() before")
        recorded = self._recorded
        recorded.__exit__(None)  # which another thread than the one that began it cannot
        self._recorded = None
        return Graph._of(recorded)

    def __del__(self) -> None:
        if self._recorded is not None:  # nobody else can end the capture
            with contextlib.suppress(ValueError):  # of another thread
                self._recorded.__exit__(RuntimeError)

    def is_capturing(self) -> bool:
        """Returns whether `begin_capture` was called, and `end_capture` was not."""
        return self._recorded is not None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stream) and self.ptr == other.ptr

    def __hash__(self) -> int:
        return hash(self.ptr)

    def __repr__(self) -> str:
        return f"<Stream {self.ptr}>"


BaseStream = Stream


class ExternalStream(Stream):
    """A stream that somebody else has made and keeps."""

    def __init__(self, ptr: int, device_id: int = -1) -> None:
        self._own = cuda.external_stream(ptr)
        self._before = []


class _Null(Stream):
    """The default stream of whichever device is current."""

    def __init__(self, ptds: bool) -> None:
        self._is_own = ptds
        self._before = []

    @property
    def _own(self) -> Any:  # type: ignore[override]
        return cuda.per_thread_default_stream() if self._is_own else cuda.default_stream()

    @property
    def ptr(self) -> int:
        """The driver's handle of a default stream."""
        return 2 if self._is_own else 0


Stream.null, Stream.ptds = _Null(False), _Null(True)


class _Local(threading.local):
    stream: Stream = Stream.null


_local = _Local()


def get_current_stream(device_id: int = -1) -> Stream:
    """The thread's current stream."""
    return _local.stream


class Event:
    """A point in a stream's queue."""

    def __init__(
        self, block: bool = False, disable_timing: bool = False, interprocess: bool = False
    ) -> None:
        if interprocess:
            raise NotImplementedError("events of phalanx are not shared between processes")
        self._own = cuda.event(timing=not disable_timing)

    @property
    def ptr(self) -> int:
        """The driver's handle."""
        return self._own.handle

    @property
    def done(self) -> bool:
        """Returns whether all work before the event is done."""
        return self._own.query()

    def record(self, stream: Stream | None = None) -> None:
        """Marks this point of the stream's queue, by default of the current one."""
        self._own.record((stream or get_current_stream())._own)

    def synchronize(self) -> None:
        """Waits until all work before the event is done."""
        self._own.synchronize()


def _recorded(stream: Stream) -> Event:
    """An event that is recorded now."""
    return stream.record(Event(disable_timing=True))


def get_elapsed_time(start_event: Event, end_event: Event) -> float:
    """Milliseconds between two recorded events."""
    return start_event._own.elapsed_time(end_event._own)


class Graph:
    """What a stream has captured: `Stream.end_capture` makes them."""

    _recorded: cuda.Graph

    def __init__(self, *args: Any, **options: Any) -> None:
        raise RuntimeError("currently this class can only be instantiated via stream capture")

    @classmethod
    def _of(cls, recorded: cuda.Graph) -> Graph:
        made = object.__new__(cls)
        made._recorded = recorded
        return made

    def launch(self, stream: Stream | None = None) -> None:
        """Does all of it on a stream, by default on the current one."""
        self._recorded.launch((stream or get_current_stream())._own)

    def upload(self, stream: Stream | None = None) -> None:
        """Does nothing: a graph is on the device from its making on."""

    def __repr__(self) -> str:
        return f"<Graph of {len(self._recorded)} operations>"
