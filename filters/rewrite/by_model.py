"""The rewrite that asks a model; what that cannot do in its time stays with the key terms."""

from __future__ import annotations

from recollect.memory.ports import ChatModel, ModelSource

from ..base import Improvement
from ..exchange import Exchange
from ..turn_cache import TurnCache, TurnKey
from .answer import read_answer
from .filter import Rewrite
from .options import RewriteOptions
from .prompt import Asked, Wanted, ask, said_before
from .rewrite import tidied
from .selfcontained import self_contained

_WORDS = {
    "deadline": "llm_deadline",
    "model_failed": "llm_failed",
    "unusable_answer": "llm_unusable",
    "busy": "llm_busy",
    "circuit_open": "llm_paused",
}
"""What became of a call, in `exchange.notes`."""


class RewriteByModel(Rewrite):
    """Finds the same query as `Rewrite`, and a better one if a model says it in time.

    Asked once for each turn, whatever comes of it: a retry and each tool round-trip search for the
    same. The model is shown the client's own messages and no memory.
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
        """A call to the model, if it is of use for this message and was not made before."""
        if self._kept.queries.get(_key(exchange)) is not None:
            return None
        message = tidied(exchange.messages, self._options)
        asked = Asked(message, said_before(exchange.messages))
        wanted = wanted_for(asked, self._options)
        if not wanted:
            return None
        return Improvement(
            part="" if self._options.llm is not None else exchange.scope.tenant,
            seconds=self._options.deadline_ms / 1000,
            run=lambda: self._improve(exchange, asked, wanted),
            give_up=lambda why: self._settle(exchange, _WORDS.get(why, "llm_failed")),
        )

    async def _improve(self, exchange: Exchange, asked: Asked, wanted: Wanted) -> None:
        """Raises ModelError: there is no answer, or none that can be used."""
        model: ChatModel | None = await self._models(exchange.scope.tenant, exchange.model)
        if model is None:
            # Before a client's first answer its credential is not known to be good.
            self._settle(exchange, "no_model")
            return
        reply = await model.complete(ask(asked, wanted))
        exchange.query = read_answer(reply.text, wanted, asked, fallback=exchange.query.text)
        self._settle(exchange, "llm")

    def _settle(self, exchange: Exchange, word: str) -> None:
        """The query is what it is now, for the whole turn."""
        exchange.notes["rewrite"] = word
        self._kept.queries.put(_key(exchange), exchange.query)


def wanted_for(asked: Asked, options: RewriteOptions) -> Wanted:
    """What a model can do for a message: only one that points elsewhere is written out."""
    if not asked.message:
        return Wanted()
    points_back = bool(asked.conversation) and not self_contained(asked.message)
    return Wanted(options.strategy == "llm" and points_back, options.multi_query, options.hyde)


def _key(exchange: Exchange) -> TurnKey:
    return TurnKey(exchange.scope, exchange.turn_id)
