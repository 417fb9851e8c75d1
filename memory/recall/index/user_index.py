"""One user's memories, ready to be ranked: vectors, terms, names, times, neighbours."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Self, TypeVar

import numpy as np
import numpy.typing as npt

from ...language.detect import UNKNOWN, first_of
from ...language.scripts import script_of
from ...model.types import MemoryItem, Scope, StoredMemory
from ...model.usage import Usage
from ...query import Predicate
from ..traits import Traits
from .cached_signals import CachedSignals
from .columns import VectorRows
from .entry import (
    NO_STATEMENTS,
    NOTHING_SHARED,
    ONLY_ASKED,
    Entry,
    RecentStatements,
    SharedMemories,
)
from .entry_columns import EntryColumns
from .facts import entry_of
from .postings import NEIGHBOURS, Ints, Links, Matches, Postings, taken_from
from .spellings import Spellings

T = TypeVar("T")
_Surroundings = tuple[Links, npt.NDArray[np.float64], npt.NDArray[np.float64]]

_ENTRY_BYTES = 1400
"""Size of a memory without text, vector and terms: item, scope, times and metadata."""
USUAL_BYTES = 240
"""Of what is kept in `usual`, as if every memory had been weighed: no search counts it."""
_NOBODY = np.empty(0, np.int64)
_MOST_FOUND = 64
"""Findings that are kept: a user's agents and sessions may be many."""
_FEW, _MOST_DEAD = 64, 0.25
"""Entries of an index that is compacted, and the share of removed ones above which it is."""


def as_written(memories: Iterable[StoredMemory]) -> list[StoredMemory]:
    """In the order in which they were written: a store loads them by id, which is chance."""
    return sorted(memories, key=lambda one: (one.item.created_at, one.item.text))


class UserIndex(EntryColumns):
    """The memories of one user, up to date after every `add` and `remove`.

    Positions number the memories in order of arrival and are valid until the next `add` or
    `remove`. A thread holds `lock` while it uses them, for microseconds to milliseconds.
    """

    def __init__(self, dim: int) -> None:
        self.lock = threading.Lock()
        self.changes = 0
        """Counts what was added and removed: positions are valid as long as it stays."""
        self._dim = dim
        self._statements = NO_STATEMENTS
        self._shared = NOTHING_SHARED
        self._shared_ids: list[str] = []
        """The ids of the shared memories that are in it."""
        self.traits: dict[str, Traits] = {}
        """By id, of the memories that somebody read."""
        self._judge: object = None
        self._found: dict[Hashable, Any] = {}
        self._of_told: dict[Hashable, Any] = {}
        self.superseded: Sequence[MemoryItem] | None = None
        """The user's superseded memories, newest first; None if they have to be read."""
        self.usage_noted_at = 0.0
        """When the counters were last read, by the clock of whoever keeps the index."""
        self._clear()

    @classmethod
    def of(cls, dim: int, memories: Iterable[StoredMemory]) -> Self:
        """Build an index (about 30 microseconds for each memory, 14 for one with facts)."""
        index = cls(dim)
        latest = {memory.item.id: memory for memory in memories}
        index._append(
            [entry_of(memory) for memory in latest.values()],
            [memory.vector for memory in latest.values()],
        )
        return index

    def __len__(self) -> int:
        return len(self._at)

    def __contains__(self, memory_id: str) -> bool:
        return memory_id in self._at

    def holds(self, ids: AbstractSet[str]) -> bool:
        return not self._at.keys().isdisjoint(ids)

    def items(self, ids: Iterable[str]) -> list[MemoryItem]:
        """Those of these memories that are in it, in the order of the ids."""
        there = (self._at.get(memory_id) for memory_id in ids)
        entries = (self._entries[at] for at in there if at is not None)
        return [entry.item for entry in entries if entry is not None]

    def positions(self, ids: Iterable[str]) -> list[int]:
        """Where those of these memories are that are in it."""
        return [self._at[memory_id] for memory_id in ids if memory_id in self._at]

    def add(self, memory: StoredMemory) -> None:
        """Add a memory, or replace the one with the same id."""
        before = self._at.get(memory.item.id)
        noted = None if before is None else self.rating[before]
        self.remove(memory.item.id)
        self._append([entry_of(memory)], [memory.vector])
        if noted is not None:
            self.rating[-1] = noted

    def remove(self, memory_id: str) -> None:
        """Remove a memory; an unknown id is not an error."""
        position = self._at.pop(memory_id, None)
        self.traits.pop(memory_id, None)
        self.put_off.pop(memory_id, None)
        if position is None:
            return
        entry = self._entries[position]
        self.alive[position] = False
        self.lengths[position] = self.log_lengths[position] = 0
        self._entries[position] = None
        if entry is not None:
            self._languages[entry.language] -= 1
            self._changed([entry])
        if len(self._entries) > _FEW and len(self._at) < (1 - _MOST_DEAD) * len(self._entries):
            self._compact()

    def add_extras(
        self, statements: RecentStatements, shared: SharedMemories = NOTHING_SHARED
    ) -> None:
        """Rank these passages and memories too, in place of those that were there before."""
        self.add_shared(shared)
        if statements is self._statements:
            return
        before, self._statements = self._statements, statements
        for memory_id, passage in before.ranked.items():
            if statements.ranked.get(memory_id) is not passage:
                self.remove(memory_id)
        new = [one for name, one in statements.ranked.items() if name not in self._at]
        none = np.zeros(self._dim, np.float32)
        self._append(
            [one.entry for one in new],
            [none if one.vector is None else one.vector for one in new],
        )

    def add_shared(self, shared: SharedMemories) -> None:
        """Take in memories of other scopes, which have the scope that they are for; not others'."""
        if shared is self._shared:
            return
        self._shared = shared
        for memory_id in self._shared_ids:
            self.remove(memory_id)
        new = [one for one in shared.memories if one.item.id not in self._at]
        self._shared_ids = [one.item.id for one in new]
        self._changed()
        self._append([entry_of(one) for one in new], [one.vector for one in new])

    @property
    def nbytes(self) -> int:
        """Approximate size in memory."""
        return (
            self._text_bytes
            + len(self._at) * (_ENTRY_BYTES + USUAL_BYTES)
            + self._vectors.nbytes
            + self._postings.nbytes
        )

    @property
    def entries(self) -> Sequence[Entry | None]:
        """Entries by position; None for removed ones."""
        return self._entries

    @property
    def vectors(self) -> VectorRows:
        """Those of the memories. `remove` may put others in their place, with other positions."""
        return self._vectors

    @property
    def ids(self) -> Sequence[str]:
        return list(self._at)

    def once(self, key: Hashable, make: Callable[[], T], *, of_told: bool = False) -> T:
        """What `make` finds in the memories; called again after `add`, `remove` or `add_extras`.

        `of_told`: it does not depend on mere questions, which come with every turn.
        """
        kept = self._of_told if of_told else self._found
        if key not in kept:
            if len(kept) >= _MOST_FOUND:
                kept.clear()
            kept[key] = make()
        found: T = kept[key]
        return found

    def judge_by(self, judge: object) -> None:
        """Forget `traits` that somebody else judged by something else."""
        if judge is not self._judge:
            self._judge = judge
            self.traits.clear()
            self._changed()
            self.read[:] = 0

    def note_usage(self, used: Mapping[str, Usage]) -> None:
        """Note what people said of the memories; those not named keep what was noted."""
        for memory_id in used.keys() - set(self._shared_ids):
            position = self._at.get(memory_id)
            if position is not None:
                self.rating[position] = used[memory_id].rating

    @property
    def context_lengths(self) -> npt.NDArray[np.float64]:
        """``float64[n]``: number of neighbours' terms, weighted as in `NEIGHBOURS`."""
        return self._surroundings()[1]

    @property
    def session_lengths(self) -> npt.NDArray[np.float64]:
        """``float64[sessions]``: number of terms in each session."""
        return self._surroundings()[2]

    @property
    def languages(self) -> frozenset[str]:
        return self.once("languages", lambda: frozenset(+self._languages))

    @property
    def usual_language(self) -> str:
        """The language that most memories are of, among those whose language is known.

        Never by the order in which they were loaded: equal stores give equal answers.
        """
        return self.once("usual language", self._usual_language)

    def _usual_language(self) -> str:
        known = {code: n for code, n in self._languages.items() if code != UNKNOWN}
        most = max(known.values(), default=0)
        return first_of(code for code, n in known.items() if n == most) or UNKNOWN

    @property
    def links(self) -> Links:
        """Neighbours and sessions; computed after a change (about 10 ms at 20,000 memories)."""
        return self._surroundings()[0]

    def matches(self, terms: Sequence[str]) -> Matches:
        return self._postings.find(terms, self.alive)

    def holders(self, terms: Sequence[str], *, most: int) -> dict[str, list[int]]:
        """By term, the positions of the memories that hold it; of those that 2 to `most` hold.

        A question is none of them.
        """
        return self._postings.holders(terms, self.alive & ~self.asks, most=most)

    @property
    def only_asked(self) -> npt.NDArray[np.bool_]:
        """``bool[n]``: what nobody told, in questions and orders; not to be changed."""
        return self.once("asked", lambda: np.isin(self.untold, ONLY_ASKED))

    def knows(self, terms: Sequence[str]) -> bool:
        """Whether any of these terms was ever in a memory."""
        return not self._postings.terms.isdisjoint(terms)

    def person_like(self, name: str) -> str | None:
        """A speaker or subject that is another spelling of a name; None without one."""
        found = (people.like(name) for people in self._people)
        return next(filter(None, found), None)

    def word_like(self, name: str) -> str | None:
        """A term that is a name in another script; None without one."""
        found = self._spellings.like(name)
        return found if found and script_of(found) != script_of(name) else None

    def said_by(self, name: str) -> Ints:
        """Positions of the memories said by this name (one folded word)."""
        return self._living(self._speakers.get(name, ()))

    @property
    def speakers(self) -> AbstractSet[str]:
        """The words of the names of all who ever said a memory."""
        return self._speakers.keys()

    def speakers_in(self, run: str) -> list[str]:
        """The speakers whose names a run of a script without blanks contains."""
        return [name for name in self._speakers if len(name) > 1 and name in run]

    def about(self, name: str) -> Ints:
        """Positions of the memories that begin with this name and have no speaker."""
        return self._living(self._subjects.get(name, ()))

    def of_group(self, position: int) -> Ints:
        """Positions of the memories linked as one matter with the one at `position`, and its own.

        What was said is in no group.
        """
        entry = self._entries[position]
        return self._living(() if entry is None else self._groups.get(entry.group, ()))

    def admitted(self, scope: Scope) -> npt.NDArray[np.bool_]:
        """``bool[n]``: the memories that a query with this scope may see; not to be changed."""
        return self.once(("admitted", scope), lambda: self._admitted(scope))

    def _admitted(self, scope: Scope) -> npt.NDArray[np.bool_]:
        mask = np.fromiter(map(scope.admits, self._scopes), np.bool_, len(self._scopes))
        admitted: npt.NDArray[np.bool_] = mask[self._owners] & self.alive
        if self._shared.scope == scope:
            # Of the user's other agents: they are in the index already.
            admitted[self.positions(self._shared.ids)] = True
        return admitted

    def passing(self, test: Predicate, among: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """``bool[n]``: those of `among` that pass a test."""
        found = np.zeros_like(among)
        there = np.flatnonzero(among)
        entries = self._entries
        # Never None: only living entries are admitted.
        found[there] = [
            entry is not None and test(entry.item)
            for entry in map(entries.__getitem__, there.tolist())
        ]
        return found

    def _living(self, positions: Sequence[int]) -> Ints:
        if not positions:
            return _NOBODY
        found = np.array(positions, np.int64)
        return found[self.alive[found]]

    def _surroundings(self) -> _Surroundings:
        return self.once("surroundings", self._read_surroundings)

    def _read_surroundings(self) -> _Surroundings:
        links = self._linked()
        context = np.zeros(len(self._entries))
        for distance, weight in NEIGHBOURS:
            # A word counts for the memory `distance` places after it, so look back.
            context += weight * taken_from(self.lengths, links.at(-distance))
        sessions = np.bincount(links.session, self.lengths, links.sessions)
        return links, context, np.asarray(sessions, np.float64)

    def _linked(self) -> Links:
        """Links of the living memories; removed ones have no neighbours and no terms."""
        there = np.flatnonzero(self.alive)
        return Links.of(
            self._owners[there],
            self._conversations[there],
            self.moments[there],
            self._sequences[there],
        ).spread(there, len(self._entries))

    def _append(self, entries: Sequence[Entry], vectors: Sequence[npt.NDArray[Any]]) -> None:
        """Add new entries, column by column: most come by the thousand."""
        if not entries:
            return
        first = len(self._entries)
        self._entries.extend(entries)
        self._vectors.extend(vectors)
        self._extend_columns(entries)
        for position, entry in enumerate(entries, first):
            self._at[entry.item.id] = position
            self._postings.add(position, entry.terms, entry.counts)
            self._note_names(position, entry)
            marks = entry.item.provenance.put_off
            # Of what is lent it is its owner's word, for their questions.
            if marks and entry.item.id not in self._shared_ids:
                self.put_off[entry.item.id] = marks
        self._languages.update([entry.language for entry in entries])
        self._text_bytes += 2 * sum(map(len, [entry.item.text for entry in entries]))
        self._changed(entries)

    def _note_names(self, position: int, entry: Entry) -> None:
        for name in entry.speaker:
            self._speakers.setdefault(name, []).append(position)
        if entry.subject is not None:
            self._subjects.setdefault(entry.subject, []).append(position)
        group = entry.group
        if group in self._groups:
            self._groups[group].append(position)
            self.grouped.update(self._groups[group])
        else:
            self._groups[group] = [position]

    def _compact(self) -> None:
        kept = [(entry, at) for at, entry in enumerate(self._entries) if entry is not None]
        places = [at for _, at in kept]
        vectors = self.vectors.only(places)
        noted = self._noted(places)
        self._clear()
        self._append([entry for entry, _ in kept], ())
        self._vectors = vectors
        self._note_again(noted)

    def _clear(self) -> None:
        self._entries: list[Entry | None] = []
        self._at: dict[str, int] = {}
        self.put_off: dict[str, tuple[str, ...]] = {}
        """By id, `Provenance.put_off` of the memories that have any."""
        self._clear_columns()
        self._vectors = VectorRows(self._dim)
        self.usual = CachedSignals()  # by position, what `SimilarityBaseline` finds in a vector
        self._postings = Postings()
        self._speakers: dict[str, list[int]] = {}
        self._subjects: dict[str, list[int]] = {}
        self._groups: dict[str, list[int]] = {}
        self.grouped: set[int] = set()
        """Positions of memories that others are linked with as one matter."""
        self._people = [Spellings(names.keys()) for names in (self._speakers, self._subjects)]
        self._spellings = Spellings(self._postings.terms)
        self._languages: Counter[str] = Counter()
        self._text_bytes = 0
        self._changed()

    def _changed(self, entries: Iterable[Entry] | None = None) -> None:
        """Forget what was found of other memories: these came or went, or all have new places."""
        self.changes += 1
        self._found.clear()
        if entries is None or not all(entry.asks for entry in entries):
            self._of_told.clear()
