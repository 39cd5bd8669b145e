"""What a model's docstring says of its parameters."""

import importlib
import inspect

import pytest
from phalanx._models.names import MODULES


def models():
    for module, table in MODULES.items():
        public = importlib.import_module(f"phalanx.ml.{module}")
        for name in table:
            made = getattr(public, name)
            if isinstance(made, type) and hasattr(made, "_rules"):
                yield pytest.param(made, id=name)


@pytest.mark.parametrize("model", [*models()])
def test_parameters_that_take_less_are_named(model):
    text = inspect.getdoc(model)
    for name, rule in model._rules.items():
        if rule.unsupported or rule.unsupported_kinds:
            stated = f"`{name}`, {rule.text}"
            assert stated in " ".join(text.split())
