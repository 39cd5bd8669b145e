"""JSON of ``orient="table"``: rows, and a schema that names the dtypes."""

from __future__ import annotations

from typing import Any

from .. import above
from ..dtypes import CategoricalDtype

_DTYPES = {"integer": "int64", "number": "float64", "boolean": "bool"}


def of_schema(table: Any) -> Any:
    """The frame of a table with a schema.

    Raises NotImplementedError for durations and periods, ValueError for text without a schema or
    with another type.
    """
    if not isinstance(table, dict) or not {"schema", "data"} <= table.keys():
        raise ValueError("read_json: orient='table' needs the members 'schema' and 'data'")
    fields = table["schema"]["fields"]
    labels = [each["name"] for each in fields]
    made: Any = above.DataFrame(table["data"], columns=labels)
    dtypes = {each["name"]: _dtype(each) for each in fields}
    made = made.astype({name: dtype for name, dtype in dtypes.items() if dtype is not None})
    if "primaryKey" not in table["schema"]:
        return made
    made = made.set_index(table["schema"]["primaryKey"])
    names = list(made.index.names)
    if len(names) == 1:
        made.index.name = None if names[0] == "index" else names[0]
    else:
        made.index.names = [None if str(each).startswith("level_") else each for each in names]
    return made


def _dtype(field: dict[str, Any]) -> Any:
    kind = field["type"]
    if kind == "string":
        return field.get("extDtype")
    if kind in _DTYPES:
        return field.get("extDtype", _DTYPES[kind])
    if kind == "duration" or (kind == "datetime" and field.get("freq")):
        raise NotImplementedError(f"read_json: orient='table' with {kind} {field.get('freq', '')}")
    if kind == "datetime":
        return f"datetime64[ns, {field['tz']}]" if field.get("tz") else "datetime64[ns]"
    if kind != "any":
        raise ValueError(f"Unsupported or invalid field type: {kind}")
    if "constraints" in field and "ordered" in field:
        return CategoricalDtype(field["constraints"]["enum"], ordered=field["ordered"])
    return field.get("extDtype", "object")
