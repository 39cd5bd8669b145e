"""The options of ``phalanx.jit``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .._core import fast_math
from .._types import bridge

_ERROR_MODELS = ("python", "numpy")
# Accepted with any value, because what they ask for is the case, or only advice.
_WITHOUT_EFFECT = (
    "nopython", "forceobj", "looplift", "inline", "target", "_nrt", "no_cpython_wrapper",
    "no_cfunc_wrapper", "no_rewrites", "error_on_warning", "pipeline_class",
)  # fmt: skip


@dataclass(frozen=True)
class Options:
    """How a function is compiled; see `phalanx.jit`."""

    parallel: bool = False
    fastmath: bool | tuple[str, ...] = False
    error_model: str = "python"
    boundscheck: bool = False
    nogil: bool = False
    cache: bool = True
    debug: bool = False
    locals: tuple[tuple[str, Any], ...] = ()  # names with their types

    def front_end(self) -> dict[str, Any]:
        """What the engine's front end takes."""
        return {
            "raises_on_zero_division": self.error_model == "python",
            "checks_bounds": self.boundscheck,
            "parallel": self.parallel,
            "fastmath": fast_math.bits_of(self.fastmath),
            "locals": {name: bridge.to_engine(type_) for name, type_ in self.locals},
        }


def _check_local(name: Any, type_: Any) -> None:
    if not isinstance(name, str):
        raise TypeError(f"locals= takes names with their types, not the name {name!r}")
    try:
        bridge.to_engine(type_)
    except TypeError as error:
        raise TypeError(f"locals= takes types: {name} is {type_!r}") from error


def _read_locals(given: Any) -> tuple[tuple[str, Any], ...]:
    try:
        rows = dict(given or ())
    except (TypeError, ValueError):
        raise TypeError(
            f"locals= takes a dictionary of names with their types, not {given!r}"
        ) from None
    for name, type_ in rows.items():
        _check_local(name, type_)
    return tuple(sorted(rows.items()))


def read(options: dict[str, Any]) -> Options:
    """The options of a decorator, checked.

    Raises `TypeError` for a name that does not exist, `ValueError` for a value that an option does
    not have.
    """
    if options.get("forceobj") and options.get("nopython"):
        raise ValueError("Only one of 'nopython' or 'forceobj' can be True.")
    known = {}
    for name, value in options.items():
        if name in _WITHOUT_EFFECT:
            continue
        if name not in Options.__dataclass_fields__:
            raise TypeError(
                f"Unrecognized options: {{{name!r}}}. Known options are "
                f"{sorted(Options.__dataclass_fields__)}"
            )
        known[name] = value
    model = known.get("error_model", "python")
    if model not in _ERROR_MODELS:
        raise ValueError(f"error_model is 'python' or 'numpy', not {model!r}")
    known["fastmath"] = fast_math.read(known.get("fastmath", False))
    # Numba takes a dict of what is parallel here; any of it switches the whole on.
    known["parallel"] = bool(known.get("parallel", False))
    for name in ("boundscheck", "nogil", "debug"):
        known[name] = bool(known.get(name, False))
    known["locals"] = _read_locals(known.get("locals"))
    # Numba's default is not to cache; here every function is, unless that was refused.
    known["cache"] = known.get("cache") is not False
    return Options(**known)
