"""The parts that are measured on sets of other benchmarks, each as these measure it.

The path has this folder's parent, and `recall` below that (`run`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import locomo
from load import RESULTS
from locomo import Conversation
from measures import Answer
from product import at_k, disk_embedder
from quality import Quality
from unseen import sets, stores

from recollect.memory.calibration import calibration_for
from recollect.memory.recall import lasting_wishes
from recollect.memory.recall.options import RecallOptions
from recollect.memory.recall.prototypes import Prototypes

from . import counting, own
from .counting import Counts
from .doors import Doors
from .own import AT_ONCE, Row

NEEDED = ("direct", "paraphrase", "list", "task")
RECALLED = ("ood-realtalk", "ood-realmem")
OWN_RECALLED = ("recall-2", "recall-4")
CUTS = (5, 10)
GREETING = "Hello!"
SPEAKER = "User"
LEAST = 20
"""Facts of a person; a name of fewer is that of somebody else in a sentence."""


def in_turn(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    """So many as one engine has users at once."""
    yield from (rows[at : at + AT_ONCE] for at in range(0, len(rows), AT_ONCE))


def noted(data: Path) -> dict[str, list[tuple[str, str]]]:
    """People of whom a model noted much, by name: facts of LoCoMo's speakers, and of RealMem."""
    people: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for name, sample in locomo.samples(locomo.files(data)):
        for session in locomo.facts(name, sample).sessions:
            for entry in session.entries:
                who = entry.text.split(maxsplit=1)[0].removesuffix("'s")
                about = entry.text.replace(who, SPEAKER, 1)
                of = people[f"{name} {who}"]
                of.append((str(len(of)), about))
    for row in sets.rows(data, "ood-realmem"):
        people[row["id"]] = [(one["id"], one["text"]) for one in row["memories"]]
    return {name: facts for name, facts in people.items() if len(facts) >= LEAST}


async def people(data: Path, counts: Counts) -> None:
    """People of whom nothing but facts is known: a line in a chat that says "Hello!"."""
    embedder = await disk_embedder(RESULTS)
    try:
        async with Doors.open() as doors:
            for name, facts in noted(data).items():
                vectors = await embedder.embed([text for _, text in facts])
                await doors.note(name, facts, vectors)
                given = await doors.chat(name, GREETING)
                counts.add("standing people", "en", bool(given.names))
                counts.add("standing notes", "en", len(given.names), len(facts))
    finally:
        await embedder.close()


async def impersonal(data: Path, counts: Counts) -> None:
    """Requests that no memory bears on, and own questions, of these people."""
    others = [row for row in sets.rows(data, "gate-external") if not row["search"]]
    rows = [*own.own("impersonal"), *others[: own.REQUESTS]]
    users = {name: facts[: own.LEARNED] for name, facts in noted(data).items()}
    embedder = await disk_embedder(RESULTS)
    try:
        async with Doors.open() as doors:
            for name, facts in users.items():
                await doors.note(name, facts, await embedder.embed([text for _, text in facts]))
            await own.impersonal(doors, rows, list(users), counts)
            for store in sets.rows(data, "ood-realmem"):
                known = {name for name, _ in users[store["id"]]}
                for ask in store["questions"]:
                    if needs := known.intersection(ask["evidence"]):
                        given = await doors.chat(store["id"], ask["question"])
                        counting.lines(counts, "impersonal own", "en", given.bearing, needs)
    finally:
        await embedder.close()


async def wishes(counts: Counts) -> None:
    """Told wishes that stand, and others that do."""
    rows = own.own("standing")
    embedder = await disk_embedder(RESULTS)
    try:
        calibration = calibration_for(embedder.id, dim=embedder.dim)
        prototypes = await Prototypes.of(embedder, calibration)
        vectors = await embedder.embed([row["text"] for row in rows])
    finally:
        await embedder.close()
    for row, vector in zip(rows, vectors, strict=True):
        meant = prototypes.told(vector) if row["lang"] in prototypes.languages else None
        learned = row.get("learned", False)
        stood = lasting_wishes.is_lasting_wish(row["text"], meant, learned=learned)
        which = "wishes" if row["stands"] else "others"
        counts.add(f"standing fresh {which}", row["lang"], stood)


async def persons(rows: Sequence[Row], counts: Counts) -> None:
    """People who told 26 facts: what a chat of theirs is given, by kind of question, and tokens."""
    async with Doors.open() as doors:
        for row in rows:
            await doors.tell(row["id"], [(one["id"], one["text"]) for one in row["facts"]])
        await doors.settled()
        for row in rows:
            lang = row["lang"]
            for ask in row["asks"]:
                given = await doors.chat(row["id"], ask["q"])
                counts.add("persons tokens", lang, given.tokens)
                if ask["kind"] in NEEDED:
                    name = f"persons {ask['kind']}"
                    counting.lines(counts, name, lang, given.bearing, ask["needs"])
                    first = set(given.bearing[: counting.MOST]) & set(ask["needs"])
                    counts.add(f"{name} in eight", lang, len(first), len(ask["needs"]))
                    counts.add(f"{name} tokens", lang, given.tokens)
                else:
                    counts.add(f"persons {ask['kind']} given", lang, bool(given.bearing))


async def recalled(data: Path, counts: Counts) -> None:
    """The share of the evidence among the first lines, and with the threshold for each line."""
    embedder = await disk_embedder(RESULTS)
    try:
        for name, conversations, languages in _corpora(data):
            bench = await Quality.open(conversations, embedder)
            try:
                for cut in CUTS:
                    for mark, base in (("", RecallOptions(threshold=0.0)), (" shown", None)):
                        for lang, answer in await _answers(bench, languages, at_k(cut, base)):
                            counts.add(f"{name} R@{cut}{mark}", lang, answer.share)
                for lang, answer in await _answers(bench, languages, RecallOptions()):
                    needs = answer.question.evidence
                    counting.lines(counts, f"{name} configured", lang, answer.found, needs)
            finally:
                await bench.close()
    finally:
        await embedder.close()


def _corpora(data: Path) -> Iterator[tuple[str, list[Conversation], Mapping[str, str]]]:
    said = [locomo.turns(*each) for each in locomo.samples(locomo.files(data))]
    yield "LoCoMo", said, {}
    for name in (*RECALLED, *OWN_RECALLED):
        rows = sets.rows(data, name) if name in RECALLED else sets.read(sets.own(name)[name])
        languages = {row["id"]: row.get("lang", "en") for row in rows}
        yield name.removeprefix("ood-"), [stores.conversation(row) for row in rows], languages


async def _answers(
    bench: Quality, languages: Mapping[str, str], options: RecallOptions
) -> list[tuple[str, Answer]]:
    """The answers to questions that have one, with their languages."""
    found = zip(bench.own(), await bench.ask(options), strict=True)
    return [
        (languages.get(one.of.conversation.name, "en"), answer)
        for one, answer in found
        if answer.question.evidence and answer.question.answerable
    ]
