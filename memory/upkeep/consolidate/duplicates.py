"""Decides which of several memories that say the same stays, and which may end. Pure.

The rules are about rows, `sameness` is about texts. In doubt both stay: of another scope, type,
status, subject or metadata, of another time, with parts that were withheld, derived from others,
validated by a person or brought back by one.

What ends keeps its evidence, its importance and its times, and names the memory that stays
(`Provenance.superseded_by`): it is forgotten with it, and restored alone. The memory that stays is
not written at all, so that it looks no newer than what was said.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC

from ...language import names_in
from ...language.dates import periods
from ...language.scanner import says, without
from ...language.values import values_of
from ...learn.reconcile.exact_tokens import tokens
from ...learn.records import about_stored
from ...model.endings import DUPLICATE, began
from ...model.types import (
    Decision,
    EventKind,
    MemoryItem,
    MemoryStatus,
    MemoryType,
    Source,
)
from .sameness import CanonicalText, is_same, wording_of

_MOST_CHARS = 4_000
"""A longer text is a document: it is compared whole only."""
_RANK = {Source.USER: 0, Source.SAID: 0, Source.EXTRACTION: 1, Source.IMPORTED: 2}
_HEARSAY = 3


@dataclass(frozen=True, slots=True)
class Merge:
    """A memory that ends because another one says the same."""

    stays: MemoryItem
    ends: MemoryItem
    reason: str
    score: float | None = None
    """The cosine of the two, if it was taken."""

    def decision(self) -> Decision:
        """The end of the duplicate. It can be restored; its evidence stays with it."""
        origin = self.ends.provenance
        return replace(
            about_stored(self.ends, EventKind.DELETE, DUPLICATE, self.reason),
            text=self.stays.text,
            score=self.score,
            scores={} if self.score is None else {"cosine": self.score},
            quote=origin.quote,
            turn_ids=origin.turn_ids,
            matter=self.stays.provenance.matter or self.stays.id,
            stays=self.stays.id,
        )


def said_again(decisions: Iterable[Decision]) -> list[str]:
    """The ids of the memories that the user's own duplicates end for, each once."""
    own = {one.stays for one in decisions if one.stays and not one.source.is_hearsay}
    return sorted(own)


@dataclass(frozen=True, slots=True)
class Compared:
    """A memory with its text as it is compared."""

    item: MemoryItem
    wording: CanonicalText

    @classmethod
    def of(cls, item: MemoryItem) -> Compared:
        """A stored memory, read once."""
        read = cls(item, wording_of(item.text[:_MOST_CHARS]))
        _ = read.wording.key  # derived here, some at a time, not of all rows at once
        return read

    @property
    def whole(self) -> bool:
        """Whether all of its text is compared."""
        return len(self.item.text) <= _MOST_CHARS


def by_evidence(item: MemoryItem) -> tuple[int, int, int, float, float, str]:
    """Sorts what says the same by what is to stay, the best first.

    The user's own words before what was extracted from them, before what others said; then what a
    person validated, the fuller text, what is more important, and the older, as in learning: what
    is said again confirms what is known. It tells since when it is so, and stands beside what was
    said with it.
    """
    return (
        _RANK.get(item.provenance.source, _HEARSAY),
        item.provenance.validated_at is None,
        -len(tokens(item.text[:_MOST_CHARS])),
        -item.importance,
        began(item).timestamp(),
        item.id,
    )


def may_end(item: MemoryItem, stays: MemoryItem) -> bool:
    """Whether a memory may end for another one, if both say the same."""
    mine, other = item.provenance, stays.provenance
    return (
        item.id != stays.id
        and item.scope == stays.scope
        and item.type is stays.type
        and item.status is stays.status is MemoryStatus.ACTIVE
        and mine.restored_at is None
        and (other.validated_at is not None or mine.validated_at is None)
        and (mine.source.is_hearsay or not other.source.is_hearsay)
        and not (mine.withheld or mine.taken_from or mine.cites or other.cites)
        and Source.REFLECTION not in (mine.source, other.source)
        and item.valid_to == stays.valid_to
        and _is_part(item, stays)
        and _subject(item) in (None, _subject(stays))
        and is_one_time(item, stays)
    )


def _is_part(item: MemoryItem, stays: MemoryItem) -> bool:
    """Whether a search by metadata that finds a memory finds the other one too."""
    return all(
        name in stays.metadata and stays.metadata[name] == value
        for name, value in item.metadata.items()
    )


def _subject(item: MemoryItem) -> str | None:
    subject = item.provenance.subject
    return subject.casefold().strip() or None if subject else None


def is_one_time(item: MemoryItem, stays: MemoryItem) -> bool:
    """Whether each time that a text names is one of the other: "yesterday" is another day each day.

    Events without a time must have been told on one day.
    """
    mine, theirs = (
        [(each.start, each.end) for each in periods(one.text, began(one))] for one in (item, stays)
    )
    if not mine and MemoryType.EPISODIC in (item.type, stays.type):
        return _day(item) == _day(stays)
    return all(any(a < d and c < b for c, d in theirs) for a, b in mine)


def _day(item: MemoryItem) -> object:
    return began(item).astimezone(UTC).date()


SAME_WORDS = "says the same in the same words"
EVIDENCE = "was extracted from these very words"
JUDGED = "a model: says the same"


def same_words(tellings: Iterable[Compared]) -> list[Merge]:
    """The memories that end because another one says the same in the same words."""
    alike: dict[tuple[str, ...], list[Compared]] = defaultdict(list)
    for telling in tellings:
        if telling.whole:
            alike[telling.wording.key].append(telling)
    return [merge for some in alike.values() if len(some) > 1 for merge in _merged(some, _same)]


def _same(one: Compared, other: Compared) -> bool:
    if one.item.text == other.item.text:
        return True
    if not is_same(one.wording, other.wording):
        return False
    spoken = next((each for each in (one, other) if each.wording.spoken), None)
    # Across speakers the "I" must be the user's.
    return one.wording.spoken == other.wording.spoken or _is_own(spoken)


def _is_own(telling: Compared | None) -> bool:
    return telling is not None and _RANK.get(telling.item.provenance.source) == 0


def from_quotes(tellings: Sequence[Compared]) -> list[Merge]:
    """The facts that end because the words they were extracted from are a memory of their own.

    Only if these words are all of that memory, nothing else was extracted from them, and the fact
    has no name and no number that is not in them.
    """
    quoting: dict[tuple[str, ...], list[Compared]] = defaultdict(list)
    for telling in tellings:
        quote = telling.item.provenance.quote
        if telling.item.provenance.source is Source.EXTRACTION and quote:
            quoting[tokens(quote[:_MOST_CHARS])].append(telling)
    by_words: dict[tuple[str, ...], list[Compared]] = defaultdict(list)
    for telling in tellings if quoting else ():
        if _is_own(telling) and telling.whole:
            by_words[tokens(telling.item.text)].append(telling)
    found: list[Merge] = []
    for words, [fact, *more] in quoting.items():
        own = sorted(by_words.get(words, ()), key=lambda each: by_evidence(each.item))
        if own and not more and holds_all(own[0].item.text, fact.item.text):
            found += _checked(own[0], fact, EVIDENCE)
    return found


def holds_all(text: str, other: str) -> bool:
    """Whether each name and number of the other text is in a text, and both deny or neither."""
    own = {name.casefold() for name in tokens(text)} | names_in(text)
    return (
        values_of(other) <= values_of(text)
        and names_in(without(other, "people.user")) <= own
        and _denies(text) == _denies(other)
    )


def _denies(text: str) -> bool:
    return says(text, "changes.contrary", "changes.negated")


def merge_of(
    one: MemoryItem, other: MemoryItem, reason: str, score: float | None = None
) -> Merge | None:
    """The merge of two memories that mean the same; None if neither may end for the other.

    Each name and number of what ends is in what stays, and both deny or neither.
    """
    best, second = sorted((one, other), key=by_evidence)
    for stays, ends in ((best, second), (second, best)):
        if may_end(ends, stays) and holds_all(stays.text, ends.text):
            return Merge(stays, ends, reason, score)
    return None


def _merged(
    tellings: Sequence[Compared], same: Callable[[Compared, Compared], bool]
) -> Iterator[Merge]:
    """Each telling ends for the first with better evidence that says the same."""
    kept: list[Compared] = []
    for telling in sorted(tellings, key=lambda each: by_evidence(each.item)):
        for better in kept:
            if same(better, telling) and (found := _checked(better, telling, SAME_WORDS)):
                yield from found
                break
        else:
            kept.append(telling)


def _checked(stays: Compared, ends: Compared, reason: str) -> list[Merge]:
    ok = may_end(ends.item, stays.item)
    return [Merge(stays.item, ends.item, reason)] if ok else []
