"""Makes finished turns recallable: at once by their words, then by their meaning.

    recorded -> passages -> shown -> embed -> contradictions -> shown again, noted

A crash at any arrow loses nothing: the turn is on disk, and whoever reads the statements of its
user does what is left. What is forgotten meanwhile is not shown: they are then read again.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from ..embedders import in_background
from ..learn.firewall import own_text
from ..learn.reconcile import is_denied
from ..learn.roles import as_oneself
from ..model.row_kinds import is_passage
from ..model.types import MemoryItem, Recent, Scope, ScoredMemory, Turn, Vector
from ..recall import HotIndexes
from ..recall.asking import names_user
from ..recall.importance import NEUTRAL
from ..recall.index.entry import ASKED, IMPERSONAL, LABELLED, LEFT, PASTED
from ..recall.index.user_index import UserIndex
from ..recall.labels import ForeignLabels
from ..recall.prototypes import Prototypes
from ..recall.traits import lasts
from ..records.parts import Parts
from ..util.fair_thread_pool import FairThreadPool
from ..util.fair_turns import FairQueue
from ..util.loops import guarded
from .holding import StatementHolder
from .passages import (
    FlaggedText,
    Noted,
    bare,
    depends_on_known,
    dump_note,
    load_note,
    noted,
    passage,
    ranked,
    says_nothing,
    texts_in,
    texts_of,
)
from .pending_statements import PendingStatements
from .statement_cache import INLINE, INLINE_CHARS, Epoch, StatementCache
from .turn_notes import NewNote
from .wishes import may_wish, with_wishes

NEAREST = 10


def nearest(index: UserIndex, scope: Scope, vector: Vector, but: str) -> list[ScoredMemory]:
    """The nearest memories and passages of a scope, best first, without the one with id `but`."""
    with index.lock:
        admitted = np.flatnonzero(index.admitted(scope))
        cosines = index.vectors.cosines(vector[np.newaxis])[admitted]
        best = np.argsort(-cosines)[: NEAREST + 1]
        entries = index.entries
        hits = [(entries[int(admitted[at])], float(cosines[at])) for at in best]
    found = [ScoredMemory(entry.item, score) for entry, score in hits if entry is not None]
    return [hit for hit in found if hit.item.id != but][:NEAREST]


def contradicted(item: MemoryItem, near: Sequence[ScoredMemory]) -> frozenset[str]:
    """The ids among `near` that are not true any more, or never were, if this one is."""
    earlier = [hit.item for hit in near if hit.item.updated_at <= item.created_at]
    return frozenset(each.id for each in earlier if is_denied(each.text, item.text))


MOST_WAITING = 1000
"""Turns that wait for their passages; of further ones the statements are read again."""
SLICE = 32
"""Passages that are embedded at once: requests go on in between."""
AT_A_TIME = 16
"""Turns that say something, and are embedded together."""
MOST_PASSAGES = 64
"""Passages from which no further turn is added: others do not wait for a long message."""
MOST_NOTED = 64
"""Turns whose notes are written together: most say nothing."""
GATHER_SECONDS = 0.1
"""So long the note of a turn that tells nothing waits for further turns."""
SHOWN_SECONDS = 0.1
"""Longest time that the end of an answer waits for its turn to be shown to other processes."""
DEPENDS = 0.02
"""`MessageMeaning.depends` up to which a question that names nobody is anybody's."""


class _Pending(NamedTuple):
    """A turn as it was read, and the epoch of its user when it was known to be there."""

    recent: Recent
    epoch: Epoch
    found: Sequence[Noted] | None = None
    """Its passages, without vectors; None until it is read."""

    @property
    def turn(self) -> Turn:
        return self.recent.turn

    @property
    def begins(self) -> bool:
        """Whether a conversation begins with it."""
        return self.turn.seq == 1 and self.turn.before is None

    @property
    def tells(self) -> bool:
        """Whether the next message may need it: more was said than questions."""
        found = self.found or ()
        return any(ASKED not in one.flags for one in found) or (self.begins and may_wish(found))

    @property
    def is_silent(self) -> bool:
        """Whether it was read, and says nothing."""
        return self.found is not None and not self.found


def _by_meaning(prototypes: Prototypes, vector: Vector, *, asked: bool) -> frozenset[str]:
    """The flags of a text that names nobody, whose words did not tell them."""
    if asked:
        of_nobody = prototypes.asked(vector).depends < DEPENDS
        return frozenset({IMPERSONAL} if of_nobody else ())
    return frozenset({ASKED, IMPERSONAL} if prototypes.tells_nothing(vector) else ())


def _without_some(recent: Recent) -> list[Noted] | None:
    """The passages that are noted, if somebody took some out: what is gone is not found again."""
    left = load_note(recent.note or "")
    if left is None or any(LEFT in one.flags for one in left):
        return left
    is_whole = [one.text for one in left] == [one.text for one in bare(recent.turn)]
    return None if is_whole else left


def _unnoticed(_tenant: str, _texts: int) -> None:
    """Nobody counts."""


class StatementIndexer:
    """The background work for what is said."""

    def __init__(
        self,
        parts: Parts,
        cache: StatementCache,
        indexes: HotIndexes,
        *,
        bulk: FairThreadPool,
        pause: Callable[[], Awaitable[None]],
        prototypes: Callable[[], Prototypes | None] = lambda: None,
    ) -> None:
        """`bulk` runs long computations, `pause` yields to foreground requests.

        `prototypes` are what passages are compared with, once they are there.
        """
        self._parts = parts
        self._cache = cache
        self._indexes = indexes
        self._bulk = bulk
        self._pause = pause
        self._prototypes = prototypes
        self._labels = ForeignLabels(parts.embedder, parts.calibration)
        self._heard, self._long, self._bare = (
            FairQueue[_Pending](MOST_WAITING, lambda told: told.turn.scope) for _ in range(3)
        )
        self._waiting: set[str] = set()
        self._owed = PendingStatements()
        self._told = asyncio.Event()
        """Whether a turn in `_bare` may tell something."""
        self.holder: StatementHolder | None = None
        """Takes out what waits for a person, or is never to be told again."""
        self.on_embedded: Callable[[str, int], None] = _unnoticed
        """Told of how many texts of a tenant vectors were made."""
        cache.on_bare = self._take

    def note(self, turn: Turn, epoch: Epoch) -> None:
        """Queue a new turn that was recorded since this epoch. Quick, without IO."""
        heard = self._long if len(turn.user_text) > INLINE_CHARS else self._heard
        if heard.full():
            self._cache.forget(turn.scope)
        else:
            self._owed.add(turn)
            heard.put_nowait(_Pending(Recent(turn), epoch))

    async def settled(self, scope: Scope) -> bool:
        """Wait until what a user just said is embedded; not for long.

        Returns whether there was anything to wait for.
        """
        return await self._owed.settled(scope)

    async def _rest(self) -> None:
        """Yield to foreground requests, unless one waits for this work."""
        if not self._owed.awaited:
            await self._pause()

    async def listen(self, *, long: bool = False) -> None:
        """Show queued turns until cancelled; `long` ones apart, so that none waits for them."""
        heard = self._long if long else self._heard
        while True:
            told = await heard.get()
            # A long message that is sent again and again is read once, when it came last.
            if not (long and any(one.turn.id == told.turn.id for one in heard)):
                await guarded(partial(self._hear, told))
            heard.task_done()

    async def shown(self) -> None:
        """Wait until the queued turns are shown, here and to others; not for long."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(SHOWN_SECONDS):
                await self._heard.join()
                await self._long.join()

    async def embed(self) -> None:
        """Complete shown turns until cancelled: their vectors, contradictions and notes."""
        while True:
            told = await self._gathered()
            await self._rest()
            await guarded(partial(self._complete, told))
            self._waiting.difference_update(one.turn.id for one in told)
            for one in told:
                self._owed.drop(one.turn)

    async def _gathered(self) -> list[_Pending]:
        """What waits, as soon as it tells something."""
        waiting = [await self._bare.get()]
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(GATHER_SECONDS):
                await self._told.wait()
        while len(waiting) < MOST_NOTED and not self._bare.empty():
            telling = [one for one in waiting if not one.is_silent]
            passages = sum(len(one.found or ()) for one in telling)
            if len(telling) >= AT_A_TIME or passages >= MOST_PASSAGES:
                return waiting
            waiting.append(self._bare.get_nowait())
        if self._bare.empty():
            self._told.clear()
        return waiting

    @property
    def counted(self) -> Mapping[str, int]:
        """For `/readyz`: turns that cannot be recalled by their meaning yet."""
        return {"unindexed": self.depth} if self.depth else {}

    @property
    def depth(self) -> int:
        """Turns that are not shown, or not complete, yet."""
        return self._heard.qsize() + self._long.qsize() + len(self._waiting)

    def _take(self, turns: Sequence[Recent]) -> None:
        for each in turns:
            self._owed.add(each.turn)
            self._wait(_Pending(each, self._cache.epoch(each.turn.scope)))

    def _wait(self, told: _Pending) -> None:
        if told.turn.id not in self._waiting and not self._bare.full():
            self._waiting.add(told.turn.id)
            self._bare.put_nowait(told)
            if told.found is None or told.tells:
                self._told.set()

    async def _hear(self, told: _Pending) -> None:
        silent = True
        try:
            read = await self._read(told)
            if not self._cache.waits and await self._show(read, read.found or ()):
                await self._cache.changed(read.turn.scope)
            self._wait(read)
            silent = not read.tells or read.turn.id not in self._waiting
        finally:
            if silent:
                self._owed.drop(told.turn)

    async def _read(self, told: _Pending, *, introduced: bool = False) -> _Pending:
        if told.found is not None:
            return told
        if told.recent.note:
            kept = await self._bulk.run(told.turn.scope, partial(_without_some, told.recent))
            if kept is not None:
                return told._replace(found=kept)
        found = noted(await self._texts(told.turn, introduced=introduced))
        return told._replace(found=ranked(found))

    async def _introduced(self, told: _Pending) -> _Pending:
        """Read again if the meaning of the first line says that another's text follows."""
        if told.is_silent or not await self._labels.introduce(told.turn.user_text):
            return told
        return await self._read(told._replace(found=None), introduced=True)

    async def _texts(self, turn: Turn, *, introduced: bool) -> list[FlaggedText]:
        turn = as_oneself(turn)
        if len(turn.user_text) > INLINE_CHARS:
            known = await self._known(turn)
            read = partial(texts_of, turn, known, introduced=introduced)
            return await self._bulk.run(turn.scope, read)
        own = own_text(turn.user_text)
        if says_nothing(turn, own):
            return []
        if not depends_on_known(turn, own):
            return texts_in(turn, own, introduced=introduced)
        return texts_of(turn, await self._known(turn), introduced=introduced)

    async def _known(self, turn: Turn) -> list[str]:
        """The texts of the memories that the model was shown."""
        ids = [one for one in turn.recalled if not is_passage(one)]
        items = self._indexes.items(turn.scope, ids)
        if rest := set(ids).difference(item.id for item in items):
            items += await self._parts.store.get(turn.scope.tenant, sorted(rest))
        return [item.text for item in items]

    async def _complete(self, told: Sequence[_Pending]) -> None:
        read = [await self._introduced(await self._read(one)) for one in told]
        vectors = await self._vectors(read)
        notes: list[NewNote] = []
        changed: set[Scope] = set()
        for before, one in zip(told, read, strict=True):
            labelled = bool(one.found) and await self._labels.begin(one.turn.user_text)
            flags = frozenset({LABELLED} if labelled else ())
            weigh = partial(self._judged, one, vectors, flags)
            few = len(one.found or ()) <= INLINE
            found = weigh() if few else await self._bulk.run(one.turn.scope, weigh)
            if self.holder is not None:
                found = await self.holder.kept(one.turn, found)
            if found or one.found or before.found is None:
                found = await self._shown(one, found)
                changed.add(one.turn.scope)
            notes.append((one.recent, await self._dumped(one.turn.scope, found)))
        await self._parts.state.conversations.annotate(notes)
        for scope in changed:
            await self._cache.changed(scope)

    def _judged(
        self, told: _Pending, vectors: Mapping[str, Vector], flags: frozenset[str]
    ) -> list[Noted]:
        """The passages of a turn with all that their meaning tells."""
        found = [
            self._weighed(each, vectors[each.text], each.flags | flags) for each in told.found or ()
        ]
        prototypes = self._prototypes()
        if prototypes and told.begins:
            found = [*with_wishes(found, prototypes, told.turn.created_at)]
        return found

    async def _dumped(self, scope: Scope, found: Sequence[Noted]) -> str:
        name = self._parts.embedder.id
        if len(found) <= INLINE:
            return dump_note(found, name)
        return await self._bulk.run(scope, lambda: dump_note(found, name))

    def _weighed(self, noted: Noted, vector: Vector, flags: frozenset[str]) -> Noted:
        """A passage with what it is worth by its meaning, and whether it only asks by it."""
        scale, prototypes = self._parts.scale, self._prototypes()
        worth = scale.told(noted.text, vector) if scale else NEUTRAL
        # A lasting wish orders nothing of this answer.
        unclear = PASTED not in flags and not names_user(noted.text) and not lasts(noted.text)
        if prototypes and unclear:
            flags |= _by_meaning(prototypes, vector, asked=ASKED in flags)
        return replace(noted, vector=vector, importance=worth, flags=flags)

    async def _vectors(self, told: Sequence[_Pending]) -> Mapping[str, Vector]:
        """Those of all passages."""
        texts = [[each.text for each in one.found or ()] for one in told]
        said = list(dict.fromkeys(text for some in texts for text in some))
        vectors: dict[str, Vector] = {}
        for at in range(0, len(said), SLICE):
            some = said[at : at + SLICE]
            await self._rest()
            with in_background():
                vectors |= zip(some, await self._parts.embedder.embed(some), strict=True)
        for one, own in zip(told, texts, strict=True):
            if own:
                self.on_embedded(one.turn.scope.tenant, len(own))
        return vectors

    async def _shown(self, told: _Pending, found: list[Noted]) -> list[Noted]:
        """The passages with what they contradict; shown from now on."""
        await self._show(told, found)
        if all(ASKED in one.flags for one in found):
            return found  # it speaks against nothing
        compared = await self._compared(told.turn, found)
        # Again, also without any: the comparison may have read the statements, without this note.
        await self._show(told, compared)
        return compared

    async def _show(self, told: _Pending, found: Sequence[Noted]) -> bool:
        """Show it, unless something was forgotten since: then they are read again.

        Returns whether other processes have anything to read.
        """
        if len(found) <= INLINE:
            new = self._cache.made(told.turn, found)
        else:
            new = await self._bulk.run(told.turn.scope, lambda: self._cache.made(told.turn, found))
        if told.epoch == self._cache.epoch(told.turn.scope):
            return self._cache.put(told.turn, new)
        self._cache.forget(told.turn.scope)
        return bool(found)

    async def _compared(self, turn: Turn, found: Sequence[Noted]) -> list[Noted]:
        """The passages with what they contradict, as far as it is in memory."""
        index = await self._indexes.get(turn.scope)
        if index is None or not found:
            return list(found)
        statements = await self._cache.get(turn.scope)
        with index.lock:
            index.add_extras(statements)
        compared = []
        for number, one in enumerate(found):
            await self._rest()
            await asyncio.sleep(0)  # a long message has hundreds
            item = passage(turn, number, one, embedder_id="", learned=False).item
            assert one.vector is not None  # noqa: S101 - it was embedded just now
            near = nearest(index, self._parts.visible_scope(turn.scope), one.vector, item.id)
            compared.append(replace(one, over=contradicted(item, near)))
        return compared
