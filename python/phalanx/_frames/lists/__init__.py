"""``Series.list``: the elements of lists."""
