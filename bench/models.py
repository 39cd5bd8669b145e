"""Models beside scikit-learn's on the same data, and k-means steps beside their floor.

    python bench/models.py [--device cpu|cuda] [--rows N] [--only WORD ...] [--rounds N]
                           [--output FILE]

Both get the same float32 samples, ours in the device's memory; a time is of `fit`, or of what the
row names, and the scores of both must agree. On a GPU the peer is scikit-learn on all cores of its
host, and a target is what cuML publishes as its own speed over scikit-learn on an H100 (K-Means
7.0, LinearRegression 30, LogisticRegression 7.2, RandomForestClassifier 14, PCA 5, TruncatedSVD
6.7, Ridge 2.3). Without scikit-learn only the times of steps are printed.
"""

from __future__ import annotations

import argparse
import functools
import importlib
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from _measure import Row, cpu_name, medians, report, versions

import phalanx as px
from phalanx import _engine

FEATURES = 20


class Case(NamedTuple):
    """A model by its module and name, what is called, and how good it is."""

    name: str
    module: str
    options: dict[str, Any]
    rows: float  # of those asked for
    call: Callable[[Any, Any, Any], Any]
    score: Callable[[Any, Any, Any], float]
    cpu: float | None  # targets
    cuda: float | None
    jobs: bool = False  # scikit-learn's needs `n_jobs` to use all cores


def _first(x: Any, count: int, random_state: Any) -> Any:
    return x[:count]


def _fit(model: Any, x: Any, y: Any) -> Any:
    return model.fit(x, y)


def _fit_and_find(model: Any, x: Any, y: Any) -> Any:
    model.fit(x)
    model.found = model.kneighbors(x[:2000], return_distance=False)
    return model


def _accuracy(model: Any, x: Any, y: Any) -> float:
    return float(np.mean(np.asarray(model.predict(x[:20000])) == np.asarray(y[:20000])))


def _explained(model: Any, x: Any, y: Any) -> float:
    return float(np.sum(np.asarray(model.explained_variance_ratio_)))


def _score(model: Any, x: Any, y: Any) -> float:
    return float(model.score(x[:20000], y[:20000]))


def _transform(model: Any, x: Any, y: Any) -> Any:
    """Of a model that was fitted once, its results alone."""
    if not hasattr(model, "n_features_in_"):
        model.fit(x)
    model.made = model.transform(x)
    return model


def _mean(model: Any, x: Any, y: Any) -> float:
    return float(np.mean(np.abs(np.asarray(model.made[:20000]))))


def _kinds(model: Any, x: Any, y: Any) -> float:
    return float(sum(map(len, model.categories_)))


CASES = [
    Case("KMeans, 20 steps", "cluster.KMeans",
         {"n_clusters": 8, "max_iter": 20, "tol": 0, "init": _first, "n_init": 1}, 1, _fit,
         lambda m, x, y: m.inertia_ / len(x), None, 7.0),
    Case("DBSCAN", "cluster.DBSCAN", {"eps": 1.5, "min_samples": 8}, 0.03, _fit,
         lambda m, x, y: float(np.mean(np.asarray(m.labels_) >= 0)), 1.5, None, True),
    Case("PCA", "decomposition.PCA", {"n_components": 5}, 1, _fit, _explained, 1.5, 5.0),
    Case("TruncatedSVD", "decomposition.TruncatedSVD", {"n_components": 5, "random_state": 0}, 1,
         _fit, _explained, None, 6.7),
    Case("LinearRegression", "linear_model.LinearRegression", {}, 1, _fit, _score, None, 30),
    Case("Ridge", "linear_model.Ridge", {"alpha": 1.0}, 1, _fit, _score, 1.5, 2.3),
    Case("LogisticRegression", "linear_model.LogisticRegression", {}, 1, _fit, _accuracy, 1.5, 7.2),
    Case("KNeighbors, 2,000 asked", "neighbors.NearestNeighbors",
         {"n_neighbors": 5, "algorithm": "brute"}, 1, _fit_and_find,
         lambda m, x, y: float(np.mean(np.asarray(m.found)[:, 0] == np.arange(2000))), 1.5, None,
         True),
    Case("RandomForestClassifier", "ensemble.RandomForestClassifier",
         {"n_estimators": 20, "max_depth": 12, "random_state": 0}, 1, _fit, _accuracy, 1.5, 14,
         True),
    Case("StandardScaler", "preprocessing.StandardScaler", {}, 1,
         lambda m, x, y: (m.fit_transform(x), m)[1],
         lambda m, x, y: float(np.mean(np.asarray(m.scale_))), 1.5, None),
    *(Case(f"{name}, transform", f"preprocessing.{name}", {}, 1, _transform, _mean, 1.5, None)
      for name in ("StandardScaler", "MinMaxScaler", "MaxAbsScaler", "RobustScaler")),
    *(Case(f"{name}, {call.__name__[1:]}", f"preprocessing.{name}", {}, 0.2, call, _kinds, 1.5,
           None)
      for name in ("OrdinalEncoder", "OneHotEncoder") for call in (_fit, _transform)),
]  # fmt: skip


def data(rows: int, case: Case) -> tuple[np.ndarray, np.ndarray]:
    """Samples around 10 places, float32; what they are told by is a number or a class."""
    draw = np.random.default_rng(0)
    places = draw.normal(size=(10, FEATURES)) * 3
    at = draw.integers(0, 10, rows)
    scale = 0.3 if case.name == "DBSCAN" else 1.5
    x = (places[at] + draw.normal(size=(rows, FEATURES)) * scale).astype(np.float32)
    number = x @ draw.normal(size=FEATURES) + draw.normal(size=rows)
    if case.name.endswith(("Encoder, fit", "Encoder, transform")):
        return np.round(x * 4).astype(np.float32), number  # some hundred kinds a feature
    if case.module.startswith(("linear_model.R", "linear_model.Lin")):
        return x, number.astype(np.float32)
    return x, (number > np.median(number)).astype(np.int64)


def rows_of(options: argparse.Namespace) -> Iterator[Row]:
    """A row a case."""
    for case in CASES:
        if options.only and not any(word.lower() in case.name.lower() for word in options.only):
            continue
        module, _, name = case.module.rpartition(".")
        try:
            ours = getattr(importlib.import_module(f"phalanx.ml.{module}"), name)
        except (ImportError, AttributeError):
            print(f"{case.name}: not there yet")
            continue
        theirs = getattr(importlib.import_module(f"sklearn.{module}"), name)
        rows = int(options.rows * case.rows)
        host = data(rows, case)
        placed = tuple(map(px.asarray, host))
        models = {
            "phalanx": (ours(**case.options), placed),
            "scikit-learn": (theirs(**case.options, **({"n_jobs": -1} if case.jobs else {})), host),
        }
        seconds = medians(
            {
                each: functools.partial(_called, case, model, given)
                for each, (model, given) in models.items()
            },
            options.rounds,
        )
        found = [case.score(model, *given) for model, given in models.values()]
        if not np.allclose(*found, rtol=0.02):
            print(f"{case.name}: scores {found} DIFFER")
        mine, peer = (seconds[each] * 1e3 for each in ("phalanx", "scikit-learn"))
        target = case.cuda if options.device == "cuda" else case.cpu
        note = f" scores {found[0]:.4g}, {found[1]:.4g}"
        yield Row(f"{case.name}, {rows:,} rows", mine, peer, "ms", "scikit-learn",
                  target=target, note=note)  # fmt: skip


def _called(case: Case, model: Any, given: tuple[Any, Any]) -> None:
    _done(case.call(model, *given))


def _done(model: Any) -> None:
    for value in vars(model).values():
        if isinstance(value, px.ndarray):
            np.asarray(value.ravel()[:1])


def _uniform(draw: np.random.Generator, rows: int, features: int) -> np.ndarray:
    return draw.random((rows, features))


def _normal(draw: np.random.Generator, rows: int, features: int) -> np.ndarray:
    return draw.normal(size=(rows, features))


def _places(draw: np.random.Generator, rows: int, features: int) -> np.ndarray:
    places = draw.normal(size=(10, features)) * 6
    return places[draw.integers(0, 10, rows)] + draw.normal(size=(rows, features))


# Samples of k-means steps: a name, what draws them, millions of rows, features. The first are those
# of the figure; around places many samples stay for sure, in noise few.
SAMPLES = [
    ("uniform noise", _uniform, 2, 12),
    ("normal noise", _normal, 2, 12),
    ("around ten places", _places, 2, 12),
    ("uniform noise", _uniform, 1, 20),
    ("normal noise", _normal, 1, 20),
    ("around ten places", _places, 1, 20),
]


def steps_of_kmeans(options: argparse.Namespace) -> Iterator[Row]:
    """100 steps with 8 clusters, from given centers: without the rest; on a GPU of the first."""
    for name, draw, millions, features in SAMPLES[: 1 if options.device == "cuda" else None]:
        rows = millions * options.rows
        x = draw(np.random.default_rng(0), rows, features).astype(np.float32)
        yield _steps_row(f"k-means, 100 steps of {rows:,} x {features}, {name}", x, options)


def _steps_row(name: str, x: np.ndarray, options: argparse.Namespace) -> Row:
    models = {"ours": importlib.import_module("phalanx.ml.cluster").KMeans}
    samples = {"ours": px.asarray(x), "theirs": x}
    if options.device == "cpu":
        models["theirs"] = importlib.import_module("sklearn.cluster").KMeans
    times = _steps_alone(models, x[:8], samples, options.rounds)
    taken, whole = times["ours"]
    note = f" the whole fit {whole:.1f} ms, {x.nbytes * 100 / taken / 1e6:.0f} GB/s"
    if options.device == "cuda":
        return Row(name, taken, float("nan"), "ms", "", target=10.0, note=note)
    return Row(name, taken, times["theirs"][0], "ms", "scikit-learn", target=3.0, note=note)


def selection(options: argparse.Namespace) -> Row:
    """The choice among 2 to 13 clusters of 2 million x 12, from the host's samples to the table."""
    draw = np.random.default_rng(0)
    rows = 2 * options.rows
    places = draw.normal(size=(6, 12)) * 4
    x = (places[draw.integers(0, 6, rows)] + draw.normal(size=(rows, 12))).astype(np.float32)
    select_k = importlib.import_module("phalanx.ml.cluster").select_k
    taken = medians({"": lambda: select_k(x, range(2, 14), random_state=0)}, options.rounds)[""]
    target = 0.5 if options.device == "cuda" else None
    name = f"select_k, 2 to 13, {rows:,} x 12"
    return Row(name, taken, float("nan"), "s", "", target=target)


def _steps_alone(
    models: dict[str, Any], first: np.ndarray, samples: dict[str, Any], rounds: int
) -> dict[str, tuple[float, float]]:
    """Milliseconds of 100 steps, the difference of fits of 101 and one, and of the longer fit.

    Of each model by its name; they take turns, as a shared machine is not always as fast. A fit
    that converges sooner counts by its steps. All must come to the same inertia.
    """
    made = {
        (name, steps): model(8, init=first, n_init=1, max_iter=steps, tol=0)
        for name, model in models.items()
        for steps in (1, 101)
    }
    series: dict[tuple[str, int], list[float]] = {key: [] for key in made}
    for _ in range(rounds + 1):
        for (name, steps), model in made.items():
            start = time.perf_counter()
            _done(model.fit(samples[name]))
            series[name, steps].append(time.perf_counter() - start)
    longest = {name: model for (name, steps), model in made.items() if steps == 101}
    inertias = [float(model.inertia_) for model in longest.values()]
    np.testing.assert_allclose(inertias, inertias[0], rtol=1e-4)
    # The first round compiles.
    medians_of = {key: float(np.median(times[1:])) * 1e3 for key, times in series.items()}
    return {
        name: (
            (medians_of[name, 101] - medians_of[name, 1]) / (model.n_iter_ - 1) * 100,
            medians_of[name, 101],
        )
        for name, model in longest.items()
    }


def main() -> int:
    """Print the table; the number of missed targets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cpu", choices=("cpu", "cuda"))
    parser.add_argument("--rows", type=lambda text: int(float(text)), default=10**6)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    _engine.set_current_device(_engine.device(options.device))
    warnings.simplefilter("ignore")
    rows = []
    if not options.only or "steps" in options.only:
        rows.extend(steps_of_kmeans(options))
    if not options.only or "select" in options.only:
        rows.append(selection(options))
    if not {*options.only} & {"steps", "select"}:
        rows.extend(rows_of(options))
    heading = (
        f"## Models on {options.device}\n\n{cpu_name()}; {versions(['numpy', 'scikit-learn'])}\n"
    )
    return report(heading, rows, options.output)


if __name__ == "__main__":
    raise SystemExit(main())
