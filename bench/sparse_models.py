"""Models of sparse samples, and of texts, beside scikit-learn's: processor time of fits.

    python bench/sparse_models.py [--rows N] [--only WORD ...] [--rounds N] [--output FILE]

Samples are counts of terms, 40 of 20,000 a document, which are as frequent as words are (Zipf's
law); texts are documents of 60 such words. Times are of all threads of the process, in turns, so
that other processes change neither.
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

TERMS, PER_ROW, WORDS = 20_000, 40, 60


class Case(NamedTuple):
    """A model by its module and name, what is called, and the share of the rows asked for."""

    module: str
    options: dict[str, Any]
    call: Callable[[Any, Any, Any], Any]
    rows: float = 1.0
    of_texts: bool = False


def _fit(model: Any, x: Any, y: Any) -> Any:
    return model.fit(x, y)


def _transform(model: Any, x: Any, y: Any) -> Any:
    """Of a model that is fitted: scalers', vectorizers' and predictions' time alone."""
    if not hasattr(model, "ready"):
        model.fit(x, y)
        model.ready = True
    return model.transform(x) if hasattr(model, "transform") else model.predict(x)


def _fit_transform(model: Any, x: Any, y: Any) -> Any:
    return model.fit_transform(x)


_STEPS = {"max_iter": 5, "tol": None, "random_state": 0}
CASES = [
    Case("naive_bayes.MultinomialNB", {}, _fit),
    Case("naive_bayes.MultinomialNB", {}, _transform),
    Case("naive_bayes.BernoulliNB", {}, _fit),
    Case("linear_model.SGDClassifier", _STEPS, _fit),
    Case("linear_model.SGDClassifier", {**_STEPS, "penalty": "l1"}, _fit, 0.02),
    Case("linear_model.SGDRegressor", {**_STEPS, "eta0": 1e-4}, _fit),
    Case("linear_model.LogisticRegression", {"max_iter": 30}, _fit, 0.5),
    Case("linear_model.Ridge", {"solver": "sparse_cg"}, _fit, 0.5),
    Case("linear_model.Lasso", {"alpha": 0.01}, _fit, 0.1),
    Case("svm.LinearSVC", {}, _fit, 0.2),
    Case("decomposition.TruncatedSVD", {"n_components": 20, "random_state": 0}, _fit),
    Case("decomposition.TruncatedSVD", {"n_components": 20, "random_state": 0}, _transform),
    Case("preprocessing.StandardScaler", {"with_mean": False}, _fit),
    Case("preprocessing.StandardScaler", {"with_mean": False}, _transform),
    Case("preprocessing.MaxAbsScaler", {}, _fit),
    Case("preprocessing.MaxAbsScaler", {}, _transform),
    Case("preprocessing.Normalizer", {}, _transform),
    Case("feature_extraction.text.TfidfTransformer", {}, _fit),
    Case("feature_extraction.text.TfidfTransformer", {}, _transform),
    Case("feature_extraction.text.CountVectorizer", {}, _fit_transform, 0.2, True),
    Case("feature_extraction.text.CountVectorizer", {}, _transform, 0.2, True),
    Case("feature_extraction.text.CountVectorizer", {"ngram_range": (1, 2)}, _fit_transform, 0.1,
         True),
    Case("feature_extraction.text.TfidfVectorizer", {}, _fit_transform, 0.2, True),
    Case("feature_extraction.text.HashingVectorizer", {}, _fit_transform, 0.2, True),
]  # fmt: skip


def terms(rows: int, count: int) -> np.ndarray:
    """Numbers of terms, rows x count: the k-th most frequent is 1/k as frequent as the first."""
    draw = np.random.default_rng(0)
    shares = np.cumsum(1 / np.arange(1, TERMS + 1))
    return np.searchsorted(shares, draw.random((rows, count)) * shares[-1])


def samples(rows: int) -> tuple[Any, np.ndarray]:
    """Documents x terms in CSR form, and a class for each document."""
    from scipy.sparse import csr_matrix

    columns = terms(rows, PER_ROW)
    ends = np.arange(0, columns.size + 1, PER_ROW)
    x = csr_matrix((np.ones(columns.size), columns.ravel(), ends), (rows, TERMS))
    x.sum_duplicates()
    draw = np.random.default_rng(1)
    scores = x @ draw.normal(size=TERMS) + draw.normal(size=rows)
    return x, (scores > 0).astype(np.int64)


def texts(rows: int) -> tuple[list[str], None]:
    """Documents of words."""
    letters = np.array(list("abcdefghijklmnopqrstuvwxyz"))
    draw = np.random.default_rng(2)
    words = ["".join(draw.choice(letters, size=draw.integers(2, 10))) for _ in range(TERMS)]
    return [" ".join(words[each] for each in row) for row in terms(rows, WORDS).tolist()], None


def rows_of(options: argparse.Namespace) -> Iterator[Row]:
    """A row a case."""
    make = functools.cache(lambda of_texts, rows: (texts if of_texts else samples)(rows))
    for case in CASES:
        module, _, name = case.module.rpartition(".")
        label = f"{name}{case.options.get('penalty', '')}, {case.call.__name__.strip('_')}"
        if options.only and not any(word.lower() in label.lower() for word in options.only):
            continue
        given = make(case.of_texts, int(options.rows * case.rows))
        functions = {}
        for package, key in (("phalanx.ml", "ours"), ("sklearn", "theirs")):
            kind = getattr(importlib.import_module(f"{package}.{module}"), name)
            functions[key] = functools.partial(case.call, kind(**case.options), *given)
        seconds = medians(functions, options.rounds, time.process_time)
        print(label, seconds, flush=True)
        yield Row(f"{label}, {int(options.rows * case.rows):,} rows", seconds["ours"] * 1e3,
                  seconds["theirs"] * 1e3, "ms", "scikit-learn", target=1.0)  # fmt: skip


def main() -> int:
    """Print the table; the number of missed targets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=lambda text: int(float(text)), default=10**5)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    heading = "## Models of sparse samples and texts on the CPU, processor time"
    heading += f"\n\n{cpu_name()}; {versions(['numpy', 'scipy', 'scikit-learn'])}\n"
    return report(heading, list(rows_of(options)), options.output)


if __name__ == "__main__":
    raise SystemExit(main())
