"""The public modules of models: what they list, and what ``import *`` gives."""

import importlib
from pathlib import Path

import pytest
from phalanx._models.names import MODULES, OF_SCIKIT_LEARN

from phalanx import ml

pytest.importorskip("sklearn", minversion="1.7")

PUBLIC = sorted({*MODULES, *OF_SCIKIT_LEARN})


@pytest.mark.parametrize("module", PUBLIC)
def test_a_star_gives_all_names_of_a_module(module):
    given = {}
    exec(f"from phalanx.ml.{module} import *", given)
    names = {*MODULES.get(module, {}), *OF_SCIKIT_LEARN.get(module, "").split()}
    assert names <= set(given)
    found = importlib.import_module(f"phalanx.ml.{module}")
    assert names <= set(found.__all__) == names | ({"text"} & set(found.__all__))


def test_a_star_of_the_package_gives_models_and_modules():
    given = {}
    exec("from phalanx.ml import *", given)
    assert given["KMeans"] is ml.cluster.KMeans
    assert given["cluster"] is ml.cluster
    assert given["model_selection"].train_test_split is ml.train_test_split


def test_a_star_needs_no_scikit_learn(monkeypatch):
    from phalanx._models import names

    monkeypatch.setattr(names.importlib.util, "find_spec", lambda name: None)
    assert names.star_names("model_selection") == sorted(MODULES["model_selection"])
    assert names.star_names("pipeline") == []


@pytest.mark.parametrize("table", [MODULES, OF_SCIKIT_LEARN], ids=["ours", "theirs"])
def test_the_guide_lists_all_names(table):
    guide = Path(__file__).parents[3] / "docs" / "guide" / "models.md"
    lines = set(guide.read_text().splitlines())
    for module, names in table.items():
        listed = names.split() if isinstance(names, str) else sorted(names)
        assert f"| `{module}` | {', '.join(listed)} |" in lines
