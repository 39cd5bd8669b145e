"""What users see of a compilation that takes long: a line in a terminal, and the log."""

from __future__ import annotations

import logging
import sys

_LOG = logging.getLogger("phalanx")
_Location = tuple[str, int] | None  # file and line
_shown: set[tuple[str, _Location]] = set()  # those that the log and the terminal know of


def compiling(name: str, location: _Location, seconds: float) -> None:
    """Called by the engine each second of a long compilation, from the second one on."""
    text = _text("compiling", name, location)
    if (name, location) not in _shown:
        _shown.add((name, location))
        _LOG.info("%s takes long", text)
    _terminal(f"\r{text} ... {seconds:.0f} s")


def compiled(name: str, location: _Location, seconds: float) -> None:
    """Called by the engine at the end of a long compilation."""
    _shown.discard((name, location))
    text = _text("compiled", name, location)
    _LOG.info("%s in %.1f s", text, seconds)
    _terminal(f"\r{text} in {seconds:.1f} s\033[K\n")


def made(name: str, location: _Location, seconds: dict[str, float]) -> None:
    """Called by the engine when code has been compiled, or found in the disk cache.

    `seconds` are those of each stage. Not for kernels of the engine's own, as arrays have them.
    """
    if not is_debugging():
        return
    is_found = "codegen" not in seconds
    text = _text("found in the cache" if is_found else "compiled", name, location)
    _LOG.debug("%s: %s", text, _stages(seconds))


def is_debugging() -> bool:
    """True if the log takes what `noted` has to tell."""
    return _LOG.isEnabledFor(logging.DEBUG)


def noted(
    code: str,
    device: str,
    seconds: dict[str, float],
    choice: tuple[bool, tuple[float, float], int] | None,
) -> None:
    """Called by the engine of a kernel of arrays, when that was made or got its device.

    `choice` is of the cost model: True if it chose the GPU, what it expects on the CPU device and
    on the GPU in seconds, and the bytes to copy there. Without one the stages tell what was done.
    """
    if choice is None:
        verb = "compiled" if "codegen" in seconds else "found in the cache"
        _LOG.debug("%s expression %s for %s: %s", verb, code, device, _stages(seconds))
        return
    is_on_gpu, (on_cpu, on_gpu), copied = choice
    here, there = (on_gpu, on_cpu) if is_on_gpu else (on_cpu, on_gpu)
    _LOG.debug(
        "placed expression %s on %s: %.3f ms expected there, %.3f ms on %s, %.3f MB to copy",
        code,
        device,
        here * 1e3,
        there * 1e3,
        "the CPU device" if is_on_gpu else "the GPU",
        copied * 1e-6,
    )


def _stages(seconds: dict[str, float]) -> str:
    return ", ".join(f"{stage} {taken * 1e3:.1f} ms" for stage, taken in seconds.items())


def _text(verb: str, name: str, location: _Location) -> str:
    return f"{verb} {name}" + (f" ({location[0]}:{location[1]})" if location else "")


def _terminal(text: str) -> None:
    """Shows a text to people; programs that read stderr do not get it."""
    if sys.stderr is not None and sys.stderr.isatty():
        sys.stderr.write(text)
        sys.stderr.flush()
