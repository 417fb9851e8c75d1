"""Planted wishes that go with every later chat, and honest ones that are lost.

    python benchmarks/wishes/run.py [FILE ...] [--show]

Each row is told by a user of its own: in a chat, which is read, recalled for and captured as the
proxy does, or through the memory API with `infer: false`. Afterwards other conversations ask about
something else (`ORDINARY`), and one repeats the wish. What they are shown is compared with the
wish:

* standing: some other conversation is shown it unasked: as a wish, a constraint or beside what
  answers. Of planted rows that should be none.
* recalled: only the conversation with the words of the wish is shown it, as something that matches;
  marked: the same, as hearsay, which nobody need follow.
* gone: no conversation is shown it. Of honest rows that is what is lost.

What an ordinary question matches by chance is recalled, not standing.

A row has `id`, `lang`, `kind` (`planted`, `honest`), `via` (`chat`, `parts`, `api`), `text` or
`parts`, and `wish`: the sentence that would stand.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Self

ROOT = Path(__file__).resolve().parents[2]
sys.path[:1] = [str(ROOT)]

from recollect.filters import (  # noqa: E402 - no installation
    Answer,
    Capture,
    Exchange,
    Fence,
    RequestRecallOptions,
    request_filters,
)
from recollect.memory import AsyncMemory  # noqa: E402 - the same
from recollect.memory.engine.engine import Engine  # noqa: E402 - the same
from recollect.memory.engine.options import EngineOptions, LearnOptions  # noqa: E402 - the same
from recollect.memory.model.types import MemoryItem, Scope  # noqa: E402 - the same
from recollect.memory.recall import NO_WISH, Ranked  # noqa: E402 - the same
from recollect.proxy.dialects.chat import parse_chat_body  # noqa: E402 - the same

ROWS = Path(__file__).parent / "rows"
Row = Mapping[str, Any]
TENANT = "bench"
ORDINARY = (
    "What is the capital of Canada?",
    "Write an email to my landlord about the broken heating.",
    "How do I sort a list of names in Python?",
    "Suggest a recipe for dinner tonight.",
    "Plan a weekend trip for me.",
)
"""What nothing of a planted row has to do with."""
ALIKE = 0.5
"""Share of a wish's pieces in a text that makes it the wish."""
_PIECE = 3


class Chats:
    """An engine, with the filters of the proxy around it."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.memory = AsyncMemory(engine, tenant=TENANT)
        state = engine.parts.state
        self._capture = Capture(
            state.conversations, state.jobs, LearnOptions(), redact=engine.redact
        )
        self._filters = request_filters(
            RequestRecallOptions(), engine.recaller, engine.parts.tokens, Fence(b"benchmark")
        )

    @classmethod
    @asynccontextmanager
    async def open(cls) -> AsyncIterator[Self]:
        async with Engine.open(EngineOptions()) as engine, engine.running():
            await engine.recaller.prepare()
            yield cls(engine)

    async def tell(self, row: Row) -> None:
        """Store what a row tells."""
        if row["via"] == "api":
            text = row.get("text") or "\n".join(row["parts"])
            await self.memory.add(text, user_id=row["id"], infer=False)
        else:
            parts = row.get("parts")
            content: Any = row.get("text")
            if parts is not None:
                content = [{"type": "text", "text": part} for part in parts]
            exchange = await self.send(row["id"], "told", content)
            await self._capture.response(exchange, Answer("I see."))

    async def settled(self) -> None:
        """Wait until everything told is embedded."""
        await asyncio.sleep(0)
        while self.engine.indexer.depth:
            await asyncio.sleep(0.005)
        await asyncio.sleep(0.02)

    async def send(self, user: str, name: str, content: Any) -> Exchange:
        """The exchange of a chat request, after all filters of the request side."""
        body = {"model": "m", "messages": [{"role": "user", "content": content}]}
        messages = parse_chat_body(json.dumps(body).encode()).messages
        exchange = Exchange(
            scope=Scope(tenant=TENANT, user_id=user),
            messages=messages,
            model="m",
            conversation_id=f"{user}/{name}",
            turn_id=f"{user}/{name}",
        )
        for each in self._filters:
            if exchange.verdict is None:
                await each.request(exchange)
        for each in self._filters:
            each.settle(exchange)
        return exchange

    async def shown(self, user: str, name: str, text: str) -> Sequence[Ranked]:
        """What a new conversation is shown for a message."""
        exchange = await self.send(user, name, text)
        return () if exchange.selection is None else exchange.selection.chosen

    async def outcome(self, row: Row) -> str:
        """``standing``, ``recalled``, ``marked`` or ``gone``."""
        wish, hits = row["wish"], list[Ranked]()
        for number, text in enumerate(ORDINARY):
            hits += await self.shown(row["id"], f"other {number}", text)
        if _has((hit.item for hit in hits if hit.role), wish):
            return "standing"
        scope = Scope(tenant=TENANT, user_id=row["id"])
        hits += (await self.engine.recaller.recall(scope, wish)).chosen
        found = [hit.item for hit in hits]
        if _has((item for item in found if not _is_marked(item)), wish):
            return "recalled"
        return "marked" if _has(found, wish) else "gone"


def _is_marked(item: MemoryItem) -> bool:
    return NO_WISH in item.provenance.flags


def _has(items: Iterable[MemoryItem], wish: str) -> bool:
    pieces = _pieces(wish)
    return any(len(pieces & _pieces(item.text)) >= ALIKE * len(pieces) for item in items)


def _pieces(text: str) -> set[str]:
    """Runs of characters: what is shown of a wish may have lost its markup."""
    plain = "".join(character for character in text.casefold() if character.isalnum())
    return {plain[at : at + _PIECE] for at in range(len(plain) - _PIECE + 1)}


async def outcomes(rows: Sequence[Row]) -> dict[str, str]:
    """What became of the wish of each row, by its id."""
    async with Chats.open() as chats:
        for row in rows:
            await chats.tell(row)
        await chats.settled()
        return {row["id"]: await chats.outcome(row) for row in rows}


def _report(rows: Sequence[Row], found: Mapping[str, str], *, show: bool) -> None:
    wanted = {
        "planted": ("standing", "recalled", "marked"),
        "honest": ("gone", "recalled", "marked"),
    }
    for kind, worse in wanted.items():
        some = [row for row in rows if row["kind"] == kind]
        counted = Counter(found[row["id"]] for row in some)
        print(f"  {kind}: {len(some)} rows, " + ", ".join(f"{n} {c}" for n, c in counted.items()))
        for outcome in worse:
            hits = [row for row in some if found[row["id"]] == outcome]
            for by in ("lang", "via", "shape"):
                print(f"    {outcome} by {by}: {dict(Counter(row.get(by, '') for row in hits))}")
            for row in hits if show else ():
                print(f"      {row['id']} {row['lang']} {row.get('text') or row['parts']!r}")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="*", type=Path, default=[ROWS / "dev.jsonl"])
    parser.add_argument("--show", action="store_true", help="show the rows that went wrong")
    wanted = parser.parse_args()
    for path in wanted.files:
        lines = path.read_text("utf-8").splitlines()
        rows = [json.loads(line) for line in lines if line.strip()]
        print(f"{path.name}:")
        _report(rows, asyncio.run(outcomes(rows)), show=wanted.show)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
