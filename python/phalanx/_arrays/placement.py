"""Where arrays are made: the current device, and those that functions are given as `device=`."""

from __future__ import annotations

import importlib
import threading
from typing import Any

from .. import _engine
from .._device.names import name_of as name_of

AUTO = "auto"  # the name for whichever device takes least time


class _Chosen(threading.local):
    """The device that the thread has chosen for new arrays; None: whichever its operands have."""

    device: _engine.Device | None = None

    def __init__(self) -> None:
        # What was current before each of the thread's `with` statements, outermost first.
        self.before: list[tuple[_engine.Device, _engine.Device | None, bool]] = []


_chosen = _Chosen()


def remember_current() -> None:
    """Notes the thread's current device for `go_back`, which the same thread calls."""
    _chosen.before.append((_engine.current_device(), _chosen.device, _engine.is_automatic()))


def go_back() -> None:
    """Makes that current again which was at the last `remember_current` of this thread."""
    before, _chosen.device, is_automatic = _chosen.before.pop()
    _engine.set_current_device(before)
    _engine.set_automatic(is_automatic)


class device:
    """A device by its name, ``"cpu"``, ``"cuda"``, ``"cuda:1"``: where new arrays are made.

    As a context manager it is the thread's current device inside; `use` makes it that from now on.
    Arrays stay where they are, and what is computed of them is there too.

    ``"auto"`` is the CPU device or the GPU: each kernel runs where it takes least time by rates
    that were measured once, copies included, and arrays move there when that pays. Arrays that are
    made so meet those of any device.

    Raises `ValueError` for a name without a device, `TypeError` for what is no name.

    >>> px.device("cpu")
    device('cpu')
    """

    def __init__(self, name: Any) -> None:
        is_auto = name == AUTO or (isinstance(name, device) and name._device is None)
        found = None if is_auto else engine_device(name)
        if found is None and not is_auto:
            raise TypeError("a device is given by its name, not as NoneType")
        self._device: _engine.Device | None = found  # None: "auto"

    @property
    def name(self) -> str:
        """The name that `device` takes."""
        return AUTO if self._device is None else name_of(self._device)

    def use(self) -> device:
        """Makes it the thread's current device; gives itself."""
        if self._device is not None:
            _engine.set_current_device(self._device)
        _engine.set_automatic(self._device is None)
        _chosen.device = self._device
        return self

    def __enter__(self) -> device:
        remember_current()
        return self.use()

    def __exit__(self, *_: object) -> None:
        go_back()

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (str, device)):
            return self.name == str(other)
        return False

    def __hash__(self) -> int:
        return hash(self.name)

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"device({self.name!r})"


def devices(*names: Any) -> Any:
    """A list of all devices of this machine, the CPU device among them.

    With ``"all"``, or the names of some, the `DeviceGroup` over which arrays are spread: of
    ``"all"`` every GPU, and every CPU device where there is none. Raises ValueError for a name
    without a device.

    >>> px.device("cpu") in px.devices()
    True
    """
    if names:
        # What stands on all of the arrays is found by its name.
        return importlib.import_module(".spread.group", __package__).named(*names)
    return [device(name_of(each)) for each in _engine.devices()]


def current_device() -> device:
    """Where this thread makes new arrays.

    >>> px.current_device() in px.devices()
    True
    """
    return device(AUTO if _engine.is_automatic() else name_of(_engine.current_device()))


def home() -> _engine.Device:
    """Where this thread brings what comes from the host: "auto" leaves it there."""
    return _engine.device("cpu") if _engine.is_automatic() else _engine.current_device()


def of_new_array(device: Any) -> _engine.Device | None:
    """The engine's device of a name; without one that which the thread has chosen, if any.

    An array of numbers that is made while none is chosen comes to where its operands are.
    """
    return _chosen.device if device is None else engine_device(device)


def engine_device(device: Any) -> _engine.Device | None:
    """The engine's device of a name such as ``"cpu"`` or ``"cuda:1"``, or of an object for one.

    None for None, and for "auto" in a thread that has chosen it. Raises `ValueError` for a name
    without a device, `TypeError` for other objects.
    """
    if device is None or isinstance(device, _engine.Device):
        return device
    if str(device) == AUTO:
        if _engine.is_automatic():
            return None
        raise ValueError(
            "device='auto' is for threads that have chosen it: with phalanx.device('auto'): ..."
        )
    if isinstance(device, str):
        kind, _, number = device.partition(":")
        for each in _engine.devices():
            if each.kind == kind and str(each.ordinal) == (number or "0"):
                return each
        hint = _HINTS.get(kind, "").format(int(number) + 1 if number.isdecimal() else "N")
        raise ValueError(f"there is no device {device!r}; there are {names()}{hint}")
    inner = getattr(device, "_device", None)  # phalanx.cuda's object for one
    if isinstance(inner, _engine.Device):
        return inner
    raise TypeError(f"a device is given by its name, not as {type(device).__name__}")


_HINTS = {
    "cpu": "; with PHALANX_CPU_DEVICES={} there is",
    "cuda": "; python -m phalanx info says what keeps a GPU from being found",
}


def names() -> str:
    """The names of all devices, for messages."""
    return ", ".join(map(repr, map(name_of, _engine.devices())))


def lies_on(thing: Any) -> _engine.Device | None:
    """Where an array of ours is, or what has such, as frames; None where nothing ties it."""
    if isinstance(thing, _engine.Array):
        return thing._known_device
    ask = getattr(type(thing), "_lies_on", None)
    return None if ask is None else ask(thing)


def is_same(one: _engine.Device, other: _engine.Device) -> bool:
    """Returns whether two objects are of one device."""
    return one is other or (one.kind, one.ordinal) == (other.kind, other.ordinal)


def is_elsewhere(device: _engine.Device) -> bool:
    """Returns whether a device is not this thread's current one; never where that is "auto"."""
    return not _engine.is_automatic() and not is_same(device, _engine.current_device())
