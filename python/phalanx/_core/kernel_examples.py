"""Examples of functions that only kernels can call, made from tables of calls and results.

A row of such a table is ``name | arguments | results``. A name that ends in ``_`` means four
functions, which round down, to nearest even, up and towards zero; its results are in that order.
"""

from __future__ import annotations

ROUNDING = ("rd", "rn", "ru", "rz")


def rows(table: str) -> dict[str, tuple[str, str]]:
    """The arguments and the results of a table, by the name of the function."""
    found = {}
    for row in table.strip().splitlines():
        name, given, results = row.split(" | ")
        if name.endswith("_"):
            each = zip(ROUNDING, results.split(), strict=True)
            found.update({f"{name}{mode}": (given, result) for mode, result in each})
        else:
            found[name] = given, results
    return found


def session(call: str, taken: list[str], dtype: str, looked_at: str, shown: str) -> str:
    """A session at Python's prompt: a kernel with the call, its launch and what is printed."""
    return f"""\
>>> @cuda.jit
... def kernel(out):
...     {", ".join(taken)} = {call}
>>> out = np.zeros({len(taken)}, {dtype!r})
>>> kernel[1, 1](out)
>>> {looked_at}
{shown}"""
