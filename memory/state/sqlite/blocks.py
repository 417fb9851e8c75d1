"""Working blocks in SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

from ...model.blocks import KEPT_VERSIONS, Block, writers
from ...model.times import from_ms, to_ms
from ...model.types import OwnerRef, Scope
from ..rows import named, scope_from
from .database import Database
from .rows import id_list

_COLUMNS = (
    "tenant, user_id, agent_id, run_id, id, label, description, value, token_limit, read_only, "
    "version, author, created_at, updated_at"
)
_VALUES = ", ".join(f":{name}" for name in _COLUMNS.split(", "))
_CREATE = f"INSERT OR IGNORE INTO blocks ({_COLUMNS}) VALUES ({_VALUES})"  # noqa: S608 - constants
_KEEP = f"""
    INSERT INTO block_versions ({_COLUMNS})
    SELECT {_COLUMNS} FROM blocks WHERE tenant = :tenant AND id = :id AND version = :version - 1
"""  # noqa: S608 - constants
_CHANGE = """
    UPDATE blocks SET description = :description, value = :value, token_limit = :token_limit,
        read_only = :read_only, version = :version, author = :author, updated_at = :updated_at
    WHERE tenant = :tenant AND id = :id AND version = :version - 1
"""
_TIDY = f"""
    DELETE FROM block_versions
    WHERE tenant = :tenant AND id = :id AND version < :version - {KEPT_VERSIONS}
"""  # noqa: S608 - a constant
_FOR_SCOPE = f"""
    SELECT {_COLUMNS} FROM blocks WHERE tenant = :tenant AND user_id IN ('', :user_id)
    AND agent_id IN ('', :agent_id) AND run_id IN ('', :run_id)
"""  # noqa: S608 - a constant
_IDS = "tenant = ? AND id IN (SELECT value FROM json_each(?))"


class SqliteBlocks:
    """`BlockStore` in one file."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def exist(self, tenant: str) -> bool:
        sql = "SELECT EXISTS (SELECT 1 FROM blocks WHERE tenant = :tenant)"
        [(found,)] = await self._database.statement(sql, {"tenant": tenant})
        return bool(found)

    async def create(self, block: Block) -> bool:
        return await self._database.change(_CREATE, _row(block)) > 0

    async def change(self, block: Block) -> bool:
        row = _row(block)

        def work(connection: sqlite3.Connection) -> bool:
            if connection.execute(_KEEP, row).rowcount == 0:
                return False
            connection.execute(_CHANGE, row)
            connection.execute(_TIDY, row)
            return True

        return await self._database.run(work)

    async def for_scope(self, scope: Scope) -> list[Block]:
        rows = await self._database.statement(_FOR_SCOPE, _columns(scope))
        return [_block(row) for row in rows]

    async def named(self, tenant: str, block_ids: Sequence[str]) -> list[Block]:
        return await self._read("blocks", _IDS, (tenant, id_list(block_ids)))

    async def of_owner(self, owner_ref: OwnerRef) -> list[Block]:
        values = named(owner_ref)
        where = " AND ".join(f"{column} = ?" for column in values)
        return await self._read("blocks", where, tuple(values.values()))

    async def versions(self, tenant: str, block_id: str) -> list[Block]:
        where = "tenant = ? AND id = ? ORDER BY version DESC"
        return await self._read("block_versions", where, (tenant, block_id))

    async def delete(self, tenant: str, block_ids: Sequence[str]) -> int:
        values = (tenant, id_list(block_ids))

        def work(connection: sqlite3.Connection) -> int:
            connection.execute(f"DELETE FROM block_versions WHERE {_IDS}", values)  # noqa: S608
            return connection.execute(f"DELETE FROM blocks WHERE {_IDS}", values).rowcount  # noqa: S608

        return await self._database.run(work, erases=True)

    async def _read(self, table: str, where: str, values: tuple[object, ...]) -> list[Block]:
        sql = f"SELECT {_COLUMNS} FROM {table} WHERE {where}"  # noqa: S608 - constants
        return await self._database.read(sql, values, _block)


def _columns(scope: Scope) -> dict[str, str]:
    """The columns of a scope. An id is never empty: '' stands for one that is not set."""
    return {
        "tenant": scope.tenant,
        "user_id": scope.user_id or "",
        "agent_id": scope.agent_id or "",
        "run_id": scope.run_id or "",
    }


def _row(block: Block) -> dict[str, object]:
    return {
        **_columns(block.scope),
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
    tenant, user_id, agent_id, run_id, block_id, label, description, value, limit = row[:9]
    read_only, version, author, created_at, updated_at = row[9:]
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
