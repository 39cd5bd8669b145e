"""Trees as texts, and as pictures by scikit-learn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ..exceptions import check_is_fitted
from .tree import Tree

_LEAF = -1


class _Style(NamedTuple):
    names: Any  # of features
    classes: Any  # of classifiers, else None
    spacing: int
    decimals: int
    show_weights: bool
    max_depth: int


def export_text(
    decision_tree: Any,
    *,
    feature_names: Any = None,
    class_names: Any = None,
    max_depth: int = 10,
    spacing: int = 3,
    decimals: int = 2,
    show_weights: bool = False,
) -> str:
    """Return a fitted decision tree as a text, a line for each split and each leaf.

    Lines are scikit-learn's: `spacing` says how far a level is indented, `decimals` how thresholds
    and values are written, `show_weights` writes the weight of each class. Deeper parts than
    `max_depth` are one line. Raises NotFittedError, TypeError for what is no tree, and ValueError
    for other numbers of names and wrong numbers.
    """
    tree = _tree_of(decision_tree)
    for name, value, least in (
        ("max_depth", max_depth, 0),
        ("spacing", spacing, 1),
        ("decimals", decimals, 0),
    ):
        if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
            raise ValueError(f"{name} must be an int of at least {least}, got {value!r}")
    if feature_names is not None and len(feature_names) != tree.n_features:
        raise ValueError(
            f"feature_names must contain {tree.n_features} elements, got {len(feature_names)}"
        )
    own: Any = getattr(decision_tree, "classes_", None)
    classes: Any = own if class_names is None or own is None else class_names
    if own is not None and len(classes) != len(own):
        raise ValueError(
            "When `class_names` is an array, it should contain as many items as "
            f"`decision_tree.classes_`. Got {len(classes)} while the tree was fitted with "
            f"{len(own)} classes."
        )
    names = feature_names
    if names is None:
        names = [f"feature_{number}" for number in range(tree.n_features)]
    style = _Style(names, classes, spacing, decimals, show_weights, max_depth)
    return "".join(f"{line}\n" for line in _lines(tree, style))


def _tree_of(model: Any) -> Tree:
    if not hasattr(model, "get_n_leaves"):
        raise TypeError(
            f"A decision tree is needed, not {type(model).__name__}: of a forest, pass one of its "
            "estimators_"
        )
    check_is_fitted(model, "tree_")
    tree: Tree = model.tree_
    return tree


def _lines(tree: Tree, style: _Style) -> Iterator[str]:
    """The lines of all nodes; a stack in the place of recursion, as trees may be deep."""
    # A node and its depth; or a line that is ready, of the second way at a split.
    stack: list[tuple[int, int, str]] = [(0, 1, "")]
    while stack:
        node, depth, ready = stack.pop()
        if ready:
            yield ready
        indent = ("|" + " " * style.spacing) * depth
        indent = indent[: -style.spacing] + "-" * style.spacing
        is_leaf = tree.children_left[node] == _LEAF
        if depth > style.max_depth + 1 and not is_leaf:
            yield f"{indent} truncated branch of depth {_height(tree, node)}"
        elif is_leaf:
            yield _leaf(tree, node, indent, style)
        else:
            test = f"{indent} {style.names[tree.feature[node]]}"
            threshold = f"{tree.threshold[node]:.{style.decimals}f}"
            yield f"{test} <= {threshold}"
            right, left = int(tree.children_right[node]), int(tree.children_left[node])
            stack += [(right, depth + 1, f"{test} >  {threshold}"), (left, depth + 1, "")]


def _leaf(tree: Tree, node: int, indent: str, style: _Style) -> str:
    value = tree.value[node][0]
    if style.classes is None:
        return f"{indent} value: [{', '.join(f'{v:.{style.decimals}f}' for v in value)}]"
    name = style.classes[int(np.argmax(value))] if len(value) > 1 else 0
    if not style.show_weights:
        return f"{indent} class: {name}"
    weights = value * tree.weighted_n_node_samples[node]
    listed = ", ".join(f"{each:.{style.decimals}f}" for each in weights)
    return f"{indent} weights: [{listed}] class: {name}"


def _height(tree: Tree, node: int) -> int:
    """How many levels the tree has from a node on."""
    level, count = [node], 0
    while level:
        count += 1
        inner = [each for each in level if tree.children_left[each] != _LEAF]
        level = [int(tree.children_left[each]) for each in inner]
        level += [int(tree.children_right[each]) for each in inner]
    return count


def plot_tree(decision_tree: Any, **options: Any) -> Any:
    """Draw a fitted decision tree by scikit-learn's `plot_tree`, whose options it takes.

    Raises ImportError where scikit-learn or matplotlib is not installed, NotFittedError, and
    TypeError for what is no tree.
    """
    return _by_scikit_learn("plot_tree", decision_tree, options)


def export_graphviz(decision_tree: Any, out_file: Any = None, **options: Any) -> Any:
    """Write a fitted decision tree in Graphviz's language by scikit-learn's `export_graphviz`.

    It takes that function's options; without `out_file` the text is returned. Raises as
    `plot_tree`.
    """
    return _by_scikit_learn("export_graphviz", decision_tree, {"out_file": out_file, **options})


def _by_scikit_learn(name: str, model: Any, options: dict[str, Any]) -> Any:
    _tree_of(model)
    try:
        import sklearn
        from sklearn import tree as theirs
    except ModuleNotFoundError as error:
        raise ImportError(f"{name} is scikit-learn's: pip install scikit-learn") from error
    # Its check of parameters takes its own classes only; the drawing takes any tree's arrays.
    with sklearn.config_context(skip_parameter_validation=True):
        return getattr(theirs, name)(model, **options)
