"""What is wrong with a pack."""

from __future__ import annotations

from ..model.errors import InvalidInputError


class PackError(InvalidInputError):
    """A file is not a pack: its name, the line (0 if there is none), and what was expected."""

    def __init__(self, file: str, line: int, problem: str) -> None:
        super().__init__(f"{file}:{line}" if line else file, problem)
        self.file, self.line, self.problem = file, line, problem
