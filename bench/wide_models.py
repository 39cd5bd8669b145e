"""Models of few samples of many features beside scikit-learn's: processor time.

    python bench/wide_models.py [--rows N] [--features N] [--only WORD ...] [--rounds N]
        [--output FILE]

Numbers are normal ones, the target is of ten features and noise. Times are of all threads of the
process, in turns, so that other processes change neither; with one thread each where
`PHALANX_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1` is set, as for small data.
"""

from __future__ import annotations

import argparse
import functools
import importlib
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from _measure import Row, cpu_name, medians, report, versions


class Case(NamedTuple):
    """A model by its module and name, the method that is measured, and whether y is of classes."""

    module: str
    options: dict[str, Any]
    call: str = "fit"
    of_classes: bool = False


_L1 = {"l1_ratio": 1.0, "solver": "liblinear"}
CASES = [
    Case("linear_model.Lasso", {"alpha": 0.1}),
    Case("linear_model.ElasticNet", {"alpha": 0.1}),
    Case("linear_model.LassoCV", {"cv": 3}),
    Case("linear_model.ElasticNetCV", {"cv": 3}),
    Case("linear_model.Ridge", {}),
    Case("linear_model.RidgeCV", {}),
    Case("linear_model.LinearRegression", {}),
    Case("linear_model.LogisticRegression", {}, of_classes=True),
    Case("linear_model.LogisticRegression", _L1, of_classes=True),
    Case("svm.LinearSVC", {}, of_classes=True),
    Case("tree.DecisionTreeClassifier", {"random_state": 0}, of_classes=True),
    Case("tree.DecisionTreeRegressor", {"random_state": 0}),
    Case("ensemble.RandomForestRegressor", {"random_state": 0, "n_estimators": 20}),
    Case("ensemble.ExtraTreesClassifier", {"random_state": 0}, of_classes=True),
    Case("preprocessing.QuantileTransformer", {"n_quantiles": 50}),
    Case("preprocessing.QuantileTransformer", {"n_quantiles": 50}, "transform"),
    Case("preprocessing.KBinsDiscretizer", {"encode": "ordinal"}, "transform"),
    Case("impute.SimpleImputer", {}, "transform"),
]


def samples(rows: int, features: int) -> tuple[np.ndarray, np.ndarray]:
    """Samples x features and a number for each."""
    draw = np.random.default_rng(0)
    x = draw.normal(size=(rows, features))
    return x, x[:, :10] @ draw.normal(scale=3, size=10) + draw.normal(size=rows)


def rows_of(options: argparse.Namespace) -> Iterator[Row]:
    """A row a case."""
    x, numbers = samples(options.rows, options.features)
    for case in CASES:
        module, _, name = case.module.rpartition(".")
        label = f"{name}{' (l1)' if case.options is _L1 else ''}, {case.call}"
        if options.only and not any(word.lower() in label.lower() for word in options.only):
            continue
        y = (numbers > 0).astype(int) if case.of_classes else numbers
        functions = {}
        for package, key in (("phalanx.ml", "ours"), ("sklearn", "theirs")):
            kind = getattr(importlib.import_module(f"{package}.{module}"), name)
            model = kind(**case.options)
            given = (x, y)
            if case.call != "fit":
                model, given = model.fit(x, y), (x,)
            functions[key] = functools.partial(getattr(model, case.call), *given)
        seconds = medians(functions, options.rounds, time.process_time)
        yield Row(f"{label}, {options.rows:,} x {options.features:,}", seconds["ours"] * 1e3,
                  seconds["theirs"] * 1e3, "ms", "scikit-learn", target=1.0)  # fmt: skip


def main() -> int:
    """Print the table; the number of missed targets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=lambda text: int(float(text)), default=80)
    parser.add_argument("--features", type=lambda text: int(float(text)), default=4000)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    heading = "## Models of few samples of many features on the CPU, processor time"
    heading += f"\n\n{cpu_name()}; {versions(['numpy', 'scipy', 'scikit-learn'])}\n"
    return report(heading, list(rows_of(options)), options.output)


if __name__ == "__main__":
    raise SystemExit(main())
