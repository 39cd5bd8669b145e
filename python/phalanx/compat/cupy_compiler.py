"""``cupy.cuda.compiler``: the error of CUDA C that does not compile."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..errors import CompileError


class CompileException(CompileError):
    """CUDA C with errors: the message is the compiler's, with the lines that it speaks of."""

    def __init__(
        self, msg: str, source: str, name: str, options: Sequence[str], backend: str = "nvrtc"
    ) -> None:
        super().__init__(f"{name} does not compile:\n{msg.rstrip()}")
        self._msg, self.source, self.name = msg, source, name
        self.options, self.backend = tuple(options), backend

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._msg, self.source, self.name, self.options, self.backend)

    def get_message(self) -> str:
        """The compiler's messages."""
        return self._msg

    def dump(self, file: Any) -> None:
        """Writes the source with the numbers of its lines, and the messages, to a file."""
        lines = self.source.split("\n")
        width = len(str(len(lines)))
        for number, line in enumerate(lines, 1):
            file.write(f"{number:>{width}} {line}\n")
        file.write(f"{self._msg}\n")
        file.flush()


# There is one compiler, and one error under the names that programs catch.
JitifyException = NVCCException = CompileException
