"""Count public names without a docstring, and without a program that is run.

    PYTHONPATH=build/test/python python tools/doc_coverage.py [--names]

A name has an example when a program that tests or the site's build run has it, a block of a guide,
a tutorial or a picture of the gallery; when its docstring has a session of Python's prompt; when
docs/site/examples has one; or when the site's build, which comes before this, made one
(build/site-examples.json). Those whose docstring has other code, which nothing runs, are a number
of their own. `--names` lists the names. Fails when there are more than the numbers recorded below,
which only shrink; the goal is 0.
"""

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import public_names

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools/docs_site"))
import docstrings  # noqa: E402  (of the site's tools, which are a folder of scripts)
import uses  # noqa: E402
import written  # noqa: E402

WITHOUT_DOCSTRING = 0
WITHOUT_EXAMPLE = 0
# What only a GPU does: handles between processes, and other libraries' arrays.
WITH_AN_EXAMPLE_THAT_IS_NOT_RUN = 0


class Missing(NamedTuple):
    """The names that something is missing of, and how many names there are."""

    docstring: list[str]
    example: list[str]
    run: list[str]  # of their example
    names: int


def missing() -> Missing:
    """What is missing of the public names."""
    names = [each for each in public_names.all_names() if each.kind != "value"]
    used = uses.find(ROOT, {each.path for each in names})
    file = ROOT / "build/site-examples.json"
    made = json.loads(file.read_text()) if file.exists() else {}
    # A class is used where one of its members is.
    owners = {path.rpartition(".")[0] for path in used}
    described = [
        each
        for each in names
        if each.kind in ("method", "property") or public_names.is_ours(each.value)
    ]
    bare = [each.path for each in described if not each.docstring]
    unrun = [
        each
        for each in described
        if each.path not in used
        and each.path not in owners
        and each.path not in made
        and each.path not in written.by_path()
        and ">>> " not in each.docstring
    ]
    shown = [each.path for each in unrun if docstrings.has_code(each.docstring)]
    unshown = [each.path for each in unrun if each.path not in shown]
    return Missing(bare, unshown, shown, len(described))


def main() -> int:
    """Prints the counts by module; 1 where there are more than recorded."""
    options = argparse.ArgumentParser()
    options.add_argument("--names", action="store_true", help="list the names")
    found = missing()
    if options.parse_args().names:
        lines = [f"{each}: no docstring" for each in found.docstring]
        lines += [f"{each}: not run" for each in found.run]
        print("\n".join([*lines, *found.example]))
    home = Counter(
        max((m for m in public_names.MODULES if f"{path}.".startswith(f"{m}.")), key=len)
        for path in found.example
    )
    for module, number in home.most_common(12):
        print(f"{module:<36}{number:>6} without an example")
    failed = False
    for what, number, most in (
        ("without docstring", len(found.docstring), WITHOUT_DOCSTRING),
        ("without example", len(found.example), WITHOUT_EXAMPLE),
        ("with an example that is not run", len(found.run), WITH_AN_EXAMPLE_THAT_IS_NOT_RUN),
    ):
        print(f"== {number} of {found.names} public names {what} (recorded: {most}; goal: 0)")
        failed = failed or number > most
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
