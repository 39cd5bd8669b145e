"""`cudf.pandas`: nothing takes pandas' place here, and `install` says so."""

from __future__ import annotations

import warnings
from typing import Any

from ...errors import PhalanxWarning


def install() -> None:
    """Leaves pandas as it is, with a PhalanxWarning that says what makes a program fast."""
    warnings.warn(
        "cudf.pandas.install() does nothing under phalanx: `import pandas` stays pandas, which "
        "runs on the host. Write `import phalanx as pd`, or `import cudf as pd`, for frames of "
        "phalanx's; names that they have not raise NotImplementedError and do not fall back.",
        PhalanxWarning,
        stacklevel=2,
    )


def load_ipython_extension(ipython: Any) -> None:
    """As `install`: ``%load_ext cudf.pandas``."""
    install()
