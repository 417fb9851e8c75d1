"""Derives what a store keeps beside the text of a memory when it is written. Pure.

A user whom nobody asked about lately is read with it instead of derived anew. The facts of another
text, of other packs or of other code are none, and neither are traits that were judged by something
else: whatever is missing is derived when it is read.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from ...language import from_packs, packs
from ...language.reach import Reach
from ...model.types import MemoryItem, MemoryStatus, StoredMemory, Vector
from ..traits import Traits
from .columns import as_kept
from .entry import Entry, word_set

VERSION = 3
"""Of the code that derives. Raise it whenever the facts of some text change; a test has a sample of
them that fails then."""
LONGEST = 2000
"""Characters of the longest text whose facts are kept: those of longer ones are large, and rare."""
_DIGITS = 12


@dataclass(frozen=True, slots=True)
class Judge:
    """Tells the traits of memories."""

    mark: str
    """Of what it judges by (`mark_of`)."""
    traits_of: Callable[[Entry, Vector], Traits]


def mark_of(*parts: object) -> str:
    """Names the packs in use, the code, and anything else that has a `repr` of its own."""
    return _digest(f"{_packs_mark()} {parts!r}")


@from_packs
def _packs_mark() -> str:
    return _digest(f"{VERSION} {list(packs().items())!r}")


def derived(memory: StoredMemory, judge: Judge | None) -> StoredMemory:
    """The memory with its facts, of which a `judge` tells the traits; about 0.2 ms with one.

    One that is in no index has none.
    """
    item = memory.item
    if item.status is not MemoryStatus.ACTIVE or len(item.text) > LONGEST:
        return StoredMemory(item, memory.vector)
    entry = Entry.of(item)
    facts = _written(entry) | {"of": _of_text(item)}
    if judge is not None and not item.provenance.source.is_hearsay:
        traits = _written_traits(judge.traits_of(entry, as_kept(memory.vector)))
        facts["told"] = [_by(judge.mark, item), *traits]
    return StoredMemory(item, memory.vector, facts)


def entry_of(memory: StoredMemory) -> Entry:
    """The memory, analysed: read from its facts if it has any of this text."""
    facts = memory.facts
    if facts is None or facts.get("of") != _of_text(memory.item):
        return Entry.of(memory.item)
    return _read(memory.item, facts)


def traits_told(entry: Entry, mark: str) -> Traits | None:
    """The traits that were written with a memory; None if another judge told them."""
    told = entry.told
    return _read_traits(*told[1:]) if told and told[0] == _by(mark, entry.item) else None


def traits_kept(memory: StoredMemory) -> Traits | None:
    """The traits that were written with a memory, whatever judged them; None without any."""
    told = entry_of(memory).told
    return _read_traits(*told[1:]) if told else None


def _of_text(item: MemoryItem) -> str:
    context = item.provenance.context
    situated = _digest(context) if context else ""
    return f"{_packs_mark()}{item.hash[:_DIGITS]}{situated}"


def _by(mark: str, item: MemoryItem) -> str:
    """What traits depend on, besides the text and its vector."""
    provenance = item.provenance
    validated = provenance.validated_at is not None or bool(provenance.flags)
    return f"{mark}{item.type.value}{validated:d}"


def _written(entry: Entry) -> dict[str, Any]:
    """Most memories have every term once, no speaker, and no time."""
    every = {
        "terms": entry.terms,
        "counts": () if set(entry.counts) <= {1} else entry.counts,
        "language": entry.language,
        "speaker": entry.speaker,
        "subject": entry.subject,
        "dated": entry.dated,
    }
    return {name: value for name, value in every.items() if value}


_ABSENT = {
    "terms": (), "counts": None, "speaker": (), "subject": None, "dated": False, "told": (),
}  # fmt: skip
"""What is not written, because most memories have none."""


def _read(item: MemoryItem, facts: Mapping[str, Any]) -> Entry:
    # Interned: the same terms are in many memories.
    facts = {**_ABSENT, **facts}
    terms = tuple(map(sys.intern, facts["terms"]))
    counts = facts["counts"]
    return Entry(
        item,
        terms,
        (1,) * len(terms) if counts is None else tuple(counts),
        sys.intern(facts["language"]),
        tuple(facts["speaker"]),
        facts["subject"],
        facts["dated"],
        word_set(terms),
        Entry.moment_of(item),
        tuple(facts["told"]),
    )


_FLAGS = ("private", "unfit", "unsafe")


def _written_traits(traits: Traits) -> Sequence[str]:
    flags = " ".join(name for name in _FLAGS if getattr(traits, name))
    told = (" ".join(sorted(traits.traits)), " ".join(sorted(traits.bears_on)), flags)
    reach = traits.reach.written()
    return (*told, reach) if reach else told


@lru_cache(maxsize=4096)
def _read_traits(traits: str, bears_on: str, flags: str, reach: str = "") -> Traits:
    """Most memories tell the same, which is little."""
    set_: dict[str, Any] = dict.fromkeys(flags.split(), True)
    told = Traits(frozenset(traits.split()), frozenset(bears_on.split()), reach=Reach.read(reach))
    return replace(told, **set_)


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=_DIGITS // 2).hexdigest()
