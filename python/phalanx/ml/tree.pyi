"""Made by tools/make_stubs.py: what type checkers and editors see of phalanx.ml.tree."""

from .._models.tree.decision_tree import DecisionTreeClassifier as DecisionTreeClassifier
from .._models.tree.decision_tree import DecisionTreeRegressor as DecisionTreeRegressor
from .._models.tree.export import export_graphviz as export_graphviz
from .._models.tree.export import export_text as export_text
from .._models.tree.export import plot_tree as plot_tree
from .._models.tree.extra_trees import ExtraTreeClassifier as ExtraTreeClassifier
from .._models.tree.extra_trees import ExtraTreeRegressor as ExtraTreeRegressor

__all__: list[str]
