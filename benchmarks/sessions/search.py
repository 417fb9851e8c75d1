"""How often a search of conversations finds what was said, by the right side, and what it costs.

Each question is about one message of one conversation in `talks.json`. All conversations are of one
user, in several languages, as they would be found in one memory. Prints hit@1 and @5 by language
and by who said it: of the conversation, and of the very side that said it.

    .venv/bin/python benchmarks/sessions/search.py [--data ../shared/data]

With `--data`, the same among the dialogues of two people (LoCoMo) as several hundred turns of
noise; and the questions about those dialogues, one of which is the user and the other the
assistant: the share whose evidence is found among the first 1, 5 and 10.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from recollect.memory import AsyncMemory, Scope, Turn

TALKS = Path(__file__).parent / "talks.json"
LOCOMO = "locomo-dev.json"
USER = Scope(tenant="local", user_id="ada")
FROM = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)
OPTIONS = {"learn": {"enabled": False}}
NO_EVIDENCE = 5
"""The category of questions that nothing answers."""
MOST_ASKED = 60
"""Questions of a dialogue."""
NEVER = 99
"""The rank of what is not found."""


def talks(read: dict[str, Any]) -> Iterator[Turn]:
    """The conversations of all languages, each on a day of its own."""
    told = [(name, rest) for one in read.values() for name, *rest in one["talks"]]
    for day, (name, texts) in enumerate(told):
        for at in range(0, len(texts), 2):
            when = FROM + timedelta(days=day, minutes=at)
            yield made(name, f"{name}/{at}", texts[at], texts[at + 1], when)


def made(conversation: str, name: str, user: str, assistant: str, when: datetime) -> Turn:
    """A turn of the user."""
    return Turn(
        id=name, conversation_id=conversation, scope=USER, user_text=user,
        assistant_text=assistant, model="m", created_at=when,
    )  # fmt: skip


def dialogue(sample: dict[str, Any], day: int) -> tuple[list[Turn], dict[str, tuple[str, str]]]:
    """A dialogue of two people as turns, and the turn and role of each message by its id."""
    turns: list[Turn] = []
    place: dict[str, tuple[str, str]] = {}
    said = sample["conversation"]
    for number in range(1, 99):
        messages = said.get(f"session_{number}")
        if messages is None:
            continue
        name, left = f"{sample['sample_id']}-{number}", list(messages)
        while left:
            pair = {"user": "", "assistant": ""}
            turn_id = f"{name}/{len(turns)}"
            for role in ("user", "assistant"):
                mine = left and (left[0]["speaker"] == said["speaker_a"]) == (role == "user")
                if mine:
                    one = left.pop(0)
                    pair[role] = one["text"]
                    place[one["dia_id"]] = (turn_id, role)
            when = FROM + timedelta(days=day + number, minutes=len(turns))
            turns.append(made(name, turn_id, pair["user"], pair["assistant"], when))
    return turns, place


async def record(memory: AsyncMemory, turns: Iterable[Turn]) -> None:
    """Keep these turns as the proxy does."""
    store = memory._engine.parts.state.conversations  # noqa: SLF001 - nothing public records
    for turn in turns:
        await store.record(turn)


async def ask_talks(read: dict[str, Any], noise: Iterable[Turn], title: str) -> None:
    """Print how the questions about the conversations are answered."""
    found: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    seconds = []
    async with await AsyncMemory.open(OPTIONS) as memory:
        await record(memory, [*noise, *talks(read)])
        for language, one in read.items():
            for question, name, role in one["asked"]:
                began = time.perf_counter()
                hits = (await memory.conversations.search(question, user_id="ada"))["results"]
                seconds.append(time.perf_counter() - began)
                there = [hit["conversation_id"] == name for hit in hits]
                exact = [
                    same and hit["role"] == role for same, hit in zip(there, hits, strict=True)
                ]
                ranks = (rank_of(there), rank_of(exact))
                for key in (language, role, "all"):
                    found[key].append(ranks)
    print(f"{title:34} {'n':>3}  conversation @1 @5   that side @1 @5")
    for key, ranks_ in found.items():
        shares = [
            sum(pair[of] <= most for pair in ranks_) / len(ranks_)
            for of in (0, 1)
            for most in (1, 5)
        ]
        print(f"  {key:32} {len(ranks_):3}  " + "  ".join(f"{share:6.2f}" for share in shares))
    print(f"  first search {seconds[0]:.2f} s, others {1000 * median(seconds):.0f} ms")


async def ask_dialogue(sample: dict[str, Any]) -> None:
    """Print how the questions about a dialogue of two people are answered."""
    turns, place = dialogue(sample, 0)
    asked = [
        (one["question"], {place[each] for each in one["evidence"] if each in place})
        for one in sample["qa"]
        if one["category"] != NO_EVIDENCE
    ]
    asked = [one for one in asked if one[1]]
    asked = random.Random(1).sample(asked, min(MOST_ASKED, len(asked)))
    ranks, seconds = [], []
    async with await AsyncMemory.open(OPTIONS) as memory:
        await record(memory, turns)
        for question, wanted in asked:
            began = time.perf_counter()
            hits = (await memory.conversations.search(question, user_id="ada"))["results"]
            seconds.append(time.perf_counter() - began)
            ranks.append(rank_of([(hit["turn_id"], hit["role"]) in wanted for hit in hits]))
    shares = [sum(rank <= most for rank in ranks) / len(ranks) for most in (1, 5, 10)]
    told = "  ".join(f"{share:.2f}" for share in shares)
    print(
        f"{sample['sample_id']}: {len(turns)} turns, {len(asked)} questions, @1 @5 @10: {told}, "
        f"{1000 * median(seconds):.0f} ms"
    )


def rank_of(right: list[bool]) -> int:
    """The place of the first right result, from 1."""
    return right.index(True) + 1 if any(right) else NEVER


def median(values: list[float]) -> float:
    """The middle one."""
    return sorted(values)[len(values) // 2]


async def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path)
    data = parser.parse_args().data
    read = json.loads(TALKS.read_text(encoding="utf-8"))
    await ask_talks(read, [], "these conversations alone")
    if data is None:
        return
    samples = json.loads((data / LOCOMO).read_text(encoding="utf-8"))
    noise = [turn for sample in samples[:2] for turn in dialogue(sample, -200)[0]]
    await ask_talks(read, noise, f"among {len(noise)} other turns")
    for sample in samples:
        await ask_dialogue(sample)


if __name__ == "__main__":
    asyncio.run(main())
