"""What every figure that a user feels becomes without each field of a section, in all languages.

    python benchmarks/unseen/ablate.py --fields [--section planting] [--field override] [--recall]

For each field the figures that change are printed, in points (hundredths), with what they are now:
"+" is better. A field that moves nothing by more than two points on text that was written after it
is not worth its lines.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path

from load import RESULTS
from product import disk_embedder

from recollect.memory.language import LanguagePack, packs
from recollect.memory.language.pack_reader import SECTIONS
from recollect.memory.model.ports import Embedder

from . import felt


async def show(
    data: Path,
    section: str | None,
    field: str,
    use: Callable[[Mapping[str, LanguagePack]], None],
    with_recall: bool,
) -> None:
    """Print the table; `use` makes packs those in use."""
    known = packs()
    embedder = await disk_embedder(RESULTS)
    try:
        now = await _figures(data, embedder, with_recall=with_recall)
        print(f"{len(now)} figures now:")
        for name, (hits, total) in now.items():
            print(f"    {name:44}{hits:>6} of {total:<6}{hits / max(total, 1):7.1%}")
        for name in _fields(known, section, field):
            use(without_field(known, name))
            then = await _figures(data, embedder, with_recall=with_recall)
            print(f"{name:32}{_terms(known, name):>6} terms  " + "; ".join(_moved(now, then)))
            sys.stdout.flush()
    finally:
        use(known)
        await embedder.close()


async def _figures(data: Path, embedder: Embedder, *, with_recall: bool) -> dict[str, felt.Share]:
    found = await felt.told(data, embedder)
    return found | (await felt.recalled(data, embedder) if with_recall else {})


def _fields(known: Mapping[str, LanguagePack], section: str | None, field: str) -> Iterator[str]:
    sections: Sequence[str] = [section] if section else list(SECTIONS)
    for one in sections:
        table = getattr(next(iter(known.values())), one)
        yield from (f"{one}.{f.name}" for f in fields(table) if f.name.startswith(field))


def without_field(known: Mapping[str, LanguagePack], *names: str) -> dict[str, LanguagePack]:
    """The packs without whole fields ("planting.override"), in every language."""
    found = dict(known)
    for name in names:
        section, _, field = name.partition(".")
        for code, pack in found.items():
            table = getattr(pack, section)
            empty = getattr(type(table)(), field)
            found[code] = replace(pack, **{section: replace(table, **{field: empty})})
    return found


def _terms(known: Mapping[str, LanguagePack], name: str) -> int:
    section, _, field = name.partition(".")
    return sum(_count(getattr(getattr(pack, section), field)) for pack in known.values())


def _count(value: object) -> int:
    if isinstance(value, str):
        return 1
    if isinstance(value, Mapping):
        return sum(map(_count, value.values()))
    return sum(map(_count, value)) if isinstance(value, tuple) else int(bool(value))


def _moved(now: Mapping[str, felt.Share], then: Mapping[str, felt.Share]) -> Iterator[str]:
    for name, (hits, total) in now.items():
        moved = then[name][0] - hits
        if moved and total:
            good = -moved if any(part in name for part in felt.WORSE_UP) else moved
            yield f"{name} {good:+d} ({100 * good / total:+.1f})"
