"""What rows have in common: scopes as columns, and conditions on them."""

from __future__ import annotations

import functools
import hashlib
from typing import Any

from ..model.types import OwnerRef, Scope

SCOPE = ("tenant", "user_id", "agent_id", "run_id")
WRITE_NOTE = """
    INSERT INTO notes (name, value) VALUES (:name, :value)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value
"""


def named(owner_ref: OwnerRef) -> dict[str, str]:
    """The fields that all records of `owner_ref` share, by the names of a scope's fields."""
    return (
        {"tenant": owner_ref}
        if isinstance(owner_ref, str)
        else {"tenant": owner_ref.tenant, **owner_ref.ids()}
    )


def filled(owner_ref: OwnerRef) -> dict[str, str]:
    """The columns of a scope where '' stands for an id that is not set: no id is empty."""
    return {"user_id": "", "agent_id": "", "run_id": "", **named(owner_ref)}


def owner_key(owner_ref: OwnerRef) -> str:
    """A tenant or a scope as one short text.

    Where several ids stand together in a key: an index of PostgreSQL holds no long ones.
    """
    return digest("\x00".join(filled(owner_ref)[name] for name in SCOPE))  # no id holds a NUL


def digest(text: str) -> str:
    """A short text for one that may be long."""
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).hexdigest()


def whose(owner_ref: OwnerRef) -> tuple[str, dict[str, str]]:
    """The condition, with its values, for the rows of a tenant or of all that a scope admits.

    The columns are constants, the values are bound.
    """
    values = named(owner_ref)
    return " AND ".join(f"{column} = :{column}" for column in values), values


def whose_or_all(owner_ref: OwnerRef | None) -> tuple[str, dict[str, str]]:
    """The same; None: for all rows."""
    return ("TRUE", {}) if owner_ref is None else whose(owner_ref)


def scope_columns(scope: Scope) -> dict[str, object]:
    """A scope as the columns of a row."""
    return {
        "tenant": scope.tenant,
        "user_id": scope.user_id,
        "agent_id": scope.agent_id,
        "run_id": scope.run_id,
    }


@functools.lru_cache(maxsize=1024)  # consecutive rows mostly have the same scope
def scope_from(tenant: Any, user_id: Any, agent_id: Any, run_id: Any) -> Scope:
    """The scope with these fields, in the order of ``astuple``."""
    return Scope(tenant=tenant, user_id=user_id, agent_id=agent_id, run_id=run_id)
