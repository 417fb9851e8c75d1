"""Captured turns in Redis: three keys per conversation, and an index of all conversations.

In a cluster the index is in another slot than the conversations, so no step changes both. The order
of the steps compensates for that. A conversation is added to the index before its turn is recorded,
so that erasing finds it, and to the set of open ones afterwards. An entry of that set is removed
only if it did not change since the check that found nothing to learn (`SETTLE`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from ...model.conversations import used_in
from ...model.format import FORMAT
from ...model.owner import covers
from ...model.times import from_ms, to_ms
from ...model.types import OwnerRef, Recent, Recorded, Scope, Turn
from ...model.wide import TurnCounts
from . import turn_scripts as scripts
from .keys import Keys, decoded, encoded, owned_member, owned_prefix, read_member
from .summaries import RedisSummaries
from .turn_codec import answer_part, read_turn, user_part
from .usage import note_of
from .wire import PIPELINE, ScriptRun, Wire, in_parts

_POINTERS_LAST = 2
"""A learned turn can be found by its id for this many times as long as it is kept."""
_UNLEARNED_MS = 400 * 86_400_000
"""One that is not learned, for at least so long: what was said is forgotten by its turn's id."""
_IDS_AT_ONCE = 500
_MOST_RECENT = 5000
"""Newest turns of a user that `recent` can find."""
_READ_AT_ONCE = 200


class RedisConversations(RedisSummaries):
    """A `ConversationStore` shared by all processes.

    A command that is resent because its answer was lost changes nothing the second time. Only
    `erase`, `erase_turns` and `prune` then do not count what the first one erased.
    """

    def __init__(self, wire: Wire, keys: Keys, *, turn_ttl: timedelta) -> None:
        super().__init__(wire, keys)
        self._ttl_ms = max(1, turn_ttl // timedelta(milliseconds=1))

    async def record(self, turn: Turn) -> Recorded:
        """Record a turn with one round trip on a single server.

        A regenerated answer counts as activity: `pending` does not name the conversation until
        `idle_since` has passed the time it was recorded with.
        """
        index, keys = self._keys.index, self._keys.conversation(turn.conversation_id)
        member = owned_member(turn.scope, turn.conversation_id)
        conversation, created = encoded(turn.conversation_id), to_ms(turn.created_at)
        pointer = (self._keys.turn(turn.id), turn.conversation_id)
        place = f"{conversation}/{turn.id}"
        names = filter(None, (turn.response_id, turn.upstream_id))
        named = ("NX", created, place)
        # Noted before the turn: whoever dies in between, nothing that was shown is left uncounted.
        noted = [("SADD", self._keys.uncounted, note_of(turn))] if used_in(turn) else []
        answers = await self._wire.send_in_order(
            [
                *noted,
                ("SET", *pointer, "PX", max(_UNLEARNED_MS, _POINTERS_LAST * self._ttl_ms)),
                *(("ZADD", newest, *named) for newest in self._keys.recents(turn.scope)),
                *(
                    ("SET", self._keys.thread(turn.scope, name), place, "PX", self._ttl_ms)
                    for name in names
                ),
                ("ZADD", index.owned, FORMAT, member),
                ScriptRun(scripts.RECORD, keys, self._told(turn, member)),
                ScriptRun(scripts.TOUCH, index, (member, conversation, created)),
            ]
        )
        seq, pending, tokens, erased, alone = map(int, answers[-2])
        cut = turn.before is not None and bool(alone)
        return Recorded(seq, pending, tokens, erased=bool(erased), alone=cut)

    async def unlearned(self, conversation_id: str, upto_seq: int) -> list[Turn]:
        keys = self._keys.conversation(conversation_id)
        found = await self._wire.run(scripts.UNLEARNED, keys, upto_seq)
        return _read_turns(found)

    async def turns(
        self, conversation_id: str, after_seq: int, upto_seq: int, *, learned_only: bool = False
    ) -> list[Turn]:
        keys = self._keys.conversation(conversation_id)
        return _read_turns(
            await self._wire.run(scripts.TURNS, keys, after_seq, upto_seq, int(learned_only))
        )

    async def thread(self, scope: Scope, name: str, *, limit: int) -> list[Turn]:
        place = await self._wire.send(("GET", self._keys.thread(scope, name)))
        if place is None:
            return []
        conversation, _, turn_id = place.partition("/")
        keys = self._keys.conversation(decoded(conversation))
        # The name outlives its turn if that is erased; the script then finds nothing.
        return _read_turns(await self._wire.run(scripts.THREAD, keys, turn_id, limit))

    async def mark_learned(
        self, conversation_id: str, upto_seq: int, *, after_seq: int | None = None
    ) -> None:
        keys = self._keys.conversation(conversation_id)
        retried = upto_seq if after_seq is None else after_seq
        ids = await self._wire.run(scripts.MARK_LEARNED, keys, upto_seq, self._ttl_ms, retried)
        known_for = _POINTERS_LAST * self._ttl_ms
        await self._wire.send_all(
            [("PEXPIRE", self._keys.turn(turn_id), known_for) for turn_id in ids]
        )

    async def give_up(self, conversation_id: str, after_seq: int, upto_seq: int) -> None:
        keys = self._keys.conversation(conversation_id)
        await self._wire.run(scripts.GIVE_UP, keys, after_seq, upto_seq)

    async def dates(
        self, conversation_id: str, turn_ids: Sequence[str]
    ) -> dict[str, datetime | None]:
        keys = self._keys.conversation(conversation_id)
        found: dict[str, datetime | None] = {}
        for part in in_parts(list(dict.fromkeys(turn_ids)), _IDS_AT_ONCE):
            told = await self._wire.run(scripts.DATES, keys, *part)
            pairs = zip(told[::2], told[1::2], strict=True)
            found |= {turn_id: from_ms(int(at)) if at else None for turn_id, at in pairs}
        return found

    async def recent(self, scope: Scope, *, limit: int) -> list[Recent]:
        """As the port; names of turns that are gone for good are removed on the way."""
        newest = self._keys.recent(scope)
        await self._wire.send(("ZREMRANGEBYRANK", newest, 0, -1 - _MOST_RECENT))
        found: list[Recent] = []
        at = 0
        while len(found) < limit:
            names = await self._wire.send(
                ("ZREVRANGE", newest, at, at + min(limit, _READ_AT_ONCE) - 1)
            )
            if not names:
                break
            read = await self._read_recent(names)
            gone = [name for name in names if name not in read]
            if gone:
                await self._wire.send(("ZREM", newest, *gone))
            found += [each for each in read.values() if scope.admits(each.turn.scope)]
            at += len(names) - len(gone)
        return found[:limit]

    async def named(self, tenant: str, turn_ids: Sequence[str]) -> list[Recent]:
        ids = list(dict.fromkeys(turn_ids))
        by_place = await self._by_place(ids)
        names = [f"{encoded(place)}/{one}" for place, some in by_place.items() for one in some]
        found = (await self._read_recent(names)).values()
        return [each for each in found if each.turn.scope.tenant == tenant]

    async def recent_ids(self, scope: Scope, *, limit: int) -> list[str]:
        """As the port: the index of a user has the turns of all of its scopes."""
        names = await self._wire.send(("ZREVRANGE", self._keys.recent(scope), 0, limit - 1))
        return [name.partition("/")[2] for name in names]

    async def scopes(self, owner_ref: OwnerRef | None) -> list[Scope]:
        """As the port: the owners of conversations, whatever is left of these."""
        found: dict[Scope, None] = {}
        async for members in self._owned(owner_ref):
            found |= dict.fromkeys(read_member(member)[0] for member in members)
        return [scope for scope in found if owner_ref is None or covers(owner_ref, scope)]

    async def counts(self, owner_ref: OwnerRef) -> TurnCounts:
        said = unlearned = 0
        async for members in self._owned(owner_ref):
            places = [
                place for scope, _, place in map(read_member, members) if covers(owner_ref, scope)
            ]
            answers = await self._wire.send_all(
                [ScriptRun(scripts.COUNTS, self._keys.conversation(place)) for place in places]
            )
            said += sum(answer[0] for answer in answers)
            unlearned += sum(answer[1] for answer in answers)
        return TurnCounts(said, unlearned)

    async def _read_recent(self, names: Sequence[str]) -> dict[str, Recent]:
        """The turns that are left of these, in their order, by their names in the index."""
        by_place: defaultdict[str, list[str]] = defaultdict(list)
        for name in names:
            place, _, turn_id = name.partition("/")
            by_place[place].append(turn_id)
        answers = await self._wire.send_all(
            [
                ScriptRun(scripts.RECENT, self._keys.conversation(decoded(place)), ids)
                for place, ids in by_place.items()
            ]
        )
        read = {}
        for place, answer in zip(by_place, answers, strict=True):
            for part in range(0, len(answer), 5):
                *turn, note, learned = answer[part : part + 5]
                one = Recent(read_turn(*turn), note or None, bool(learned))
                read[f"{place}/{one.turn.id}"] = one
        return {name: read[name] for name in names if name in read}

    async def annotate(self, notes: Mapping[str, Mapping[str, str]]) -> None:
        for conversation_id, found in notes.items():
            keys = self._keys.conversation(conversation_id)
            for part in in_parts(list(found.items()), _IDS_AT_ONCE):
                args = [value for pair in part for value in pair]
                await self._wire.run(scripts.ANNOTATE, keys, *args)

    async def mark_remembered(
        self, scope: Scope, conversation_id: str, turn_ids: Collection[str]
    ) -> None:
        del scope  # a conversation is of one scope
        keys = self._keys.conversation(conversation_id)
        for part in in_parts(list(turn_ids), _IDS_AT_ONCE):
            await self._wire.run(scripts.REMEMBERED, keys, *part)

    async def pending(self, *, idle_since: datetime | None, scope: Scope | None) -> list[Turn]:
        found: list[Turn] = []
        async for names in self._open(idle_since) if scope is None else self._named(scope):
            found += await self._last_turns(names, idle_since)
        meant = [turn for turn in found if scope is None or scope.admits(turn.scope)]
        return sorted(meant, key=lambda turn: turn.created_at)

    async def erase(self, owner_ref: OwnerRef) -> int:
        count = 0
        async for members in self._owned(owner_ref):
            answers = await self._wire.send_all(
                [
                    ScriptRun(scripts.ERASE_OWNER, self._keys.conversation(conversation), (owner,))
                    for scope, owner, conversation in map(read_member, members)
                    if isinstance(owner_ref, str) or owner_ref.admits(scope)
                ]
            )
            count += sum(answers)
        return count

    async def erase_turns(self, tenant: str, turn_ids: Sequence[str]) -> int:
        """Erase the texts of turns that are the evidence of memories, or of what was said.

        A turn that stayed unlearned for over a year, and for twice as long as learned turns are
        kept, is no longer found by its id, only by its scope.
        """
        by_place = await self._by_place(list(dict.fromkeys(turn_ids)))
        answers = await self._wire.send_all(
            [
                ScriptRun(scripts.ERASE_TURNS, self._keys.conversation(place), (owner, *part))
                for place, named in by_place.items()
                for owner in (owned_prefix(tenant),)
                for part in in_parts(named, _IDS_AT_ONCE)
            ]
        )
        return sum(answers)

    async def _by_place(self, ids: Sequence[str]) -> Mapping[str, list[str]]:
        """The ids by their conversations; those that no conversation is known of are left out."""
        places = await self._wire.send_all([("GET", self._keys.turn(turn_id)) for turn_id in ids])
        by_place: defaultdict[str, list[str]] = defaultdict(list)
        for turn_id, place in zip(ids, places, strict=True):
            if place is not None:
                by_place[place].append(turn_id)
        return by_place

    async def prune(self, *, learned_before: datetime) -> int:
        """Erase what the port says, and turns that were learned longer ago than they are kept.

        The latter expire by themselves, unless their conversation still has something to learn and
        is not used, so run this at least once in that time.
        """
        count = 0
        async for members in self._owned(None):
            conversations = [read_member(member)[2] for member in members]
            answers = await self._wire.send_all(
                [
                    ScriptRun(
                        scripts.PRUNE,
                        self._keys.conversation(conversation),
                        (to_ms(learned_before), self._ttl_ms),
                    )
                    for conversation in conversations
                ]
            )
            count += sum(answer for answer in answers if answer > 0)
            gone = [member for member, answer in zip(members, answers, strict=True) if answer < 0]
            if gone:
                await self._wire.send(("ZREM", self._keys.index.owned, *gone))
        return count

    async def close(self) -> None:
        """The connections belong to `RedisState`, which closes them."""

    def _told(self, turn: Turn, member: str) -> tuple[str | int, ...]:
        owner = member.rpartition("/")[0]
        parts = (user_part(turn), answer_part(turn))
        return (turn.id, owner, *parts, turn.tokens, to_ms(turn.created_at), self._ttl_ms)

    async def _open(self, idle_since: datetime | None) -> AsyncIterator[Sequence[str]]:
        """Conversations that may have something to learn, in batches."""
        bound = "+inf" if idle_since is None else str(to_ms(idle_since))
        names = await self._wire.send(("ZRANGEBYSCORE", self._keys.index.open, "-inf", bound))
        for part in in_parts(names, PIPELINE):
            yield part

    async def _named(self, scope: Scope) -> AsyncIterator[Sequence[str]]:
        """All conversations of a scope, in batches: a user has few, however many exist."""
        async for members in self._owned(scope):
            entries = map(read_member, members)
            if names := [encoded(name) for owner, _, name in entries if scope.admits(owner)]:
                yield list(dict.fromkeys(names))

    async def _last_turns(self, names: Sequence[str], idle_since: datetime | None) -> list[Turn]:
        index = self._keys.index
        # Generations are read before the turns: a turn recorded in between changes the generation.
        generations = await self._wire.send(("HMGET", index.generations, *names))
        looked = [pair for pair in zip(names, generations, strict=True) if pair[1] is not None]
        answers = await self._wire.send_all(
            [ScriptRun(scripts.LAST, self._keys.conversation(decoded(name))) for name, _ in looked]
        )
        await self._wire.send_all(
            [
                ScriptRun(scripts.SETTLE, (index.open, index.generations), seen)
                for seen, answer in zip(looked, answers, strict=True)
                if not answer
            ]
        )
        bound = None if idle_since is None else to_ms(idle_since)
        silent = [a for a in answers if a and (bound is None or a[0] <= bound)]
        return [read_turn(*answer[1:]) for answer in silent]


def _read_turns(found: Sequence[Any]) -> list[Turn]:
    return [read_turn(*found[at : at + 3]) for at in range(0, len(found), 3)]
