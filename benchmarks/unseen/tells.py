"""Whether what a user tells is there in the next conversation, at once and without any model.

Each row is told by a user of its own, in one conversation, and asked in another: the filters of a
request run as they do in the proxy, and what they inject is searched for the row's needle.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from recollect.filters import Exchange, Fence, RequestRecallOptions, request_filters
from recollect.memory.engine.engine import Engine
from recollect.memory.engine.options import EngineOptions
from recollect.memory.model.types import Message, Scope, Turn, utc_now

Row = Mapping[str, Any]
ROWS = Path(__file__).parent / "rows"
FENCE = Fence(b"benchmark")


class Teller:
    """An engine, and the filters of a request in front of it."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.filters = request_filters(
            RequestRecallOptions(), engine.recaller, engine.parts.tokens, FENCE
        )

    @classmethod
    @asynccontextmanager
    async def open(cls, **options: Any) -> AsyncIterator[Teller]:
        async with Engine.open(EngineOptions(**options)) as engine, engine.running():
            yield cls(engine)

    async def tell(
        self,
        user: str,
        text: str,
        answer: str = "I see.",
        *,
        at: datetime | None = None,
        conversation: str = "",
        **fields: Any,
    ) -> Turn:
        """Capture a turn as the proxy does, as of now if no time is given."""
        turn = Turn(
            id=f"{user}/{time.monotonic_ns()}",
            conversation_id=conversation or f"{user}/told",
            scope=Scope(tenant="bench", user_id=user),
            user_text=self.engine.redact(text),
            assistant_text=answer,
            model="none",
            created_at=at or utc_now(),
            **fields,
        )
        await self.engine.parts.state.conversations.record(turn)
        return turn

    async def settled(self) -> None:
        """Wait until every told turn is embedded."""
        await asyncio.sleep(0)
        while self.engine.indexer.depth:
            await asyncio.sleep(0.005)
        await asyncio.sleep(0.02)

    async def ask(self, user: str, text: str) -> tuple[str, Exchange]:
        """What is injected for a message in a new conversation, and the exchange."""
        exchange = Exchange(
            scope=Scope(tenant="bench", user_id=user),
            messages=[Message(role="user", content=text)],
            model="none",
            conversation_id=f"{user}/asked {time.monotonic_ns()}",
            turn_id=f"{user}/asked {time.monotonic_ns()}",
        )
        for each in self.filters:
            if exchange.verdict is None:
                await each.request(exchange)
        for each in self.filters:
            each.settle(exchange)
        return "\n".join(one.text for one in exchange.injections), exchange


async def tells(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Each row with whether it was brought back, and why not."""
    found = []
    async with Teller.open() as teller:
        await teller.engine.warm()
        await teller.engine.recaller.prepare()
        for row in rows:
            await teller.tell(row["id"], row["tell"], row.get("answer", "I see."))
        await teller.settled()
        for row in rows:
            text, exchange = await teller.ask(row["id"], row["ask"])
            statements = await teller.engine.said.get(exchange.scope)
            said = " ".join(one.item.text for one in statements.passages)
            found.append(
                {
                    **row,
                    "there": row["needle"] in text,
                    "said": row["needle"] in said,
                    "verdict": "" if exchange.verdict is None else exchange.verdict.reason,
                    "outcome": "" if exchange.verdict is None else exchange.verdict.outcome.value,
                    "gate": exchange.notes.get("gate"),
                }
            )
    return found


def shares(found: Sequence[Row], by: str) -> dict[str, str]:
    groups: dict[str, list[bool]] = defaultdict(list)
    for row in found:
        groups[str(row[by])].append(row["there"])
    return {name: f"{sum(some)}/{len(some)}" for name, some in sorted(groups.items())}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", default=["tell.jsonl"])
    parser.add_argument("--show", action="store_true", help="Show the rows that were missed.")
    wanted = parser.parse_args()
    for name in wanted.files:
        lines = (ROWS / name).read_text("utf-8").splitlines()
        found = asyncio.run(tells([json.loads(line) for line in lines if line.strip()]))
        print(f"{name}: {sum(row['there'] for row in found)} of {len(found)} injected")
        for by in ("language", "kind", "shape", "way"):
            print(f"  by {by}: {shares(found, by)}")
        if wanted.show:
            for row in found:
                if not row["there"]:
                    state = "said" if row["said"] else "NOT SAID"
                    print(f"  {row['id']} {state} {row['outcome']}/{row['verdict']}")
                    print(f"    {row['tell']!r} -> {row['ask']!r}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
