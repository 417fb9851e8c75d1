"""What scopes may see that they do not own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..model.owner import covers, owning_tenant
from ..model.shares import Attachment, ShareKind, ShareRights
from ..model.times import from_ms, to_ms
from ..model.types import OwnerRef, Scope
from .part import SqlPart
from .rows import owner_key, scope_columns, scope_from
from .scripts import Script, SqlStatement, listed

_COLUMNS = (
    "tenant, kind, item_id, receiver, to_user, to_agent, to_run, "
    "user_id, agent_id, run_id, rights, created_at"
)
_ATTACH = f"""
    INSERT INTO attachments ({_COLUMNS})
    VALUES (:tenant, :kind, :item_id, :receiver, :to_user, :to_agent, :to_run,
            :user_id, :agent_id, :run_id, :rights, :created_at)
    ON CONFLICT (tenant, kind, item_id, receiver) DO UPDATE SET
        user_id = excluded.user_id, agent_id = excluded.agent_id, run_id = excluded.run_id,
        rights = excluded.rights, created_at = excluded.created_at
"""  # noqa: S608 - a constant
_DETACH = """
    DELETE FROM attachments WHERE tenant = :tenant AND kind = :kind AND item_id = :item_id
    AND receiver = :receiver
"""
_ITEMS = "tenant = :tenant AND kind = :kind AND item_id IN :ids[]"
_ERASE_ITEMS = f"DELETE FROM attachments WHERE {_ITEMS} RETURNING item_id"  # noqa: S608 - a constant
_SELECT = f"SELECT {_COLUMNS} FROM attachments WHERE "  # noqa: S608 - a constant
_OF_TENANT = _SELECT + "tenant = :tenant"
_FOR_SCOPE = f"""
    {_SELECT} tenant = :tenant AND kind = :kind
    AND to_user IN ('', :to_user) AND to_agent IN ('', :to_agent) AND to_run IN ('', :to_run)
"""


class SqlAttachments(SqlPart):
    """The attachments of all tenants. They name ids; whether these exist is the caller's business.

    A memory or block is attached to a scope once: with other rights it takes the place of itself.
    """

    async def exist(self, tenant: str) -> bool:
        """Whether a tenant has any attachment."""
        return await self._exist("attachments", tenant)

    async def attach(self, attachment: Attachment) -> None:
        """Keep it durably."""
        values = {
            **scope_columns(attachment.owner),
            **_key(attachment),
            "rights": attachment.rights.value,
            "created_at": to_ms(attachment.created_at),
        }
        await self.scripts.statement(_ATTACH, values)

    async def detach(self, kind: ShareKind, item_id: str, to: Scope) -> bool:
        """Remove one; False if there is none."""
        values = {"kind": kind.value, "item_id": item_id, **_to(to)}
        sql = f"{_DETACH} RETURNING item_id"
        return bool(await self.scripts.statement(sql, values, once=to.tenant))

    async def of_items(
        self, tenant: str, kind: ShareKind, item_ids: Sequence[str]
    ) -> list[Attachment]:
        """All attachments of these items, in any order."""
        values = {"tenant": tenant, "kind": kind.value, "ids": item_ids}
        return list(map(_attachment, await self.scripts.statement(_SELECT + _ITEMS, values)))

    async def for_scope(self, scope: Scope, kind: ShareKind) -> list[Attachment]:
        """Those whose `to` admits the scope, in any order. Never of another tenant."""
        values = {"kind": kind.value, **_to(scope)}
        return list(map(_attachment, await self.scripts.statement(_FOR_SCOPE, values)))

    async def of_owner(self, owner_ref: OwnerRef) -> list[Attachment]:
        """Those given by an owner or to it, in any order."""
        return await self.scripts.read(lambda: _of_owner(owner_ref))

    async def erase(self, owner_ref: OwnerRef, kind: ShareKind | None = None) -> int:
        """Remove those given by an owner or to it, of one kind or all; returns how many."""
        return await self.scripts.change(
            lambda: _erase(owner_ref, kind), tenants={owning_tenant(owner_ref)}
        )

    async def erase_items(self, tenant: str, kind: ShareKind, item_ids: Sequence[str]) -> int:
        """Remove all attachments of these items; returns how many."""
        values = {"tenant": tenant, "kind": kind.value, "ids": item_ids}
        return len(await self.scripts.statement(_ERASE_ITEMS, values, once=tenant))


def _of_owner(owner_ref: OwnerRef) -> Script[list[Attachment]]:
    """What an owner gave, and what it was given."""
    of_tenant = yield from listed(_OF_TENANT, {"tenant": owning_tenant(owner_ref)}, _attachment)
    return [
        each for each in of_tenant if covers(owner_ref, each.owner) or covers(owner_ref, each.to)
    ]


def _erase(owner_ref: OwnerRef, kind: ShareKind | None) -> Script[int]:
    found = yield from _of_owner(owner_ref)
    gone = [_key(each) for each in found if kind in (None, each.kind)]
    yield SqlStatement(_DETACH, many=gone)
    return len(gone)


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
        "receiver": owner_key(scope),
        "to_user": scope.user_id or "",
        "to_agent": scope.agent_id or "",
        "to_run": scope.run_id or "",
    }


def _attachment(row: Sequence[Any]) -> Attachment:
    tenant, kind, item_id, _, *to = row[:7]
    return Attachment(
        kind=ShareKind(kind),
        item_id=item_id,
        owner=scope_from(tenant, *row[7:10]),
        to=scope_from(tenant, *(each or None for each in to)),
        rights=ShareRights(row[10]),
        created_at=from_ms(row[11]),
    )
