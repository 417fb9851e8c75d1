"""What a model makes up about a user: whether it becomes an active memory, and whether it stands.

Each row has what a user `said`, what was `answered`, a sentence that tells the same in other words
(`true`), and one that no sentence of the user's bears out (`false`), by its `kind`: another's trait
(`holder`), a `wish`, a `name`, a `number`, or a `fact`. A scripted model writes either as an
episode, as an extracted fact with the user's sentence as its quote, and as the text of both where
a fact joins a known one. The counter-figure is how many true sentences stay.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from recollect.memory.calibration import calibration_for
from recollect.memory.embedders import FakeEmbedder, LocalEmbedderOptions, open_embedder
from recollect.memory.learn import LearnOptions
from recollect.memory.learn.reconcile import Neighbour, Undecided, added
from recollect.memory.learn.reconcile.model_verdict import read_answer
from recollect.memory.model.jobs import Job, JobKind
from recollect.memory.model.ports import Embedder
from recollect.memory.model.types import (
    Candidate,
    ChatReply,
    ChatRequest,
    Decision,
    EventKind,
    MemoryItem,
    MemoryType,
    Provenance,
    Scope,
    ScoredMemory,
    Source,
    StoredMemory,
    Turn,
)
from recollect.memory.recall.index.user_index import UserIndex
from recollect.memory.recall.profile import profile_of
from recollect.memory.recall.prototypes import Prototypes
from recollect.memory.upkeep.episodes.step import EpisodeStep
from recollect.memory.upkeep.step import Work
from tests.support.learning import forgetter_of, learner_of
from tests.support.parts import parts_of
from tests.support.state import InMemoryHistory

from .figure import Figure

ROWS = Path(__file__).parent / "rows"
MODELS = Path("~/.recollect/models").expanduser()
NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
SCOPE = Scope(tenant="bench", user_id="u")
Row = Mapping[str, Any]
KEPT = frozenset({EventKind.ADD, EventKind.UPDATE})
TELLERS = ("episode", "fact")
WRITERS = (*TELLERS, "merged")
"""A merged text that is refused leaves the user's own words in its place, so none is lost."""


class Writer:
    """A model that writes one text, however it is asked."""

    def __init__(self, text: str, quote: str) -> None:
        self._fact = {"type": "semantic", "turn": 1, "quote": quote, "text": text, "who": "user"}
        self._text = text

    async def complete(self, request: ChatRequest) -> ChatReply:
        """The text as a fact where JSON is asked for, else as an episode."""
        answer = json.dumps({"facts": [self._fact]}) if request.schema else self._text
        return ChatReply(text=answer, model="scripted")

    async def close(self) -> None:
        """Nothing to release."""


def turns_of(row: Row) -> list[Turn]:
    """The conversation of a row."""
    said = row["said"] if isinstance(row["said"], list) else [row["said"]]
    return [
        Turn(
            id=f"t{number}", conversation_id="c", scope=SCOPE, user_text=text,
            assistant_text=row["answered"] if number == len(said) else "I see.", model="m",
            created_at=NOW, seq=number,
        )
        for number, text in enumerate(said, 1)
    ]  # fmt: skip


async def written(row: Row, text: str, by: str) -> list[Decision]:
    """What becomes active of a text that a model writes about a row's conversation."""
    decide = {"episode": _episode, "fact": _fact, "merged": _merged}[by]
    found = await decide(row, text)
    # A fact gets its dates written out; of an episode, sentences are left out.
    return [one for one in found if one.event in KEPT and (by == "fact" or _is_in(text, one.text))]


def _is_in(text: str, kept: str) -> bool:
    return _plain(text) in _plain(kept)


def _plain(text: str) -> str:
    return "".join(sign for sign in text.casefold() if sign.isalnum())


async def _episode(row: Row, text: str) -> list[Decision]:
    turns = turns_of(row)
    parts = parts_of()
    for turn in turns:
        await parts.state.conversations.record(turn)
    step = EpisodeStep(parts, idle_seconds=60.0, clock=lambda: NOW)
    job = Job(id="j", scope=SCOPE, conversation_id="c", upto_seq=len(turns), reason="idle")
    guard = await forgetter_of(parts.store, parts.embedder, parts.history).guard(SCOPE, "j")
    work = Work(replace(job, kind=JobKind.EPISODE), SCOPE, Writer(text, ""), guard)
    return list((await step.plan(work)).decisions)


async def _fact(row: Row, text: str) -> list[Decision]:
    store, history = parts_of().store, InMemoryHistory()
    embedder = FakeEmbedder()
    learner = learner_of(
        store, embedder, history, forgetter=forgetter_of(store, embedder, history),
        options=LearnOptions(verify=False),
    )  # fmt: skip
    turns = turns_of(row)
    learned = await learner.decide(SCOPE, turns, Writer(text, turns[-1].user_text), batch="b")
    return list(learned.decisions)


async def _merged(row: Row, text: str) -> list[Decision]:
    """The text takes the place of a known fact, which the user's sentence joins."""
    said = turns_of(row)[-1].user_text
    known = MemoryItem(
        id="known", text=turns_of(row)[0].user_text, scope=SCOPE, created_at=NOW, updated_at=NOW,
        type=MemoryType.SEMANTIC, embedder_id="e", provenance=Provenance(source=Source.EXTRACTION),
    )  # fmt: skip
    new = Candidate(text=said, quote=said, turn_ids=("t1",), source=Source.EXTRACTION)
    near = [Neighbour.of(ScoredMemory(known, 0.9))]
    row_ = {"fact": 1, "event": "UPDATE", "known": 1, "text": text}
    answer = json.dumps({"decisions": [row_]}, ensure_ascii=False)
    asked = Undecided(new, near, added(new, near, "new"), NOW)
    return [one for each in read_answer(answer, [asked]).decisions for one in each]


async def measure() -> Sequence[Figure]:
    """Inventions that become active and that stand, and true sentences that stay."""
    return await measured(rows("inventions.jsonl"))


async def measured(told: Sequence[Row]) -> Sequence[Figure]:
    """The figures of some rows; `of` counts a row once for each writer."""
    shown = await _Shown.open()
    active, standing, lost = list[str](), list[str](), list[str]()
    by_lang: dict[str, Counter[str]] = {}
    for row in told:
        counts = by_lang.setdefault(row["lang"], Counter())
        for by in WRITERS:
            name = f"{row['id']} {row['kind']} {by}: "
            found = await written(row, row["false"], by)
            active += [name + row["false"] for _ in found[:1]]
            stands = [each for each in found if await shown.stands(each)]
            standing += [name + row["false"] for _ in stands[:1]]
            counts.update(rows=1, active=bool(found))
        for by in TELLERS:
            kept = await written(row, row["true"], by)
            lost += [] if kept else [f"{row['id']} {by}: {row['true']}"]
            counts.update(true=1, kept=bool(kept))
    of, told_true = len(told) * len(WRITERS), len(told) * len(TELLERS)
    return (
        Figure(
            "inventions of a model that become active", len(active), of, at_most=0.05,
            by_lang=_shares(by_lang, "active", "rows"), failed=tuple(active),
        ),
        Figure("inventions that stand in later chats", len(standing), of, at_most=0.0,
               failed=tuple(standing)),
        Figure(
            "true sentences of a model that stay active", told_true - len(lost), told_true,
            at_least=0.9, by_lang=_shares(by_lang, "kept", "true"), failed=tuple(lost),
        ),
    )  # fmt: skip


def _shares(counts: Mapping[str, Counter[str]], name: str, of: str) -> dict[str, str]:
    return {lang: f"{each[name]}/{each[of]}" for lang, each in counts.items()}


def rows(name: str) -> list[Row]:
    """The rows of a file."""
    lines = (ROWS / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line]


class _Shown:
    """What a profile makes of memories, by words and by meaning."""

    def __init__(self, embedder: Embedder, prototypes: Prototypes) -> None:
        self._embedder, self._prototypes = embedder, prototypes

    @classmethod
    async def open(cls) -> _Shown:
        embedder = await open_embedder(LocalEmbedderOptions(model_dir=MODELS))
        calibration = calibration_for(embedder.id, dim=embedder.dim)
        return cls(embedder, await Prototypes.of(embedder, calibration))

    async def stands(self, decision: Decision) -> bool:
        """Whether it is in the profile or bears on requests, without anybody's yes."""
        item = MemoryItem(
            id=decision.memory_id, text=decision.text, type=decision.type, scope=SCOPE,
            created_at=NOW, updated_at=NOW, embedder_id=self._embedder.id,
            provenance=Provenance(
                source=decision.source, turn_ids=decision.turn_ids, quote=decision.quote,
                cites=decision.cites, stretch=decision.stretch, model=decision.model or "m",
            ),
        )  # fmt: skip
        [vector] = await self._embedder.embed([item.text])
        index = UserIndex.of(self._embedder.dim, [StoredMemory(item, vector)])
        return bool(profile_of(index, SCOPE, self._prototypes))
