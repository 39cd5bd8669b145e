"""Copies of strided arrays on the CPU device beside NumPy's `copyto`: prints a Markdown table.

    python bench/copies.py [--output FILE]

Both sides run in turn in one process; NumPy has one thread, and so has ours with
`PHALANX_NUM_THREADS=1`.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import numpy as np
from _measure import Row, cpu_name, medians, report, versions

# Name, shape, the source's order of dimensions, and what the view of each side leaves out.
CASES: dict[str, tuple[tuple[int, ...], tuple[int, ...], Any]] = {
    "same order": ((2000, 2000), (0, 1), np.s_[:, :]),
    "transposed": ((2000, 2000), (1, 0), np.s_[:, :]),
    "transposed, powers of two": ((2048, 2048), (1, 0), np.s_[:, :]),
    "last dimension first": ((3, 1200, 1200), (1, 2, 0), np.s_[:, :, :]),
    "rows with gaps": ((2000, 2000), (0, 1), np.s_[:, :1900]),
    "every second": ((2000, 2000), (0, 1), np.s_[:, ::2]),
    "reversed": ((2000, 2000), (0, 1), np.s_[::-1, ::-1]),
    "small, transposed": ((16, 16), (1, 0), np.s_[:, :]),
}


def rows_of(name: str, dtype: np.dtype[Any]) -> Row:
    """One case: the engine's copy into a C array, and NumPy's."""
    from phalanx._types.bridge import to_engine

    from phalanx import _engine

    shape, order, part = CASES[name]
    memory = np.zeros([shape[axis] for axis in order], dtype)
    source = memory.transpose(np.argsort(order))[part]
    target = np.zeros(shape, dtype)[part]
    device = _engine.device("cpu")
    element = to_engine(dtype)

    def view(array: Any) -> Any:
        address = array.__array_interface__["data"][0]
        return _engine.DeviceArray(
            address, array.shape, array.strides, element, array, device=device
        )

    to, from_ = view(target), view(source)
    count = max(1, 20000 // source.size)

    def ours() -> None:
        for _ in range(count):
            to.copy_from(from_)

    def theirs() -> None:
        for _ in range(count):
            np.copyto(target, source)

    times = medians({"ours": ours, "theirs": theirs})
    gigabytes = 2e-9 * source.nbytes * count
    return Row(
        f"{name}, {dtype}",
        gigabytes / times["ours"],
        gigabytes / times["theirs"],
        "GB/s",
        "NumPy",
        higher_is_better=True,
        target=1.0,
    )


def main() -> int:
    """Prints the table; returns the number of missed targets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    dtypes = [np.dtype(name) for name in ("uint8", "float32", "float64", "complex128")]
    rows = [rows_of(name, dtype) for name in CASES for dtype in dtypes]
    heading = (
        f"## Strided copies, CPU device\n\n{cpu_name()}. {versions(['phalanx', 'numpy'])}. "
        "Read and written, medians of 9 rounds.\n"
    )
    return report(heading, rows, options.output)


if __name__ == "__main__":
    sys.exit(main())
