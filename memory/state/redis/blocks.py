"""Working blocks in Redis: per tenant a hash of all, a hash of labels for each scope, and lists."""

from __future__ import annotations

import json
from collections.abc import Sequence

from ...database.rows import named
from ...model.blocks import KEPT_VERSIONS, Block, writers
from ...model.owner import covers, owning_tenant
from ...model.times import from_ms, to_ms
from ...model.types import OwnerRef, Scope
from .keys import Keys, admitting_keys, ids_key
from .wire import Script, ScriptRun, Wire

# A script that is sent again after its answer was lost finds its own bytes, and says so again.
_CREATE = Script("""
local known = redis.call('HGET', KEYS[2], ARGV[2])
if known then
    return known == ARGV[1] and redis.call('HGET', KEYS[1], known) == ARGV[3] and 1 or 0
end
if redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[3]) == 0 then return 0 end
redis.call('HSET', KEYS[2], ARGV[2], ARGV[1])
return 1
""")
_CHANGE = Script("""
local known = redis.call('HGET', KEYS[1], ARGV[1])
if not known then return 0 end
if known == ARGV[2] then return 1 end
if string.match(known, '^%d+') ~= ARGV[3] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('LPUSH', KEYS[2], known)
redis.call('LTRIM', KEYS[2], 0, ARGV[4] - 1)
return 1
""")
_DELETE = Script("""
redis.call('DEL', KEYS[3])
redis.call('HDEL', KEYS[2], ARGV[2])
return redis.call('HDEL', KEYS[1], ARGV[1])
""")


class RedisBlocks:
    """`BlockStore` shared by all processes."""

    def __init__(self, wire: Wire, keys: Keys) -> None:
        self._wire = wire
        self._keys = keys

    async def exist(self, tenant: str) -> bool:
        return bool(await self._wire.send(("EXISTS", self._all(tenant))))

    async def create(self, block: Block) -> bool:
        keys = [self._all(block.scope.tenant), self._labels(block.scope)]
        made = await self._wire.run(_CREATE, keys, block.id, block.label, _written(block))
        return bool(made)

    async def change(self, block: Block) -> bool:
        tenant = block.scope.tenant
        keys = [self._all(tenant), self._keys.block_versions(tenant, block.id)]
        args = (block.id, _written(block), str(block.version - 1), KEPT_VERSIONS)
        return bool(await self._wire.run(_CHANGE, keys, *args))

    async def for_scope(self, scope: Scope) -> list[Block]:
        asked = [
            ("HVALS", self._keys.block_labels(scope.tenant, each)) for each in admitting_keys(scope)
        ]
        ids = [str(each) for found in await self._wire.send_all(asked) for each in found]
        return await self.named(scope.tenant, ids)

    async def named(self, tenant: str, block_ids: Sequence[str]) -> list[Block]:
        if not block_ids:
            return []
        found = await self._wire.send(("HMGET", self._all(tenant), *dict.fromkeys(block_ids)))
        return [_block(text) for text in found if text]

    async def of_owner(self, owner_ref: OwnerRef) -> list[Block]:
        found = await self._wire.send(("HVALS", self._all(owning_tenant(owner_ref))))
        blocks = [_block(text) for text in found]
        return [block for block in blocks if covers(owner_ref, block.scope)]

    async def versions(self, tenant: str, block_id: str) -> list[Block]:
        found = await self._wire.send(
            ("LRANGE", self._keys.block_versions(tenant, block_id), 0, KEPT_VERSIONS - 1)
        )
        return [_block(text) for text in found]

    async def delete(self, tenant: str, block_ids: Sequence[str]) -> int:
        runs = [
            ScriptRun(
                _DELETE,
                (
                    self._all(tenant),
                    self._labels(block.scope),
                    self._keys.block_versions(tenant, block.id),
                ),
                (block.id, block.label),
            )
            for block in await self.named(tenant, block_ids)
        ]
        return sum(map(int, await self._wire.send_all(runs)))

    def _all(self, tenant: str) -> str:
        return self._keys.blocks(tenant)

    def _labels(self, scope: Scope) -> str:
        return self._keys.block_labels(scope.tenant, ids_key(scope))


def _written(block: Block) -> str:
    """The version, which scripts compare, and the block as JSON."""
    told = {
        "scope": named(block.scope),
        "id": block.id,
        "label": block.label,
        "description": block.description,
        "value": block.value,
        "limit": block.limit,
        "read_only": block.read_only,
        "author": block.written_by,
        "created_at": to_ms(block.created_at),
        "updated_at": to_ms(block.updated_at),
    }
    return f"{block.version} {json.dumps(told)}"


def _block(text: str) -> Block:
    version, _, told = text.partition(" ")
    fields = json.loads(told)
    return Block(
        **{
            **fields,
            "scope": Scope(**fields["scope"]),
            "version": int(version),
            **writers(fields["author"]),
            "created_at": from_ms(fields["created_at"]),
            "updated_at": from_ms(fields["updated_at"]),
        }
    )
