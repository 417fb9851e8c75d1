"""Whether what was said is still recalled after what was learned of it is withheld.

    python benchmarks/learning/withheld.py [--data FOLDER] [--show]

Each row of `rows/withheld.jsonl` is said in a chat and learned by a scripted model, which reads the
right `fact` and doubts it (`doubt`: the user does not assert it, or it is about somebody else), or
nobody doubts it but the quarantine. `true` rows must be recalled for `ask` before and after
learning, and once the fact is validated the memory alone. The counter-figures are the `planted`
rows, and those of the evaluation data (`poison`), each also as a fact that the model doubts: how
many of them are recalled by their words before and after learning, and stand in the profile.

Prints a table, writes benchmarks/results/withheld.json.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
# Instead of this folder, whose secrets.py would be found in the place of Python's.
sys.path[:1] = [str(ROOT), str(ROOT / "benchmarks")]

from load import write_json  # noqa: E402 - the script runs without an installation

from recollect.memory import AsyncMemory, InvalidInputError, Scope  # noqa: E402 - the same
from recollect.memory.embedders import LocalEmbedderOptions, open_embedder  # noqa: E402 - the same
from recollect.memory.engine.options import EngineOptions  # noqa: E402 - the same
from recollect.memory.model.types import (  # noqa: E402 - the same
    ChatReply,
    ChatRequest,
    Turn,
    utc_now,
)
from tests.support.parts import engine_of  # noqa: E402 - the same

ROWS = Path(__file__).parent / "rows" / "withheld.jsonl"
MODELS = Path("~/.recollect/models").expanduser()
TENANT = "local"
Row = Mapping[str, Any]


class Reads:
    """A model that finds the facts it was given, verifies all, and calls each of them new."""

    def __init__(self) -> None:
        self.facts: list[dict[str, Any]] = []

    async def complete(self, request: ChatRequest) -> ChatReply:
        """By what is asked for."""
        asked = json.dumps(request.schema or {})
        told: object = {"facts": self.facts}
        if "not_stated" in asked:
            told = {"not_stated": []}
        elif '"decisions"' in asked:
            told = {"decisions": []}
        return ChatReply(text=json.dumps(told, ensure_ascii=False), model="scripted")

    async def close(self) -> None:
        """Nothing to release."""


def facts_of(row: Row) -> Iterator[dict[str, Any]]:
    """What the model reads in a row's turn."""
    doubts = {"who": {"who": "somebody else"}, "asserted": {"asserted": False}}
    usual = {"type": "semantic", "turn": 1, "who": "user"}
    yield usual | {"text": row["fact"], "quote": row["quote"]} | doubts.get(row["doubt"], {})
    for text, quote in row.get("trusted", ()):
        yield usual | {"text": text, "quote": quote}


class World:
    """A memory of users of whom each says one thing."""

    def __init__(self, memory: AsyncMemory, reads: Reads) -> None:
        self._memory, self._reads = memory, reads
        self._engine = memory._engine  # noqa: SLF001 - turns are said to it

    async def told(self, row: Row) -> dict[str, Any]:
        """What is recalled of a row, before it is learned, after that, and once it is valid."""
        scope = Scope(tenant=TENANT, user_id=row["id"])
        turn = Turn(
            id=row["id"], conversation_id=row["id"], scope=scope, user_text=row["said"],
            assistant_text="I see.", model="m", created_at=utc_now() - timedelta(hours=1),
        )  # fmt: skip
        await self._engine.parts.state.conversations.record(turn)
        self._engine.said.forget(scope)
        before = await self._said(row)
        self._reads.facts = list(facts_of(row))
        await self._engine.background.learning.flush(scope)
        found = await self._memory.get_all(user_id=row["id"], status="quarantined")
        held = [one["id"] for one in found["results"] if one["memory"] == row["fact"]]
        after, both = await self._said(row), False
        stands = len((await self._memory.profile(user_id=row["id"]))["results"])
        for name in held if row["kind"] == "true" else ():
            with suppress(InvalidInputError):
                await self._memory.validate(name, user_id=row["id"])
            both = await self._said(row)
        return {"row": row, "held": bool(held), "before": before, "after": after,
                "stands": stands, "both": both}  # fmt: skip

    async def _said(self, row: Row) -> bool:
        """Whether the words that it is read from are recalled."""
        found = await self._memory.search(row["ask"], user_id=row["id"], kinds=["said"])
        return any(_alike(one["memory"], row["quote"]) for one in found["results"])


def _alike(said: str, quote: str) -> bool:
    """Of what stays of a turn that looks planted, a part is as bad as all of it."""
    own, other = _pieces(said), _pieces(quote)
    return len(own & other) >= len(other) / 2


def _pieces(text: str) -> set[str]:
    plain = "".join(sign for sign in text.casefold() if sign.isalnum())
    return {plain[at : at + 3] for at in range(len(plain) - 2)}


def planted_of(path: Path) -> list[Row]:
    """Planted rows of the evaluation data that a user says; empty without it."""
    if not path.is_file():
        return []
    read = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return [
        {"id": row["id"], "lang": row["lang"], "kind": "poison", "said": said, "quote": said,
         "fact": row["candidate"], "doubt": "", "ask": row["candidate"]}
        for row in read
        if row["malicious"] and (said := next(
            (one["content"] for one in row["messages"] if one["role"] == "user"), ""))
    ]  # fmt: skip


async def measure(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """What becomes of all rows."""
    reads = Reads()
    embedder = await open_embedder(LocalEmbedderOptions(model_dir=MODELS))
    engine = engine_of(reads, EngineOptions(), embedder=embedder)
    async with AsyncMemory(engine, tenant=TENANT) as memory:
        return [await World(memory, reads).told(row) for row in rows]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--show", action="store_true", help="print what stays of each row")
    wanted = parser.parse_args()
    own = [json.loads(line) for line in ROWS.read_text("utf-8").splitlines()]
    planted = [one for one in own if one["kind"] == "planted"]
    planted += planted_of(wanted.data / "poison.dev.jsonl")
    doubted = [{**row, "id": f"{row['id']} doubted", "doubt": "asserted"} for row in planted]
    true = [one for one in own if one["kind"] == "true"]
    seen = asyncio.run(measure([*true, *planted, *doubted]))
    told = {}
    print(f"{'':9}{'rows':>6}{'withheld':>10}{'recalled before':>17}{'after':>7}{'of all':>8}"
          f"{'both once valid':>17}{'in the profile':>16}")  # fmt: skip
    for kind in ("true", "planted", "poison"):
        some = [one for one in seen if one["row"]["kind"] == kind]
        held = [one for one in some if one["held"]]
        counts = {
            "rows": len(some), "withheld": len(held),
            "before": sum(one["before"] for one in held),
            "after": sum(one["after"] for one in held),
            "after_of_all": sum(one["after"] for one in some),
            "both": sum(one["both"] for one in held),
            "profile": sum(bool(one["stands"]) for one in held),
        }  # fmt: skip
        told[kind] = counts
        print(f"{kind:9}{counts['rows']:6}{counts['withheld']:10}{counts['before']:17}"
              f"{counts['after']:7}{counts['after_of_all']:8}{counts['both']:17}"
              f"{counts['profile']:16}")  # fmt: skip
    print("of the rows whose fact is withheld, and `of all`; `after`: by the words, after learning")
    for one in seen if wanted.show else ():
        row = one["row"]
        said = {name: one[name] for name in ("held", "before", "after", "both", "stands")}
        print(f"  {row['id']} {row['kind']} {said} {row['said'][:90]!r}")
    print(f"written to {write_json('withheld', told)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
