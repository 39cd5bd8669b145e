"""`phalanx.config`, and what notebooks show."""

import fake_gpu
import numpy as np
import pytest

import phalanx as px

ON_A_FAKE_GPU = """
import warnings
import numpy as np
import phalanx as px
from phalanx.errors import CopyWarning

x = px.asarray(np.arange(3.0))
assert not x.device.startswith("cpu")
assert np.asarray(x).tolist() == [0, 1, 2]
px.config.copies_to_host = "warn"
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    assert np.asarray(x).tolist() == [0, 1, 2]
assert [each.category for each in told] == [CopyWarning] and told[0].filename == __file__, told
px.config.copies_to_host = "error"
try:
    np.asarray(x)
except TypeError as error:
    assert "x.to_device('cpu')" in str(error)
else:
    raise AssertionError
assert np.asarray(x.to_device("cpu")).tolist() == [0, 1, 2]
assert repr(x) and x.tolist() == [0, 1, 2]
print("done")
"""


@fake_gpu.needed
def test_copies_to_the_host_can_be_found(tmp_path):
    done = fake_gpu.run(ON_A_FAKE_GPU, tmp_path)
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr


def test_arrays_of_the_host_are_not_copied_whatever_is_set():
    before = px.config.copies_to_host
    px.config.copies_to_host = "error"
    try:
        with px.device("cpu"):
            assert np.asarray(px.ones(2)).tolist() == [1, 1]
    finally:
        px.config.copies_to_host = before


def test_another_word_is_refused():
    with pytest.raises(ValueError, match="allow, warn, error"):
        px.config.copies_to_host = "never"
    assert repr(px.config) == (
        f"config(copies_to_host='allow', background_compile={px.config.background_compile})"
    )


@pytest.mark.parametrize("dtype", ["bool", "int8", "float32", "complex64", "datetime64[D]"])
@pytest.mark.parametrize("shape", [(), (3,), (0,), (2, 3), (10, 10), (11, 30), (40,), (2, 2, 2)])
def test_a_notebook_shows_the_ends(device, dtype, shape):
    host = (np.arange(np.prod(shape, dtype=int)) % 7).astype("int8").reshape(shape)
    host = host.astype("int64").astype(dtype) if dtype.startswith("date") else host.astype(dtype)
    text = px.asarray(host)._repr_html_()
    assert text.startswith(f"<div>{host.dtype} {shape} on ")
    if host.ndim not in (1, 2) or not host.size:
        assert "<pre>" in text
        return
    rows, columns = host.reshape(-1, host.shape[-1]).shape
    seen = [min(extent, 11) for extent in (rows, columns)]  # with the mark of the gap
    assert (text.count("<tr>"), text.count("<td>")) == (seen[0], seen[0] * seen[1])
    assert f"<td>{host.reshape(-1)[0]}</td>" in text
    assert text.endswith(f"<td>{host.reshape(-1)[-1]}</td></tr></table>")
    assert ("&hellip;" in text) == (columns > 10) and ("&#8942;" in text) == (rows > 10)


def test_a_notebook_takes_the_ends_alone_of_a_large_array(device):
    assert px.broadcast_to(px.arange(20), (10**9, 20))._repr_html_().count("<tr>") == 11
