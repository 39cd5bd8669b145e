"""Puts the site's sources together: pages of docs/, what they link to, and generated pages.

    python tools/docs_site/stage.py build/site-source

Files whose content is as it was stay untouched, so that Sphinx reads changed ones alone.
"""

import subprocess
import sys
from collections import deque
from pathlib import Path

import gallery
import other_names
import reference
from site_links import REPLACED, rewritten, site_page, source_page
from site_stage import Stage

ROOT = Path(__file__).resolve().parents[2]
MEASUREMENTS = """# Measurements

Tables as they were taken, with machine, versions and programs. [Why and when](../why.md) has the
short form.

"""
ORPHAN = "---\norphan: true\n---\n"
# Pages that a list of pages links to, and that are not in the navigation, which is in every page.
LISTED = ("source/", "decisions/0", "measurements/2")
MARKED = ("docs/*.md", "docs/**/*.md", "bench/results/*.md")


def tracked(*patterns: str) -> list[str]:
    """Paths of files in the repository, or about to be, that match the patterns."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--"]
    result = subprocess.run(
        [*command, *patterns], check=True, capture_output=True, text=True, cwd=ROOT
    )
    names = sorted(set(result.stdout.split("\0")) - {""})
    return [name for name in names if (ROOT / name).exists()]


def stage_pages(stage: Stage) -> None:
    """Stages the pages and everything that can be reached from them by links."""
    pages = [page for page in tracked(*MARKED) if page not in REPLACED]
    waiting, seen = deque(pages), set(pages)

    def found(goal: str) -> None:
        if goal not in seen and goal not in REPLACED:
            seen.add(goal)
            waiting.append(goal)

    while waiting:
        page = waiting.popleft()
        if not page.endswith(".md"):
            stage.write(site_page(page), ORPHAN + source_page(page, ROOT))
            continue
        text = rewritten((ROOT / page).read_text(), page, ROOT, found)
        if text.startswith("## "):  # a page of parts alone
            text = f"# {Path(page).stem}\n\n{text}"
        is_listed = site_page(page).startswith(LISTED)
        stage.write(site_page(page), ORPHAN * is_listed + text)


def write_measurements(stage: Stage) -> None:
    """Writes the list of measurements, the newest first."""
    rows = []
    for page in sorted(tracked("bench/results/*.md"), reverse=True):
        text = (ROOT / page).read_text()
        title = text.partition("\n")[0].lstrip("# ") if text.startswith("#") else Path(page).stem
        rows.append(f"| {Path(page).stem[:10]} | [{title}]({Path(page).name}) |")
    table = "\n".join(["| taken | what |", "|---|---|", *rows])
    stage.write("measurements/index.md", MEASUREMENTS + table + "\n")


def main() -> None:
    """Stages everything into the folder that is named."""
    stage = Stage(Path(sys.argv[1]).resolve())
    # Pictures are drawn beside the rest, as both take half a minute.
    with subprocess.Popen([sys.executable, gallery.__file__]) as drawing:
        stage_pages(stage)
        reference.write(stage, ROOT)
        other_names.write(stage)
    if drawing.returncode:
        sys.exit("a program of the gallery failed, see above")
    gallery.write(stage, ROOT)
    write_measurements(stage)
    for name in tracked("docs/site/static/*"):
        stage.write(name.removeprefix("docs/site/"), (ROOT / name).read_bytes())
    stage.remove_others()


if __name__ == "__main__":
    main()
