"""Methods of texts give the same by a GPU's kernels as by the host's engine, and patterns what
Python's `re` gives.

On the CPU device the kernels run there, as if its arrays were in a GPU's memory.
"""

from __future__ import annotations

import operator
import re

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from phalanx._arrays.ndarray import ndarray
from phalanx._frames import engine
from phalanx._frames.strings import automata
from phalanx._texts import engine as kernels

import phalanx as px

from . import against_pandas
from .string_samples import CALLS, PATTERNS, TEXTS

ALL = [each for texts in TEXTS.values() for each in texts]
LONG = [
    "ab" * 900,
    "é日" * 300 + "x",
    "a l" * 50 + "\n",
    "L" * 100,
    "😀" * 33,
    "word " * 40,
    "\ud800a",
]
SAMPLES = {
    "ascii": (["Hello world", "abc", "A,b,,c", "x1y22z333", "", "tail\n", " padded ", "-1"], "str"),
    "all": (ALL, "str"),
    "nullable": (ALL, "string"),
    "long": (LONG, "str"),
    "none": ([], "str"),
    "nothing": ([None, None], "string"),
}


def samples() -> dict[str, px.Series]:
    made = {name: px.Series(texts, dtype=dtype) for name, (texts, dtype) in SAMPLES.items()}
    made["sliced"] = made["all"][5:-3]
    return made


def told(value: object) -> object:
    """What there is to compare of a result: names, dtypes and each value."""
    if isinstance(value, px.DataFrame):
        return [str(value.index), *(told(value[each]) for each in value)]
    if isinstance(value, px.Series):
        bits = value.to_numpy().view(np.int64) if value.dtype == np.float64 else value
        return str(value.dtype), str(value.index), [*map(repr, bits.tolist())]
    return repr(value)


def attempt(function, series: px.Series) -> object:
    value, error = against_pandas.attempt(function, series)
    return told(value) if error is None else (type(error), str(error))


@pytest.fixture
def by_kernels(device, monkeypatch):
    """A function that calls another one with the kernels, as if arrays were on a GPU.

    Its list `operators` has what has been asked for, and whether a kernel has done it.
    """
    operators: list[tuple[str, bool]] = []

    def watched(name, arguments):
        found = operator_of(name, arguments)
        operators.append((name, found is not None))
        return found

    operator_of = kernels.operator

    def call(function):
        with monkeypatch.context() as patch:
            patch.setattr(engine, "is_on_gpu", lambda array: isinstance(array, ndarray))
            patch.setattr(kernels, "operator", watched)
            return function()

    call.operators = operators
    return call


def check(function, by_kernels) -> None:
    """All samples give the same."""
    with px.device("cpu"):
        wanted = {name: attempt(function, each) for name, each in samples().items()}
    found = by_kernels(lambda: {name: attempt(function, each) for name, each in samples().items()})
    differ = [name for name in wanted if found[name] != wanted[name]]
    assert not differ, f"{differ[0]}: {found[differ[0]]}\nhost: {wanted[differ[0]]}"


BY_KERNELS = {
    "upper()", "title()", "isalpha()", "islower()", "isascii()", "len()", "get(-3)",
    "slice(1, 4)", "slice(-4, -2)", "strip()", "rstrip('éx1日\\u3000')", "removeprefix('a')",
    "pad(12, 'both', 'é')", "zfill(6)", "repeat(3)", "contains('日本', regex=False)",
    "endswith(('x', 'A', '日'))", "find('l', 3)", "rfind('日')", "count('l+')", "count('a')",
    "replace('l', 'LL', 1)", "contains('a', case=False, regex=False)",
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_methods(name, by_kernels):
    check(CALLS[name], by_kernels)
    if name in BY_KERNELS:
        assert by_kernels.operators
        assert all(is_kernel for _, is_kernel in by_kernels.operators)


AUTOMATA_NOT = {
    "ahead", "not ahead", "behind", "not behind", "back", "atomic", "possessive", "conditional",
    "inner", "empty loop", "ignored",
}  # fmt: skip
USES = {
    "contains": lambda s, p: s.str.contains(p),
    "match": lambda s, p: s.str.match(p),
    "fullmatch": lambda s, p: s.str.fullmatch(p),
    "count": lambda s, p: s.str.count(p),
    "replace": lambda s, p: s.str.replace(p, "<é>", regex=True),
    "replace once": lambda s, p: s.str.replace(p, "", n=1, regex=True),
}


@pytest.mark.filterwarnings("ignore:This pattern is interpreted")
@pytest.mark.parametrize("name", PATTERNS)
def test_patterns(name, by_kernels):
    for use in USES.values():
        check(lambda s, use=use: use(s, PATTERNS[name]), by_kernels)
    found = automata.automaton(re.compile(PATTERNS[name]), "search", "matching")
    assert (found is None) == (name in AUTOMATA_NOT)


COMBINED = {
    **{
        f"{name} {what}": (lambda s, name=name, other=other: getattr(operator, name)(s, other(s)))
        for name in ("eq", "ne", "lt", "le", "gt", "ge", "add")
        for what, other in {
            "a text": lambda s: "abc",
            "an empty text": lambda s: "",
            "a text beyond ASCII": lambda s: "é",
            "its own": lambda s: s,
            "others": lambda s: s.iloc[::-1].set_axis(s.index),
        }.items()
    },
    "added to a text": lambda s: "é-" + s,
    "times": lambda s: s * 2,
    "cat": lambda s: s.str.cat([s, s.str.lower()], sep="/"),
    "cat of missing": lambda s: s.str.cat(s, na_rep="é"),
    "take": lambda s: s.iloc[np.arange(len(s))[::-2]],
    "filter": lambda s: s[s.str.len() > 2],
    "reindex": lambda s: s.reindex([3, 1, 77, 1]),
    "where": lambda s: s.where(s.str.len() > 3, "no"),
    "fillna": lambda s: s.fillna("missing"),
    "concat": lambda s: px.concat([s, s.str.upper(), s[:2]]),
    "to numbers": lambda s: s.str.len().astype(str).where(s.notna()).astype(float),
    "of numbers": lambda s: (s.str.len() * 1.5).astype(str),
    "labels in order": lambda s: s.to_frame("t").set_index("t", append=True).sort_index(level=1),
    "chain": lambda s: s.str.strip().str.lower().str[:3].str.replace("l", "é"),
}


@pytest.mark.parametrize("name", COMBINED)
def test_texts_of_rows(name, by_kernels):
    check(COMBINED[name], by_kernels)


# Patterns of the subset, against Python.

ATOMS = st.sampled_from(
    ["a", "b", "é", "日", "\\n", ".", "[ab]", "[^a]", "[^bé]", r"\w", r"\W", r"\d", r"\s", r"\S",
     "[a-c1]", "1", " ", "_"]
)  # fmt: skip
PLACES = st.sampled_from(["^", "$", r"\b", r"\A", r"\Z", "(?:^|a)", "(?:b|$)"])
TIMES = st.sampled_from(["*", "+", "?", "*?", "+?", "??", "{2}", "{1,3}", "{0,2}?", "{2,}"])


def _larger(parts):
    return st.one_of(
        st.lists(parts, min_size=2, max_size=3).map("".join),
        st.lists(parts, min_size=2, max_size=3).map(lambda each: f"(?:{'|'.join(each)})"),
        st.tuples(parts, TIMES).map(lambda each: f"(?:{each[0]}){each[1]}"),
        st.tuples(PLACES, parts).map("".join),
        st.tuples(parts, PLACES).map("".join),
    )


WRITTEN = st.tuples(
    st.sampled_from(["", "", "", "(?m)", "(?s)", "(?a)", "(?i)"]),
    st.recursive(ATOMS, _larger, max_leaves=6),
).map("".join)
LETTERS = st.lists(st.text("abé日\n1 _A²", max_size=9), min_size=20, max_size=20)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pattern=WRITTEN, texts=LETTERS)
def test_random_patterns(pattern, texts, by_kernels):
    compiled = re.compile(pattern)

    def results():
        series = px.Series(texts, dtype="str")
        return [
            series.str.contains(compiled).tolist(),
            series.str.match(compiled).tolist(),
            series.str.fullmatch(compiled).tolist(),
            series.str.count(compiled).tolist(),
            series.str.replace(compiled, "<>", regex=True).tolist(),
        ]

    wanted = [
        [compiled.search(each) is not None for each in texts],
        [compiled.match(each) is not None for each in texts],
        [compiled.fullmatch(each) is not None for each in texts],
        [len(compiled.findall(each)) for each in texts],
        [compiled.sub("<>", each) for each in texts],
    ]
    assert by_kernels(results) == wanted


def test_patterns_with_too_many_states_are_the_hosts(by_kernels):
    pattern = "(?:a|b)*a(?:a|b){14}"
    assert automata.automaton(re.compile(pattern), "search", "matching") is None
    texts = ["ab" * 20, "b" * 30]
    assert by_kernels(lambda: px.Series(texts).str.contains(pattern).tolist()) == [True, False]
    assert by_kernels.operators == [("pattern_matches", False)]
