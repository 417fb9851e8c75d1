"""Caches recent statements of active users: read from captured turns, up to date, bounded.

Every method runs on one event loop. The statements of a user are never changed; a turn that is
said, learned or forgotten makes others, or drops them, so that the next recall reads them again.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import chain, groupby
from operator import itemgetter
from typing import NamedTuple, overload

import numpy as np

from ..database.changes import ChangeKind, ChangeLine
from ..database.conversations import SqlConversations
from ..model.ports import TokenCounter
from ..model.types import OwnerRef, Recent, Scope, Turn, utc_now
from ..recall.index.entry import NO_STATEMENTS, PASTED, RecentStatements, SaidPassage
from ..recall.index.key import IndexKey
from ..state.shared_log import SharedLog
from ..util.lazy import lazy
from ..util.lru import Lru
from .passages import Noted, bare, dump_note, load_note, passage

MOST_TOKENS = 64_000
"""Of each user, the newest turns up to so many tokens are recalled; older ones stay on disk."""
MOST_AGE = timedelta(days=365)
"""Of a turn that is recalled though it is no memory yet. What was said in passing a year ago is
seldom true of today; it stays on disk, and in what was learned of it."""
MOST_TURNS = 2000
"""Newest turns of a user that are read."""
MOST_ASKED = 100
"""Newest questions of a user that are ranked: hundreds of them cost more than the memories, which
tell more. All are kept."""
_LEAST = 20
"""Tokens below which there is no room for another turn."""
MAX_USERS = 20_000
MAX_BYTES = 128 * 2**20
_PASSAGE_BYTES = 2100
"""Size of a passage of some 200 characters, without its vector."""
TRIES = 5
"""So often they are read again because something was forgotten meanwhile."""
INLINE, INLINE_CHARS = 10, 2000
"""Turns, or passages of one, and characters that are read without a thread."""


def is_little(recent: Sequence[Recent]) -> bool:
    """Whether turns are so few and short that they are read without a thread."""
    if len(recent) > INLINE:
        return False
    return sum(len(each.turn.user_text) for each in recent) <= INLINE * INLINE_CHARS


Epoch = tuple[int, int, int]
"""Of a user: another one whenever something of them may have been forgotten."""


class _SaidTurn(NamedTuple):
    """The passages of a turn that are kept."""

    passages: tuple[SaidPassage, ...]
    tokens: int
    nbytes: int

    @classmethod
    def of(cls, passages: Iterable[SaidPassage]) -> _SaidTurn:
        some = tuple(passages)
        vectors = sum(one.vector.nbytes for one in some if one.vector is not None)
        nbytes = _PASSAGE_BYTES * len(some) + vectors
        return cls(some, sum(one.tokens for one in some), nbytes)

    def within(self, left: int) -> _SaidTurn:
        """Those that fit: one long message leaves room for others."""
        room = left // 2
        if self.tokens <= room:
            return self
        fitting = []
        # Nobody's word comes last.
        for one in sorted(self.passages, key=lambda one: PASTED in one.item.provenance.flags):
            room -= one.tokens
            if room >= 0:
                fitting.append(one)
        return _SaidTurn.of(fitting)


_NOTHING = _SaidTurn((), 0, 0)


@dataclass(frozen=True, slots=True)
class _Kept:
    turns: Mapping[str, _SaidTurn]
    """By id, newest first: one that changes leaves the others as they are."""
    statements: RecentStatements
    """Their passages."""
    tokens: int = 0
    """Of the turns, as all of these."""
    nbytes: int = 0


@dataclass(eq=False, slots=True)
class _Reading:
    """Statements that are being read."""

    key: IndexKey
    late: bool = False
    """Whether they changed meanwhile: they are not kept."""


@dataclass(frozen=True, slots=True)
class Embedding:
    """The embedder of passages of turns."""

    id: str
    dim: int


class StatementCache:
    """Finds what users said lately, and keeps it in memory while they are active."""

    def __init__(
        self,
        conversations: SqlConversations,
        tokens: TokenCounter,
        *,
        embedding: Embedding,
        log: SharedLog | None = None,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        """`log` is what other processes read, and tell."""
        self._conversations = conversations
        self._tokens = tokens
        self.max_tokens = MOST_TOKENS
        self._embedding = embedding
        self._log = log
        self._reading: set[_Reading] = set()
        self.on_bare: Callable[[Sequence[Recent]], None] = lambda _: None
        """Told of turns without a note or without vectors, for the background."""
        self._clock = clock
        self._kept: Lru[IndexKey, _Kept] = Lru(
            MAX_USERS, max_size=MAX_BYTES, size=lambda kept: 200 + kept.nbytes
        )
        self._epochs: Counter[tuple[str | None, str | None]] = Counter()
        self.waits = False
        """Whether nothing is shown before its meaning is known: it may wait for a person."""

    def epoch(self, scope: Scope) -> Epoch:
        """Changes whenever something of the scope's user may have been forgotten."""
        owners = ((None, None), (scope.tenant, None), (scope.tenant, scope.user_id or ""))
        first, second, third = (self._epochs[owner] for owner in owners)
        return first, second, third

    async def get(self, scope: Scope) -> RecentStatements:
        """The passages of the scope's user, newest first. Raises StateError."""
        key = IndexKey.of(scope)
        return (await self._found_now(key)).statements

    def read(self, recent: Iterable[Recent]) -> list[SaidPassage]:
        """All passages of these turns, in their order. Without IO, but not quick for many."""
        return [passage for each in recent for passage in self._of(each)]

    def noted(self, recent: Sequence[Recent]) -> tuple[list[SaidPassage], list[tuple[Recent, str]]]:
        """The same for many, with the notes of those that have none that can be read."""
        passages, new = list[SaidPassage](), list[tuple[Recent, str]]()
        for each in recent:
            found = self._found(each)
            if found is None:
                found = bare(each.turn)
                new.append((each, dump_note(found, self._embedding.id)))
            passages += self._made(each, found)
        return passages, new

    def made(self, turn: Turn, found: Sequence[Noted]) -> list[SaidPassage]:
        """The passages of a turn, ready to be ranked. Not quick for many."""
        return self._ready(self._passage(turn, number, one) for number, one in enumerate(found))

    def put(self, turn: Turn, new: Sequence[SaidPassage]) -> bool:
        """Show the passages of a turn from now on, in place of earlier ones of this turn.

        Returns whether there are any, or were.
        """
        shown = bool(new)
        for key in IndexKey.holding(turn.scope):
            kept = self._kept.get(key)
            if kept is None:
                continue  # the next recall reads it
            if new or turn.id in kept.turns:
                shown = True
                self._kept.put(key, self._with(kept, turn.id, _SaidTurn.of(new)))
        return shown

    async def changed(self, scope: Scope) -> None:
        """Tell the other processes; this one knows it already. Raises StateError."""
        if self._log is not None:
            await self._log.add([ChangeLine(ChangeKind.SAID, scope)])

    def announced(self, lines: Sequence[ChangeLine]) -> None:
        """Read again what a transaction of this process changed."""
        for line in lines:
            if line.kind is ChangeKind.SAID:
                self.forget(line.owner_ref)

    def heard(self, line: ChangeLine) -> None:
        """Read the statements again if another process changed them."""
        if line.kind is ChangeKind.SAID and isinstance(line.owner_ref, Scope):
            keys = IndexKey.holding(line.owner_ref)
            for key in keys:
                self._kept.remove(key)
            for reading in self._reading:
                reading.late |= reading.key in keys

    async def stale(self, scope: Scope) -> None:
        """Read the statements again, here and everywhere. Raises StateError."""
        self.forget(scope)
        await self.changed(scope)

    def forget(self, owner_ref: OwnerRef, memory_id: str | None = None) -> None:
        """Read the statements of a scope or a tenant again: a memory takes its turns with it."""
        del memory_id
        if isinstance(owner_ref, str):
            self._epochs[owner_ref, None] += 1
            self._kept.drop(lambda key: key.tenant == owner_ref)
        else:
            self._epochs[owner_ref.tenant, owner_ref.user_id] += 1
            self._kept.drop(
                lambda key: key.tenant == owner_ref.tenant and _may_share(key, owner_ref)
            )

    def clear(self) -> None:
        """Read all statements again."""
        self._epochs[None, None] += 1
        self._kept.drop(lambda _: True)

    async def _found_now(self, key: IndexKey) -> _Kept:
        if self._log is not None:
            await self._log.fresh()
        if (kept := self._kept.get(key)) is not None:
            return kept
        reading = _Reading(key)
        self._reading.add(reading)
        try:
            return await self._load(key, reading)
        finally:
            self._reading.discard(reading)

    async def _load(self, key: IndexKey, reading: _Reading) -> _Kept:
        for _ in range(TRIES):
            epoch = self.epoch(key.scope)
            read = await self._conversations.recent(key.scope, limit=MOST_TURNS)
            oldest = self._clock() - MOST_AGE
            recent = [each for each in read if each.turn.created_at >= oldest]
            unread = [each.turn for each in recent if self._found(each) is None]
            if is_little(recent):
                passages = self._passages(recent)
            else:
                passages = await asyncio.to_thread(self._passages, recent)
            if epoch == self.epoch(key.scope):
                kept = self._kept_of(passages)
                if not reading.late:
                    self._kept.put(key, kept)
                unembedded = [one.turn_id for one in kept.statements.passages if one.vector is None]
                waiting = {turn.id for turn in unread}.union(unembedded)
                self.on_bare([each for each in recent if each.turn.id in waiting])
                return kept
        return _Kept({}, NO_STATEMENTS)

    def _passages(self, recent: Sequence[Recent]) -> list[SaidPassage]:
        """The passages of the newest turns, as many as may be kept."""
        made: list[SaidPassage] = []
        left = self.max_tokens
        for each in recent:
            if left < _LEAST:
                break
            new = self._ready(() if self.waits and self._found(each) is None else self._of(each))
            left -= min(sum(one.tokens for one in new), left // 2)
            made += new
        return made

    def _of(self, recent: Recent) -> list[SaidPassage]:
        """The passages of a turn, as they are noted or as they are found now."""
        found = self._found(recent)
        return self._made(recent, bare(recent.turn) if found is None else found)

    def _made(self, recent: Recent, found: Sequence[Noted]) -> list[SaidPassage]:
        return [
            self._passage(recent.turn, number, one, learned=recent.learned)
            for number, one in enumerate(found)
        ]

    def _found(self, recent: Recent) -> list[Noted] | None:
        if recent.note is None:
            return None
        return load_note(recent.note, self._embedding.id, self._embedding.dim)

    def _passage(
        self, turn: Turn, number: int, found: Noted, *, learned: bool = False
    ) -> SaidPassage:
        made = passage(turn, number, found, embedder_id=self._embedding.id, learned=learned)
        vector = None if found.vector is None else found.vector.astype(np.float16)
        return replace(made, vector=vector, over=found.over)

    def _ready(self, passages: Iterable[SaidPassage]) -> list[SaidPassage]:
        """With their tokens, and analysed here, not where they are ranked."""
        return [replace(one, tokens=self._tokens.count(one.entry.item.text)) for one in passages]

    def _kept_of(self, passages: Iterable[SaidPassage]) -> _Kept:
        most = left = self.max_tokens
        turns: dict[str, _SaidTurn] = {}
        for name, some in groupby(passages, lambda one: one.turn_id):
            turns[name] = _SaidTurn.of(some).within(left)
            left -= turns[name].tokens
        nbytes = sum(turn.nbytes for turn in turns.values())
        statements = RecentStatements(_Passages(turns), MOST_ASKED)
        return _Kept(turns, statements, most - left, nbytes)

    def _with(self, kept: _Kept, turn_id: str, new: _SaidTurn) -> _Kept:
        """The same with other passages of a turn, in front; the oldest turns make room for them."""
        most = self.max_tokens
        turns = dict(kept.turns)
        before, now = turns.pop(turn_id, _NOTHING), new.within(most)
        tokens = kept.tokens - before.tokens + now.tokens
        nbytes = kept.nbytes - before.nbytes + now.nbytes
        gone: list[SaidPassage] = []
        while tokens > most:
            _, oldest = turns.popitem()
            tokens, nbytes = tokens - oldest.tokens, nbytes - oldest.nbytes
            gone += oldest.passages
        if now.passages:
            turns = {turn_id: now} | turns
        statements = kept.statements.followed(
            _Passages(turns), now.passages, replaced=before.passages, oldest=gone
        )
        return _Kept(turns, statements, tokens, nbytes)


class _Passages(Sequence[SaidPassage]):
    """The passages of turns, put one after the other when somebody reads them: few do."""

    def __init__(self, turns: Mapping[str, _SaidTurn]) -> None:
        self._turns = turns

    @lazy
    def _all(self) -> tuple[SaidPassage, ...]:
        return tuple(chain.from_iterable(map(itemgetter(0), self._turns.values())))

    def __len__(self) -> int:
        return len(self._all)

    def __bool__(self) -> bool:
        return bool(self._turns)

    @overload
    def __getitem__(self, at: int) -> SaidPassage: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[SaidPassage]: ...
    def __getitem__(self, at: int | slice) -> SaidPassage | Sequence[SaidPassage]:
        return self._all[at]

    def __iter__(self) -> Iterator[SaidPassage]:
        return iter(self._all)


def _may_share(key: IndexKey, owner_ref: Scope) -> bool:
    """Whether a user's statements may hold a turn of a scope."""
    return key.user_id is None or owner_ref.user_id is None or key.user_id == owner_ref.user_id
