"""Lists in CPU functions, compared with Python's."""

from __future__ import annotations

import enum
import gc
from collections import namedtuple
from pathlib import Path

import numpy as np
import pytest
from phalanx.errors import CompileError

from phalanx import njit, prange

Point = namedtuple("Point", "x y")
V = np.array([3.5, -1.0, 2.0, 8.0])


def squares(n):
    found = []
    for i in range(n):
        if i % 2:
            found.append(i * i)
    return found


def in_branches(n):
    if n > 3:
        values = [n]
    else:
        values = []
    values.append(2 * n)
    return values


def begun_again(n):
    best = []
    for i in range(n):
        row = []
        for j in range(i):
            row.append(j)
        if len(row) > len(best):
            best = row
    return best


def empty_on_one_way(n):
    if n > 100:
        return [1, 2]
    return []


def methods(n):
    values = [5, 3, 9]
    values.insert(0, n)
    values.insert(-1, n + 1)
    values.insert(100, n + 2)
    values.extend([7, 7])
    values.extend((1, 2))
    values.extend(range(2))
    values += [4]
    last = values.pop()
    first = values.pop(0)
    before_last = values.pop(-2)
    values.remove(9)
    values.reverse()
    return values, last, first, before_last, values.index(5), values.count(7), len(values)


def extends_itself(n):
    values = [i for i in range(n)]
    values.extend(values)
    values += values
    return values


def items(n):
    values = [0] * n
    for i in range(n):
        values[i] = i
        values[-1] += i
    return values, values[0], values[-2], values[n - 1]


def slices(n):
    v = [i for i in range(n)]
    w = v[:]
    w[1:3] = [7, 8, 9]
    w[5:5] = [1, 2]
    u = v.copy()
    u[::2] = v[n // 2 :]
    far = v[:: 2**63 - 1], v[:: -(2**63 - 1)], v[1 : 1 : 2**62], v[-1 : 0 : -(2**62)]
    return v[2:], v[:-1], v[::-1], v[-3:-1], v[100:], v[5:1:-2], v[n:0:-1], w, u, far


def operators(n):
    a = [1, 2, n]
    b = [1, 2]
    same = a
    same.append(4)
    compared = a == b, a != b, b < a, a <= b, a > b, a >= b, a is same, n in a, 9 not in a
    return a + b, b * 2, 2 * b, b * -1, compared


def comprehensions(n):
    plain = [i * 0.5 for i in range(n)]
    chosen = [i for i in range(n) if i % 2 if i > 2]
    nested = [[i * j for j in range(i)] for i in range(n)]
    flat = [(i, j) for i in range(n) for j in range(i) if i != j]
    shadowed = [n for n in plain]
    return plain, chosen, nested, flat, shadowed, n


def loops(n):
    values = [i for i in range(n)]
    total = 0
    for x in values:
        if x == 2 and len(values) < 2 * n:
            values.append(100)
        total += x
    for i, x in enumerate(values, 1):
        total += i * x
    for x, y in zip(values, V):
        total += int(x * y)
    while values:
        total += values.pop()
    return total


def sorting(n):
    values = [(i * 7) % 5 for i in range(n)]
    pairs = [(x, i) for i, x in enumerate(values)]
    pairs.sort(reverse=True)
    values.sort()
    by = sorted(pairs, key=lambda p: p[0])
    return values, pairs, by, sorted((3, 1, 2)), sorted(V), sorted(values, reverse=True)


def of_lists(n):
    v = [float(i) for i in range(n)]
    return (
        sum(v), sum(v, 10), min(v), max(v), any(v), all(v), bool(v), list(v), list(range(3)),
        list((1, 2)), list(V), [x for x in reversed(v)], [x for x in reversed((1, 2))],
    )  # fmt: skip


def tuples_in_lists(n):
    points = [Point(i, 0.5 * i) for i in range(n)]
    points.append(Point(7, 1.0))
    total = 0.0
    for x, y in points:
        total += x * y
    return points, total, points[-1].x


def booleans_and_complex(n):
    flags = [i > 1 for i in range(n)]
    numbers = [complex(i, -i) for i in range(n)]
    flags.append(False)
    return flags, numbers, sum(numbers)


def aliases(n):
    rows = []
    row = [n]
    rows.append(row)
    rows.append(row)
    row.append(n + 1)
    rows[0].append(n + 2)
    return rows, len(rows[1])


def fill(values, n):
    for i in range(n):
        values.append(i)
    return len(values)


def handed_on(n):
    values = [n]
    return fill(values, 3), values, fill([0], 2)


def recursive(n, found):
    if n > 0:
        found.append(n)
        recursive(n - 1, found)


def grown_by_recursion(n):
    found = [0]
    recursive(n, found)
    return found


def moved(values, item):
    """All that moves elements in memory, whatever their size."""
    made = values * 3
    made.insert(1, item)
    made.insert(-2, item)
    dropped = made.pop(0), made.pop(2), made.pop()
    made.extend(values)
    made.extend(made)
    part = made[2:7]
    made[1:3] = values
    made[4:9] = part[:1]
    made.remove(item)
    return made, part, dropped, made[3:3], values * 0, [item] * 5, made.copy()


def of_every_size(n):
    points = moved([(i, 0.5 * i, i > 1) for i in range(n)], (9, 9.5, True))
    rows = moved([[i] * i for i in range(n)], [n])
    flags = moved([i > 1 for i in range(n)], True)
    numbers = moved([complex(i, -i) for i in range(n)], 1j)
    return points, rows, flags, numbers


def unpacked(n):
    a, b, c = [n, n + 1, n + 2]
    values = [n, 2]
    d, e = values
    return a, b, c, d, e


FUNCTIONS = [
    squares, in_branches, begun_again, empty_on_one_way, methods, extends_itself, items, slices,
    operators, comprehensions, loops, sorting, of_lists, tuples_in_lists, booleans_and_complex,
    aliases, handed_on, grown_by_recursion, unpacked, of_every_size,
]  # fmt: skip


def typed(value):
    """The value with the types of all its parts."""
    if isinstance(value, (list, tuple)):
        return type(value).__name__, [typed(each) for each in value]
    return type(value).__name__, value


@pytest.mark.parametrize("n", [4, 7])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda each: each.__name__)
def test_lists_are_pythons(function, n, monkeypatch):
    expected = function(n)
    for helper in (fill, recursive, moved):
        monkeypatch.setitem(globals(), helper.__name__, njit(helper))
    result = njit(function)(n)
    assert typed(result) == typed(unwrapped(expected))


def unwrapped(value):
    """NumPy's numbers as Python's own, as compiled code returns them."""
    if isinstance(value, Point):
        return Point(*map(unwrapped, value))
    if isinstance(value, (list, tuple)):
        return type(value)([unwrapped(each) for each in value])
    return value.item() if isinstance(value, np.generic) else value


def test_a_list_widens_as_in_numba():
    @njit
    def begun_with_an_int(n):
        values = [1]
        values.append(2.5)
        later = []
        for i in range(n):
            later.append(i)
            later.append(later[-1] + 0.5)
        floats = [0.5]
        floats.extend([i for i in range(n)])
        return values, later, [1, 2.5], [1] + [0.5], floats

    assert typed(begun_with_an_int(2)) == typed(
        ([1.0, 2.5], [0.0, 0.5, 1.0, 1.5], [1.0, 2.5], [1.0, 0.5], [0.5, 0.0, 1.0])
    )


def test_what_is_set_takes_the_type_of_the_list():
    @njit
    def set_a_float():
        values = [1, 2]
        values[0] = 2.75
        return values

    assert set_a_float() == [2, 2]


def test_lists_hold_arrays():
    @njit
    def rows(n):
        made = []
        for i in range(n):
            temporary = np.arange(100_000)
            made.append(temporary[i : i + 2] * 1.0)
        view = made[1]
        view[0] = -1.0
        return made

    result = rows(50)
    gc.collect()
    assert len(result) == 50
    assert result[1].tolist() == [-1.0, 2.0]
    assert all(row.tolist() == [i, i + 1] for i, row in enumerate(result) if i != 1)

    @njit
    def kept(a):
        return [a, a[1:]]

    whole, part = kept(V)
    assert whole is V
    assert part.base is V


def test_lists_made_in_a_loop_are_freed():
    @njit
    def many(n):
        total = 0
        kept = [0]
        for i in range(n):
            row = [j for j in range(1000)]
            row.extend(row)
            if i % 1000 == 0:
                kept = row
            total += row[i % 1000]
        return total, len(kept)

    def resident():
        return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

    many(10)
    before = resident()
    assert many(20_000) == (sum(range(1000)) * 20, 2000)
    assert resident() - before < 50e6


ARRAYS = {
    "numbers": (lambda: np.array([x * 0.5 for x in range(3)]), 1),
    "dtype": (lambda: np.array([x for x in range(3)], dtype=np.float32), 1),
    "as": (lambda: np.asarray([x for x in range(3)]), 1),
    "rows": (lambda: np.array([[i + j for j in range(2)] for i in range(3)]), 2),
    "tuples": (lambda: np.array([(i, 2.0 * i) for i in range(3)]), 2),
    "arrays": (lambda: np.array([np.arange(2) + i for i in range(3)]), 2),
    "cube": (lambda: np.array([[[i, j] for j in range(2)] for i in range(3)]), 3),
}


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_of_lists(name):
    function, ndim = ARRAYS[name]
    result = njit(function)()
    assert result.ndim == ndim
    assert result.dtype == function().dtype
    np.testing.assert_array_equal(result, function())


RAISES = {
    "getitem": (lambda: [x for x in (1, 2)][2], IndexError, "getitem out of range"),
    "pop": (lambda: [1].pop(3), IndexError, "pop index out of range"),
    "remove": (lambda: [1].remove(3), ValueError, "not in list"),
    "index": (lambda: [1].index(3), ValueError, "not in list"),
    "min": (lambda: min([x for x in range(0)]), ValueError, "empty"),
    "ragged": (lambda: np.array([[0] * i for i in range(3)]), ValueError, "differ in shape"),
}


@pytest.mark.parametrize("name", RAISES)
def test_lists_raise(name):
    function, kind, text = RAISES[name]

    def changed(x):
        values = [1, 2]
        values[x] = 1

    with pytest.raises(kind, match=text):
        njit(function)()
    with pytest.raises(IndexError, match="setitem out of range"):
        njit(changed)(2)
    with pytest.raises(IndexError, match="setitem out of range"):
        njit(changed)(-3)


def untyped():
    values = []
    return len(values)


def mixed(n):
    values = [n]
    values.append((1, 2))
    return values


def text(n):
    values = []
    values.append("text")
    return values


def unknown_method(n):
    values = [n]
    values.push(1)


REFUSED = {
    "untyped": (lambda n: untyped(), "type of the elements of this list is not known"),
    "mixed": (mixed, "cannot be put into"),
    "text": (text, "cannot be put into a list"),
    "unknown_method": (unknown_method, "Unknown attribute 'push'"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_lists_do_not_take_is_refused_with_its_line(name, monkeypatch):
    function, message = REFUSED[name]
    monkeypatch.setitem(globals(), "untyped", njit(untyped))
    with pytest.raises(CompileError, match=message):
        njit(function)(1)


def test_a_list_from_python_is_changed():
    @njit
    def changes(values, more, n):
        values.append(n)
        values[0] = 7
        more.pop()
        return more, values[-1], [n]

    values, more = [1, 2], [0.5, 1.5]
    result = changes(values, more, 3)
    assert (values, more) == ([7, 2, 3], [0.5])
    assert result == ([0.5], 3, [3])
    assert result[0] is more
    assert changes(n=4, values=values, more=[True, False])[1] == 4
    assert values == [7, 2, 3, 4]
    assert njit(lambda values: None)(values) is None
    assert typed(njit(lambda v: v[0])([1j])) == typed(1j)
    assert changes.nopython_signatures


@pytest.mark.parametrize("values", [[], [1, 2.0], ["a"], [None]])
def test_a_list_from_python_holds_numbers_of_one_type(values):
    with pytest.raises(TypeError, match="holds numbers of one type"):
        njit(lambda x: len(x))(values)


def test_a_list_of_lists_is_told_to_be_an_array():
    with pytest.raises(TypeError, match=r"a list of lists cannot .* np\.array"):
        njit(lambda x: len(x))([[1]])


def test_a_list_that_is_passed_twice_is_one_list():
    def several(a, b, c, other, fails):
        a.append(1)
        b.append(2)
        c[0] = 7
        other.append(0.5)
        if fails:
            raise ValueError(len(a))
        return len(a), a is b, a is c, b

    for first, second in ((0, 0), (0, 1), (1, 1), (1, 0)):
        given = []
        for function in (several, njit(several)):
            lists = [[5], [6]]
            floats = [1.5]
            result = function(lists[0], lists[first], lists[second], floats, False)
            given.append((lists, floats, result))
            assert result[3] is lists[first]
            with pytest.raises(ValueError) as raised:
                function(lists[0], lists[first], lists[second], floats, True)
            given[-1] += (raised.value.args,)
        assert given[0] == given[1]


@pytest.mark.parametrize("where", ["at once", "later", "inside", "in the end"])
def test_a_function_that_raises_has_changed_its_lists(where):
    @njit
    def inner(values, fails):
        values.append(3.0)
        if fails:
            raise ValueError(len(values))

    @njit
    def changes(values, more, where):
        if where == "at once":
            raise ValueError(0)
        for i in range(20):
            values.append(float(i))
            if where == "later" and i == 12:
                raise ValueError(i)
        more[0] = 7
        inner(values, where == "inside")
        values.pop(0)
        if where == "in the end":
            raise ValueError(more[0])
        return values

    given = []
    for function in (changes.py_func, changes):
        given.append(([2.0], [1, 2]))
        with pytest.raises(ValueError) as raised:
            function(*given[-1], where)
        given[-1] += (raised.value.args,)
    assert given[0] == given[1]
    values = [2.0]
    assert changes(values, [1], "never") is values


class Level(enum.IntEnum):
    low = 1000
    high = 2000


class Count(int):
    pass


LISTED = {
    "NumPy's ints": [np.int32(1000), np.int32(2000)],
    "NumPy's floats": [np.float32(0.1), np.float32(0.5)],
    "NumPy's bools": [np.True_, np.False_],
    "enum members": [Level.low, Level.high],
    "a class of ints": [Count(1000), Count(2000)],
    "ints": [10**6, 10**9],
    "floats": [float("nan"), -0.0],
    "complex numbers": [1j, complex("nan")],
}


@pytest.mark.parametrize("kind", LISTED)
def test_elements_that_a_function_leaves_alone_stay_the_objects_they_were(kind):
    @njit
    def changes(values, more, first, n):
        if n:
            values[0] = first
            values.append(first)
            more.pop()
        return values

    elements = LISTED[kind]
    values, more = list(elements), list(elements)
    assert changes(values, more, elements[1], 0) is values
    assert [*map(id, values)] == [*map(id, more)] == [*map(id, elements)]
    changes(values, more, elements[1], 1)
    assert values[1] is elements[1] and [*map(id, more)] == [id(elements[0])]
    new = np.array(elements)[1]
    if not isinstance(elements[1], np.generic):
        new = new.item()
    assert len(values) == 3 and repr(values[0]) == repr(values[2]) == repr(new)
    changes(values, more, elements[1], 1)  # it is still of one type
    assert len(values) == 4 and values[1] is elements[1] and more == []


@pytest.mark.parametrize("values", ([2**53 + 1, 2**63], [2**63, -1], [2**63, 2**64], [1, 2.5]))
def test_a_list_whose_numbers_are_of_two_types_is_refused(values):
    given = list(values)
    with pytest.raises(TypeError, match="holds numbers of one type"):
        njit(lambda values: values[0])(given)
    assert list(map(repr, given)) == list(map(repr, values))


def test_lists_in_parallel_loops():
    @njit(parallel=True)
    def sums(n):
        out = np.zeros(n)
        for i in prange(n):
            row = [float(j) for j in range(i)]
            out[i] = sum(row)
        return out

    np.testing.assert_array_equal(sums(50), [sum(range(i)) for i in range(50)])
