"""`pycuda.autoinit`: a context of the best device, for the process."""

from __future__ import annotations

import atexit

from . import driver
from .tools import make_default_context

driver.init()
context = make_default_context()
device = context.get_device()


def _finish_up() -> None:
    if driver.Context.get_current() is context:
        driver.Context.pop()


atexit.register(_finish_up)
