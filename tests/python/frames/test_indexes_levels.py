"""Indexes of several levels beside pandas'."""

from __future__ import annotations

import pytest

from .indexes_against_pandas import check, expressions

INDEXES = {
    "plain": lambda m: m.MultiIndex.from_tuples(
        [("b", 2), ("a", 1), ("b", 1), ("a", 3)], names=["x", "y"]
    ),
    "sorted": lambda m: m.MultiIndex.from_product([["a", "b"], [1, 2, 3]], names=["x", None]),
    "repeated": lambda m: m.MultiIndex.from_tuples([("b", 2), ("a", 1), ("b", 2), ("a", 3)]),
    "with NaN": lambda m: m.MultiIndex.from_tuples([("b", 2), (None, 1), ("a", 3)]),
    "three": lambda m: m.MultiIndex.from_product(
        [["a", "b"], [1, 2], ["x", "y"]], names=["p", "q", "r"]
    ),
    "dates": lambda m: m.MultiIndex.from_product(
        [["a", "b"], m.date_range("2020-01-31", periods=4)], names=["k", "d"]
    ),
    "sorted repeated": lambda m: m.MultiIndex.from_tuples([("a", 1), ("a", 1), ("a", 2), ("b", 1)]),
    "categories": lambda m: m.MultiIndex.from_arrays(
        [m.CategoricalIndex(["b", "a", "b"], categories=["b", "a"]), [1, 2, 1]]
    ),
}

EXPRESSIONS = """
i.levels
[list(x) for x in i.levels]
[x.tolist() for x in i.codes]
[str(x.dtype) for x in i.codes]
i.nlevels
i.levshape
i.names
i.is_unique
i.is_monotonic_increasing
i.is_monotonic_decreasing
i.get_level_values(0)
i.get_level_values(1)
i.get_level_values(-1)
i.get_level_values('x')
i.get_level_values(9)
i.get_level_values(-9)
i.get_level_values('zz')
i.droplevel(0)
i.droplevel('y')
i.droplevel([0,1])
i.droplevel([])
i.swaplevel()
i.swaplevel(0,1)
i.swaplevel(0,7)
i.reorder_levels([1,0])
i.reorder_levels([1])
i.set_levels([['q','r'],[7,8,9]])
i.set_levels(['q','r'],level=0)
i.set_levels(['q'],level=0)
i.set_levels([['q','q'],[7,8,9]])
i.set_codes([0]*len(i),level=0)
i.set_codes([9]*len(i),level=0)
i[:2].remove_unused_levels().levels
[list(x) for x in i[:1].remove_unused_levels().levels]
i.set_names(['u','v'])
i.set_names('u',level=0)
i.set_names('u',level='x')
i.set_names(['u'])
i.set_names({'x':'u'})
i.rename(['u','v'])
i.rename('u')
i.sortlevel()
i.sortlevel(1)
i.sortlevel('y')
i.sortlevel(0,ascending=False)
i.sortlevel([0,1],ascending=[True,False])
i.sortlevel(1,sort_remaining=False)
i.sort_values()
i.argsort()
i.unique()
i.unique(level=0)
i.unique(level='y')
i.dropna()
i.dropna(how='all')
i.to_flat_index()
i.insert(1,('z',9))
i.insert(1,'z')
i.insert(0,('z',9,8))
i.append(i)
i.append(i.swaplevel())
i.append(i.droplevel(0))
i.delete(0)
i.drop('a')
i.drop(['a'])
i.drop([('a',1)])
i.drop(('a',1))
i.drop('zz')
i.drop('zz',errors='ignore')
i.drop(['a'],level=0)
i.drop([1],level=1)
i.drop(['zz'],level=0)
i.isin([('a',1)])
i.isin(['a'],level=0)
i.isin([1,2],level=1)
i.isin([])
i.get_loc('a')
i.get_loc('b')
i.get_loc('zz')
i.get_loc(('a',1))
i.get_loc(('b',2))
i.get_loc(('a',9))
i.get_loc(('zz',1))
i.get_loc(('a',))
i.get_loc(('a',1,'x'))
i.get_loc(('a',1,1,1))
i.get_loc(['a'])
i.get_loc(1)
i.get_loc(np.nan)
i.get_loc((np.nan,1))
i.get_loc(())
'a' in i
('a',1) in i
('a',9) in i
'zz' in i
i.get_loc_level('a')
i.get_loc_level('a',level='x')
i.get_loc_level(1,level=1)
i.get_loc_level(('a',1))
i.get_loc_level('a',drop_level=False)
i.get_loc_level('zz')
i.get_locs(['a'])
i.get_locs(['a',1])
i.get_locs([['a','b'],1])
i.get_locs([['b','a'],[2,1]])
i.get_locs([slice(None),1])
i.get_locs([slice('a','b'),[1,3]])
i.get_locs([slice('a','b'),slice(1,2)])
i.get_locs(['a',slice(1,2)])
i.get_locs(['a',slice(2,None)])
i.get_locs([['zz']])
i.get_locs([np.array([True]*len(i))])
i.slice_locs('a','b')
i.slice_locs(('a',1),('b',2))
i.slice_locs(('a',2))
i.slice_locs(None,('b',1))
i.slice_locs('aa')
i.slice_locs(('a',2.5))
i.slice_locs('b','a')
i.slice_locs(('a',1,1,1,1))
i.slice_indexer('a','a')
i.get_indexer([('a',1),('z',1),('b',2)])
i.get_indexer_for([('a',1),('z',1),('b',2)])
i.get_indexer_non_unique([('a',1),('z',1),('b',2)])
i.get_indexer(i[::-1])
i.get_indexer(['a'])
i.reindex([('a',1),('q',1)])
i.union(i[:2])
i.intersection(i[1:])
i.intersection([('a',1)])
i.difference(i[:1])
i.symmetric_difference(i[1:].append(i[:0]))
i.union([('q',5)])
i.equals(i[:])
i.equals(i.to_flat_index())
i.equals(i.swaplevel())
i.equal_levels(i[:1])
i==i
i==('a',1)
i!=i
i[0]
i[[0,1]]
i[i.get_level_values(0)=='a']
i.take([0,-1])
i.take([0,-1],fill_value=np.nan)
i.repeat(2)
i.duplicated()
i.drop_duplicates()
i.factorize()
i.nunique()
i.map(lambda x:x[0])
i.map(lambda x:(x[1],x[0]))
i.min()
i.max()
i.copy(names=['c','d'])
i.name
i.values
i.tolist()
i.astype(object)
i.astype(int)
i.fillna(1)
i.isna()
i.join(i[1:],how='outer')
i.join(i.droplevel(1).unique(),how='left',level=0,return_indexers=True)
i.join(i.get_level_values(0).unique()[:1],how='inner',level=0,return_indexers=True)
i.join(i.get_level_values(0).unique()[:1],how='right',level=0,return_indexers=True)
i.truncate('a','a')
i.groupby(list(range(len(i))))
i.identical(i.copy())
i+1
-i
i.where([True]*len(i))
i.get_loc(('a','2020-02'))
i.get_loc(('a','2020-02-01'))
i.get_locs(['a','2020-02'])
i.slice_locs(('a','2020-02-01'),('b','2020-01'))
i.get_loc(('a',1,'x'))
i.get_loc(('a',1))
i.get_loc_level(('a','x'),level=['p','r'])
i.get_loc_level(('a',1),level=['p','q'])
i.get_loc_level(('a',slice(None),'x'))
i.lexsort_depth if hasattr(i,'lexsort_depth') else i._lexsort_depth
len(i)
i.size
i.shape
i.hasnans
i.nbytes>0
i.to_numpy()
i.searchsorted(('a',1))
"""
MAKING = """
m.MultiIndex.from_tuples([])
m.MultiIndex.from_tuples([],names=['a','b'])
m.MultiIndex.from_tuples([(1,2),(3,)])
m.MultiIndex.from_tuples([(1,'a'),(None,'b')])
m.MultiIndex.from_tuples('abc')
m.MultiIndex.from_tuples(5)
m.MultiIndex.from_tuples([[1,2],[3,4]])
m.MultiIndex.from_arrays([[1,2],['a','b']])
m.MultiIndex.from_arrays([[1,2],['a']])
m.MultiIndex.from_arrays(5)
m.MultiIndex.from_arrays([m.Index([1,2],name='q'),m.Index(['a','b'],name='w')])
m.MultiIndex.from_arrays([[1,2],['a','b']],names=['x'])
m.MultiIndex.from_arrays([[1,2],['a','b']],names='xy')
m.MultiIndex.from_product([[1,2],['b','a']])
m.MultiIndex.from_product([[1,2],['b','a']]).codes
m.MultiIndex.from_product([range(2),'ab'])
m.MultiIndex.from_product([])
m.MultiIndex.from_product([[],['a']])
m.MultiIndex.from_product([m.Index([2,1],name='q'),['a']])
m.MultiIndex.from_product(5)
m.MultiIndex([['a','b'],[1,2]],[[0,1],[1,0]])
m.MultiIndex([['a','b'],[1,2]],[[0,1],[1,0]],names=['u','v'])
m.MultiIndex([['a','b'],[1,2]],[[0,5],[1,0]])
m.MultiIndex([['a','b'],[1,2]],[[0,-1],[1,0]])
m.MultiIndex([['a','b'],[1,2]],[[0,-2],[1,0]])
m.MultiIndex([['a','a'],[1,2]],[[0,1],[1,0]])
m.MultiIndex([['a','b'],[1,2]],[[0,1]])
m.MultiIndex([['a','b'],[1,2]],[[0,1],[1]])
m.MultiIndex([],[])
m.MultiIndex()
m.MultiIndex([['a','b'],[1,2]],[[0,1],[1,0]],names=['u','u'])
m.MultiIndex([['a','b'],[1,2]],[[0,1],[1,0]],names=[[],'u'])
m.MultiIndex.from_arrays([[1.5,2.25],m.date_range('2020',periods=2)])
m.MultiIndex.from_arrays([m.timedelta_range('1h',periods=2),m.date_range('2020',periods=2,tz='UTC')])
m.MultiIndex.from_arrays([['a'*50,'b'],['c'*50,'d'],['e','f']])
m.MultiIndex.from_arrays([[True,False],['c','d']],names=['a',5])
m.MultiIndex.from_arrays([m.CategoricalIndex(['b','a'],categories=['b','a']),[1,2]])
m.MultiIndex.from_arrays([m.CategoricalIndex(['b','a'],categories=['b','a']),[1,2]]).levels[0]
m.MultiIndex.from_arrays([[1,2],['a','b']]).union(m.MultiIndex.from_arrays([[1,5],['a','b']]))
m.MultiIndex.from_arrays([[1,2],['a','b']],names=['x','y']).join(m.MultiIndex.from_arrays([[1,5],['a','b']],names=['x','z']),how='left',return_indexers=True)
m.MultiIndex.from_arrays([[1,2],['a','b']],names=['x','y']).join(m.MultiIndex.from_arrays([[1,5],['a','b']],names=['x','z']),how='outer',return_indexers=True)
m.MultiIndex.from_arrays([[1,2],['a','b']],names=['x','y']).join(m.MultiIndex.from_arrays([[1,5],['a','b']],names=['x','z']),how='inner',return_indexers=True)
m.MultiIndex.from_arrays([[1,2],['a','b']],names=['x','y']).join(m.MultiIndex.from_arrays([[1,5],['a','b']],names=['x','z']),how='right',return_indexers=True)
m.MultiIndex.from_arrays([[1,2],['a','b']],names=['x','y']).join(m.Index([2,1],name='x'),return_indexers=True)
m.MultiIndex.from_arrays([[1,2],['a','b']],names=['x','y']).join(m.Index([2,1],name='q'),return_indexers=True)
"""

# Where pandas fails from within, orders tuples against the order of a level, or finds no NaN.
KNOWN = {
    "with NaN": ("i.m", "i.join"),
    "three": (
        *("i.append(i.droplevel", "i.isin([('a'", "i.get_indexer", "i.reindex", "i.intersection(["),
        *("i.union([", "i.map(lambda x:(x[1]"),
    ),
    "dates": ("i.insert(1,'z')",),
    "categories": ("i.m", "i.join(i[1:]"),
}


@pytest.mark.parametrize("name", INDEXES)
@pytest.mark.parametrize("line", expressions(EXPRESSIONS))
def test_expression_is_as_in_pandas(name, line):
    if not any(line.startswith(each) for each in KNOWN.get(name, ())):
        check(line, INDEXES[name])


@pytest.mark.parametrize("line", expressions(MAKING))
def test_index_is_made_as_in_pandas(line):
    check(line)
