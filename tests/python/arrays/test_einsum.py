"""`einsum` beside NumPy's: labels in every place, paths, types, errors."""

from __future__ import annotations

import random as python_random

import numpy as np
import pytest

import phalanx as px

pytestmark = pytest.mark.usefixtures("device")

EXTENTS = dict(zip("abcdefg", (2, 3, 4, 5, 1, 2, 3), strict=True))
EXPRESSIONS = (
    *("a", "a->", "ab->ba", "ab->a", "abc->b", "aa", "aa->a", "aab->b", "aab->ba", "aaa->a"),
    *("a,a", "a,a->a", "a,b", "a,b->ba", "ab,bc", "ab,bc->ac", "ab,cb->ca", "ba,bc->ac", "ab,b->a"),
    *(
        "ab,ab",
        "ab,ab->ab",
        "abc,cd->abd",
        "abc,bcd->ad",
        "abc,abd->acd",
        "abc,abc->",
        "aab,bc->ac",
    ),
    *("abcd,cdab->", "ab,cd->acbd", "ab,->ab", ",a", ",", "abe,be->a", "ae,eb->ab", "abc,dc->"),
    *("ab,bc,cd", "ab,bc,cd->da", "a,ab,b", "ab,ac,ad->bcd", "ab,bc,ca", "abc,bd,dg,g->ac"),
    *("a,b,c->abc", "ab,b,bc,c,cd->", "abcd,ac,bd->", "ab,ab,ab->ab", "aa,ab,bc->c"),
)
ELLIPSES = (
    ("...a->a...", [(2, 3, 4)]),
    ("...ab,...bc->...ac", [(5, 2, 3), (5, 3, 4)]),
    ("...ab,bc", [(5, 2, 3), (3, 4)]),
    ("...,...", [(2, 3), (3,)]),
    ("a...,...a", [(2, 3, 4), (3, 4, 2)]),
    ("...a,...a->...", [(1, 3, 2), (4, 1, 2)]),
    ("...->...", [(2, 3)]),
    ("...aa->...a", [(2, 3, 3)]),
)


def sample(shape, dtype, seed):
    random = np.random.default_rng(seed)
    if dtype == "bool":
        return random.random(shape) < 0.5
    made = random.standard_normal(shape) * 3
    if dtype.startswith("complex"):
        made = made + 1j * random.standard_normal(shape)
    return np.asarray(made).astype(dtype)


def check(text, operands, **options):
    expected = np.einsum(text, *operands, **options)
    made = px.einsum(text, *map(px.asarray, operands), **options)
    assert made.dtype == expected.dtype
    assert made.shape == expected.shape
    limit = 1e-5 if expected.dtype.char in "fF" else 1e-12
    bound = limit * max(np.abs(np.asarray(expected, np.complex128)).max(initial=0), 1)
    np.testing.assert_allclose(np.asarray(made), expected, rtol=0, atol=bound)


@pytest.mark.parametrize("dtype", ["bool", "int8", "int64", "float32", "float64", "complex128"])
@pytest.mark.parametrize("text", EXPRESSIONS)
def test_expressions(text, dtype):
    terms = text.partition("->")[0].split(",")
    shapes = [tuple(EXTENTS[label] for label in term) for term in terms]
    operands = [sample(shape, dtype, i) for i, shape in enumerate(shapes)]
    for optimize in (False, "greedy", "optimal") if len(terms) > 2 else (False,):
        # NumPy multiplies three bools and more as numbers on some paths.
        if dtype != "bool" or len(terms) < 3:
            check(text, operands, optimize=optimize)
    transposed = [each.T.copy().T for each in operands]
    if dtype != "bool":
        check(text, transposed)


@pytest.mark.parametrize(("text", "shapes"), ELLIPSES)
def test_ellipses(text, shapes):
    check(text, [sample(shape, "float64", i) for i, shape in enumerate(shapes)])


@pytest.mark.parametrize("seed", range(150))
def test_random_expressions(seed):
    random = python_random.Random(seed)
    terms = [
        "".join(random.choices("abcdefg", k=random.randint(0, 4)))
        for _ in range(random.randint(1, 4))
    ]
    labels = sorted({*"".join(terms)})
    result = "".join(random.sample(labels, random.randint(0, min(len(labels), 4))))
    text = ",".join(terms) + (f"->{result}" if random.random() < 0.7 else "")
    # Some dimensions have one element and are repeated.
    shapes = [
        tuple(1 if random.random() < 0.1 else EXTENTS[label] for label in term) for term in terms
    ]
    operands = [sample(shape, "float64", i) for i, shape in enumerate(shapes)]
    try:
        np.einsum(text, *operands)
    except ValueError:
        with pytest.raises(ValueError):
            px.einsum(text, *map(px.asarray, operands))
        return
    check(text, operands)


def test_lists_of_labels():
    a, b = sample((2, 3), "float64", 0), sample((3, 4), "float64", 1)
    ours = px.asarray(a), px.asarray(b)
    for lists in (
        ([0, 1], [1, 2]),
        ([0, 1], [1, 2], [2, 0]),
        ([30, 1], [1, 2]),
        ([..., 1], [1, 2]),
    ):
        given = [ours[0], lists[0], ours[1], lists[1], *lists[2:]]
        theirs = [a, lists[0], b, lists[1], *lists[2:]]
        np.testing.assert_allclose(np.asarray(px.einsum(*given)), np.einsum(*theirs))


def test_types_and_outputs():
    a, b = sample((2, 3), "float32", 0), sample((3, 4), "float64", 1)
    ours = px.asarray(a), px.asarray(b)
    assert px.einsum("ab,bc", *ours).dtype == "float64"
    assert px.einsum("ab,bc", *ours, dtype="complex128").dtype == "complex128"
    with pytest.raises(TypeError):
        px.einsum("ab,bc", *ours, dtype="float32")
    narrow = px.einsum("ab,bc", *ours, dtype="float32", casting="same_kind")
    assert narrow.dtype == "float32"
    assert px.einsum("ab,bc", *ours, dtype="f8").dtype == "float64"
    for shape in ((3, 2, 4), (1, 4), (2, 1)):
        with pytest.raises(ValueError):
            px.einsum("ab,bc", *ours, out=px.zeros(shape))
    out = px.zeros((2, 4))
    assert px.einsum("ab,bc", *ours, out=out) is out
    np.testing.assert_allclose(np.asarray(out), a @ b)
    assert np.asarray(px.einsum("ij->ji", ours[1], order="C")).flags.c_contiguous


def test_views():
    a = px.zeros((3, 3))
    px.einsum("ii->i", a)[...] = 1.0
    px.einsum("ij->ji", a)[0, 1] = 5.0
    expected = np.eye(3)
    expected[1, 0] = 5
    np.testing.assert_array_equal(np.asarray(a), expected)


def test_paths():
    a, b, c = (np.zeros(shape) for shape in ((2, 30), (30, 4), (4, 50)))
    ours = [px.asarray(each) for each in (a, b, c)]
    assert px.einsum_path("ab,bc,cd", *ours) == np.einsum_path("ab,bc,cd", a, b, c)
    made = px.einsum_path("ab,bc,cd->ad", *ours, optimize="optimal")
    assert made == np.einsum_path("ab,bc,cd->ad", a, b, c, optimize="optimal")


@pytest.mark.parametrize(
    ("text", "shapes"),
    [
        ("ij,jk", [(2, 3), (4, 5)]),
        ("ij->k", [(2, 3)]),
        ("ij->ii", [(2, 3)]),
        ("ijk", [(2, 3)]),
        ("i", [(2, 3)]),
        ("i1", [(2, 3)]),
        ("ij", [(2, 3), (2, 3)]),
        ("ij,jk", [(2, 3)]),
        ("ii", [(2, 3)]),
        ("i...->i", [(2, 3)]),
        ("ij...k", [(2, 3)]),
        ("", []),
    ],
)
def test_wrong_labels(text, shapes):
    with pytest.raises(ValueError):
        np.einsum(text, *(np.zeros(shape) for shape in shapes))
    with pytest.raises(ValueError):
        px.einsum(text, *(px.zeros(shape) for shape in shapes))


def test_wrong_lists():
    for given in ([52], [-1]):
        with pytest.raises(ValueError):
            px.einsum(px.zeros(3), given)
    for given in ((0,), ([0], px.zeros(3)), ([0.0],)):
        with pytest.raises(TypeError):
            px.einsum(px.zeros(3), *given)
    assert px.einsum(px.eye(3), np.array([0, 0])) == 3
    assert px.einsum("->", 2, dtype="int8").dtype == np.einsum("->", 2, dtype="int8").dtype
