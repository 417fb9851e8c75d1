"""One process of a crash run of upkeep: jobs of every kind, on real parts; it may be killed.

What is there before is put once by the first process. The model answers from a script, so that an
undisturbed run and an interrupted one can be compared row by row.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from recollect.memory.database.history import SqlHistory
from recollect.memory.embedders import FakeEmbedder
from recollect.memory.engine.options import EngineOptions
from recollect.memory.engine.upkeeping import steps_of
from recollect.memory.jobs.upkeep import upkeep_job
from recollect.memory.jobs.worker import Worker
from recollect.memory.model.errors import RecollectError
from recollect.memory.model.jobs import JobKind
from recollect.memory.model.types import (
    ChatRequest,
    JobState,
    MemoryItem,
    MemoryStatus,
    MemoryType,
    Provenance,
    Scope,
    Source,
    StoredMemory,
    Turn,
)
from recollect.memory.stores import open_store
from recollect.memory.upkeep.reflect.questions import QUESTIONS_PROMPT
from tests.crash.disk import Disk, store_process
from tests.crash.failpoints import Failing, Point
from tests.crash.stage import (
    OPTIONS,
    Clock,
    Scripted,
    Spec,
    fault_of,
    finish,
    open_the_state,
    store_options,
    take_writes,
)
from tests.memory.state.samples import NOON
from tests.support.learning import worker_of
from tests.support.parts import parts_of

KINDS = (JobKind.CONSOLIDATE, JobKind.EPISODE, JobKind.REFLECT)
CONVERSATION = "crash"
ALL = frozenset(MemoryStatus)
ENGINE = EngineOptions.model_validate({"upkeep": {"reflect": {"enabled": True}}})
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
INSIGHT = "User plays, practises and teaches the oboe in Bergen"
EPISODE = "User plays the oboe in an orchestra and decided to move to Bergen in May.\nImportance: 8"


def _answer(request: ChatRequest) -> str:
    fields = set((request.schema or {}).get("properties", {}))
    if "points" in fields:
        return json.dumps({"points": [{"text": "User plays the oboe in Bergen", "notes": [1]}]})
    if request.messages[0].content == QUESTIONS_PROMPT:
        return "1. Where in Bergen does the user play the oboe in an orchestra?"
    if "insight" in fields:
        return json.dumps({"insight": INSIGHT, "notes": [1, 2]})
    if "decisions" in fields:
        return json.dumps({"decisions": []})
    return EPISODE if not fields else json.dumps({})


def run(spec: dict[str, Any]) -> None:
    """Do what a `Spec` says."""
    finish(Spec(**spec), _run)


async def _run(spec: Spec) -> dict[str, Any]:
    embedder = FakeEmbedder()
    disk = Disk(spec.fault)
    state = await open_the_state(spec)
    history = SqlHistory(state.scripts)
    store = await open_store(store_options(spec), embedder_id=embedder.id, dim=embedder.dim)
    clock = Clock()
    scopes = [Scope(tenant="local", user_id=user) for user in sorted({u for u, _ in spec.turns})]
    await _given(spec, state, store, embedder, scopes)
    failures = [spec.fault] * 2 if spec.fault.startswith("llm") else []
    names = ("conversations", "jobs", "tombstones", "usage", "runs")
    parts: dict[str, Any] = {name: getattr(state, name) for name in names}
    parts |= {"history": history, "store": store, "model": Scripted(failures, _answer)}
    if spec.point is not None:
        point = Point(**spec.point)
        disk.child = store_process(store)
        fail = fault_of(spec, clock, disk)
        parts = {name: Failing(part, name, point, fail) for name, part in parts.items()}

    async def models(_tenant: str, _model: str) -> Any:
        return parts["model"]

    chosen = {name: part for name, part in parts.items() if name != "model"}
    chosen |= {
        "locks": state.locks,
        "embedder": embedder,
        "ledger": state.ledger,
        "standings": state.standings,
    }
    worker = worker_of(models=models, options=OPTIONS, clock=clock, **chosen)
    worker.upkeep.add(*steps_of(parts_of(**chosen), ENGINE))
    await _enqueued(parts["jobs"], scopes)
    await _until_done(state, worker)
    disk.heal()
    await take_writes(spec)
    outcome = await _outcome(scopes, state, history, store)
    await store.close()
    await state.close()
    return outcome


async def _given(
    spec: Spec, state: Any, store: Any, embedder: FakeEmbedder, scopes: Sequence[Scope]
) -> None:
    """What is there before: notes of one topic, one that is there twice, and a conversation."""
    done = Path(spec.folder) / "given"
    if done.exists():
        return
    for scope in scopes:
        texts = [*NOTES, TWICE, TWICE]
        vectors = await embedder.embed(texts)
        items = [_item(scope, number, text) for number, text in enumerate(texts)]
        await store.put([StoredMemory(i, v) for i, v in zip(items, vectors, strict=True)])
        name = f"{CONVERSATION}-{scope.user_id}"
        for number, text in enumerate(SAID):
            turn = Turn(
                id=f"{name}/{number}",
                conversation_id=name,
                scope=scope,
                user_text=text,
                assistant_text="Noted.",
                model="m",
                created_at=NOON + timedelta(minutes=number),
            )
            await state.conversations.record(turn)
        await state.conversations.mark_learned(name, len(SAID))
    done.touch()


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


async def _enqueued(jobs: Any, scopes: Sequence[Scope]) -> None:
    """One job of each kind for each user; those that are there are not put again."""
    wanted = [
        replace(
            upkeep_job(kind, scope, f"{scope.user_id}", reason="call"),
            conversation_id=f"{CONVERSATION}-{scope.user_id}",
            upto_seq=len(SAID),
        )
        for scope in scopes
        for kind in KINDS
    ]
    while wanted:
        try:
            await jobs.put(wanted[0])
        except RecollectError:
            await asyncio.sleep(0.05)
        else:
            wanted.pop(0)


async def _until_done(state: Any, worker: Worker) -> None:
    while True:
        try:
            while await worker.run_one() is not None:
                pass
            if not await state.jobs.depth():
                return
        except RecollectError:
            pass
        await asyncio.sleep(0.05)


async def _outcome(scopes: Sequence[Scope], state: Any, history: Any, store: Any) -> dict[str, Any]:
    rows, events, runs = [], [], []
    for scope in scopes:
        items = await store.list(scope, limit=None, statuses=ALL)
        for item in items:
            rows.append((item.id, item.text, item.status.value, item.version))
            events += [(item.id, r.event.value) for r in await history.of("local", item.id)]
        kept = await state.runs.newest(scope, limit=100)
        runs += [(one.id, one.complete, len(one.changes)) for one in kept]
    dead = await state.jobs.reports(state=JobState.DEAD)
    return {
        "rows": sorted(rows),
        "events": sorted(events),
        "runs": sorted(runs),
        "jobs": await state.jobs.counts(),
        "refused": state.refused,
        "dead": [report.error for report in dead],
    }
