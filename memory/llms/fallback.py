"""A model, and another one that is asked while its server is down."""

from __future__ import annotations

import logging

from ..model.errors import ModelTimeoutError, ModelUnavailableError, ServerRestsError
from ..model.ports import ChatModel
from ..model.types import ChatReply, ChatRequest

log = logging.getLogger(__name__)


class FallbackModel:
    """A `ChatModel` that asks `first`, and `other` if the server of `first` is down or too slow.

    `first` is to be behind a breaker, so that a server that is down costs no time. A refusal is not
    repeated elsewhere: a wrong key or an unknown model is a mistake that is to be seen, and another
    provider would be paid for it.
    """

    def __init__(self, first: ChatModel, other: ChatModel, name: str) -> None:
        """`name` of the model is for the log."""
        self._first = first
        self._other = other
        self._name = name
        self._away = False

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Raises what `other` raises, if both fail; what `first` raises, if `other` rests."""
        try:
            reply = await self._first.complete(request)
        except (ModelUnavailableError, ModelTimeoutError) as error:
            if not self._away:
                log.warning("%s does not answer, its fallback is asked: %s", self._name, error)
            self._away = True
            try:
                return await self._other.complete(request)
            except ServerRestsError:
                raise error from None  # which says whether a call was made
        if self._away:
            log.info("%s answers again", self._name)
        self._away = False
        return reply

    async def close(self) -> None:
        try:
            await self._first.close()
        finally:
            await self._other.close()
