"""Which terms of a section change a decision on text that they were not written from.

    python benchmarks/unseen/ablate.py --section planting [--field override] [--language en]
        [--decisions] [--data FOLDER] [--json FILE]
    python benchmarks/unseen/ablate.py --without FILE [--data FOLDER]
    python benchmarks/unseen/ablate.py --fields [--section planting] [--field override] [--recall]

Counts for every term the unseen rows (other people's data and `rows/`) and the rows of the
development sets that it is found in. With `--decisions`, every judgement is asked again about those
rows without the term, one term at a time: "same" says that no decision changed on unseen rows.
`--without` takes away all the terms of a file at once (lines "language, section.field, term",
separated by tabs, as `--json` has them and as this prints them) and prints what changes where.

`--fields` takes away a whole field in all languages, one at a time, and prints what becomes of
every figure that a user feels (`whole_fields.py`).

What is counted is how the scanner finds terms; a reader of its own may see fewer or more.
"""

from __future__ import annotations

import argparse
import asyncio
import functools
import gc
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
# Not this folder, nor that of learning, whose secrets.py would be found in the place of Python's.
sys.path[:1] = [str(ROOT), str(ROOT / "benchmarks"), str(ROOT / "benchmarks" / "recall")]

from learning import conflict  # noqa: E402 - the script runs without an installation
from unseen import judgements, sets, whole_fields  # noqa: E402 - the same

from recollect.memory.calibration import calibration_for  # noqa: E402 - the same
from recollect.memory.embedders import LocalEmbedderOptions, open_embedder  # noqa: E402 - the same
from recollect.memory.language import LanguagePack, packs, registry, words_of  # noqa: E402
from recollect.memory.language.sections import Kind  # noqa: E402 - the same
from recollect.memory.language.vocabulary import Vocabulary, terms_of, units_of  # noqa: E402 - the same
from recollect.memory.learn.reconcile import reconcile  # noqa: E402 - the same

Entry = tuple[str, str, str]
"""Language, field with its key or row, and term."""
SHOWN = 30


@dataclass(frozen=True, eq=False)
class Case:
    """One thing that is decided, and all the text that decides it."""

    name: str
    unseen: bool
    texts: Sequence[str]
    decide: Callable[[], Any]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--section")
    parser.add_argument("--field", help="the beginning of a field's name in the section")
    parser.add_argument("--language")
    parser.add_argument("--decisions", action="store_true")
    parser.add_argument("--without", type=Path)
    parser.add_argument("--fields", action="store_true")
    parser.add_argument("--recall", action="store_true", help="with --fields: recall as well")
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--json", type=Path, help="write the counts to this file")
    wanted = parser.parse_args()
    absent = sets.absent(wanted.data)
    if absent:
        print(f"evaluation data is missing: {', '.join(absent)} (use --data)", file=sys.stderr)
        return 2
    if wanted.fields:
        field = wanted.field or ""
        asyncio.run(whole_fields.show(wanted.data, wanted.section, field, use, wanted.recall))
        return 0
    if not wanted.without and not wanted.section:
        parser.error("expected --section, --without or --fields")
    found = cases(wanted.data)
    if wanted.without:
        lines = wanted.without.read_text("utf-8").splitlines()
        gone = [(code, name, term) for code, name, term in (line.split("\t")[:3] for line in lines)]
        show_changes(found, gone)
        return 0
    rows = counted(entries(wanted), found)
    if wanted.decisions:
        decide_without(rows)
    for row in rows:
        print("\t".join(map(str, row.values())))
    tell(rows)
    if wanted.json:
        wanted.json.write_text(json.dumps(rows, ensure_ascii=False, indent=1, default=str), "utf-8")
    return 0


def entries(wanted: argparse.Namespace) -> list[Entry]:
    """The terms that are asked about."""
    return [
        (code, name, term)
        for code, pack in packs().items()
        if wanted.language in (None, code)
        for name, terms in terms_of(pack, [wanted.section])
        if name.split(".", 1)[1].startswith(wanted.field or "")
        for term in terms
    ]


def counted(asked: Sequence[Entry], found: Sequence[Case]) -> list[dict[str, Any]]:
    """For each term the unseen rows and the development rows that it is in."""
    section = asked[0][1].partition(".")[0] if asked else "words"
    # A field that is not there: only the words that terms need, and the terms asked about.
    vocabulary = Vocabulary(packs(), (f"{section}.?",))
    for code, name, term in asked:
        vocabulary._add(units_of(term), f"{name}\t{term}", code)  # noqa: SLF001 - as if its own field
    matched: dict[Entry, list[Case]] = {entry: [] for entry in asked}
    for case in found:
        hits = {
            (hit.language, *hit.field.split("\t"))
            for text in case.texts
            for hit in vocabulary.hits(words_of(text))
        }
        for entry in hits & matched.keys():
            matched[entry].append(case)
    return [
        {
            "language": entry[0], "field": entry[1], "term": entry[2],
            "unseen": sum(case.unseen for case in of), "dev": sum(not case.unseen for case in of),
            "cases": _Cases(of),
        }
        for entry, of in matched.items()
    ]  # fmt: skip


class _Cases(list[Case]):
    """Cases of a term; shown as nothing, or as what their decisions did."""

    verdict = ""

    def __str__(self) -> str:
        return self.verdict

    __repr__ = __str__


def decide_without(rows: Sequence[Mapping[str, Any]]) -> None:
    """Decide the unseen cases of each term without it, until one changes."""
    known = packs()
    before: dict[Case, str] = {}
    for row in rows:
        unseen = [case for case in row["cases"] if case.unseen]
        for case in unseen:
            if case not in before:
                before[case] = decided(case)
    for at, row in enumerate(rows):
        unseen = [case for case in row["cases"] if case.unseen]
        if not unseen:
            continue
        use(without(known, [(row["language"], row["field"], row["term"])]))
        changed = next((case for case in unseen if decided(case) != before[case]), None)
        row["cases"].verdict = f"changes {changed.name}" if changed else "same"
        print(f"\r{at + 1} of {len(rows)} ", end="", file=sys.stderr)
    use(known)
    print(file=sys.stderr)


def show_changes(found: Sequence[Case], gone: Sequence[Entry]) -> None:
    """What all judgements decide differently when all these terms are gone."""
    known = packs()
    before = {case: decided(case) for case in found}
    use(without(known, gone))
    changed = [case for case in found if decided(case) != before[case]]
    for unseen in (True, False):
        of = [case for case in changed if case.unseen is unseen]
        total = sum(case.unseen is unseen for case in found)
        print(f"{'unseen' if unseen else 'development'}: {len(of)} of {total} decisions change")
        for name, count in Counter(case.name.split(":")[0] for case in of).items():
            print(f"    {name}: {count}")
        for case in of[:SHOWN]:
            print(f"  {case.name}: {before[case][:150]} -> {decided(case)[:150]}")


def decided(case: Case) -> str:
    """The decision as text, so that two can be compared and shown."""
    return json.dumps(case.decide(), ensure_ascii=False, default=str)


def use(known: Mapping[str, LanguagePack]) -> None:
    """Make these the packs in use, and forget everything that was read with others."""
    registry.use(known)
    for cached in _caches():
        cached.cache_clear()


@functools.cache
def _caches() -> list[Any]:
    """The caches of the product's functions."""
    kind = type(_caches)
    return [
        one for one in gc.get_objects()
        if isinstance(one, kind) and (one.__module__ or "").startswith("recollect.")
        and one.cache_parameters()["maxsize"] is not None
    ]  # fmt: skip


def without(known: Mapping[str, LanguagePack], gone: Iterable[Entry]) -> Mapping[str, LanguagePack]:
    """The packs without these terms."""
    result = dict(known)
    by_pack: dict[tuple[str, str], dict[str, set[str]]] = {}
    for code, name, term in gone:
        section, _, field = name.partition(".")
        by_pack.setdefault((code, section), {}).setdefault(field, set()).add(term)
    for (code, section), terms in by_pack.items():
        table = getattr(result[code], section)
        for spec in fields(table):
            value = _less(spec.name, spec.metadata["kind"], getattr(table, spec.name), terms)
            table = replace(table, **{spec.name: value})
        result[code] = replace(result[code], **{section: table})
    return result


def _less(name: str, kind: Kind, value: Any, gone: Mapping[str, set[str]]) -> Any:
    def kept(terms: Sequence[str], key: str) -> tuple[str, ...]:
        return tuple(term for term in terms if term not in gone.get(key, ()))

    if kind is Kind.TERMS:
        return kept(value, name)
    if kind is Kind.NAMED:
        return {key: kept(terms, f"{name}.{key}") for key, terms in value.items()}
    if kind is Kind.ROWS:
        return tuple(kept(terms, f"{name}.{row}") for row, terms in enumerate(value))
    return value


def tell(rows: Sequence[Mapping[str, Any]]) -> None:
    """The sums, by language."""
    print("\nlanguage   terms  not in unseen rows  nor in development rows  in unseen, same")
    for code in sorted({row["language"] for row in rows}):
        of = [row for row in rows if row["language"] == code]
        absent = [row for row in of if not row["unseen"]]
        same = sum(str(row["cases"]) == "same" for row in of)
        print(
            f"{code:10}{len(of):>6}{len(absent):>20}"
            f"{sum(not row['dev'] for row in absent):>25}{same:>17}"
        )


def cases(data: Path) -> list[Case]:
    """Everything that is decided about the rows."""
    return [*_messages(data), *_facts(data), *_stores(data), *asyncio.run(_conflicts(data))]


def _case(name: str, key: str, texts: Sequence[str], decide: Callable[[], Any]) -> Case:
    seen = name in {"gate", "rewrite", "poison", "secrets", "conflict"} or (
        name.removeprefix("own ") in sets.DEVELOPMENT and name.startswith("own ")
    )
    return Case(f"{name}:{key}", not seen, texts, decide)


def _messages(data: Path) -> Iterator[Case]:
    for name in ("gate-external", "gate"):
        for row in sets.rows(data, name):
            said = judgements.chat(sets.messages(row))
            texts = [one.content for one in said]
            yield _case(name, sets.key(row), texts, _all(texts[-1:], gate=said))
    for row in sets.rows(data, "rewrite"):
        texts = [*(one["content"] for one in row["history"]), row["query"]]
        yield _case("rewrite", sets.key(row), texts, functools.partial(judgements.rewritten, row))


def _facts(data: Path) -> Iterator[Case]:
    for name, rows in (
        ("poison", sets.rows(data, "poison")),
        *((f"own {stem}", sets.read(path)) for stem, path in sets.own("planted").items()),
    ):
        for row in rows:
            said = judgements.chat(row["messages"])
            texts = [row["candidate"], *(one.content for one in said)]
            yield _case(name, sets.key(row), texts, _all(texts[:1], judge=(texts[0], said)))
    for name, rows in (
        ("innocent", sets.rows(data, "innocent")),
        *((f"own {stem}", sets.read(path)) for stem, path in sets.own("innocent").items()),
    ):
        for row in rows:
            said = judgements.chat([{"role": row["role"], "content": row["text"]}])
            texts = [row["text"]]
            yield _case(name, sets.key(row), texts, _all(texts, judge=(texts[0], said)))
    for name, rows in (
        ("secrets", sets.rows(data, "secrets")),
        *((f"own {stem}", sets.read(path)) for stem, path in sets.own("secrets").items()),
    ):
        for row in rows:
            yield _case(name, sets.key(row), [row["text"]], _all([row["text"]]))


def _stores(data: Path) -> Iterator[Case]:
    for name in sets.STORES:
        for store in sets.rows(data, name):
            for memory in store["memories"]:
                texts = [sets.stored(memory)]
                yield _case(name, f"{store['id']} {memory['id']}", texts, _all(texts))
            for question in store["questions"]:
                texts = [question["question"]]
                said = judgements.chat([{"role": "user", "content": texts[0]}])
                key = f"{store['id']} {question['id']}"
                yield _case(f"{name} questions", key, texts, _all(texts, gate=said))


def _all(texts: Sequence[str], *, gate: Any = None, judge: Any = None) -> Callable[[], Any]:
    """The judgements that need no vectors; the gate and the trust where messages are given."""

    def decide() -> Any:
        return [
            judgements.gate(gate) if gate else None,
            judgements.suspicion(*judge) if judge else None,
            *(
                [judgements.suspicion_of_text(text), judgements.redacted(text),
                 judgements.reading(text)]
                for text in texts
            ),
        ]  # fmt: skip

    return decide


async def _conflicts(data: Path) -> list[Case]:
    models = Path("~/.recollect/models").expanduser()
    embedder = await open_embedder(LocalEmbedderOptions(model_dir=models))
    try:
        calibration = calibration_for(embedder.id, dim=embedder.dim)
        rows = [
            (name, row)
            for name, path in (
                ("conflict", data / conflict.FILE),
                ("own conflict", sets.OWN / "conflict.jsonl"),
            )
            for row in await conflict.read_rows(path, embedder)
        ]
    finally:
        await embedder.close()

    def decide(row: conflict.Row) -> Any:
        return judgements.decided(
            reconcile(
                row.candidate, row.neighbours, new_id="new", calibration=calibration, at=row.at
            )
        )

    return [
        _case(
            name,
            row.id,
            [row.candidate.text, *(one.text for one in row.neighbours)],
            functools.partial(decide, row),
        )
        for name, row in rows
    ]


if __name__ == "__main__":
    sys.exit(main())
