"""What stands for a part whose file cannot be used, so that everything else goes on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, NoReturn

from ..errors import StateDamagedError, StateUnwritableError


class Unusable:
    """Every call of any port is refused with the same error; nothing is opened or written."""

    refused = 0
    """Nothing was tried."""

    def __init__(self, why: StateDamagedError | StateUnwritableError) -> None:
        self._why = why

    def __getattr__(self, name: str) -> Callable[..., Awaitable[NoReturn]]:
        # Not for what Python itself looks for, such as when it copies.
        if name.startswith("_"):
            raise AttributeError(name)

        async def refuse(*_: Any, **__: Any) -> NoReturn:
            raise type(self._why)(str(self._why), self._why.advice)

        return refuse

    async def close(self) -> None:
        """Nothing is open."""
