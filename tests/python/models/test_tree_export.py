"""Trees as texts and pictures, and the paths of samples, against scikit-learn's."""

import numpy as np
import pytest
from phalanx.ml import ensemble, tree

import phalanx as px

theirs = pytest.importorskip("sklearn.tree")


def problem(classes=3):
    random = np.random.default_rng(0)
    x = random.integers(0, 40, (200, 4)).astype(float)
    seen = x @ [1.0, -0.5, 0.2, 0] + random.normal(scale=3, size=200)
    return x, np.digitize(seen, np.quantile(seen, np.linspace(0, 1, classes + 1)[1:-1])), seen


def pair(name, depth, texts=False):
    """A tree of ours and the same of scikit-learn's."""
    x, y, seen = problem()
    target = seen if name == "DecisionTreeRegressor" else np.array(list("abc"))[y] if texts else y
    options = {"max_depth": depth, "random_state": 0}
    return [getattr(each, name)(**options).fit(x, target) for each in (tree, theirs)]


@pytest.mark.parametrize("name", ["DecisionTreeClassifier", "DecisionTreeRegressor"])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"feature_names": ["one", "two", "three", "four"]},
        {"max_depth": 0},
        {"max_depth": 1, "spacing": 1},
        {"decimals": 0},
        {"show_weights": True, "decimals": 3},
        {"class_names": ["x", "y", "z"]},
    ],
    ids=str,
)
@pytest.mark.parametrize("texts", [False, True])
def test_texts_are_scikit_learns(name, options, texts):
    model, other = pair(name, 4, texts)
    assert tree.export_text(model, **options) == theirs.export_text(other, **options)


def test_a_single_leaf_and_a_deep_tree():
    x = np.arange(3.0)[:, None]
    for target in (["a", "a", "a"], [2, 2, 2]):
        made = [each.DecisionTreeClassifier().fit(x, target) for each in (tree, theirs)]
        assert tree.export_text(made[0]) == theirs.export_text(made[1])
    count = 3000
    deep = tree.DecisionTreeClassifier().fit(np.arange(count)[:, None], np.arange(count) % 2)
    assert "truncated branch" in tree.export_text(deep, max_depth=2)
    assert tree.export_text(deep, max_depth=5000).count("class:") == deep.get_n_leaves()


def test_pictures_by_scikit_learn():
    model, other = pair("DecisionTreeClassifier", 2)
    found, expected = (
        theirs.export_graphviz(other),
        tree.export_graphviz(model, filled=True, class_names=True),
    )
    assert found.count("->") == expected.count("->")
    assert "samples = 200" in expected
    plots = pytest.importorskip("matplotlib.pyplot")
    plots.switch_backend("agg")
    for each in (model, pair("DecisionTreeRegressor", 2)[0]):
        drawn = tree.plot_tree(each, filled=True)
        assert len(drawn) >= each.tree_.node_count
        plots.close("all")


@pytest.mark.parametrize("name", ["DecisionTreeClassifier", "DecisionTreeRegressor"])
def test_paths_of_a_tree(name):
    model, other = pair(name, 4)
    x = problem()[0][:50]
    found, expected = (each.decision_path(x) for each in (model, other))
    assert found.shape == expected.shape
    assert found.dtype == expected.dtype
    assert found.has_sorted_indices
    dense = found.toarray()
    np.testing.assert_array_equal(dense.sum(axis=1), np.ravel(expected.sum(axis=1)))
    leaves = model.apply(x)
    assert (dense[np.arange(50), leaves] == 1).all()
    assert (dense[:, 0] == 1).all()
    # Each node but the root has its parent in the path, and its split leads there.
    for row, path in zip(x, dense, strict=True):
        node = 0
        while model.tree_.children_left[node] >= 0:
            assert path[node]
            is_left = row[model.tree_.feature[node]] <= model.tree_.threshold[node]
            children = model.tree_.children_left, model.tree_.children_right
            node = children[0][node] if is_left else children[1][node]
        assert path[node]


@pytest.mark.parametrize("name", ["RandomForestClassifier", "ExtraTreesRegressor"])
def test_paths_of_a_forest(name, device):
    x, y, _ = problem()
    model = getattr(ensemble, name)(n_estimators=5, max_depth=4, random_state=0).fit(x, y)
    found, ends = model.decision_path(x[:30])
    assert ends.tolist() == np.cumsum([0, *(e.tree_.node_count for e in model)]).tolist()
    single = np.hstack([each.decision_path(x[:30]).toarray() for each in model])
    np.testing.assert_array_equal(found.toarray(), single)
    ours, _ = model.decision_path(px.asarray(x[:30]))
    assert px.sparse.issparse(ours)
    np.testing.assert_array_equal(np.asarray(ours.toarray()), single)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"feature_names": ["a"]}, "must contain 4 elements"),
        ({"class_names": ["a"]}, "class_names"),
        ({"max_depth": -1}, "max_depth"),
        ({"spacing": 0}, "spacing"),
        ({"decimals": 1.5}, "decimals"),
    ],
)
def test_wrong_options(options, text):
    model, _ = pair("DecisionTreeClassifier", 2)
    with pytest.raises(ValueError, match=text):
        tree.export_text(model, **options)


def test_what_is_no_fitted_tree():
    with pytest.raises(ValueError, match="not fitted"):
        tree.export_text(tree.DecisionTreeClassifier())
    with pytest.raises(TypeError, match="estimators_"):
        tree.export_text(ensemble.RandomForestClassifier())
    with pytest.raises(ValueError, match="not fitted"):
        tree.plot_tree(tree.DecisionTreeClassifier())
