"""Functions of times that NumPy computes on the host: business days, and times as text."""

from __future__ import annotations

from typing import Any

from . import host, outputs


def busday_count(
    begindates: Any, enddates: Any, *options: Any, out: Any = None, **named: Any
) -> Any:
    """The number (int64) of business days from one day to before another one.

    `weekmask`, `holidays` and `busdaycal` are NumPy's.

    >>> px.busday_count("2026-01-01", "2026-02-01")
    array(22)
    """
    return _run("busday_count", out, begindates, enddates, *options, **named)


def busday_offset(dates: Any, offsets: Any, *options: Any, out: Any = None, **named: Any) -> Any:
    """The day so many business days later. Raises `ValueError` for a day that is none.

    `roll`, `weekmask`, `holidays` and `busdaycal` are NumPy's.

    >>> px.busday_offset("2026-01-03", 0, roll="forward")
    array('2026-01-05', dtype='datetime64[D]')
    """
    return _run("busday_offset", out, dates, offsets, *options, **named)


def is_busday(dates: Any, *options: Any, out: Any = None, **named: Any) -> Any:
    """Where a day is a business day; `weekmask`, `holidays` and `busdaycal` are NumPy's.

    >>> bool(px.is_busday("2026-01-03"))
    False
    """
    return _run("is_busday", out, dates, *options, **named)


def datetime_as_string(
    arr: Any, unit: Any = None, timezone: Any = "naive", casting: str = "same_kind"
) -> Any:
    """The points in time as text, in an array of NumPy's, as ours have no text.

    >>> px.datetime_as_string(np.datetime64("2026-01-02T03:04"), unit="h")
    np.str_('2026-01-02T03')
    """
    return _numpy("datetime_as_string")(host.as_host(arr), unit, timezone, casting)


def _run(name: str, out: Any, *args: Any, **named: Any) -> Any:
    return outputs.store(out, host.run(_numpy(name), *args, **named), name=name)


def _numpy(name: str) -> Any:
    import numpy as np

    return getattr(np, name)
