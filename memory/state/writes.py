"""Backends that cannot be written: one that refuses writes, and one whose file cannot be used."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

from ..model.errors import StateError, StateUnwritableError


class Writes:
    """One backend's record of refused writes."""

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


class Unusable:
    """Refuses every call of any port with the same error; opens and writes nothing."""

    refused = 0

    def __init__(self, why: StateError) -> None:
        self._why = why

    def __getattr__(self, name: str) -> Callable[..., Awaitable[NoReturn]]:
        # Python itself looks up private names, for example when it copies.
        if name.startswith("_"):
            raise AttributeError(name)

        async def refuse(*_: Any, **__: Any) -> NoReturn:
            raise type(self._why)(str(self._why), self._why.advice)

        return refuse

    async def close(self) -> None:
        """Nothing is open."""
