"""Profiles of several devices of one process."""

from __future__ import annotations

import numpy as np
from phalanx.ml.cluster import KMeans

import phalanx as px
from phalanx import cuda


@px.jit
def twice(x):
    return x * 2


def names_of(group):
    return [each.name for each in group]


def test_each_device_has_its_name(group):
    names = names_of(group)
    with px.profile() as p:
        for name in names:
            with px.device(name):
                assert np.asarray(px.arange(1 << 16) * 2)[-1] == 131070
    assert p.devices == sorted(names)
    rows = [each for each in p.rows() if each.group == "expression"]
    assert sorted(each.device for each in rows) == sorted(names)
    assert sorted(p.rates) == sorted(names)
    assert {each.device for each in p.peaks} == set(names)
    assert names[-1] in str(p)


def test_copies_and_calls_are_of_their_device(group):
    name = names_of(group)[1]
    with px.profile() as p:
        with px.device(name):
            x = cuda.to_device(np.ones(1 << 16))
            x.copy_to_host()
        twice(1.5)
    devices = {each.kind: each.device for each in p.records if each.kind != "compile"}
    assert devices["to_device"] == devices["to_host"] == devices["allocate"] == name
    assert devices["call"] == "cpu"


def test_a_fits_row_has_what_it_does_on_all_devices(group):
    x = group.default_rng(0).random(size=(600, 4))
    model = KMeans(3, n_init=1, random_state=0)
    with px.profile() as p:
        model.fit(x)
    (row,) = [each for each in p.rows() if each.group in ("fit", "operator")]
    assert row.name == "KMeans.fit"
    (fit,) = [each for each in p.records if each.kind == "scope"]
    launches = [each for each in fit.walk() if each.kind == "launch"]
    assert {each.device for each in launches} == set(names_of(group))
    assert len(launches) == sum(each.kind == "launch" for each in p.records)
