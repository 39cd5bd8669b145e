"""The table: every NumPy name that is offered, the calls that are tried, and what must compile.

A call is an expression of operands; `{f}` in it is the function, `{axis}` each axis and one that
there is not. What a row does not claim may be refused by a `CompileError`; what is computed is
compared, claimed or not.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from phalanx import _engine


class Row(NamedTuple):
    """One name, and how it is called."""

    name: str
    calls: tuple[str, ...]
    operands: str = "a"  # of the names in operands.OPERANDS, those of the parameters
    kinds: str = "biufc"  # of dtypes that must compile
    ndims: str = "1234"  # of `a`, that must compile
    is_square: bool = False

    @property
    def parameters(self) -> str:
        """The parameters of its functions."""
        return ", ".join(self.operands.split())


def rows(names: str, *calls: str, **options: object) -> list[Row]:
    """Rows of several names that are called in the same ways."""
    return [Row(name, calls, **options) for name in names.split()]  # type: ignore[arg-type]


def unclaimed(names: str, *calls: str, operands: str = "a") -> list[Row]:
    """Calls that may be refused, but not computed otherwise than NumPy does."""
    return rows(names, *calls, operands=operands, kinds="")


def _ufunc_rows() -> list[Row]:
    unary = ("{f}(a)", "{f}(a, out)")
    binary = ("{f}(a, like)", "{f}(a, row)", "{f}(scalar, a)", "{f}(a, like, out)")
    operands = {1: "a out", 2: "a like row scalar out"}
    return [
        Row(name, unary if arity == 1 else binary, operands[arity], "", "01234")
        for name, arity in _engine.infer_ufuncs()
        if hasattr(np, name)
    ]


UFUNCS = _ufunc_rows()

REDUCTIONS = [
    *rows("sum prod", "{f}(a)", "a.{n}()", "{f}(a, axis={axis})", "{f}(a, dtype=np.complex128)"),
    *rows("mean", "{f}(a)", "a.{n}()", "{f}(a, axis={axis})"),
    *rows("min max amin amax argmin argmax", "{f}(a)", "{f}(a, axis={axis})", kinds="biuf"),
    *rows("any all", "{f}(a)"),
    *rows("var std", "{f}(a)", "{f}(a, ddof=1)"),
    *unclaimed("any all var std", "{f}(a, axis={axis})"),
    *rows("ptp", "{f}(a)", kinds="iuf"),
    *rows("count_nonzero", "{f}(a)"),
    *rows("nansum nanprod nanmean nanmin nanmax nanvar nanstd nanargmin nanargmax", "{f}(a)",
          kinds="biuf"),
    *rows("nansum nanprod nanmean nanmin nanmax nanvar nanstd", "{f}(a, axis={axis})",
          kinds="biuf"),
    *rows("nanvar nanstd", "{f}(a, ddof=1)", "{f}(a, axis={axis}, ddof=2)", kinds="biuf"),
    *rows("median nanmedian", "{f}(a)", kinds="iuf"),
    *rows("percentile nanpercentile", "{f}(a, 30)", "{f}(a, (0, 12.5, 100))", kinds="iuf"),
    *unclaimed("count_nonzero nanargmax median nanmedian average ptp", "{f}(a, axis={axis})"),
    *unclaimed("percentile", "{f}(a, 40, axis={axis})"),
    *rows("quantile nanquantile", "{f}(a, 0.3)", "{f}(a, np.array([0.0, 0.5, 1.0]))", kinds="iuf"),
    *rows("average", "{f}(a)", "{f}(a, weights=weights)",
          operands="a weights", kinds="iuf"),
    *rows("cov", "{f}(a)", "{f}(a, like)", "{f}(a, bias=True)", "{f}(a, rowvar=False)",
          "{f}(a, ddof=0)", operands="a like", kinds="iufc", ndims="12"),
    *rows("corrcoef", "{f}(a)", "{f}(a, like)", operands="a like", kinds="iufc", ndims="12"),
]  # fmt: skip

RUNNING = [
    *rows("cumsum cumprod", "{f}(a)", "a.{n}()", "{f}(a, axis={axis})"),
    *rows("nancumsum nancumprod", "{f}(a)", "{f}(a, axis={axis})", kinds="biuf"),
    *rows("diff", "{f}(a)", "{f}(a, 2)", "{f}(a, n=0)", "{f}(a, 1, {axis})", kinds="iufc"),
    *rows("ediff1d", "{f}(a)", kinds="iufc"),
    *unclaimed("ediff1d", "{f}(a, 1, 2)"),
    *rows("trapezoid", "{f}(a)", "{f}(a, floats)", "{f}(a, dx=0.5)", operands="a floats",
          kinds="iufc"),
    *rows("interp", "{f}(a, xp, fp)", "{f}(0.7, xp, fp)", operands="a xp fp", kinds="biuf"),
    *rows("convolve", "{f}(a, short)", "{f}(a, short, 'same')", "{f}(short, a, mode='valid')",
          operands="a short", kinds="iufc", ndims="1"),
    *rows("correlate", "{f}(a, short)", "{f}(a, short, 'same')", "{f}(short, a, mode='full')",
          operands="a short", kinds="iufc", ndims="1"),
    *rows("unwrap", "{f}(a)", "{f}(a, period=6.0)", "{f}(a, 5.0)", "{f}(a, discont=1.0, axis=-1)",
          kinds="iuf"),
    *rows("clip", "{f}(a, 0, 3)", "a.clip(None, 2)", "{f}(a, like, None)", "{f}(a, x, like)",
          "{f}(a, None, None)", operands="a like x", kinds="iuf"),
    *rows("round around", "{f}(a)", "{f}(a, 1)", "{f}(a, -1)", "a.round(1)", kinds="iuf"),
    *rows("nan_to_num", "{f}(a)", "{f}(a, nan=1.0)", kinds="iuf"),
    *unclaimed("nan_to_num", "{f}(a, copy=False)"),
    *rows("isclose allclose", "{f}(a, like)", "{f}(a, a)", "{f}(a, a, equal_nan=True)",
          "{f}(a, x)", "{f}(a, row, 0.1, 0.5)", operands="a like x row"),
    *rows("array_equal", "{f}(a, like)", "{f}(a, a)", "{f}(a, row)", operands="a like row"),
    *rows("sinc", "{f}(a)", kinds="iuf"),
    *rows("angle", "{f}(a)", "{f}(a, True)", kinds="iuf"),
    *rows("real imag", "{f}(a)", "a.{n}"),
    *rows("conj", "a.conj()", "a.conjugate()"),
    *rows("isreal iscomplex", "{f}(a)"),
    *rows("iscomplexobj isrealobj isscalar", "{f}(a)", "{f}(x)", operands="a x", ndims="01234"),
    *rows("isneginf isposinf", "{f}(a)", kinds="iuf"),
    *rows("divmod", "{f}(a, like)", "{f}(a, x)", operands="a like x", kinds="iuf"),
    *rows("gcd lcm", "{f}(a, like)", "{f}(x, x)", operands="a like x", kinds=""),
    *rows("ldexp", "{f}(a, 2)", "{f}(x, 3)", operands="a x", kinds=""),
    *rows("isnat", "{f}(a)", kinds=""),
]  # fmt: skip

SHAPING = [
    *rows("ravel", "{f}(a)", "a.ravel()", "a.flatten()", ndims="01234"),
    *rows("transpose", "{f}(a)", "a.T", "a.transpose()", ndims="01234"),
    *rows("swapaxes", "{f}(a, 0, {axis})", "a.swapaxes(-1, {axis})"),
    *rows("moveaxis", "{f}(a, 0, {axis})", "{f}(a, {axis}, -1)"),
    *rows("asfortranarray ascontiguousarray asarray array copy", "{f}(a)", ndims="1234"),
    *rows("asarray array", "{f}(x)", "{f}((x, x))", "{f}(((x, x), (x, x)))", "{f}((row, row))",
          "{f}(a, np.float64)", "{f}(a, dtype=np.int32)", operands="a x row", kinds="biuf"),
    *rows("broadcast_to", "{f}(a, (2,) + a.shape)", "{f}(a, a.shape)", "{f}(row, a.shape)",
          "{f}(x, (2, 3))", operands="a row x", ndims="01234"),
    *rows("atleast_1d atleast_2d atleast_3d", "{f}(a)", ndims="01234"),
    *rows("expand_dims", "{f}(a, {axis})", "{f}(a, 0)", "{f}(a, -1)", ndims="01234"),
    *rows("flip", "{f}(a)", "{f}(a, {axis})"),
    *unclaimed("flip", "{f}(a, axis=(0, -1))"),
    *rows("flipud", "{f}(a)"),
    *rows("fliplr", "{f}(a)", ndims="234"),
    *rows("rot90", "{f}(a)", "{f}(a, 2)", "{f}(a, -1)", "{f}(a, k=4)", ndims="234"),
    *rows("roll", "{f}(a, 2)", "{f}(a, -7)", "{f}(a, 1, axis={axis})"),
    *rows("repeat", "{f}(a, 2)", "{f}(a, counts)", "a.repeat(0)", operands="a counts"),
    *unclaimed("repeat", "{f}(a, 2, axis={axis})"),
    *rows("concatenate", "{f}((a, like))", "{f}((a, like, a), axis={axis})", "{f}((a, mask))",
          operands="a like mask"),
    *rows("hstack vstack row_stack dstack column_stack", "{f}((a, like))", "{f}((a, mask, like))",
          operands="a like mask"),
    *rows("column_stack", "{f}((a, row))", operands="a row", ndims=""),
    *rows("stack", "{f}((a, like))", "{f}((a, mask), axis={axis})", "{f}((a, like), -1)",
          operands="a like mask"),
    *rows("append", "{f}(a, like)", "{f}(a, x)", operands="a like x"),
    *rows("delete", "{f}(a, 0)", "{f}(a, -1)", "{f}(a, 9)"),
    *rows("insert", "{f}(a, 1, x)", "{f}(a, -1, x)", operands="a x"),
    *unclaimed("append", "{f}(a, like, axis={axis})", operands="a like"),
    *unclaimed("delete", "{f}(a, 0, axis={axis})", "{f}(a, [0, 1])"),
    *unclaimed("insert", "{f}(a, 0, x, axis={axis})", operands="a x"),
    *rows("trim_zeros", "{f}(a)", "{f}(a, 'f')", "{f}(a, 'b')", ndims="1"),
    *rows("meshgrid", "{f}(a, short)", "{f}(a, short, indexing='ij')", operands="a short",
          ndims="1"),
    *rows("indices", "{f}(a.shape)"),
    *rows("shape size ndim", "{f}(a)", ndims="01234"),
    *rows("shape size", "{f}(x)", operands="a x", ndims=""),
    *rows("select", "{f}([mask, a != a], [a, like], 0)", "{f}([mask], [a])",
          "{f}((mask,), (a,), default=x)", operands="a like mask x"),
    *rows("reshape", "a.reshape(a.size)", "a.reshape((1, -1))", "a.reshape(-1)", "{f}(a, (1, -1))",
          ndims="01234"),
    *rows("astype", "a.astype(np.float32)", "a.astype(np.int64)", "a.astype(np.bool_)",
          "a.astype('complex64')", kinds="biuf", ndims="01234"),
    *rows("astype", "a.astype(np.complex64)", "a.astype(np.complex128)", kinds="c"),
    *rows("itemsize nbytes strides", "a.{n}", ndims="01234"),
    *rows("view", "a.view(np.uint8)", "a.view(a.dtype)", ndims=""),
    *rows("fill", "a.fill(1); return a", kinds="biufc"),
    *rows("item", "a[:1].item()", "a.item()", ndims=""),
    *rows("flat", "t = np.zeros(1, a.dtype)[0]\nfor v in a.flat: t = v\nreturn t", "a.flat[:1]",
          ndims=""),
    *rows("dot", "a.dot(a)", ndims=""),
]  # fmt: skip

MATRICES = [
    *rows("diag", "{f}(a)", "{f}(a, 1)", "{f}(a, k=-2)", "{f}(a, 9)", ndims="12"),
    *rows("diagonal", "{f}(a)", "{f}(a, 1)", ndims="2"),
    *rows("diagflat", "{f}(a)", "{f}(a, 1)"),
    *rows("fill_diagonal", "{f}(a, 1); return a", is_square=True, ndims="234"),
    *rows("tri", "{f}(3)", "{f}(3, 5, 1)", "{f}(4, 2, k=-1)", "{f}(0)", ndims=""),
    *rows("tril triu", "{f}(a)", "{f}(a, 1)", "{f}(a, k=-1)", "{f}(a, 9)"),
    *rows("vander", "{f}(a)", "{f}(a, 3)", "{f}(a, N=2, increasing=True)", "{f}(a, 0)",
          kinds="iufc", ndims="1"),
    *rows("kron", "{f}(a, like)", "{f}(a, tall)", operands="a like tall", ndims="2"),
    *rows("outer", "{f}(a, like)", operands="a like"),
    *rows("trace", "{f}(a)", "{f}(a, 1)", ndims="2", kinds="iufc"),
    *rows("dot matmul", "{f}(a, row)", "{f}(a, matrix)", "{f}(row, matrix)",
          operands="a row matrix", ndims="12", kinds="iufc"),
    *rows("inner vdot", "{f}(a, like)", operands="a like", ndims="1", kinds="iufc"),
    *rows("inner", "{f}(a, a)", "{f}(a, row)", ndims="", operands="a row"),
    *rows("cross", "{f}(a[..., :3], short)", "{f}(a[..., :3], a[..., ::-1][..., :3])",
          operands="a short", ndims="1", kinds="iufc"),
]  # fmt: skip

CHOOSING = [
    *rows("argwhere flatnonzero nonzero", "{f}(a)", "{f}(a > 1)"),
    *rows("nonzero", "a.nonzero()"),
    *rows("where", "{f}(a)", "{f}(mask)", "{f}(mask, a, like)", "{f}(a > 1, a, 0)",
          "{f}(mask, a, 2.5)", operands="a like mask"),
    *rows("extract", "{f}(mask, a)", "{f}(a, like)", operands="a like mask"),
    *rows("take", "{f}(a, positions)", "{f}(a, grid)", "a.take(-1)", "{f}(a, 99)",
          operands="a positions grid"),
    *unclaimed("take", "{f}(a, positions, axis={axis})", operands="a positions"),
    *rows("index", "a[positions]", "a[mask]", "a[a > 1]", "a[..., positions]",
          "a[positions] = 1; return a", "a[mask] = 2; return a", "a[grid]",
          operands="a positions grid mask", ndims=""),
    *rows("sort", "{f}(a)", "a.sort(); return a", kinds="biuf"),
    *unclaimed("sort", "{f}(a, axis={axis})"),
    *rows("argsort", "{f}(a, kind='mergesort')", "a.argsort(kind='mergesort')",
          kinds="biuf"),
    *unclaimed("argsort", "{f}(a, {axis}, 'stable')"),
    *rows("partition", "{f}(a, 0)[..., :1]", "{f}(a, 99)", kinds="biuf"),
    *rows("argpartition", "a[{f}(a, 0)][:1]", kinds="biuf", ndims="1"),
    *rows("unique", "{f}(a)", kinds="biuf"),
    *rows("union1d intersect1d setdiff1d setxor1d", "{f}(a, like)", "{f}(a, row)",
          operands="a like row", kinds="biuf"),
    *rows("isin", "{f}(a, like)", "{f}(a, row, invert=True)", operands="a like row", kinds="biuf"),
    *rows("searchsorted", "{f}(order, a)", "{f}(order, a, side='right')", "order.searchsorted(a)",
          "{f}(order, x)", operands="a order x", kinds="biuf"),
    *rows("digitize", "{f}(a, bins)", "{f}(a, bins, True)", "{f}(a, falling)",
          "{f}(a, falling, right=True)", operands="a bins falling", kinds="biuf"),
    *rows("bincount", "{f}(a)", "{f}(a, minlength=20)", "{f}(a, weights)", operands="a weights",
          kinds="", ndims="1"),
    *rows("histogram", "{f}(a)", "{f}(a, 3)", "{f}(a, bins)", "{f}(a, 4, (0, 2))",
          operands="a bins", kinds="iuf"),
]  # fmt: skip

SQUARE = {"kinds": "iufc", "ndims": "2", "is_square": True}

MAKING = [
    *rows("empty", "{f}(a.shape).shape", "{f}(a.shape, a.dtype).shape", ndims="01234"),
    *rows("zeros ones", "{f}(a.shape)", "{f}(a.shape, a.dtype)", "{f}(3)", "{f}((2, n), np.int8)",
          operands="a n", ndims="01234"),
    *rows("full", "{f}(a.shape, x)", "{f}(a.shape, 1, a.dtype)", operands="a x", ndims="01234"),
    *rows("empty_like", "{f}(a).shape", "{f}(a, np.int16).shape", ndims="01234"),
    *rows("zeros_like ones_like", "{f}(a)", "{f}(a, np.float32)", ndims="01234"),
    *rows("full_like", "{f}(a, 1)", "{f}(a, 1, np.float32)", ndims="01234"),
    *rows("result_type", "np.zeros(2, {f}(a, like))", operands="a like", ndims="01234"),
    *rows("eye", "{f}(3)", "{f}(2, 4, 1)", "{f}(3, k=-1, dtype=np.int8)", "{f}(0)", ndims=""),
    *rows("identity", "{f}(3)", "{f}(n, np.float32)", operands="a n", ndims=""),
    *rows("arange", "{f}(5)", "{f}(1, n + 4)", "{f}(0.5, 4.0, 0.75)", "{f}(9, 0, -2)", "{f}(0)",
          "{f}(3, dtype=np.float32)", "{f}(5, 1)", operands="a n", ndims=""),
    *rows("linspace", "{f}(0, 1, 5)", "{f}(2.5, -1, n)", "{f}(0, 1)", "{f}(0, 1, 1)",
          "{f}(1, 2, 0)", operands="a n", ndims=""),
    *rows("logspace", "{f}(0, 2, 5)", "{f}(1, 2)", ndims=""),
    *rows("hanning hamming blackman bartlett", "{f}(6)", "{f}(1)", "{f}(0)", "{f}(n)",
          operands="a n", ndims=""),
    *rows("kaiser", "{f}(6, 3.5)", "{f}(1, 2)", "{f}(0, 1.0)", ndims=""),
    *rows("finfo", "{f}(a.dtype).eps", "{f}(np.float32).max", ndims=""),
    *rows("iinfo", "{f}(a.dtype).max", "{f}(np.uint8).min", ndims=""),
    *rows("ndindex", "t = 0\nfor i in {f}(a.shape): t = 2 * t + i[-1]\nreturn t", ndims=""),
    # The order differs for layouts that are neither C nor F: see the guide.
    *rows("nditer", "t = 0\nif a.size > 0:\n    for v in {f}(a): t += v.ndim + 1\nreturn t",
          ndims=""),
    *rows("ndenumerate", "t = np.zeros(1, a.dtype)[0]\nfor i, v in {f}(a): t = v\nreturn t",
          ndims=""),
]  # fmt: skip

LINALG = [
    *rows("linalg.solve", "{f}(a, like)", "{f}(a, row)", operands="a like row", **SQUARE),
    *rows("linalg.inv linalg.det linalg.slogdet linalg.cholesky linalg.eigvalsh", "{f}(a)",
          **SQUARE),
    *rows("linalg.eigh", "{f}(a)[0]", **SQUARE),
    *rows("linalg.eig", "np.sort(np.abs({f}(a + a.T)[0]))", **SQUARE),
    *rows("linalg.eigvals", "np.sort(np.abs({f}(a + a.T)))", **SQUARE),
    *rows("linalg.matrix_power", "{f}(a, 3)", "{f}(a, 0)", "{f}(a, -1)", **SQUARE),
    *rows("linalg.norm", "{f}(a)", "{f}(a, 1)", "{f}(a, -1)", "{f}(a, np.inf)", "{f}(a, -np.inf)",
          kinds="iufc", ndims="12"),
    *rows("linalg.norm", "{f}(a, 2)", "{f}(a, -2)", "{f}(a, 'fro')", "{f}(a, 'nuc')",
          kinds="fc", ndims="2"),
    *rows("linalg.norm", "{f}(a, 0)", "{f}(a, 3)", kinds="iufc", ndims="1"),
    *rows("linalg.cond", "{f}(a)", "{f}(a, 1)", kinds="iufc", ndims="2"),
    *rows("linalg.svd", "{f}(a)[1]", "{f}(a, False)[1]", kinds="iufc", ndims="2"),
    *rows("linalg.qr", "np.abs({f}(a)[1])", kinds="iufc", ndims="2"),
    *rows("linalg.pinv", "{f}(a)", kinds="iufc", ndims="2"),
    *rows("linalg.matrix_rank", "{f}(a)", kinds="iufc", ndims="2"),
    *rows("linalg.lstsq", "{f}(a, floats)[2]", operands="a floats", kinds="", ndims="2"),
]  # fmt: skip

TABLE = [*UFUNCS, *REDUCTIONS, *RUNNING, *SHAPING, *MATRICES, *CHOOSING, *MAKING, *LINALG]
