"""UMAP and t-SNE beside umap-learn, openTSNE and scikit-learn: processor time and quality.

    python bench/embeddings.py [--sizes N ...] [--features N] [--only WORD ...]
        [--without PEER ...] [--output FILE]

All get the same float32 samples: images of 10 kinds, made by a network of random weights from 12
numbers each. Peers that are not installed are left out. Each is run once on 5,000 samples, so that
code is compiled (from 4,096 on umap-learn searches by other code), then once on each size; a time
is that of all threads of the process, as other processes may take cores from it, and the wall's is
beside it. Trustworthiness is of 10 neighbors of 2,000 samples; with classes, "classes" is the share
of the 30 nearest places that have a sample's class. The issue's sizes are 70,000 x 784, with a
target of 3 x umap-learn and openTSNE.
"""

from __future__ import annotations

import argparse
import importlib
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from _measure import Row, cpu_name, report, versions
from phalanx.ml.manifold import TSNE, UMAP, trustworthiness

KINDS, LATENT, HIDDEN = 10, 12, 64
WARM = 5000  # samples of a first run
ASKED = 2000  # samples whose neighbors are looked at


class Case(NamedTuple):
    """What is fitted: ours, the peers by their modules' names, and whether classes are given."""

    name: str
    ours: Callable[[], Any]
    peers: dict[str, Callable[[Any], Any]]
    has_classes: bool = False


def _open_tsne(module: Any) -> Any:
    """openTSNE's class, whose `fit` returns the places, under the name of the others' method."""
    model = module.TSNE(n_jobs=-1, random_state=0)
    model.fit_transform = model.fit
    return model


CASES = [
    Case("UMAP", lambda: UMAP(random_state=0), {"umap": lambda umap: umap.UMAP()}),
    Case("UMAP with classes", lambda: UMAP(random_state=0), {"umap": lambda umap: umap.UMAP()},
         has_classes=True),
    Case("t-SNE", lambda: TSNE(random_state=0),
         {"openTSNE": _open_tsne,
          "sklearn.manifold": lambda manifold: manifold.TSNE(random_state=0, n_jobs=-1)}),
]  # fmt: skip


class Taken(NamedTuple):
    """Seconds of all threads, of the wall, and how good the places are."""

    processor: float
    wall: float
    trust: float
    classes: float


def data(count: int, features: int) -> tuple[np.ndarray, np.ndarray]:
    """Samples x features, float32, and their kinds."""
    draw = np.random.default_rng(0)
    kinds = draw.integers(0, KINDS, count)
    places = draw.normal(scale=2.0, size=(KINDS, LATENT))[kinds] + draw.normal(size=(count, LATENT))
    hidden = np.maximum(places @ draw.normal(size=(LATENT, HIDDEN)), 0)
    x = hidden @ draw.normal(size=(HIDDEN, features)) + draw.normal(size=(count, features))
    return x.astype(np.float32), kinds


def taken(model: Any, x: np.ndarray, kinds: np.ndarray | None, all_kinds: np.ndarray) -> Taken:
    """Fit once, and look at the places."""
    given = (x,) if kinds is None else (x, kinds)
    starts = time.process_time(), time.perf_counter()
    places = np.asarray(model.fit_transform(*given))
    processor, wall = time.process_time() - starts[0], time.perf_counter() - starts[1]
    asked = slice(0, ASKED)
    trust = trustworthiness(x[asked], places[asked], n_neighbors=10)
    return Taken(processor, wall, trust, same_class(places[asked], all_kinds[asked]))


def same_class(places: np.ndarray, kinds: np.ndarray, count: int = 30) -> float:
    """The share of the nearest places that have a sample's class."""
    apart = ((places[:, None] - places) ** 2).sum(axis=2)
    near = np.argsort(apart, axis=1)[:, 1 : count + 1]
    return float((kinds[near] == kinds[:, None]).mean())


def rows_of(options: argparse.Namespace) -> Iterator[Row]:
    """A row a case, a size and a peer."""
    for case in CASES:
        if options.only and not any(word.lower() in case.name.lower() for word in options.only):
            continue
        modules = {name: module_of(name) for name in case.peers if name not in options.without}
        makers = {"phalanx": case.ours}
        for name, module in modules.items():
            if module is not None:
                makers[name] = lambda make=case.peers[name], module=module: make(module)
        for place, size in enumerate((WARM, *options.sizes)):
            x, kinds = data(size, options.features)
            given = kinds if case.has_classes else None
            found = {}
            for name, make in makers.items():
                found[name] = taken(make(), x, given, kinds)
                print(f"{case.name}, {size}, {name}: {found[name]}", flush=True)
            if place:
                yield from rows_of_size(f"{case.name}, {size:,} x {options.features}", found)


def rows_of_size(name: str, found: dict[str, Taken]) -> Iterator[Row]:
    """Ours beside each peer; alone where there is none."""
    ours = found.pop("phalanx")
    for peer, its in (found or {"": Taken(*[float("nan")] * 4)}).items():
        note = f" wall {ours.wall:.3g} and {its.wall:.3g} s; "
        note += f"trustworthiness {ours.trust:.4f} and {its.trust:.4f}; "
        note += f"classes {ours.classes:.4f} and {its.classes:.4f}"
        target = 3.0 if peer in ("umap", "openTSNE") else None
        yield Row(name, ours.processor, its.processor, "s", peer, target=target, note=note)


def module_of(name: str) -> Any:
    """A peer's module, or None where it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        print(f"{name} is not installed: left out")
        return None


def main() -> int:
    """Print the table; the number of missed targets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=lambda text: int(float(text)), nargs="*", default=[5000])
    parser.add_argument("--features", type=int, default=784)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--without", nargs="*", default=[], help="modules of peers to leave out")
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    packages = ["numpy", "umap-learn", "openTSNE", "scikit-learn"]
    heading = f"## Embeddings on the CPU\n\n{cpu_name()}; {versions(packages)}\n"
    return report(heading, list(rows_of(options)), options.output)


if __name__ == "__main__":
    raise SystemExit(main())
