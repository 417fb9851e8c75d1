"""LoCoMo through the proxy: its lines as user messages, without any model.

Compares four ways in one run, on the same questions and with the same clock: lines stored directly
as memories, lines only said, observations (as extraction would make them) as memories, and
observations with the lines said beside them. R@10 is over ranked items, `found` over what fits 512
tokens; evidence of an observation is the line that it was made of.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "recall"))

from recollect.memory.engine.options import SaidOptions
from recollect.memory.model.types import (
    MemoryItem,
    MemoryType,
    Provenance,
    Scope,
    Source,
    StoredMemory,
    Turn,
)

from .tells import Teller

ADVERSARIAL = 5
OPTIONS = {"said": {"max_days": 10_000}}
SaidOptions.max_tokens = 64_000


@dataclass(frozen=True)
class Line:
    """A line of a conversation."""

    id: str
    text: str
    session: str
    at: datetime


def lines_of(conversation: Mapping[str, Any]) -> list[Line]:
    """The lines in order, with the time of their session."""
    found = []
    for name, turns in conversation.items():
        if not name.startswith("session_") or not isinstance(turns, list):
            continue
        said = conversation[f"{name}_date_time"]
        at = datetime.strptime(f"{said} +0000", "%I:%M %p on %d %B, %Y %z").astimezone(UTC)
        for turn in turns:
            shared = f" [shares {turn['blip_caption']}]" if turn.get("blip_caption") else ""
            text = f"{turn['speaker']}: {turn['text']}{shared}"
            found.append(Line(turn["dia_id"], text, name, at))
    return found


def observations_of(row: Mapping[str, Any]) -> list[tuple[str, list[str]]]:
    """Each observation with the ids of its lines."""
    found = []
    for session in row["observation"].values():
        for told in session.values():
            for text, ids in told:
                found.append((text, ids if isinstance(ids, list) else [ids]))
    return found


async def fill(
    teller: Teller, scope: Scope, row: Mapping[str, Any], *, said: bool, facts: bool, direct: bool
) -> dict[str, frozenset[str]]:
    """Put a conversation; returns the lines that each item is about."""
    lines = lines_of(row["conversation"])
    at = {line.id: line.at for line in lines}
    about: dict[str, frozenset[str]] = {}
    texts: list[tuple[str, str, list[str]]] = []
    if direct:
        texts += [(f"direct {line.id}", line.text, [line.id]) for line in lines]
    if facts:
        texts += [(f"fact {n}", text, ids) for n, (text, ids) in enumerate(observations_of(row))]
    if texts:
        vectors = await teller.engine.parts.embedder.embed([text for _, text, _ in texts])
        memories = []
        for number, ((name, text, ids), vector) in enumerate(zip(texts, vectors, strict=True)):
            when = max((at[i] for i in ids if i in at), default=lines[-1].at)
            session = next((line.session for line in lines if line.id in ids), "")
            item = MemoryItem(
                id=f"{scope.user_id} {name}", text=text, type=MemoryType.SEMANTIC, scope=scope,
                created_at=when, updated_at=when, valid_from=when, embedder_id="bench",
                provenance=Provenance(
                    source=Source.USER, conversation_id=session, sequence=number,
                    turn_ids=tuple(f"{scope.user_id} {i}" for i in ids),
                ),
            )  # fmt: skip
            about[item.id] = frozenset(ids)
            memories.append(StoredMemory(item, vector))
        await teller.engine.parts.store.put(memories)
    if said:
        for line in lines:
            turn = Turn(
                id=f"{scope.user_id} {line.id}", conversation_id=f"{scope.user_id} {line.session}",
                scope=scope, user_text=line.text, assistant_text="", model="none",
                created_at=line.at,
            )  # fmt: skip
            await teller.engine.parts.state.conversations.record(turn)
            while teller.engine.indexer.depth > 500:
                await asyncio.sleep(0.05)
        await teller.engine.said.get(scope)
        await teller.settled()
        for one in (await teller.engine.said.get(scope)).passages:
            about[one.item.id] = frozenset({one.turn_id.rpartition(" ")[2]})
    return about


async def measure(rows: Sequence[Mapping[str, Any]], **ways: bool) -> dict[str, float]:
    """R@5, R@10 and the share of evidence within 512 tokens, over all answerable questions."""
    at5, at10, found, tokens = [], [], [], []
    async with Teller.open(**OPTIONS) as teller:
        for number, row in enumerate(rows):
            scope = Scope(tenant="bench", user_id=f"u{number}")
            about = await fill(teller, scope, row, **ways)
            now = lines_of(row["conversation"])[-1].at
            recaller = teller.engine.recaller
            for asked in row["qa"]:
                named = asked.get("evidence", [])
                evidence = {i for each in named for i in each.replace(";", " ").split()}
                evidence &= {line.id for line in lines_of(row["conversation"])}
                if not evidence or asked.get("category") == ADVERSARIAL:
                    continue
                ranked = await recaller._rank(  # noqa: SLF001 - `rank` leaves out what was said
                    scope, asked["question"], most=10, only=None, now=now
                )
                ids = [hit.item.id for hit in ranked.ranking.ranked]
                for most, shares in ((5, at5), (10, at10)):
                    got = frozenset().union(*(about.get(i, frozenset()) for i in ids[:most]))
                    shares.append(len(evidence & got) / len(evidence))
                chosen = await recaller.recall(scope, asked["question"], now=now)
                got = frozenset().union(*(about.get(h.item.id, frozenset()) for h in chosen.chosen))
                found.append(len(evidence & got) / len(evidence))
                tokens.append(chosen.tokens)
    return {
        "questions": len(at10),
        "R@5": fmean(at5),
        "R@10": fmean(at10),
        "found in 512": fmean(found),
        "tokens": fmean(tokens),
    }


WAYS = {
    "direct": {"direct": True, "said": False, "facts": False},
    "said only": {"direct": False, "said": True, "facts": False},
    "facts only": {"direct": False, "said": False, "facts": True},
    "facts and said": {"direct": False, "said": True, "facts": True},
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--most", type=int, default=99, help="Conversations.")
    wanted = parser.parse_args()
    rows = json.loads((wanted.data / "locomo-dev.json").read_text("utf-8"))[: wanted.most]
    for name, ways in WAYS.items():
        figures = asyncio.run(measure(rows, **ways))
        shown = "  ".join(f"{key} {value:.3f}" for key, value in figures.items())
        print(f"{name:15} {shown}", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
