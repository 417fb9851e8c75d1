"""What a line is worth: the needed lines that a chat is given, and the others with them.

    python benchmarks/relevance/lines.py [--data FOLDER] [--threshold P] [--json NAME]

Every question of the development sets and of our own rows is asked in its own store; questions of
other stores' users and impersonal requests are asked there too. Prints, by set and kind, the share
of the needed lines that came, the lines that were given, the share of them that was needed, and how
often anything but a wish was given. The greeting and tool gate is not asked: these are the figures
of recall alone. Rows whose file has `.dev` in its name were known when recall was tuned.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:1] = [str(ROOT), str(ROOT / "benchmarks"), str(ROOT / "benchmarks" / "recall")]

from evidence import asked  # noqa: E402 - the script runs without an installation
from load import RESULTS, write_json  # noqa: E402 - the same
from locomo import Question  # noqa: E402 - the same
from product import Engine, disk_embedder  # noqa: E402 - the same
from unseen import sets, stores  # noqa: E402 - the same

from recollect.memory.recall.options import RecallOptions  # noqa: E402 - the same

MOST = {"LoCoMo": 40, "LoCoMo facts": 40, "realtalk": 40, "realmem": 20}
"""Own questions that are asked in each store of these sets; all of any other."""
STRANGERS, IMPERSONAL = 8, 8
"""Foreign questions, and requests, in each store."""


@dataclass
class Counts:
    """What the questions of one kind were given."""

    asked: int = 0
    needed: int = 0
    came: int = 0
    lines: int = 0
    right: int = 0
    anything: int = 0
    characters: int = 0
    languages: set[str] = field(default_factory=set)

    def row(self) -> dict[str, float]:
        """As figures."""
        return {
            "asked": self.asked,
            "needed in": self.came / self.needed if self.needed else float("nan"),
            "lines": self.lines / self.asked,
            "share needed": self.right / self.lines if self.lines else float("nan"),
            "given anything": self.anything / self.asked,
            "characters": self.characters / self.asked,
        }


def kinds(data: Path) -> Mapping[str, str]:
    """The kind of each question of `persona.dev`."""
    path = data / "persona.dev.jsonl"
    rows = sets.read(path) if path.is_file() else []
    return {ask["q"]: ask["kind"] for row in rows for ask in row["asks"]}


def questions(
    store: asked.Store, known: Sequence[asked.Store], requests: Sequence[str], chance: random.Random
) -> Iterable[tuple[str, Question]]:
    """What is asked in a store, each with its kind."""
    own = list(store.talk.questions)
    chance.shuffle(own)
    yield from (("own", question) for question in own[: MOST.get(store.set, len(own))])
    few = 2 if len(own) == 1 else STRANGERS
    strangers = asked._strangers(store, known)  # noqa: SLF001 - the same choice
    chance.shuffle(strangers)
    yield from (("foreign", question) for question in strangers[:few])
    for text in chance.sample(list(requests), min(few, len(requests))):
        yield "impersonal", Question(text, frozenset(), stores.IMPERSONAL)


def kind_of(kind: str, question: Question, persona: Mapping[str, str]) -> str:
    """The kind under which a question is counted."""
    if kind != "own":
        return kind
    if question.category == stores.IMPERSONAL:
        return "impersonal"
    return persona.get(question.text, "own" if question.evidence else "never told")


async def measure(data: Path, options: RecallOptions) -> dict[tuple[str, str], Counts]:
    """The counts by set and kind."""
    embedder = await disk_embedder(RESULTS)
    engine = await Engine.open(embedder)
    chance, persona = random.Random(5), kinds(data)
    requests: dict[str, list[str]] = defaultdict(list)
    for language, text in asked._requests(data):  # noqa: SLF001 - the same requests
        requests[language].append(text)
    found: dict[tuple[str, str], Counts] = defaultdict(Counts)
    try:
        known = [*asked.every(data), *asked.plain()]
        recaller = engine.recaller(options)
        for store in known:
            filed = await engine.file(store.talk)
            for given, question in questions(store, known, requests[store.language], chance):
                got = await engine.recall(recaller, filed.scope, question.text, now=filed.now)
                needs = question.evidence if given == "own" else frozenset()
                came = [filed.source_of.get(name) for name in got.ids]
                counts = found[store.set, kind_of(given, question, persona)]
                counts.asked += 1
                counts.needed += len(needs)
                counts.came += len(needs.intersection(came))
                counts.lines += len(came)
                counts.right += sum(source in needs for source in came)
                counts.anything += got.matched
                counts.characters += sum(map(len, got.texts))
                counts.languages.add(store.language)
    finally:
        await engine.close()
        await embedder.close()
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--json", default="lines", help="name of the file of results")
    parser.add_argument("--threshold", type=float, help="`recall.threshold`, if not its default")
    given = parser.parse_args()
    changed = {} if given.threshold is None else {"threshold": given.threshold}
    counts = asyncio.run(measure(given.data, RecallOptions(**changed)))
    table = {f"{name} / {kind}": each.row() for (name, kind), each in sorted(counts.items())}
    print(f"{'set / kind':28} asked needed in  lines  needed anything characters")
    for name, row in table.items():
        print(
            f"{name:28}{row['asked']:6.0f}{row['needed in']:10.2f}{row['lines']:7.1f}"
            f"{row['share needed']:8.2f}{row['given anything']:9.2f}{row['characters']:11.0f}"
        )
    print(f"written to {write_json(given.json, json.loads(json.dumps(table)))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
