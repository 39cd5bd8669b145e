"""``numba.core``: holds `errors`, `config` and `types` under Numba's names."""

from __future__ import annotations

from .. import types
from . import numba_config as config
from . import numba_errors as errors

__all__ = ["config", "errors", "types"]
