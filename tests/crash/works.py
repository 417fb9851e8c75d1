"""What the processes of crash runs do: learn, learn and forget, and look after memories."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from recollect.filters.capture import Capture, conversation_id_of, turn_id_of
from recollect.filters.exchange import Answer, Exchange
from recollect.memory.jobs.upkeep import upkeep_job
from recollect.memory.model.jobs import JobKind
from recollect.memory.model.types import (
    MemoryItem,
    MemoryType,
    Message,
    Provenance,
    Scope,
    Source,
    StoredMemory,
    Turn,
)
from tests.crash.model import FACTS
from tests.crash.stage import PAUSE_SECONDS, Stage

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
Work = Callable[[Stage], Awaitable[None]]
EARLY = 2
"""Turns of each user before something is forgotten."""
KINDS = (JobKind.CONSOLIDATE, JobKind.EPISODE, JobKind.REFLECT)
NOTES = (
    "User plays the oboe in an orchestra in Bergen",
    "User practises the oboe on Mondays in Bergen",
    "User bought a new oboe in Bergen in May",
    "User teaches the oboe to children in Bergen",
    "User repairs the oboe at home in Bergen",
)
"""Of one topic."""
TWICE = "User speaks Finnish and Swedish"
SAID = ("I play the oboe in an orchestra.", "I decided to move to Bergen in May.")


def fact_of(text: str) -> str:
    """The memory that is learned from what was said."""
    return next(f"User {fact}" for fact in FACTS if f": {fact}." in text)


async def nothing(_: Stage) -> None:
    """Nothing is there before."""


async def learn(stage: Stage) -> None:
    """Turns are captured and learned."""
    await _say(stage, stage.spec.turns)
    await stage.worked()


async def forget(stage: Stage) -> None:
    """While later turns are learned, one memory is forgotten, and all of another user."""
    first, *_ = stage.spec.turns
    seen: dict[str, int] = {}
    early, late = [], []
    for turn in stage.spec.turns:
        seen[turn[0]] = seen.get(turn[0], 0) + 1
        (early if seen[turn[0]] <= EARLY else late).append(turn)
    await _say(stage, early)
    await stage.worked()
    await _say(stage, late)
    if stage.spec.worker == 0:
        await asyncio.gather(stage.worked(), _forget(stage, *first))
    await stage.worked()


async def _forget(stage: Stage, user: str, text: str) -> None:
    forgetter, store = stage.engine.forgetter, stage.engine.parts.store
    scopes = stage.scopes
    own, other = scopes[user], next(scope for name, scope in scopes.items() if name != user)

    async def forget_one() -> None:
        found = await store.list(own, limit=None)
        await forgetter.forget_ids(own, [each.id for each in found if each.text == fact_of(text)])

    await stage.again(forget_one)
    await stage.again(lambda: forgetter.forget_scope(other))


async def _say(stage: Stage, turns: Sequence[list[str]]) -> None:
    """As clients do: a turn that was not acknowledged is sent again. Each worker hears some."""
    spec, state = stage.spec, stage.engine.parts.state
    learn = stage.engine.options.learn
    capture = Capture(state.conversations, state.jobs, learn, clock=stage.clock.now)
    said: dict[str, list[Message]] = {}
    for user, text in spec.turns:
        said.setdefault(user, []).append(Message(role="user", content=text))
        mine = len(said[user]) % spec.workers == spec.worker
        if [user, text] not in turns or not mine or _line(user, text) in _acknowledged(stage):
            continue
        exchange = _exchange(stage.scopes[user], said[user])
        await stage.again(lambda exchange=exchange: capture.response(exchange, Answer("Noted.")))
        with (spec.place / f"acknowledged-{spec.worker}").open("a") as file:
            file.write(_line(user, text))
    while not _acknowledged(stage).issuperset(_line(*turn) for turn in turns):
        await asyncio.sleep(PAUSE_SECONDS)


def _line(user: str, text: str) -> str:
    return f"{user}|{text}\n"


def _acknowledged(stage: Stage) -> set[str]:
    files = stage.spec.place.glob("acknowledged-*")
    return {line for file in files for line in file.read_text().splitlines(keepends=True)}


def _exchange(scope: Scope, messages: list[Message]) -> Exchange:
    conversation_id = conversation_id_of(scope, "session", messages)
    return Exchange(
        scope=scope,
        messages=list(messages),
        model="m",
        conversation_id=conversation_id,
        turn_id=turn_id_of(conversation_id, messages),
    )


async def notes(stage: Stage) -> None:
    """Notes of one topic, one that is there twice, and a conversation that was learned."""
    done = stage.spec.place / "given"
    if stage.spec.worker:
        while not done.exists():
            await asyncio.sleep(PAUSE_SECONDS)
    if done.exists():
        return
    engine = stage.engine
    conversations = engine.parts.state.conversations
    for scope in stage.scopes.values():
        texts = [*NOTES, TWICE, TWICE]
        vectors = await engine.parts.embedder.embed(texts)
        items = [_item(scope, number, text) for number, text in enumerate(texts)]
        await engine.parts.store.put(list(map(StoredMemory, items, vectors)))
        for number, text in enumerate(SAID):
            turn = Turn(
                id=f"{_conversation(scope)}/{number}",
                conversation_id=_conversation(scope),
                scope=scope,
                user_text=text,
                assistant_text="Noted.",
                model="m",
                created_at=NOON + timedelta(minutes=number),
            )
            await conversations.record(turn)
        await conversations.mark_learned(_conversation(scope), len(SAID))
    done.touch()


def _conversation(scope: Scope) -> str:
    return f"crash-{scope.user_id}"


def _item(scope: Scope, number: int, text: str) -> MemoryItem:
    at = NOON + timedelta(days=number)
    return MemoryItem(
        id=f"{scope.user_id}-{number}",
        text=text,
        type=MemoryType.SEMANTIC,
        scope=scope,
        created_at=at,
        updated_at=at,
        valid_from=at,
        embedder_id="fake",
        importance=0.9,
        provenance=Provenance(source=Source.EXTRACTION, matter=f"{scope.user_id}-{number}"),
    )


async def upkeep(stage: Stage) -> None:
    """One job of each kind for each user; those that are there are not put again."""
    jobs = stage.engine.parts.state.jobs
    for scope in stage.scopes.values():
        for kind in KINDS:
            job = replace(
                upkeep_job(kind, scope, f"{scope.user_id}", reason="call"),
                conversation_id=_conversation(scope),
                upto_seq=len(SAID),
            )
            await stage.again(lambda job=job: jobs.put(job))
    await stage.worked()


WORKS: Mapping[str, Work] = {"learn": learn, "forget": forget, "upkeep": upkeep}
GIVEN: Mapping[str, Work] = {"learn": nothing, "forget": nothing, "upkeep": notes}
