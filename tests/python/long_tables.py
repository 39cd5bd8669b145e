"""Tables of tests take an hour of two cores: usual runs take a part of each, always the same cases.

`make tables` runs all of them. What a case is called decides, so that a failure comes again, and a
new case moves no more than one other; a test that is named on the command line runs in any case.
"""

from __future__ import annotations

import os
import zlib
from collections import defaultdict

# A test of more cases is a table.
LONG = 10
# Of the cases of a table such a part is run, and at least one.
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
    cases = defaultdict(list)
    for item in items:
        if item.path.stem not in WHOLE:
            cases[item.nodeid.partition("[")[0]].append(item.nodeid)
    others = {each for table in cases.values() if len(table) > LONG for each in _others(table)}
    if others:
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid in others])
        items[:] = [item for item in items if item.nodeid not in others]


def _others(table):
    return sorted(table, key=_place)[max(1, round(len(table) * SHARE)) :]


def _place(case):
    """Thousandths by the case's name alone, wherever pytest was started."""
    return zlib.crc32(case.rpartition("tests/python/")[2].encode()) % 1000
