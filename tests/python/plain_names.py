"""Names of parametrized cases that are the same in each process."""

import re


def plain(value):
    """The text of a value without addresses: processes that share tests must agree on names."""
    return re.sub(r" at 0x[0-9a-f]+", "", str(value))
