"""Whether users forget by saying so: what they asked for, after they agreed, and nothing else.

Rows, one JSON object a line, each with an `id` and a `lang` (ISO 639-1):

- `{"kind": "talk", "facts": [...], "text": "...", "right": [0, 3], "answers": ["..."]}`: a user
  with these memories asks, and answers our question as people do. `right` has the numbers of
  the facts that are gone at the end, from 0, `"everything"`, or `[]`. `named` has those that a
  proposal may show, if that is more than `right`: what was asked for and then withheld.
- `{"kind": "message", "text": "..."}`: an ordinary message: no proposal.

A talk's answers follow one another while the model is told to ask; of everything, the first one is
said again.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
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

from .figure import Figure

Row = Mapping[str, Any]
ROWS = Path(__file__).parent / "rows"
TENANT = "bench"
INMEMORY = {"backend": "inmemory"}
ASKS = "forget_proposed", "forget_unconfirmed"
QUESTIONS = json.loads((ROWS / "forgetting.questions.json").read_text())
"""By language, what the model makes of the notice, whose lines it shows."""
ENDS_AS_ASKED, TAKEN = 0.9, 0.002


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
        options = EngineOptions.model_validate({"state": INMEMORY, "history": INMEMORY})
        async with Engine.open(options) as engine:
            yield cls(engine)

    async def store(self, user: str, facts: Iterable[str]) -> None:
        for fact in facts:
            await self.memory.add(fact, user_id=user, infer=False)

    async def stored(self, user: str) -> set[str]:
        found = await self.memory.get_all(user_id=user, limit=1000)
        return {one["memory"] for one in found["results"]}

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


async def talk(chats: Chats, row: Row) -> dict[str, Any]:
    """What a talk shows and erases, by the numbers of the facts."""
    user, facts = f"talk {next(chats.numbers)}", list(row["facts"])
    await chats.store(user, facts)
    said = [row["text"]]
    exchange = await chats.send(user, *said, session=row["id"])
    steps, shown = [step(exchange)], _shown(exchange, facts)
    whole = _of_everything(exchange)
    answers = list(row["answers"])
    while answers and step(exchange) in ASKS:
        lines = "\n".join(f"- {facts[at]}" for at in sorted(_shown(exchange, facts)))
        said += [row.get("asked") or QUESTIONS[row["lang"]].format(lines), answers.pop(0)]
        exchange = await chats.send(user, *said, session=row["id"])
        await chats.engine.spoken.close()
        steps.append(step(exchange))
        shown |= set() if _of_everything(exchange) else _shown(exchange, facts)
        if not answers and _of_everything(exchange) and row["right"] == "everything":
            answers = [row["answers"][-1]] if len(steps) < 4 else []
    left = await chats.stored(user)
    gone = {at for at, fact in enumerate(facts) if fact not in left}
    return {"steps": steps, "shown": set() if whole else shown, "whole": whole, "gone": gone}


def _of_everything(exchange: Exchange) -> bool:
    return "Everything that is known" in told(exchange)


def _shown(exchange: Exchange, facts: Sequence[str]) -> set[int]:
    notice = told(exchange)
    return {at for at, fact in enumerate(facts) if fact in notice}


async def measure() -> Sequence[Figure]:
    """The figures of the fresh rows and, by the same names, of those they were tuned on."""
    figures: list[Figure] = []
    for name in ("forgetting", "forgetting.dev"):
        path = ROWS / f"{name}.jsonl"
        if path.exists():
            figures += await measured(read(path), "" if name == "forgetting" else " (dev)")
    return figures


async def measured(rows: Sequence[Row], suffix: str) -> Sequence[Figure]:
    """Ends, over-erasing, and false alarms."""
    wrong: dict[str, list[str]] = {name: [] for name in ("end", "named", "agreed", "taken")}
    right: Counter[str] = Counter()
    talks = [row for row in rows if row["kind"] == "talk"]
    messages = [row for row in rows if row["kind"] == "message"]
    async with Chats.open() as chats:
        for row in talks:
            seen, every = await talk(chats, row), set(range(len(row["facts"])))
            meant = every if row["right"] == "everything" else set(row["right"])
            may = meant | set(row.get("named", ()))
            line = f"{row['id']} {row['text']} {row['answers']} -> {seen}"
            ends = seen["gone"] == meant
            right[row["lang"]] += ends
            if not ends:
                wrong["end"].append(line)
            if not seen["shown"] <= may or (seen["whole"] and may != every):
                wrong["named"].append(line)
            if not seen["gone"] <= meant:
                wrong["agreed"].append(line)
        users = await _users(chats, talks)
        for at, row in enumerate(messages):
            exchange = await chats.send(users[at % len(users)], row["text"], session=row["id"])
            if step(exchange):
                wrong["taken"].append(f"{row['id']} {row['text']} -> {step(exchange)}")
    of = Counter(row["lang"] for row in talks)
    by_lang = {lang: f"{right[lang]}/{of[lang]}" for lang in sorted(of)}
    return [
        Figure(f"forgetting{suffix}: ends as asked", sum(right.values()), len(talks),
               at_least=ENDS_AS_ASKED, by_lang=by_lang, failed=tuple(wrong["end"])),
        Figure(f"forgetting{suffix}: proposes more than named", len(wrong["named"]), len(talks),
               at_most=0.0, failed=tuple(wrong["named"])),
        Figure(f"forgetting{suffix}: erases more than agreed", len(wrong["agreed"]), len(talks),
               at_most=0.0, failed=tuple(wrong["agreed"])),
        Figure(f"forgetting{suffix}: ordinary messages taken for requests", len(wrong["taken"]),
               len(messages), at_most=TAKEN, failed=tuple(wrong["taken"])),
    ]  # fmt: skip


async def _users(chats: Chats, talks: Sequence[Row]) -> list[str]:
    """Some users with the facts of several talks each."""
    users = [f"user {number}" for number in range(8)]
    for at, row in enumerate(talks):
        await chats.store(users[at % len(users)], row["facts"])
    return users


def read(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text().splitlines() if line.strip()]
