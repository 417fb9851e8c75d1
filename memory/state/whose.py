"""Scopes as the backends write them down, and whether one is meant when another is named."""

from __future__ import annotations

from typing import Any

from ..types import Scope, Whose


def takes(whose: Whose, scope: Scope) -> bool:
    """Whether what is stored under `scope` is among `whose`."""
    return whose.admits(scope) if isinstance(whose, Scope) else whose == scope.tenant


def named(whose: Whose) -> dict[str, str]:
    """What all that is meant has in common, by the names of a scope's fields."""
    return {"tenant": whose} if isinstance(whose, str) else {"tenant": whose.tenant, **whose.ids()}


def scope_from(tenant: Any, user_id: Any, agent_id: Any, run_id: Any) -> Scope:
    """The scope whose fields were kept in this order, as ``astuple`` gives them."""
    return Scope(tenant=tenant, user_id=user_id, agent_id=agent_id, run_id=run_id)
