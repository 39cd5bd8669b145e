"""What kernels that grow trees are specialised by, and the arrays that they share."""

from __future__ import annotations

from typing import Any, NamedTuple

BINS = 256
WARP = 32
ALL_LANES = 0xFFFFFFFF
# Bytes of shared memory that a block's histograms take at most: one feature's alone, or of several.
# More than 48 KB a block would also keep others from the same multiprocessor.
MOST_OF_ONE = 48 << 10
_MOST_OF_SEVERAL = 40 << 10
_MOST_OF_A_PART = 4096  # rows


class Tuning(NamedTuple):
    """Sizes that only change how long it takes."""

    threads: int = 256  # of a block that has a part of a node
    small_threads: int = 128  # of a block that has a node
    part: int | None = None  # rows of a large node that a block takes; None: by `Shape.part`


TUNING = Tuning()


class Shape(NamedTuple):
    """What kernels are specialised by."""

    features: int
    drawn: int  # features that are looked at in each node
    criterion: str
    classes: int  # 0: trees of numbers
    has_counts: bool  # the samples of both sides are counted
    tuning: Tuning

    @property
    def pitch(self) -> int:
        """The bytes of a sample's record: the bins of its features, and then its class."""
        size = self.features + (self.classes > 0)
        return 1 << (size - 1).bit_length() if size <= WARP else -(-size // WARP) * WARP

    @property
    def part(self) -> int:
        """The rows of a large node that a block takes; smaller nodes have a block each.

        There are two for each word of a feature's histogram, or blocks clear and merge more words
        than they add. Of two classes, 1e6 x 20 and 20 trees of depth 12, that is 1,024 rows:
        66 ms on an H200 beside 82 with 4,096.
        """
        return self.tuning.part or min(_MOST_OF_A_PART, 2 * BINS * self.words)

    @property
    def words(self) -> int:
        """The 32-bit sums of a bin.

        They are the weights of the classes; of numbers the weight, and the sum of targets in two
        words. The number of samples is last, if it is counted.
        """
        return (self.classes or 3) + self.has_counts

    @property
    def totals(self) -> int:
        """The 64-bit sums of a node: weights of the classes; or the weight and the targets'."""
        return self.classes or 2

    @property
    def together(self) -> int:
        """How many features a block's histograms have."""
        most = max(1, min(self.drawn, _MOST_OF_SEVERAL // (self.words * BINS * 4)))
        return -(-self.drawn // -(-self.drawn // most))


# Columns of a level's nodes, int32. Rows are from START to END; a node that is split has its first
# child in LEFT, else -1; NEXT is the least bin on the right.
TREE, START, END, STATE, LEFT, FEATURE, LAST, NEXT = range(8)
COLUMNS = 8

# What a level counts: its nodes, those with a block each, those in parts, and these parts.
NODES, SMALL, LARGE, PARTS = range(4)


class Level(NamedTuple):
    """The nodes of one depth of all trees."""

    nodes: Any  # nodes x COLUMNS
    totals: Any  # nodes x sums, int64
    small: Any  # nodes that have a block each
    large: Any  # nodes whose rows are in parts, x 2: the node, and its first part
    parts: Any  # parts x 2: the place in `large`, and the first row
    counts: Any  # 4


class Grown(NamedTuple):
    """What is kept of a level whose nodes are split."""

    nodes: Any
    totals: Any


class Rows(NamedTuple):
    """Samples, and the rows of the trees before and after a level's splits.

    A row's upper bits are the weight of its sample, the lower ones its number.
    """

    records: Any  # samples x pitch, uint8
    targets: Any  # of numbers: in fixed point, int64
    before: Any  # uint32
    after: Any


class Limits(NamedTuple):
    """When nodes are not split."""

    split: int
    leaf: int
    least_weight: float
    weight: float  # of a tree
    gain: float
    scale: float  # of targets in fixed point
    bits: int  # of a row that are the sample's number
    goes_on: bool  # children may be split: they are not as deep as trees may be
