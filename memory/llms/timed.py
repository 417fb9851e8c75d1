"""A model that answers until a certain moment."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from ..model.errors import ModelError
from ..model.ports import ChatModel
from ..model.types import ChatReply, ChatRequest


class TimedModel:
    """A `ChatModel` whose calls end at a moment of the running loop's clock, however many they are.

    A call that is not answered by then fails with the error of `late`, and no other is begun.
    """

    def __init__(self, model: ChatModel, *, until: float, late: Callable[[], ModelError]) -> None:
        self._model = model
        self._until = until
        self._late = late

    async def complete(self, request: ChatRequest) -> ChatReply:
        if asyncio.get_running_loop().time() >= self._until:
            raise self._late()
        limit = asyncio.timeout_at(self._until)
        try:
            async with limit:
                return await self._model.complete(request)
        except TimeoutError:
            if not limit.expired():
                raise
            raise self._late() from None

    async def close(self) -> None:
        """Whoever opened the model closes it."""
