"""Attachments in Redis: a hash for each scope that has any, and two sets that lead to them."""

from __future__ import annotations

import json
from collections.abc import Sequence

from ...database.rows import named
from ...model.owner import covers
from ...model.shares import Attachment, ShareKind, ShareRights
from ...model.times import from_ms, to_ms
from ...model.types import OwnerRef, Scope
from .keys import Keys, admitting_keys, decoded, encoded, ids_key
from .wire import Script, ScriptRun, Wire

_ATTACH = Script("""
redis.call('HSET', KEYS[1], ARGV[1], ARGV[4])
redis.call('SADD', KEYS[2], ARGV[2])
redis.call('SADD', KEYS[3], ARGV[3])
""")
_DETACH = Script("""
redis.call('SREM', KEYS[2], ARGV[2])
redis.call('SREM', KEYS[3], ARGV[3])
return redis.call('HDEL', KEYS[1], ARGV[1])
""")


class RedisAttachments:
    """`Attachments` shared by all processes.

    A `detach` whose answer was lost is sent again and finds nothing: it is gone all the same.
    """

    def __init__(self, wire: Wire, keys: Keys) -> None:
        self._wire = wire
        self._keys = keys

    async def exist(self, tenant: str) -> bool:
        return bool(await self._wire.send(("EXISTS", self._keys.attachments(tenant))))

    async def attach(self, attachment: Attachment) -> None:
        run = self._at(_ATTACH, attachment.kind, attachment.item_id, attachment.to)
        args = (*run.args, _written(attachment))
        await self._wire.send(ScriptRun(run.script, run.keys, args))

    async def detach(self, kind: ShareKind, item_id: str, to: Scope) -> bool:
        return bool(await self._wire.send(self._at(_DETACH, kind, item_id, to)))

    async def of_items(
        self, tenant: str, kind: ShareKind, item_ids: Sequence[str]
    ) -> list[Attachment]:
        asked = [("SMEMBERS", self._keys.attached_item(tenant, kind, each)) for each in item_ids]
        answers = await self._wire.send_all(asked)
        places = [
            (each, str(to))
            for each, found in zip(item_ids, answers, strict=True)
            for to in sorted(found)
        ]
        return await self._read(tenant, [(kind.value, item_id, to) for item_id, to in places])

    async def for_scope(self, scope: Scope, kind: ShareKind) -> list[Attachment]:
        asked = [
            ("HGETALL", self._keys.attached_to(scope.tenant, kind, to))
            for to in admitting_keys(scope)
        ]
        answers = await self._wire.send_all(asked)
        return [_attachment(text) for found in answers for text in dict(found).values()]

    async def of_owner(self, owner_ref: OwnerRef) -> list[Attachment]:
        tenant = owner_ref if isinstance(owner_ref, str) else owner_ref.tenant
        members = await self._wire.send(("SMEMBERS", self._keys.attachments(tenant)))
        found = await self._read(tenant, [_place(str(each)) for each in sorted(members)])
        return [
            each for each in found if covers(owner_ref, each.owner) or covers(owner_ref, each.to)
        ]

    async def erase(self, owner_ref: OwnerRef, kind: ShareKind | None = None) -> int:
        found = await self.of_owner(owner_ref)
        return await self._remove([each for each in found if kind in (None, each.kind)])

    async def erase_items(self, tenant: str, kind: ShareKind, item_ids: Sequence[str]) -> int:
        return await self._remove(await self.of_items(tenant, kind, item_ids))

    async def _read(self, tenant: str, places: Sequence[tuple[str, str, str]]) -> list[Attachment]:
        asked = [
            ("HGET", self._keys.attached_to(tenant, kind, to), item_id)
            for kind, item_id, to in places
        ]
        return [_attachment(text) for text in await self._wire.send_all(asked) if text]

    async def _remove(self, attachments: Sequence[Attachment]) -> int:
        runs = [self._at(_DETACH, each.kind, each.item_id, each.to) for each in attachments]
        return sum(map(int, await self._wire.send_all(runs)))

    def _at(self, script: Script, kind: ShareKind, item_id: str, to: Scope) -> ScriptRun:
        tenant, ids = to.tenant, ids_key(to)
        keys = (
            self._keys.attached_to(tenant, kind, ids),
            self._keys.attached_item(tenant, kind, item_id),
            self._keys.attachments(tenant),
        )
        return ScriptRun(script, keys, (item_id, ids, f"{kind.value}/{encoded(item_id)}/{ids}"))


def _place(member: str) -> tuple[str, str, str]:
    """The kind, the id and the `ids_key` of an entry of the set of all."""
    kind, item_id, to = member.split("/", 2)
    return kind, decoded(item_id), to


def _written(attachment: Attachment) -> str:
    return json.dumps(
        {
            "kind": attachment.kind.value,
            "item_id": attachment.item_id,
            "owner": named(attachment.owner),
            "to": named(attachment.to),
            "rights": attachment.rights.value,
            "created_at": to_ms(attachment.created_at),
        }
    )


def _attachment(text: str) -> Attachment:
    told = json.loads(text)
    return Attachment(
        kind=ShareKind(told["kind"]),
        item_id=told["item_id"],
        owner=Scope(**told["owner"]),
        to=Scope(**told["to"]),
        rights=ShareRights(told["rights"]),
        created_at=from_ms(told["created_at"]),
    )
