"""Whether a chat is given the newest truth, and only what bears on what it asks.

    python benchmarks/bearing/run.py [--data FOLDER] [--rows FOLDER] [--show]

Persons tell facts in conversations of their own; nothing is extracted. Then they ask, through the
filters of a chat. Three tables:

- changes: two statements of one matter (`first`, `then`), alone or with fourteen others between
  them (`crowded`): whether the newer one is in (`new`, `both`: after the older one), or the older
  one alone;
- persons: of whom 26 facts are known: the share of what a question needs that is in, by kind of
  question (`all`: questions with all of it in); questions about what was never told and impersonal
  requests that get any line (wishes about answers not counted), and a sensitive one: health, money,
  fear, trouble in the family (`sensitive` of the person, or `SENSITIVE`);
- requests: impersonal ones of a person of whom a hundred things are known.

Prints them, by language with --show the rows too, and writes benchmarks/results/bearing.json.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Not this folder: its names would hide others.
sys.path[:1] = [str(ROOT), str(ROOT / "benchmarks")]

from bearing.asking import BESIDE, Persons, Row, order, present  # noqa: E402 - the path above
from load import write_json  # noqa: E402 - the same
from unseen import sets  # noqa: E402 - the same
from unseen.tells import Teller  # noqa: E402 - the same

RESULT = "bearing"
SENSITIVE = {
    "dev-p1": "f06 f07 f09 f12 f14 f15 f24",
    "dev-p2": "f05 f06 f09 f10 f11 f14 f17 f24 f25",
    "dev-p3": "f05 f09 f10 f11 f17 f18 f23 f24",
    "dev-p4": "f05 f06 f08 f09 f10 f14 f20 f23",
    "dev-p5": "f05 f06 f10 f11 f12 f17 f22",
}
"""Of the development persons, what is about health, money, fear and family trouble."""
NEEDED = ("direct", "paraphrase", "list", "task")
AT_ONCE = 25
REQUESTS = 360
STORE = 100


async def changes(rows: Sequence[Row], *, crowded: bool, show: bool) -> dict[str, object]:
    """What of each change a chat is shown."""
    found: dict[str, str] = {}
    for first in range(0, len(rows), AT_ONCE):
        some = rows[first : first + AT_ONCE]
        async with Teller.open() as teller:
            await teller.engine.recaller.prepare()
            persons = Persons(teller)
            for row in some:
                between = [("", text) for text in BESIDE] if crowded else []
                told = [("first", row["first"]), *between[:9], ("then", row["then"]), *between[9:]]
                await persons.tell(row["id"], told)
            await persons.settled()
            for row in some:
                given = await persons.ask(row["id"], row["ask"])
                found[row["id"]] = order(given.text, row["new"], row["old"])
                if show and found[row["id"]] not in ("new", "both"):
                    names = persons.names(given.items)
                    print(f"  {row['id']} {found[row['id']]} {given.reason} {names} {row['ask']}")
    by: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        by[row["lang"]][found[row["id"]]] += 1
    return {"all": Counter(found.values()), **by}


async def persons(rows: Sequence[Row], *, show: bool) -> dict[str, dict[str, list[float]]]:
    """By language and kind of question: the share of what each needs; or 1 for any line."""
    by: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    async with Teller.open() as teller:
        await teller.engine.recaller.prepare()
        told = Persons(teller)
        for row in rows:
            await told.tell(row["id"], [(one["id"], one["text"]) for one in row["facts"]])
        await told.settled()
        for row in rows:
            sensitive = set(row.get("sensitive") or SENSITIVE.get(row["id"], "").split())
            for asked in row["asks"]:
                given = await told.ask(row["id"], asked["q"])
                for kind, value in judged(asked, given, told, sensitive).items():
                    by["all"][kind].append(value)
                    by[row["lang"]][kind].append(value)
                if show:
                    _show(row, asked, told.names(given.items), given.roles, given.reason)
    return by


def judged(asked: Row, given: object, told: Persons, sensitive: set[str]) -> dict[str, float]:
    """The figures of one question, by their names."""
    kind, needs = asked["kind"], set(asked["needs"])
    if kind in NEEDED:
        names = set(told.names(given.items))  # type: ignore[attr-defined]
        share = len(names & needs) / len(needs)
        lines = {f"{kind}, lines": float(len(given.items))}  # type: ignore[attr-defined]
        return {kind: share, f"{kind}, all": float(share == 1), **lines}
    names = set(told.names(given.bears))  # type: ignore[attr-defined]
    return {kind: float(bool(names)), f"{kind}, sensitive": float(bool(names & sensitive))}


def _show(row: Row, asked: Row, names: list[str], roles: Sequence[str], reason: str) -> None:
    needs = set(asked["needs"])
    good = needs <= set(names) if needs else not names
    if not good:
        shown = [f"{n}{'/' + r if r else ''}" for n, r in zip(names, roles, strict=True)]
        missed = sorted(needs - set(names))
        print(f"  {row['id']} {asked['kind']} {asked['q']!r}: {missed} | {shown} {reason}")


async def requests(data: Path, *, show: bool) -> dict[str, list[float]]:
    """1 for each impersonal request that gets a line, by language."""
    by: dict[str, list[float]] = defaultdict(list)
    rows = [row for row in sets.rows(data, "gate-external") if not row["search"]][:REQUESTS]
    [store, *_] = sets.rows(data, "ood-realmem")
    async with Teller.open() as teller:
        await teller.engine.recaller.prepare()
        told = Persons(teller)
        texts = [(one["id"], sets.stored(one)) for one in store["memories"][:STORE]]
        await told.tell("person", texts)
        await told.settled()
        for row in rows:
            given = await told.ask("person", row["message"])
            by["all"].append(float(bool(given.bears)))
            by[row["lang"]].append(float(bool(given.bears)))
            if show and given.bears:
                print(f"  {row['message']!r}: {[item.text[:60] for item in given.bears]}")
    return by


def _print_changes(title: str, found: dict[str, Counter[str]]) -> None:
    print(f"\nchanges, {title}: rows | newer in | older alone | newer before the older | nothing")
    for name, counts in found.items():
        total = sum(counts.values())
        newer = counts["new"] + counts["both"] + counts["unordered"]
        print(
            f"  {name:8} {total:4} | {newer / total:5.0%} | {counts['old'] / total:5.0%} | "
            f"{counts['unordered']} | {counts['none']}"
        )


def _print_persons(found: dict[str, dict[str, list[float]]]) -> None:
    print("\npersons: share of what is needed (all of it; lines), or of questions with any line")
    for language, kinds in found.items():
        shown = "; ".join(
            f"{kind} {sum(values) / len(values):.2f}" for kind, values in sorted(kinds.items())
        )
        print(f"  {language:4} {shown}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--rows", type=Path, help="Other rows: changes.jsonl, persona.jsonl.")
    parser.add_argument("--only", choices=("changes", "persons", "requests"))
    parser.add_argument("--show", action="store_true", help="Show the rows that fail.")
    wanted = parser.parse_args()
    changed = wanted.rows / "changes.jsonl" if wanted.rows else wanted.data / "changes.dev.jsonl"
    known = wanted.rows / "persona.jsonl" if wanted.rows else wanted.data / "persona.dev.jsonl"
    if not present(wanted.data, "gate-external.dev.jsonl", "ood-realmem.dev.jsonl"):
        return 2
    result: dict[str, object] = {}
    if wanted.only in (None, "changes"):
        for crowded in (False, True):
            title = "crowded" if crowded else "alone"
            found = asyncio.run(changes(sets.read(changed), crowded=crowded, show=wanted.show))
            _print_changes(title, found)  # type: ignore[arg-type]
            result[f"changes, {title}"] = found
    if wanted.only in (None, "persons"):
        people = asyncio.run(persons(sets.read(known), show=wanted.show))
        _print_persons(people)
        result["persons"] = {
            language: {kind: sum(each) / len(each) for kind, each in kinds.items()}
            for language, kinds in people.items()
        }
    if wanted.only in (None, "requests"):
        got = asyncio.run(requests(wanted.data, show=wanted.show))
        print("\nimpersonal requests with a line, of a person of whom a hundred things are known")
        for language, values in got.items():
            print(f"  {language:4} {sum(values):.0f} of {len(values)}")
        result["requests"] = {name: sum(each) / len(each) for name, each in got.items()}
    write_json(RESULT, result)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
