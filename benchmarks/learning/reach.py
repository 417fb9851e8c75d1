"""Whether a change of what is known is put to the model, and what else is put to it.

    python benchmarks/learning/reach.py [--dev] [--show]

`rows/reach-changes.jsonl` has pairs that cannot both be so now (`old`, then `new`), and
`rows/reach-apart.jsonl` pairs that have nothing to do with each other (`far`) or are of one topic
and both so (`near`); `--dev` reads the rows that the rule was made with. The old fact of each pair
is known beside those of a person in the same language: `rows/reach-person.jsonl`, and the facts of
the other pairs that are apart. The new one is learned by the reconciler, with the product's
embedder. Told are, by language,

* changes that are asked about (the old fact stands in the question) or linked, and those that are
  linked or shown as conflicts without an answer;
* the counter-figures: pairs apart that are linked or shown as conflicts without an answer, and
  after a model that says of everything that it is new; further memories that a fact waits with;
* what the questions cost: calls and tokens of a fact.

Prints a table, writes benchmarks/results/reach.json.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Instead of this folder, whose secrets.py would be found in the place of Python's.
sys.path[:1] = [str(ROOT), str(ROOT / "benchmarks")]

from load import write_json  # noqa: E402 - the script runs without an installation

from recollect.memory.calibration import calibration_for  # noqa: E402 - the same
from recollect.memory.embedders import LocalEmbedderOptions, open_embedder  # noqa: E402 - the same
from recollect.memory.learn import LearnOptions  # noqa: E402 - the same
from recollect.memory.learn.reconciler import Reconciler  # noqa: E402 - the same
from recollect.memory.model.ports import Embedder  # noqa: E402 - the same
from recollect.memory.model.types import (  # noqa: E402 - the same
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
    Vector,
)
from recollect.memory.util.tokens import TiktokenCounter  # noqa: E402 - the same
from tests.support.memories import InMemoryMemories  # noqa: E402 - the same

ROWS = Path(__file__).parent / "rows"
MODELS = Path("~/.recollect/models").expanduser()
SCOPE = Scope(tenant="bench", user_id="u")
LEARNED = datetime(2026, 3, 2, 12, tzinfo=UTC)
OLD = "old"
LINKING = frozenset({EventKind.UPDATE, EventKind.DELETE})
SILENT, NEW = "I do not know.", '{{"decisions": [{}]}}'


@dataclass(frozen=True, slots=True)
class Row:
    """A pair of facts of one user."""

    id: str
    lang: str
    old: str
    new: str
    kind: str = "change"


@dataclass(slots=True)
class Asked:
    """A model that is asked and answers nothing, or of everything that it is new."""

    answers: bool
    questions: list[str] = field(default_factory=list)

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Keep the question."""
        self.questions.append("\n".join(message.content for message in request.messages))
        row = '{"fact": 1, "event": "ADD", "known": null, "text": null}'
        return ChatReply(text=NEW.format(row) if self.answers else SILENT, model="m")

    async def close(self) -> None:
        """Nothing to release."""


@dataclass(slots=True)
class Seen:
    """What became of a pair."""

    row: Row
    asked: bool
    """The old fact stood in the question."""
    linked: bool
    """The two are of one matter, or one takes the other's place, when nobody answered."""
    linked_as_new: bool
    """The same after a model said that the new one is new."""
    others: int
    """Further memories that it waits with, when nobody answered."""
    calls: int
    tokens: int


class Person:
    """One who is known by a list of facts."""

    def __init__(
        self, embedder: Embedder, vectors: dict[str, Vector], tokens: TiktokenCounter
    ) -> None:
        self._embedder, self._vectors, self._tokens = embedder, vectors, tokens

    async def told(self, row: Row, beside: Sequence[str]) -> Seen:
        """What becomes of a pair of one who is known by `beside` too."""
        silent, saying = Asked(answers=False), Asked(answers=True)
        without, store = await self._learned(row, beside, silent)
        with_, _ = await self._learned(row, beside, saying)
        question = "\n".join(silent.questions)
        pending = {name for one in without for name in one.pending}
        del store
        return Seen(
            row,
            asked=f": {row.old}" in question,
            linked=_is_linked(without),
            linked_as_new=_is_linked(with_),
            others=len(pending - {OLD}),
            calls=len(silent.questions),
            tokens=sum(map(self._tokens.count, silent.questions)),
        )

    async def _learned(
        self, row: Row, beside: Sequence[str], model: Asked
    ) -> tuple[Sequence[Decision], InMemoryMemories]:
        store = InMemoryMemories(dim=self._embedder.dim)
        known = {OLD: row.old} | {f"m{number}": text for number, text in enumerate(beside)}
        await store.put([self._stored(name, text) for name, text in known.items()])
        calibration = calibration_for(self._embedder.id, dim=self._embedder.dim)
        reconciler = Reconciler(store, self._embedder, calibration, LearnOptions())
        fact = Candidate(text=row.new, quote=row.new, turn_ids=("t",))
        moments = {"t": LEARNED + timedelta(days=30)}
        made = await reconciler.decide(SCOPE, [fact], batch="b", model=model, moments=moments)
        return made.decisions, store

    def _stored(self, name: str, text: str) -> StoredMemory:
        item = MemoryItem(
            id=name, text=text, type=MemoryType.SEMANTIC, scope=SCOPE, created_at=LEARNED,
            updated_at=LEARNED, embedder_id=self._embedder.id,
            provenance=Provenance(source=Source.EXTRACTION, matter=name, turn_ids=(f"t-{name}",)),
        )  # fmt: skip
        return StoredMemory(item, self._vectors[text])


def _is_linked(decisions: Sequence[Decision]) -> bool:
    return any(
        OLD in {one.matter, *one.pending} or (one.memory_id == OLD and one.event in LINKING)
        for one in decisions
    )


def rows_of(name: str) -> list[Row]:
    """The rows of a file."""
    lines = (ROWS / name).read_text("utf-8").splitlines()
    return [Row(**json.loads(line)) for line in lines if line.strip()]


async def measure(
    changes: Sequence[Row],
    apart: Sequence[Row],
    persons: Mapping[str, Sequence[str]] | None = None,
) -> list[Seen]:
    """What becomes of all pairs; `persons` are the facts beside them, by language."""
    known = persons_of("reach-person.jsonl") if persons is None else persons
    embedder = await open_embedder(LocalEmbedderOptions(model_dir=MODELS))
    try:
        every = (*changes, *apart)
        texts = {text for row in every for text in (row.old, row.new)}
        said = sorted(texts.union(*known.values()))
        vectors = dict(zip(said, await embedder.embed(said), strict=True))
        person = Person(embedder, vectors, await TiktokenCounter.open())
        return [await person.told(row, _beside(row, apart, known)) for row in every]
    finally:
        await embedder.close()


def _beside(row: Row, apart: Sequence[Row], persons: Mapping[str, Sequence[str]]) -> Sequence[str]:
    others = [one for one in apart if one is not row and one.lang == row.lang]
    return [*persons.get(row.lang, ()), *(text for one in others for text in (one.old, one.new))]


def persons_of(name: str) -> dict[str, Sequence[str]]:
    """The facts of a person, by language."""
    rows = map(json.loads, (ROWS / name).read_text("utf-8").splitlines())
    return {row["lang"]: row["facts"] for row in rows}


def figures(seen: Sequence[Seen]) -> dict[str, object]:
    """All figures; shares as counts."""
    groups = {
        "changes": [one for one in seen if one.row.kind == "change"],
        "far": [one for one in seen if one.row.kind == "far"],
        "near": [one for one in seen if one.row.kind == "near"],
    }
    return {
        "pairs": {
            name: {
                "pairs": len(some),
                "asked_or_linked": sum(one.asked or one.linked for one in some),
                "asked": sum(one.asked for one in some),
                "linked": sum(one.linked for one in some),
                "linked_as_new": sum(one.linked_as_new for one in some),
                "others": sum(one.others for one in some),
                "calls": sum(one.calls for one in some),
                "tokens": sum(one.tokens for one in some),
            }
            for name, some in groups.items()
        },
        "by_lang": _by_lang(seen),
    }


def _by_lang(seen: Sequence[Seen]) -> dict[str, dict[str, str]]:
    told: dict[str, Counter[str]] = {}
    for one in seen:
        counts = told.setdefault(one.row.lang, Counter())
        if one.row.kind == "change":
            counts.update(of=1, reach=int(one.asked or one.linked), linked=int(one.linked))
        else:
            counts.update(apart=1, wrong=int(one.linked))
    return {
        lang: {
            "asked or linked": f"{counts['reach']}/{counts['of']}",
            "linked": f"{counts['linked']}/{counts['of']}",
            "apart, linked": f"{counts['wrong']}/{counts['apart']}",
        }
        for lang, counts in sorted(told.items())
    }


def show(told: dict[str, object]) -> None:
    """The tables."""
    pairs: dict[str, dict[str, int]] = told["pairs"]  # type: ignore[assignment]
    print(f"{'':9}{'pairs':>7}{'asked or linked':>17}{'asked':>7}{'linked*':>9}{'linked**':>10}"
          f"{'others':>8}{'calls':>7}{'tokens a call':>15}")  # fmt: skip
    for name, one in pairs.items():
        print(f"{name:9}{one['pairs']:7}{one['asked_or_linked']:17}{one['asked']:7}"
              f"{one['linked']:9}{one['linked_as_new']:10}{one['others']:8}{one['calls']:7}"
              f"{one['tokens'] / max(one['calls'], 1):15.0f}")  # fmt: skip
    print("*  or shown as a conflict, without an answer; others: further memories it waits with")
    print("** after a model that says of everything that it is new")
    by_lang: dict[str, dict[str, str]] = told["by_lang"]  # type: ignore[assignment]
    for lang, counts in by_lang.items():
        print(f"{lang}: " + ", ".join(f"{name} {count}" for name, count in counts.items()))


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--dev", action="store_true", help="the rows that the rule was made with")
    parser.add_argument("--show", action="store_true", help="print the rows that fail")
    wanted = parser.parse_args()
    end = ".dev.jsonl" if wanted.dev else ".jsonl"
    changes, apart = rows_of(f"reach-changes{end}"), rows_of(f"reach-apart{end}")
    seen = asyncio.run(measure(changes, apart))
    told = figures(seen)
    show(told)
    for one in seen if wanted.show else ():
        change = one.row.kind == "change"
        if one.linked is not change or (change and not one.asked):
            said = f"asked {one.asked}, linked {one.linked}"
            print(f"  {one.row.id} {one.row.kind}: {said}: {one.row.old!r} | {one.row.new!r}")
    print(f"written to {write_json('reach-dev' if wanted.dev else 'reach', told)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
