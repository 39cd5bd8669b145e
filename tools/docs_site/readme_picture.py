"""Makes the picture of the README out of pictures of the gallery, which the site's build has drawn.

build/site-venv/bin/python tools/docs_site/readme_picture.py
"""

from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parents[2]
ROWS = (
    ("mandelbrot", "galaxies", "sandpile", "spheres"),
    ("potential", "boundaries", "voronoi", "attractor"),
)
WIDTH, HEIGHT, GAP = 240, 180, 4


def main() -> None:
    """Writes docs/site/static/gallery.jpg."""
    across, down = len(ROWS[0]), len(ROWS)
    sheet = Image.new("RGB", ((WIDTH + GAP) * across - GAP, (HEIGHT + GAP) * down - GAP), "white")
    for i, row in enumerate(ROWS):
        for j, name in enumerate(row):
            with Image.open(ROOT / "build/site-source/gallery" / f"{name}.png") as picture:
                small = picture.convert("RGB").resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)
            sheet.paste(small, (j * (WIDTH + GAP), i * (HEIGHT + GAP)))
    sheet.save(ROOT / "docs/site/static/gallery.jpg", quality=85)


if __name__ == "__main__":
    main()
