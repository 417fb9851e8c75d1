"""What scopes may see that they do not own."""

from __future__ import annotations

from collections.abc import Sequence

from ..model.owner import covers, owning_tenant
from ..model.shares import Attachment, ShareKind
from ..model.types import OwnerRef, Scope
from .columns import Columns
from .rows import owner_key
from .scripts import Script, SqlStatement, listed
from .sql_part import SqlPart

_ATTACHMENT = Columns(Attachment)
_ATTACH = f"""
    INSERT INTO attachments ({_ATTACHMENT.names}, receiver)
    VALUES ({_ATTACHMENT.values_named}, :receiver)
    ON CONFLICT (tenant, kind, item_id, receiver) DO UPDATE SET {_ATTACHMENT.replaced}
"""  # noqa: S608 - constants
_DETACH = """
    DELETE FROM attachments WHERE tenant = :tenant AND kind = :kind AND item_id = :item_id
    AND receiver = :receiver
"""
_ITEMS = "tenant = :tenant AND kind = :kind AND item_id IN :ids[]"
_ERASE_ITEMS = f"DELETE FROM attachments WHERE {_ITEMS} RETURNING item_id"  # noqa: S608 - a constant
_SELECT = f"SELECT {_ATTACHMENT.names} FROM attachments WHERE "  # noqa: S608 - a constant
_OF_TENANT = _SELECT + "tenant = :tenant"
_FOR_SCOPE = f"""
    {_SELECT} tenant = :tenant AND kind = :kind
    AND to_user_id IN ('', :to_user_id) AND to_agent_id IN ('', :to_agent_id)
    AND to_run_id IN ('', :to_run_id)
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
        values = _ATTACHMENT.values(attachment) | _to(attachment.to)
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
        return list(map(_ATTACHMENT.read, await self.scripts.statement(_SELECT + _ITEMS, values)))

    async def for_scope(self, scope: Scope, kind: ShareKind) -> list[Attachment]:
        """Those whose `to` admits the scope, in any order. Never of another tenant."""
        values = {"kind": kind.value, **_to(scope)}
        return list(map(_ATTACHMENT.read, await self.scripts.statement(_FOR_SCOPE, values)))

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
    of_tenant = yield from listed(
        _OF_TENANT, {"tenant": owning_tenant(owner_ref)}, _ATTACHMENT.read
    )
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
        "to_user_id": scope.user_id or "",
        "to_agent_id": scope.agent_id or "",
        "to_run_id": scope.run_id or "",
    }
