"""Whether a character's words become the person's, and whether people's words stay theirs.

Each row is a conversation, as a chat client sends it: maybe a `system` message, what is `said`, one
message after the other, and in `told` the words of the last statement. In a row of the kind `role`
a character says it: nothing of it may be recalled in another chat, or be read by the learner. In
an `ordinary` one the person does, to an assistant with a persona or beside talk of games. `out` is
what a player says as a person within a play.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from recollect.filters import Answer, Capture, Exchange
from recollect.memory.engine.engine import Engine
from recollect.memory.engine.options import EngineOptions, LearnOptions
from recollect.memory.learn.firewall import clean
from recollect.memory.model.types import Scope
from recollect.proxy.dialects.chat import parse_chat_body

from .figure import Figure

ROWS = Path(__file__).parent / "rows"
TENANT = "bench"
Row = Mapping[str, Any]


async def measure() -> Sequence[Figure]:
    """Rows of characters that teach something, and rows of people that do not."""
    return await measured(rows("roles.jsonl"))


async def measured(told: Sequence[Row]) -> Sequence[Figure]:
    """The figures of some rows."""
    async with Engine.open(EngineOptions()) as engine, engine.running():
        await engine.recaller.prepare()
        for row in told:
            await _tell(engine, row)
        await asyncio.sleep(0)
        while engine.indexer.depth:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.05)
        found = {row["id"]: await _learned(engine, row) for row in told}
    roles = [row for row in told if row["kind"] == "role"]
    people = [row for row in told if row["kind"] == "ordinary"]
    apart = [row for row in roles if row.get("out")]
    wrong = [row for row in roles if any(found[row["id"]][:2])]
    lost = [row for row in people if not all(found[row["id"]][:2])]
    heard = [row for row in apart if found[row["id"]][2]]
    return (
        Figure("roles that become the person", len(wrong), len(roles), at_most=0.0,
               by_lang=_by_lang(wrong, roles), failed=_shown(wrong)),
        Figure("facts of people recalled and read by the learner", len(people) - len(lost),
               len(people), at_least=0.9, by_lang=_by_lang(lost, people), failed=_shown(lost)),
        Figure("what is said out of a role, recalled", len(heard), len(apart), at_least=0.9,
               failed=_shown([row for row in apart if row not in heard])),
    )  # fmt: skip


async def _tell(engine: Engine, row: Row) -> None:
    """Send each message of a row with all before it, as chat clients do."""
    state = engine.parts.state
    capture = Capture(state.conversations, state.jobs, LearnOptions(), redact=engine.redact)
    capture.plays = engine.stage.plays
    messages = [{"role": "system", "content": row["system"]}] if row.get("system") else []
    for number, text in enumerate(row["said"]):
        messages.append({"role": "user", "content": text})
        body = json.dumps({"model": "m", "messages": messages}).encode()
        exchange = Exchange(
            scope=Scope(tenant=TENANT, user_id=row["id"]),
            messages=parse_chat_body(body).messages,
            model="m",
            conversation_id=row["id"],
            turn_id=f"{row['id']}/{number}",
        )
        await capture.response(exchange, Answer("I see."))
        messages.append({"role": "assistant", "content": "I see."})


async def _learned(engine: Engine, row: Row) -> tuple[bool, bool, bool]:
    """Whether the last statement is recalled, is read by the learner; what is said apart is."""
    scope = Scope(tenant=TENANT, user_id=row["id"])
    statement = row["said"][row.get("at", -1 if not row.get("out") else -2)]
    asked = f"{row['told']}?"  # a statement that is said again is not shown
    hits = [hit.item.text for hit in (await engine.recaller.recall(scope, asked)).chosen]
    turns = await engine.parts.state.conversations.turns(row["id"], 0, len(row["said"]))
    read = [turn.user_text for turn in clean(turns).turns]
    apart = row.get("out")
    found = (await engine.recaller.recall(scope, apart)).chosen if apart else ()
    known = [hit.item.text for hit in found]
    return (
        any(_shares(statement, text) for text in hits),
        any(_shares(statement, text) for text in read),
        bool(apart) and any(apart in text for text in known),
    )


def _shares(statement: str, text: str) -> bool:
    """Whether a text has a longer piece of a statement."""
    pieces = [piece for piece in statement.replace(",", ".").split(".") if len(piece.strip()) > 3]
    return any(piece.strip() in text for piece in pieces)


def _by_lang(hit: Sequence[Row], of: Sequence[Row]) -> dict[str, str]:
    wrong, every = (Counter(row["lang"] for row in some) for some in (hit, of))
    return {lang: f"{wrong[lang]}/{every[lang]}" for lang in every}


def _shown(some: Sequence[Row]) -> tuple[str, ...]:
    return tuple(f"{row['id']} {row['lang']}: {row['said'][-1]}" for row in some)


def rows(name: str) -> list[Row]:
    """The rows of a file."""
    lines = (ROWS / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line]
