"""Explains the recall for a single message: for `AsyncMemory.explain`, on every surface.

The message goes through the filters of a chat, which ask for memories here: what they choose is
what a chat is given. Only the model call of `recall.rewrite` is left out; the answer says so
(`asks_model`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from recollect.memory.blocks import BlockPrompt, show
from recollect.memory.engine.engine import Engine
from recollect.memory.model.errors import InvalidInputError
from recollect.memory.model.ports import TokenCounter
from recollect.memory.model.types import MemoryType, Message, Scope
from recollect.memory.recall import Explanation, Query, Ranked, Recaller, Selection

from . import Exchange, Fence, Outcome, RequestRecallOptions, Verdict, request_filters
from .exchange import Recalls
from .inject import frame
from .inject.working_blocks import with_blocks
from .rewrite.answer import Asked
from .rewrite.filter import wanted_for

_FENCE = Fence(b"explain")
"""Not the installation's: its tags for given lines would let a memory imitate a block."""
_NOTHING = Selection((), ())


class Explainer:
    """Explains to the owner of the memories: the answer contains their texts and the query."""

    def __init__(
        self,
        recaller: Recaller,
        tokens: TokenCounter,
        options: RequestRecallOptions,
        pages: BlockPrompt | None = None,
        place: Callable[[], str | None] = lambda: None,
    ) -> None:
        """`pages` are the working blocks, `place` says where memories go, if that is known."""
        self._recaller = recaller
        self._tokens = tokens
        self._reserve = tokens.count(frame())
        self._options = options
        self._place = place
        self._pages = pages

    async def explain(self, scope: Scope, message: str) -> dict[str, Any]:
        """What the filters of a chat do with the message, as JSON values.

        `chat` is the outcome and the reason of a chat, `block` the text that is added to it, "" for
        none; only the mark in the tags around memories differs. `rewrite` is what the filters made
        of the message without a model: `as_is`, `terms` (its key terms), or `none` if it is not
        rewritten. Of a message that is not searched for, the answer has what a search would find
        (`skipped`).

        Raises:
            InvalidInputError: the message is blank.
            EmbeddingError, StoreError, StateError: a part failed.
        """
        if not message.strip():
            raise InvalidInputError("query", "expected some text")
        with self._recaller.withholding.chat_with():
            return await self._explained(scope, message)

    async def _explained(self, scope: Scope, message: str) -> dict[str, Any]:
        exchange, heard = _chat(scope, message), _Heard(self._recaller)
        verdict = await self._run(exchange, heard, _FENCE)
        explanation, selection = heard.explanation, exchange.selection
        if explanation is not None and selection is explanation.selection:
            return self._told(exchange, verdict, explanation, explanation.as_dict(), [])
        injected = exchange.verdict is not None and exchange.verdict.outcome is Outcome.INJECTED
        chosen = selection if injected and selection else _NOTHING
        asked = replace(exchange.query, text=exchange.query.text or message, message=message)
        explanation = await self._recaller.explain(
            scope, asked, reserve_tokens=self._reserve, show=show
        )
        answer = explanation.given(chosen).as_dict()
        return self._told(exchange, verdict, explanation, answer, chosen.chosen, searched=False)

    async def compiled(self, scope: Scope, message: str) -> str:
        """The text that a chat which begins with the message is given; "" for none.

        Byte for byte where the engine writes with the fence of an installation. Raises the same.
        """
        exchange = _chat(scope, message)
        fence = _FENCE if self._pages is None else self._pages.fence
        with self._recaller.withholding.chat_with():
            await self._run(exchange, self._recaller, fence)
        return "\n".join(one.text for one in exchange.injections)

    def _told(
        self,
        exchange: Exchange,
        verdict: Verdict | None,
        explanation: Explanation,
        answer: Mapping[str, Any],
        given: Sequence[Ranked],
        *,
        searched: bool = True,
    ) -> dict[str, Any]:
        """The answer; `given` was chosen without a search."""
        found = explanation.selection
        hits = (*given, *found.chosen, *(hit for hit, _ in found.dropped))
        cost = {hit.item.id: self._tokens.count(show(hit.item).line) for hit in hits}
        reason = exchange.notes.get("gate") or (verdict.reason if verdict else "")
        only = {"only": exchange.only.value} if searched and exchange.only else {}
        query = exchange.query.text or exchange.messages[0].content
        asks = wanted_for(Asked(query, ()), self._options.rewrite)
        return {
            "gate": {"recall": searched, "reason": reason, **only},
            "chat": {
                "memory": (verdict.outcome if verdict else Outcome.EMPTY).value,
                "reason": verdict.reason if verdict else reason,
            },
            "query": query,
            "place": self._place(),
            "block": "\n".join(one.text for one in exchange.injections),
            "rewrite": {"by": exchange.notes.get("rewrite", "none"), "query": exchange.query.text},
            "asks_model": not exchange.only and bool(asks),
            **answer,
            "frame_tokens": self._reserve,
            "profile": _with_tokens(answer["profile"], cost),
            "memories": _with_tokens(answer["memories"], cost),
        }

    async def _run(self, exchange: Exchange, recaller: Recalls, fence: Fence) -> Verdict | None:
        """What a chat does, without its bounds."""
        steps = request_filters(self._options, recaller, self._tokens, fence, pages=self._pages)
        for step in steps:
            if exchange.verdict is None:
                await step.request(exchange)
        for step in reversed(steps):
            step.settle(exchange)
        return None if exchange.verdict is None else with_blocks(exchange.verdict, exchange)


def explainer_of(engine: Engine, place: Callable[[], str | None] = lambda: None) -> Explainer:
    """What explains the chats of an engine; `place` is where a model server takes memories."""
    options = engine.options.recall
    if not isinstance(options, RequestRecallOptions):
        given = {name: getattr(options, name) for name in type(options).model_fields}
        options = RequestRecallOptions(**given)
    return Explainer(engine.recaller, engine.parts.tokens, options, engine.block_prompt, place)


def _chat(scope: Scope, message: str) -> Exchange:
    """A chat that begins with the message."""
    said = [Message(role="user", content=message)]
    return Exchange(scope=scope, messages=said, model="", conversation_id="", turn_id="")


class _Heard:
    """The recaller as the filters ask it, with the reasons of its last search."""

    def __init__(self, recaller: Recaller) -> None:
        self._recaller = recaller
        self.wishes = recaller.wishes
        self.explanation: Explanation | None = None

    async def recall(
        self, scope: Scope, query: Query, *, only: MemoryType | None, **how: Any
    ) -> Selection:
        self.explanation = await self._recaller.explain(scope, query, only=only, **how)
        return self.explanation.selection


def _with_tokens(
    rows: Sequence[Mapping[str, Any]], cost: Mapping[str, int]
) -> list[dict[str, Any]]:
    """Each row with the tokens of its line; day headings count only in the total."""
    return [{**row, "tokens": cost[row["id"]]} for row in rows]
