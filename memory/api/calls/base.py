"""What the groups of methods share: whose memories they are about, and the delegates."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from functools import cached_property, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from ...engine.engine import Engine
from ...model.doubts import CALLED_WRONG
from ...model.owner import Owner
from ...model.ports import ChatModel
from ...model.types import MemoryItem
from ...operations.declaring import DECLARED
from ...operations.reading import unchecked
from ...statements.denial import StatementDenier
from ..adding import Adder
from ..blocks import Blocks
from ..changes import Changes
from ..changing import Changing
from ..conversations import Conversations
from ..episodes import Episodes
from ..graph import EntityGraph
from ..jobs import LearningJobs
from ..judging import Judging
from ..procedures import Procedures
from ..results import MemoryDict
from ..retelling import Retelling
from ..shares import MemoryShares
from ..topics import MemoryTopics
from ..upkeep import Upkeep
from ..usage_counts import with_usage
from ..view import TenantView

A = TypeVar("A")
C = TypeVar("C", bound=Changing)
P = ParamSpec("P")
T = TypeVar("T")


def of_part(
    part: str, method: Callable[Concatenate[A, P], Coroutine[Any, Any, T]]
) -> Callable[Concatenate[Any, P], Coroutine[Any, Any, T]]:
    """The method of a part, as one of the memory itself, which alone has that of a private part."""

    def passed_on(to: Callable[Concatenate[A, P], Coroutine[Any, Any, T]]) -> Any:
        @wraps(to)
        async def call(self: Any, /, *args: P.args, **kwargs: P.kwargs) -> T:
            return await to(getattr(self, part), *args, **kwargs)

        return call

    made = passed_on(method)
    made.unchecked = passed_on(unchecked(method))
    made.__qualname__ = f"AsyncMemory.{method.__name__}"
    if not part.startswith("_"):
        vars(made).pop(DECLARED, None)  # It stands in the table once.
    return cast("Callable[Concatenate[Any, P], Coroutine[Any, Any, T]]", made)


class MemoryCalls:
    """What the methods of `AsyncMemory` work with: one tenant's view of an engine."""

    # Each is made when it is asked for: a request makes a memory, and asks one of them.
    shares = cached_property(lambda self: MemoryShares(self._view))
    """The memories that are shown to other scopes than their own."""
    blocks = cached_property(lambda self: Blocks(self._view))
    """The working blocks: named texts that are always in the prompt."""
    conversations = cached_property(lambda self: Conversations(self._view))
    """What was said, conversation by conversation: to list, read, search and erase."""
    procedures = cached_property(lambda self: Procedures(self._view, self._changes, self))
    """How tasks are done, as `add_procedure` learned it, and how that went afterwards."""
    upkeep = cached_property(lambda self: Upkeep(self._view))
    """What looks after memories: run it now, read what it did, and take that back."""
    jobs = cached_property(lambda self: LearningJobs(self._view))
    """The work in the background that learns: listed, and tried again."""
    graph = cached_property(lambda self: EntityGraph(self._view))
    """Who and what memories speak of, and how these are connected."""
    topics = cached_property(lambda self: MemoryTopics(self._view, self.upkeep, self.graph))
    """The topics of memories: what there is, a summary of one, and what says the same."""
    _adder = cached_property(lambda self: Adder(self._view))
    _episodes = cached_property(lambda self: Episodes(self._view))
    _changes = cached_property(lambda self: _changing(self._engine, Changes))
    _retelling = cached_property(lambda self: _changing(self._engine, Retelling))
    _judging = cached_property(lambda self: _changing(self._engine, Judging))
    _denier = cached_property(lambda self: StatementDenier(self._engine.parts))

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
        self._seen_from: MemoryCalls | None = None
        """The memory that this is a view of: it must not be collected before."""

    async def _believed(self, item: MemoryItem, version: int | str | None = None) -> MemoryItem:
        """Validate a memory; what was left aside because somebody called it wrong is told again."""
        believed = await self._changes.validate(item, version)
        if any(each.kind == CALLED_WRONG for each in item.provenance.reasons):
            await self._tell_again(item)
        return believed

    async def _tell_again(self, before: MemoryItem) -> None:
        """Let what was left aside with a memory, as it was `before`, be told and learned again."""
        await self._denier.allow(before)
        await self._retelling.tell_again(before)

    async def _with_usage(self, items: Sequence[MemoryItem]) -> list[MemoryDict]:
        return await with_usage(self._engine.parts.state.usage, items)


def _changing(engine: Engine, kind: type[C]) -> C:
    looked = engine.derived_upkeep.looked
    return kind(engine.parts, guard=engine.forgetter.guard, looked=looked)
