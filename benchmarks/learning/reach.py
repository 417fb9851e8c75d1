"""Whether a change of what is known is put to the model, and what else is put to it.

`rows/reach-changes.jsonl` has pairs that cannot both be so now (`old`, then `new`), and
`rows/reach-apart.jsonl` pairs that have nothing to do with each other (`far`) or are of one topic
and both so (`near`). The old fact of each pair is known beside those of a person in the same
language: `rows/reach-person.jsonl`, and the facts of the other pairs that are apart. The new one is
learned by the reconciler, while a model is asked and answers nothing. Told are

* changes that are asked about (the old fact stands in the question) or linked without an answer;
* the counter-figures: pairs apart that are linked, further memories that a fact waits with, calls.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from recollect.memory.calibration import calibration_for
from recollect.memory.embedders import LocalEmbedderOptions, open_embedder
from recollect.memory.learn import LearnOptions
from recollect.memory.learn.reconciler import Reconciler
from recollect.memory.model.ports import Embedder
from recollect.memory.model.types import (
    Candidate,
    ChatReply,
    ChatRequest,
    Decision,
    EventKind,
    MemoryItem,
    MemoryType,
    Provenance,
    Scope,
    Source,
    StoredMemory,
)
from tests.support.memories import InMemoryMemories

ROWS = Path(__file__).parent / "rows"
MODELS = Path("~/.recollect/models").expanduser()
SCOPE = Scope(tenant="bench", user_id="u")
LEARNED = datetime(2026, 3, 2, 12, tzinfo=UTC)
OLD = "old"
LINKING = frozenset({EventKind.UPDATE, EventKind.DELETE})


@dataclass(frozen=True, slots=True)
class Row:
    """A pair of facts of one user."""

    id: str
    lang: str
    old: str
    new: str
    kind: str = "change"


class Silent:
    """A model that is asked and answers nothing."""

    def __init__(self) -> None:
        self.questions: list[str] = []

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Keep the question."""
        self.questions.append("\n".join(message.content for message in request.messages))
        return ChatReply(text="I do not know.", model="m")


@dataclass(frozen=True, slots=True)
class Seen:
    """What became of a pair."""

    row: Row
    asked: bool
    """The old fact stood in the question."""
    linked: bool
    """The two are of one matter, or one takes the other's place."""
    others: int
    """Further memories that it waits with."""
    calls: int


async def _learned(row: Row, beside: Sequence[str], embedder: Embedder) -> Seen:
    """What becomes of a pair of one who is known by `beside` too."""
    store, model = InMemoryMemories(dim=embedder.dim), Silent()
    known = {OLD: row.old} | {f"m{number}": text for number, text in enumerate(beside)}
    vectors = await embedder.embed(list(known.values()))
    await store.put(
        [
            StoredMemory(_item(name, text, embedder.id), vector)
            for (name, text), vector in zip(known.items(), vectors, strict=True)
        ]
    )
    calibration = calibration_for(embedder.id, dim=embedder.dim)
    reconciler = Reconciler(store, embedder, calibration, LearnOptions())
    fact = Candidate(text=row.new, quote=row.new, turn_ids=("t",))
    moments = {"t": LEARNED + timedelta(days=30)}
    made = await reconciler.decide(SCOPE, [fact], batch="b", model=model, moments=moments)
    pending = {name for one in made.decisions for name in one.pending}
    return Seen(
        row,
        asked=f": {row.old}" in "\n".join(model.questions),
        linked=_is_linked(made.decisions),
        others=len(pending - {OLD}),
        calls=len(model.questions),
    )


def _item(name: str, text: str, embedder_id: str) -> MemoryItem:
    return MemoryItem(
        id=name, text=text, type=MemoryType.SEMANTIC, scope=SCOPE, created_at=LEARNED,
        updated_at=LEARNED, embedder_id=embedder_id,
        provenance=Provenance(source=Source.EXTRACTION, matter=name, turn_ids=(f"t-{name}",)),
    )  # fmt: skip


def _is_linked(decisions: Sequence[Decision]) -> bool:
    return any(
        OLD in {one.matter, *one.pending} or (one.memory_id == OLD and one.event in LINKING)
        for one in decisions
    )


def rows_of(name: str) -> list[Row]:
    """The rows of a file."""
    lines = (ROWS / name).read_text("utf-8").splitlines()
    return [Row(**json.loads(line)) for line in lines if line.strip()]


async def measure(changes: Sequence[Row], apart: Sequence[Row]) -> list[Seen]:
    """What becomes of all pairs."""
    embedder = await open_embedder(LocalEmbedderOptions(model_dir=MODELS))
    try:
        return await _measured(changes, apart, embedder)
    finally:
        await embedder.close()


async def _measured(changes: Sequence[Row], apart: Sequence[Row], embedder: Embedder) -> list[Seen]:
    lines = map(json.loads, (ROWS / "reach-person.jsonl").read_text("utf-8").splitlines())
    persons = {row["lang"]: row["facts"] for row in lines}
    found = []
    for row in (*changes, *apart):
        others = [one for one in apart if one is not row and one.lang == row.lang]
        beside = [text for one in others for text in (one.old, one.new)]
        found.append(await _learned(row, [*persons.get(row.lang, ()), *beside], embedder))
    return found


async def told(_data: Path, embedder: Embedder) -> dict[str, dict[str, int]]:
    """The figures of our own rows, printed; shares as counts."""
    seen = await _measured(*map(rows_of, ("reach-changes.jsonl", "reach-apart.jsonl")), embedder)
    found = {}
    for kind in ("change", "far", "near"):
        some = [one for one in seen if one.row.kind == kind]
        found[kind] = {
            "pairs": len(some),
            "asked or linked": sum(one.asked or one.linked for one in some),
            "asked": sum(one.asked for one in some),
            "linked": sum(one.linked for one in some),
            "others": sum(one.others for one in some),
            "calls": sum(one.calls for one in some),
        }
        print(f"{kind:7}", ", ".join(f"{name} {count}" for name, count in found[kind].items()))
    return found
