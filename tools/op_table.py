"""Reads the table of elementwise operations; makes docs/operations.md from it.

python tools/op_table.py --write
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

TABLE = Path("phalanx/ir/ops.def")
PAGE = Path("docs/operations.md")
ACCURACY = Path("docs/accuracy.md")
HEAD = re.compile(r"^//\s+(name\s+arity\s.*)$", re.MULTILINE)
ROW = re.compile(r"^OP\((.*)\)\s*$", re.MULTILINE)
CELL = re.compile(r'"((?:\\.|[^"\\])*)"|([^\s,"]+)')
KINDS = {"b": "bool", "i": "int", "u": "uint", "f": "float", "c": "complex"}
INTRODUCTION = """# Operations

The elementwise operations of the IR. This page is made from [ops.def](../phalanx/ir/ops.def), one
row each, with `python tools/op_table.py --write`; [how to add one](adding-an-op.md).

"Types" are those the operation takes in the IR; NumPy's functions take more of them, by promotion.
Where no intrinsic and no library is named, the compiler composes the operation of others, with the
same code on CPU and GPU. [accuracy.md](accuracy.md) has the errors that were measured on the CPU.

"""
TITLES = ("operation", "types", "Python", "NumPy", "LLVM", "CPU", "GPU", "meaning")


def rows(text: str) -> list[dict[str, str]]:
    """Return the table's rows, each cell by its column's name.

    Raises ValueError for a row that has not as many cells as the table has columns.
    """
    head = HEAD.search(text)
    columns = head[1].split() if head else []
    table = []
    for row in ROW.findall(text):
        cells = [string or word for string, word in CELL.findall(row)]
        if len(cells) != len(columns):
            raise ValueError(f"{TABLE}: a row has {len(cells)} cells for {columns}: {row.strip()}")
        table.append(dict(zip(columns, cells, strict=True)))
    return table


def python_name(row: dict[str, str]) -> str:
    """Return the operator or the function that means the operation in Python; "" if there is none.

    "op." is a module of the compiler's own.
    """
    if row["module"] == "op.":
        return ""
    if row["typing"] == "none":
        return row["python"]
    return row["module"] + (row["python"] or row["name"])


def line_of(row: dict[str, str]) -> str:
    """Return the operation's line of the page."""
    sleef = f"SLEEF {row['sleef']} {row['ulp']}".strip() if row["sleef"] else ""
    names = (row["name"], python_name(row), row["numpy"], row["llvm"], row["nv"])
    name, python, numpy, llvm, device = (
        f"`{each}`".replace("|", "\\|") if each else "" for each in names
    )
    types = ", ".join(KINDS[kind] for kind in row["kinds"])
    cells = (name, types, python, numpy, llvm, sleef, device, row["doc"])
    return "| " + " | ".join(cells) + " |\n"


def page(table: list[dict[str, str]]) -> str:
    """Return the text of docs/operations.md."""
    head = f"| {' | '.join(TITLES)} |\n|{'---|' * len(TITLES)}\n"
    return INTRODUCTION + head + "".join(map(line_of, table))


def problems() -> Iterator[str]:
    """Yield what the pages lack of the table's rows."""
    table = rows(TABLE.read_text())
    if not PAGE.exists() or PAGE.read_text() != page(table):
        yield f"{PAGE} is not what {TABLE} says: run python tools/op_table.py --write"
    measured = re.findall(r"^\| `(\w+)` \|", ACCURACY.read_text(), re.MULTILINE)
    for row in table:
        if row["ulp"] and row["name"] not in measured:
            yield f"{ACCURACY} has no bound for {row['name']}: run python bench/accuracy.py --write"


def main() -> int:
    """Print the page, or write it."""
    text = page(rows(TABLE.read_text()))
    if "--write" in sys.argv[1:]:
        PAGE.write_text(text)
    else:
        print(text, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
