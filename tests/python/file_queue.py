"""`--dist loadfile` for tens of thousands of tests.

The scheduler of pytest-xdist 3.8 goes through all tests that a process was given so far whenever
one ends, and looks for each in the list of all: minutes of a core that the tests need.
"""

from xdist.scheduler import LoadFileScheduling


class FileQueue(LoadFileScheduling):
    """Gives each process a file at a time, and forgets the tests that have ended."""

    _places: dict[str, int] | None = None  # of all tests, the same in each process

    def mark_test_complete(self, node, item_index, duration=0):
        test = self.registered_collections[node][item_index]
        files = self.assigned_work[node]
        left = files[self._split_scope(test)]
        del left[test]
        if not left:
            del files[self._split_scope(test)]
        self._reschedule(node)

    def _assign_work_unit(self, node):
        if self._places is None:
            tests = self.registered_collections[node]
            self._places = {test: place for place, test in enumerate(tests)}
        file, left = self.workqueue.popitem(last=False)
        self.assigned_work[node][file] = left
        node.send_runtest_some([self._places[test] for test in left])
