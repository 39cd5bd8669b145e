"""One side of numba_benchmark.py: prepares a program, then runs it as often as it is told.

Started by Python or by ``python -m phalanx run`` with the module's file, the class and the method;
speaks JSON, a line a message, on its standard input and output.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
import time
import types
from collections.abc import Callable, Iterator
from typing import Any

ENOUGH = 0.02  # seconds that a sample should take
WARM_UP = 4  # calls before the first that counts: a second call may compile too


def prepared(path: str, class_name: str, method: str) -> tuple[Callable[[], Any], set[str]]:
    """The program as asv runs it: set up by its module and its class; and the names it leads to."""
    spec = importlib.util.spec_from_file_location("program", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["program"] = module
    spec.loader.exec_module(module)
    instance = getattr(module, class_name)()
    for owner in (module, instance):
        if hasattr(owner, "setup"):
            owner.setup()
    names: set[str] = set()
    follow(getattr(type(instance), method).__code__, module, type(instance), names)
    return getattr(instance, method), names


def codes_in(code: types.CodeType) -> Iterator[types.CodeType]:
    """The code and that of functions inside of it."""
    yield code
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            yield from codes_in(each)


def follow(code: types.CodeType, module: Any, owner: type, names: set[str]) -> None:
    """Adds the names that the code and the functions of the module that it names refer to."""
    for name in {name for each in codes_in(code) for name in (*each.co_names, *each.co_freevars)}:
        if name not in names:
            names.add(name)
            found = getattr(owner, name, None) or getattr(module, name, None)
            found = getattr(found, "py_func", found)
            if isinstance(found, types.FunctionType):
                follow(found.__code__, module, owner, names)


def handed_over(names: set[str]) -> list[str]:
    """The functions among the names that Phalanx left to another compiler, and why."""
    fallback = sys.modules.get("phalanx._functions.fallback")
    rows = fallback.rows() if fallback else []
    return [
        f"{row['name']}: {row['reason']}" for row in rows if row["name"].split(".")[-1] in names
    ]


def seconds(function: Callable[[], Any], calls: int) -> float:
    """Of `calls` calls."""
    start = time.perf_counter()
    for _ in range(calls):
        function()
    return time.perf_counter() - start


def main() -> None:
    """Prepares, warms up, says how many calls are a sample, and then times what it is asked."""
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # what the program prints goes elsewhere
    function, names = prepared(*sys.argv[1:4])
    for _ in range(WARM_UP):
        seconds(function, 1)
    once = min(seconds(function, 1) for _ in range(WARM_UP))
    answer = {"calls": max(1, int(ENOUGH / once)), "handed_over": handed_over(names)}
    print(json.dumps(answer), file=answers)
    for line in sys.stdin:
        print(json.dumps(seconds(function, int(line)) / int(line)), file=answers)


if __name__ == "__main__":
    main()
