"""The options of ``cuda.jit``, checked once at decoration."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .._core import check as _check
from .._core import fast_math
from .._core.config import setting
from .._core.warnings import warn
from ..errors import DeprecationError

# Options that numba.cuda had once, with what to use instead.
_GONE = {
    "argtypes": "give a signature: cuda.jit('void(float32[:])')",
    "restype": "give a signature: cuda.jit('void(float32[:])')",
    "bind": "kernels are bound when they are launched first",
}

# Accepted for compatibility; they change how numba.cuda compiles, not what the kernel computes.
_WITHOUT_EFFECT = frozenset(
    ("inline", "forceinline", "lto", "shared_memory_carveout", "extensions", "nopython", "abi",
     "abi_info", "no_cpython_wrapper", "no_cfunc_wrapper")
)  # fmt: skip

# Of those and of the ones that are read otherwise, what messages name.
_PUBLIC = (
    "extensions", "forceinline", "inline", "launch_bounds", "lto", "shared_memory_carveout"
)  # fmt: skip


# The options with what they are when not given. No dataclass: importing that costs 10 ms.
_DEFAULTS: dict[str, Any] = {
    "device": False,
    "fastmath": False,
    "debug": False,
    "lineinfo": False,
    "check": frozenset(),
    "contract": True,
    "opt": 3,
    "max_registers": 0,
    "max_threads": 0,
    "min_blocks": 0,
    "cache": True,
    "link": (),
}


class Options:
    """What a kernel is compiled with.

    `contract` lets ``a * b + c`` become one fused multiply-add, as CUDA does by default.
    """

    device: bool
    fastmath: bool | tuple[str, ...]  # True, or names of flags
    debug: bool
    lineinfo: bool
    check: frozenset[str]
    contract: bool
    opt: int
    max_registers: int
    max_threads: int
    min_blocks: int
    cache: bool
    link: Sequence[Any]  # LinkableCode
    others: dict[str, Any]

    def __init__(self) -> None:
        self.__dict__.update(_DEFAULTS)
        self.others = {}

    def frontend_options(self) -> dict[str, bool]:
        """The keyword arguments of the front end."""
        categories = ("unassigned", "bounds")
        return {"debug": self.debug, **{each: each in self.check for each in categories}}

    def engine_options(self) -> dict[str, Any]:
        """The keyword arguments of the engine's `Kernel`."""
        return {
            "contract": self.contract,
            "fastmath": fast_math.bits_of(self.fastmath),
            "debug": self.debug,
            "lineinfo": self.lineinfo,
            "checks": _check.bits_of(self.check),
            "optimization": self.opt,
            "max_registers": self.max_registers,
            "max_threads": self.max_threads,
            "min_blocks": self.min_blocks,
            "cache": self.cache,
        }


def read(given: dict[str, Any]) -> Options:
    """Checks the keyword arguments of a decorator.

    Raises `TypeError` for a name that does not exist, `ValueError` for an impossible value,
    `DeprecationError` for options that are gone and `NotImplementedError` for what is not there.
    """
    given = dict(given)
    for name, instead in _GONE.items():
        if name in given:
            raise DeprecationError(f"cuda.jit no longer takes {name}=: {instead}")
    options = Options()
    options.check = _check.read(given.pop("check", None))
    if given.pop("boundscheck", False):
        raise NotImplementedError(
            "bounds checking is not supported for CUDA under this name; check=True checks bounds"
        )
    options.link = _linked(given.pop("link", None))
    options.device = bool(given.pop("device", False))
    options.fastmath = fast_math.read(given.pop("fastmath", False))
    debug = given.pop("debug", None)
    options.debug = bool(setting("CUDA_DEBUGINFO_DEFAULT", 0) if debug is None else debug)
    options.lineinfo = bool(given.pop("lineinfo", False))
    options.contract = bool(given.pop("contract", True))
    options.cache = given.pop("cache", True) is not False
    options.opt = _optimization(given.pop("opt", None), options.debug)
    options.max_registers = _count("max_registers", given.pop("max_registers", None))
    options.max_threads, options.min_blocks = _launch_bounds(given.pop("launch_bounds", None))
    _check_inline(given.get("inline"))
    _check_carveout(given.get("shared_memory_carveout"))
    options.others = {name: given.pop(name) for name in list(given) if name in _WITHOUT_EFFECT}
    if given:
        known = sorted({*_DEFAULTS, *_PUBLIC} - {"max_threads", "min_blocks"})
        raise TypeError(f"cuda.jit has no option {sorted(given)[0]!r}; it takes {', '.join(known)}")
    if options.debug and options.lineinfo:
        _warn("debug and lineinfo are mutually exclusive. Use debug to get full debug info (this "
              "disables some optimizations), or lineinfo for line info only with code generation "
              "unaffected.")  # fmt: skip
    return options


def _optimization(value: Any, debug: bool) -> int:
    if value is None:
        value = int(setting("OPT", 3))
    if value is True and debug:
        _warn(
            "debug=True with opt=True is not supported by CUDA: exceptions may be found later than "
            "they happen. Use debug=True, opt=False."
        )
    if isinstance(value, bool):
        return 3 if value else 0
    if isinstance(value, int) and 0 <= value <= 3:
        return value
    raise ValueError(f"opt must be a bool or 0 to 3, not {value!r}")


def _linked(value: Any) -> Sequence[Any]:
    if not value:
        return ()
    from .link import as_list

    return as_list(value)


def _count(name: str, value: Any) -> int:
    if value is None:
        return 0
    if isinstance(value, int) and value > 0:
        return value
    raise ValueError(f"{name} must be a positive whole number, not {value!r}")


def _check_inline(value: Any) -> None:
    """A wish that our compiler does not need: device functions are inlined where it pays."""
    if isinstance(value, str) and value not in ("never", "always"):
        raise ValueError(f"inline must be 'never' or 'always', not {value!r}")


def _check_carveout(value: Any) -> None:
    """The part of the L1 cache that becomes shared memory: a preference, which changes no result.

    Raises `ValueError` for what is neither -1 to 100 nor a name.
    """
    if isinstance(value, str):
        if value.lower() not in ("default", "maxl1", "maxshared"):
            raise ValueError(
                f"Invalid carveout value: {value!r}; it is 'default', 'MaxL1' or 'MaxShared'"
            )
    elif value is not None and not -1 <= value <= 100:
        raise ValueError(f"shared_memory_carveout must be between -1 and 100, not {value!r}")


def _launch_bounds(value: Any) -> tuple[int, int]:
    """(most threads a block, fewest blocks a multiprocessor); 0 where not given."""
    if value is None:
        return 0, 0
    parts = value if isinstance(value, tuple) else (value,)
    if not 1 <= len(parts) <= 3:
        raise ValueError(
            f"Got {len(parts)} launch bounds: {value!r}. launch_bounds takes one to three: threads "
            "a block, blocks a multiprocessor, blocks a cluster"
        )
    counts = [_count("launch_bounds", part) for part in parts]
    return counts[0], counts[1] if len(counts) > 1 else 0


def _warn(message: str) -> None:
    warn("OptionWarning", message)
