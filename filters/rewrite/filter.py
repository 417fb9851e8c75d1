"""The rewrite as a step of the pipeline; one asks a model, with the key terms as the fallback."""

from __future__ import annotations

from recollect.memory.model.ports import ChatModel, ModelSource
from recollect.memory.recall import Query

from ..exchange import Exchange, Improvement, RequestFilter
from ..turn_cache import TurnCache, TurnKey
from .answer import Asked, Wanted, ask, read_answer, said_before
from .options import RewriteOptions
from .terms import rewrite, self_contained, tidied

SECONDS = 1.5
"""Longest a request is held for the model, on top of `recall.deadline_ms`; without an answer by
then the recall goes on with `terms`. A small model answers within it, and a person barely waits."""


class Rewrite(RequestFilter):
    """Turns the last message into a self-contained query."""

    name = "rewrite"

    def __init__(self, options: RewriteOptions) -> None:
        self._options = options

    async def request(self, exchange: Exchange) -> None:
        if exchange.wishes_only:
            return
        heard = exchange.heard
        text = rewrite(heard, self._options)
        as_is = text == tidied(heard)
        exchange.query = Query(text)
        exchange.notes["rewrite"] = "as_is" if as_is else "terms"


_WORDS = {
    "deadline": "llm_deadline",
    "model_failed": "llm_failed",
    "unusable_answer": "llm_unusable",
    "busy": "llm_busy",
    "circuit_open": "llm_paused",
}
"""The value of `exchange.notes["rewrite"]` for each way a call can fail."""


class RewriteByModel(Rewrite):
    """Finds the same query as `Rewrite`, or a better one if a model answers in time.

    The model is asked once per turn, so retries and tool round-trips search for the same query. It
    sees the client's messages and no memories.
    """

    def __init__(self, options: RewriteOptions, models: ModelSource, kept: TurnCache) -> None:
        super().__init__(options)
        self._models = models
        self._kept = kept

    async def request(self, exchange: Exchange) -> None:
        known = self._kept.queries.get(_key(exchange))
        if known is None:
            await super().request(exchange)
        else:
            exchange.query = known
            exchange.notes["rewrite"] = "cached"

    def improvement(self, exchange: Exchange) -> Improvement | None:
        """The call to the model, if it helps this message and was not made for this turn.

        It is not made for messages that the gate would skip but for some type of memories.
        """
        if (
            exchange.only is not None
            or exchange.wishes_only
            or self._kept.queries.get(_key(exchange)) is not None
        ):
            return None
        heard = exchange.heard
        asked = Asked(tidied(heard), said_before(heard))
        wanted = wanted_for(asked, self._options)
        if not wanted:
            return None
        return Improvement(
            part="" if self._options.llm is not None else exchange.scope.tenant,
            seconds=SECONDS,
            run=lambda: self._improve(exchange, asked, wanted),
            give_up=lambda why: self._settle(exchange, _WORDS.get(why, "llm_failed")),
        )

    async def _improve(self, exchange: Exchange, asked: Asked, wanted: Wanted) -> None:
        """Raises ModelError without a usable answer."""
        model: ChatModel | None = await self._models(exchange.scope.tenant, exchange.model)
        if model is None:
            # Before a client's first answer its credential is not verified.
            self._settle(exchange, "no_model")
            return
        reply = await model.complete(ask(asked, wanted))
        exchange.query = read_answer(reply.text, wanted, asked, fallback=exchange.query.text)
        self._settle(exchange, "llm")

    def _settle(self, exchange: Exchange, word: str) -> None:
        """Keep the current query for the whole turn."""
        exchange.notes["rewrite"] = word
        self._kept.queries.put(_key(exchange), exchange.query)


def wanted_for(asked: Asked, options: RewriteOptions) -> Wanted:
    """What to ask the model for; only a message that is not self-contained is rewritten."""
    if not asked.message:
        return Wanted()
    points_back = bool(asked.conversation) and not self_contained(asked.message)
    return Wanted(options.strategy == "llm" and points_back, 0, options.strategy == "hyde")


def _key(exchange: Exchange) -> TurnKey:
    return TurnKey(exchange.scope, exchange.turn_id)
