"""What programs name of pandas beside its classes: testing, api.types, dtypes, options."""

import numpy as np
import pandas as pd
import phalanx.api.types
import phalanx.testing
import pytest

import phalanx as px

from .against_pandas import check, check_all, ours
from .frame_samples import FEW, FRAMES, SERIES
from .reshape_samples import module_of

# pandas says of some questions that it will not have them for ever.
pytestmark = [pytest.mark.usefixtures("device"), pytest.mark.filterwarnings("ignore")]

QUESTIONS = sorted(
    name for name in dir(phalanx.api.types) if name.startswith("is_") and name.endswith("dtype")
    and hasattr(pd.api.types, name) and name != "is_dtype_equal"
)  # fmt: skip
NAMED = ["int64", "float32", "str", "object", "category", "Int64", "boolean", "bool", "M8[ns]",
         "datetime64[us]", "m8[s]", "complex64", np.int8, float, str, object, None, "string",
         "datetime64[ns, UTC]", "nothing"]  # fmt: skip


@pytest.mark.parametrize("name", QUESTIONS)
def test_questions_about_dtypes(name):
    mine, theirs = getattr(phalanx.api.types, name), getattr(pd.api.types, name)
    wrong = [
        (label, mine(ours(each)))
        for label, each in FEW.items()
        if mine(ours(each)) != theirs(each) or mine(ours(each).dtype) != theirs(each.dtype)
    ]
    wrong += [each for each in NAMED if bool(mine(each)) != bool(theirs(each))]
    assert wrong == []


VALUES = [1, 1.5, True, "a", b"a", None, np.nan, np.int8(1), np.float32(1), np.bool_(True), [1],
          (1,), {1}, {"a": 1}, np.array([1]), np.array(1), object, len]  # fmt: skip


@pytest.mark.parametrize("name", [
    "is_scalar", "is_list_like", "is_dict_like", "is_number", "is_integer", "is_float", "is_bool",
    "is_hashable", "is_array_like",
])  # fmt: skip
def test_questions_about_values(name):
    mine, theirs = getattr(phalanx.api.types, name), getattr(pd.api.types, name)
    assert [mine(each) for each in VALUES] == [theirs(each) for each in VALUES]


def test_classes_of_dtypes():
    for name in ("Int8", "Int64", "UInt16", "Float32", "boolean"):
        title = "BooleanDtype" if name == "boolean" else f"{name}Dtype"
        made = getattr(px, title)()
        assert made == name
        assert isinstance(px.Series([1], dtype=made).dtype, getattr(px, title))
        assert repr(made) == repr(getattr(pd, title)())
    assert not isinstance(px.Int8Dtype(), px.Int16Dtype)


def test_options_are_attributes():
    with px.option_context("display.max_rows", 5):
        assert px.options.display.max_rows == 5
        px.options.display.max_rows = 7
        assert px.get_option("display.max_rows") == 7
    assert "max_rows" in dir(px.options.display)
    for wrong in (lambda: px.options.nothing, lambda: setattr(px.options.display, "rows", 1)):
        with pytest.raises(AttributeError, match=r"No such option|existing options"):
            wrong()


def test_slices_of_indexes():
    index = pd.MultiIndex.from_product([["a", "b"], [1, 2]])
    frame = pd.DataFrame({"v": [1, 2, 3, 4]}, index=index)
    check(lambda f: f.loc[module_of(f).IndexSlice[:, 2], :], frame)


OTHERS = {
    "same": lambda f: f,
    "value": lambda f: f.assign(int=[9, 1, 2, 1]),
    "dtype": lambda f: f.assign(int=f["int"].astype(float)),
    "label": lambda f: f.rename(columns={"int": "other"}),
    "index": lambda f: f.set_axis(list("abcd")),
    "rows": lambda f: f.iloc[:2],
    "name": lambda f: f.rename_axis("n"),
    "close": lambda f: f.assign(float=f["float"] + 1e-9),
    "order": lambda f: f[list(f.columns)[::-1]],
    "missing": lambda f: f.assign(float=1.0),
}


@pytest.mark.parametrize("keywords", [
    {}, {"check_dtype": False}, {"check_names": False}, {"check_exact": True},
    {"check_like": True}, {"atol": 100},
], ids=str)  # fmt: skip
@pytest.mark.parametrize("other", OTHERS)
def test_assertions(other, keywords):
    frame = FRAMES["str"][["int", "float", "str", "datetime", "Int64", "category"]]

    def differ(f):
        testing = phalanx.testing if module_of(f) is px else pd.testing
        changed = OTHERS[other](f)
        found = []
        for check_equal, pick in (
            (testing.assert_frame_equal, lambda each: each),
            (testing.assert_series_equal, lambda each: each.iloc[:, 0]),
        ):
            try:
                check_equal(pick(f), pick(changed), **keywords)
                found.append("equal")
            except AssertionError:
                found.append("different")
        try:
            testing.assert_index_equal(f.index, changed.index)
            found.append("equal")
        except AssertionError:
            found.append("different")
        return found

    check(differ, frame)


CASES = {
    "scalar": lambda s: s.case_when([(s > 1, 0)]),
    "several": lambda s: s.case_when([(s > 2, 0), (s > 1, 5)]),
    "function": lambda s: s.case_when([(lambda t: t > 1, 9)]),
    "series": lambda s: s.case_when([(s > 1, s + 10)]),
    "nothing": lambda s: s.case_when([]),
    "no list": lambda s: s.case_when((s > 1, 0)),
    "no tuple": lambda s: s.case_when([s > 1]),
    "three": lambda s: s.case_when([(s > 1, 0, 1)]),
    "combine": lambda s: s.combine(s * 2, max),
    "combine others": lambda s: s.combine(s.iloc[:2] * 2, lambda a, b: a + b),
    "combine filled": lambda s: s.combine(s.iloc[:2] * 2, lambda a, b: a + b, fill_value=1),
    "combine scalar": lambda s: s.combine(2, lambda a, b: a * b),
    "transpose": lambda s: s.transpose(),
    "flags": lambda s: s.flags.allows_duplicate_labels,
    "set_flags": lambda s: s.set_flags(),
}


@pytest.mark.parametrize("name", CASES)
def test_series(name):
    check_all(CASES[name], {each: SERIES[each] for each in ("int/str", "float/range")})


def test_frames_are_combined():
    frame = pd.DataFrame({"a": [1, 2], "b": [4.0, 1.0]})
    other = pd.DataFrame({"a": [3, 1], "c": [1, 1]})
    for keywords in ({}, {"fill_value": 0}, {"overwrite": False}):
        check(lambda f, o, k: f.combine(o, lambda a, b: a.where(a > b, b), **k), frame, other,
              keywords)  # fmt: skip
    with pytest.raises(NotImplementedError, match="duplicate"):
        ours(frame).set_flags(allows_duplicate_labels=False)


def test_markdown(tmp_path):
    pytest.importorskip("tabulate")
    frame = FRAMES["str"][["int", "float"]]
    check(lambda f: f.to_markdown(), frame)
    check(lambda f: f.to_markdown(index=False), frame)
    check(lambda f: f["int"].to_markdown(), frame)
    ours(frame).to_markdown(tmp_path / "table.md")
    assert (tmp_path / "table.md").read_text() == frame.to_markdown()
