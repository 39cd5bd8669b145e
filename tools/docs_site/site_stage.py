"""Where the pages of the site are put before Sphinx reads them."""

from pathlib import Path


class Stage:
    """The folder of the site's sources, and what has been put there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.written: set[Path] = set()

    def write(self, page: str, content: str | bytes) -> None:
        """Writes a page, or leaves it where it has that content."""
        file = self.folder / page
        data = content.encode() if isinstance(content, str) else content
        file.parent.mkdir(parents=True, exist_ok=True)
        if not file.exists() or file.read_bytes() != data:
            file.write_bytes(data)
        self.written.add(file)

    def remove_others(self) -> None:
        """Removes files of an earlier build that nothing wrote this time."""
        for file in [each for each in self.folder.rglob("*") if each.is_file()]:
            if file not in self.written:
                file.unlink()
