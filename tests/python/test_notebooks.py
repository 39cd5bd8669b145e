"""What notebooks show of devices, streams, kernels and graphs, and what they show of errors."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import phalanx as px
from phalanx import cuda, njit


@cuda.jit
def twice(x, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = 2 * x[i]


@njit
def half(x):
    return x / 2


@cuda.reduce
def total(a, b):
    return a + b


def recorded():
    x = cuda.to_device(np.ones(32))
    with cuda.graph() as graph:
        twice[1, 32](x, x)
    return graph


@pytest.mark.parametrize(
    ("make", "text", "facts"),
    [
        (cuda.get_current_device, "<CUDA device 0 '", ["memory", "compute capability", "UUID"]),
        (lambda: cuda.gpus, "<Managed Device List: ", ["GPU"]),
        (cuda.default_stream, "<Default CUDA stream>", ["device", "0x0"]),
        (recorded, "<Graph of 1 operations>", ["recorded"]),
        (lambda: twice, "<phalanx kernel twice>", ["twice(x, out)", "test_notebooks.py:"]),
        (lambda: half, "<phalanx function half>", ["half(x)", "(float64) -&gt; float64"]),
        (
            lambda: cuda.to_device(np.ones((2, 3), np.float32)),
            "<DeviceNDArray shape=(2, 3) dtype=float32 on ",
            ["24 B", "(12, 4)"],
        ),
        (lambda: px.ones((2, 2)), "array([[1., 1.],\n       [1., 1.]]", ["float64 (2, 2) on "]),
        (lambda: total, "<phalanx reduction total>", None),
        (
            lambda: twice[(2, 3), 32, 0, 64],
            "<launch of <phalanx kernel twice>: grid (2, 3, 1), block (32, 1, 1), 64 bytes",
            None,
        ),
    ],
    ids=["device", "gpus", "stream", "graph", "kernel", "function", "device array", "array",
         "reduction", "launch"],
)  # fmt: skip
def test_objects_show_what_they_are(make, text, facts, device):
    half(1.0)
    made = make()
    assert repr(made).startswith(text)
    for fact in facts or ():
        assert fact in made._repr_html_()


def test_names_are_escaped(device):
    half(1.0)
    assert "<lambda>" not in njit(lambda x: x)._repr_html_()


ERRORS = {
    "kernel": "@cuda.jit\ndef f(x):\n    x.nothing\nf[1, 1](np.ones(3))\n",
    "declared": "@cuda.jit('void(float32[:])')\ndef f(x):\n    x.nothing\n",
    "function": "njit(lambda x: x.nothing)(1)\n",
    "arrays": "px.concatenate([px.ones(3), px.ones((2, 2))])\n",
    "frame": "px.DataFrame({'a': [1], 'b': [1, 2]})\n",
    "label": "px.DataFrame({'a': [1]})['b']\n",
}
HEAD = "import numpy as np, phalanx as px\nfrom phalanx import cuda, njit\n"


def frames_shown(folder, code, **environment):
    import os

    (folder / "program.py").write_text(HEAD + code)
    done = subprocess.run(
        [sys.executable, "program.py"], cwd=folder, capture_output=True, text=True,
        env={**os.environ, "PHALANX_DEVICE": "cpu", **environment},
    )  # fmt: skip
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    return [line for line in lines if line.startswith("  File ")], done.stderr


@pytest.mark.parametrize("code", ERRORS.values(), ids=ERRORS)
def test_uncaught_errors_end_at_the_program(code, tmp_path):
    frames, shown = frames_shown(tmp_path, code)
    assert [frame for frame in frames if "program.py" not in frame] == []
    assert "PHALANX_FULL_TRACEBACK=1 shows them" in shown
    frames, shown = frames_shown(tmp_path, code, PHALANX_FULL_TRACEBACK="1")
    assert "phalanx" in frames[-1] and "PHALANX_FULL_TRACEBACK" not in shown


def test_an_error_that_another_one_caused_shows_none_of_our_frames(tmp_path):
    pytest.importorskip("numba", reason="the error of both compilers has that of the first above")
    code = "px.set_fallback('numba')\nnjit(lambda n: {}.get(n, {1: 2}))(3)\n"
    frames, shown = frames_shown(tmp_path, code)
    assert "direct cause" in shown and shown.count("a dict cannot be used") == 2
    package = str(Path(px.__file__).parent)
    assert frames and [frame for frame in frames if package in frame] == []


@pytest.mark.parametrize(
    "code",
    ["1 / 0\n", "px.concatenate(3)\n", "px.apply_along_axis(lambda row: 1 / 0, 0, px.ones(3))\n"],
    ids=["the program's", "not on purpose", "in a callback"],
)
def test_other_errors_are_shown_whole(code, tmp_path):
    frames, shown = frames_shown(tmp_path, code)
    full, _ = frames_shown(tmp_path, code, PHALANX_FULL_TRACEBACK="1")
    assert frames == full
    assert "PHALANX_FULL_TRACEBACK" not in shown


def test_an_error_keeps_its_traceback():
    from phalanx._core import tracebacks

    with pytest.raises(ValueError) as caught:
        px.concatenate([px.ones(3), px.ones((2, 2))])
    error = caught.value
    part = tracebacks.without_own_end(error, error.__traceback__)
    assert part.tb_next is None
    with tracebacks.shortened(error, error.__traceback__) as shown:
        assert error.__traceback__ is shown and shown.tb_next is None
    assert error.__traceback__.tb_next is not None


class Shell:
    """What is asked of IPython."""

    def __init__(self):
        self.handler = None
        self.shown = []
        self.magics_manager = self
        self.magics = {"cell": {}}

    def set_custom_exc(self, kinds, handler):
        self.handler = handler if kinds else None

    def showtraceback(self, error, tb_offset=None):
        self.shown.append(error[2])

    def register_magic_function(self, function, magic_kind):
        self.magics[magic_kind][function.__name__] = function


def test_load_ext_shows_errors_without_our_frames():
    shell = Shell()
    px.load_ipython_extension(shell)
    assert "phalanx_profile" in shell.magics["cell"]
    try:
        px.concatenate([px.ones(3), px.ones((2, 2))])
    except ValueError as error:
        shell.handler(shell, type(error), error, error.__traceback__)
        assert error.__traceback__.tb_next is not None
    assert len(shell.shown) == 1 and shell.shown[0].tb_next is None
    px.unload_ipython_extension(shell)
    assert shell.handler is None and shell.magics["cell"] == {}


@pytest.mark.parametrize("bad", ["load_ipython", "unload"])
def test_there_are_no_other_hooks(bad):
    assert not hasattr(px, bad)
