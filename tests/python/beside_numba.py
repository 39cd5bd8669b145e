"""Programs under ``python -m phalanx run`` with Numba installed."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap

HEAD = """
import numpy as np
import numba
from numba import njit
"""

# No dictionaries here.
UNSUPPORTED = """
@njit
def unsupported(a):
    d = {}
    for i in range(len(a)):
        d[i] = helper(a[i])
    return d[len(a) - 1]
"""

HELPER = """
@njit
def helper(x):
    return x * 2
"""


def run(code, *options, head=HEAD, **environment):
    done = subprocess.run(
        [sys.executable, "-m", "phalanx", "run", *options, "-c", head + textwrap.dedent(code)],
        capture_output=True,
        text=True,
        env={**os.environ, "PHALANX_DEVICE": "cpu", **environment},
    )
    done.lines = done.stdout.splitlines()
    return done
