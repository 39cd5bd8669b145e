"""N queens: how many ways there are to put queens on a board so that none attacks another.

The puzzle by which compilers for Python are compared. Method: a backtracking search whose rows are
bits of whole numbers (M. Richards, "Backtracking Algorithms in MCPL using Bit Patterns and
Recursion", 1997), from each pair of queens in the first two rows at once. The counts are known
(OEIS A000170).
"""

from _program import Run, check, start
from numba import njit, prange

FIELD, USES = "games", "functions"
KNOWN = {6: 4, 8: 92, 9: 352, 12: 14_200, 13: 73_712, 14: 365_596}


@njit
def ways(columns, left, right, full):
    """The number of ways to fill the rows that are left, by recursion."""
    if columns == full:
        return 1
    count = 0
    free = full & ~(columns | left | right)
    while free:
        queen = free & -free
        free ^= queen
        count += ways(columns | queen, (left | queen) << 1, (right | queen) >> 1, full)
    return count


@njit(parallel=True)
def solutions(size):
    full = (1 << size) - 1
    total = 0
    for pair in prange(size * size):
        first, second = pair // size, pair % size
        if abs(first - second) > 1:
            one, two = 1 << first, 1 << second
            left = ((one << 1) | two) << 1
            right = ((one >> 1) | two) >> 1
            total += ways(one | two, left, right, full)
    return total


def ways_in_python(columns, left, right, full):
    if columns == full:
        return 1
    count = 0
    free = full & ~(columns | left | right)
    while free:
        queen = free & -free
        free ^= queen
        count += ways_in_python(columns | queen, (left | queen) << 1, (right | queen) >> 1, full)
    return count


def main(run: Run) -> None:
    size, small = run.size((13, 9), (8, 6))
    count = run.measure(lambda: solutions(size))
    check(count, KNOWN[size])
    # A smaller board takes a known part of the work: about as the numbers of ways.
    plain = run.peer("Python", lambda: ways_in_python(0, 0, 0, (1 << small) - 1))
    check(plain, KNOWN[small])
    run.peer_seconds *= KNOWN[size] / KNOWN[small]


if __name__ == "__main__":
    start(main)
