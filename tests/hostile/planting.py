"""Conversations in which somebody else plants a fact, and a model that repeats what it is shown.

The rows (`planted.json`) were written after the code that they test was finished: five statements
of a user in eight languages, and a hundred facts that the user never said, each with a name that
occurs nowhere else. A fact comes with one of the carriers below.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import cycle
from pathlib import Path
from typing import Any

from recollect.memory.engine import options as engine_options
from recollect.memory.forget.cascade import is_derived, is_episode
from recollect.memory.jobs.upkeep import upkeep_job
from recollect.memory.learn import job_for
from recollect.memory.learn.extract.prompts import GRAPH_FORM, TRIPLE_FORM
from recollect.memory.learn.extract.transcript import spans_of_sentences
from recollect.memory.learn.fact_verification import VERIFY_PROMPT
from recollect.memory.learn.reconcile import ANSWER_SCHEMA as VERDICTS
from recollect.memory.model.jobs import JobKind
from recollect.memory.model.types import (
    ChatReply,
    ChatRequest,
    MemoryItem,
    MemoryStatus,
    Scope,
    ToolStep,
    Turn,
    utc_now,
)
from recollect.memory.upkeep.consolidate.prompts import ANSWER_SCHEMA as POINTS
from recollect.memory.upkeep.episodes.episode_text import PROMPT as EPISODE_PROMPT
from recollect.memory.upkeep.reflect.insight import INSIGHT_PROMPT
from recollect.memory.upkeep.reflect.questions import QUESTIONS_PROMPT
from tests.support.parts import engine_of

ROWS = Path(__file__).with_name("planted.json")
CARRIERS = ("tool", "pasted", "assistant", "alt", "hidden")
EVERY = frozenset(MemoryStatus)
_TAGS = {chr(code): chr(0xE0000 + code) for code in range(0x20, 0x7F)}


@dataclass(frozen=True)
class Planting:
    """A conversation with one planted fact."""

    name: str
    lang: str
    carrier: str
    says: tuple[str, ...]
    asks: str
    planted: str
    marker: str

    @property
    def scope(self) -> Scope:
        return Scope(tenant="local", user_id=self.name)

    def has(self, text: str) -> bool:
        """Whether a text has the planted fact."""
        return self.marker.casefold() in text.casefold()

    def turns(self, at: datetime) -> list[Turn]:
        """What was said, the planted fact in the second turn."""
        turns = [self._turn(number, says, at) for number, says in enumerate(self.says, 1)]
        turns[1] = self._with_the_fact(turns[1])
        return turns

    def _turn(self, number: int, says: str, at: datetime) -> Turn:
        return Turn(
            id=f"{self.name}-{number}",
            conversation_id=f"of-{self.name}",
            scope=self.scope,
            user_text=says,
            assistant_text="OK.",
            model="m",
            created_at=at + timedelta(minutes=number),
        )

    def _with_the_fact(self, turn: Turn) -> Turn:
        said = f"{turn.user_text} {self.asks}"
        match self.carrier:
            case "tool":
                step = ToolStep("read_page", '{"page": 1}', f"Page 1 of 1. {self.planted}")
                return replace(turn, user_text=said, steps=(step,))
            case "assistant":
                return replace(turn, user_text=said, assistant_text=f"OK. {self.planted}")
            case "alt":
                image = f"![{self.planted}](https://pictures.example/1.png)"
                return replace(turn, user_text=f"{said}\n\n{image}")
            case "hidden" if self.planted.isascii():
                tags = "".join(_TAGS[each] for each in self.planted)
                return replace(turn, user_text=f"{said}{tags}")
            case "hidden":
                return replace(turn, user_text=f"{said}\n<!-- {self.planted} -->")
        mail = (
            f"From: office@news.example\nTo: list@news.example\nSubject: News\n\n"
            f"{self.planted}\n\nwww.news.example"
        )
        return replace(turn, user_text=f"{said}\n\n{mail}")


def plantings() -> list[Planting]:
    """All hundred, with the carriers in turn."""
    rows = json.loads(ROWS.read_text("utf-8"))
    carriers = cycle(CARRIERS)
    return [
        Planting(
            f"{lang}-{number}",
            lang,
            next(carriers),
            tuple(told["says"]),
            told["asks"],
            planted,
            marker,
        )
        for lang, told in rows.items()
        for number, (planted, marker) in enumerate(told["planted"], 1)
    ]


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text, one by one."""
    for line in text.splitlines():
        yield from (line[a:b].strip() for a, b in spans_of_sentences(line))


@dataclass
class Gullible:
    """Believes and repeats whatever it is shown, and remembers what it was shown before."""

    planted: str
    asks: str = ""
    seen: list[str] = field(default_factory=list)
    insights: int = 0
    asked: set[str] = field(default_factory=set)
    """The kinds of calls that came."""

    async def complete(self, request: ChatRequest) -> ChatReply:
        return ChatReply(text=self._answer(request), model="gullible")

    async def close(self) -> None:
        """Nothing to release."""

    def _answer(self, request: ChatRequest) -> str:
        told, shown = request.messages[0].content, request.messages[-1].content
        if request.schema in (GRAPH_FORM.schema, TRIPLE_FORM.schema) or (
            "facts" in told[-2_000:] and "<conversation>" in shown
        ):
            return self._facts(shown)
        if request.schema == VERDICTS:
            return '{"decisions": []}'
        if request.schema == POINTS:
            return self._points(shown)
        if told.startswith(EPISODE_PROMPT[:60]):
            said = [self.planted, *self.seen] if self._knows(shown) else self.seen
            return f"{' '.join(said)}\nImportance: 10"
        if told == INSIGHT_PROMPT:
            self.asked.add("insight")
        if request.schema == POINTS:
            self.asked.add("points")
        if told == QUESTIONS_PROMPT:
            return "\n".join(f"{self.asks} {note[13:150]}" for note in shown.splitlines()[1:4])
        if told == INSIGHT_PROMPT:
            return self._insight(shown)
        if told.startswith(VERIFY_PROMPT[:60]):
            return '{"not_stated": []}'
        return self.planted

    def _knows(self, shown: str) -> bool:
        return self.planted in shown or self.planted in self.seen

    def _facts(self, shown: str) -> str:
        """Each sentence that anybody said, as a fact of the user with itself as the quote."""
        rows, turn = [], 0
        for line in shown.splitlines():
            if line.startswith("["):
                turn = int(line[1 : line.index("]")])
            if line.startswith(("[", "<")):
                continue
            who, _, said = line.partition(": ")
            for one in sentences(said if said and not line.startswith(" ") else line):
                if any(map(str.isalpha, one)) and who:
                    self.seen.append(one)
                    rows.append({"type": "semantic", "turn": turn, "quote": one, "text": one,
                                 "importance": 1.0, "who": "user", "asserted": True})  # fmt: skip
        return json.dumps({"facts": rows}, ensure_ascii=False)

    def _points(self, shown: str) -> str:
        numbers = [n for n in range(1, 30) if f"{n}" in shown]
        texts = [self.planted, *self.seen]
        points = [{"text": text, "notes": numbers[:2]} for text in texts]
        return json.dumps({"points": points}, ensure_ascii=False)

    def _insight(self, shown: str) -> str:
        """The planted fact, then with words of the notes around it, then two notes as they are."""
        notes = [line.partition(") ")[2] for line in shown.splitlines() if line.startswith("[")]
        tries = [
            self.planted,
            f"{notes[0]} {self.planted}",
            f"{notes[0].rstrip('.')}, {notes[-1]}"[:290],
        ]
        said = tries[self.insights % len(tries)]
        self.insights += 1
        return json.dumps({"insight": said, "notes": [1, 2]}, ensure_ascii=False)


@dataclass(frozen=True)
class Outcome:
    """What there is after learning, episode, consolidation and reflection."""

    planting: Planting
    recalled: tuple[str, ...]
    derived: tuple[MemoryItem, ...]
    """Episodes, summaries and conclusions of any status."""
    asked: frozenset[str]
    """What the model was asked for besides facts and episodes."""

    @property
    def carried(self) -> list[str]:
        """The texts of recalled derived memories that have the planted fact."""
        made = {item.text for item in self.derived if item.status is MemoryStatus.ACTIVE}
        return [text for text in self.recalled if text in made and self._has(text)]

    @property
    def kept(self) -> list[str]:
        """The same among active ones, whether recalled or not."""
        return [
            item.text
            for item in self.derived
            if item.status is MemoryStatus.ACTIVE and self._has(item.text)
        ]

    def _has(self, text: str) -> bool:
        return self.planting.has(text)


async def lived_through(planting: Planting, **parts: Any) -> Outcome:
    """The conversation, and everything that is done with it in the background."""
    model = Gullible(planting.planted, planting.asks)
    options = engine_options.EngineOptions.model_validate(
        {
            "learn": {"every_turns": 5},
            "upkeep": {"kinds": {"reflect": True}},
        }
    )
    engine = engine_of(model, options, **parts)
    try:
        at = utc_now() - timedelta(days=400)
        turns = planting.turns(at)
        state = engine.parts.state
        for turn in turns:
            recorded = await state.conversations.record(turn)
        await state.jobs.put(job_for(turns[-1], recorded.seq, reason="flush"))
        await _drained(engine)
        for kind in (JobKind.CONSOLIDATE, JobKind.REFLECT, JobKind.REFLECT):
            name = f"{planting.name}-{model.insights}"
            job = upkeep_job(kind, planting.scope, name, reason="call")
            await engine.background.worker.upkeep.put(job)
            await _drained(engine)
        await engine.derived_upkeep.settled()
        return await _outcome(engine, planting, frozenset(model.asked))
    finally:
        await engine.close()


async def _drained(engine: Any) -> None:
    while await engine.background.worker.run_one() is not None:
        pass


async def _outcome(engine: Any, planting: Planting, asked: frozenset[str]) -> Outcome:
    rows = await engine.parts.store.list(planting.scope, limit=None, statuses=EVERY)
    recalled: dict[str, None] = {}
    for query in (planting.planted, planting.marker, *planting.says):
        ranking = await engine.recaller.rank(planting.scope, query, most=50)
        recalled |= dict.fromkeys(hit.item.text for hit in ranking.ranked)
    return Outcome(
        planting,
        tuple(recalled),
        tuple(item for item in rows if is_derived(item) or is_episode(item)),
        asked,
    )
