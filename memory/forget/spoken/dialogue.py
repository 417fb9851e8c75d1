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
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from ...calibration import Calibration
from ...embedders import in_background
from ...language.message import is_chore
from ...language.message.consent import Consent, consent_in, may_consent
from ...language.message.forgetting import Forget, Scale, forget_in
from ...language.pasted import own_words
from ...language.scanner import scan
from ...language.words import sentences
from ...model.errors import EmbeddingError, InvalidInputError, RecollectError
from ...model.types import EventKind, HistoryRecord, MemoryItem, Scope, utc_now
from ...recall.labels import ForeignLabels
from ...records.parts import Parts
from ...util.tasks import Tasks
from ..forgetter import Forgetter
from ..proposal import VALID_SECONDS, Proposal
from ..receipt import Receipt
from ..targets import is_version
from .meaning import Certainty, ForgetExamples

log = logging.getLogger(__name__)

MOST_CHARS = 500
"""A longer message is not read: many long texts hold such words, and no request to forget."""
WAIT_SECONDS = 0.1
"""Longest a request waits for an erasure, which goes on without it."""
EVERYTHING = "everything"
"""The proposal to forget all of a user, in place of a token."""
STAGE = "forget"
REASON = "asked in a chat"


class Step(StrEnum):
    """The outcome of a message. The values are reason words of answers."""

    PROPOSED = "forget_proposed"
    UNMATCHED = "forget_unmatched"
    """Nothing is stored that it is about."""
    UNSURE = "forget_unconfirmed"
    """The answer was not clear: the proposal waits for another one."""
    ERASED = "forgotten"
    BEGUN = "forget_begun"
    """It is being erased."""
    FAILED = "forget_failed"
    """It could not be erased, and waits for another answer."""
    LATE = "forget_expired"
    """Nothing waits for this answer any more, or what was proposed has changed."""


@dataclass(frozen=True, slots=True)
class SpokenMessage:
    """A message of a user with what it may answer."""

    scope: Scope
    text: str
    conversation_id: str
    turn_id: str
    before: str = ""
    """The turn before, of this conversation; "" if it is not known."""
    request: str = ""
    """The user's message of that turn; "" if it is not known."""
    answer: str = ""
    """The assistant's answer to it."""
    granted: asyncio.Future[bool] | None = None
    """Whether the message is from who it says, once that is known; None if it is known already."""

    def name(self, turn_id: str) -> str:
        """The name under which a proposal of a turn of this conversation is kept."""
        return f"{self.conversation_id} {turn_id}"


@dataclass(frozen=True, slots=True)
class ForgetAnswer:
    """The outcome of a message that asks to forget, or answers whether to."""

    step: Step
    everything: bool = False
    items: tuple[MemoryItem, ...] = ()
    """What is proposed, best first."""
    receipt: Receipt | None = None
    rest: str = ""
    """The message without the request: what of it may be kept."""


class SpokenForgetting:
    """Reads the messages of users; only their own words count."""

    def __init__(
        self,
        parts: Parts,
        forgetter: Forgetter,
        calibration: Calibration,
        *,
        clock: Callable[[], datetime] = utc_now,
        wait: float = WAIT_SECONDS,
    ) -> None:
        self._offers = parts.state.offers
        self._history = parts.history
        self._embedder = parts.embedder
        self._labels = ForeignLabels(parts.embedder, parts.calibration)
        self._forgetter = forgetter
        self._calibration = calibration
        self._clock = clock
        self._wait = wait
        self._requests: ForgetExamples | None = None
        self._preparing = asyncio.Lock()
        self._tasks = Tasks()

    def concerns(self, said: SpokenMessage) -> bool:
        """Whether a message may ask to forget something, or agree to it, by its words. Quick."""
        return _may_answer(said) or bool(asked_in(said.text))

    async def hear(self, said: SpokenMessage) -> ForgetAnswer | None:
        """Propose, erase, or nothing if it is another message.

        Raises StoreError, StateError, and EmbeddingError while finding what is meant.
        """
        if await self._labels.begin(said.text):
            return None
        if _may_answer(said):
            answered = await self._answered(said)
            if answered is not None:
                return answered
        return await self._asked(said)

    async def prepare(self) -> ForgetExamples:
        """Embed the examples. Raises EmbeddingError."""
        async with self._preparing:
            if self._requests is None:
                with in_background():
                    self._requests = await ForgetExamples.of(self._embedder, self._calibration)
            return self._requests

    async def close(self, seconds: float = 5.0) -> None:
        """Wait for erasures that have begun."""
        await self._tasks.drain(seconds)

    async def _asked(self, said: SpokenMessage) -> ForgetAnswer | None:
        asked = asked_in(said.text)
        if not asked:
            return None
        try:
            requests = await self.prepare()
            vectors = await self._embedder.embed([each.sentence for each in asked])
        except EmbeddingError as error:
            # Nothing can be found either: it is answered like any other message.
            log.warning("a request to forget is not understood: %s", error)
            return None
        judged = [
            (each, *requests.judge(each, vector))
            for each, vector in zip(asked, vectors, strict=True)
        ]
        meant = [(each, sure, scale) for each, sure, scale in judged if sure > Certainty.NO]
        if not meant:
            return None
        rest = without(said.text, [each for each, _, _ in meant])
        if any(scale is Scale.EVERYTHING for _, _, scale in meant):
            await self._put(said, EVERYTHING)
            return ForgetAnswer(Step.PROPOSED, everything=True, rest=rest)
        about = " ".join(
            said.request if scale is Scale.RECENT else each.target for each, _, scale in meant
        ).strip()
        scope = user_of(said.scope)
        found = await self._forgetter.propose_meant(scope, about) if about else None
        if found is not None and found.token is not None:
            await self._put(said, found.token)
            return ForgetAnswer(Step.PROPOSED, items=_shown(found), rest=rest)
        sure = any(sure is Certainty.SURE for _, sure, _ in meant)
        return ForgetAnswer(Step.UNMATCHED, rest=rest) if sure else None

    async def _answered(self, said: SpokenMessage) -> ForgetAnswer | None:
        """Carry out an answer; None if nothing was proposed or this is no answer to it."""
        consent = consent_in(said.text, request=said.request, asked=said.answer)
        if consent is Consent.NO:
            return None
        offered = await self._offers.take(
            said.scope.tenant, said.name(said.before), now=self._clock()
        )
        if offered is None:
            late = consent is Consent.YES and bool(asked_in(said.request))
            return ForgetAnswer(Step.LATE) if late else None
        everything = offered == EVERYTHING
        if consent is Consent.UNSURE:
            if asked_in(said.text):
                return None  # another request
            await self._put(said, offered)
            return ForgetAnswer(Step.UNSURE, everything=everything, rest=said.text)
        return await self._erased(said, offered)

    async def _erased(self, said: SpokenMessage, offered: str) -> ForgetAnswer:
        """Erase, in the background after `wait`: what has begun must not be cut off."""
        everything = offered == EVERYTHING
        work = self._tasks.start(self._erase(said, offered), name="forgetting, as asked")
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

    async def _erase(self, said: SpokenMessage, offered: str) -> Receipt | Step | None:
        scope = user_of(said.scope)
        if said.granted is not None and not await said.granted:
            log.info("nothing is erased: the model server refused who agreed to it")
            await self._put(said, offered, said.before)
            return None
        try:
            if offered == EVERYTHING:
                receipt = await self._forgetter.forget_scope(scope)
            else:
                receipt = await self._forgetter.confirm(scope, offered)
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
        await self._offers.put(said.scope.tenant, name, text, now=now, until=until)


def asked_in(text: str) -> list[Forget]:
    """The sentences of a user's own words that may ask to forget something. Pure."""
    if len(text) > MOST_CHARS or not scan(text).has("forget.asks") or is_chore(text):
        return []  # nearly all have no such word
    own = sentences(own_words(text).text)
    return [found for each in own if (found := forget_in(each.strip())) is not None]


def _may_answer(said: SpokenMessage) -> bool:
    """Whether a message may agree to something that was proposed: others ask the state nothing."""
    if not said.before or not may_consent(said.text):
        return False
    asked = said.request
    return not asked or bool(asked_in(asked)) or may_consent(asked)


def without(text: str, asked: list[Forget]) -> str:
    """The message without these sentences. Pure."""
    for each in asked:
        text = text.replace(each.sentence, " ")
    return text.strip() if any(map(str.isalnum, text)) else ""


def user_of(scope: Scope) -> Scope:
    """All of a scope's user, whichever agent they speak to."""
    if scope.user_id is None:
        return scope
    return Scope(tenant=scope.tenant, user_id=scope.user_id)


def _shown(found: Proposal) -> tuple[MemoryItem, ...]:
    return tuple(item for item in found.items if not is_version(item))
