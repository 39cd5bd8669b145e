"""Prints the stages of each kernel that is compiled, where numba's ``NUMBA_DUMP_*`` ask for it."""

from __future__ import annotations

from collections.abc import Callable

from .. import _engine
from .._core.config import setting

Stage = Callable[[_engine.Kernel, _engine.Device], object]

# The setting of numba.config, the headline, and the stage.
_STAGES: tuple[tuple[str, str, Stage], ...] = (
    ("DUMP_IR", "IR DUMP: {name}", lambda kernel, _: kernel.module),
    ("DUMP_LLVM", "LLVM DUMP {name}", lambda kernel, device: kernel.llvm(device, optimized=False)),
    ("DUMP_OPTIMIZED", "OPTIMIZED DUMP {name}", lambda kernel, device: kernel.llvm(device)),
    ("DUMP_ASSEMBLY", "ASSEMBLY {name}", lambda kernel, device: kernel.assembly(device)),
)


def dump(name: str, kernel: _engine.Kernel) -> None:
    """Prints what is requested: Phalanx's IR, LLVM's IR, and PTX or x86 assembly."""
    wanted = [row for row in _STAGES if setting(row[0])]
    if not wanted:
        return
    device = _engine.current_device()
    for _, headline, stage in wanted:
        print(headline.format(name=name).center(80, "-"))
        print(stage(kernel, device))
        print("=" * 80)
