"""Conversions of scopes, and whether one owner includes another."""

from __future__ import annotations

from typing import Any

from ..model.types import OwnerRef, Scope


def named(whose: OwnerRef) -> dict[str, str]:
    """The fields that all records of `whose` share, by the names of a scope's fields."""
    return {"tenant": whose} if isinstance(whose, str) else {"tenant": whose.tenant, **whose.ids()}


def scope_from(tenant: Any, user_id: Any, agent_id: Any, run_id: Any) -> Scope:
    """The scope with these fields, in the order of ``astuple``."""
    return Scope(tenant=tenant, user_id=user_id, agent_id=agent_id, run_id=run_id)
