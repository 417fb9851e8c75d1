"""What the tables share: how a scope is read back."""

from __future__ import annotations

from ...types import Scope


def scope_from(tenant: object, user_id: object, agent_id: object, run_id: object) -> Scope:
    """The scope kept in the four columns of a row."""
    return Scope(
        tenant=str(tenant),
        user_id=text_or_none(user_id),
        agent_id=text_or_none(agent_id),
        run_id=text_or_none(run_id),
    )


def text_or_none(value: object) -> str | None:
    """A nullable TEXT column."""
    return None if value is None else str(value)
