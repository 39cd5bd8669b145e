"""The public names of the arrays, by the module that has them; `phalanx` looks them up here."""

from __future__ import annotations

MODULES: dict[str, tuple[str, ...]] = {
    "ndarray": ("ndarray",),
    "coerce": ("asarray",),
}

NAMES = {name: module for module, names in MODULES.items() for name in names}
