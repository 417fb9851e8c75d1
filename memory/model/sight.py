"""What somebody may see who asks in a scope: the memories of an agent, and those of its user."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Self

from pydantic import Field

from .strict import Options
from .types import Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight(Scope):
    """A scope to look with, never to keep anything under.

    For an agent of a user it admits what the scope admits, and what the user told without any
    agent. Without a user it is the scope: what no agent has would then be everybody's.
    """

    def __post_init__(self) -> None:
        """Its ids are those of a scope, which checked them."""

    @classmethod
    def of(cls, scope: Scope) -> Self:
        """What is seen from this scope."""
        return cls(
            tenant=scope.tenant,
            user_id=scope.user_id,
            agent_id=scope.agent_id,
            run_id=scope.run_id,
        )

    def values(self) -> dict[str, tuple[str | None, ...]]:
        """As of the scope, and no agent beside the agent."""
        found = Scope.values(self)
        if self.user_id is not None and self.agent_id is not None:
            found["agent_id"] = (self.agent_id, None)
        return found


class SightOptions(Options):
    """What the agents of one user know of each other's user."""

    agents: Literal["shared", "separate"] = Field(
        default="shared",
        description="What a chat with an agent (`x-recollect-agent`) recalls. `shared`: what the "
        "user told that agent, and what the user told without an agent. `separate`: only what the "
        "user told that agent. What was told another agent is recalled in neither.",
    )

    def sight(self, scope: Scope) -> Scope:
        """What a recall in this scope sees."""
        return Sight.of(scope) if self.agents == "shared" else scope
