"""Remembers conversations and runs of agents, for `AsyncMemory`."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import Any

from ..learn import (
    Batch,
    Given,
    Learned,
    Skipped,
    SkipReason,
    as_given,
    narrowed,
    record_of,
    redacted_turn,
    run_of,
    starts_of,
    turns_of,
)
from ..llms import TimedModel
from ..model import inputs
from ..model.errors import (
    AddTimeoutError,
    EmbeddingError,
    ExtractionError,
    InvalidInputError,
)
from ..model.messages import parse_messages
from ..model.ports import ChatModel
from ..model.types import MemoryType, Message, Scope, utc_now
from ..operations.common import Time
from ..query import EVERYTHING, Filter, MemorySelector
from ..util.loops import guarded
from .results import AddResult, event_dict, skipped_dict
from .view import TenantView

NOT_STORED = "nothing was stored: {failure}; the model that extracts facts is set in learn.llm"
NOT_ADDED = f"{NOT_STORED}, and `infer` false stores the messages as they are"
_NOT_COMPARED = "only ids go with infer false: facts alone are compared with memories"
RECORD = "run"
"""The key of a procedure's metadata that has the record of its run."""
CRITERION = "success"
"""The key that says how it is known that the task is done."""
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
        includes: str | None,
        excludes: str | None,
        timestamp: Time,
        type: MemoryType | str | None,  # noqa: A002 - the field's name
        importance: float | None,
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
        at = utc_now() if timestamp is None else inputs.checked_moment(timestamp)
        kind = inputs.checked_type(type)
        seconds = self._seconds(timeout)
        kept = await self._view.clean(scope, metadata)
        call = replace(_call(scope, at, kept), type=kind, importance=importance)
        if not infer:
            given = await self._given(conversation, call)
            texts = [each.text for piece in given.pieces for each in piece.decisions]
            return Addition(lambda: self._store_given(given, call, dedupe=dedupe), texts)
        learn = self._engine.options.learn
        told = narrowed(prompt or learn.prompt, includes=includes, excludes=excludes)
        starts = starts_of(conversation, call.id)

        where = (await self._engine.queries.resolved(scope, among)).where

        async def decide(model: ChatModel) -> Learned:
            return await self._extract(
                conversation, model, at=at, call=call, prompt=told, where=where
            )

        return Addition(lambda: self._learn(call, decide, seconds, starts))

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
        prompt: str | None,
        timestamp: Time,
        timeout: float | None,  # noqa: ASYNC109 - of what the model does, not of the write
    ) -> AddResult:
        """See `AsyncMemory.add_procedure`."""
        metadata = _with_criterion(metadata, success)
        at = utc_now() if timestamp is None else inputs.checked_moment(timestamp)
        seconds = self._seconds(timeout)
        call = replace(_call(scope, at, {}), type=MemoryType.PROCEDURAL)
        turns = turns_of(parse_messages(messages), scope, at=at, batch=call.id)
        if not turns:
            raise InvalidInputError("messages", "expected the messages of a run")
        redact = self._engine.redact
        run = await self._engine.bulk.run(scope, lambda: redacted_turn(run_of(turns), redact))
        kept = {**await self._view.clean(scope, metadata), RECORD: record_of(run)}
        try:
            inputs.check_metadata(kept)
        except InvalidInputError as error:
            raise InvalidInputError("messages", f"the record of the run {error.expected}") from None
        induced = partial(self._engine.learner.induced, scope, run, batch=call.id, prompt=prompt)
        return await self._learn(replace(call, metadata=kept), induced, seconds)

    async def _learn(
        self,
        call: Batch,
        decide: Callable[[ChatModel], Awaitable[Learned]],
        seconds: float,
        starts: Mapping[str, int] | None = None,
    ) -> AddResult:
        """Carry out what is decided within these seconds. Raises AddTimeoutError.

        `starts` has the place of each turn among the messages of the call.
        """
        # The write is outside: stopped in the middle, it would leave half of an addition.
        limit = asyncio.timeout(seconds)
        try:
            async with limit:
                guard = await self._engine.learner.guard(call.scope)
                learned = await decide(self._timed_model(seconds))
        except TimeoutError:
            if not limit.expired():
                raise
            raise AddTimeoutError(seconds) from None
        except ExtractionError as error:
            raise ExtractionError(f"{error}; {error.advice}", error.raw) from None
        applied = await self._engine.learner.carry_out(learned.decisions, call, guard)
        await self._keep_room(call.scope, len(applied.events))
        result = AddResult(results=[event_dict(event) for event in applied.events])
        if learned.rejected:
            result["rejected"] = dict(learned.rejected)
        if found := sorted({(starts or {}).get(each, -1) for each in learned.not_embedded} - {-1}):
            lost = SkipReason.NOT_EMBEDDED
            result["skipped"] = [skipped_dict(Skipped(index, lost)) for index in found]
        return result

    async def _keep_room(self, scope: Scope, added: int) -> None:
        """Do what a walk in the background would do, where there is none."""
        if not self._engine.is_running:
            retention = self._engine.background.retention
            await guarded(lambda: retention.keep_room(scope, added))

    def _seconds(self, timeout: float | None) -> float:
        return inputs.checked_timeout(timeout, self._engine.options.learn.add_seconds)

    def _timed_model(self, seconds: float) -> ChatModel:
        left = min(_LEFT_SHARE * seconds, _MOST_LEFT)
        until = asyncio.get_running_loop().time() + seconds - left
        return TimedModel(self._view.chat_model, until=until, late=lambda: AddTimeoutError(seconds))

    async def _extract(
        self,
        conversation: Sequence[Message],
        model: ChatModel,
        *,
        at: datetime,
        call: Batch,
        prompt: str | None,
        where: Filter,
    ) -> Learned:
        scope, redact = call.scope, self._engine.redact
        played = await self._engine.stage.each(conversation)
        said = turns_of(conversation, scope, at=at, batch=call.id, played=played)
        turns = await self._engine.bulk.run(
            scope, lambda: [redacted_turn(turn, redact) for turn in said]
        )
        vision = self._engine.vision_of(scope.tenant)
        return await self._engine.learner.decide(
            scope, turns, model, batch=call.id, prompt=prompt, vision=vision, where=where
        )

    async def _given(self, conversation: Sequence[Message], batch: Batch) -> Given:
        redact = self._engine.redact
        return await self._engine.bulk.run(
            batch.scope, lambda: as_given(conversation, batch.id, redact)
        )

    async def _store_given(self, given: Given, batch: Batch, *, dedupe: bool) -> AddResult:
        stored = await self._engine.direct.store(given, batch, dedupe=dedupe)
        await self._keep_room(batch.scope, len(stored.events))
        result = AddResult(results=[event_dict(event) for event in stored.events])
        if stored.skipped:
            result["skipped"] = [skipped_dict(one) for one in stored.skipped]
        return result


def _call(scope: Scope, at: datetime, metadata: Mapping[str, Any]) -> Batch:
    """The batch of a call: the same content, added again later, is a new event."""
    return Batch.of_call(uuid.uuid4().hex, scope, at.astimezone(UTC), metadata)


def _with_criterion(
    metadata: Mapping[str, Any] | None, success: str | None
) -> Mapping[str, Any] | None:
    """The metadata of a procedure, with how it is known that the task is done."""
    inputs.check_metadata(metadata)
    if metadata and RECORD in metadata:
        raise InvalidInputError("metadata", f"must not have {RECORD!r}: that is the record")
    inputs.check_note("success", success)
    return metadata if success is None else {**(metadata or {}), CRITERION: success}
