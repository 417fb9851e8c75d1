"""How much better a bare fact is found by the context that a model wrote (`learn.context`).

    python benchmarks/learning/situated.py

In each language a user speaks of two like things, and an extractor notes of each what does not say
of which: "the deposit is 900 EUR". A question names the thing. The contexts are written by hand, as
a capable model would write them, and take the product's own way: so the table says what the way is
worth at best, not what a model makes of it. `plain` in the same run is the baseline. Also told are
the contexts that the check let through, those that name what nobody said, the calls and their
tokens, and whether a fact that changes later is still compared with the earlier one.

Prints tables; nothing is written. Needs the embedder's weights (`recollect models fetch`).
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:1] = [str(ROOT)]

from recollect.memory import AsyncMemory  # noqa: E402 - the script runs without an installation
from recollect.memory.embedders import LocalEmbedderOptions, open_embedder  # noqa: E402 - the same
from recollect.memory.engine.options import EngineOptions  # noqa: E402 - the same
from recollect.memory.learn import LearnOptions  # noqa: E402 - the same
from recollect.memory.learn.options import ContextBy  # noqa: E402 - the same
from recollect.memory.model.costs import LEARNING  # noqa: E402 - the same
from recollect.memory.model.ports import Embedder  # noqa: E402 - the same
from recollect.memory.model.types import ChatReply, ChatRequest, utc_now  # noqa: E402 - the same
from tests.support.parts import engine_of  # noqa: E402 - the same

ROWS = Path(__file__).with_suffix(".jsonl")
"""For each language two like things, and what is said later of the first."""
Row = Mapping[str, Any]
STRANGER = "Victor Grange"


class Writes:
    """A model that extracts and situates as the rows say."""

    def __init__(self) -> None:
        self.facts: Sequence[tuple[str, str]] = ()
        self.context = ""
        self.situated = 0

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Answers by what is asked for."""
        asked = json.dumps(request.schema or {})
        if '"contexts"' in asked:
            self.situated += 1
            said: object = {
                "contexts": [
                    {"fact": number, "context": self.context}
                    for number in range(1, len(self.facts) + 1)
                ]
            }
        elif '"facts"' in asked:
            said = {"facts": [{"turn": 1, "quote": q, "text": t} for t, q in self.facts]}
        else:
            said = {"not_stated": []}
        return ChatReply(text=json.dumps(said, ensure_ascii=False), model="by hand")

    async def close(self) -> None:
        """Nothing to release."""


async def learn(
    memory: AsyncMemory, model: Writes, told: Row, user: str, context: str = ""
) -> None:
    """What a user says, as the model reads it."""
    model.facts = [(one["text"], one["quote"]) for one in told["facts"]]
    model.context = context or told["context"]
    await memory.add(told["said"], user_id=user)


async def measured(
    embedder: Embedder, rows: Sequence[Row], by: ContextBy
) -> dict[str, Counter[str]]:
    """Of each language: questions whose first hit is the answer, and what else is counted."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    model = Writes()
    engine = engine_of(model, EngineOptions(learn=LearnOptions(context=by)), embedder=embedder)
    async with AsyncMemory(engine) as memory:
        for row in rows:
            lang, count = row["lang"], found[row["lang"]]
            for told in row["things"]:
                await learn(memory, model, told, lang)
                await learn(memory, model, told, f"{lang} wrong", f"{told['context']}, {STRANGER}")
            for one in (fact for told in row["things"] for fact in told["facts"]):
                hits = (await memory.search(one["question"], user_id=lang, limit=1))["results"]
                count["questions"] += 1
                count["right"] += hits[0]["memory"] == one["text"]
            count["kept"] = await contexts(memory, lang)
            count["strangers"] = await contexts(memory, f"{lang} wrong")
            later = row["later"]
            fact = {"text": later["text"], "quote": later["text"]}
            await learn(memory, model, {**later, "facts": [fact]}, lang)
            count["compared"] = await compared(memory, lang, later["text"])
        spent = await engine.parts.state.ledger.spent("local", utc_now().date(), LEARNING)
    print(f"{by.value}: {spent.calls} calls, {model.situated} for contexts; {spent.tokens} tokens")
    return found


async def contexts(memory: AsyncMemory, user: str) -> int:
    """The memories of a user that have one."""
    listed = (await memory.get_all(user_id=user))["results"]
    return sum("context" in one["provenance"] for one in listed)


async def compared(memory: AsyncMemory, user: str, text: str) -> int:
    """Whether a later fact is known to be of the matter of an earlier one."""
    listed = (await memory.get_all(user_id=user))["results"]
    return sum(
        one["memory"] == text and bool(one["provenance"].get("pending") or one["version"] > 1)
        for one in listed
    )


async def main() -> None:
    """Measure both ways and print them beside each other."""
    rows = [json.loads(line) for line in ROWS.read_text("utf-8").splitlines()]
    embedder = await open_embedder(
        LocalEmbedderOptions(model_dir=Path("~/.recollect/models").expanduser())
    )
    try:
        plain, by_model = [await measured(embedder, rows, by) for by in ContextBy]
    finally:
        await embedder.close()
    print(f"\n{'':6}{'questions':>10}{'plain':>7}{'model':>7}{'kept':>6}{'strangers':>11}"
          f"{'compared, plain':>17}{'model':>7}")  # fmt: skip
    pairs = {lang: (plain[lang], by_model[lang]) for lang in plain}
    pairs["all"] = (sum(plain.values(), Counter()), sum(by_model.values(), Counter()))
    for lang, (before, after) in pairs.items():
        print(f"{lang:6}{before['questions']:10}{before['right']:7}{after['right']:7}"
              f"{after['kept']:6}{after['strangers']:11}{before['compared']:17}"
              f"{after['compared']:7}")  # fmt: skip


if __name__ == "__main__":
    asyncio.run(main())
