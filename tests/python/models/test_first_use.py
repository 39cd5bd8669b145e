"""A first fit does not import what it does not need."""

import subprocess
import sys

import numpy as np
import pytest
from phalanx._models.frames_given import is_column, is_frame

import phalanx as px

SCRIPT = """
import sys
import numpy as np
from phalanx.ml.{module} import {name}
x = np.random.default_rng(0).normal(size=(40, 3))
model = {name}().fit(x, (x[:, 0] > 0).astype(int))
assert "phalanx._frames.frame" not in sys.modules, "frames are imported"
assert "phalanx._frames.series" not in sys.modules, "columns are imported"
"""


@pytest.mark.parametrize(
    ("module", "name"),
    [("linear_model", "LogisticRegression"), ("ensemble", "RandomForestClassifier")],
)
def test_arrays_need_no_frames(module, name):
    script = SCRIPT.format(module=module, name=name)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_frames_and_columns_are_known():
    frame = px.DataFrame({"a": [1.0, 2.0]})
    assert is_frame(frame)
    assert is_column(frame["a"])
    for other in (np.zeros((2, 2)), px.zeros(3), [1], None, "a"):
        assert not is_frame(other)
        assert not is_column(other)
    assert not is_frame(frame["a"])
    assert not is_column(frame)
