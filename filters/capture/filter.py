"""The capture stores a turn and starts learning when it is due."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime

from recollect.memory.blocks import version_of
from recollect.memory.database import SqlConversations, SqlJobs
from recollect.memory.engine.options import LearnOptions
from recollect.memory.learn import Plays, job_for, nobody_plays, tokens_due, turns_due
from recollect.memory.model.errors import StateError, StateGoneError, StateUnwritableError
from recollect.memory.model.messages import left_out
from recollect.memory.model.row_kinds import is_passage
from recollect.memory.model.types import PrecedingQuestion, Recorded, Scope, Turn, utc_now
from recollect.memory.util.fair_thread_pool import FairThreadPool

from ..exchange import Answer, Exchange, last_user_index, turn_text
from ..side_requests import LastTurns, Likeness, RequestShape, is_own, may_be_own, never
from ..turn_cache import TurnKey
from .open_turns import OpenTurn, OpenTurns, WaitingTurn, WaitingTurns
from .question_before import NOTHING, RawPrecedingQuestion, preceding_question
from .texts import (
    NOT_KEPT,
    Once,
    Redact,
    Redacting,
    Texts,
    bounded,
    kept_images,
    prepare,
    steps_of,
    tokens_of,
    work,
)

log = logging.getLogger(__name__)

INLINE_CHARS = 2000
"""Longer texts are redacted in a thread; this many characters take some milliseconds."""
PREPARE_SECONDS = 1.0
"""Longest the end of an answer waits for redaction, which usually takes a millisecond."""
SETTLE_SECONDS = 1.0
"""Interval of trying to write the turns that wait."""
THREADS = 1
NOT_SAID = left_out("it was about forgetting")
"""In place of the answer to a request to forget."""
MAX_RECALLED = 1000
"""Most memories recorded with a turn; a long conversation is shown more in all."""


class Capture:
    """Runs before the last byte of the answer is sent."""

    name = "capture"

    def __init__(
        self,
        conversations: SqlConversations,
        jobs: SqlJobs,
        options: LearnOptions,
        *,
        redact: Redact | None = None,
        images: bool = False,
        on_recorded: Callable[[Turn, Recorded], None] | None = None,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        """`redact` removes secrets before anything is written; it is called from several threads.

        `images`: keep pictures, because a model describes them. `on_recorded` is called with every
        finished turn.
        """
        self.plays: Plays = nobody_plays
        """Tells whether a message is said in a role (`learn.Stage`)."""
        self._conversations = conversations
        self._jobs = jobs
        self._options = options
        self._redact = redact
        self._redacting = Redacting(redact)
        self._images = images
        self._on_recorded = on_recorded
        self._clock = clock
        self.paused = False
        """Whether somebody switched learning off: turns are not captured."""
        self._open = OpenTurns()
        self.last_turns = LastTurns()
        """What tells a request that is about a turn."""
        self.likeness: Likeness = never
        """What tells a request that a client makes for itself by what it asks for."""
        self._counted: Counter[str] = Counter()
        self._losing: StateError | None = None
        """The error of the last turn that was not stored, until one is stored."""
        self._waiting = WaitingTurns()
        self._settling = asyncio.Lock()
        self._bulk = FairThreadPool(THREADS, name="capture")

    @property
    def learns(self) -> bool:
        """Whether turns are captured and learned."""
        return self._options.enabled and not self.paused

    @property
    def counted(self) -> Mapping[str, int]:
        """Counters.

        ``overflow``: no job, because the queue was full. ``not_kept``: a text was not redacted, or
        not in time. ``lost``: a turn could not be written. ``unreadable``: a turn was not kept
        because its answer could not be read. ``waiting``: turns in memory, which are written when
        the state's file is back.
        """
        counted = {name: self._counted[name] for name in ("overflow", "lost", "unreadable")}
        late = self._redacting.failures + self._counted["late"]
        return counted | {"not_kept": late, "waiting": len(self._waiting)}

    async def ping(self) -> None:
        """Raises StateError while turns cannot be written, such as on a full disk."""
        if isinstance(self._losing, StateGoneError):
            raise StateGoneError(str(self._losing))
        if self._losing is not None:
            raise StateError(str(self._losing))

    def notice(self, exchange: Exchange, *, learns: bool) -> RequestShape | None:
        """Mark a request that is about a recent turn; remember any other, if it is learned.

        The shape of one that may be a client's own all the same, to be judged.
        """
        exchange.is_side_request = self.last_turns.tell(exchange)
        if learns and not exchange.is_side_request:
            self.last_turns.note(exchange)
        return None if exchange.is_side_request else may_be_own(exchange)

    async def judge(self, exchange: Exchange, shape: RequestShape) -> None:
        """Mark a client's own request by what it asks for. Raises EmbeddingError."""
        if await is_own(shape, self.likeness):
            exchange.is_side_request = True
            self.last_turns.drop(exchange)

    async def response(self, exchange: Exchange, answer: Answer) -> bool:
        """Store the turn; True if it started a job. Raises StateError if it is not stored.

        While the state's file is not where it was opened, the turn waits in memory for it.
        """
        if exchange.is_side_request:
            return False
        self.last_turns.answered(exchange, answer)
        turn = await self._turn(exchange, answer)
        if turn is None:
            return False
        if self._waiting:
            await self.settle(turn.conversation_id)
        waiting = WaitingTurn(turn, continues=bool(answer.tool_calls))
        try:
            return await self._record(waiting)
        except StateError as error:
            self._losing = error
            if isinstance(error, StateGoneError) and self._waiting.keep(waiting):
                return False
            self._counted["lost"] += 1
            raise

    async def _record(self, waiting: WaitingTurn) -> bool:
        """Write a turn; True if it started a job. Raises StateError if it is not written."""
        turn = waiting.turn
        recorded = await self._conversations.record(turn)
        self._losing = None
        if waiting.continues:
            # Learning it now would miss its end.
            return False
        if self._on_recorded is not None:
            self._on_recorded(turn, recorded)
        reason = self._due(turn, recorded)
        return reason is not None and await self._enqueue(turn, recorded.seq, reason)

    async def settle(self, conversation_id: str | None = None) -> None:
        """Write the turns that wait, of a conversation or of all: oldest first, while it works."""
        for waiting in list(self._waiting):
            mine = conversation_id in (None, waiting.turn.conversation_id)
            if mine and not await self._settled(waiting):
                return

    async def _settled(self, waiting: WaitingTurn) -> bool:
        """Write a turn that waits; False if it has to wait on, with those after it."""
        async with self._settling:
            if waiting not in self._waiting:  # written or forgotten meanwhile
                return True
            try:
                await self._record(waiting)
            except StateUnwritableError as error:
                self._losing = error
                return False
            except StateError as error:
                self._losing = error
                self._counted["lost"] += 1
            self._waiting.done(waiting)
        # Writing one does not wait for anything: with many, requests would wait for all.
        await asyncio.sleep(0)
        return True

    async def settling(self) -> None:
        """Settle every second while turns wait, until cancelled."""
        while True:
            await self._waiting.some.wait()
            await asyncio.sleep(SETTLE_SECONDS)
            await self.settle()

    async def close(self) -> None:
        """Settle a last time. What waits still is lost, and the log says how much that is."""
        await self.settle()
        if self._waiting:
            log.error(
                "%d turns are lost: they waited in memory for the state's file to be put back",
                len(self._waiting),
            )

    async def thread(self, scope: Scope, name: str, limit: int) -> list[Turn]:
        """The newest recorded turns that a request continues from, in order. Raises StateError."""
        return await self._conversations.thread(scope, name, limit=limit)

    def note_unreadable(self, exchange: Exchange) -> None:
        """Count a turn whose answer cannot be read; the first is logged."""
        self._counted["unreadable"] += 1
        if self._counted["unreadable"] == 1:
            log.warning(
                "a turn of conversation %s is not kept: nothing in the answer of model %.80r can "
                "be read. Further ones are only counted: jobs.unreadable in /readyz",
                exchange.conversation_id,
                exchange.model,
            )

    def forget(self, owner_ref: Scope | str, memory_id: str | None = None) -> None:
        """Forget the turns of a scope or a tenant; the deletion of one memory changes none."""
        if memory_id is None:
            self._open.forget(owner_ref)
            self.last_turns.forget(owner_ref)

    def clear(self) -> None:
        """Forget all turns in this process, but for those that wait and are nowhere else."""
        self._open.clear()
        self.last_turns.clear()

    def emptied(self, owner_ref: Scope | str) -> None:
        """All of a scope or a tenant is forgotten: with it the turns that wait.

        In contrast to `forget`, which is told of deletions too and drops what can be found again.
        """
        self._waiting.forget(owner_ref)

    def _due(self, turn: Turn, recorded: Recorded) -> str | None:
        if turns_due(recorded.pending, every=self._options.every_turns):
            return "turns"
        before = recorded.pending_tokens - turn.tokens
        every = self._options.every_tokens
        return "tokens" if tokens_due(before, recorded.pending_tokens, every=every) else None

    async def _enqueue(self, turn: Turn, seq: int, reason: str) -> bool:
        """Add a job, unless the queue is full: the idle check finds the turns later."""
        if await self._jobs.depth() >= self._options.max_queued:
            self._counted["overflow"] += 1
            return False
        return await self._jobs.put(job_for(turn, seq, reason=reason))

    async def _turn(self, exchange: Exchange, answer: Answer) -> Turn | None:
        if exchange.unsaid == "":
            return None
        played = exchange.unsaid is None and await self.plays(exchange.heard)
        before = NOTHING if played or exchange.unsaid is not None else preceding_question(exchange)
        texts = await self._texts(exchange, answer, before)
        if not texts.user.strip():
            return None
        return Turn(
            id=exchange.turn_id,
            conversation_id=exchange.conversation_id,
            scope=exchange.scope,
            user_text=texts.user,
            assistant_text=texts.answer,
            model=exchange.model,
            created_at=self._clock(),
            steps=tuple(texts.steps),
            recalled=_recalled(exchange),
            asked=_asked(exchange),
            images=self._pictures(exchange),
            tokens=tokens_of(texts),
            response_id=answer.response_id,
            upstream_id=exchange.upstream_id,
            upstream=exchange.upstream,
            zone=exchange.zone,
            before=PrecedingQuestion(plays=True) if played else before.kept(texts.before),
        )

    async def _texts(
        self, exchange: Exchange, answer: Answer, before: RawPrecedingQuestion
    ) -> Texts:
        """The turn's texts, redacted and bounded."""
        key = TurnKey(exchange.scope, exchange.turn_id)
        known = self._open.find(key)
        resent = last_user_index(exchange.messages) is not None
        raw = Texts(
            user=turn_text(exchange.messages, exchange.asked),
            answer=answer.text,
            steps=bounded(steps_of(exchange.messages, () if resent else known.calls)),
            before=before.asked,
        )
        if exchange.unsaid is not None:
            # The answer and what tools found repeat what is to be forgotten.
            raw = Texts(user=exchange.unsaid, answer=NOT_SAID, steps=())
        kept, originals = await self._prepared(raw, known.kept, exchange.scope)
        if not resent:
            kept = replace(kept, steps=bounded([*known.steps, *kept.steps]))
        self._open.note(key, OpenTurn(tuple(kept.steps), answer.tool_calls, originals))
        return kept

    async def _prepared(
        self, raw: Texts, before: Mapping[int, str], scope: Scope
    ) -> tuple[Texts, Mapping[int, str]]:
        """The texts to keep, and each redacted text by the hash of its original."""
        limit = self._options.max_answer_chars
        once = Once(self._redacting, before)
        # Without a redactor texts are only cut, which is quick.
        if (
            self._redact is None
            or raw.size <= INLINE_CHARS
            or work(raw, once, limit) <= INLINE_CHARS
        ):
            return prepare(raw, once, limit), once.kept
        try:
            async with asyncio.timeout(PREPARE_SECONDS):
                # A client that tries again sends the same texts while the first are redacted still.
                kept = await self._bulk.run_shared(
                    scope, raw.key, lambda: (prepare(raw, once, limit), once.kept)
                )
        except TimeoutError:
            # Unredacted text is never written, and the answer does not wait longer.
            self._counted["late"] += 1
            log.error("a turn's texts are not kept: they were not redacted in time")  # noqa: TRY400
            return Texts(user=NOT_KEPT, answer=NOT_KEPT, steps=()), {}
        return kept

    def _pictures(self, exchange: Exchange) -> tuple[str, ...]:
        index = last_user_index(exchange.messages)
        if not self._images or index is None:
            return ()
        return kept_images(exchange.messages[index].images, self._redact)


def _asked(exchange: Exchange) -> tuple[str, ...]:
    """Ids of the memories that bear on this message by themselves.

    No wishes, no newer or earlier statement beside one, nothing that only a better one leads to.
    """
    chosen = exchange.selection.chosen if exchange.selection is not None else ()
    own = (
        hit.item
        for hit in chosen
        if not hit.role
        and (hit.step is None or not hit.step.alone)
        and version_of(hit.item) in exchange.injected
    )
    return tuple(dict.fromkeys(item.id for item in own if not is_passage(item.id)))


def _recalled(exchange: Exchange) -> tuple[str, ...]:
    """Ids of the memories that the model saw, of this recall and in blocks of earlier turns.

    What the user only said is no memory yet, so nothing is counted or learned of it.
    """
    # This turn's memories first: the answer is likelier to repeat them.
    versions = [*sorted(exchange.injected), *sorted(exchange.shown)]
    ids = dict.fromkeys(version.rpartition(" ")[0] for version in versions)
    return tuple(each for each in ids if not is_passage(each))[:MAX_RECALLED]
