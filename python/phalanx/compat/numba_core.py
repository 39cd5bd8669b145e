"""``numba.core``: holds `errors`, `config`, `types` and `typing` under Numba's names."""

from __future__ import annotations

from .. import types
from . import numba_config as config
from . import numba_dispatcher as dispatcher
from . import numba_dispatcher as registry
from . import numba_errors as errors
from . import numba_typing as typing
from ._placeholders import names_of

__all__ = ["config", "dispatcher", "errors", "registry", "types", "typing"]

__getattr__ = names_of("numba.core")
