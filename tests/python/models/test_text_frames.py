"""Our frames with text columns through imputers, encoders and scikit-learn's ColumnTransformer."""

import numpy as np
import pytest

import phalanx as px

pytest.importorskip("sklearn", minversion="1.7")
pytest.importorskip("pandas")

from phalanx.ml.compose import ColumnTransformer
from phalanx.ml.feature_extraction.text import CountVectorizer
from phalanx.ml.impute import SimpleImputer
from phalanx.ml.linear_model import LogisticRegression
from phalanx.ml.pipeline import make_pipeline
from phalanx.ml.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler

KINDS = ["x", "y", "x", "z", "z", "x"]
GAPS = ["x", None, "x", "z", None, "y"]
NUMBERS = [1.0, 2.0, 4.0, np.nan, 3.0, 1.0]
FRAME = px.DataFrame({"kind": KINDS, "gaps": GAPS, "a": NUMBERS, "b": [1.0, 3, 5, 2, 8, 1]})


def same(model, frame):
    """The same result of our frame as of pandas', both as dense arrays."""
    own = model.fit_transform(frame)
    want = model.fit_transform(frame.to_pandas())
    own, want = (each.toarray() if hasattr(each, "toarray") else each for each in (own, want))
    own = np.asarray(own)
    assert own.dtype.kind == want.dtype.kind
    if own.dtype.kind == "O":
        assert own.shape == want.shape
        assert [str(each) for each in own.ravel()] == [str(each) for each in want.ravel()]
    else:
        np.testing.assert_allclose(own, want)


@pytest.mark.parametrize(
    "options",
    [
        {"strategy": "most_frequent"},
        {"strategy": "constant"},
        {"strategy": "constant", "fill_value": "none"},
        {"strategy": "most_frequent", "add_indicator": True},
    ],
)
@pytest.mark.parametrize("columns", [["kind"], ["gaps"], ["kind", "gaps"], ["gaps", "b"]])
def test_imputers_fill_texts(options, columns):
    same(SimpleImputer(**options), FRAME[columns])


def test_a_text_may_be_the_gap():
    same(SimpleImputer(strategy="most_frequent", missing_values="x"), FRAME[["kind"]])


def _filled(last):
    return make_pipeline(SimpleImputer(strategy="most_frequent"), last)


@pytest.mark.parametrize(
    "steps",
    [
        [("s", StandardScaler(), ["b"]), ("o", OneHotEncoder(), ["kind"])],
        [("s", StandardScaler(), ["b"]), ("o", OneHotEncoder(sparse_output=False), ["kind"])],
        [("s", StandardScaler(), ["b"]), ("o", OrdinalEncoder(), ["kind"])],
        [("o", OneHotEncoder(), ["kind"])],
        [("s", _filled(StandardScaler()), ["a", "b"]), ("o", _filled(OneHotEncoder()), ["gaps"])],
        [("i", SimpleImputer(strategy="most_frequent"), ["gaps"]), ("s", StandardScaler(), ["b"])],
        [("t", CountVectorizer(token_pattern="."), "kind"), ("s", StandardScaler(), ["b"])],
    ],
)
@pytest.mark.parametrize("remainder", ["drop", "passthrough"])
@pytest.mark.parametrize("threshold", [0, 0.99])
def test_columns_are_put_side_by_side(steps, remainder, threshold):
    frame = FRAME[["kind", "b"]] if "gaps" not in str(steps) else FRAME
    if remainder == "passthrough" and threshold and "OneHotEncoder()" in str(steps):
        frame = frame.copy()
        steps = [*steps, ("rest", "drop", [each for each in ("kind", "gaps") if each in frame])]
    same(ColumnTransformer(steps, remainder=remainder, sparse_threshold=threshold), frame)


def test_texts_pass_through():
    same(ColumnTransformer([("s", StandardScaler(), ["b"])], remainder="passthrough"), FRAME)


def test_numbers_pass_through_as_ours():
    chosen = ColumnTransformer([("s", StandardScaler(), ["b"])], remainder="passthrough")
    assert isinstance(chosen.fit_transform(FRAME[["a", "b"]]), px.ndarray)


def test_a_whole_pipeline_predicts():
    columns = ColumnTransformer(
        [
            ("numbers", _filled(StandardScaler()), ["b"]),
            ("kinds", _filled(OneHotEncoder(sparse_output=False)), ["kind", "gaps"]),
        ]
    )
    y = [0, 1, 0, 1, 1, 0]
    model = make_pipeline(columns, LogisticRegression())
    own = model.fit(FRAME, y).predict_proba(FRAME)
    want = model.fit(FRAME.to_pandas(), y).predict_proba(FRAME.to_pandas())
    np.testing.assert_allclose(np.asarray(own), want, rtol=1e-6)


def test_numpy_joins_our_arrays_and_texts():
    made = np.hstack([px.ones((2, 1)), np.array([["a"], ["b"]], object)])
    assert made.tolist() == [[1.0, "a"], [1.0, "b"]]
    assert isinstance(np.hstack([px.ones((2, 1)), np.ones((2, 1))]), px.ndarray)
