"""What is raised where bytecode cannot be read."""


class NotDecompiled(Exception):
    """The bytecode cannot be read; the text says why."""
