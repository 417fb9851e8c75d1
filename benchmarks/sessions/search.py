"""How often a search of conversations finds what was said, by the right side, and what it costs.

Each question is about one message of one conversation in `talks.json`. All conversations are of one
user, in several languages, as they would be found in one memory. Prints hit@1 and @5 by language
and by who said it: of the conversation, and of the very side that said it.

    .venv/bin/python benchmarks/sessions/search.py
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import defaultdict
from datetime import UTC, datetime, timedelta
from pathlib import Path

from recollect.memory import AsyncMemory, Scope, Turn

TALKS = Path(__file__).parent / "talks.json"
USER = Scope(tenant="local", user_id="ada")
FROM = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)


async def record(memory: AsyncMemory, talks: dict[str, list[list[str]]]) -> None:
    """Record the conversations of all languages, each on a day of its own."""
    store = memory._engine.parts.state.conversations  # noqa: SLF001 - nothing public records
    told = [(name, rest) for some in talks.values() for name, *rest in some]
    for day, (name, texts) in enumerate(told):
        for at in range(0, len(texts), 2):
            await store.record(
                Turn(
                    id=f"{name}/{at}",
                    conversation_id=name,
                    scope=USER,
                    user_text=texts[at],
                    assistant_text=texts[at + 1],
                    model="m",
                    created_at=FROM + timedelta(days=day, minutes=at),
                )
            )


async def main() -> None:
    """Print the figures."""
    read = json.loads(TALKS.read_text(encoding="utf-8"))
    found: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    async with await AsyncMemory.open({"learn": {"enabled": False}}) as memory:
        await record(memory, {name: one["talks"] for name, one in read.items()})
        seconds = []
        for language, one in read.items():
            for question, name, role in one["asked"]:
                began = time.perf_counter()
                hits = (await memory.conversations.search(question, user_id="ada"))["results"]
                seconds.append(time.perf_counter() - began)
                there = [hit["conversation_id"] == name for hit in hits]
                exact = [hit["conversation_id"] == name and hit["role"] == role for hit in hits]
                ranks = tuple(each.index(True) + 1 if any(each) else 99 for each in (there, exact))
                for key in (language, role, "all"):
                    found[key].append(ranks)
                if ranks[1] > 1:
                    first = hits[0]["text"][:60] if hits else ""
                    print(f"  {ranks[0]:2} {ranks[1]:2} {role:9} {question}  | {first}")
    print(f"{'':10} {'n':>3}  conversation @1 @5   that side @1 @5")
    for key, ranks in found.items():
        shares = [
            sum(pair[of] <= most for pair in ranks) / len(ranks) for of in (0, 1) for most in (1, 5)
        ]
        print(f"{key:10} {len(ranks):3}  " + "  ".join(f"{share:6.2f}" for share in shares))
    median = 1000 * sorted(seconds)[len(seconds) // 2]
    print(f"first search {seconds[0]:.2f} s, others {median:.0f} ms")


if __name__ == "__main__":
    asyncio.run(main())
