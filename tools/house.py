"""Print what must hold of the structure, with the figures that the sources give.

    python tools/house.py

It only reports; the checks it reads (check_layers.py, check_sizes.py, check_words.py) fail.
"""

import re
import sys
from collections import Counter
from pathlib import Path

import check_layers
import check_sizes
import check_words

# Texts of messages that are searched. Names, files and text formats may be: they are no messages.
SEARCHES = re.compile(
    r"what\(\)\)?\s*\.\s*(find|rfind|starts_with|ends_with|contains)\(|std::regex|"
    r"\b(message|problem|sentence)\w*\.(find|rfind|starts_with|ends_with|contains|startswith|"
    r"endswith|partition)\(|[\"'] in (str\(\w*(error|problem)\w*\)|message\b)|"
    r"\bre\.\w+\([^)]*\b(str\(\w*error|message)"
)
ENGINE = {"phalanx": {".h", ".cpp"}, "python/phalanx": {".py"}}


def searches() -> list[str]:
    """Return the lines of the engine that search the text of a message."""
    found = []
    for root, suffixes in ENGINE.items():
        for file in sorted(Path(root).rglob("*")):
            if file.suffix in suffixes:
                lines = enumerate(file.read_text().splitlines(), 1)
                found += [f"{file}:{number}" for number, line in lines if SEARCHES.search(line)]
    return found


def rows() -> list[tuple[str, str]]:
    """Return the rows: what, and today's figure."""
    over = Counter(kind for kind, _ in check_sizes.worst_of(list(check_sizes.sizes())))
    sizes = " / ".join(str(over[kind]) for kind in ("function", "file", "parameters", "members"))
    words = sum(len(list(check_words.problems(file))) for file in check_words.tracked())
    layers = sum(len(list(check_layers.problems(Path(root)))) for root in ENGINE)
    matched = searches()
    return [
        ("layers of C++ rooms and Python packages: violations and cycles", str(layers)),
        ("functions > 60 lines / files > 600 / parameters > 6 / members > 60", sizes),
        ("retired words in tracked files", str(words)),
        ("lines that search a message's text", " ".join([str(len(matched)), *matched])),
    ]


def main() -> int:
    """Print the table."""
    table = rows()
    print("== house: what the sources say (edits, benchmarks and times are not counted here)")
    for what, figure in table:
        print(f"  {what:68} {figure}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
