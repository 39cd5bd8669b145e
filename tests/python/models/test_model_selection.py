"""Splits of samples against scikit-learn's: the same samples for a seed."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from phalanx.ml import model_selection as ours

import phalanx as px

theirs = pytest.importorskip("sklearn.model_selection")

SPLITTERS = [
    ("KFold", {}),
    ("KFold", {"n_splits": 3, "shuffle": True, "random_state": 5}),
    ("StratifiedKFold", {"n_splits": 3}),
    ("StratifiedKFold", {"n_splits": 4, "shuffle": True, "random_state": 5}),
    ("GroupKFold", {"n_splits": 3}),
    ("GroupKFold", {"n_splits": 3, "shuffle": True, "random_state": 2}),
    ("StratifiedGroupKFold", {"n_splits": 3}),
    ("StratifiedGroupKFold", {"n_splits": 2, "shuffle": True, "random_state": 9}),
    ("TimeSeriesSplit", {}),
    ("TimeSeriesSplit", {"n_splits": 3, "max_train_size": 10, "test_size": 4, "gap": 2}),
    ("LeaveOneOut", {}),
    ("LeavePOut", {"p": 2}),
    ("LeaveOneGroupOut", {}),
    ("LeavePGroupsOut", {"n_groups": 2}),
    ("ShuffleSplit", {"random_state": 1}),
    ("ShuffleSplit", {"random_state": 1, "n_splits": 3, "test_size": 7, "train_size": 0.4}),
    ("GroupShuffleSplit", {"random_state": 1}),
    ("StratifiedShuffleSplit", {"random_state": 1, "test_size": 0.3}),
    ("StratifiedShuffleSplit", {"random_state": 3, "n_splits": 2, "train_size": 11}),
    ("RepeatedKFold", {"n_splits": 3, "n_repeats": 2, "random_state": 1}),
    ("RepeatedStratifiedKFold", {"n_splits": 3, "n_repeats": 2, "random_state": 1}),
    ("PredefinedSplit", {"test_fold": np.arange(37) % 4 - 1}),
]


def data():
    random = np.random.default_rng(0)
    y = random.choice([3, 1, 2], 37, p=[0.5, 0.2, 0.3])
    return np.arange(74.0).reshape(37, 2), y, random.integers(0, 7, 37)


@pytest.mark.parametrize("kind", ["numbers", "texts", "ours"])
@pytest.mark.parametrize(("name", "options"), SPLITTERS)
def test_as_scikit_learn(name, options, kind):
    x, y, groups = data()
    given = y
    if kind == "texts":
        y = given = np.array(list("abcd"))[y]
    if kind == "ours":
        given = px.asarray(y)
    groups = groups if "Group" in name else None
    mine, other = getattr(ours, name)(**options), getattr(theirs, name)(**options)
    expected = list(other.split(x, y, groups))
    found = list(mine.split(x, given, groups))
    assert len(found) == len(expected)
    for pair, other_pair in zip(found, expected, strict=True):
        for rows, other_rows in zip(pair, other_pair, strict=True):
            np.testing.assert_array_equal(rows, other_rows)
    assert mine.get_n_splits(x, y, groups) == other.get_n_splits(x, y, groups)
    assert repr(mine).startswith(f"{name}(")


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"test_size": 0.3, "random_state": 4},
        {"train_size": 12, "random_state": 4},
        {"test_size": 5, "train_size": 0.5, "random_state": 4},
        {"shuffle": False},
        {"stratify": True, "random_state": 4},
    ],
)
def test_train_test_split(options):
    x, y, _ = data()
    options = {"random_state": 0, **options}
    if options.get("stratify"):
        options["stratify"] = y
    frame = pd.DataFrame(x, columns=["a", "b"])
    expected = theirs.train_test_split(x, frame, y.tolist(), **options)
    found = ours.train_test_split(x, frame, y.tolist(), **options)
    for mine, other in zip(found, expected, strict=True):
        assert type(mine) is type(other)
        np.testing.assert_array_equal(np.asarray(mine), np.asarray(other))
    assert list(found[2].index) == list(expected[2].index)


def test_train_test_split_keeps_arrays_and_frames_of_ours(device):
    x, y, _ = data()
    frame = px.DataFrame(x, columns=["a", "b"])
    expected = theirs.train_test_split(x, random_state=0)
    found = ours.train_test_split(px.asarray(x), frame, px.Series(y), random_state=0)
    for mine, kind in zip(found[::2], (px.ndarray, px.DataFrame, px.Series), strict=True):
        assert isinstance(mine, kind)
    np.testing.assert_array_equal(np.asarray(found[0]), expected[0])
    np.testing.assert_array_equal(found[3].to_numpy(), expected[1])


def test_sparse_samples():
    sparse = pytest.importorskip("scipy.sparse")
    x, _, _ = data()
    train, _ = ours.train_test_split(sparse.csr_array(x), random_state=0)
    np.testing.assert_array_equal(train.toarray(), ours.train_test_split(x, random_state=0)[0])


def test_searches_and_scores_of_scikit_learn_take_our_splitters_and_models():
    from phalanx.ml.linear_model import Ridge
    from phalanx.ml.pipeline import make_pipeline
    from phalanx.ml.preprocessing import StandardScaler

    random = np.random.default_rng(0)
    x = random.normal(size=(60, 3))
    y = x @ [1.0, 2, 3] + random.normal(size=60)
    model = make_pipeline(StandardScaler(), Ridge())
    folds = ours.KFold(3, shuffle=True, random_state=0)
    assert ours.cross_val_score(model, x, y, cv=folds).min() > 0.8
    search = ours.GridSearchCV(model, {"ridge__alpha": [0.1, 1e5]}, cv=folds).fit(x, y)
    assert search.best_params_ == {"ridge__alpha": 0.1}


@pytest.mark.parametrize(
    ("name", "options", "error", "text"),
    [
        ("KFold", {"n_splits": 1}, ValueError, "at least one train/test split"),
        ("KFold", {"n_splits": 2.5}, ValueError, "Integral type"),
        ("KFold", {"shuffle": 1}, TypeError, "must be True or False"),
        ("KFold", {"random_state": 1}, ValueError, "no effect since shuffle is False"),
        ("KFold", {"n_splits": 99}, ValueError, "greater than the number of samples"),
        ("StratifiedKFold", {"n_splits": 30}, ValueError, "members in each class"),
        ("GroupKFold", {}, ValueError, "'groups' parameter should not be None"),
        ("LeavePOut", {"p": 37}, ValueError, "strictly less"),
        ("TimeSeriesSplit", {"test_size": 9}, ValueError, "Too many splits"),
        ("ShuffleSplit", {"test_size": 1.5}, ValueError, "should be either positive"),
        ("ShuffleSplit", {"test_size": 0.7, "train_size": 0.7}, ValueError, "The sum of"),
        ("ShuffleSplit", {"train_size": 0.001}, ValueError, "will be empty"),
        ("ShuffleSplit", {"train_size": "x"}, ValueError, "Invalid value"),
        ("StratifiedShuffleSplit", {"test_size": 2}, ValueError, "number of classes"),
        ("RepeatedKFold", {"n_repeats": 0}, ValueError, "greater than 0"),
    ],
)
def test_wrong_parameters_are_refused_as_by_scikit_learn(name, options, error, text):
    x, y, _ = data()
    for module in (theirs, ours):
        with pytest.raises(error, match=text):
            next(iter(getattr(module, name)(**options).split(x, y)))


def test_wrong_samples():
    x, y, _ = data()
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        ours.train_test_split(x, y[:5])
    with pytest.raises(ValueError, match="At least one array"):
        ours.train_test_split()
    with pytest.raises(ValueError, match="only 1 member"):
        ours.train_test_split([1, 2, 3], stratify=[0, 0, 1])
    with pytest.raises(ValueError, match="not implemented for shuffle=False"):
        ours.train_test_split(x, stratify=y, shuffle=False)
    with pytest.raises(ValueError, match="continuous"):
        next(ours.StratifiedKFold().split(x, y + 0.5))
    with pytest.raises(ValueError, match="contains NaN"):
        next(ours.GroupKFold().split(x, y, np.full(37, np.nan)))
    with pytest.raises(TypeError, match="at least 1 dimension"):
        ours.train_test_split(np.float64(3))
    with pytest.warns(UserWarning, match="groups parameter is ignored"):
        next(ours.KFold().split(x, y, y))
    with pytest.warns(UserWarning, match="least populated class"):
        next(ours.StratifiedKFold(3).split(x[:6], [0, 0, 0, 0, 1, 1]))


def test_without_scikit_learn_splits_work_and_searches_say_what_to_install():
    program = """
import sys
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("sklearn", "scipy"):
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Refuse())
import importlib.util
importlib.util.find_spec = lambda name, package=None: None
from phalanx.ml.model_selection import KFold, train_test_split
from phalanx.ml.datasets import make_blobs
x, y = make_blobs(random_state=0)
print(len(train_test_split(x, y)), len(list(KFold().split(x))))
try:
    from phalanx.ml.model_selection import GridSearchCV
except ImportError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stderr == ""
    assert done.stdout.startswith("4 5\n")
    assert "pip install scikit-learn" in done.stdout
