"""What the tables share: scopes, lists of ids, and conditions for whose a row is."""

from __future__ import annotations

import json
from collections.abc import Sequence

from ...types import Scope, Whose


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


def where_whose(whose: Whose) -> tuple[str, list[object]]:
    """The condition for rows of a scope, of those it admits, or of a tenant, and its values.

    The columns are ours, the values are bound.
    """
    if isinstance(whose, str):
        return "tenant = ?", [whose]
    named = {"tenant": whose.tenant, **whose.ids()}
    return " AND ".join(f"{column} = ?" for column in named), list(named.values())


def id_list(ids: Sequence[str]) -> str:
    """Any number of ids as one value, for ``IN (SELECT value FROM json_each(?))``."""
    return json.dumps(list(ids))
