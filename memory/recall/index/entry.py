"""Entries of an index: analysed memories, and recent statements of a user."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Protocol, Self

import numpy as np
import numpy.typing as npt
import regex

from ...language import index_terms, speaker_of
from ...language.dates import tells_time
from ...language.fold import fold
from ...language.words import is_question
from ...model.types import MemoryItem, Scope, Source, StoredMemory, Vector
from ...util.lazy import lazy

_FIRST_WORD = regex.compile(r"\P{L}*(\p{L}[\p{L}\p{M}\d-]{0,63})")


@dataclass(frozen=True, slots=True)
class Entry:
    """A memory with its terms, names and time."""

    item: MemoryItem
    terms: tuple[str, ...]
    """Distinct index terms."""
    counts: tuple[int, ...]
    """Frequencies of `terms`."""
    language: str
    speaker: tuple[str, ...]
    """The folded words of the speaker's name; empty without a speaker."""
    subject: str | None
    """The folded first word of a memory without a speaker: "Maria lives in Berlin"."""
    dated: bool
    """Whether the text seems to name a time."""
    words: int
    """Equal for memories with the same words in any order and case. Numbers are words: "budget
    10,000" and "budget 15,000" differ, however close their vectors are."""
    moment: float
    """When it was said or became true, in seconds since the epoch."""
    told: tuple[str, ...] = ()
    """Its traits as they were written with it (`facts`)."""

    @classmethod
    def of(cls, item: MemoryItem) -> Self:
        """Analyse a memory's text (about 30 microseconds for a sentence)."""
        found = index_terms(item.sought)
        counted = Counter(found.terms)
        speaker = speaker_of(item.text)
        begins = None if speaker else _FIRST_WORD.match(item.text)
        return cls(
            item,
            tuple(counted),
            tuple(counted.values()),
            found.language,
            tuple(speaker.split()) if speaker else (),
            fold(begins[1]) if begins else None,
            tells_time(item.text),
            word_set(counted),
            cls.moment_of(item),
        )

    @property
    def untold(self) -> int:
        """See `untold_of`."""
        return untold_of(self.item.provenance.flags)

    @property
    def asks(self) -> bool:
        """Whether it is a mere question, which tells nothing of its user and ends no wish."""
        return self.untold in ONLY_ASKED and is_question(self.item.text)

    @property
    def group(self) -> str:
        """Equal for memories that are linked as one matter."""
        return self.item.provenance.matter or self.item.id

    @staticmethod
    def moment_of(item: MemoryItem) -> float:
        """See `moment`."""
        return (item.valid_from or item.created_at).timestamp()


def word_set(terms: Iterable[str]) -> int:
    """A number for these terms in any order; another one in each process."""
    return hash(frozenset(terms))


HalfVector = npt.NDArray[np.float16]
"""``float16[dim]``: it waits for an index, which rounds it further."""

PASTED = "pasted"
"""Among the flags of a passage: it is material that the user handed over, and nobody's word."""
IMPERSONAL = "impersonal"
"""Beside `ASKED`: it does not speak of the user or their people."""
LABELLED = "labelled"
"""Among the flags of a passage: its message begins with a label of another's words."""
ASKED = "asked"
"""Among the flags of a passage: it is nothing but questions, orders and small talk."""


LEFT = "left"
"""Among the flags of a passage: memories were learned from its turn, and do not tell this."""


ANSWERED = '(Assistant asked: "{}") {}'
"""How a short answer is shown with the question that it answers."""
_QUESTION = regex.compile(r'\(Assistant asked: "[^"]*"\) ')


def own_part(item: MemoryItem) -> str:
    """The text without the assistant's question, which says nothing of whose the answer is."""
    said = item.provenance.source is Source.SAID
    return _QUESTION.sub("", item.text, count=1) if said else item.text


def is_left(item: MemoryItem) -> bool:
    """Whether it is a passage that the memories of its turn do not tell."""
    return LEFT in item.provenance.flags


MATERIAL, ONLY_ASKED = 2, (1, 3)
"""`untold_of` what the user handed over, and of what was only asked."""


def untold_of(flags: Collection[str]) -> int:
    """0 for what was told, 1 for what was asked, 2 for material, 3 for orders of nobody."""
    if PASTED in flags:
        return MATERIAL
    return 0 if ASKED not in flags else 3 if IMPERSONAL in flags else 1


def is_foreign(item: MemoryItem) -> bool:
    """Whether it is nobody's word here: what others said, or the user handed over."""
    return item.provenance.source.is_hearsay or PASTED in item.provenance.flags


@dataclass(frozen=True)
class LazyEntry:
    """A row that is analysed when somebody ranks it: whoever lists or counts it never does."""

    item: MemoryItem

    @lazy
    def entry(self) -> Entry:
        return Entry.of(self.item)


@dataclass(frozen=True, slots=True)
class SaidPassage:
    """A part of a turn that states something."""

    row: LazyEntry
    vector: Vector | HalfVector | None = None
    """None until it is embedded: until then, words find it."""
    over: frozenset[str] = frozenset()
    """Ids of the memories and passages that it contradicts, which were there before it."""
    tokens: int = 0
    """Of its text, once they were counted."""

    @property
    def entry(self) -> Entry:
        return self.row.entry

    @property
    def item(self) -> MemoryItem:
        return self.row.item

    @property
    def turn_id(self) -> str:
        return self.row.item.provenance.turn_ids[0]

    @property
    def is_told(self) -> bool:
        """Whether it tells something, and is the user's word."""
        return not untold_of(self.row.item.provenance.flags)

    @property
    def asks(self) -> bool:
        """Whether it is nothing but questions, orders and small talk."""
        return ASKED in self.row.item.provenance.flags


@dataclass(frozen=True)
class RecentStatements:
    """The passages of one user, newest first. Never changed: another one takes its place."""

    passages: Sequence[SaidPassage] = field(default=())
    most_asked: int = sys.maxsize
    """Of those that only ask, so many are ranked: the newest."""

    @lazy
    def by_id(self) -> Mapping[str, SaidPassage]:
        return {passage.item.id: passage for passage in self.passages}

    @lazy
    def ranked(self) -> Mapping[str, SaidPassage]:
        """By id, without older copies: what is said fifty times is ranked once, as said last.

        Without questions that wait for their vectors, too: these come in a moment, and each change
        has an index find again what it derives of its memories.
        """
        last: dict[tuple[str, Scope], SaidPassage] = {}
        left = self.most_asked
        for one in self.passages:
            item = one.row.item
            asks = one.asks
            if asks and (one.vector is None or not left):
                continue
            if last.setdefault((item.text, item.scope), one) is one:
                left -= asks
        return {one.row.item.id: one for one in last.values()}

    @lazy
    def told(self) -> Sequence[SaidPassage]:
        """Those that tell something, and are the user's word."""
        return [one for one in self.passages if one.is_told]

    @lazy
    def _denying(self) -> Sequence[SaidPassage]:
        return [one for one in self.passages if one.over]

    def contradicted(self, scope: Scope) -> frozenset[str]:
        """The ids that something later, which the scope admits, speaks against."""
        admitted = (one.over for one in self._denying if scope.admits(one.item.scope))
        return frozenset().union(*admitted)

    def followed(
        self,
        passages: Sequence[SaidPassage],
        new: Sequence[SaidPassage],
        *,
        replaced: Sequence[SaidPassage] = (),
        oldest: Sequence[SaidPassage] = (),
    ) -> RecentStatements:
        """These with `new` ones in front, without those that are `replaced` and the `oldest`.

        All that are left are `passages`. Every turn of a user makes others, of which most is as it
        was: what is ranked is not found again among thousands.
        """
        later = RecentStatements(passages, self.most_asked)
        gone = {one.item.id for one in (*replaced, *oldest)}
        ranked = self._ranked_after(new, replaced, gone)
        if ranked is not None:
            later.__dict__["ranked"] = ranked
        kept = (one for one in self._denying if one.item.id not in gone)
        later.__dict__["_denying"] = [*(one for one in new if one.over), *kept]
        return later

    def _ranked_after(
        self, new: Sequence[SaidPassage], replaced: Sequence[SaidPassage], gone: AbstractSet[str]
    ) -> Mapping[str, SaidPassage] | None:
        """What is ranked with new ones in front; None if older copies may be ranked again."""
        before = self.ranked
        first = RecentStatements(new, self.most_asked).ranked
        if not first and gone.isdisjoint(before):
            return before
        said = {one.item.text: one.item.scope for one in first.values()}
        if any(one.item.id in before and one.item.text not in said for one in replaced):
            return None
        asked = sum(one.asks for one in first.values())
        left = self.most_asked - asked
        ranked = dict(first)
        for memory_id, one in before.items():
            item = one.row.item
            if memory_id in gone or said.get(item.text) == item.scope:
                continue
            if one.asks:
                if not left:
                    continue
                left -= 1
            ranked[memory_id] = one
        was_full = sum(one.asks for one in before.values()) >= self.most_asked
        return None if left > 0 and was_full else ranked


NO_STATEMENTS = RecentStatements()


@dataclass(frozen=True, slots=True, eq=False)
class SharedMemories:
    """The memories attached to one scope. Never changed: another value takes its place."""

    memories: Sequence[StoredMemory] = ()
    """With the scope in place of the owner's; what another user said is hearsay here."""
    scope: Scope | None = None
    """The scope that they are attached to."""
    ids: frozenset[str] = frozenset()
    """Of the memories."""
    named: frozenset[str] = frozenset()
    """The ids that attachments name, also those of memories that do not hold now."""


NOTHING_SHARED = SharedMemories()


class StatementSource(Protocol):
    """Finds what the users said."""

    async def get(self, scope: Scope) -> RecentStatements:
        """The statements of a scope's user. Raises StateError."""
