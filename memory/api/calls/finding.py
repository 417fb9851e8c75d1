"""The methods of `AsyncMemory` that find, list, count and tell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Unpack

from ...model import inputs
from ...model.errors import NotFoundError
from ...operations.common import (
    Cursor,
    Limit,
    MemoryId,
    MostResults,
    TopK,
)
from ...operations.declaring import SEARCHED, field, operation
from ...operations.operation import PREFIX
from ...operations.scope import ScopeIds
from ...operations.told import Conflicts, ProfileFacts
from ...operations.tooling import Tier, tool
from ...query.arguments import ScopedQuery
from ..about_user import Profile, SaidResults, profile_of, said_of
from ..conflicts import conflicts_in
from ..episodes import Episodes
from ..explaining import explainer_of
from ..graph import EntityGraph
from ..inspecting import InspectDict, inspected
from ..results import (
    ConflictResults,
    CountDict,
    HistoryDict,
    MemoryDict,
    MemoryResults,
    history_dicts,
)
from .base import MemoryCalls, of_part

ONE = PREFIX + "/{memory_id}"


async def _there(memory: Any, values: Mapping[str, Any], found: object) -> None:
    """Raises NotFoundError for no memory, and for no history if there is no memory either."""
    if not found and await memory.get(**values) is None:
        raise NotFoundError(f"there is no memory {values['memory_id']!r}")


class FindingCalls(MemoryCalls):
    """The methods of `AsyncMemory` that find, list, count and tell."""

    @property
    def learns(self) -> bool:
        """Whether learning is on: configured, and not switched off. Else no tool stores a fact."""
        return self._view.engine.learns

    @property
    def has_model(self) -> bool:
        """Whether a model was chosen: tools that ask one are offered only then."""
        return self._view.has_model

    episodes = of_part("_episodes", Episodes.episodes)

    @operation(f"GET {PREFIX}/explain", id="explain")
    async def explain(
        self,
        query: Annotated[str, SEARCHED, field("The message of a chat.")],
        **ids: Unpack[ScopeIds],
    ) -> dict[str, Any]:
        """The memories that a chat with this message would get, and why.

        `query` is the message. The answer has what the filters of a chat make of it, the signals,
        ranks, weights and thresholds of a search, the text that a chat would be given (`block`),
        and the reason why each other memory is left out.
        """
        scope = self._view.scope(**ids)
        inputs.check_query(query)
        return await explainer_of(self._engine).explain(scope, query)

    @operation(f"GET {ONE}", id="get", by_id=True, answer=MemoryDict, checked=_there)
    @operation(
        "GET /v1/memory/{memory_id}", id="get_single", by_id=True, answer=MemoryDict, checked=_there
    )
    async def get(self, memory_id: MemoryId, **ids: Unpack[ScopeIds]) -> MemoryDict | None:
        """One memory.

        None if there is none with this id. What was said has an id too (`said:...`).
        """
        item = await self.shares.find(self._view.owner_ref(**ids), memory_id)
        return (await self._with_usage([item]))[0] if item else None

    @operation(f"GET {PREFIX}", id="get_all")
    async def get_all(
        self,
        *,
        limit: MostResults = None,
        top_k: TopK = None,
        cursor: Cursor = None,
        **which: Unpack[ScopedQuery],
    ) -> MemoryResults:
        """The newest memories of a scope, newest first.

        Those that `which` describes, at most `limit` (or `top_k`; default 100). If there are more,
        `next` is the `cursor` of the next page. Memories that are added or removed meanwhile shift
        nothing.
        """
        scope, asked = self._view.meant(which)
        most = inputs.most(limit, top_k, inputs.DEFAULT_LIMIT)
        page = await self._engine.queries.page(scope, asked, limit=most, cursor=cursor)
        results = MemoryResults(results=await self._with_usage(page.items))
        if page.next is not None:
            results["next"] = page.next
        return results

    @operation(f"GET {PREFIX}/count", id="count")
    async def count(self, **which: Unpack[ScopedQuery]) -> CountDict:
        """How many memories of a scope there are.

        Those that `which` describes.
        """
        return CountDict(count=await self._engine.queries.count(*self._view.meant(which)))

    @tool(
        "profile_read",
        "Read the profile",
        Tier.PROFILE,
        description="Read what is known about the user as a person: name, place, what they "
        "avoid, how they want answers.",
        answer=ProfileFacts,
    )
    @operation(f"GET {PREFIX}/profile", id="profile")
    async def profile(self, **ids: Unpack[ScopeIds]) -> Profile:
        """What is known about the user as a person, most important first.

        It is the standing profile of a scope: constraints, wishes, who and where the user is. Each
        line is a memory, or what the user said, and names it.
        """
        return await profile_of(self._engine, self._view.scope(**ids))

    @operation(f"GET {PREFIX}/said", id="said")
    async def said(
        self,
        *,
        limit: Limit = inputs.DEFAULT_LIMIT,
        **ids: Unpack[ScopeIds],
    ) -> SaidResults:
        """What the user said lately and is no memory yet; delete it by its id.

        The newest `limit` statements of a scope's user. `delete` takes the ids; it erases the turn.
        """
        scope = self._view.scope(**ids)
        return await said_of(self._engine, scope, limit)

    entities = of_part("graph", EntityGraph.entities)
    relations = of_part("graph", EntityGraph.relations)

    @operation(f"GET {ONE}/history", id="history", by_id=True, checked=_there)
    async def history(self, memory_id: MemoryId, **ids: Unpack[ScopeIds]) -> list[HistoryDict]:
        """The history of a memory, oldest first; also after it was removed."""
        owner_ref = self._view.owner_ref(**ids)
        return history_dicts(await self._lookup.history(owner_ref, memory_id))

    @operation(f"GET {ONE}/inspect", id="inspect", by_id=True)
    async def inspect(self, memory_id: MemoryId, **ids: Unpack[ScopeIds]) -> InspectDict:
        """A memory with all that hangs together with it.

        What it was, whose place it took, what contradicts it, what it was concluded from, and the
        conclusions and summaries that rest on it; the newest 100 of each. Raises NotFoundError.
        """
        owner_ref = self._view.owner_ref(**ids)
        item = await self._lookup.find(owner_ref, memory_id)
        if item is None:
            raise NotFoundError(f"there is no memory {memory_id!r}")
        return await inspected(self._engine, owner_ref, item)

    @tool(
        "conflicts_list",
        "List conflicting facts",
        Tier.SEMANTIC,
        description="List facts that may contradict older ones. Settle them with fact_supersede "
        "once the user has said which holds.",
        answer=Conflicts,
    )
    @operation(f"GET {PREFIX}/conflicts", id="conflicts")
    async def conflicts(
        self,
        **ids: Unpack[ScopeIds],
    ) -> ConflictResults:
        """Memories of the same matter that no model and no person judged yet.

        The newest 1000, newest first. Raises ScopeError without ids, and StoreError.
        """
        return await conflicts_in(self._store, self._view.scope(**ids))
