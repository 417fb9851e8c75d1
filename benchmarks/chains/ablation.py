"""What each part of joining is worth, by kind of question: deep recall without a model.

    python benchmarks/chains/ablation.py [--data FOLDER] [--every N]

Chains (`chains.dev`; each row's facts by themselves, and with those of its language), the personas,
and the facts of LoCoMo by kind of question (every N-th question, by default each fifth). Of each
variant: questions of which all that is needed is in the result, and facts in it. `one search` is
what a search is sure of; `as many` is one search that may show as many facts as deep recall did.
Prints a table; nothing is written. Exits with 2 without the data.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
# Not this folder: its names would hide others.
sys.path[:1] = [str(ROOT), str(ROOT / "benchmarks"), str(ROOT / "benchmarks" / "recall")]

import locomo  # noqa: E402 - the script runs without an installation
from chains.deep import read  # noqa: E402 - the same

from recollect.memory import AsyncMemory  # noqa: E402 - the same
from recollect.memory.api import joining  # noqa: E402 - the same
from recollect.memory.engine.options import MemoryOptions  # noqa: E402 - the same
from recollect.memory.recall import chains  # noqa: E402 - the same
from recollect.memory.recall.difficulty import SURE  # noqa: E402 - the same

AT_ONCE = 200
"""Facts that are stored by one call."""
Variant = Mapping[str, Any]
Result = tuple[set[str], bool]
"""The facts of a result, and whether it abstained."""
VARIANTS: dict[str, Variant] = {
    "all parts": {},
    "no shared words": {"SHARED_WORTH": 0.0},
    "names as words": {"NAME_WORTH": 1.0},
    "pairs only": {"_Links.longer": lambda *_: None},
    "no spelling": {"is_spelled_alike": lambda *_: False},
    "stems only": {"_whole_words": lambda _: []},
    "one chain": {"most": 1},
    "two chains": {"most": 2},
}


@dataclass(frozen=True)
class Asked:
    """A question, of whom, and the texts that it needs."""

    user: str
    text: str
    needs: frozenset[str]
    kind: str


@contextmanager
def changed(variant: Variant) -> Iterator[None]:
    """With these parts of `recall.chains` in place of its own."""
    before: list[tuple[Any, str, Any]] = []

    def put(holder: Any, name: str, value: Any) -> None:
        before.append((holder, name, getattr(holder, name)))
        setattr(holder, name, value)

    for name, value in variant.items():
        if name == "most":
            put(joining, "best_chains", partial(chains.best_chains, most=value))
        elif "." in name:
            part, _, method = name.partition(".")
            put(getattr(chains, part), method, value)
        else:
            put(chains, name, value)
    try:
        yield
    finally:
        for holder, name, value in reversed(before):
            setattr(holder, name, value)


async def keep(memory: AsyncMemory, user: str, texts: Sequence[str]) -> None:
    messages = [{"role": "user", "content": text} for text in texts]
    for at in range(0, len(messages), AT_ONCE):
        await memory.add(messages[at : at + AT_ONCE], infer=False, user_id=user)


async def of_chains(memory: AsyncMemory, path: Path) -> list[Asked]:
    found = []
    for row in read(path):
        texts = {fact["id"]: fact["text"] for fact in row["facts"]}
        needs = frozenset(texts[name] for name in row["needs"])
        for user, where in ((row["id"], "of 10"), (f"all {row['lang']}", "of a language")):
            await keep(memory, user, list(texts.values()))
            found.append(Asked(user, row["ask"], needs, f"chains, {len(needs)} facts, {where}"))
    return found


async def of_personas(memory: AsyncMemory, path: Path) -> list[Asked]:
    found = []
    for person in read(path):
        texts = {fact["id"]: fact["text"] for fact in person["facts"]}
        await keep(memory, person["id"], list(texts.values()))
        for ask in person["asks"]:
            needs = frozenset(texts[name] for name in ask["needs"])
            kind = ask["kind"] if needs else "nothing is needed"
            found.append(Asked(person["id"], ask["q"], needs, f"persona, {kind}"))
    return found


async def of_locomo(memory: AsyncMemory, data: Path, every: int) -> list[Asked]:
    found = []
    for name, sample in locomo.samples(locomo.files(data)):
        talk = locomo.facts(name, sample)
        texts = {one.id: one.text for session in talk.sessions for one in session.entries}
        await keep(memory, name, list(dict.fromkeys(texts.values())))
        for question in talk.questions[::every]:
            lost = question.category == locomo.ADVERSARIAL
            needs = frozenset() if lost else frozenset(texts[one] for one in question.evidence)
            kind = f"LoCoMo, {locomo.CATEGORIES[question.category]}"
            found.append(Asked(name, question.text, needs, kind))
    return found


async def measure(data: Path, every: int, names: Sequence[str]) -> None:
    async with await AsyncMemory.open(MemoryOptions()) as memory:
        asks = await of_chains(memory, data / "chains.dev.jsonl")
        asks += await of_personas(memory, data / "persona.dev.jsonl")
        asks += await of_locomo(memory, data, every)
        found: dict[str, list[Result]] = {}
        for name in dict.fromkeys(("all parts", *names)):
            with changed(VARIANTS[name]):
                found[name] = [await deep(memory, ask) for ask in asks]
            print(f"{name}: done", file=sys.stderr)
        found["one search"] = [await sure(memory, ask) for ask in asks]
        sizes = [len(result) for result, _ in found["all parts"]]
        found["as many"] = [await top(memory, ask, n) for ask, n in zip(asks, sizes, strict=True)]
        show(asks, found)


async def deep(memory: AsyncMemory, ask: Asked) -> Result:
    found = await memory.deep_recall(ask.text, user_id=ask.user)
    return {each["memory"] for each in found["results"]}, found["abstained"]


async def sure(memory: AsyncMemory, ask: Asked) -> Result:
    found = await memory.search(ask.text, user_id=ask.user, limit=10, threshold=SURE)
    return {each["memory"] for each in found["results"]}, not found["results"]


async def top(memory: AsyncMemory, ask: Asked, most: int) -> Result:
    found = await memory.search(ask.text, user_id=ask.user, limit=max(most, 1))
    return {each["memory"] for each in found["results"]}, False


def show(asks: Sequence[Asked], found: Mapping[str, Sequence[Result]]) -> None:
    """Of each kind and variant: share with all that is needed, facts, share that abstains."""
    print("| kind of question | asked | " + " | ".join(found) + " |")
    for kind in dict.fromkeys(ask.kind for ask in asks):
        places = [place for place, ask in enumerate(asks) if ask.kind == kind]
        cells = []
        for results in found.values():
            whole = [bool(asks[at].needs) and asks[at].needs <= results[at][0] for at in places]
            facts = fmean(len(results[at][0]) for at in places)
            silent = fmean(results[at][1] for at in places)
            cells.append(f"{100 * fmean(whole):5.1f} % {facts:4.1f} {100 * silent:3.0f} %")
        print(f"| {kind:32} | {len(places):4} | " + " | ".join(cells) + " |")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--every", type=int, default=5)
    parser.add_argument("--only", nargs="*", choices=VARIANTS, default=list(VARIANTS))
    wanted = parser.parse_args()
    if not (wanted.data / "chains.dev.jsonl").is_file():
        print("evaluation data is missing (use --data)", file=sys.stderr)
        return 2
    asyncio.run(measure(wanted.data, wanted.every, wanted.only))
    return 0


if __name__ == "__main__":
    sys.exit(main())
