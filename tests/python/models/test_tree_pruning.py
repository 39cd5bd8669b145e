"""Trees cut back by `ccp_alpha`, against scikit-learn's."""

import numpy as np
import pytest
from phalanx.ml import ensemble, tree

theirs = pytest.importorskip("sklearn.tree")
CLASSES = ["DecisionTreeClassifier", "DecisionTreeRegressor"]


def problem(name):
    random = np.random.default_rng(0)
    x = random.integers(0, 60, (300, 4)).astype(float)
    seen = x @ [1.0, -0.5, 0.2, 0] + random.normal(scale=6, size=300)
    y = seen if name == "DecisionTreeRegressor" else np.digitize(seen, [0, 12, 30])
    return x, y, random.integers(1, 4, 300)


@pytest.mark.parametrize("name", CLASSES)
@pytest.mark.parametrize("share", [0.02, 0.1, 0.4, 1.01])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("options", [{"max_depth": 4}, {"max_leaf_nodes": 20}], ids=str)
def test_pruned_trees_are_scikit_learns(name, share, weighted, options):
    x, y, weight = problem(name)
    given = (x, y, weight) if weighted else (x, y)
    path = getattr(theirs, name)(random_state=0, **options).cost_complexity_pruning_path(*given)
    alpha = path.ccp_alphas[-1] * share
    model, other = (
        getattr(each, name)(random_state=0, ccp_alpha=alpha, **options).fit(*given)
        for each in (tree, theirs)
    )
    assert model.tree_.node_count == other.tree_.node_count
    assert model.get_depth() == other.get_depth()
    np.testing.assert_allclose(model.predict(x), other.predict(x))
    if "max_depth" in options:  # deeper splits of equal gain are drawn
        np.testing.assert_allclose(
            model.feature_importances_, other.feature_importances_, atol=1e-9
        )
        assert tree.export_text(model) == theirs.export_text(other)


@pytest.mark.parametrize("name", CLASSES)
def test_paths_are_scikit_learns_and_prune_as_they_say(name):
    x, y, weight = problem(name)
    options = {"random_state": 0, "max_depth": 5}
    found, expected = (
        getattr(each, name)(**options).cost_complexity_pruning_path(x, y, weight)
        for each in (tree, theirs)
    )
    np.testing.assert_allclose(found.ccp_alphas, expected.ccp_alphas, atol=1e-9)
    np.testing.assert_allclose(found.impurities, expected.impurities, atol=1e-9)
    for alpha in found.ccp_alphas[1::4]:
        model = getattr(tree, name)(**options, ccp_alpha=alpha * (1 + 1e-9)).fit(x, y, weight)
        nodes = model.tree_
        leaf = nodes.children_left < 0
        share = nodes.weighted_n_node_samples / nodes.weighted_n_node_samples[0]
        left = found.impurities[np.searchsorted(found.ccp_alphas, alpha, "right") - 1]
        np.testing.assert_allclose((share * nodes.impurity)[leaf].sum(), left, rtol=1e-6)


def test_forests_prune_their_trees():
    x, y, _ = problem("DecisionTreeClassifier")
    whole, cut = (
        ensemble.RandomForestClassifier(5, random_state=0, ccp_alpha=alpha).fit(x, y)
        for alpha in (0.0, 0.02)
    )
    for one, other in zip(whole, cut, strict=True):
        assert other.tree_.node_count < one.tree_.node_count
        assert other.ccp_alpha == 0.02
    assert cut.predict_proba(x).shape == (300, 4)
    assert cut.score(x, y) > 0.5


def test_a_root_alone():
    model = tree.DecisionTreeClassifier(ccp_alpha=0.5).fit([[0.0], [1.0]], [1, 1])
    assert model.tree_.node_count == 1
    path = model.cost_complexity_pruning_path([[0.0], [1.0]], [1, 1])
    assert path.ccp_alphas.tolist() == [0.0]
