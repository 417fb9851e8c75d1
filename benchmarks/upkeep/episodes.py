"""Whether a conversation leaves one episode whatever ends it, and how episodes are best found.

    python benchmarks/upkeep/episodes.py ends                      # in memory, some seconds
    python benchmarks/upkeep/episodes.py finding [--data FOLDER]   # needs the weights
    python benchmarks/upkeep/episodes.py own-words [--data FOLDER] # needs the weights

`ends` has 50 scripted conversations end in every way, and prints what each left, and how often a
model was asked. Exits with 1 if one left other episodes than it should.

`finding` compares ways to weigh recency, relevance and importance: for each question that LoCoMo's
annotators answer from one session, the place of that session's episode, asked on the day after the
last session. The episodes are the annotators' own summaries; importance is by signs.

`own-words` asks what episodes in the user's own words, which need no model, do to a recall of what
users said: the share of questions whose evidence is among the first ten lines, with them and
without.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import sys
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT)]

from recollect.memory.embedders import (  # noqa: E402 - without an installation
    LocalEmbedderOptions,
    open_embedder,
)
from recollect.memory.engine.options import DEFAULT_MODEL_DIR  # noqa: E402
from recollect.memory.model.types import (  # noqa: E402
    MemoryItem,
    MemoryType,
    Provenance,
    Scope,
    Source,
    StoredMemory,
    Turn,
)
from recollect.memory.upkeep.episodes.episode_score import (  # noqa: E402
    HALF_LIFE_DAYS,
    LEAST_IMPORTANT,
    LEAST_RECENT,
)
from recollect.memory.upkeep.episodes.own_words import in_own_words  # noqa: E402
from recollect.memory.upkeep.episodes.rating import by_signs  # noqa: E402
from tests.memory.upkeep.episodes.conversations import WAYS, Result, ended  # noqa: E402
from tests.support.parts import engine_of  # noqa: E402

DATA = ROOT.parent / "shared" / "data"
ADVERSARIAL = 5
"""The category of questions that nothing answers."""
FIRST = 10


async def ends() -> list[Result]:
    """The results of all conversations."""
    return [await ended(*way) for way in WAYS]


def shown(results: Sequence[Result]) -> str:
    """A table: each way to end with what its conversations left."""
    by_way: dict[str, list[Result]] = defaultdict(list)
    for result in results:
        by_way[result.way].append(result)
    lines = ["| the conversation ends by | turns | episodes | calls | as it should |"]
    lines.append("|" + "---|" * 5)
    for way, some in by_way.items():
        told = [
            ", ".join(str(value) for value in values)
            for values in zip(*((r.turns, r.episodes, r.calls) for r in some), strict=True)
        ]
        lines.append(f"| {way} | {' | '.join(told)} | {sum(r.good for r in some)} of {len(some)} |")
    good, stretches = sum(r.good for r in results), sum(r.expected for r in results)
    calls = sum(r.calls for r in results)
    lines.append(f"\n{good} of {len(results)} as they should; {calls} calls for {stretches}")
    return "\n".join(lines)


@dataclass(frozen=True)
class Session:
    """A session of one of LoCoMo's conversations."""

    number: str
    at: datetime
    turns: list[Turn]
    summary: str


def sessions_of(told: dict[str, Any], scope: Scope) -> list[Session]:
    """The sessions of a conversation, with what both said as turns."""
    found = []
    for name, summary in told["session_summary"].items():
        number = re.sub(r"\D", "", name)
        said = told["conversation"]
        clock = said[f"session_{number}_date_time"].replace(" on", "")
        at = datetime.strptime(clock, "%I:%M %p %d %B, %Y").replace(tzinfo=UTC)
        turns = [
            Turn(
                id=each["dia_id"],
                conversation_id=number,
                scope=scope,
                user_text=each["text"],
                assistant_text="",
                model="",
                created_at=at,
            )
            for each in said[f"session_{number}"]
        ]
        found.append(Session(number, at, turns, summary))
    return found


def answerable(told: dict[str, Any]) -> list[tuple[str, set[str]]]:
    """The questions that something answers, each with the turns that do."""
    return [
        (qa["question"], set(qa["evidence"]))
        for qa in told["qa"]
        if qa["category"] != ADVERSARIAL and qa.get("evidence")
    ]


def row(name: str, text: str, session: Session, scope: Scope, embedder: Any, **more: Any) -> Any:
    """A memory of a session."""
    return MemoryItem(
        id=name,
        text=text,
        scope=scope,
        created_at=session.at,
        updated_at=session.at,
        valid_from=session.at,
        embedder_id=embedder.id,
        **more,
    )


async def opened(data: Path) -> AsyncIterator[tuple[Any, Any, Scope, dict[str, Any]]]:
    """An engine of its own for each conversation."""
    found: Any = open_embedder(LocalEmbedderOptions(model_dir=DEFAULT_MODEL_DIR))
    embedder = await found if asyncio.iscoroutine(found) else found
    for told in json.loads((data / "locomo-dev.json").read_text("utf-8")):
        engine = engine_of(embedder=embedder)
        yield engine, embedder, Scope(tenant="bench", user_id=told["sample_id"]), told
        await engine.close()


async def keep(engine: Any, items: Sequence[Any]) -> None:
    """Store the rows with their vectors."""
    vectors = await engine.parts.embedder.embed([item.text for item in items])
    pairs = zip(items, vectors, strict=True)
    await engine.parts.store.put([StoredMemory(item, vector) for item, vector in pairs])


Hit = tuple[str, float, float, float]
"""An episode's session, its relevance, its importance, and its age in days."""


async def finding(data: Path) -> str:
    """A table: how often the session that answers is first, by how the signals are weighed."""
    asked: list[tuple[str, list[Hit]]] = []
    async for engine, embedder, scope, told in opened(data):
        sessions = sessions_of(told, scope)
        await keep(
            engine,
            [
                row(
                    one.number,
                    f"{one.at:%Y-%m-%d}: {one.summary}",
                    one,
                    scope,
                    embedder,
                    type=MemoryType.EPISODIC,
                    importance=by_signs(one.turns),
                )
                for one in sessions
            ],
        )
        now = max(one.at for one in sessions) + timedelta(days=1)
        for question, evidence in answerable(told):
            named = {re.sub(r"^D(\d+):.*", r"\1", turn) for turn in evidence}
            if len(named) > 1:
                continue
            ranking = await engine.recaller.rank(scope, question, most=100, now=now)
            hits = [
                (h.item.id, h.score, h.item.importance, (now - h.item.created_at).days)
                for h in ranking.ranked
            ]
            asked.append((named.pop(), hits))
    lines = ["| floors of recency, importance | first | among three |", "|---|---|---|"]
    for name, floors in {
        "relevance alone": (1.0, 1.0),
        "none: the plain product": (0.0, 0.0),
        "0.5, 0.5": (0.5, 0.5),
        "0.8, 0.8": (0.8, 0.8),
        f"{LEAST_RECENT}, {LEAST_IMPORTANT} (ours)": (LEAST_RECENT, LEAST_IMPORTANT),
    }.items():
        lines.append(f"| {name} | {' | '.join(_places(asked, _product(*floors)))} |")
    return "\n".join([*lines, f"\n{len(asked)} questions"])


def _product(recent: float, important: float) -> Callable[[Hit], float]:
    def score(hit: Hit) -> float:
        _, relevance, rated, days = hit
        newness = recent + (1 - recent) * 2 ** -(days / HALF_LIFE_DAYS)
        return relevance * newness * (important + (1 - important) * rated)

    return score


def _places(asked: list[tuple[str, list[Hit]]], score: Callable[[Hit], float]) -> list[str]:
    found = []
    for most in (1, 3):
        right = 0
        for wanted, hits in asked:
            best = sorted(hits, key=lambda hit: -score(hit))[:most]
            right += wanted in [hit[0] for hit in best]
        found.append(f"{right / len(asked):.1%}")
    return found


async def own_words(data: Path) -> str:
    """How often the evidence is among the first lines, without such episodes and with them."""
    right, asked, lines_of_episodes = [0, 0], 0, 0
    async for engine, embedder, scope, told in opened(data):
        sessions = sessions_of(told, scope)
        said = [
            row(
                turn.id,
                turn.user_text,
                one,
                scope,
                embedder,
                type=MemoryType.SEMANTIC,
                provenance=Provenance(source=Source.USER, turn_ids=(turn.id,)),
            )
            for one in sessions
            for turn in one.turns
        ]
        episodes = [
            row(
                f"episode {one.number}",
                text,
                one,
                scope,
                embedder,
                type=MemoryType.EPISODIC,
                provenance=Provenance(
                    turn_ids=tuple(turn.id for turn in one.turns), stretch=one.turns[0].id
                ),
            )
            for one in sessions
            if (text := in_own_words(one.turns))
        ]
        questions = answerable(told)
        asked += len(questions)
        for at, more in enumerate(([], episodes)):
            if more or not at:
                await keep(engine, [*said, *more] if not at else more)
            for question, evidence in questions:
                ranking = await engine.recaller.rank(scope, question, most=FIRST)
                ids = [hit.item.id for hit in ranking.ranked]
                right[at] += not evidence.isdisjoint(ids)
                lines_of_episodes += sum(each.startswith("episode") for each in ids)
    without, beside = (count / asked for count in right)
    return (
        f"evidence among the first {FIRST} lines: {without:.1%} without, {beside:.1%} beside "
        f"episodes in the user's own words, which take {lines_of_episodes / asked:.1f} of the "
        f"lines; {asked} questions"
    )


def main() -> int:
    """Run what is named."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("what", choices=["ends", "finding", "own-words"])
    parser.add_argument("--data", type=Path, default=DATA)
    said = parser.parse_args()
    if said.what == "ends":
        results = asyncio.run(ends())
        print(shown(results))
        return 0 if all(result.good for result in results) else 1
    if not (said.data / "locomo-dev.json").exists():
        print(f"there is no locomo-dev.json in {said.data}")
        return 1
    work = finding if said.what == "finding" else own_words
    print(asyncio.run(work(said.data)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
