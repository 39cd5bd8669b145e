"""Fail where a tracked file uses a word that this project has given up for the field's own.

    python tools/check_words.py

`docs/words.md` has the terms that are ours. A word is listed here once nothing uses it any more.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

# What is refused, as a regular expression, and what to write.
RETIRED = {
    r"\b(insert|join)_watches\b|\bWatch(ed)?[A-Z]\w*|\bis_watched\b": "shadow memory, track_access",
    r"\bfirst_stamp\b|\bstamp_shift\b": "epoch",
    r"\b(join|report)_twins\b|\btakes_twins\b": "lanes that store to one address; counterpart",
    r"\bparts_lanes\b|\bloses_lanes\b|\bthreads part\b": "is_divergent, kills_lanes; diverge",
    r"\bSpread::|\blevel_of_departure\b": "Uniformity, Divergence",
    r"\b[Bb]orrowed (tile|row)s?\b|\bBorrowedTile\b|\bloans?\b|\blent\b": "forwarded tile",
    r"\b[Jj]oined blocks?\b|\bJoinedBlocks\b|\bcan_join\b": "coalesced blocks",
    r"\bclose_loops\b": "form_lcssa",
    r"\bflatten_branches\b": "if_conversion",
    r"\binform_pieces\b": "propagate_ranges",
    r"\breduce_divisions\b": "reduce_strength",
    r"\bKeptSlots\b|\bkept_values\b": "SpillSlots, spilled_values",
    r"\bNearlyLinear\b|\bnearly linear\b": "speculatively affine",
    r"\bstream_kib\b|\bis_streaming\b": "non-temporal",
    r"\bpointer_of_nobody\b|\bmemory of nobody\b|\bnobody's memory\b": "sink buffer",
    r"\bis_departure\b|\bdepartures?\b": "jump",
    r"\bis_construct\b": "structured operation",
    r"\bwarps apart\b|\bwarps_apart\b": "unrolled warps",
    r"\bexchanged loops?\b": "interchanged loop",
    r"\bFunctionKind::piece\b|\bmost_pieces\b|\bPieceLaunch\b": "parallel body, chunk",
    r"\bin front of\b": "before",
    r"\b_frontend\.place\b|\bkernel_?\.place\(|\bPlacedWarning\b": "location",
    r"\bPlaceCounters\b|\belement_at_place\b|\bKind::places\b": "index, IndexCounters",
    r"\bsite\.place\b|\bTokenKind::place\b|\bLocation& place\b|\bLocation place\b": "location",
    r"\bstruct Place\b|\bplaces_per_thread\b|\batomic_places\b": "node, position, element",
    r"\bBlockShape::line\b|\bshape=line\b": "one_dimensional",
    r"\b(is|find|store|makes)_lines?\b|\bline_(of_bits|before_wrap)\b": "affine, contiguous",
    r"\bruns? of (the )?blocks\b": "static partition, BlockRange",
    r"\bis_settled_?\b": "has_converged",
    r'"""Whether ': "Returns whether",
    r"\basked_(threads|reals|integers)\w*": "requested; optimal",
    r"\b[Kk]ept (values|variables|memory)\b": "spilled values, spill slots, live values",
    r"\blinear in the lane\b": "affine in the lane",
    r"\b_(sort|order|partition|unwrap)_lines?\b|\blanes part\b": "vector; diverge",
    r"// Whether ": "True if",
    r'^\s*(//|""") ?Of [^,]*\.$': "a sentence with a verb",
    r"\b[Ll]eaves? behind\b|\bclass(es)? behind\b|\bare behind\b": "leave; of; after",
    r"\bstands? (for|in|beside)\b": "is, means, replaces, serves as",
    r"\bwhat (is|stands) there (already|instead)\b|\bwhat stands\b": "the old value; what is",
    r"\b[Ww]ays of control\b|\bways? out of (a|the) loop\b": "path, incoming edge, exit edge",
    r"\bof so many\b|\bafter so many\b": "of that many",
}
ALLOWED = {Path("docs/words.md"), Path("tools/check_words.py")}


def tracked() -> list[Path]:
    """The files in the repository, or about to be."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    result = subprocess.run(command, check=True, capture_output=True, text=True)
    files = (Path(name) for name in result.stdout.split("\0") if name)
    return [file for file in files if file.is_file() and file not in ALLOWED]


def problems(file: Path) -> Iterator[str]:
    """The retired words of a file, each with its line and what to write."""
    try:
        lines = file.read_text().splitlines()
    except UnicodeDecodeError:
        return
    for number, line in enumerate(lines, 1):
        for word, standard in RETIRED.items():
            if found := re.search(word, line):
                yield f"{file}:{number}: '{found[0]}' is not our word for it: {standard}"


def main() -> int:
    """Prints what is wrong; 1 if something is."""
    found = [problem for file in tracked() for problem in problems(file)]
    for problem in found:
        print(problem)
    if not found:
        print(f"== words: none of {len(RETIRED)} retired ones")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
