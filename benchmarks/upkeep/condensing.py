"""What topic summaries save, and what recall finds with them.

    python benchmarks/upkeep/condensing.py [--data FOLDER] [--model honest|small] [--near N ...]
                                          [--talks N]

The facts of LoCoMo's sessions (`observation`) and the messages of two persons, each store in direct
mode. Before and after consolidation the questions are asked: share of the evidence among ten
lines, and within token budgets, where a memory that a summary cites counts as found through it; and
the tokens of what is injected. `honest` leaves words out by the product's own rules, so it is the
most that any model can save; `small` is SmolLM2 in llama.cpp. The curve is over how near the
memories of a topic are. Prints tables, writes benchmarks/results/condensing-MODEL.json.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import fmean
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:1] = [
    str(ROOT),
    str(ROOT / "benchmarks"),
    str(ROOT / "benchmarks" / "recall"),
    str(ROOT / "benchmarks" / "upkeep"),
]

import locomo  # noqa: E402 - the paths above
from honest import HonestModel  # noqa: E402 - the same
from load import RESULTS, write_json  # noqa: E402 - the same
from locomo import Conversation, Entry, Question, Session  # noqa: E402 - the same
from product import TENANT, Engine, at_k, disk_embedder, within  # noqa: E402 - the same

from recollect.memory.graph.topics import space  # noqa: E402 - the same
from recollect.memory.graph.topics.space import TopicSpace  # noqa: E402 - the same
from recollect.memory.learn.records import Batch  # noqa: E402 - the same
from recollect.memory.llms.openai import OpenAIChatModel  # noqa: E402 - the same
from recollect.memory.llms.options import OpenAIChatOptions  # noqa: E402 - the same
from recollect.memory.model.jobs import Job, JobKind  # noqa: E402 - the same
from recollect.memory.model.ports import ChatModel  # noqa: E402 - the same
from recollect.memory.model.types import ChatReply, ChatRequest, Scope  # noqa: E402 - the same
from recollect.memory.recall.options import RecallOptions  # noqa: E402 - the same
from recollect.memory.upkeep import Work  # noqa: E402 - the same
from recollect.memory.upkeep.consolidate.condensing import condensed  # noqa: E402 - the same
from recollect.memory.upkeep.consolidate.prompts import read_answer  # noqa: E402 - the same
from recollect.memory.upkeep.consolidate.summaries import SummaryOptions  # noqa: E402
from recollect.memory.upkeep.consolidate.truncation import Note  # noqa: E402 - the same

BUDGETS = (128, 256, 435, 512)
"""Tokens of the injected message; 435 is 85 % of the default."""
PERSONS = 2
MOST_RUNS = 200


@dataclass
class Talk:
    """A store, the questions to it, and where each entry is found now."""

    conversation: Conversation
    scope: Scope
    sources: dict[str, frozenset[str]]
    """memory id -> the entries that it says."""


def persons(data: Path) -> list[Conversation]:
    """The first persons, each message a memory, a day apart."""
    rows = map(json.loads, (data / "persona.dev.jsonl").read_text("utf-8").splitlines())
    start = datetime(2026, 1, 5, 12, tzinfo=UTC)
    found = []
    for row in list(rows)[:PERSONS]:
        sessions = tuple(
            Session(n, start + timedelta(days=n), (Entry(fact["id"], fact["text"]),))
            for n, fact in enumerate(row["facts"])
        )
        asks = tuple(
            Question(ask["q"], frozenset(ask["needs"]), 4) for ask in row["asks"] if ask["needs"]
        )
        found.append(Conversation(row["id"], sessions, asks))
    return found


def talks(data: Path) -> list[Conversation]:
    """LoCoMo's conversations as facts."""
    return [locomo.facts(*sample) for sample in locomo.samples(locomo.files(data))]


async def filed(engine: Engine, conversation: Conversation) -> Talk:
    sources: dict[str, frozenset[str]] = {}
    for session in conversation.sessions:
        for entry in session.entries:
            added = await engine.memory.add(
                entry.text,
                user_id=conversation.name,
                infer=False,
                dedupe=False,
                timestamp=session.at,
            )
            sources |= {event["id"]: frozenset({entry.id}) for event in added["results"]}
    return Talk(conversation, Scope(tenant=TENANT, user_id=conversation.name), sources)


async def consolidate(engine: Engine, talk: Talk, model: ChatModel) -> dict[str, float]:
    """Condense until nothing is left to do; `talk` knows the summaries then."""
    totals: dict[str, float] = {}
    parts = engine.product.parts
    for number in range(MOST_RUNS):
        job = Job(
            id=f"consolidate:{talk.scope.user_id}{number}",
            scope=talk.scope,
            conversation_id="",
            upto_seq=0,
            reason="call",
            kind=JobKind.CONSOLIDATE,
        )
        guard = await engine.product.forgetter.guard(talk.scope, job.id)
        items = await parts.store.load(talk.scope, limit=20_000)
        plan = await condensed(
            Work(job, talk.scope, model, guard),
            items,
            space=TopicSpace.of(parts.embedder.id, parts.embedder.dim, parts.calibration),
            options=SummaryOptions(enabled=True, topics_per_run=100),
            load=lambda ids: parts.store.get(TENANT, ids),
            redact=engine.product.redact,
            now=talk.conversation.asked_at + timedelta(days=400),
        )
        for name, value in plan.figures.items():
            totals[name] = totals.get(name, 0) + value if name != "topics" else value
        batch = Batch(id=job.id, scope=talk.scope, at=talk.conversation.asked_at)
        await engine.product.learner.carry_out(plan.decisions, batch, guard)
        for one in plan.decisions:
            if one.event.value in ("ADD", "UPDATE"):
                told = frozenset().union(*(talk.sources[cited] for cited in one.cites))
                talk.sources[one.memory_id] = told
        if not plan.more:
            break
    return totals


async def asked(engine: Engine, talks: Sequence[Talk], options: RecallOptions) -> dict[str, float]:
    """Share of the evidence that is found, and the tokens of it, for each question."""
    recaller = engine.recaller(options)
    shares, tokens, lines = [], [], []
    for talk in talks:
        for question in talk.conversation.questions:
            if not question.answerable:
                continue
            got = await engine.recall(
                recaller, talk.scope, question.text, now=talk.conversation.asked_at
            )
            found = frozenset[str]().union(*(talk.sources[name] for name in got.ids))
            shares.append(len(found & question.evidence) / len(question.evidence))
            tokens.append(engine.tokens.count(got.message) if got.message else 0)
            lines.append(len(got.ids))
    return {"recall": fmean(shares), "tokens": fmean(tokens), "lines": fmean(lines)}


async def measured(engine: Engine, talks: Sequence[Talk]) -> dict[str, dict[str, float]]:
    cuts = {"R@10": at_k(10), "configured": RecallOptions()}
    cuts |= {f"within {n}": within(n) for n in BUDGETS}
    return {name: await asked(engine, talks, options) for name, options in cuts.items()}


async def one_run(
    conversations: Sequence[Conversation], model: ChatModel, near: float, results: Path
) -> dict[str, Any]:
    """Everything before and after, with topics that are so near."""
    embedder = await disk_embedder(results)
    engine = await Engine.open(embedder)
    space.ALIKE = near
    try:
        found = [await filed(engine, one) for one in conversations]
        before = await measured(engine, found)
        done = [await consolidate(engine, talk, model) for talk in found]
        await engine.product.falling.settled()
        after = await measured(engine, found)
    finally:
        await engine.close()
        await embedder.close()
    total = {name: sum(one.get(name, 0) for one in done) for name in sorted(set().union(*done))}
    total["memories"] = sum(len(talk.sources) for talk in found) - total.get("condensed", 0)
    return {"near": near, "done": total, "before": before, "after": after}


def shown(name: str, run: dict[str, Any]) -> None:
    print(
        f"\n{name}, near {run['near']:g}: "
        + ", ".join(f"{key} {value:g}" for key, value in run["done"].items())
    )
    print(f"{'':22}{'recall':>16}{'tokens':>18}{'lines':>14}")
    for cut, before in run["before"].items():
        after = run["after"][cut]
        print(
            f"{cut:22}{before['recall']:8.3f}{after['recall']:8.3f}"
            f"{before['tokens']:9.0f}{after['tokens']:9.0f}"
            f"{before['lines']:7.1f}{after['lines']:7.1f}"
        )


class Heard:
    """A model whose answers are counted."""

    def __init__(self, inner: ChatModel) -> None:
        self._inner = inner
        self.calls = self.points = self.named = self.cut = self.covering = 0

    async def complete(self, request: ChatRequest) -> ChatReply:
        reply = await self._inner.complete(request)
        self.calls += 1
        notes = [line.partition(". ")[2] for line in request.messages[-1].content.splitlines()]
        for said in read_answer(reply.text):
            self.points += 1
            if not said.numbers or not all(0 < n <= len(notes) for n in said.numbers):
                continue
            self.named += 1
            made = [Note(notes[n - 1]).shortened(said.text) for n in said.numbers]
            self.cut += any(one is not None for one in made)
            self.covering += any(one is not None and one.covers for one in made)
        return reply

    async def close(self) -> None:
        await self._inner.close()

    def told(self) -> str:
        return (
            f"{self.calls} calls, {self.points} points; {self.named} name shown notes, "
            f"{self.cut} are cut from one of them, {self.covering} stand for one"
        )


@contextmanager
def chosen(name: str) -> Iterator[ChatModel]:
    """The model of that name."""
    if name == "honest":
        yield HonestModel()
        return
    from tests.support.llama import LlamaServer

    with LlamaServer() as server:
        options = OpenAIChatOptions(base_url=server.base_url, timeout_seconds=1800)
        yield OpenAIChatModel(options)


async def main_of(wanted: argparse.Namespace) -> dict[str, Any]:
    sets = {"LoCoMo facts": talks(wanted.data), "persons": persons(wanted.data)}
    kept: dict[str, Any] = {}
    for name, conversations in sets.items():
        for near in wanted.near:
            with chosen(wanted.model) as inner:
                model = Heard(inner)
                run = await one_run(conversations[: wanted.talks], model, near, RESULTS)
            shown(name, run)
            print(model.told())
            kept.setdefault(name, []).append(run | {"model": wanted.model, "told": model.told()})
    return kept


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--near", type=float, nargs="+", default=[space.ALIKE])
    parser.add_argument("--model", choices=("honest", "small"), default="honest")
    parser.add_argument("--talks", type=int, help="only so many conversations of each set")
    wanted = parser.parse_args()
    kept = asyncio.run(main_of(wanted))
    write_json(RESULTS / f"condensing-{wanted.model}.json", kept)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
