"""Values put into series and frames, against pandas: what fits, what makes rows and columns."""

from __future__ import annotations

import numpy as np
import pytest

import phalanx as px

from .against_pandas import check_program

FRAME = """
d['a'] = 5
d['n'] = 5
d['n'] = [1, 2, 3]
d['n'] = [1, 2]
d['n'] = L.Series([7, 8], index=['q', 'p'])
d['a'] = d['b']
d['a'] = 's'
d[['a', 'b']] = 0
d[['a', 'n']] = [[1, 2], [3, 4], [5, 6]]
d[['a', 'b']] = d[['b', 'a']]
d[['m', 'n']] = d[['b', 'a']].to_numpy()
d.loc['p', 'a'] = 9
d.loc['p', 'a'] = 9.0
d.loc['p', 'a'] = 9.5
d.loc['p', 'a'] = 'x'
d.loc['p', 'a'] = None
d.loc['p', 'b'] = None
d.loc['p', 'c'] = None
d.loc['p', 'c'] = 3
d.loc['p', 'd'] = False
d.loc['p', 'd'] = 1
d.loc['p', 'd'] = None
d.loc['p'] = [1, 2.0, 'k', True]
d.loc['p'] = 0
d.loc['new'] = [1, 2.0, 'k', True]
d.loc['new'] = {'a': 1, 'b': 2.0, 'c': 'k', 'd': False}
d.loc['new'] = L.Series({'a': 1, 'b': 2.5})
d.loc['new', 'a'] = 5
d.loc['new', 'zz'] = 5
d.loc['p', 'zz'] = 5
d.loc[['p', 'r'], 'a'] = [7, 8]
d.loc[['p', 'r'], ['a', 'b']] = [[7, 8], [9, 10]]
d.loc[['p', 'r'], ['a', 'b']] = [7, 8]
d.loc['p':'q', 'a'] = 0
d.loc[d['a'] > 1, 'b'] = 0
d.loc[d['a'] > 1, 'n'] = 1
d.loc[d['a'] > 1, ['a', 'b']] = 0
d.loc[:, 'a'] = [4, 5, 6]
d.loc[:, 'a'] = [4.5, 5, 6]
d.loc[:, 'n'] = 1
d.loc[:, ['a', 'b']] = 1
d.loc[d['a'] > 1, 'a'] = L.Series([100, 200, 300], index=['r', 'q', 'p'])
d.loc[:, 'a'] = L.Series([100, 200], index=['r', 'q'])
d.loc[d['a'] > 5, 'a'] = 1
d.loc[['p', 'nope'], 'a'] = 1
d.iloc[0, 0] = 9
d.iloc[0] = [1, 2.0, 'k', True]
d.iloc[:, 0] = [7, 8, 9]
d.iloc[0:2, 0] = 5
d.iloc[[0, 2], [0, 1]] = 0
d.iloc[5, 0] = 1
d.iloc[-1, -1] = False
d.iloc[0, 0] = 'x'
d.at['p', 'a'] = 9
d.iat[0, 1] = 9
d.at['new', 'a'] = 3
d[d['a'] > 1] = 0
d[d['a'] > 1] = np.nan
d[['a', 'b']] = d[['a', 'b']][d[['a', 'b']] > 1]
d[0:2] = 0
del d['a']
del d['nothing']
d.pop('a')
d.insert(1, 'n', 5)
d.insert(0, 'a', 5)
d.insert(9, 'q', 1)
d.a = 7
d.columns = ['w', 'x', 'y', 'z']
d.columns = ['w']
d.index = [1, 2, 3]
d.index = [1, 2]
d.index.name = 'k'
d.loc['p', 'a'] += 1
d['a'] += 1
d['b'] *= 2
d['a'] = L.Series([1, 2, 3])
d['n'] = {'p': 1, 'q': 2}
d['n'] = L.DataFrame({'x': [1, 2, 3]}, index=['p', 'q', 'r'])
d['n'] = range(3)
d['n'] = np.array([1, 2, 3])
d['n'] = (1, 2, 3)
d['n'] = None
d['n'] = np.nan
d['c'] = d['c'].astype('category'); d.loc['p', 'c'] = 'y'
d['c'] = d['c'].astype('category'); d.loc['p', 'c'] = 'w'
d['t'] = np.array(['2020-01-01'] * 3, 'M8[us]'); d.loc['p', 't'] = np.datetime64('2021-01-01')
d['t'] = np.array(['2020-01-01'] * 3, 'M8[us]'); d.loc['p', 't'] = None
d['t'] = np.array(['2020-01-01'] * 3, 'M8[us]'); d.loc['p', 't'] = '2022-02-02'
d['t'] = np.array(['2020-01-01'] * 3, 'M8[us]'); d.loc['p', 't'] = 5
d['i'] = L.Series([1, None, 3], index=['p', 'q', 'r'], dtype='Int64'); d.loc['p', 'i'] = None
d['i'] = L.Series([1, None, 3], index=['p', 'q', 'r'], dtype='Int64'); d.loc['p', 'i'] = 2.5
d['i'] = L.Series([1, None, 3], index=['p', 'q', 'r'], dtype='Int64'); d.loc['q', 'i'] = 7
e = d.copy(); e.loc['p', 'a'] = 7
e = d['a']; e['p'] = 7
d.loc['p']['a'] = 5
d.update(L.DataFrame({'a': [9]}, index=['q']))
"""

SERIES = """
s['p'] = 9
s['new'] = 9
s['new'] = 9.5
s['new'] = 'x'
s['p'] = 1.5
s['p'] = 'x'
s[['p', 'q']] = 0
s[['p', 'q']] = [7, 8]
s[s > 1] = 0
s[s > 1] = [5, 6]
s[s > 1] = [5, 6, 7]
s[0:2] = 9
s['p':'q'] = [5, 6]
s.loc['p'] = 3
s.loc[['p', 'q']] = L.Series([1, 2], index=['q', 'p'])
s.iloc[0] = 5
s.iloc[[0, 1]] = [5, 6]
s.iloc[9] = 5
s.loc['new'] = None
s[:] = 0
s.loc[:] = [7, 8, 9]
s[s > 1] = L.Series([10, 20, 30], index=['r', 'q', 'p'])
del s['p']
s.pop('q')
s.name = 'z'
s.name = []
s.index = [1, 2, 3]
s.at['p'] = 4
s.iat[0] = 4
s[lambda x: x > 1] = 0
s['p'] = None
s['p'] = [1, 2]
s.loc['p':'r'] = 0
s[5] = 1
s.update(L.Series([9], index=['q']))
t = s; u = s.copy(); v = s[0:2]; s['p'] = 9; s = L.concat([s, t, u, v])
a = np.array([1, 2, 3]); s = L.Series(a); a[0] = 9
s = L.Series(dtype=float); s['a'] = 1; s['b'] = 2
s = L.Series(dtype=object); s['a'] = 1
"""

WITHOUT_ROWS = """
d = L.DataFrame(index=['a', 'b']); d['x'] = [1, 2]
d = L.DataFrame(); d['x'] = [1, 2]
d = L.DataFrame(); d['x'] = 5
d = L.DataFrame(); d['x'] = L.Series([1], index=['k'])
d = L.DataFrame(columns=['a', 'b']); d.loc[0] = [1, 2]; d.loc[1] = [3, 4]
d = L.DataFrame(columns=['a']); d['a'] = [1, 2]
"""


def lines(text):
    return [each for each in text.splitlines() if each]


@pytest.mark.parametrize("line", lines(FRAME))
def test_frame(line):
    def program(lib):
        data = {
            "a": [1, 2, 3],
            "b": [1.5, 2.5, 3.5],
            "c": ["x", "y", "z"],
            "d": [True, False, True],
        }
        frame = lib.DataFrame(data, index=["p", "q", "r"])
        exec(line, {"L": lib, "d": frame, "np": np})
        return frame

    check_program(program)


@pytest.mark.parametrize("line", lines(SERIES))
def test_series(line):
    def program(lib):
        names = {"L": lib, "s": lib.Series([1, 2, 3], index=["p", "q", "r"], name="n"), "np": np}
        exec(line, names)
        return names["s"]

    check_program(program)


@pytest.mark.parametrize("line", lines(WITHOUT_ROWS))
def test_without_rows(line):
    def program(lib):
        names = {"L": lib}
        exec(line, names)
        return names["d"]

    check_program(program)


def test_levels():
    def program(lib):
        index = lib.MultiIndex.from_tuples([("a", 1), ("a", 2), ("b", 1)], names=["x", "y"])
        frame = lib.DataFrame({"v": [1, 2, 3]}, index=index)
        frame.loc[("a", 1), "v"] = 10
        frame.loc["b", "v"] = 0
        frame.loc[("c", 9), "v"] = 1
        return frame

    check_program(program)


def test_a_refused_assignment_changes_nothing():
    frame = px.DataFrame({"a": [1, 2], "b": [3, 4]})
    with pytest.raises(TypeError, match="Invalid value"):
        frame.loc[:, ["a", "b"]] = [[1, "x"], [2, "y"]]
    assert frame.equals(px.DataFrame({"a": [1, 2], "b": [3, 4]}))
