"""What `kernel.explain()` tells of a kernel's code."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, SupportsIndex

from .. import _engine
from .._device.names import name_of


@dataclass(frozen=True)
class Variant:
    """The code of a kernel for one tuple of types, on the current device.

    Attributes:
        types: Of the parameters.
        device: "cpu", "cpu:1" or "cuda:0".
        threads: Of a block; the figures are for blocks of that size.
        lanes: On the CPU device threads in a vector, 1 for scalar code; 0 on a GPU.
        registers: Of a thread; 0 on the CPU device.
        local_bytes, shared_bytes: Memory of a thread, and static memory of a block.
        active_blocks: Blocks that a multiprocessor runs at once.
        suggested_block: Threads of a block that give the highest occupancy.
        seconds: What each stage of its compilation took.
        advice: What the compiler says of its lines, with the file and the line.
    """

    types: tuple[str, ...]
    device: str
    threads: int
    lanes: int
    registers: int
    local_bytes: int
    shared_bytes: int
    active_blocks: int
    suggested_block: int
    seconds: dict[str, float]
    advice: tuple[tuple[str, str, int], ...]


class KernelExplanation:
    """What is known of a kernel's code, for each tuple of types; prints as text."""

    def __init__(self, name: str, variants: Sequence[Variant]) -> None:
        self.name = name
        self.variants = tuple(variants)

    def __repr__(self) -> str:
        if not self.variants:
            return f"{self.name} has not been compiled: launch it, or give it a signature"
        return "\n".join(line for each in self.variants for line in _lines(self.name, each))


def explain(
    name: str, kernels: Iterable[tuple[Any, _engine.Kernel]], block: SupportsIndex
) -> KernelExplanation:
    """Describes all kernels that were compiled, for the current device.

    Raises:
        TypeError: `block` is no whole number.
        ValueError: It is below 1.
    """
    try:
        threads = operator.index(block)
    except TypeError:
        raise TypeError(
            f"explain() takes the threads of a block, a whole number, not {type(block).__name__}: "
            "of a block of several dimensions their product"
        ) from None
    if threads < 1:
        raise ValueError(f"explain() takes the threads of a block, at least 1, not {threads}")
    device = _engine.current_device()
    made = [_variant(types, kernel, device, threads) for types, kernel in kernels]
    return KernelExplanation(name, made)


def _variant(types: Any, kernel: Any, device: _engine.Device, threads: int) -> Variant:
    facts = kernel.facts(device, threads)
    return Variant(
        types=tuple(str(each) for each in types),
        device=name_of(device),
        threads=threads,
        lanes=facts["lanes"],
        registers=facts["registers"],
        local_bytes=facts["local_bytes"],
        shared_bytes=facts["static_shared_bytes"],
        active_blocks=facts["active_blocks"],
        suggested_block=facts["suggested_block"],
        seconds={name: took for name, took in kernel.stats["seconds"].items() if took},
        advice=tuple(facts["advice"]),
    )


def _lines(name: str, each: Variant) -> list[str]:
    lines = [f"{name}({', '.join(each.types)}) on {each.device}, blocks of {each.threads} threads"]
    if each.device.startswith("cpu"):
        vectors = "scalar code" if each.lanes <= 1 else f"vectors of {each.lanes} threads"
        lines.append(f"  {vectors}; suggested block: {each.suggested_block}")
    else:
        resident = each.active_blocks * each.threads
        lines.append(
            f"  {each.registers} registers a thread, {resident} threads on a multiprocessor; "
            f"suggested block: {each.suggested_block}"
        )
    lines.append(
        f"  {each.local_bytes} bytes of local memory a thread, {each.shared_bytes} of shared "
        "memory a block"
    )
    stages = ", ".join(f"{stage} {took * 1e3:.3g} ms" for stage, took in each.seconds.items())
    lines.append(f"  {stages}" if stages else "  not timed")
    lines += [f"  {path}:{line}: {text}" for text, path, line in each.advice]
    return lines
