"""Whether a place takes what is written to it, and how often it did not."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ..errors import StateUnwritableError


class Writes:
    """What one backend's driver notes of its writes; every refusal is counted."""

    def __init__(self) -> None:
        self.refused = 0
        """Writes that were refused since the start."""
        self._why: StateUnwritableError | None = None

    def refuse(self, error: StateUnwritableError) -> None:
        """A write was refused."""
        self.refused += 1
        self._why = error

    @contextmanager
    def probing(self) -> Iterator[None]:
        """Within, a probe is written: nobody's data, so that its refusal does not count."""
        try:
            yield
        except StateUnwritableError:
            self.refused -= 1
            raise
        self._why = None

    @property
    def why(self) -> StateUnwritableError | None:
        """Why the last one was refused; None once a probe was written again."""
        return self._why
