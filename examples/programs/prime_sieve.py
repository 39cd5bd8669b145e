"""The sieve of Eratosthenes, by pieces that fit a core's cache, on all cores.

The first benchmark of each language. Method: the segmented sieve (C. Bays and R. Hudson, 1977), odd
numbers only. How many primes there are below powers of ten is known (OEIS A006880).
"""

import numpy as np
from _program import Run, check, start
from numba import njit, prange

FIELD, USES = "mathematics", "functions"
KNOWN = {10**5: 9_592, 10**8: 5_761_455}
SEGMENT = 1 << 17  # odd numbers of one piece, a byte each


@njit
def odd_primes(limit):
    """The odd primes up to `limit`, by the plain sieve."""
    is_prime = np.ones(limit // 2 + 1, np.bool_)
    for i in range(1, int(limit**0.5) // 2 + 1):
        if is_prime[i]:
            is_prime[2 * i * (i + 1) :: 2 * i + 1] = False
    found = np.nonzero(is_prime[: (limit + 1) // 2])[0]
    return 2 * found[1:] + 1


@njit(parallel=True)
def count_primes(limit):
    """How many primes are below `limit`."""
    small = odd_primes(int(limit**0.5) + 1)
    half = limit // 2  # odd numbers below it, 1 among them, which is counted in place of 2
    segments = (half + SEGMENT - 1) // SEGMENT
    total = 0
    for segment in prange(segments):
        low = segment * SEGMENT
        high = min(low + SEGMENT, half)
        is_prime = np.ones(high - low, np.uint8)
        for prime in small:
            first = (prime * prime) // 2
            if first >= high:
                break
            if first < low:
                first = low + (prime - (low - first) % prime) % prime
            for k in range(first - low, high - low, prime):
                is_prime[k] = 0
        total += is_prime.sum()
    return total


def count_in_numpy(limit):
    is_prime = np.ones(limit // 2, bool)
    for i in range(1, int(limit**0.5) // 2 + 1):
        if is_prime[i]:
            is_prime[2 * i * (i + 1) :: 2 * i + 1] = False
    return int(is_prime.sum())


def main(run: Run) -> None:
    limit = run.size(10**8, 10**5)
    count = run.measure(lambda: count_primes(limit))
    check(count, KNOWN[limit])
    run.agree(count, run.peer("NumPy", lambda: count_in_numpy(limit)))


if __name__ == "__main__":
    start(main)
