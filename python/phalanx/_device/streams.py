"""Streams and events."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from .. import _engine
from .._core.cards import card


class Stream:
    """An in-order queue of work on one device.

    On the CPU device work is done when it is queued, but for streams made with ``overlap=True``.

    >>> stream = cuda.stream()
    >>> x = cuda.to_device(np.arange(3.0), stream=stream)
    >>> host = x.copy_to_host(stream=stream)
    >>> stream.synchronize()
    >>> host
    array([0., 1., 2.])
    """

    def __init__(self, engine_stream: _engine.Stream, handle: int | None = None) -> None:
        self._stream: _engine.Stream | None = engine_stream
        self._handle = handle  # of a stream made elsewhere

    def _open(self) -> _engine.Stream:
        if self._stream is None:
            raise ValueError("the stream is closed: make another one with cuda.stream()")
        return self._stream

    @property
    def handle(self) -> int:
        """The driver's handle, 0 for the default stream."""
        return int(self._open().handle) if self._handle is None else self._handle

    @property
    def external(self) -> bool:
        """Returns whether the stream was made elsewhere, and its maker keeps it alive."""
        return self._handle is not None

    def synchronize(self) -> None:
        """Waits for the queued work; raises the first error of it."""
        self._open().synchronize()

    def close(self) -> None:
        """Gives the stream up: what is queued still runs, and its use raises `ValueError`.

        Launches that were configured with it (``kernel[grid, block, stream]``) keep it.
        """
        self._stream = None

    @contextlib.contextmanager
    def auto_synchronize(self) -> Iterator[Stream]:
        """A ``with`` block at whose end the stream is synchronised, unless an error leaves it."""
        yield self
        self.synchronize()

    def add_callback(self, callback: Callable[..., None], arg: Any = None) -> None:
        """Calls ``callback(stream, status, arg)`` on another thread once the queue is here.

        Raises `TypeError` for what cannot be called.
        """
        if not callable(callback):
            raise TypeError(f"a callback is called with (stream, status, arg), not {callback!r}")
        self._open().add_callback(lambda: callback(self, 0, arg))

    async def async_done(self) -> Stream:
        """Awaits the work queued so far."""
        import asyncio

        loop = asyncio.get_running_loop()
        done = loop.create_future()

        def finish() -> None:
            if not done.done():
                done.set_result(self)

        self._open().add_callback(lambda: loop.call_soon_threadsafe(finish))
        return await done  # type: ignore[no-any-return]

    def __int__(self) -> int:
        return self.handle

    def __bool__(self) -> bool:
        return self.handle != 0

    def __eq__(self, other: object) -> bool:
        if isinstance(other, int):  # a handle; 0 names the default stream
            return self.handle == other
        return isinstance(other, Stream) and self.handle == other.handle

    def __hash__(self) -> int:
        return hash(self.handle)

    def __repr__(self) -> str:
        if self._stream is None:
            return "<closed CUDA stream>"
        kind = {0: "Default ", 1: "Legacy default ", 2: "Per-thread default "}.get(self.handle, "")
        return f"<{kind}CUDA stream {self.handle}>" if not kind else f"<{kind}CUDA stream>"

    def _repr_html_(self) -> str:
        rows = [] if self._stream is None else _stream_rows(self._stream, self)
        return card(repr(self).strip("<>"), rows)


def _stream_rows(engine_stream: _engine.Stream, shown: Stream) -> list[tuple[str, object]]:
    return [
        ("device", engine_stream.device.name),
        ("handle", hex(shown.handle)),
        ("made by", "another library" if shown.external else None),
    ]


def stream(*, overlap: bool = False) -> Stream:
    """A new stream of the calling thread's device.

    With `overlap`, calls return at once on the CPU device too, as they do on a GPU: a thread of
    the stream does copies, fills and launches in order, beside the program and other streams. Then

    - errors of kernels are raised by `synchronize` of the stream or the device,
    - copies from and to the host return at once for pinned memory only,
    - launches that take arrays of the host wait for the end,
    - work without a stream waits for what such streams were given before.

    On a GPU `overlap` changes nothing.

    >>> with cuda.stream().auto_synchronize() as stream:
    ...     x = cuda.to_device(np.ones(3), stream=stream)
    """
    return Stream(_engine.current_device().stream("queued" if overlap else "blocking"))


def default_stream() -> Stream:
    """The stream that work without a stream goes to.

    >>> cuda.default_stream()
    <Default CUDA stream>
    """
    return Stream(_engine.current_device().default_stream)


legacy_default_stream = default_stream


def per_thread_default_stream() -> Stream:
    """The calling thread's own default stream, for `kernel[blocks, threads, stream]`.

    >>> @cuda.jit
    ... def double(values):
    ...     values[cuda.grid(1)] *= 2
    >>> stream = cuda.per_thread_default_stream()
    >>> values = cuda.to_device(np.arange(3))
    >>> double[1, 3, stream](values)
    >>> stream.synchronize()
    >>> values.copy_to_host()
    array([0, 2, 4])
    """
    return Stream(_engine.current_device().stream("per_thread_default"))


def external_stream(ptr: int) -> Stream:
    """A stream made elsewhere, by the driver's handle; its maker keeps it alive.

    Raises `TypeError` for what is no handle.

    >>> cuda.external_stream(0)
    <Default CUDA stream>
    """
    if not isinstance(ptr, int) or ptr < 0:
        raise TypeError(f"a stream's handle is a whole number, not {ptr!r}")
    return Stream(_engine.current_device().external_stream(ptr), ptr)


def engine_stream(given: Any) -> _engine.Stream | None:
    """The engine's stream of what callers pass as a stream; ``None`` for the default one."""
    if given is None or (isinstance(given, int) and given == 0):
        return None
    if isinstance(given, Stream):
        return given._open()
    if isinstance(given, _engine.Stream):
        return given
    if isinstance(given, int):
        return _engine.current_device().external_stream(given)
    raise TypeError(f"stream must be a stream made by cuda.stream() or 0, not {given!r}")


class Event:
    """A point in a stream's queue, with its time unless made with ``timing=False``.

    >>> first, last = cuda.event(), cuda.event()
    >>> first.record()
    >>> last.record()
    >>> last.synchronize()
    >>> first.elapsed_time(last) >= 0
    True
    """

    def __init__(self, timing: bool = True) -> None:
        self._event = _engine.current_device().event(timing)
        self._has_time = timing

    @property
    def handle(self) -> int:
        """The driver's handle."""
        return int(self._event.handle)

    def record(self, stream: Any = 0) -> None:
        """Marks this point of the stream's queue.

        >>> stream, event = cuda.stream(), cuda.event()
        >>> event.record(stream)
        >>> event.synchronize()
        >>> event.query()
        True
        """
        self._event.record(_stream_of(stream))

    def wait(self, stream: Any = 0) -> None:
        """Makes work queued to the stream from now on wait for the event.

        >>> stream, event = cuda.stream(), cuda.event()
        >>> event.record(stream)
        >>> event.wait(stream)
        """
        _stream_of(stream).wait(self._event)

    def query(self) -> bool:
        """Returns whether all work before the event is done.

        >>> stream, event = cuda.stream(), cuda.event()
        >>> event.record(stream)
        >>> event.synchronize()
        >>> event.query()
        True
        """
        return bool(self._event.query())

    def synchronize(self) -> None:
        """Waits until all work before the event is done.

        >>> stream, event = cuda.stream(), cuda.event()
        >>> event.record(stream)
        >>> event.synchronize()
        """
        self._event.synchronize()

    def elapsed_time(self, evtend: Event) -> float:
        """Milliseconds from this event to `evtend`.

        Raises `ValueError` for events without times, and before both were recorded.

        >>> start, end = cuda.event(), cuda.event()
        >>> start.record()
        >>> end.record()
        >>> end.synchronize()
        >>> start.elapsed_time(end) >= 0
        True
        """
        if not isinstance(evtend, Event):
            raise TypeError(f"the time is taken between two events, not to {evtend!r}")
        if not (self._has_time and evtend._has_time):
            raise ValueError("an event made with timing=False has no time")
        return float(evtend._event.elapsed_ms_since(self._event))

    def __repr__(self) -> str:
        return f"<CUDA event {self.handle}{'' if self._has_time else ' without time'}>"


def _stream_of(given: Any) -> _engine.Stream:
    return engine_stream(given) or _engine.current_device().default_stream


def event(timing: bool = True) -> Event:
    """A new event of the calling thread's device.

    >>> cuda.event().query()
    True
    """
    return Event(timing)


def event_elapsed_time(evtstart: Event, evtend: Event) -> float:
    """Milliseconds between two recorded events.

    >>> first, last = cuda.event(), cuda.event()
    >>> first.record(), last.record()
    (None, None)
    >>> last.synchronize()
    >>> cuda.event_elapsed_time(first, last) >= 0
    True
    """
    return evtstart.elapsed_time(evtend)
