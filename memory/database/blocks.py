"""Working blocks, with their earlier versions."""

from __future__ import annotations

from collections.abc import Sequence

from ..model.blocks import KEPT_VERSIONS, Block
from ..model.types import OwnerRef, Scope
from .columns import Columns
from .rows import filled, owner_key, whose
from .scripts import Script, SqlStatement
from .sql_part import SqlPart

_BLOCK = Columns(Block, limit="token_limit")
_COLUMNS, _VALUES = f"owner, {_BLOCK.names}", f":owner, {_BLOCK.values_named}"
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
        read_only = :read_only, version = :version, author = :author, writer = :writer,
        updated_at = :updated_at
    WHERE tenant = :tenant AND id = :id
"""
_RETELL = """
    UPDATE blocks SET description = :description, value = :value, version = :version,
        updated_at = :updated_at
    WHERE tenant = :tenant AND id = :id
"""
_RETELL_VERSION = """
    UPDATE block_versions SET description = :description, value = :value
    WHERE tenant = :tenant AND id = :id AND version = :version
"""
_TIDY = "DELETE FROM block_versions WHERE tenant = :tenant AND id = :id AND version < :oldest"
_BLOCKS = f"SELECT {_BLOCK.names} FROM blocks WHERE "  # noqa: S608 - a constant
_FOR_SCOPE = f"""
    {_BLOCKS} tenant = :tenant AND user_id IN ('', :user_id)
    AND agent_id IN ('', :agent_id) AND run_id IN ('', :run_id)
"""
_IDS = "tenant = :tenant AND id IN :ids[]"
_VERSIONS = f"""
    SELECT {_BLOCK.names} FROM block_versions
    WHERE tenant = :tenant AND id = :id ORDER BY version DESC
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
        return list(map(_BLOCK.read, await self.scripts.statement(_FOR_SCOPE, filled(scope))))

    async def named(self, tenant: str, block_ids: Sequence[str]) -> list[Block]:
        """The blocks of a tenant with these ids, in any order."""
        values = {"tenant": tenant, "ids": block_ids}
        return list(map(_BLOCK.read, await self.scripts.statement(_BLOCKS + _IDS, values)))

    async def of_owner(self, owner_ref: OwnerRef) -> list[Block]:
        """All blocks of a tenant, or of all that a scope admits, in any order."""
        where, values = whose(owner_ref)
        return await self.scripts.rows(_BLOCKS + where, values, _BLOCK.read)

    async def versions(self, tenant: str, block_id: str) -> list[Block]:
        """The earlier versions of a block that are kept, newest first."""
        rows = await self.scripts.statement(_VERSIONS, {"tenant": tenant, "id": block_id})
        return list(map(_BLOCK.read, rows))

    async def retell(self, block: Block, versions: Sequence[Block]) -> None:
        """Let a block say this instead, and these earlier versions, of which nothing is kept."""
        tenant = block.scope.tenant
        await self.scripts.change(lambda: _retell(block, versions), tenants={tenant}, erases=True)

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


def _retell(block: Block, versions: Sequence[Block]) -> Script[None]:
    yield SqlStatement(_RETELL, _row(block))
    yield SqlStatement(_RETELL_VERSION, many=list(map(_row, versions)))


def _delete(values: dict[str, object]) -> Script[int]:
    yield SqlStatement(f"DELETE FROM block_versions WHERE {_IDS}", values)  # noqa: S608 - a constant
    gone = yield SqlStatement(f"DELETE FROM blocks WHERE {_IDS} RETURNING id", values)  # noqa: S608 - a constant
    return len(gone)


def _row(block: Block) -> dict[str, object]:
    owner = {**filled(block.scope), "owner": owner_key(block.scope)}
    return _BLOCK.values(block) | owner
