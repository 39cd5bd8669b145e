"""PageRank: which pages of a web are the important ones, by products with a sparse matrix.

The example of graph libraries, of cuGraph's and of SciPy's lecture notes. Method: S. Brin and
L. Page, "The Anatomy of a Large-Scale Hypertextual Web Search Engine", 1998: the power method.
"""

import numpy as np
from _program import Run, check, start

import phalanx as px
from phalanx import sparse

FIELD, USES = "graphs", "sparse matrices"
STAYS, TOLERANCE = 0.85, 1e-10


def web(pages, links):
    """Links whose targets are popular by a power law; pages without links among them."""
    rng = np.random.default_rng(20)
    source = rng.integers(0, pages * 19 // 20, links)
    target = (pages * rng.power(0.4, links)).astype(np.int64)
    pairs = np.unique(source * pages + target)
    return pairs // pages, pairs % pages


def rank(xp, links_to, out_degree):
    """Ranks and the number of steps; `links_to` has a row for each page that links lead to."""
    pages = out_degree.size
    ranks = xp.full(pages, 1 / pages)
    ends = out_degree == 0
    degree = xp.maximum(out_degree, 1)
    steps, change = 1, 1.0
    while change > TOLERANCE and steps < 200:
        lost = (ranks * ends).sum()
        new = STAYS * (links_to @ (ranks / degree) + lost / pages) + (1 - STAYS) / pages
        change = float(abs(new - ranks).sum())
        ranks, steps = new, steps + 1
    return np.asarray(ranks), steps


def main(run: Run) -> None:
    pages, links = run.size((300_000, 4_000_000), (2_000, 20_000))
    source, target = web(pages, links)
    data, shape = np.ones(source.size), (pages, pages)
    out_degree = np.bincount(source, minlength=pages).astype(np.float64)
    ours = sparse.coo_array((data, (target, source)), shape=shape).tocsr()
    degrees = px.asarray(out_degree)
    ranks, steps = run.measure(lambda: rank(px, ours, degrees))

    def plain():
        from scipy.sparse import coo_array

        return rank(np, coo_array((data, (target, source)), shape=shape).tocsr(), out_degree)

    expected = run.peer("SciPy", plain)
    run.agree(ranks, None if expected is None else expected[0], rtol=1e-8)
    check(ranks.sum(), 1.0, rtol=1e-12)
    check(steps < 200, True)

    def draw(axes):
        incoming = np.bincount(target, minlength=pages)
        axes.loglog(incoming[::20] + 1, ranks[::20], ".", ms=2)
        axes.set(xlabel="links to a page, and one", ylabel="rank")

    run.picture(draw)


if __name__ == "__main__":
    start(main)
