"""Names of `cudf` that are none of pandas', and those that are not there."""

from __future__ import annotations

# Name, and the module that has it.
OWN: dict[str, str] = {
    **dict.fromkeys(
        ("Decimal128Dtype", "Decimal32Dtype", "Decimal64Dtype", "ListDtype", "StructDtype",
         "dtype"),
        "dtypes",
    ),
    **dict.fromkeys(
        ("describe_option", "get_option", "option_context", "set_option"), "options"
    ),
    **dict.fromkeys(("from_dlpack", "unstack"), "functions"),
}  # fmt: skip

# Name, and what to take instead, if there is something.
MISSING: dict[str, str] = {
    "Scalar": "Python's and NumPy's values serve as scalars",
    "read_avro": "pandas has no reader of it either; fastavro gives a list of records",
    "read_text": "px.Series(open(path).read().split(delimiter)) reads it",
    "to_parquet": "DataFrame.to_parquet writes it",
    "set_allocator": "phalanx has one pool: px.set_limit and px.free_all_blocks are for it",
}
