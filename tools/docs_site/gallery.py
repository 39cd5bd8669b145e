"""The gallery: the pictures that the programs of examples/gallery draw, each with its program."""

import ast
import hashlib
import importlib
import sys
from pathlib import Path

from site_stage import Stage

FOLDER = "examples/gallery"
DRAWN = "build/site-gallery"
CARD = """:::{{grid-item-card}} {title}
:link: {name}
:link-type: doc
:img-top: {file}
:class-card: gallery-picture
:::"""
PAGE = """# {title}

{text}

```{{image}} {file}
:alt: {title}
:width: 576px
```

The program, `examples/gallery/{name}.py`; `python examples/gallery/{name}.py` draws the picture:

```python
{source}```
"""
INDEX = """# Gallery

Pictures of small programs. Each was drawn for this site by the CPU, from the program as it is here;
the same programs run on a GPU.

::::{{grid}} 2 2 3 3
:gutter: 2

{cards}
::::

```{{toctree}}
:hidden:

{names}
```
"""


def programs(root: Path) -> list[Path]:
    """The programs that draw, in the order of their names."""
    return sorted(each for each in (root / FOLDER).glob("*.py") if not each.name.startswith("_"))


def check_picture(file: Path) -> None:
    """Raises ValueError for a picture that shows nothing: one colour alone."""
    from PIL import Image

    with Image.open(file) as opened:
        opened.seek(getattr(opened, "n_frames", 1) - 1)
        lowest, highest = opened.convert("L").getextrema()
    if highest - lowest < 32:  # type: ignore[operator]
        raise ValueError(f"{file} shows nothing: its program drew one colour")


def picture(program: Path, drawn: Path) -> Path:
    """The picture of a program, drawn again when the program or what it shares has changed."""
    shared = program.with_name("_show.py").read_bytes()
    digest = hashlib.sha256(program.read_bytes() + shared).hexdigest()[:16]
    known = list(drawn.glob(f"{digest}/{program.stem}.*"))
    if known:
        return known[0]
    folder = drawn / digest
    folder.mkdir(parents=True, exist_ok=True)
    if str(program.parent) not in sys.path:
        sys.path.insert(0, str(program.parent))
    show = importlib.import_module("_show")
    file = Path(show.save(importlib.import_module(program.stem).draw(), folder, program.stem))
    try:
        check_picture(file)
    except ValueError:
        file.unlink()  # the next build must not take it for one that is good
        raise
    return file


def draw_all(root: Path) -> None:
    """Draws the pictures that are not there yet."""
    for program in programs(root):
        picture(program, root / DRAWN)


def write(stage: Stage, root: Path) -> None:
    """Draws the pictures and writes a page for each program, and one with all of them."""
    cards, names = [], []
    for program in programs(root):
        source = program.read_text()
        title, _, text = (ast.get_docstring(ast.parse(source)) or program.stem).partition("\n\n")
        file = picture(program, root / DRAWN)
        row = {"name": program.stem, "title": title.rstrip("."), "file": file.name}
        stage.write(f"gallery/{file.name}", file.read_bytes())
        stage.write(f"gallery/{program.stem}.md", PAGE.format(text=text, source=source, **row))
        cards.append(CARD.format(**row))
        names.append(program.stem)
    stage.write("gallery/index.md", INDEX.format(cards="\n\n".join(cards), names="\n".join(names)))


if __name__ == "__main__":
    draw_all(Path(__file__).resolve().parents[2])
