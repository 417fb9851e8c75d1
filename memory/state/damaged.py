"""A stand-in for a part whose file cannot be used, so that everything else goes on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, NoReturn

from ..model.errors import StateDamagedError, StateUnwritableError


class Unusable:
    """Refuses every call of any port with the same error; opens and writes nothing."""

    refused = 0

    def __init__(self, why: StateDamagedError | StateUnwritableError) -> None:
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
