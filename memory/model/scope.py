"""The scope of a memory."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from urllib.parse import quote

from .errors import InvalidInputError, ScopeError

SCOPE_IDS = ("user_id", "agent_id", "run_id")
SCOPE_REQUIRED = "At least one of user_id, agent_id, or run_id must be provided"
MAX_SCOPE_CHARS = 256
"""Maximum length of a scope id. The store's columns have the same limit, so no id is ever cut."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """The owner of memories. A query with a scope sees records that match *every* field it sets.

    Raises:
        ScopeError: user, agent and run are all missing.
        InvalidInputError: an id is empty, too long, or holds a control character.
    """

    tenant: str
    user_id: str | None = None
    agent_id: str | None = None
    run_id: str | None = None

    def __post_init__(self) -> None:
        if self.user_id is None and self.agent_id is None and self.run_id is None:
            raise ScopeError(SCOPE_REQUIRED)
        _check_scope_id("tenant", self.tenant)
        for name in SCOPE_IDS:
            if (value := getattr(self, name)) is not None:
                _check_scope_id(name, value)

    def ids(self) -> dict[str, str]:
        """The ids that are set, by their API names."""
        named = {"user_id": self.user_id, "agent_id": self.agent_id, "run_id": self.run_id}
        return {name: value for name, value in named.items() if value is not None}

    @property
    def named(self) -> str:
        """The ids that are set, for people: "user_id=bob, agent_id=coder"."""
        return ", ".join(f"{name}={value}" for name, value in self.ids().items())

    @property
    def partition(self) -> str:
        """The value the store partitions by: tenant and user, unambiguous for any characters."""
        return f"{quote(self.tenant, safe='')}/{self.user_id or ''}"

    def values(self) -> dict[str, tuple[str | None, ...]]:
        """The predicate of a query: for each id that counts, the values a record may have there.

        None stands for a record without this id.
        """
        return {name: (value,) for name, value in self.ids().items()}

    def admits(self, other: Scope) -> bool:
        """Whether a query with this scope may see a record stored under `other`."""
        return self.tenant == other.tenant and all(
            getattr(other, name) in values for name, values in self.values().items()
        )


OwnerRef = Scope | str
"""All memories of a scope, or of a tenant."""


def _check_scope_id(name: str, value: object) -> None:
    if not isinstance(value, str):
        raise InvalidInputError(name, f"expected a string, got {type(value).__name__}")
    if not value.strip():
        raise InvalidInputError(name, "must not be empty")
    if len(value) > MAX_SCOPE_CHARS:
        raise InvalidInputError(name, f"must have at most {MAX_SCOPE_CHARS} characters")
    if not value.isprintable() and any(unicodedata.category(c) in {"Cc", "Cs"} for c in value):
        raise InvalidInputError(name, "must not contain control characters")
