"""Rules of users on what may go to which model."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ..model.scope import Scope
from .rows import WRITE_NOTE, owner_key
from .scripts import Script, SqlStatement
from .sql_part import SqlPart

_NAME = "policy:"
_READ = "SELECT value FROM notes WHERE name LIKE 'policy:%'"
_DELETE = "DELETE FROM notes WHERE name = :name"

Rules = Sequence[Mapping[str, Any]]


class SqlUserRules(SqlPart):
    """Rules by user, as JSON values. What they mean is the caller's business."""

    async def read(self) -> dict[tuple[str, str | None], Rules]:
        """Those of all users, by tenant and user."""
        found = [json.loads(str(value)) for (value,) in await self.scripts.statement(_READ, {})]
        return {(each["tenant"], each["user"]): each["rules"] for each in found}

    async def write(self, scope: Scope, rules: Rules) -> None:
        """Let these be a user's rules; none: there are none any more."""
        of = Scope(tenant=scope.tenant, user_id=scope.user_id)
        kept = {"tenant": scope.tenant, "user": scope.user_id, "rules": list(rules)}
        values = {"name": _NAME + owner_key(of)}

        def script() -> Script[None]:
            if rules:
                yield SqlStatement(WRITE_NOTE, values | {"value": json.dumps(kept)})
            else:
                yield SqlStatement(_DELETE, values)

        await self.scripts.change(script, tenants=())
