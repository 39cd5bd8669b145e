"""Short examples for the reference, run when it is made: what a name gives for small arguments.

A family of names, the functions of arrays or the methods of frames, has a setting, and a table of
arguments by the names of parameters. A name is shown where all that it requires is in the table and
the call works; the text is what Python prints. Examples of others are written by hand (written.py).
"""

import functools
import inspect
import io
import re
import warnings
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from typing import Any

import written
from public_names import MODULES, Name

ARRAY = "px.asarray([3.0, 1.0, 2.0])"
MATRIX = "px.asarray([[4.0, 1.0], [1.0, 3.0]])"
COMMON = {
    "a": ARRAY,
    "x": ARRAY,
    "array": ARRAY,
    "arr": ARRAY,
    "ary": ARRAY,
    "m": ARRAY,
    "obj": ARRAY,
    "x1": ARRAY,
    "x2": "px.asarray([1.0, 2.0, 4.0])",
    "a1": ARRAY,
    "a2": ARRAY,
    "b": ARRAY,
    "element": ARRAY,
    "test_elements": "[1.0, 2.0]",
    "y": "px.asarray([1.0, 4.0, 9.0])",
    "ar": ARRAY,
    "ar1": ARRAY,
    "ar2": "px.asarray([2.0, 5.0])",
    "arys": ARRAY,
    "arrays": f"({ARRAY}, {ARRAY})",
    "tup": f"({ARRAY}, {ARRAY})",
    "v": "2.5",
    "q": "0.5",
    "shape": "(2, 3)",
    "N": "3",
    "n": "4",
    "M": "4",
    "kth": "1",
    "fill_value": "7.0",
    "indices_or_sections": "3",
    "repeats": "2",
    "reps": "2",
    "shift": "1",
    "axis": "0",
    "dtype": "'float32'",
    "newshape": "(3, 1)",
    "indices": "[0, 2]",
    "condition": "px.asarray([True, False, True])",
    "p": "px.asarray([1.0, 2.0])",
    "values": "[9.0]",
    "bins": "[1.5, 2.5]",
    "v1": ARRAY,
    "start": "0",
    "stop": "1",
    "object": "[1, 2, 3]",
    "k": "1",
}
FRAME = """frame = px.DataFrame({"a": [3.0, 1.0, 2.0], "b": [1, 1, 2]})"""
SERIES = """series = px.Series([3.0, 1.0, 2.0], index=["x", "y", "z"])"""
OF_FRAMES = {
    "other": "2",
    "prefix": "'col_'",
    "suffix": "'_x'",
    "value": "0",
    "values": "[1.0, 2.0]",
    "func": "'sum'",
    "dtype": "'float32'",
    "n": "2",
    "columns": "'a'",
    "by": "'b'",
    "periods": "1",
    "expr": "'a > 1'",
    "lower": "1.5",
    "keys": "'b'",
    "labels": "['a']",
    "window": "2",
    "decimals": "0",
    "left": "1",
    "right": "2",
    "repeats": "2",
    "indices": "[0, 2]",
    "q": "0.5",
    "cond": "{it} > 1",
    "key": "'a'",
    "item": "'a'",
    "level": "0",
}
LABELS = {
    "y_true": "[0, 1, 1, 0, 1]",
    "y_pred": "[0, 1, 0, 0, 1]",
    "labels_true": "[0, 0, 1, 1, 2]",
    "labels_pred": "[1, 1, 0, 0, 0]",
    "y_score": "[0.2, 0.9, 0.4, 0.3, 0.8]",
    "y1": "[0, 1, 1, 0]",
    "y2": "[0, 1, 0, 0]",
    "X": "[[0.0, 1.0], [2.0, 2.0], [4.0, 0.0], [5.0, 1.0]]",
    "x": "[0.0, 0.5, 1.0]",
    "labels": "[0, 0, 1, 1]",
    "y": "[0.0, 0.8, 1.0]",
    "y_proba": "[0.2, 0.9, 0.4, 0.3, 0.8]",
    "Y": "[[1.0, 1.0], [3.0, 0.0], [4.0, 1.0], [0.0, 0.0]]",
}
# What opens windows, writes files, changes settings or waits.
NOT_RUN = re.compile(
    r"^(to_(?!numpy|list|dict|frame)|save|plot|hist$|boxplot|read_|fetch_|set_|dump)"
)
FAILED = re.compile(r" at 0x|^<|\bnan\b")


@dataclass(frozen=True)
class Family:
    """Names that are shown alike: who has them, what is done before, how one is written."""

    owner: str
    setting: tuple[str, ...]
    written: str
    arguments: dict[str, str] = field(default_factory=dict)
    more: tuple[str, ...] = ()  # whole lists of arguments, for functions that hide theirs


PX = "import phalanx as px"
BLOBS = (
    "from phalanx.ml.datasets import make_blobs",
    "samples, kinds = make_blobs(60, centers=3, random_state=0)",
)
NUMBERS = ("0.5", "1, 0.5", "2, 1, 0.5", "2, 1, 3, 0.5", "3", "2, 3")
FAMILIES: tuple[Family, ...] = (
    Family("phalanx", (PX,), "px.{name}({arguments})", COMMON),
    Family(
        "phalanx.linalg",
        (PX,),
        "px.linalg.{name}({arguments})",
        {
            **COMMON,
            **dict.fromkeys(["a", "A", "x", "x1", "x2", "arrays"], MATRIX),
            "n": "2",
            "arrays": f"[{MATRIX}, {MATRIX}]",
            "b": "px.asarray([1.0, 2.0])",
        },
    ),
    Family("phalanx.fft", (PX,), "px.fft.{name}({arguments})", {"a": MATRIX, "x": ARRAY, "n": "4"}),
    Family(
        "phalanx.emath",
        (PX,),
        "px.emath.{name}({arguments})",
        {"x": "px.asarray([-1.0, 4.0])", "p": "0.5", "n": "2"},
    ),
    Family("phalanx.special", (PX,), "px.special.{name}({arguments})", {"x": ARRAY}, NUMBERS),
    Family("phalanx.ndarray", (PX, f"x = {MATRIX}"), "x.{name}", COMMON),
    Family("phalanx.DataFrame", (PX, FRAME), "frame.{name}", OF_FRAMES),
    Family("phalanx.Series", (PX, SERIES), "series.{name}", OF_FRAMES),
    Family(
        "phalanx.random",
        (PX, "px.random.seed(7)"),
        "px.random.{name}({arguments})",
        {},
        ("size=3", "2.0, size=3", "1.0, 2.0, size=3", "5, 0.5, size=3", "3"),
    ),
    Family(
        "phalanx.api.types",
        ("from phalanx.api import types",),
        "types.{name}({arguments})",
        {},
        ("'float64'", "[1.0]"),
    ),
)

# What a fitted model is asked; none of these changes it.
METHODS = {
    "fit": "model.fit(samples, kinds)",
    "predict": "model.predict(samples[:4])",
    "predict_proba": "model.predict_proba(samples[:2])",
    "predict_log_proba": "model.predict_log_proba(samples[:2])",
    "decision_function": "model.decision_function(samples[:2])",
    "score": "model.score(samples, kinds)",
    "score_samples": "model.score_samples(samples[:2])",
    "transform": "model.transform(samples[:2])",
    "inverse_transform": "model.inverse_transform(model.transform(samples[:2]))",
    "fit_transform": "model.fit_transform(samples, kinds)[:2]",
    "fit_predict": "model.fit_predict(samples)[:4]",
    "kneighbors": "model.kneighbors(samples[:1], 2)",
    "apply": "model.apply(samples[:4])",
    "get_params": "model.get_params()",
    "get_feature_names_out": "model.get_feature_names_out()",
    "get_depth": "model.get_depth()",
    "get_n_leaves": "model.get_n_leaves()",
}

# Objects whose members are shown: the class that has them, and how one is made.
OBJECTS = {
    "phalanx.Index": 'index = px.Index([3, 1, 2], name="n")',
    "phalanx.RangeIndex": "index = px.RangeIndex(0, 6, 2)",
    "phalanx.MultiIndex": 'index = px.MultiIndex.from_arrays([["a", "b"], [1, 2]])',
    "phalanx.CategoricalIndex": 'index = px.CategoricalIndex(["x", "y", "x"])',
    "phalanx.DatetimeIndex": 'index = px.date_range("2024-02-28", periods=3)',
    "phalanx.TimedeltaIndex": 'index = px.timedelta_range("1 day", periods=3)',
    "phalanx.PeriodIndex": 'index = px.period_range("2024-01", periods=3, freq="M")',
    "phalanx.IntervalIndex": "index = px.IntervalIndex.from_breaks([0, 1, 2])",
    "phalanx.Categorical": 'values = px.Categorical(["x", "y", "x"])',
    "phalanx.Timestamp": 'time = px.Timestamp("2024-02-28 13:45:10")',
    "phalanx.Timedelta": 'delta = px.Timedelta("1 day 02:30:00")',
    "phalanx.Period": 'period = px.Period("2024-02", freq="M")',
    "phalanx.Interval": "interval = px.Interval(0, 2)",
    "phalanx.poly1d": "polynomial = px.poly1d([1.0, -3.0, 2.0])",
    "phalanx.sparse.Sparse": "matrix = px.sparse.csr_matrix([[4.0, 0.0], [1.0, 3.0]])",
    "phalanx.sparse.csr_matrix": "matrix = px.sparse.csr_matrix([[4.0, 0.0], [1.0, 3.0]])",
    "phalanx.sparse.csr_array": "matrix = px.sparse.csr_array([[4.0, 0.0], [1.0, 3.0]])",
    "phalanx.sparse.csc_matrix": "matrix = px.sparse.csc_matrix([[4.0, 0.0], [1.0, 3.0]])",
    "phalanx.sparse.csc_array": "matrix = px.sparse.csc_array([[4.0, 0.0], [1.0, 3.0]])",
    "phalanx.sparse.coo_matrix": "matrix = px.sparse.coo_matrix([[4.0, 0.0], [1.0, 3.0]])",
    "phalanx.sparse.coo_array": "matrix = px.sparse.coo_array([[4.0, 0.0], [1.0, 3.0]])",
    "phalanx.sparse.dia_matrix": "matrix = px.sparse.dia_matrix([[4.0, 0.0], [1.0, 3.0]])",
    "phalanx.sparse.dia_array": "matrix = px.sparse.dia_array([[4.0, 0.0], [1.0, 3.0]])",
    "phalanx.tseries.offsets.BaseOffset": "offset = px.offsets.MonthEnd(2)",
    "phalanx.tseries.offsets.Tick": "offset = px.offsets.Hour(3)",
}
FAMILIES += tuple(
    Family(owner, (PX, made), made.partition(" = ")[0] + ".{name}", OF_FRAMES)
    for owner, made in OBJECTS.items()
)


def required(value: Any) -> list[str] | None:
    """The parameters without a default, without those of an object itself; None if not known."""
    try:
        found = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return None
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    names = [each.name for each in found if each.kind in kinds and each.default is each.empty]
    return [each for each in names if each != "self"]


def of_ml(name: Name) -> Family | None:
    """The family of a function or model of phalanx.ml."""
    is_of_module = name.owner in MODULES and name.owner.startswith("phalanx.ml.")
    if not is_of_module or name.owner == "phalanx.ml.dask":
        return None
    taken = f"from {name.owner} import {name.name}"
    if name.kind == "class":
        of_texts = "text" in name.owner or name.name.startswith(("Tfidf", "Dict", "Feature"))
        return (
            None
            if of_texts
            else Family(name.owner, (taken, *BLOBS), "{name}().fit(samples, kinds)")
        )
    return Family(name.owner, (taken,), "{name}({arguments})", LABELS)


def of_model(name: Name) -> Iterator[tuple[tuple[str, ...], str]]:
    """A fitted model, and what shows one of its methods."""
    module, _, model = name.owner.rpartition(".")
    if module.startswith("phalanx.ml.") and module in MODULES and name.name in METHODS:
        setting = f"from {module} import {model}", *BLOBS, f"model = {model}().fit(samples, kinds)"
        yield setting, METHODS[name.name]


def candidates(name: Name) -> Iterator[tuple[tuple[str, ...], str]]:
    """Settings and expressions that may show a name."""
    yield from of_model(name)
    family = next((each for each in FAMILIES if each.owner == name.owner), None) or of_ml(name)
    if (
        family is None
        or NOT_RUN.match(name.name)
        or (name.kind == "class" and "px" in family.written)
    ):
        return
    if name.kind == "property" or "fit(" in family.written:
        yield family.setting, family.written.format(name=name.name)
        return
    call = family.written if "(" in family.written else family.written + "({arguments})"
    names = required(name.value)
    it = family.setting[-1].partition(" = ")[0]
    if names is not None and all(each in family.arguments for each in names):
        listed = ", ".join(family.arguments[each] for each in names).replace("{it}", it)
        yield family.setting, call.format(name=name.name, arguments=listed)
    for listed in family.more:
        yield family.setting, call.format(name=name.name, arguments=listed)


def made(setting: tuple[str, ...]) -> dict[str, Any]:
    """The names that a setting makes."""
    scope: dict[str, Any] = {}
    exec("\n".join(setting), scope)
    return scope


# A model is fitted once for all of its methods.
fitted = functools.lru_cache(maxsize=1)(made)


def printed(setting: tuple[str, ...], expression: str) -> str | None:
    """What Python prints for an expression; None where it fails or shows nothing."""
    try:
        with (
            warnings.catch_warnings(),
            redirect_stdout(io.StringIO()),
            redirect_stderr(io.StringIO()),
        ):
            warnings.simplefilter("error")
            scope = fitted(setting) if setting[-1].startswith("model = ") else made(setting)
            result = eval(expression, scope)
            text = repr(result)
    except Exception:  # whatever it raises: it is not shown
        return None
    too_long = len(text) > 900 or text.count("\n") > 14
    return None if result is None or too_long or FAILED.search(text) else text


def example(name: Name) -> str:
    """The example of a name as a session of Python's, or nothing."""
    if name.path in written.by_path():
        return written.by_path()[name.path]
    for setting, expression in candidates(name):
        text = printed(setting, expression)
        if text is not None:
            lines = [f">>> {each}" for each in (*setting, expression) if each != PX]
            return "\n".join([*lines, text])
    return ""
