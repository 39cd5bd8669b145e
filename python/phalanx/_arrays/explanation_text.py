"""An explanation as a table of text."""

from __future__ import annotations

from collections.abc import Sequence

from .explanation import Kernel

HEAD = ("", "kernel", "result", "read", "written", "operations", "expected", "took", "on", "")
_LONGEST = 60  # characters of what a kernel computes, in a row


def amount(number: int, unit: str = "") -> str:
    """A count with three digits and a prefix: ``1.23 G``; `unit` follows the prefix."""
    value = float(number)
    for prefix in ("", "k", "M", "G", "T"):
        if value < 999.5 or prefix == "T":
            digits = f"{value:.0f}" if prefix == "" or value >= 99.95 else f"{value:.3g}"
            return f"{digits} {prefix}{unit}".rstrip()
        value /= 1000
    return ""


def duration(seconds: float | None) -> str:
    """Seconds with three digits and a prefix; an empty text for None."""
    if seconds is None:
        return ""
    for scale, unit in ((1, "s"), (1e-3, "ms"), (1e-6, "us")):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds * 1e9:.0f} ns"


def shortened(code: str) -> str:
    """The code, without its middle where it is too long for a row."""
    if len(code) <= _LONGEST:
        return code
    half = (_LONGEST - 5) // 2
    return f"{code[:half]} ... {code[-half:]}"


def result_of(kernel: Kernel) -> str:
    """The dtype and shape of what the kernel makes."""
    more = f" and {kernel.results - 1} more" if kernel.results > 1 else ""
    return f"{kernel.dtype} {kernel.shape}{more}"


def inputs_of(kernel: Kernel) -> str:
    """Where the operands come from: ``a: kernel 1, b: float32 (3,)``."""
    return ", ".join(
        f"kernel {each.kernel}" if each.kernel else f"{each.dtype} {each.shape}"
        for each in kernel.inputs
    )


def chunks_of(kernel: Kernel) -> str:
    """How a kernel ran whose operands did not fit the memory; an empty text for others."""
    if not kernel.chunks:
        return ""
    return f"; in {kernel.chunks} chunks, {amount(kernel.copied_bytes, 'B')} copied"


def placed_of(kernel: Kernel) -> str:
    """Why the kernel is on its device; an empty text where that was not chosen."""
    if kernel.placed is None:
        return ""
    times, copies = kernel.placed.expected_seconds, kernel.placed.copied_bytes
    if times is None or copies is None:
        return "; auto: too little for a GPU"
    sides = (
        f"{duration(time)} on {name}" + (f" with {amount(copied, 'B')} to copy" if copied else "")
        for name, time, copied in zip(("cpu", "cuda"), times, copies, strict=True)
    )
    paid = ", of which kernels before have lost as much" if kernel.placed.is_paid_for else ""
    return f"; auto: {', '.join(sides)}{paid}"


def row_of(kernel: Kernel) -> tuple[str, ...]:
    """The cells of the kernel's row."""
    return (
        str(kernel.number),
        shortened(kernel.code),
        result_of(kernel),
        amount(kernel.bytes_read, "B"),
        amount(kernel.bytes_written, "B"),
        amount(kernel.operations),
        duration(kernel.expected_seconds),
        duration(kernel.seconds),
        kernel.device,
        "ran" if kernel.has_run else "will run",
    )


def to_text(title: str, kernels: Sequence[Kernel]) -> str:
    """The title, a row for each kernel, and below it why it is one and what it reads."""
    if not kernels:
        return f"{title}: no kernel; it was given, or others have run since"
    rows = [HEAD, *map(row_of, kernels)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(HEAD))]
    lines = [title]
    for row, kernel in zip(rows, (None, *kernels), strict=True):
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        lines.append("  ".join(cells).rstrip())
        if kernel is not None:
            indent = " " * (widths[0] + 4)
            reads = inputs_of(kernel) or "nothing"
            lines.append(
                f"{indent}reads {reads}; {kernel.why}{chunks_of(kernel)}{placed_of(kernel)}"
            )
    return "\n".join(lines)
