"""Tables of tests take an hour of two cores: usual runs take a part of each, always the same cases.

`make tables` runs all of them. What a case is called decides, so that a failure comes again; a test
that is named on the command line runs in any case.
"""

from __future__ import annotations

import os
import zlib
from collections import Counter

# A test of more cases is a table.
LONG = 10
# Of the cases of a table such a part is run.
SHARE = 1 / 8
# Files whose cases are texts and programs, each of its own: no tables.
WHOLE = (
    *("test_guide", "test_docstring_examples", "test_written_examples", "test_docs_site"),
    *("test_programs", "test_documented_programs", "test_usual_programs", "test_profile_advice"),
)


def left_out(config, items):
    """Take the cases that are not of the share out of `items`, in place."""
    if os.environ.get("PHALANX_WHOLE_TABLES") or any("::" in each for each in config.args):
        return
    cases = Counter(_test(item) for item in items)
    kept, others = [], []
    for item in items:
        is_table = cases[_test(item)] > LONG and item.path.stem not in WHOLE
        is_left_out = is_table and not _is_of_share(item)
        (others if is_left_out else kept).append(item)
    if others:
        config.hook.pytest_deselected(items=others)
        items[:] = kept


def _test(item):
    return item.nodeid.partition("[")[0]


def _is_of_share(item):
    name = item.nodeid.rpartition("tests/python/")[2].encode()
    return zlib.crc32(name) % 1000 < 1000 * SHARE
