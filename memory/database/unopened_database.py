"""A stand-in for a database that cannot be used: chats go on without it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, NoReturn, cast

from ..model.errors import StateError
from .scripts import ScriptRunner


class UnopenedDatabase:
    """Refuses every call of a `ScriptRunner` with the same error; opens and writes nothing."""

    refused = 0
    keys = None
    alone = False

    def __init__(self, why: StateError) -> None:
        self.why = why

    def __getattr__(self, name: str) -> Callable[..., Awaitable[NoReturn]]:
        # Python itself looks up private names, for example when it copies.
        if name.startswith("_"):
            raise AttributeError(name)

        async def refuse(*_: Any, **__: Any) -> NoReturn:
            raise type(self.why)(str(self.why), self.why.advice)

        return refuse

    def look(self) -> None:
        """No file is open."""

    async def close(self) -> None:
        """Nothing is open."""


def unopened(why: StateError) -> ScriptRunner:
    """A database that refuses every call with `why`."""
    return cast("ScriptRunner", UnopenedDatabase(why))
