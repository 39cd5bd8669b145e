"""The public names of the arrays, by the module that has them; `phalanx` looks them up here."""

from __future__ import annotations

MODULES: dict[str, str] = {
    "ndarray": "ndarray",
    "attributes": "shape ndim size iterable isfortran shares_memory may_share_memory require",
    "index_tricks": "mgrid ogrid r_ c_ s_ index_exp",
    "coerce": "asarray",
    "config": "config",
    "creation": """
        array asanyarray ascontiguousarray asfortranarray asarray_chkfinite copy empty zeros
        ones full empty_like zeros_like ones_like full_like frombuffer fromiter fromstring fromfile
        from_dlpack diag diagflat""",
    "sequences": "arange linspace logspace geomspace eye identity tri tril triu vander",
    "grids": """
        meshgrid indices fromfunction ix_ unravel_index ravel_multi_index diag_indices
        diag_indices_from
        tril_indices triu_indices tril_indices_from triu_indices_from ndindex ndenumerate
        mask_indices""",
    "shapes": """
        reshape ravel transpose permute_dims matrix_transpose swapaxes moveaxis rollaxis expand_dims
        squeeze broadcast_to broadcast_arrays broadcast_shapes atleast_1d atleast_2d atleast_3d flip
        fliplr flipud rot90 diagonal trace as_strided sliding_window_view""",
    "joining": """
        concatenate concat stack vstack row_stack hstack dstack column_stack unstack block append
        array_split split hsplit vsplit dsplit""",
    "padding": "pad",
    "rearranging": "tile repeat roll delete insert resize trim_zeros copyto",
    "selecting": """
        take take_along_axis put put_along_axis putmask place fill_diagonal choose compress extract
        select nonzero flatnonzero argwhere where""",
    "printing": """
        array_repr array_str array2string printoptions set_printoptions get_printoptions""",
    "ufunc_type": "ufunc",
    "ufuncs": """
        abs absolute acos acosh add arccos arccosh arcsin arcsinh arctan arctan2 arctanh asin asinh
        atan atan2 atanh bitwise_and bitwise_count bitwise_invert bitwise_left_shift bitwise_not
        bitwise_or bitwise_right_shift bitwise_xor cbrt ceil conj conjugate copysign cos cosh
        deg2rad degrees divide divmod equal exp exp2 expm1 fabs float_power floor floor_divide fmax
        fmin fmod frexp gcd greater greater_equal heaviside hypot invert isfinite isinf isnan isnat
        lcm ldexp left_shift less less_equal log log10 log1p log2 logaddexp logaddexp2 logical_and
        logical_not logical_or logical_xor matmul matvec maximum minimum mod modf multiply negative
        nextafter not_equal positive pow power rad2deg radians reciprocal remainder right_shift rint
        sign signbit sin sinh spacing sqrt square subtract tan tanh true_divide trunc vecdot
        vecmat""",
    "elementwise": """
        clip round around fix real imag angle sinc nan_to_num isclose allclose array_equal
        array_equiv iscomplex isreal isposinf isneginf iscomplexobj isrealobj""",
    "reductions": """
        sum prod min max amin amax any all argmin argmax ptp count_nonzero
        apply_over_axes""",
    "statistics": """
        mean var std average nansum nanprod nanmin nanmax nanmean nanvar nanstd""",
    "scans": "cumsum cumprod nancumsum nancumprod cumulative_sum cumulative_prod",
    "differences": "diff trapezoid",
    "sorting": "sort argsort searchsorted lexsort partition argpartition topk",
    "hosted": """
        nanargmin nanargmax cov corrcoef correlate convolve histogram2d histogramdd
        histogram_bin_edges ediff1d gradient interp unwrap i0 real_if_close
        sort_complex kron cross packbits unpackbits apply_along_axis piecewise
        bartlett blackman hamming hanning kaiser""",
    "einsum": "einsum einsum_path",
    "histograms": "histogram digitize",
    "quantiles": "median nanmedian quantile nanquantile percentile nanpercentile",
    "sets": """
        unique isin union1d intersect1d setdiff1d setxor1d unique_all unique_counts unique_inverse
        unique_values""",
    "polynomials": """
        poly poly1d polyadd polyder polydiv polyfit polyint polymul polysub polyval roots""",
    "texts": """
        loadtxt genfromtxt savetxt base_repr binary_repr format_float_positional
        format_float_scientific""",
    "iterators": "broadcast flatiter nditer nested_iters",
    "counting": "bincount",
    "products": "dot vdot inner outer tensordot",
    "dtype_functions": """
        result_type promote_types can_cast finfo iinfo isdtype astype pi e inf nan euler_gamma
        newaxis __array_api_version__ bool bool_ int8 int16 int32 int64 uint8 uint16 uint32 uint64
        float16 bfloat16 float32 float64 complex64 complex128 datetime64 timedelta64 int_ uint intp
        uintp half single double csingle cdouble byte ubyte short ushort intc uintc long ulong
        longlong ulonglong dtype generic number integer signedinteger unsignedinteger inexact
        floating complexfloating exceptions errstate seterr geterr isscalar issubdtype
        min_scalar_type datetime_data busdaycalendar True_ False_ ScalarType typename typecodes
        mintypecode common_type sctypeDict little_endian character flexible object_ str_ bytes_
        void seterrcall geterrcall setbufsize getbufsize
        dtypes typing""",
    "times": "busday_count busday_offset is_busday datetime_as_string",
    "inspection": "__array_namespace_info__",
    "explaining": "explain",
    "placement": "device devices current_device",
    "spread.array": "SpreadArray",
    "spread.group": "DeviceGroup",
    "files": "load memmap save savez savez_compressed",
    "memory": "set_memory_limit memory_info free_all_blocks get_default_memory_pool",
}

NAMES = {name: module for module, names in MODULES.items() for name in names.split()}

# Namespaces with names of their own: the modules that are `phalanx.linalg` and so on.
NAMESPACES = ("emath", "fft", "linalg", "random", "special")


# Modules of NumPy whose functions have names of their own here.
_ELSEWHERE = {
    "lib": "of np.lib.stride_tricks there are px.sliding_window_view and px.as_strided",
}


def missing(name: str) -> str:
    """What the error says of a name that `phalanx` does not have: where it is in NumPy."""
    import numpy as np

    text = f"module 'phalanx' has no attribute {name!r}"
    if name in _ELSEWHERE:
        return f"{text}; {_ELSEWHERE[name]}"
    is_numpys = name in dir(np) or name in np.__all__
    return f"{text}; NumPy's own takes np.asarray(x): numpy.{name}" if is_numpys else text
