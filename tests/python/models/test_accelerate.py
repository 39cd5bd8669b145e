"""`python -m phalanx run --accelerate sklearn`: unchanged scripts of scikit-learn's."""

import pickle
import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("sklearn", minversion="1.7")

HEAD = """
import numpy as np
from sklearn.datasets import make_blobs
x, y = make_blobs(200, random_state=0)
"""


def run(script, *, accelerate=True):
    command = [sys.executable, "-m", "phalanx", "run"]
    command += ["--accelerate", "sklearn"] if accelerate else []
    done = subprocess.run([*command, "-c", HEAD + script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


PIPELINES = """
import pickle
import sklearn.cluster
from sklearn.base import BaseEstimator, clone, is_classifier
from sklearn.cluster import KMeans
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

model = KMeans(3, random_state=0).fit(x)
assert isinstance(model, KMeans) and isinstance(model, sklearn.cluster.KMeans)
assert isinstance(model, BaseEstimator)
assert KMeans is sklearn.cluster.KMeans
again = pickle.loads(pickle.dumps(model))
assert type(again) is KMeans
assert (again.predict(x) == model.labels_).all()
assert repr(clone(model)) == "KMeans(n_clusters=3, random_state=0)"
assert not hasattr(clone(model), "cluster_centers_")
pipeline = make_pipeline(StandardScaler(), LogisticRegression())
search = GridSearchCV(pipeline, {"logisticregression__C": [0.1, 1]}).fit(x, y)
print(search.best_score_, cross_val_score(pipeline, x, y).mean(), is_classifier(search))
frame = StandardScaler().set_output(transform="pandas").fit_transform(x)
print(type(frame).__name__, list(frame.columns), round(float(model.inertia_), 4))
"""


def test_pipelines_searches_pickles_and_frames_are_as_without_it():
    found, summary = run(PIPELINES)
    plain, nothing = run(PIPELINES, accelerate=False)
    assert found == plain
    assert "phalanx: scikit-learn's models" not in nothing
    assert "KMeans: 1 by phalanx" in summary
    assert "LogisticRegression: 16 by phalanx" in summary
    assert "by scikit-learn" not in summary


CHOICES = """
from scipy import sparse
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA
from sklearn.linear_model import LinearRegression
from sklearn.preprocessing import OneHotEncoder

class Own(KMeans):
    pass

print(round(Own(2, random_state=0).fit(x).inertia_, 3))
print(LinearRegression().fit(sparse.csr_array(x), y).coef_.round(6))
print(LinearRegression().fit(x, y).coef_.round(6))
print(np.abs(PCA(2).fit(x).get_covariance()).round(6))
for wrong in (lambda: KMeans(0).fit(x), lambda: KMeans(2).predict(x), lambda: KMeans(900).fit(x)):
    try:
        wrong()
    except ValueError as error:
        print(type(error).__name__, str(error)[:60])
model = KMeans(3, random_state=0).fit(x)
model.cluster_centers_ = model.cluster_centers_ * 0 + [[0.0, 0], [9, 9], [5, 5]]
print(model.predict([[8.0, 8], [0, 1]]))
encoder = OneHotEncoder(sparse_output=False).fit(y[:, None])
print(encoder.set_params(handle_unknown="ignore").transform([[7]]))
"""


def test_what_is_not_ours_is_scikit_learns_with_the_reason():
    found, summary = run(CHOICES)
    plain, _ = run(CHOICES, accelerate=False)
    assert found == plain
    for line in (
        "KMeans: 1 by scikit-learn: a class derived from it",
        "KMeans: 1 by scikit-learn: parameters that have no such values",
        "LinearRegression: 2 by phalanx",
    ):
        assert line in summary, summary


MATRIX = """
from scipy import sparse
from sklearn.cluster import AgglomerativeClustering
near = sparse.csr_matrix(abs(np.subtract.outer(np.arange(200), np.arange(200))) < 3)
AgglomerativeClustering(3, connectivity=near).fit(x)
"""


def test_a_reason_is_one_whole_line_whatever_the_value():
    _, summary = run(MATRIX)
    (line,) = (each for each in summary.splitlines() if "by scikit-learn" in each)
    assert "1 by scikit-learn: AgglomerativeClustering(connectivity=<C" in line
    assert line.endswith("...) is not supported") and len(line) < 170


def test_names_imported_before_stay_and_all_comes_back():
    import sklearn.cluster
    import sklearn.naive_bayes
    from phalanx.compat import accelerated

    kmeans, bayes = sklearn.cluster.KMeans, sklearn.naive_bayes.GaussianNB
    accelerated.install()
    try:
        accelerated.install()  # does nothing
        assert sklearn.cluster.KMeans is not kmeans
        assert issubclass(sklearn.cluster.KMeans, kmeans)
        model = sklearn.naive_bayes.GaussianNB().fit([[0.0], [1], [5]], [0, 0, 1])
        assert model.predict([[5.0]]).tolist() == [1]
        assert accelerated.fits()["GaussianNB"] == accelerated.Fits(1, {})
        assert "SpectralClustering" in dir(sklearn.cluster)
        text = pickle.dumps(model)
    finally:
        accelerated.uninstall()
        accelerated.clear()
    assert sklearn.cluster.KMeans is kmeans
    assert sklearn.naive_bayes.GaussianNB is bayes
    assert pickle.loads(text).predict([[5.0]]).tolist() == [1]


def test_every_class_of_ours_can_be_made_and_has_scikit_learns_parameters():
    import importlib

    from phalanx._models.names import MODULES
    from phalanx.compat.accelerated.classes import accelerated, has_class, modules

    made = 0
    for module in modules():
        importlib.import_module(f"sklearn.{module}")
        for name in MODULES[module]:
            if has_class(module, name):
                kind = accelerated(module, name)
                theirs = kind.__mro__[2]
                assert kind._get_param_names() == theirs._get_param_names(), name
                made += 1
    assert made >= 30


def test_parts_go_on_where_they_began():
    from phalanx.compat import accelerated
    from phalanx.compat.accelerated.classes import accelerated as class_of
    from sklearn.preprocessing import StandardScaler

    x = np.arange(12.0).reshape(6, 2)
    model = class_of("preprocessing", "StandardScaler")()
    model.partial_fit(x[:3]).partial_fit(x[3:])
    np.testing.assert_allclose(model.mean_, StandardScaler().fit(x).mean_)
    accelerated.clear()


@pytest.mark.parametrize(("value", "text"), [("torch", "only sklearn"), (None, "needs a value")])
def test_other_libraries_are_refused(value, text):
    command = [sys.executable, "-m", "phalanx", "run", "--accelerate"]
    done = subprocess.run([*command, *([value, "-c", "0"] if value else [])], capture_output=True)
    assert done.returncode == 2
    assert text in done.stderr.decode()


METHODS = """
from sklearn.ensemble import StackingClassifier
from sklearn.linear_model import Lasso, LogisticRegression, SGDClassifier
from sklearn.svm import SVC

for model in (SVC(), SVC().fit(x, y), SGDClassifier(), SGDClassifier(loss="log_loss")):
    print(hasattr(model, "predict_proba"), hasattr(model, "decision_function"))
for path in (Lasso.path, Lasso(0.1).path, Lasso(0.1).fit(x, y).path):
    print(path(x, x[:, 0], n_alphas=3)[1].round(6))
models = [("machine", SVC()), ("line", LogisticRegression())]
print(StackingClassifier(models, cv=3).fit(x, y).predict(x[:9]))
"""


def test_methods_are_there_where_scikit_learns_are():
    # Each instance had those that depend on parameters, and functions of a class took `self`.
    found, _ = run(METHODS)
    plain, _ = run(METHODS, accelerate=False)
    assert found == plain


GOES_ON = """
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import SGDRegressor

passes = SGDRegressor(max_iter=1, tol=None, warm_start=True, shuffle=False, eta0=0.001)
parts = SGDRegressor(shuffle=False, eta0=0.001)
target = x @ [1.0, -2.0]
for number in range(5):
    passes.fit(x, target)
    parts.set_params(alpha=10.0**-number).partial_fit(x, target)
print(passes.coef_.round(9), parts.coef_.round(9))
forest = RandomForestClassifier(3, warm_start=True, random_state=0).fit(x, y)
first = forest.estimators_[0]
forest.set_params(n_estimators=5).fit(x, y)
print(len(forest.estimators_), forest.estimators_[0] is first)
"""


def test_fits_go_on_with_the_parameters_of_now():
    # A warm start began anew each time, and parts were learnt by the parameters of the first.
    found, summary = run(GOES_ON)
    plain, _ = run(GOES_ON, accelerate=False)
    assert found == plain
    assert "SGDRegressor: 10 by phalanx" in summary
    assert "by scikit-learn" not in summary
