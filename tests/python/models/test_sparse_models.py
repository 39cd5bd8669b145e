"""All models that take sparse samples: every layout beside scikit-learn's and a dense fit.

What one model does with sparse samples beyond that is in `test_sparse_samples`.
"""

import importlib
from functools import cache

import numpy as np
import pytest
from phalanx._models.names import MODULES

pytest.importorskip("sklearn", minversion="1.7")
scipy_sparse = pytest.importorskip("scipy.sparse")

FORMATS = ["csr_matrix", "csr_array", "csc_matrix", "csc_array", "coo_matrix", "coo_array"]
STEPS = {"shuffle": False, "max_iter": 7, "tol": None, "fit_intercept": False}
EXACT = {"tol": 1e-10, "max_iter": 50_000}

# Of each model options by which a sparse and a dense fit, and scikit-learn's, have one result.
OPTIONS = {
    "BernoulliNB": {"binarize": 1.0},
    "ComplementNB": {"norm": True},
    "ElasticNet": {"alpha": 0.05, **EXACT},
    "Lasso": {"alpha": 0.05, **EXACT},
    "LinearRegression": {},
    "LinearSVC": EXACT,
    "LinearSVR": {"loss": "squared_epsilon_insensitive", "dual": False, **EXACT},
    "LogisticRegression": EXACT,
    "LogisticRegressionCV": {"Cs": [0.1, 1.0], "cv": 3, **EXACT},
    "MaxAbsScaler": {},
    "MultinomialNB": {},
    "Normalizer": {},
    "Perceptron": STEPS,
    "Ridge": {"alpha": 0.5, "solver": "sparse_cg", "tol": 1e-12},
    "SGDClassifier": STEPS,
    "SGDRegressor": STEPS,
    "StandardScaler": {"with_mean": False},
    "TfidfTransformer": {},
    "TruncatedSVD": {"n_components": 3, "random_state": 0, "n_iter": 12},
}
# A term that is stored as 0 is one that the document has, as to scikit-learn.
COUNT_ZEROS = {"TfidfTransformer"}
# float32 is rounded in each step, and some losses are summed in it.
NEAR = {"float32": {"rtol": 2e-2, "atol": 2e-2}, "float64": {"rtol": 2e-4, "atol": 2e-4}}
SAME = {"float32": {"rtol": 2e-3, "atol": 2e-3}, "float64": {"rtol": 1e-5, "atol": 1e-6}}


def takes_sparse(model):
    """True for models that look into sparse samples; a FunctionTransformer hands them on."""
    if type(model).__name__ == "FunctionTransformer":
        return False
    return hasattr(model, "fit") and model.__sklearn_tags__().input_tags.sparse


def classes():
    """Each class that takes sparse samples, by its name, and the module that has it."""
    for module, table in MODULES.items():
        public = importlib.import_module(f"phalanx.ml.{module}")
        for name in table:
            made = getattr(public, name)
            if isinstance(made, type) and hasattr(made, "get_params"):
                model = made(**OPTIONS.get(name, {}))
                if takes_sparse(model):
                    yield name, module


TABLE = dict(classes())


def test_the_table_has_all_models():
    assert set(TABLE) == set(OPTIONS)


@cache
def counts(content, dtype):
    """Rows of counts, of which most are 0, and for each a class, a number and a weight."""
    random = np.random.default_rng(3)
    y = np.arange(60) % 2
    rates = random.gamma(0.3, 1.5, (2, 9))
    dense = random.poisson(rates[y]).astype(dtype)
    if content == "empty rows and columns":
        dense[[0, 7, 8, 59]] = 0
        dense[:, [0, 4, 8]] = 0
    return dense, y, dense @ np.arange(9.0) / 9 + random.normal(size=60), random.random(60) + 0.5


def laid_out(dense, kind, index, content):
    """A matrix of SciPy's, with indices of a width; some of its zeros may be kept."""
    made = scipy_sparse.coo_array(dense)
    if content == "explicit zeros":
        rows, columns = (part[::3] for part in np.nonzero(dense == 0))
        pairs = zip(made.coords, (rows, columns), strict=True)
        places = [np.append(own, other) for own, other in pairs]
        values = np.append(made.data, np.zeros(len(rows), dense.dtype))
        made = scipy_sparse.coo_array((values, tuple(places)), dense.shape)
    made = getattr(scipy_sparse, kind)(made)
    names = ("row", "col") if kind.startswith("coo") else ("indices", "indptr")
    if kind == "coo_array":
        made.coords = tuple(each.astype(index) for each in made.coords)
    else:
        for name in names:
            setattr(made, name, getattr(made, name).astype(index))
    return made


def plain(values):
    return np.asarray(values.toarray() if hasattr(values, "toarray") else values)


def answers(model, x, y, weight):
    """What a model learns from samples, and what it says of them."""
    given = {} if weight is None else {"sample_weight": weight}
    model.fit(x, y, **given)
    # Scores say more than the classes, which are a matter of chance where scores are equal.
    scores = ("predict_proba", "decision_function", "transform")
    asked = [each for each in scores if hasattr(model, each)] or ["predict"]
    made = {name: plain(getattr(model, name)(x)) for name in asked}
    if type(model).__name__ == "TruncatedSVD":  # vectors have no sign
        made = {name: np.abs(values) for name, values in made.items()}
    return made


def model_of(package, name):
    module = importlib.import_module(f"{package}.{TABLE[name]}")
    return getattr(module, name)(**OPTIONS[name])


def is_regressor(model):
    return model.__sklearn_tags__().estimator_type == "regressor"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("content", ["counts", "empty rows and columns", "explicit zeros"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", list(OPTIONS))
def test_every_layout_gives_what_dense_samples_and_scikit_learn_give(name, dtype, content):
    dense, y, number, weight = counts(content, dtype)
    ours, theirs = model_of("phalanx.ml", name), model_of("sklearn", name)
    y = number if is_regressor(ours) else y
    weight = weight if "sample_weight" in ours.fit.__code__.co_varnames else None
    csr = laid_out(dense, "csr_matrix", "int32", content)
    found = answers(ours, csr, y, weight)
    cases = [(answers(theirs, csr, y, weight), NEAR)]
    if name not in COUNT_ZEROS or content != "explicit zeros":
        cases.append((answers(model_of("phalanx.ml", name), dense, y, weight), SAME))
    for other, close in cases:
        assert set(found) <= set(other)
        for each, values in found.items():
            np.testing.assert_allclose(values, other[each], err_msg=each, **close[dtype])
    # The rest is the same matrix to a model, so results are equal to the last bit.
    for kind in FORMATS:
        for index in ("int32", "int64"):
            x = laid_out(dense, kind, index, content)
            again = answers(model_of("phalanx.ml", name), x, y, weight)
            for each, values in found.items():
                np.testing.assert_array_equal(again[each], values, err_msg=f"{each} {kind} {index}")
