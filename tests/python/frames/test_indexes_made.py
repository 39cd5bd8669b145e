"""Indexes of all sorts of data, ranges and categories beside pandas'."""

from __future__ import annotations

import datetime

import numpy as np
import pytest
from phalanx._frames import indexes

from .indexes_against_pandas import check, expressions, outcome, pd, same

DATA = [
    *([1, 2], [1.5, 2], ["a", "b"], ["a", None], [None, None], [1, None], [1, "a"]),
    *([True, False], [True, None], [], (), [(1, 2), (3, 4)], [(1, "a"), (2,)]),
    *(range(3), range(5, 0, -2), np.arange(3), np.arange(3, dtype="int8"), np.array([1.5, 2])),
    *(np.array(["a", "b"]), np.array(["a", "b"], object), np.array([1, 2], object)),
    *(np.array(["2020-01-01"], "M8[D]"), np.array(["2020-01-01"], "M8[ns]")),
    *([datetime.datetime(2020, 1, 1)], [datetime.date(2020, 1, 1)], [datetime.timedelta(1)]),
    *([np.datetime64("2020-01-01")], [np.timedelta64(1, "s")], {"a": 1}, {1, 2}, "abc", 5, None),
    *([[1, 2], [3, 4]], np.zeros((2, 2)), [1 + 2j], [b"a"], [np.nan, None], [np.nan]),
    *([1, 2**63], [1, 2**70], [-1, 2**63], [np.int8(1), np.int8(2)]),
    *([datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)], [datetime.datetime(2020, 1, 1), "a"]),
    *([datetime.datetime(2020, 1, 1), None], [datetime.time(1)]),
]
DTYPES = (
    *("int64", "int8", "uint8", "float64", "float32", "object", "str", "string", "category"),
    *("datetime64[ns]", "timedelta64[ns]", "bool", "Int64", "zzz"),
)
VALUES = (
    *([1, 2], ["a", "b"], [1.5, 2.5], ["2020-01-01"], [], [True, False], ["1", "2"], range(3)),
)

EXPRESSIONS = """
m.Index([1,2],name='x')
m.Index([1,2],name=['x'])
m.Index(m.Index([1,2],name='x'))
m.Index(m.Index([1,2],name='x'),name='y')
m.Index([(1,2),(3,4)],name=['x','y'])
m.Index([(1,2),(3,4)],tupleize_cols=False)
m.RangeIndex(3)
m.RangeIndex(1,10,3,name='q')
m.RangeIndex(0,10,0)
m.RangeIndex('a')
m.RangeIndex(1.5)
m.RangeIndex()
m.RangeIndex(5,0)
m.RangeIndex(range(1,9,2))
m.RangeIndex(5)[1:4]
m.RangeIndex(5)[::-1]
m.RangeIndex(5)+1
1-m.RangeIndex(5)
m.RangeIndex(5)*2
m.RangeIndex(0,10,2)//2
m.RangeIndex(5)/2
m.RangeIndex(5)//2
-m.RangeIndex(5)
m.RangeIndex(5)+m.RangeIndex(5)
m.RangeIndex(3).append(m.RangeIndex(3,6))
m.RangeIndex(3).append([m.RangeIndex(3,6),m.RangeIndex(6,8)])
m.RangeIndex(3).append(m.RangeIndex(4,6))
m.RangeIndex(3).union(m.RangeIndex(2,8))
m.RangeIndex(0,10,2).union(m.RangeIndex(1,11,2))
m.RangeIndex(0,10,2).intersection(m.RangeIndex(0,20,3))
m.RangeIndex(10).difference(m.RangeIndex(5))
m.RangeIndex(5).insert(0,-1)
m.RangeIndex(5).insert(5,5)
m.RangeIndex(5).insert(2,7)
m.RangeIndex(5).delete(0)
m.RangeIndex(5).delete(-1)
m.RangeIndex(5).delete(2)
m.RangeIndex(5).take([0,2,4])
m.RangeIndex(5).get_loc(2)
m.RangeIndex(5).get_loc(2.0)
m.RangeIndex(5).get_loc(2.5)
m.RangeIndex(5).get_loc(9)
m.RangeIndex(5).get_loc('a')
m.RangeIndex(5).get_indexer([1,7,3])
m.RangeIndex(0,10,3).get_indexer([3,4,9])
m.RangeIndex(5).rename('z')
m.RangeIndex(5).min()
m.RangeIndex(0).min()
m.RangeIndex(5).equals(m.Index([0,1,2,3,4]))
m.RangeIndex(5).slice_locs(1,3)
m.RangeIndex(0,10,3).slice_locs(1,7)
m.RangeIndex(5,name='a').astype(float)
m.RangeIndex(5).isin([1,3])
m.RangeIndex(5).where([True]*4+[False])
m.RangeIndex(3).map(lambda x:x*2)
m.RangeIndex(3).to_list()
m.RangeIndex(3).factorize()
m.RangeIndex(3).repeat(2)
m.RangeIndex(3).unique()
m.CategoricalIndex(['a','b','a'])
m.CategoricalIndex(['a','b','z'],categories=['b','a'])
m.CategoricalIndex(['a','b'],ordered=True,name='n')
m.CategoricalIndex([3,1,2])
m.CategoricalIndex([])
m.CategoricalIndex(['a','b'],categories=['a','a'])
m.CategoricalIndex(['b','a','b']).codes
m.CategoricalIndex(['b','a','b']).categories
m.CategoricalIndex(['b','a','b']).ordered
m.CategoricalIndex(['b','a','b']).rename_categories(['x','y'])
m.CategoricalIndex(['b','a','b']).rename_categories({'a':'q'})
m.CategoricalIndex(['b','a','b']).rename_categories(['x'])
m.CategoricalIndex(['b','a','b']).set_categories(['b','c'])
m.CategoricalIndex(['b','a','b']).reorder_categories(['b','a'])
m.CategoricalIndex(['b','a','b']).reorder_categories(['b','c'])
m.CategoricalIndex(['b','a','b']).add_categories('c')
m.CategoricalIndex(['b','a','b']).add_categories(['a'])
m.CategoricalIndex(['b','a','b']).remove_categories('a')
m.CategoricalIndex(['b','a','b']).remove_categories(['z'])
m.CategoricalIndex(['b','a'],categories=['a','b','c']).remove_unused_categories()
m.CategoricalIndex(['b','a']).as_ordered()
m.CategoricalIndex(['b','a'],ordered=True).as_unordered()
m.CategoricalIndex(['b','a','b']).map({'a':1,'b':2})
m.CategoricalIndex(['b','a','b']).map(lambda x:1)
m.CategoricalIndex(['b','a','b']).get_loc('b')
m.CategoricalIndex(['b','a','b']).get_loc('z')
m.CategoricalIndex(['b','a','b']).insert(1,'a')
m.CategoricalIndex(['b','a','b']).insert(1,'z')
m.CategoricalIndex(['b','a','b']).append(m.CategoricalIndex(['a']))
m.CategoricalIndex(['b','a','b']).append(m.Index(['z']))
m.CategoricalIndex(['b','a','b']).sort_values()
m.CategoricalIndex(['b','a','b'],categories=['b','a']).sort_values()
m.CategoricalIndex(['b','a']).min()
m.CategoricalIndex(['b','a'],ordered=True).min()
m.CategoricalIndex(['b','a','b']).unique()
m.CategoricalIndex(list('abcdefghijklm'))
m.CategoricalIndex([1.5,2.5,None])
m.CategoricalIndex(['b','a'])=='a'
m.CategoricalIndex(['b','a'],ordered=True)<'b'
m.CategoricalIndex(['b',None]).fillna('b')
m.CategoricalIndex(['b',None]).fillna('z')
m.CategoricalIndex(['b','a']).equals(m.Index(['b','a']))
m.Index(['a'*90,'b'])
m.Index(['a\\\\n','b\\\\t'])
m.Index([1.0,1e300,1e-10])
m.Index([0.1+0.2])
m.Index(list(range(1000)))
m.Index(['abc%d'%i for i in range(30)])
m.Index([10**i for i in range(18)])
m.Index([1.5]*30)
m.Index([True]*30)
m.Index([(1,2),'a'])
m.Index(['a','b'],name='a long name of an index')
m.Index([None,1.5,'x'],dtype=object)
m.Index([np.float32(1.1)])
m.Index([1,2],dtype='float32')
m.Index([0.1],dtype='float32')
"""
KNOWN = {"m.Index([(1,2),(3,4)],name=['x','y'])"}  # Names for levels are taken where tuples are.


@pytest.mark.parametrize("data", DATA, ids=lambda each: f"{type(each).__name__} {each}"[:40])
def test_data_make_the_index_of_pandas(data):
    mine, others = outcome(indexes.Index, data), outcome(pd.Index, data)
    assert same(mine, others), f"{mine} is not {others}"


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("values", VALUES, ids=str)
def test_dtypes_are_given(values, dtype):
    mine, others = (outcome(m.Index, values, dtype) for m in (indexes, pd))
    assert same(mine, others), f"{mine} is not {others}"


@pytest.mark.parametrize("line", expressions(EXPRESSIONS))
def test_expression_is_as_in_pandas(line):
    if line not in KNOWN:
        check(line)
