"""The public names of the arrays, by the module that has them; `phalanx` looks them up here."""

from __future__ import annotations

MODULES: dict[str, str] = {
    "ndarray": "ndarray",
    "coerce": "asarray",
    "creation": """
        array asanyarray ascontiguousarray asfortranarray asarray_chkfinite copy empty zeros
        ones full empty_like zeros_like ones_like full_like frombuffer fromiter fromstring
        from_dlpack diag diagflat""",
    "sequences": "arange linspace logspace geomspace eye identity tri tril triu vander",
    "grids": """
        meshgrid indices fromfunction ix_ unravel_index ravel_multi_index diag_indices
        diag_indices_from
        tril_indices triu_indices tril_indices_from triu_indices_from ndindex ndenumerate""",
    "shapes": """
        reshape ravel transpose permute_dims matrix_transpose swapaxes moveaxis rollaxis expand_dims
        squeeze broadcast_to broadcast_arrays broadcast_shapes atleast_1d atleast_2d atleast_3d flip
        fliplr flipud rot90 diagonal trace as_strided sliding_window_view""",
    "joining": """
        concatenate concat stack vstack hstack dstack column_stack unstack block append array_split
        split hsplit vsplit dsplit""",
    "rearranging": "tile repeat roll pad delete insert resize trim_zeros copyto",
    "selecting": """
        take take_along_axis put put_along_axis putmask place fill_diagonal choose compress extract
        select nonzero flatnonzero argwhere where""",
    "printing": "array_repr array_str array2string",
}

NAMES = {name: module for module, names in MODULES.items() for name in names.split()}
