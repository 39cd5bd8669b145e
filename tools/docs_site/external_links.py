"""Lists the links of Markdown pages that lead out of the project, and whether each answers.

    python tools/docs_site/external_links.py [--offline]

`--offline` lists them alone. 1 where one does not answer: that may be its server's doing, so that
no other check depends on it.
"""

import http.client
import re
import subprocess
import sys
import urllib.error
import urllib.request
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^(```|~~~).*?^\1", re.DOTALL | re.MULTILINE)
# Of servers that do not know the method, or take it for a robot's.
REFUSED = ("403", "404", "405", "501")
ADDRESS = re.compile(r"https?://[^\s)>\]`\"']+")


def links() -> dict[str, list[str]]:
    """The addresses, each with the pages that have it."""
    command = ["git", "ls-files", "*.md"]
    result = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT)
    names = result.stdout.split()
    found = defaultdict(list)
    for name in names:
        for address in ADDRESS.findall(FENCE.sub("", (ROOT / name).read_text())):
            found[address.rstrip(".,;")].append(name)
    return dict(sorted(found.items()))


def answer(address: str) -> str:
    """What the server of an address says; the page is asked for where its head is refused."""
    said = _answer(address, "HEAD")
    return _answer(address, "GET") if said in REFUSED else said


def _answer(address: str, method: str) -> str:
    request = urllib.request.Request(address, method=method, headers={"User-Agent": "link check"})
    try:
        with urllib.request.urlopen(request, timeout=15) as response:
            return str(response.status)
    except urllib.error.HTTPError as error:
        return str(error.code)
    except (OSError, http.client.HTTPException) as error:
        return f"no answer: {getattr(error, 'reason', error)}"


def main() -> int:
    """Prints a line for each address."""
    dead = 0
    for address, pages in links().items():
        said = "" if "--offline" in sys.argv else answer(address)
        dead += said not in ("", "200")
        print(f"{said:<8}{address}  {', '.join(sorted(set(pages)))}")
    return int(dead > 0)


if __name__ == "__main__":
    sys.exit(main())
