"""Working blocks, with their earlier versions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..model.blocks import KEPT_VERSIONS, Block, writers
from ..model.times import from_ms, to_ms
from ..model.types import OwnerRef, Scope
from .part import SqlPart
from .rows import filled, owner_key, scope_from, whose
from .scripts import Script, SqlStatement

_COLUMNS = (
    "owner, tenant, user_id, agent_id, run_id, id, label, description, value, token_limit, "
    "read_only, version, author, created_at, updated_at"
)
_VALUES = ", ".join(f":{name}" for name in _COLUMNS.split(", "))
_CREATE = f"""
    INSERT INTO blocks ({_COLUMNS}) VALUES ({_VALUES}) ON CONFLICT DO NOTHING RETURNING id
"""  # noqa: S608 - constants
_KEEP = f"""
    INSERT INTO block_versions ({_COLUMNS})
    SELECT {_COLUMNS} FROM blocks WHERE tenant = :tenant AND id = :id AND version = :before
    RETURNING id
"""  # noqa: S608 - constants
_CHANGE = """
    UPDATE blocks SET description = :description, value = :value, token_limit = :token_limit,
        read_only = :read_only, version = :version, author = :author, updated_at = :updated_at
    WHERE tenant = :tenant AND id = :id
"""
_TIDY = "DELETE FROM block_versions WHERE tenant = :tenant AND id = :id AND version < :oldest"
_BLOCKS = f"SELECT {_COLUMNS} FROM blocks WHERE "  # noqa: S608 - a constant
_FOR_SCOPE = f"""
    {_BLOCKS} tenant = :tenant AND user_id IN ('', :user_id)
    AND agent_id IN ('', :agent_id) AND run_id IN ('', :run_id)
"""
_IDS = "tenant = :tenant AND id IN :ids[]"
_VERSIONS = f"""
    SELECT {_COLUMNS} FROM block_versions WHERE tenant = :tenant AND id = :id ORDER BY version DESC
"""  # noqa: S608 - a constant


class SqlBlocks(SqlPart):
    """The working blocks of all tenants, with their earlier versions."""

    async def exist(self, tenant: str) -> bool:
        """Whether a tenant has any block."""
        return await self._exist("blocks", tenant)

    async def create(self, block: Block) -> bool:
        """Keep a new block durably; False if its scope has one of this label or id."""
        tenant = block.scope.tenant
        return bool(await self.scripts.statement(_CREATE, _row(block), once=tenant))

    async def change(self, block: Block) -> bool:
        """Let `block` take the place of the version before it, which is kept as an earlier one.

        False, and nothing is changed, unless the block is at that version: of two who change the
        same version one is refused.
        """
        return await self.scripts.change(lambda: _change(block), tenants={block.scope.tenant})

    async def for_scope(self, scope: Scope) -> list[Block]:
        """The blocks whose scope admits this one, in any order. Never of another tenant."""
        return list(map(_block, await self.scripts.statement(_FOR_SCOPE, filled(scope))))

    async def named(self, tenant: str, block_ids: Sequence[str]) -> list[Block]:
        """The blocks of a tenant with these ids, in any order."""
        values = {"tenant": tenant, "ids": block_ids}
        return list(map(_block, await self.scripts.statement(_BLOCKS + _IDS, values)))

    async def of_owner(self, owner_ref: OwnerRef) -> list[Block]:
        """All blocks of a tenant, or of all that a scope admits, in any order."""
        where, values = whose(owner_ref)
        return await self.scripts.rows(_BLOCKS + where, values, _block)

    async def versions(self, tenant: str, block_id: str) -> list[Block]:
        """The earlier versions of a block that are kept, newest first."""
        rows = await self.scripts.statement(_VERSIONS, {"tenant": tenant, "id": block_id})
        return list(map(_block, rows))

    async def delete(self, tenant: str, block_ids: Sequence[str]) -> int:
        """Erase blocks with all of their versions; returns how many there were."""
        return await self.scripts.change(
            lambda: _delete({"tenant": tenant, "ids": block_ids}), tenants={tenant}, erases=True
        )


def _change(block: Block) -> Script[bool]:
    row = _row(block)
    version = block.version
    if not (yield SqlStatement(_KEEP, {**row, "before": version - 1})):
        return False
    yield SqlStatement(_CHANGE, row)
    yield SqlStatement(_TIDY, {**row, "oldest": version - KEPT_VERSIONS})
    return True


def _delete(values: dict[str, object]) -> Script[int]:
    yield SqlStatement(f"DELETE FROM block_versions WHERE {_IDS}", values)  # noqa: S608 - a constant
    gone = yield SqlStatement(f"DELETE FROM blocks WHERE {_IDS} RETURNING id", values)  # noqa: S608 - a constant
    return len(gone)


def _row(block: Block) -> dict[str, object]:
    return {
        **filled(block.scope),
        "owner": owner_key(block.scope),
        "id": block.id,
        "label": block.label,
        "description": block.description,
        "value": block.value,
        "token_limit": block.limit,
        "read_only": int(block.read_only),
        "version": block.version,
        "author": block.written_by,
        "created_at": to_ms(block.created_at),
        "updated_at": to_ms(block.updated_at),
    }


def _block(row: Sequence[Any]) -> Block:
    tenant, user_id, agent_id, run_id, block_id, label, description, value, limit = row[1:10]
    read_only, version, author, created_at, updated_at = row[10:]
    return Block(
        id=block_id,
        scope=scope_from(tenant, user_id or None, agent_id or None, run_id or None),
        label=label,
        description=description,
        value=value,
        limit=limit,
        read_only=bool(read_only),
        version=version,
        created_at=from_ms(created_at),
        updated_at=from_ms(updated_at),
        **writers(author),
    )
