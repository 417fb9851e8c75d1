"""What the groups of methods share: whose memories they are about, and the delegates."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from ...engine.engine import Engine
from ...model.owner import Owner
from ...model.ports import ChatModel
from ...model.types import MemoryItem, Scope
from ...operations.declaring import DECLARED
from ...statements.denial import StatementDenier
from ..adding import Adder
from ..blocks import Blocks
from ..changes import Changes
from ..conversations import Conversations
from ..episodes import Episodes
from ..graph import EntityGraph
from ..jobs import LearningJobs
from ..procedures import Procedures
from ..results import MemoryDict
from ..retelling import Retelling
from ..shares import MemoryShares
from ..topics import MemoryTopics
from ..upkeep import Upkeep
from ..usage_counts import with_usage
from ..view import TenantView

A = TypeVar("A")
P = ParamSpec("P")
T = TypeVar("T")


def of_part(
    part: str, method: Callable[Concatenate[A, P], Coroutine[Any, Any, T]]
) -> Callable[Concatenate[Any, P], Coroutine[Any, Any, T]]:
    """The method of a part, as one of the memory itself, which alone has that of a private part."""

    @wraps(method)
    async def call(self: Any, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await method(getattr(self, part), *args, **kwargs)

    call.__qualname__ = f"AsyncMemory.{method.__name__}"
    if not part.startswith("_"):
        vars(call).pop(DECLARED, None)  # It stands in the table once.
    return call


class MemoryCalls:
    """What the methods of `AsyncMemory` work with: one tenant's view of an engine."""

    def __init__(
        self,
        engine: Engine,
        *,
        tenant: str = "local",
        model: ChatModel | None = None,
        only_user: str | None = None,
    ) -> None:
        """A view of one tenant of `engine`; `open` opens an engine for this memory alone.

        `model` extracts this tenant's facts; without it the engine finds one. With `only_user` it
        is a view of that user: naming another one raises ForbiddenError, and other users' memories
        do not exist.
        """
        self.tenant = tenant
        self._engine = engine
        self._view = TenantView(engine, Owner(tenant, only_user), model)
        self._store = engine.parts.store
        self._lookup = engine.lookup
        self._changes = Changes(engine.parts, guard=engine.forgetter.guard)
        self._adder = Adder(self._view)
        self._episodes = Episodes(self._view)
        self.shares = MemoryShares(self._view)
        """The memories that are shown to other scopes than their own."""
        self._retelling = Retelling(engine.parts, guard=engine.forgetter.guard)
        self._denier = StatementDenier(engine.parts)
        self.blocks = Blocks(self._view)
        """The working blocks: named texts that are always in the prompt."""
        self.conversations = Conversations(self._view)
        """What was said, conversation by conversation: to list, read, search and erase."""
        self.procedures = Procedures(self._view, self._changes, self)
        """How tasks are done, as `add_procedure` learned it, and how that went afterwards."""
        self.upkeep = Upkeep(self._view)
        """What looks after memories: run it now, read what it did, and take that back."""
        self.jobs = LearningJobs(self._view)
        """The work in the background that learns: listed, and tried again."""
        self.graph = EntityGraph(self._view)
        """Who and what memories speak of, and how these are connected."""
        self.topics = MemoryTopics(self._view, self.upkeep, self.graph)
        """The topics of memories: what there is, a summary of one, and what says the same."""
        self._seen_from: MemoryCalls | None = None
        """The memory that this is a view of: it must not be collected before."""

    def _scope(
        self,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> Scope:
        return self._view.scope(user_id, agent_id, run_id)

    async def _with_usage(self, items: Sequence[MemoryItem]) -> list[MemoryDict]:
        return await with_usage(self._engine.parts.state.usage, items)
