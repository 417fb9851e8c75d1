"""A database that refuses writes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ..model.errors import StateUnwritableError


class Writes:
    """A database's record of refused writes."""

    def __init__(self) -> None:
        self.refused = 0
        """Writes that were refused since the start."""
        self.why: StateUnwritableError | None = None
        """Why the last write was refused; None after a probe succeeded."""

    def refuse(self, error: StateUnwritableError) -> None:
        """Count a refused write."""
        self.refused += 1
        self.why = error

    @contextmanager
    def probing(self) -> Iterator[None]:
        """Wrap the write of a probe: it holds no user data, so its refusal does not count."""
        try:
            yield
        except StateUnwritableError:
            self.refused -= 1
            raise
        self.why = None
