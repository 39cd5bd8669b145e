"""Examples of the functions of `phalanx.linalg` and `phalanx.fft`, which tables make.

Each is run by tests/python/test_docstring_examples.py.
"""

from __future__ import annotations

# The function below `phalanx`: what follows its name, and what that shows.
# Of eigenvalues the real parts are shown: NumPy 2.5 and later give complex ones where all are real.
EXAMPLES: dict[str, tuple[str, str]] = {
    "fft.fft": ("(px.asarray([1.0, 2.0, 3.0, 4.0])).real", "array([10., -2., -2., -2.])"),
    "fft.fft2": ("(px.ones((2, 2))).real", "array([[4., 0.],\n       [0., 0.]])"),
    "fft.fftn": ("(px.ones((2, 2))).real", "array([[4., 0.],\n       [0., 0.]])"),
    "fft.fftshift": ("(px.arange(4))", "array([2, 3, 0, 1])"),
    "fft.hfft": ("(px.asarray([1.0, 2.0, 1.0]))", "array([ 6.,  0., -2.,  0.])"),
    "fft.ifft": ("(px.asarray([1.0, 2.0, 3.0, 4.0])).real", "array([ 2.5, -0.5, -0.5, -0.5])"),
    "fft.ifft2": ("(px.ones((2, 2))).real", "array([[1., 0.],\n       [0., 0.]])"),
    "fft.ifftn": ("(px.ones((2, 2))).real", "array([[1., 0.],\n       [0., 0.]])"),
    "fft.ifftshift": ("(px.arange(4))", "array([2, 3, 0, 1])"),
    "fft.ihfft": ("(px.asarray([1.0, 2.0, 3.0, 4.0])).real", "array([ 2.5, -0.5, -0.5])"),
    "fft.irfft": ("(px.asarray([10.0, 0.0, -2.0]))", "array([2., 3., 2., 3.])"),
    "fft.irfft2": ("(px.ones((2, 2)))", "array([[1., 0.],\n       [0., 0.]])"),
    "fft.irfftn": ("(px.ones((2, 2)))", "array([[1., 0.],\n       [0., 0.]])"),
    "fft.rfft": ("(px.asarray([1.0, 2.0, 3.0, 4.0])).real", "array([10., -2., -2.])"),
    "fft.rfft2": ("(px.ones((2, 2))).real", "array([[4., 0.],\n       [0., 0.]])"),
    "fft.rfftn": ("(px.ones((2, 2))).real", "array([[4., 0.],\n       [0., 0.]])"),
    "linalg.cholesky": (
        "(px.asarray([[4.0, 0.0], [0.0, 9.0]]))",
        "array([[2., 0.],\n       [0., 3.]])",
    ),
    "linalg.cond": ("(px.asarray([[2.0, 0.0], [0.0, 3.0]]))", "array(1.5)"),
    "linalg.cross": ("([1, 0, 0], [0, 1, 0])", "array([0, 0, 1])"),
    "linalg.det": ("(px.asarray([[2.0, 0.0], [0.0, 3.0]]))", "array(6.)"),
    "linalg.diagonal": ("(px.asarray([[1, 2], [3, 4]]))", "array([1, 4])"),
    "linalg.eigvals": ("(px.asarray([[2.0, 0.0], [0.0, 3.0]])).real", "array([2., 3.])"),
    "linalg.eigvalsh": ("(px.asarray([[2.0, 0.0], [0.0, 3.0]]))", "array([2., 3.])"),
    "linalg.inv": (
        "(px.asarray([[2.0, 0.0], [0.0, 3.0]]))",
        "array([[0.5       , 0.        ],\n       [0.        , 0.33333333]])",
    ),
    "linalg.matrix_norm": ("(px.asarray([[2.0, 0.0], [0.0, 3.0]]))", "array(3.60555128)"),
    "linalg.matrix_power": ("(px.asarray([[1, 1], [0, 1]]), 3)", "array([[1, 3],\n       [0, 1]])"),
    "linalg.matrix_rank": ("(px.asarray([[2.0, 0.0], [0.0, 3.0]]))", "array(2)"),
    "linalg.matrix_transpose": (
        "(px.asarray([[1, 2], [3, 4]]))",
        "array([[1, 3],\n       [2, 4]])",
    ),
    "linalg.multi_dot": ("([px.ones((1, 2)), px.ones((2, 3)), px.ones((3, 1))])", "array([[6.]])"),
    "linalg.norm": ("(px.asarray([3.0, 4.0]))", "array(5.)"),
    "linalg.pinv": (
        "(px.asarray([[2.0, 0.0], [0.0, 3.0]]))",
        "array([[0.5       , 0.        ],\n       [0.        , 0.33333333]])",
    ),
    "linalg.slogdet": (
        "(px.asarray([[2.0, 0.0], [0.0, 3.0]]))",
        "SlogdetResult(sign=array(1.), logabsdet=array(1.79175947))",
    ),
    "linalg.solve": ("(px.asarray([[2.0, 0.0], [0.0, 3.0]]), [2.0, 6.0])", "array([1., 2.])"),
    "linalg.svdvals": ("(px.asarray([[2.0, 0.0], [0.0, 3.0]]))", "array([3., 2.])"),
    "linalg.trace": ("(px.asarray([[1, 2], [3, 4]]))", "array(5)"),
    "linalg.vector_norm": ("(px.asarray([3.0, 4.0]))", "array(5.)"),
}
