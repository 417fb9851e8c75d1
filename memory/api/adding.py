"""Remembers conversations and runs of agents, for `AsyncMemory`."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import Any

from ..learn import (
    CRITERION,
    Batch,
    Given,
    Learned,
    PictureDescriber,
    Skipped,
    SkipReason,
    as_given,
    bounded_run,
    ended_badly,
    narrowed,
    record_of,
    redacted_turn,
    run_of,
    starts_of,
    turns_of,
    unfinished_record,
)
from ..llms import TimedModel
from ..model import inputs
from ..model.errors import (
    AddTimeoutError,
    EmbeddingError,
    ExtractionError,
    InvalidInputError,
)
from ..model.messages import MAX_RUN_MESSAGES, parse_messages
from ..model.ports import ChatModel
from ..model.turn_ids import conversation_id_of
from ..model.types import MemoryEvent, MemoryType, Message, Scope, Turn, utc_now
from ..model.usage import ReuseOutcome, checked_outcome
from ..operations.common import Time
from ..query import EVERYTHING, Filter, MemorySelector
from ..util.destinations import READERS
from ..util.loops import guarded
from .recording import RecordedAddition, Recording, recording_of
from .results import AddResult, event_dict, skipped_dict
from .view import TenantView

NOT_STORED = "nothing was stored: {failure}; the model that extracts facts is set in learn.llm"
NOT_ADDED = f"{NOT_STORED}, and `infer` false stores the messages as they are"
_NOT_COMPARED = "only ids go with infer false: facts alone are compared with memories"
RECORD = "run"
"""The key of a procedure's metadata that has the record of its run."""
_LEFT_SHARE, _MOST_LEFT = 0.1, 1.0
"""The part of an addition's time, and its most seconds, that is left for what follows the answers
of the model: a fact that is undecided then is stored all the same."""


MOST_AHEAD = 1024
"""Texts that are embedded ahead; the embedder's cache has room for twice as many."""


@dataclass(frozen=True, slots=True)
class Addition:
    """A call of `add` whose arguments are checked."""

    carry_out: Callable[[], Awaitable[AddResult]]
    texts: Sequence[str] = ()
    """What will be stored as it is."""


class Adder:
    """A method returns when its facts are stored; in a program, nothing runs behind it."""

    def __init__(self, view: TenantView) -> None:
        self._view = view
        self._engine = view.engine

    async def addition(
        self,
        scope: Scope,
        messages: str | Mapping[str, Any] | Sequence[Mapping[str, Any] | Message],
        *,
        among: MemorySelector,
        metadata: Mapping[str, Any] | None,
        infer: bool,
        dedupe: bool,
        prompt: str | None,
        template: str | None = None,
        includes: str | None,
        excludes: str | None,
        timestamp: Time,
        type: MemoryType | str | None,  # noqa: A002 - the field's name
        importance: float | None,
        session: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109 - of what the model does
    ) -> Addition:
        """What `AsyncMemory.add` does with these arguments, which are checked.

        `among` are the memories that facts are compared with.
        """
        conversation = parse_messages(messages)
        inputs.check_metadata(metadata)
        for name, wanted in (("includes", includes), ("excludes", excludes)):
            inputs.check_note(name, wanted)
            if wanted is not None and not infer:
                raise InvalidInputError(name, "goes with infer only: without it all is stored")
        if among.where != EVERYTHING and not infer:
            raise InvalidInputError("filters", _NOT_COMPARED)
        if prompt is not None and template is not None:
            raise InvalidInputError("template", "goes without prompt, which replaces it")
        template_told = self._engine.options.learn.instructions(template)
        looks = self._engine.learner.describer(self._engine.vision_of(scope.tenant), template)
        at = utc_now() if timestamp is None else inputs.checked_moment(timestamp)
        kind = inputs.checked_type(type)
        seconds = self._seconds(timeout)
        kept = await self._view.clean(scope, metadata)
        call = replace(_call(scope, at, kept), type=kind, importance=importance)
        call = _in_conversation(call, session)
        if not infer:
            said = await _described(conversation, looks, seconds)
            given = await self._given(said, call)
            texts = [each.text for piece in given.pieces for each in piece.decisions]
            return Addition(lambda: self._store_given(given, said, call, dedupe=dedupe), texts)
        told = narrowed(prompt or template_told, includes=includes, excludes=excludes)
        where = (await self._engine.queries.resolved(scope, among)).where
        return Addition(lambda: self._learn_said(conversation, call, told, looks, where, seconds))

    async def embed_ahead(self, texts: Sequence[str]) -> None:
        """Embed texts at once, so that the embedder has them when each is stored.

        What cannot be embedded is found out again, and told, where it is stored.
        """
        with suppress(EmbeddingError):
            await self._engine.parts.embedder.embed(texts[:MOST_AHEAD])

    async def add_procedure(
        self,
        scope: Scope,
        messages: Sequence[Mapping[str, Any] | Message],
        *,
        metadata: Mapping[str, Any] | None,
        success: str | None,
        outcome: str | None,
        prompt: str | None,
        timestamp: Time,
        timeout: float | None,  # noqa: ASYNC109 - of what the model does, not of the write
    ) -> AddResult:
        """See `AsyncMemory.add_procedure`."""
        metadata = _with_criterion(metadata, success)
        at = utc_now() if timestamp is None else inputs.checked_moment(timestamp)
        seconds = self._seconds(timeout)
        call = replace(_call(scope, at, {}), type=MemoryType.PROCEDURAL)
        how = None if outcome is None else checked_outcome(outcome)
        said = parse_messages(messages, most=MAX_RUN_MESSAGES)
        turns = turns_of(said, scope, at=at, batch=call.id)
        if not turns:
            raise InvalidInputError("messages", "expected the messages of a run")
        redact, whole = self._engine.redact, run_of(turns)
        unfinished = ended_badly(whole) if how is None else how is ReuseOutcome.FAILURE
        cleaned = bounded_run if unfinished else redacted_turn
        run = await self._engine.bulk.run(scope, lambda: cleaned(whole, redact))
        record = unfinished_record(run, len(whole.steps)) if unfinished else record_of(run)
        kept = {**await self._view.clean(scope, metadata), RECORD: record}
        try:
            inputs.check_metadata(kept)
        except InvalidInputError as error:
            raise InvalidInputError("messages", f"the record of the run {error.expected}") from None

        async def decide(model: ChatModel) -> tuple[Learned, Recording | None]:
            learned = await self._engine.learner.induced(
                scope, run, model, batch=call.id, prompt=prompt, unfinished=unfinished
            )
            return learned, None

        return await self._learn(replace(call, metadata=kept), decide, seconds)

    async def _learn_said(
        self,
        conversation: Sequence[Message],
        call: Batch,
        prompt: str | None,
        looks: PictureDescriber | None,
        where: Filter,
        seconds: float,
    ) -> AddResult:
        """Learn what was said, and record it if it is of a conversation."""
        starts = starts_of(conversation, call.id)

        async def decide(model: ChatModel) -> tuple[Learned, Recording | None]:
            played = await self._engine.stage.each(conversation)
            turns: Sequence[Turn] = await self._turns(conversation, call, played)
            recording = await self._recording(turns, call)
            turns = turns if recording is None else recording.turns
            starts.update(zip((turn.id for turn in turns), [*starts.values()], strict=True))
            learned = await self._engine.learner.decide(
                call.scope,
                turns,
                model,
                batch=call.id,
                prompt=prompt,
                earlier=() if recording is None else recording.earlier,
                vision=looks,
                where=where,
            )
            return learned, recording

        return await self._learn(call, decide, seconds, starts)

    async def _learn(
        self,
        call: Batch,
        decide: Callable[[ChatModel], Awaitable[tuple[Learned, Recording | None]]],
        seconds: float,
        starts: Mapping[str, int] | None = None,
    ) -> AddResult:
        """Carry out what is decided within these seconds. Raises AddTimeoutError.

        `starts` has the place of each turn among the messages of the call.
        """
        # The write is outside: stopped in the middle, it would leave half of an addition.
        try:
            async with _in_time(seconds):
                guard = await self._engine.learner.guard(call.scope)
                learned, recording = await decide(self._timed_model(seconds))
        except ExtractionError as error:
            raise ExtractionError(f"{error}; {error.advice}", error.raw) from None
        self._engine.on_decided(learned.decisions)
        also = None if recording is None else RecordedAddition(recording, learned)
        applied = await self._engine.learner.carry_out(
            learned.decisions, call, guard, also=also, whole=False
        )
        result = _result(call, applied.events)
        await self._keep_room(call.scope, result)
        if also is not None:
            await also.follow(self._engine)
        if learned.rejected:
            result["rejected"] = dict(learned.rejected)
        if found := sorted({(starts or {}).get(each, -1) for each in learned.not_embedded} - {-1}):
            lost = SkipReason.NOT_EMBEDDED
            result["skipped"] = [skipped_dict(Skipped(index, lost)) for index in found]
        return result

    async def _keep_room(self, scope: Scope, result: AddResult) -> None:
        """Do what a walk in the background would do, where there is none, and tell it."""
        retention = self._engine.background.retention

        async def room() -> None:
            if archived := await retention.keep_room(scope, len(result["results"])):
                result["archived"] = archived

        if not self._engine.is_running:
            await guarded(room)

    def _seconds(self, timeout: float | None) -> float:
        return inputs.checked_timeout(timeout, self._engine.options.learn.add_seconds)

    def _timed_model(self, seconds: float) -> ChatModel:
        left = min(_LEFT_SHARE * seconds, _MOST_LEFT)
        until = asyncio.get_running_loop().time() + seconds - left
        return TimedModel(self._view.chat_model, until=until, late=lambda: AddTimeoutError(seconds))

    async def _turns(
        self, conversation: Sequence[Message], call: Batch, played: Sequence[bool]
    ) -> list[Turn]:
        redact = self._engine.redact
        said = turns_of(conversation, call.scope, at=call.at, batch=call.id, played=played)
        return await self._engine.bulk.run(
            call.scope, lambda: [redacted_turn(turn, redact) for turn in said]
        )

    async def _recording(self, turns: Sequence[Turn], call: Batch) -> Recording | None:
        """How the turns of a call are recorded; None if they are of no conversation."""
        conversation_id = call.provenance.conversation_id
        if conversation_id is None or not turns:
            return None
        most = self._engine.options.learn.max_answer_chars
        state = self._engine.parts.state
        return await recording_of(state.conversations, conversation_id, turns, most_chars=most)

    async def _given(self, conversation: Sequence[Message], batch: Batch) -> Given:
        redact = self._engine.redact
        return await self._engine.bulk.run(
            batch.scope, lambda: as_given(conversation, batch.id, redact)
        )

    async def _store_given(
        self, given: Given, conversation: Sequence[Message], batch: Batch, *, dedupe: bool
    ) -> AddResult:
        also = None
        turns = (
            await self._turns(conversation, batch, ()) if batch.provenance.conversation_id else ()
        )
        if (recording := await self._recording(turns, batch)) is not None:
            given = given.said_in(partial(recording.turn_at, starts_of(conversation, batch.id)))
            also = RecordedAddition(recording)
        stored = await self._engine.direct.store(given, batch, dedupe=dedupe, also=also)
        result = _result(batch, stored.events)
        await self._keep_room(batch.scope, result)
        if also is not None:
            await also.follow(self._engine)
        if stored.skipped:
            result["skipped"] = [skipped_dict(one) for one in stored.skipped]
        return result


@asynccontextmanager
async def _in_time(seconds: float) -> AsyncIterator[None]:
    """Bound what a model does for one addition. Raises AddTimeoutError."""
    limit = asyncio.timeout(seconds)
    try:
        async with limit:
            yield
    except TimeoutError:
        if not limit.expired():
            raise
        raise AddTimeoutError(seconds) from None


async def _described(
    conversation: Sequence[Message], looks: PictureDescriber | None, seconds: float
) -> Sequence[Message]:
    """The messages with descriptions of their pictures, where a model is set that looks."""
    if looks is None or not any(message.images for message in conversation):
        return conversation
    async with _in_time(seconds):
        return await looks.messages(conversation)


def _call(scope: Scope, at: datetime, metadata: Mapping[str, Any]) -> Batch:
    """The batch of a call: the same content, added again later, is a new event.

    What a model writes down was told to it.
    """
    call = Batch.of_call(uuid.uuid4().hex, scope, at.astimezone(UTC), metadata)
    told = tuple(sorted({one.told for one in READERS.get()}))
    return replace(call, provenance=replace(call.provenance, told_to=told))


def _in_conversation(call: Batch, session: str | None) -> Batch:
    """The batch of a call whose messages are of a conversation, if it names one or is of a run."""
    inputs.check_note("session", session)
    name = session or call.scope.run_id
    if name is None:
        return call
    conversation_id = conversation_id_of(call.scope, name, ())
    return replace(call, provenance=replace(call.provenance, conversation_id=conversation_id))


def _result(call: Batch, events: Sequence[MemoryEvent]) -> AddResult:
    result = AddResult(results=[event_dict(event) for event in events])
    if (conversation_id := call.provenance.conversation_id) is not None:
        result["conversation_id"] = conversation_id
    return result


def _with_criterion(
    metadata: Mapping[str, Any] | None, success: str | None
) -> Mapping[str, Any] | None:
    """The metadata of a procedure, with how it is known that the task is done."""
    inputs.check_metadata(metadata)
    if metadata and RECORD in metadata:
        raise InvalidInputError("metadata", f"must not have {RECORD!r}: that is the record")
    inputs.check_note("success", success)
    return metadata if success is None else {**(metadata or {}), CRITERION: success}
