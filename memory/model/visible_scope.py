"""The visible scope of a recall: the memories of an agent, and those of its user."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Self

from pydantic import Field

from .options_base import Options
from .types import Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class VisibleScope(Scope):
    """A scope for reading only.

    For an agent of a user it admits what the scope admits, and what the user told no agent. Without
    a user it equals the scope: memories without an agent would then be those of all users.
    """

    def __post_init__(self) -> None:
        """Its ids are those of a scope, which checked them."""

    @classmethod
    def of(cls, scope: Scope) -> Self:
        """The visible scope of a scope."""
        return cls(
            tenant=scope.tenant,
            user_id=scope.user_id,
            agent_id=scope.agent_id,
            run_id=scope.run_id,
        )

    def values(self) -> dict[str, tuple[str | None, ...]]:
        """The scope's, where the agent may also be absent."""
        found = Scope.values(self)
        if self.user_id is not None and self.agent_id is not None:
            found["agent_id"] = (self.agent_id, None)
        return found


class VisibilityOptions(Options):
    """What the agents of one user know of each other's user."""

    agents: Literal["shared", "separate"] = Field(
        default="shared",
        description="What a chat with an agent (`x-recollect-agent`) recalls. `shared`: what the "
        "user told that agent, and what the user told without an agent. `separate`: only what the "
        "user told that agent. What was told another agent is recalled in neither.",
    )

    def visible_scope(self, scope: Scope) -> Scope:
        """What a recall in this scope sees."""
        return VisibleScope.of(scope) if self.agents == "shared" else scope
