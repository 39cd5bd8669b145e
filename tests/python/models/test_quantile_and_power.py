"""Transformers that spread or bend features, and discretizers, against scikit-learn's."""

import warnings

import numpy as np
import pytest
from phalanx.ml import preprocessing as ours

import phalanx as px

theirs = pytest.importorskip("sklearn.preprocessing")

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning", "ignore::RuntimeWarning")

MODELS = [
    ("QuantileTransformer", {"n_quantiles": 20}),
    ("QuantileTransformer", {"n_quantiles": 500}),
    ("QuantileTransformer", {"n_quantiles": 1}),
    ("QuantileTransformer", {"n_quantiles": 30, "output_distribution": "normal"}),
    ("QuantileTransformer", {"n_quantiles": 30, "subsample": 50, "random_state": 3}),
    ("PowerTransformer", {}),
    ("PowerTransformer", {"standardize": False}),
    ("PowerTransformer", {"method": "box-cox"}),
    ("PowerTransformer", {"method": "box-cox", "standardize": False}),
    ("KBinsDiscretizer", {"encode": "ordinal"}),
    ("KBinsDiscretizer", {"encode": "ordinal", "strategy": "uniform", "n_bins": [2, 3, 4, 9]}),
    ("KBinsDiscretizer", {"encode": "ordinal", "strategy": "kmeans", "n_bins": 3}),
    ("KBinsDiscretizer", {"encode": "onehot-dense", "quantile_method": "linear"}),
    ("KBinsDiscretizer", {"encode": "onehot", "dtype": np.float32}),
    ("KBinsDiscretizer", {"encode": "ordinal", "subsample": 40, "random_state": 1}),
    ("Binarizer", {"threshold": 1.5}),
]
ATTRIBUTES = ["quantiles_", "references_", "n_quantiles_", "lambdas_", "n_bins_", "n_features_in_"]


def values(dtype="float64", special="plain", count=120):
    random = np.random.default_rng(4)
    made = random.lognormal(size=(count, 4)) + 0.1
    made[:, 1] = np.round(made[:, 1] * 2) / 2 + 0.5  # equal numbers
    made[:, 2] *= 1e3
    if special == "nan":
        made[3:9, 0] = np.nan
    return made.astype(dtype)


def dense(found):
    return found.toarray() if hasattr(found, "toarray") else np.asarray(found)


KINDS = [("float32", "plain"), ("float64", "nan"), ("int32", "plain")]


@pytest.mark.parametrize(("dtype", "special"), KINDS)
@pytest.mark.parametrize(("name", "options"), MODELS)
def test_as_scikit_learn(name, options, dtype, special):
    if name in ("KBinsDiscretizer", "Binarizer"):
        special = "plain"
    x = values(dtype, special)
    if options.get("method") == "box-cox":
        x = x + np.ones(1, dtype)
    mine, other = (getattr(each, name)(**options).fit(x) for each in (ours, theirs))
    close = 2e-3 if dtype == "float32" else 1e-6
    for attribute in ATTRIBUTES:
        assert hasattr(mine, attribute) == hasattr(other, attribute), attribute
        if hasattr(mine, attribute):
            np.testing.assert_allclose(
                getattr(mine, attribute), getattr(other, attribute), rtol=close, err_msg=attribute
            )
    others = np.concatenate([x[::-1] * np.ones(1, dtype), x[:5]])
    found, expected = mine.transform(others), other.transform(others)
    assert found.dtype == expected.dtype
    np.testing.assert_allclose(dense(found), dense(expected), rtol=close, atol=close)
    assert list(mine.get_feature_names_out()) == list(other.get_feature_names_out())
    if hasattr(other, "inverse_transform"):
        np.testing.assert_allclose(
            mine.inverse_transform(expected),
            other.inverse_transform(expected),
            rtol=5 * close,
            atol=close,
        )


@pytest.mark.parametrize("distribution", ["uniform", "normal"])
def test_shares_beyond_0_and_1_are_those_of_the_ends(distribution, device):
    options = {"n_quantiles": 10, "output_distribution": distribution}
    mine, other = (each.QuantileTransformer(**options).fit(values()) for each in (ours, theirs))
    shares = np.array([[1.2, -0.3, 0.5, 1.0], [0.0, 7.0, -9.0, np.nan]])
    found = np.asarray(mine.inverse_transform(px.asarray(shares, device=device)))
    np.testing.assert_allclose(found, other.inverse_transform(shares), rtol=1e-12)


def test_a_feature_without_numbers_stays_beside_others():
    x = np.column_stack([values()[:, 0], np.full(120, np.nan)])
    for distribution in ("uniform", "normal"):
        options = {"n_quantiles": 7, "output_distribution": distribution}
        mine, other = (each.QuantileTransformer(**options).fit(x) for each in (ours, theirs))
        given = np.array([[1.0, 2.0], [np.nan, 3.0]])
        np.testing.assert_allclose(mine.transform(given), other.transform(given), rtol=1e-9)
        np.testing.assert_allclose(
            mine.inverse_transform(given), other.inverse_transform(given), rtol=1e-9
        )


@pytest.mark.parametrize("method", ["yeo-johnson", "box-cox"])
def test_powers_are_the_likeliest(method):
    from scipy import stats

    x = values(count=300)[:, :1]
    power = float(ours.PowerTransformer(method).fit(x).lambdas_[0])
    likelihood = stats.boxcox_llf if method == "box-cox" else stats.yeojohnson_llf
    found = likelihood(power, x[:, 0])
    assert found >= max(likelihood(power + step, x[:, 0]) for step in (-0.01, 0.01))


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e8])
@pytest.mark.parametrize("sign", [-1, 1])
def test_powers_of_numbers_of_all_sizes(scale, sign):
    x = values()[:, [0, 2]] * scale * sign
    mine, other = (each.PowerTransformer().fit(x) for each in (ours, theirs))
    np.testing.assert_allclose(mine.lambdas_, other.lambdas_, rtol=2e-4)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("kind", ["yeo-johnson", "yeo-johnson of negative numbers", "box-cox"])
def test_skewed_numbers_far_from_0_stay_apart(kind, dtype):
    # Their powers, some -50, are all but equal to -1 / lambda.
    random = np.random.RandomState(0)
    far = np.column_stack([980 + random.gamma(2, 5, 1000), 1e5 + random.lognormal(size=1000)])
    x = np.column_stack([far, random.lognormal(size=1000)])
    method, sign = kind.split()[0], -1 if "negative" in kind else 1
    x = (sign * x).astype(dtype)
    model = ours.PowerTransformer(method=method).fit(x)
    made = model.transform(x)
    assert made.dtype == dtype
    is_exact = dtype == "float64"
    np.testing.assert_allclose(made.mean(axis=0), 0, atol=1e-9 if is_exact else 1e-3)
    np.testing.assert_allclose(made.std(axis=0), 1, atol=1e-9 if is_exact else 1e-3)
    assert (np.sort(made[:, 0]) == made[np.argsort(x[:, 0]), 0]).all()
    wide, power = x[:, :2].astype(float), model.lambdas_[:2].astype(float)
    base = wide if method == "box-cox" else 1 + np.abs(wide)
    own = power if sign > 0 else 2 - power
    # The powers themselves, relative to one number, which standard scores do not see.
    raised = sign * np.sign(own) * (base / base[0]) ** own
    expected = (raised - raised.mean(axis=0)) / raised.std(axis=0)
    np.testing.assert_allclose(made[:, :2], expected, atol=1e-7 if is_exact else 1e-4)
    assert abs((expected[:, 0] ** 3).mean()) < 0.6
    back = model.inverse_transform(made)
    np.testing.assert_allclose(back, x, rtol=1e-9 if is_exact else 1e-5)


def test_a_constant_feature_stays():
    x = np.column_stack([np.full(9, 3.0), np.arange(9.0)])
    mine, other = (each.PowerTransformer().fit(x) for each in (ours, theirs))
    assert mine.lambdas_[0] == other.lambdas_[0] == 1
    np.testing.assert_allclose(mine.transform(x), other.transform(x), atol=1e-6)


@pytest.mark.parametrize("method", ["averaged_inverted_cdf", "inverted_cdf"])
@pytest.mark.parametrize("strategy", ["quantile", "uniform", "kmeans"])
def test_weights_of_samples_in_bins(strategy, method):
    x = values()[:, :3]
    weight = np.random.default_rng(0).integers(0, 4, len(x)).astype(float)
    options = {"strategy": strategy, "encode": "ordinal", "quantile_method": method, "n_bins": 4}
    mine, other = (
        each.KBinsDiscretizer(**options).fit(x, sample_weight=weight) for each in (ours, theirs)
    )
    for found, expected in zip(mine.bin_edges_, other.bin_edges_, strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-6)


@pytest.mark.parametrize(("name", "options"), MODELS[::2])
def test_arrays_and_frames_of_ours(name, options, device):
    x = values()
    expected = dense(getattr(ours, name)(**options).fit_transform(x))
    for given in (px.asarray(x), px.DataFrame(x, columns=list("abcd"))):
        model = getattr(ours, name)(**options).fit(given)
        found = model.transform(given)
        assert type(found).__module__.startswith("phalanx")
        np.testing.assert_allclose(dense(found), expected, rtol=1e-8)


FUNCTIONS = [
    ("scale", {}),
    ("scale", {"axis": 1, "with_std": False}),
    ("minmax_scale", {"feature_range": (1, 3)}),
    ("minmax_scale", {"axis": 1}),
    ("maxabs_scale", {}),
    ("robust_scale", {"quantile_range": (10.0, 80.0)}),
    ("normalize", {"norm": "l1"}),
    ("normalize", {"axis": 0}),
    ("binarize", {"threshold": 2.0}),
    ("quantile_transform", {"n_quantiles": 10}),
    ("power_transform", {"method": "box-cox"}),
    ("add_dummy_feature", {"value": 4.0}),
]


@pytest.mark.parametrize(("name", "options"), FUNCTIONS)
def test_functions(name, options):
    x = values()
    found, expected = (getattr(each, name)(x, **options) for each in (ours, theirs))
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-7)
    array = getattr(ours, name)(px.asarray(x), **options)
    assert isinstance(array, px.ndarray)
    np.testing.assert_allclose(np.asarray(array), expected, rtol=1e-6, atol=1e-7)


def test_functions_of_one_column_and_norms():
    np.testing.assert_allclose(ours.scale([1.0, 2, 4]), theirs.scale([1.0, 2, 4]))
    made, norms = ours.normalize([[3.0, 4], [0, 0]], return_norm=True)
    assert made.tolist() == [[0.6, 0.8], [0, 0]]
    assert norms.tolist() == [5, 0]


@pytest.mark.parametrize(
    ("name", "options", "x", "text"),
    [
        ("QuantileTransformer", {"n_quantiles": 0}, [[1.0]], "'n_quantiles' parameter"),
        ("QuantileTransformer", {"subsample": 10}, [[1.0]], "cannot be greater"),
        ("PowerTransformer", {"method": "box-cox"}, [[0.0], [1]], "strictly positive"),
        ("PowerTransformer", {"method": "box-cox"}, [[1.0], [1]], "must not be constant"),
        ("PowerTransformer", {"method": "log"}, [[1.0]], "'method' parameter"),
        ("KBinsDiscretizer", {"n_bins": [2]}, [[1.0, 2.0]], "scalar or array of shape"),
        ("KBinsDiscretizer", {"n_bins": [1, 2]}, [[1.0, 2.0]], "at indices 0"),
        ("KBinsDiscretizer", {"n_bins": 1}, [[1.0]], "'n_bins' parameter"),
        ("KBinsDiscretizer", {}, [[np.nan]], "contains NaN"),
        ("Binarizer", {}, [[np.inf]], "infinity"),
    ],
)
def test_wrong_input(name, options, x, text):
    for module in (theirs, ours):
        with pytest.raises(ValueError, match=text):
            getattr(module, name)(**options).fit(x)


def test_warnings_are_scikit_learns():
    cases = [
        ("QuantileTransformer", {}, [[1.0], [2]], "greater than the total number of samples"),
        ("KBinsDiscretizer", {}, [[1.0], [1]], "is constant"),
        ("KBinsDiscretizer", {"n_bins": 3}, [[1.0], [1], [1], [2]], "too small"),
    ]
    for name, options, x, text in cases:
        for module in (theirs, ours):
            with warnings.catch_warnings(record=True) as found:
                warnings.simplefilter("always")
                getattr(module, name)(**options).fit(x)
            assert any(text in str(each.message) for each in found), (module, name)
