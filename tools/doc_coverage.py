"""Count public names without a docstring, and without a program that is run.

    PYTHONPATH=build/test/python python tools/doc_coverage.py [--names]

A name has an example when a program that tests or the site's build run has it, a block of a guide,
a tutorial or a picture of the gallery; when its docstring has code; when docs/site/examples has
one; or when the site's build, which comes before this, made one (build/site-examples.json).
`--names` lists the names. Fails when there are more than the numbers recorded below, which only
shrink; the goal is 0.
"""

import argparse
import json
import sys
from collections import Counter
from pathlib import Path

import public_names

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools/docs_site"))
import docstrings  # noqa: E402  (of the site's tools, which are a folder of scripts)
import uses  # noqa: E402
import written  # noqa: E402

WITHOUT_DOCSTRING = 0
WITHOUT_EXAMPLE = 0


def missing() -> tuple[list[str], list[str], int]:
    """The names without a docstring, those without an example, and how many names there are."""
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
    unshown = [
        each.path
        for each in described
        if each.path not in used
        and each.path not in owners
        and each.path not in made
        and each.path not in written.by_path()
        and not docstrings.has_code(each.docstring)
    ]
    return bare, unshown, len(described)


def main() -> int:
    """Prints the counts by module; 1 where there are more than recorded."""
    options = argparse.ArgumentParser()
    options.add_argument("--names", action="store_true", help="list the names")
    bare, unshown, count = missing()
    if options.parse_args().names:
        print("\n".join([*(f"{each}: no docstring" for each in bare), *unshown]))
    home = Counter(
        max((m for m in public_names.MODULES if f"{path}.".startswith(f"{m}.")), key=len)
        for path in unshown
    )
    for module, number in home.most_common(12):
        print(f"{module:<36}{number:>6} without an example")
    failed = False
    for what, found, most in (
        ("docstring", len(bare), WITHOUT_DOCSTRING),
        ("example", len(unshown), WITHOUT_EXAMPLE),
    ):
        print(f"== {found} of {count} public names without {what} (recorded: {most}; goal: 0)")
        failed = failed or found > most
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
