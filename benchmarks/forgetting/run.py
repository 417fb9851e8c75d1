"""Whether users forget by saying so: the right thing, after they agreed, and nothing else.

    make setup; PYTHONPATH=. .venv/bin/python benchmarks/forgetting/run.py [rows.jsonl ...]

Rows, one JSON object a line; each has an `id`, a `kind` and a `language` (ISO 639-1). The rows of a
language share its store, whose facts are memories of one user.

- `{"kind": "store", "facts": [...]}`: what is stored: sentences of one user about themselves.
- `{"kind": "request", "text": "...", "right": [0, 3]}`: a message that asks to forget; `right` has
  the numbers of the facts that are meant, from 0: all of them must be proposed and no other.
  `"everything"` if all of the user is meant, `[]` if nothing stored is.
- `{"kind": "innocent", "text": "..."}`: a message that asks for nothing like it: no proposal.
- `{"kind": "answer", "asked": "...", "text": "...", "confirms": true}`: the next message after the
  first request of the language and the assistant's `asked`; whether it agrees. What does not agree
  must erase nothing.

Besides the rows, messages of other sets (`--others`: JSON lines with `text`, `tell`, `request` or
`messages`) are told to the first store: each proposal among them is a false alarm.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

from recollect import AsyncMemory
from recollect.filters import Exchange, Fence, RequestRecallOptions, request_filters
from recollect.filters.capture import conversation_id_of
from recollect.filters.capture.turns import turn_ids_of
from recollect.memory.engine.engine import Engine
from recollect.memory.engine.options import EngineOptions
from recollect.memory.model.types import Message, Scope

Row = Mapping[str, Any]
ROWS = Path(__file__).parent / "rows"
TENANT = "bench"
INMEMORY = {"backend": "inmemory"}
FIELDS = ("text", "tell", "request")


class Chats:
    """An engine with the filters of a request in front of it."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.memory = AsyncMemory(engine, tenant=TENANT)
        self.filters = request_filters(
            RequestRecallOptions(),
            engine.recaller,
            engine.parts.tokens,
            Fence(b"benchmark"),
            spoken=engine.spoken,
        )
        self.numbers = count()

    @classmethod
    @asynccontextmanager
    async def open(cls) -> AsyncIterator[Chats]:
        options = EngineOptions.model_validate(
            {"store": INMEMORY, "state": INMEMORY, "history": INMEMORY}
        )
        async with Engine.open(options) as engine:
            await engine.spoken.prepare()
            yield cls(engine)

    async def store(self, user: str, facts: Sequence[str]) -> None:
        for fact in facts:
            await self.memory.add(fact, user_id=user, infer=False)

    async def stored(self, user: str) -> list[str]:
        found = await self.memory.get_all(user_id=user, limit=1000)
        return [one["memory"] for one in found["results"]]

    async def send(self, user: str, *texts: str, session: str) -> Exchange:
        """The last request of a conversation: user and assistant speak in turns."""
        roles = ("user", "assistant")
        messages = [Message(role=roles[i % 2], content=text) for i, text in enumerate(texts)]
        scope = Scope(tenant=TENANT, user_id=user)
        conversation = conversation_id_of(scope, session, messages)
        turns = tuple(turn_ids_of(conversation, messages))
        exchange = Exchange(
            scope=scope,
            messages=messages,
            model="none",
            conversation_id=conversation,
            turn_id=turns[-1],
            turns=turns,
            may_forget=True,
        )
        for each in self.filters:
            if exchange.verdict is None:
                await each.request(exchange)
        return exchange


def step(exchange: Exchange) -> str:
    """What became of a message that forgets; "" of any other."""
    return exchange.notes.get("forget", "")


def told(exchange: Exchange) -> str:
    return "\n".join(each.text for each in exchange.notice)


async def requests(chats: Chats, rows: Sequence[Row], facts: Mapping[str, list[str]]) -> Counter:
    """Of the requests: how many proposed exactly what is meant."""
    figures: Counter = Counter()
    for row in (row for row in rows if row["kind"] == "request"):
        user, known = f"store {row['language']}", facts[row["language"]]
        before = await chats.stored(user)
        exchange = await chats.send(user, row["text"], session=row["id"])
        text = told(exchange)
        if row["right"] == "everything":
            right = "Everything that is known" in text
        else:
            shown = [number for number, fact in enumerate(known) if fact in text]
            wanted = "forget_proposed" if row["right"] else "forget_unmatched"
            right = shown == sorted(row["right"]) and step(exchange) in {wanted, *_none(row)}
        figures["requests"] += 1
        figures["right target"] += right
        figures["erased without confirmation"] += await chats.stored(user) != before
        if not right:
            print("  wrong target:", row["id"], row["text"], "->", step(exchange) or "nothing")
    return figures


def _none(row: Row) -> set[str]:
    """What is not stored may also be answered like any message."""
    return set() if row["right"] else {""}


async def answers(chats: Chats, rows: Sequence[Row], facts: Mapping[str, list[str]]) -> Counter:
    """Of the answers: how many erased what they agreed to, and nothing else did."""
    figures: Counter = Counter()
    first: dict[str, Row] = {}
    for row in rows:
        if row["kind"] == "request" and row["right"] not in ([], "everything"):
            first.setdefault(row["language"], row)
    for row in (row for row in rows if row["kind"] == "answer"):
        request, known = first[row["language"]], facts[row["language"]]
        user = f"answers {next(chats.numbers)}"
        await chats.store(user, known)
        await chats.send(user, request["text"], session=row["id"])
        said = (request["text"], row["asked"], row["text"])
        exchange = await chats.send(user, *said, session=row["id"])
        await chats.engine.spoken.close()
        gone = set(known) - set(await chats.stored(user))
        wanted = {known[number] for number in request["right"]} if row["confirms"] else set()
        figures["agreeing" if row["confirms"] else "not agreeing"] += 1
        if row["confirms"]:
            figures["erased as agreed"] += gone == wanted
        else:
            figures["erased without agreement"] += bool(gone)
        if gone != wanted:
            print("  wrong answer:", row["id"], row["text"], "->", step(exchange) or "nothing")
    return figures


async def alarms(chats: Chats, name: str, texts: Sequence[tuple[str, str]]) -> Counter:
    """Of messages (user, text) that ask for nothing like it: how many are taken for a request."""
    figures: Counter = Counter()
    for user, text in texts:
        exchange = await chats.send(user, text, session=f"{name} {next(chats.numbers)}")
        figures[f"{name}"] += 1
        figures[f"{name}: false alarms"] += bool(step(exchange))
        if step(exchange):
            print("  false alarm:", name, repr(text[:120]), step(exchange))
    return figures


def read(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text().splitlines() if line.strip()]


def messages_in(rows: Sequence[Row]) -> Iterator[str]:
    for row in rows:
        yield from (row[name] for name in FIELDS if isinstance(row.get(name), str))
        yield from (each["content"] for each in row.get("messages", [])[-1:])


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("rows", type=Path, nargs="*", default=sorted(ROWS.glob("*.jsonl")))
    parser.add_argument("--others", type=Path, nargs="*", default=[])
    args = parser.parse_args()
    rows = [row for path in args.rows for row in read(path)]
    facts: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        if row["kind"] == "store":
            facts[row["language"]] += row["facts"]
    async with Chats.open() as chats:
        for language, known in facts.items():
            await chats.store(f"store {language}", known)
        figures = await requests(chats, rows, facts)
        figures += await answers(chats, rows, facts)
        innocent = [
            (f"store {row['language']}", row["text"]) for row in rows if row["kind"] == "innocent"
        ]
        figures += await alarms(chats, "innocent", innocent)
        first = f"store {next(iter(facts))}"
        for path in args.others:
            texts = [(first, text) for text in messages_in(read(path))]
            figures += await alarms(chats, path.stem, texts)
    for name in ("erased without confirmation", "erased without agreement"):
        figures.setdefault(name, 0)
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    asyncio.run(main())
