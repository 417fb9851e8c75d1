"""A model that notes what its answers say it is."""

from __future__ import annotations

from ..model.ports import ChatModel
from ..model.types import ChatReply, ChatRequest

MAX_NAME_CHARS = 200
"""Of a name that is kept: a server may answer anything."""


class NamedModel:
    """A `ChatModel` that notes the name in its last answer.

    A server may answer with another model than was asked for: an alias, or the only one it has.
    """

    def __init__(self, model: ChatModel) -> None:
        self._model = model
        self.name: str | None = None
        """None before the first answer, and if an answer names none."""

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Raises as the model does."""
        reply = await self._model.complete(request)
        self.name = reply.model[:MAX_NAME_CHARS] if reply.model else None
        return reply

    async def close(self) -> None:
        await self._model.close()
