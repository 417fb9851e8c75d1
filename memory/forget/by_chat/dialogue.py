"""Forgets what users ask to forget in a chat: proposes at first, erases when they agree.

    request -> find -> propose (kept in the state) -> the next message of the conversation agrees
            -> take the proposal -> erase exactly that -> receipt, history, log

A proposal is named after the turn that asked for it. That is a hash over scope, conversation and
all messages of the user so far, so only the message right behind that turn finds it. Taking it
removes it: of two answers one erases.
"""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

import numpy as np

from ...embedders import embed_queries
from ...language.message import is_chore
from ...language.message.consent import MOST_CHARS as MOST_ANSWER_CHARS
from ...language.message.consent import Reply, asks_to_forget, may_consent, reply_in
from ...language.message.forgetting import Forget, Scale, clauses_in, objects_in, wish_in
from ...language.words import is_question, sentences
from ...model.errors import EmbeddingError, InvalidInputError, RecollectError
from ...model.types import EventKind, HistoryRecord, MemoryItem, Scope, utc_now
from ...recall.labels import ForeignLabels
from ...records.parts import Parts
from ...util.lru import Lru
from ...util.tasks import Tasks
from ..forgetter import Forgetter
from ..proposal import VALID_SECONDS, Proposal
from ..receipt import Receipt
from ..targets import is_version
from .consent import Consent, consent_of, is_ours, named_by
from .intent import Certainty, judge, may_ask
from .linear_heads import LinearHeads
from .messages import (
    MOST_CHARS,
    ForgetAnswer,
    SpokenMessage,
    Step,
    asked_in,
    own_sentences,
    without,
)
from .selection import TargetSelection

log = logging.getLogger(__name__)

WAIT_SECONDS = 0.1
"""Longest a request waits for an erasure, which goes on without it."""
EVERYTHING, SURELY = "everything", "everything, surely"
"""The proposal to forget all of a user, in place of a token, and when it was agreed to once."""
MOST_SENTENCES = 6
"""Of a message whose words do not ask."""
MOST_CLAUSES = 4
"""Of a message that asks, what of it is about something that is stored."""
EXAMPLES = 5
"""Lines that a proposal to forget everything shows."""
MAX_OPEN = 4096
"""Proposals of this process whose answers are recognised by no word."""
NO_VECTOR = np.zeros(0, np.float32)
STAGE = "forget"
REASON = "asked in a chat"


async def _all_of(items: Sequence[MemoryItem]) -> list[MemoryItem]:
    return list(items)


class Wish(NamedTuple):
    """A sentence that asks to forget something, as far as it does. It is false if it does not."""

    forget: Forget
    sure: Certainty
    scale: Scale

    def __bool__(self) -> bool:
        return self.sure > Certainty.NO


class ForgettingByChat:
    """Reads the messages of users; only their own words count."""

    def __init__(
        self,
        parts: Parts,
        forgetter: Forgetter,
        *,
        has_nothing: Callable[[Scope], Awaitable[bool]],
        readable: Callable[[Sequence[MemoryItem]], Awaitable[list[MemoryItem]]] = _all_of,
        clock: Callable[[], datetime] = utc_now,
        wait: float = WAIT_SECONDS,
    ) -> None:
        """`has_nothing` tells whether there surely is nothing of a scope to forget. Quick.

        `readable` are those of some memories that the model may be told.
        """
        self.readable = readable
        self._offers = parts.state.offers
        self._history = parts.history
        self._embedder = parts.embedder
        self._heads = LinearHeads.of(parts.embedder.id)
        self._labels = ForeignLabels(parts.embedder, parts.calibration)
        self._forgetter = forgetter
        self._choosing = TargetSelection(forgetter)
        self._has_nothing = has_nothing
        self._clock = clock
        self._wait = wait
        self._open: Lru[str, bool] = Lru(MAX_OPEN)
        self._tasks = Tasks()

    def concerns(self, said: SpokenMessage) -> bool:
        """Whether a message may ask to forget something, or agree to it. Quick."""
        return self._may_answer(said) or bool(asked_in(said.text)) or self._may_ask(said)

    async def hear(self, said: SpokenMessage) -> ForgetAnswer | None:
        """Propose, erase, or nothing if it is another message.

        Raises StoreError and StateError.
        """
        if await self._is_pasted(said.text):
            return None
        if self._may_answer(said):
            answered = await self._answered(said)
            if answered is not None:
                return answered
        return await self._asked(said)

    async def _is_pasted(self, text: str) -> bool:
        """Whether it stands behind a label of another's words; unknown without an embedder."""
        try:
            return await self._labels.begin(text)
        except EmbeddingError as error:
            log.warning("a label is not read: %s", error)
            return False

    async def close(self, seconds: float = 5.0) -> None:
        """Wait for erasures that have begun."""
        await self._tasks.drain(seconds)

    def _may_ask(self, said: SpokenMessage) -> bool:
        """Whether its meaning decides: it is embedded for a recall, too."""
        return self._heads is not None and said.personal and len(said.text) <= MOST_CHARS

    async def _asked(self, said: SpokenMessage) -> ForgetAnswer | None:
        try:
            return await self._proposed(said)
        except EmbeddingError as error:
            # It is answered like any other message.
            log.warning("a request to forget is not understood: %s", error)
            return None

    async def _proposed(self, said: SpokenMessage) -> ForgetAnswer | None:
        meant = await self._wishes(said)
        if not meant:
            return None
        rest = without(said.text, [each.forget for each in meant])
        if any(each.scale is Scale.EVERYTHING for each in meant):
            return await self._everything(said, EVERYTHING, rest=rest)
        scope = user_of(said.scope)
        but = " ".join(each.forget.but for each in meant if each.forget.but is not None).strip()
        excepts = any(each.forget.but is not None for each in meant)
        about = " ".join(
            said.request if each.scale is Scale.RECENT else each.forget.target for each in meant
        ).strip()
        sure = any(each.sure is Certainty.SURE for each in meant)
        if excepts and not about:
            found = await self._choosing.all_but(scope, but) if but else None
            if found is None or found.token is None:
                return ForgetAnswer(Step.UNCLEAR, rest=rest)
        else:
            each = objects_in(about, meant[0].forget.language) if len(meant) == 1 else []
            told = [said.text, *clauses_in(said.text)[:MOST_CLAUSES]] if sure else []
            found = await self._choosing.meant(
                scope, about or said.text, but=but, each=each, told=told
            )
        if found is not None and found.token is not None:
            await self._put(said, found.token)
            return ForgetAnswer(Step.PROPOSED, items=_shown(found), rest=rest)
        plain = sure and any(each.forget.worded for each in meant)
        return ForgetAnswer(Step.UNMATCHED, rest=rest) if plain else None

    async def _wishes(self, said: SpokenMessage) -> list[Wish]:
        """The sentences that ask to forget something. Raises EmbeddingError."""
        worded = asked_in(said.text)
        if not worded and not self._may_ask(said):
            return []
        parts = own_sentences(said.text)
        if self._heads is None or not parts:
            return [w for each in worded if (w := Wish(each, *judge(None, each, NO_VECTOR)))]
        if not worded:
            whole = " ".join(parts)
            read = wish_in(whole)
            if read is None or len(parts) > MOST_SENTENCES or is_chore(said.text):
                return []
            if await self._has_nothing(user_of(said.scope)):
                return []  # nothing is embedded for a new user, here as in a recall
            [vector] = await embed_queries(self._embedder, [said.text])
            if not may_ask(self._heads, read, vector):
                return []
        read_all = [found for each in parts if (found := wish_in(each)) is not None]
        vectors = await self._embedder.embed([each.sentence for each in read_all])
        judged = [
            Wish(each, *judge(self._heads, each, vector))
            for each, vector in zip(read_all, vectors, strict=True)
        ]
        return [each for each in judged if each]

    async def _everything(
        self, said: SpokenMessage, offered: str, *, rest: str = "", again: bool = False
    ) -> ForgetAnswer:
        """Propose all of the user, with their number and a few examples."""
        count, some = await self._forgetter.all_of(user_of(said.scope), most=EXAMPLES)
        if not count:
            return ForgetAnswer(Step.UNMATCHED, rest=rest)
        await self._put(said, offered)
        step = Step.UNSURE if again else Step.PROPOSED
        return ForgetAnswer(
            step, everything=True, again=again, items=tuple(some), count=count, rest=rest
        )

    def _may_answer(self, said: SpokenMessage) -> bool:
        """Whether a message may answer what was proposed: others ask the state nothing."""
        if not said.before or len(said.text) > MOST_ANSWER_CHARS:
            return False
        if not (said.request or said.answer):
            return may_consent(said.text)
        open_ = self._open.get(said.name(said.before)) is not None
        return open_ or bool(asked_in(said.request)) or asks_to_forget(said.answer)

    async def _answered(self, said: SpokenMessage) -> ForgetAnswer | None:
        """Carry out an answer; None if nothing was proposed or this is no answer to it."""
        offered = await self._offers.take(
            said.scope.tenant, said.name(said.before), now=self._clock()
        )
        answer = reply_in(said.text, request=said.request, asked=said.answer)
        if offered is None:
            late = answer.plain and bool(asked_in(said.request))
            return ForgetAnswer(Step.LATE) if late else None
        consent = await self._consent(said, answer)
        if consent is Consent.NO:
            return None
        everything = offered in {EVERYTHING, SURELY}
        if consent in {Consent.UNSURE, Consent.PART} and asked_in(said.text) and not answer.agrees:
            return None  # another request
        if everything:
            return await self._answered_everything(said, answer, consent, offered)
        scope = user_of(said.scope)
        lines = [
            item for item in await self._forgetter.proposed(scope, offered) if not is_version(item)
        ]
        named, wholly = named_by(answer, [item.text for item in lines])
        if not 0 < len(named) < len(lines):
            named = []
        if named:
            return await self._narrowed(said, answer, offered, lines, named, wholly)
        if consent is Consent.YES:
            return await self._erased(said, offered)
        await self._put(said, offered)
        return ForgetAnswer(Step.UNSURE, items=tuple(lines), rest=said.text)

    async def _narrowed(
        self,
        said: SpokenMessage,
        answer: Reply,
        offered: str,
        lines: list[MemoryItem],
        named: list[int],
        wholly: bool,
    ) -> ForgetAnswer:
        """Propose what an answer names, or all but that; erase it if the answer is plain."""
        chosen = [item for at, item in enumerate(lines) if (at in named) is not answer.limits]
        if answer.agrees and wholly and not (answer.limits or answer.denies or answer.long):
            keep = {item.id for item in lines} - {item.id for item in chosen}
            return await self._erased(said, offered, keep=frozenset(keep))
        if answer.denies:
            chosen = lines  # nobody knows which of them
        found = await self._forgetter.propose_items(user_of(said.scope), chosen)
        if found.token is None:
            return ForgetAnswer(Step.UNCLEAR)
        await self._put(said, found.token)
        return ForgetAnswer(Step.UNSURE, items=_shown(found), rest=said.text)

    async def _answered_everything(
        self, said: SpokenMessage, answer: Reply, consent: Consent, offered: str
    ) -> ForgetAnswer:
        """Everything goes when a second sentence says so: that one, or the next."""
        if consent is Consent.YES and (answer.every or offered == SURELY):
            return await self._erased(said, offered)
        if consent is Consent.YES:
            return await self._everything(said, SURELY, again=True)
        about = " ".join(answer.named)
        if consent is Consent.PART and about:
            scope = user_of(said.scope)
            if answer.limits:
                found = await self._choosing.all_but(scope, about)
            else:
                found = await self._choosing.meant(scope, about)
            if found is None or found.token is None:
                return ForgetAnswer(Step.UNCLEAR)
            await self._put(said, found.token)
            return ForgetAnswer(Step.PROPOSED, items=_shown(found))
        return await self._everything(said, EVERYTHING, rest=said.text, again=True)

    async def _consent(self, said: SpokenMessage, answer: Reply) -> Consent:
        """What an answer says; without an embedder by its words."""
        asked = [each for each in sentences(said.answer) if each.strip()]
        last = ([each for each in asked if is_question(each)] or asked or [""])[-1]
        first = next((each for each in sentences(said.text) if each.strip()), said.text)
        heads, vectors = self._heads, []
        if heads is not None and not answer.elsewhere:
            try:
                vectors = list(await self._embedder.embed([said.text, first.strip(), last.strip()]))
            except EmbeddingError:
                heads = None
        ours = is_ours(said.answer, vectors[2] if vectors and last else None, heads)
        return consent_of(answer, vectors[:2], heads if vectors else None, ours=ours)

    async def _erased(
        self, said: SpokenMessage, offered: str, *, keep: frozenset[str] = frozenset()
    ) -> ForgetAnswer:
        """Erase, in the background after `wait`: what has begun must not be cut off."""
        everything = offered in {EVERYTHING, SURELY}
        work = self._tasks.start(self._erase(said, offered, keep), name="forgetting, as asked")
        if said.granted is None:
            await asyncio.wait({work}, timeout=self._wait)
        if not work.done():
            return ForgetAnswer(Step.BEGUN, everything=everything)
        receipt = work.result()
        if receipt is None:
            return ForgetAnswer(Step.LATE, everything=everything)
        if isinstance(receipt, Step):
            return ForgetAnswer(receipt, everything=everything)
        return ForgetAnswer(Step.ERASED, everything=everything, receipt=receipt)

    async def _erase(
        self, said: SpokenMessage, offered: str, keep: frozenset[str]
    ) -> Receipt | Step | None:
        scope = user_of(said.scope)
        if said.granted is not None and not await said.granted:
            log.info("nothing is erased: the model server refused who agreed to it")
            await self._put(said, offered, said.before)
            return None
        try:
            if offered in {EVERYTHING, SURELY}:
                receipt = await self._forgetter.forget_scope(scope)
            else:
                receipt = await self._forgetter.confirm(scope, offered, keep=keep)
        except InvalidInputError as error:
            log.info("what a user agreed to forget is not erased: %s", error)
            return None
        except RecollectError as error:
            log.error("what a user agreed to forget is not erased: %s: %s", error.code, error)  # noqa: TRY400
            await self._put(said, offered)
            return Step.FAILED
        await self._record(scope, receipt)
        return receipt

    async def _record(self, scope: Scope, receipt: Receipt) -> None:
        """A row of history under the receipt's id: figures, no text."""
        erased = receipt.as_dict()["erased"]
        record = HistoryRecord(
            id=str(uuid.uuid4()),
            memory_id=receipt.id,
            event=EventKind.DELETE,
            old_value=None,
            new_value=None,
            timestamp=self._clock(),
            is_deleted=True,
            scope=scope,
            stage=STAGE,
            reason=REASON,
            scores={name: float(count) for name, count in erased.items()},
        )
        try:
            await self._history.append([record])
        except RecollectError as error:
            log.warning("receipt %s is not in the history: %s", receipt.id, error)

    async def _put(self, said: SpokenMessage, text: str, turn_id: str = "") -> None:
        """Keep a proposal of this turn, or of another one."""
        now = self._clock()
        until = now + timedelta(seconds=VALID_SECONDS)
        name = said.name(turn_id or said.turn_id)
        self._open.put(name, value=True)
        await self._offers.put(said.scope.tenant, name, text, now=now, until=until)


def user_of(scope: Scope) -> Scope:
    """All of a scope's user, whichever agent they speak to."""
    if scope.user_id is None:
        return scope
    return Scope(tenant=scope.tenant, user_id=scope.user_id)


def _shown(found: Proposal) -> tuple[MemoryItem, ...]:
    return tuple(item for item in found.items if not is_version(item))
