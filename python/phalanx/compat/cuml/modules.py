"""The modules of `cuml`, made of a table: models of `phalanx.ml` by their names."""

from __future__ import annotations

from functools import cache
from types import ModuleType
from typing import Any

from ..._frames.signatures import MissingNameError
from ..._models.names import MODULES, OF_SCIKIT_LEARN, module_of
from ..._models.names import find as find_ours
from .._cuml_table import NAMES
from .classes import served
from .functions import served_data_set, served_function, train_test_split


@cache
def find(module: str, name: str) -> Any:
    """What a module of cuML's has under a name.

    Raises MissingNameError (a NotImplementedError) for what `phalanx.ml` has not.
    """
    if name == "train_test_split":
        return train_test_split
    if name in OF_SCIKIT_LEARN.get(module, "").split():
        return find_ours(module, name)
    place = module if name in MODULES.get(module, {}) else module_of(name)
    if place is None:
        raise MissingNameError(
            f"cuml.{module}.{name} is not served by phalanx; docs/guide/coming-from-cuml.md says "
            "what there is"
        )
    made = find_ours(place, name)
    if isinstance(made, type):
        return served(name) if hasattr(made, "fit") else made
    return served_data_set(made) if place == "datasets" else served_function(made)


@cache
def module(name: str) -> ModuleType:
    """A module of cuML's, by its name below ``cuml``."""
    names = NAMES[name].split()
    made = ModuleType(f"cuml.{name}", f"cuML's {name}, served by phalanx.")

    def found(each: str) -> Any:
        if each in names:
            return find(name, each)
        raise AttributeError(f"module 'cuml.{name}', served by phalanx, has no attribute {each!r}")

    made.__getattr__ = found  # type: ignore[method-assign]
    made.__dir__ = lambda: names  # type: ignore[method-assign]
    made.__dict__["__path__"] = []
    made.__dict__["__all__"] = names
    return made
