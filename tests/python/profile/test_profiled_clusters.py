"""Profiles of a cluster's workers, by a client that has what distributed's has of it."""

from __future__ import annotations

import pickle

import pytest

import phalanx
import phalanx as px


class Client:
    """One worker, in this process; what is sent to it and back is pickled."""

    def __init__(self):
        self.asked = []

    def run(self, function, *arguments):
        self.asked.append(function.__name__)
        function, arguments = pickle.loads(pickle.dumps((function, arguments)))
        answer = pickle.loads(pickle.dumps(function(*arguments)))
        if answer is not None:
            answer.process = "worker:1"
            for each in answer.records:
                each.process = answer.process
        return {"tcp://worker:1": answer}


def test_what_workers_did_is_merged():
    client = Client()
    with phalanx.profile(client=client) as taken:
        float(px.ones(1000).sum())
    assert client.asked == ["begin_here", "end_here"]
    sums = [each for each in taken.records if each.kind == "expression"]
    assert {each.process for each in sums} == {taken.process, "worker:1"}
    assert taken.rows()
    taken.stop()  # nothing more
    assert len(client.asked) == 2
    assert len(pickle.loads(pickle.dumps(taken)).records) == len(taken.records)


def test_a_cluster_that_fails_leaves_no_profile():
    class Broken:
        def run(self, *_):
            raise OSError("no workers")

    with pytest.raises(OSError, match="no workers"), phalanx.profile(client=Broken()):
        pass
    assert not phalanx._engine.profile_is_on()


def test_workers_that_had_begun_are_ended_when_another_fails():
    class OneFails(Client):
        def run(self, function, *arguments):
            answers = super().run(function, *arguments)
            if function.__name__ == "begin_here":
                raise OSError("a worker is gone")
            return answers

    client = OneFails()
    with pytest.raises(OSError, match="worker is gone"), phalanx.profile(client=client):
        pass
    assert client.asked == ["begin_here", "end_here"]
    assert not phalanx._engine.profile_is_on()
