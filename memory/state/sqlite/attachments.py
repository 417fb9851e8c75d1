"""Attachments in SQLite."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...model.owner import covers
from ...model.shares import Attachment, ShareKind, ShareRights
from ...model.times import from_ms, to_ms
from ...model.types import OwnerRef, Scope
from ..rows import scope_from
from .database import Database
from .rows import id_list

_COLUMNS = (
    "tenant, kind, item_id, to_user, to_agent, to_run, "
    "user_id, agent_id, run_id, rights, created_at"
)
_ATTACH = f"""
    INSERT OR REPLACE INTO attachments ({_COLUMNS})
    VALUES (:tenant, :kind, :item_id, :to_user, :to_agent, :to_run, :user_id, :agent_id, :run_id,
            :rights, :created_at)
"""  # noqa: S608 - a constant
_DETACH = """
    DELETE FROM attachments WHERE tenant = :tenant AND kind = :kind AND item_id = :item_id
    AND to_user = :to_user AND to_agent = :to_agent AND to_run = :to_run
"""
_ITEMS = "tenant = ? AND kind = ? AND item_id IN (SELECT value FROM json_each(?))"
_FOR_SCOPE = f"""
    SELECT {_COLUMNS} FROM attachments WHERE tenant = :tenant AND kind = :kind
    AND to_user IN ('', :to_user) AND to_agent IN ('', :to_agent) AND to_run IN ('', :to_run)
"""  # noqa: S608 - a constant


class SqliteAttachments:
    """`Attachments` in one file."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def exist(self, tenant: str) -> bool:
        sql = "SELECT EXISTS (SELECT 1 FROM attachments WHERE tenant = :tenant)"
        [(found,)] = await self._database.statement(sql, {"tenant": tenant})
        return bool(found)

    async def attach(self, attachment: Attachment) -> None:
        owner = attachment.owner
        values = {
            **_key(attachment),
            "user_id": owner.user_id,
            "agent_id": owner.agent_id,
            "run_id": owner.run_id,
            "rights": attachment.rights.value,
            "created_at": to_ms(attachment.created_at),
        }
        await self._database.change(_ATTACH, values)

    async def detach(self, kind: ShareKind, item_id: str, to: Scope) -> bool:
        values = {"kind": kind.value, "item_id": item_id, **_to(to)}
        return await self._database.change(_DETACH, values) > 0

    async def of_items(
        self, tenant: str, kind: ShareKind, item_ids: Sequence[str]
    ) -> list[Attachment]:
        return await self._read(_ITEMS, (tenant, kind.value, id_list(item_ids)))

    async def for_scope(self, scope: Scope, kind: ShareKind) -> list[Attachment]:
        values = {"kind": kind.value, **_to(scope)}
        return [_attachment(row) for row in await self._database.statement(_FOR_SCOPE, values)]

    async def of_owner(self, owner_ref: OwnerRef) -> list[Attachment]:
        tenant = owner_ref if isinstance(owner_ref, str) else owner_ref.tenant
        found = await self._read("tenant = ?", (tenant,))
        return [each for each in found if concerns(owner_ref, each)]

    async def erase(self, owner_ref: OwnerRef, kind: ShareKind | None = None) -> int:
        found = await self.of_owner(owner_ref)
        values = [_key(each) for each in found if kind in (None, each.kind)]
        await self._database.run(lambda connection: connection.executemany(_DETACH, values))
        return len(values)

    async def erase_items(self, tenant: str, kind: ShareKind, item_ids: Sequence[str]) -> int:
        return await self._database.change(
            f"DELETE FROM attachments WHERE {_ITEMS}",  # noqa: S608 - a constant
            (tenant, kind.value, id_list(item_ids)),
        )

    async def _read(self, where: str, values: tuple[object, ...]) -> list[Attachment]:
        sql = f"SELECT {_COLUMNS} FROM attachments WHERE {where}"  # noqa: S608 - constants
        return await self._database.read(sql, values, _attachment)


def concerns(owner_ref: OwnerRef, attachment: Attachment) -> bool:
    """Whether an owner gave it, or was given it."""
    return covers(owner_ref, attachment.owner) or covers(owner_ref, attachment.to)


def _key(attachment: Attachment) -> dict[str, str]:
    return {
        "kind": attachment.kind.value,
        "item_id": attachment.item_id,
        **_to(attachment.to),
    }


def _to(scope: Scope) -> dict[str, str]:
    """The columns of a scope. An id is never empty: '' stands for one that is not set."""
    return {
        "tenant": scope.tenant,
        "to_user": scope.user_id or "",
        "to_agent": scope.agent_id or "",
        "to_run": scope.run_id or "",
    }


def _attachment(row: Sequence[Any]) -> Attachment:
    tenant, kind, item_id, *to = row[:6]
    return Attachment(
        kind=ShareKind(kind),
        item_id=item_id,
        owner=scope_from(tenant, *row[6:9]),
        to=scope_from(tenant, *(each or None for each in to)),
        rights=ShareRights(row[9]),
        created_at=from_ms(row[10]),
    )
