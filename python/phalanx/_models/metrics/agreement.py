"""How well two classes of each sample agree, and a report of all scores."""

from __future__ import annotations

from typing import Any

import numpy as np

from .binary import undefined
from .checks import pair_of_labels
from .classification import accuracy_score, confusion_matrix
from .label_counts import classes_of_pair, wanted_labels
from .scores import averaged_counts, mean_of, precision_recall_fscore_support, share_of


def matthews_corrcoef(y_true: Any, y_pred: Any, *, sample_weight: Any = None) -> float:
    """Return the correlation of true and predicted classes, 0 where one of them is constant.

    Of several classes J. Gorodkin's (2004). Raises ValueError for other lengths.
    """
    table = confusion_matrix(y_true, y_pred, sample_weight=sample_weight).astype(np.float64)
    true, predicted, total = table.sum(axis=1), table.sum(axis=0), table.sum()
    both = np.trace(table) * total - true @ predicted
    spread = (total**2 - true @ true) * (total**2 - predicted @ predicted)
    return float(both / np.sqrt(spread)) if spread > 0 else 0.0


def cohen_kappa_score(
    y1: Any,
    y2: Any,
    *,
    labels: Any = None,
    weights: str | None = None,
    sample_weight: Any = None,
    replace_undefined_by: float = np.nan,
) -> float:
    """Return the agreement of two labellings beyond chance, of J. Cohen (1960).

    `weights` ``"linear"`` or ``"quadratic"`` count how far apart labels are, in order. Raises
    ValueError for another, and for other lengths; warns, and gives `replace_undefined_by`, where
    all labels are one.
    """
    if weights not in (None, "linear", "quadratic"):
        raise ValueError(f"weights must be None, 'linear' or 'quadratic', got {weights!r}")
    table = confusion_matrix(y1, y2, labels=labels, sample_weight=sample_weight).astype(np.float64)
    count = len(table)
    chance = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    apart = np.abs(np.subtract.outer(np.arange(count), np.arange(count))).astype(np.float64)
    cost = {None: (apart > 0).astype(np.float64), "linear": apart, "quadratic": apart**2}[weights]
    expected = float((cost * chance).sum())
    if expected == 0:
        undefined("All labels are one class: Cohen's kappa is not defined.")
        return float(replace_undefined_by)
    return float(1 - (cost * table).sum() / expected)


def zero_one_loss(
    y_true: Any, y_pred: Any, *, normalize: bool = True, sample_weight: Any = None
) -> float:
    """Return the share of samples whose class is not predicted, or unless `normalize` their weight.

    Raises ValueError for other lengths.
    """
    right = accuracy_score(y_true, y_pred, normalize=normalize, sample_weight=sample_weight)
    if normalize:
        return 1 - right
    whole = len(np.asarray(y_true)) if sample_weight is None else float(np.sum(sample_weight))
    return whole - right


def hamming_loss(y_true: Any, y_pred: Any, *, sample_weight: Any = None) -> float:
    """Return the share of labels that are not predicted, of samples or samples x labels.

    Raises what `pair_of_labels` raises.
    """
    true, predicted = pair_of_labels(y_true, y_pred, sample_weight)
    wrong = (true != predicted).reshape(len(true), -1).mean(axis=1)
    return float(np.average(wrong, weights=sample_weight))


def jaccard_score(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    pos_label: Any = 1,
    average: str | None = "binary",
    sample_weight: Any = None,
    zero_division: Any = "warn",
) -> Any:
    """Return how many samples are of a class and predicted so, by those that are either.

    Keywords and errors are `precision_recall_fscore_support`'s.
    """
    hits, predicted, true, _ = averaged_counts(
        y_true, y_pred, average, labels=labels, pos_label=pos_label, weight=sample_weight
    )
    made = share_of(hits, true + predicted - hits, zero_division, "Jaccard")
    return made if average is None else mean_of(made, true, average, sample_weight)


def classification_report(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    target_names: Any = None,
    sample_weight: Any = None,
    digits: int = 2,
    output_dict: bool = False,
    zero_division: Any = "warn",
) -> Any:
    """Return a text with precision, recall, F score and support of each class and their means.

    `output_dict` gives the numbers as a dict. Raises ValueError for other lengths, and for another
    number of `target_names`.
    """
    true, predicted = pair_of_labels(y_true, y_pred, sample_weight)
    there = classes_of_pair(true, predicted)
    wanted = wanted_labels(true, there, labels)
    names = [str(each) for each in (wanted if target_names is None else target_names)]
    if len(names) != len(wanted):
        raise ValueError(
            f"Number of classes, {len(wanted)}, does not match size of target_names, {len(names)}. "
            "Try specifying the labels parameter"
        )
    given = {"labels": wanted, "sample_weight": sample_weight, "zero_division": zero_division}
    columns = precision_recall_fscore_support(y_true, y_pred, average=None, **given)
    rows = dict(zip(names, zip(*columns, strict=True), strict=True))
    support = float(columns[3].sum()) if sample_weight is not None else int(columns[3].sum())
    has_accuracy = true.ndim == 1 and set(there.tolist()) <= set(wanted.tolist())
    means = {}
    for average in ("micro", "macro", "weighted", *["samples"] * (true.ndim == 2)):
        made = precision_recall_fscore_support(y_true, y_pred, average=average, **given)[:3]
        name = "accuracy" if average == "micro" and has_accuracy else f"{average} avg"
        means[name] = (*made, support)
    if output_dict:
        return _as_dict(rows, means)
    return _as_text(rows, means, digits)


_TITLES = ("precision", "recall", "f1-score", "support")


def _as_dict(rows: dict[str, Any], means: dict[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = {
        name: dict(zip(_TITLES, map(float, row), strict=True))
        for name, row in {**rows, **means}.items()
    }
    if "accuracy" in made:
        made["accuracy"] = made["accuracy"]["precision"]
    return made


def _as_text(rows: dict[str, Any], means: dict[str, Any], digits: int) -> str:
    width = max(*map(len, rows), len("weighted avg"), digits)
    lines = [" " * width + " " + "".join(f" {title:>9}" for title in _TITLES), ""]

    def line(name: str, row: Any) -> str:
        shares = "".join(f" {share:>9.{digits}f}" for share in row[:3])
        return f"{name:>{width}} {shares} {row[3]:>9}"

    lines += [line(name, row) for name, row in rows.items()]
    lines.append("")
    for name, row in means.items():
        if name == "accuracy":
            empty = " " * 10
            lines.append(f"{name:>{width}} {empty}{empty} {row[2]:>9.{digits}f} {row[3]:>9}")
        else:
            lines.append(line(name, row))
    return "\n".join(lines) + "\n"
