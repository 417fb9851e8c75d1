"""Questions asked in their own store and in strangers', and what the memories tell about each.

The labels cost nothing: a question has an answer in its own store and none in another user's. A
store of few memories is the evidence of one question and some of the others at random. Requests of
general knowledge have an answer in no store.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import locomo
import numpy as np
from locomo import Conversation, Entry, Question, Session
from product import Engine, Filed
from unseen import sets, stores

from recollect.memory.calibration import Calibration
from recollect.memory.embedders import embed_queries
from recollect.memory.language import sentences
from recollect.memory.recall import evidence
from recollect.memory.recall.constants import TUNING
from recollect.memory.recall.hit_evidence import likely
from recollect.memory.recall.options import RecallOptions
from recollect.memory.recall.prototypes import MessageMeaning, Prototypes
from recollect.memory.recall.score_fusion import fuse
from recollect.memory.recall.signals import SIGNALS, Signal, analysed, signals_of

OWN, FOREIGN, NEVER_TOLD, IMPERSONAL = "own", "foreign", "never told", "impersonal"
FOREIGN_MOST = 40
"""Questions of strangers, and requests, for each store; as many as own ones if these are more."""
PLAIN = Path(__file__).resolve().parents[1] / "relevance" / "rows"
TOLD = ("tell-5", "tell-6")
"""What people told in a chat and asked in another."""
KNOWN = "plain*.dev.jsonl"
"""Others were written after the weights were frozen, and fit none."""
SIZES = (1, 2, 4, 8, 16, 30)
SMALL_MOST = 12
"""Small stores of each store."""
_KINDS = {"none": stores.UNANSWERABLE, "impersonal": stores.IMPERSONAL}


@dataclass(frozen=True)
class Store:
    """A user's memories and questions."""

    set: str
    language: str
    talk: Conversation


@dataclass(frozen=True)
class Row:
    """One question in one store."""

    set: str
    language: str
    kind: str
    few: bool
    """Whether the store was cut to a few memories."""
    personal: bool
    """Whether it depends on who asks."""
    table: np.ndarray
    """``float32[len(ANSWERS), k]`` (`evidence.told`) of the memories that are weighed."""
    right: np.ndarray
    """``bool[k]``: whether each of them is needed."""
    evidence: int
    """Memories that are needed, also those that are not weighed."""


def every(data: Path) -> list[Store]:
    """The development sets and our own rows. Raises MissingDataError."""
    found: list[Store] = []
    for name, one in locomo.samples(locomo.files(data)):
        found.append(Store("LoCoMo", "en", locomo.turns(name, one)))
        facts = locomo.facts(name, one)
        found.append(Store("LoCoMo facts", "en", replace(facts, name=f"facts {facts.name}")))
    for name in sets.STORES:
        found += [
            Store(name.removeprefix("ood-"), row.get("lang", "en"), stores.conversation(row))
            for row in sets.rows(data, name)
        ]
    for stem, path in sets.own("recall").items():
        found += [Store(stem, row["lang"], stores.conversation(row)) for row in sets.read(path)]
    found += [_persona(row) for row in _lines(data / "persona.dev.jsonl")]
    found += [_chain(row) for row in _lines(data / "chains.dev.jsonl")]
    found += [_change(row) for row in _lines(data / "changes.dev.jsonl")]
    found += [_tell(row) for name in TOLD for row in sets.read(sets.own(name)[name])]
    return found


def plain(names: str = "plain*.jsonl") -> Iterator[Store]:
    """Our own small stores with one question each, of the files of such names."""
    for path in sorted(PLAIN.glob(names)):
        for row in sets.read(path):
            facts = [{"id": f"f{n}", "text": text} for n, text in enumerate(row["memories"])]
            needs = frozenset(f"f{n}" for n in row["needs"])
            asks = [Question(row["ask"], needs, stores.ANSWERABLE)]
            yield Store(path.stem, row["lang"], _told({"id": row["id"], "facts": facts}, asks))


def _lines(path: Path) -> list[dict]:
    return (
        [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        if path.is_file()
        else []
    )


def _persona(row: dict) -> Store:
    asks = [
        Question(ask["q"], frozenset(ask["needs"]), _KINDS.get(ask["kind"], stores.ANSWERABLE))
        for ask in row["asks"]
    ]
    return Store("persona", row["lang"], _told(row, asks))


def _chain(row: dict) -> Store:
    asks = [Question(row["ask"], frozenset(row["needs"]), stores.ANSWERABLE)]
    return Store("chains", row["lang"], _told(row, asks))


def _change(row: dict) -> Store:
    """Both statements bear on the question."""
    facts = [{"id": "first", "text": row["first"]}, {"id": "then", "text": row["then"]}]
    asks = [Question(row["ask"], frozenset({"first", "then"}), stores.ANSWERABLE)]
    return Store("changes", row["lang"], _told({"id": row["id"], "facts": facts}, asks))


def _tell(row: dict) -> Store:
    """A message, sentence by sentence, of which those with the answer are needed."""
    told = [one.strip() for one in sentences(row["tell"]) if row["needle"] in one]
    others = [one.strip() for one in sentences(row["tell"]) if one.strip() and one not in told]
    told = told or [row["tell"]]
    facts = [{"id": f"f{n}", "text": text} for n, text in enumerate([*told, *others])]
    needs = frozenset(fact["id"] for fact in facts[: len(told)])
    asks = [Question(row["ask"], needs, stores.ANSWERABLE)]
    return Store("told", row["language"], _told({"id": row["id"], "facts": facts}, asks))


def _told(row: dict, asks: Sequence[Question]) -> Conversation:
    """Facts told five at a time, three days apart."""
    start = datetime(2026, 1, 5, tzinfo=UTC)
    entries = [Entry(fact["id"], fact["text"]) for fact in row["facts"]]
    sessions = [
        Session(at // 5 + 1, start + timedelta(days=3 * (at // 5)), tuple(entries[at : at + 5]))
        for at in range(0, len(entries), 5)
    ]
    return Conversation(row["id"], tuple(sessions), tuple(asks))


def cut(talk: Conversation, asked: Question, size: int, chance: random.Random) -> Conversation:
    """The talk with the evidence of one question and so many memories in all."""
    others = [
        entry.id for session in talk.sessions for entry in session.entries
        if entry.id not in asked.evidence
    ]  # fmt: skip
    chance.shuffle(others)
    kept = asked.evidence | set(others[: size - len(asked.evidence)])
    sessions = (
        replace(session, entries=tuple(e for e in session.entries if e.id in kept))
        for session in talk.sessions
    )
    name = f"{talk.name}, {size} of {len(others)}, {abs(hash(asked))}"
    return Conversation(name, tuple(one for one in sessions if one.entries), (asked,))


class Asker:
    """Asks questions in stores, as the product would, and keeps what the memories tell."""

    def __init__(self, engine: Engine, calibration: Calibration, prototypes: Prototypes) -> None:
        self._engine = engine
        self._calibration = calibration
        self._prototypes = prototypes

    async def ask(
        self, store: Store, filed: Filed, asked: Question, kind: str, *, few: bool
    ) -> Row:
        index = await self._engine.indexes.get(filed.scope)
        vectors = await embed_queries(self._engine.embedder, [asked.text])
        read = analysed([asked.text], vectors, index.languages, filed.now)
        found = signals_of(index, read, self._calibration, neighbours=TUNING.neighbours)
        among = index.admitted(filed.scope)
        fused = fuse(
            found, TUNING, moments=index.moments,
            importance=index.importance, hearsay=index.hearsay, now=filed.now.timestamp(),
        )  # fmt: skip
        named = bool((found.table[SIGNALS.index(Signal.ENTITY)] > 0).any())
        known = read.language in self._prototypes.languages
        meant = self._prototypes.asked(vectors[0]) if known else MessageMeaning()
        personal = named or read.speaks_of_user or meant.personal
        scores = np.where(among, fused, -np.inf)
        at = likely(scores, found.cosine, among, RecallOptions().limit)
        beside = self._prototypes.background.nearness(read.vectors, index.vectors.rows(at))
        table = evidence.told(
            found,
            at,
            evidence.near(found, at, self._calibration),
            evidence.Nearness(*beside),
            personal=personal,
            depends=meant.depends,
        )
        wanted = asked.evidence if kind == OWN else frozenset()
        weighed = [index.entries[position] for position in at.tolist()]
        right = [entry and filed.source_of.get(entry.item.id) in wanted for entry in weighed]
        return Row(
            store.set, store.language, kind, few, personal, table.astype(np.float32),
            np.array(right, bool), len(wanted),
        )  # fmt: skip


async def rows(data: Path, engine: Engine, calibration: Calibration, *, seed: int = 7) -> list[Row]:
    """Every question in every store that it is asked in."""
    chance = random.Random(seed)
    known = [*every(data), *plain(KNOWN)]
    filed = [await engine.file(store.talk) for store in known]
    requests = list(_requests(data))
    asker = Asker(engine, calibration, await Prototypes.of(engine.embedder, calibration))
    found: list[Row] = []
    for store, own in zip(known, filed, strict=True):
        strangers = _strangers(store, known)
        chance.shuffle(strangers)
        general = [text for language, text in requests if language == store.language]
        chance.shuffle(general)
        asks = [q for q in store.talk.questions if _is_answerable(q)]
        most = max(FOREIGN_MOST, len(asks)) if len(store.talk.questions) > 1 else 5
        for kind, texts in (
            (OWN, asks),
            (NEVER_TOLD, [q for q in store.talk.questions if q.category == stores.UNANSWERABLE]),
            (IMPERSONAL, [q for q in store.talk.questions if q.category == stores.IMPERSONAL]),
            (FOREIGN, strangers[:most]),
            (IMPERSONAL, [Question(t, frozenset(), stores.IMPERSONAL) for t in general[:most]]),
        ):
            found += [await asker.ask(store, own, q, kind, few=False) for q in texts]
        if len(store.talk.questions) > 1:
            found += [
                row
                async for row in _in_small_ones(asker, engine, store, strangers, general, chance)
            ]
        print(f"\r{len(found)} questions", end="", flush=True)
    print()
    return found


async def _in_small_ones(asker, engine, store, strangers, general, chance):
    asks = [q for q in store.talk.questions if _is_answerable(q)]
    chance.shuffle(asks)
    for at, asked in enumerate(asks[:SMALL_MOST]):
        size = SIZES[at % len(SIZES)]
        if len(asked.evidence) > size:
            continue
        small = replace(store, talk=cut(store.talk, asked, size, chance))
        filed = await engine.file(small.talk)
        yield await asker.ask(small, filed, asked, OWN, few=True)
        for other in strangers[2 * at : 2 * at + 2]:
            yield await asker.ask(small, filed, other, FOREIGN, few=True)
        for text in general[2 * at : 2 * at + 2]:
            one = Question(text, frozenset(), stores.IMPERSONAL)
            yield await asker.ask(small, filed, one, IMPERSONAL, few=True)


def _is_answerable(asked: Question) -> bool:
    return asked.category not in (stores.UNANSWERABLE, stores.IMPERSONAL) and bool(asked.evidence)


def _strangers(store: Store, known: Sequence[Store]) -> list[Question]:
    """The questions of other stores of the set, in the same language if there are any."""
    others = [one for one in known if one.talk.name != store.talk.name]
    same = [one for one in others if one.language == store.language]
    near = [one for one in same if one.set == store.set] or same or others
    return [q for one in near for q in one.talk.questions if _is_answerable(q)]


def _requests(data: Path) -> Iterator[tuple[str, str]]:
    for row in sets.rows(data, "gate-external"):
        if not row["search"]:
            yield row["lang"], row["message"]
    for path in sets.own("general").values():
        for row in sets.read(path):
            yield row["language"], row["request"]
