"""The methods of `AsyncMemory` that find, list, count and tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Unpack

from ...model import inputs
from ...model.streaming import OnText
from ...operations.common import Limit
from ...operations.declaring import SEARCHED, field, operation
from ...operations.operation import PREFIX
from ...operations.scope import ScopeIds
from ...operations.told import Conflicts, ProfileFacts
from ...operations.tooling import Tier, tool
from ...query.arguments import QueryArguments
from ...recall import FusionDict
from ..about_user import Profile, SaidResults, profile_of, said_of
from ..conflicts import conflicts_in
from ..deep_recall import DeepBounds, DeepRecallDict, bounds_of, deep_recall
from ..episodes import Episodes
from ..explaining import explainer_of
from ..graph import EntityGraph
from ..results import (
    AnswerDict,
    ConflictResults,
    CountDict,
    HistoryDict,
    MemoryDict,
    MemoryResults,
    history_dicts,
)
from ..usage_counts import with_usage
from .base import MemoryCalls, of_part


class FindingCalls(MemoryCalls):
    """The methods of `AsyncMemory` that find, list, count and tell."""

    async def search(
        self,
        query: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        limit: int | None = None,
        top_k: int | None = None,
        threshold: float | None = None,
        multi_query: Sequence[str] | int = (),
        hyde: Sequence[str] | bool = (),
        fusion: FusionDict | None = None,
        expand_hops: int | None = None,
        cursor: str | None = None,
        **which: Unpack[QueryArguments],
    ) -> MemoryResults:
        """The memories relevant to `query`, best first, by meaning, words, names and time.

        At most `limit` (or `top_k`; default 100) of those that `which` describes. `score` says how
        probable it is that a memory bears on the query, from 0 to 1, each by itself; none is less
        probable than `threshold` (None: as for a chat, `recall.threshold`, if the embedder
        was measured; 0: all are listed).
        `similarity` is the cosine to the query. `multi_query` are other wordings of the query, or
        how many the model makes (at most 5); `hyde` possible answers to it, or True for one by the
        model, which are searched for by meaning only. `fusion` weighs the signals. With
        `expand_hops` 1, the default, the best hits lead to memories that share a rare name with
        them; with 0 they do not. If there
        are more, `next` is the `cursor` of the next page, which repeats nothing, also while others
        write; pages end after 500. If other processes write to the store, their writes of the last
        seconds may be missing.
        """
        return await self._searcher.search(
            *self._view.meant(user_id, agent_id, run_id, which),
            query,
            multi_query=multi_query,
            hyde=hyde,
            fusion=fusion,
            expand_hops=expand_hops,
            limit=inputs.most(limit, top_k, inputs.DEFAULT_LIMIT),
            threshold=threshold,
            cursor=cursor,
        )

    async def answer(
        self,
        question: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        limit: int | None = None,
        top_k: int | None = None,
        threshold: float | None = 0.2,
        grounded: bool = True,
        conversation: Sequence[Mapping[str, Any]] = (),
        on_text: OnText | None = None,
        hearsay: bool = False,
        **which: Unpack[QueryArguments],
    ) -> AnswerDict:
        """Answer a `question` from the memories that a chat is given for it.

        They are at most `limit` (or `top_k`; default 10) of those that `which` describes, each of
        which bears on the question with a probability of at least `threshold` (None: as a chat,
        `recall.threshold`; the model that reads them tells which do). Wishes about answers are not
        among them. `citations` are the memories that the answer follows from. If they do not
        support one, or it has a number that stands in none of them, `answer` is None and `reason`
        says why; with `grounded` false the model answers all the same. Without memories no model is
        asked. The question is understood in the `conversation` before it. `on_text` is told the
        answer while the model writes it: it may end as None all the same. With `hearsay` it may
        also stand on what the assistant said in earlier
        conversations: such a citation begins with "The assistant said".

        Raises ModelError and ExtractionError if the model fails, ConfigError if it needs a key.
        """
        return await self._searcher.answer(
            *self._view.meant(user_id, agent_id, run_id, which),
            question,
            limit=inputs.most(limit, top_k, inputs.DEFAULT_ANSWERED),
            threshold=threshold,
            grounded=grounded,
            conversation=conversation,
            on_text=on_text,
            hearsay=hearsay,
        )

    @property
    def learns(self) -> bool:
        """Whether learning is on: configured, and not switched off. Else no tool stores a fact."""
        return self._view.engine.learns

    @property
    def has_model(self) -> bool:
        """Whether a model was chosen: tools that ask one are offered only then."""
        return self._view.has_model

    async def deep_recall(
        self,
        question: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        **bounds: Unpack[DeepBounds],
    ) -> DeepRecallDict:
        """Search for `question`, and for what is missing, until what is found answers it.

        A simple look-up is one search. A hard question is taken apart by its structure, and
        memories that only together answer it are joined by the names they share. A model, if there
        is one, judges what was found and says what to search for next; `bounds` are at most 5
        `max_iterations` (default 3), and the most `tokens` and `seconds` in all. If nothing says
        that the memories are enough, `abstained` is true and `reason` says why: also if the model
        fails. Without a model, how near they are to the question tells. Raises ConfigError if a
        model was chosen and needs a key.
        """
        scope = self._scope(user_id, agent_id, run_id)
        return await deep_recall(self._view, scope, question, bounds_of(**bounds))

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
        scope = self._scope(**ids)
        inputs.check_query(query)
        return await explainer_of(self._engine).explain(scope, query)

    async def get(
        self,
        memory_id: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> MemoryDict | None:
        """The memory with this id, or what was said under it (`said:...`), or None."""
        item = await self.shares.find(self._view.owner_ref(user_id, agent_id, run_id), memory_id)
        return (await with_usage(self._engine.parts.state.usage, [item]))[0] if item else None

    async def get_all(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        limit: int | None = None,
        top_k: int | None = None,
        cursor: str | None = None,
        **which: Unpack[QueryArguments],
    ) -> MemoryResults:
        """The newest memories of a scope that `which` describes, newest first.

        At most `limit` (or `top_k`; default 100). If there are more, `next` is the `cursor` of the
        next page. Memories that are added or removed meanwhile shift nothing.
        """
        return await self._searcher.get_all(
            *self._view.meant(user_id, agent_id, run_id, which),
            limit=inputs.most(limit, top_k, inputs.DEFAULT_LIMIT),
            cursor=cursor,
        )

    async def count(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        **which: Unpack[QueryArguments],
    ) -> CountDict:
        """How many memories of a scope `which` describes."""
        return await self._searcher.count(*self._view.meant(user_id, agent_id, run_id, which))

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
        return await profile_of(self._engine, self._scope(**ids))

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
        scope = self._scope(**ids)
        return await said_of(self._engine, scope, inputs.checked_limit(limit))

    entities = of_part("graph", EntityGraph.entities)
    relations = of_part("graph", EntityGraph.relations)

    async def history(
        self,
        memory_id: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> list[HistoryDict]:
        """The history of a memory, oldest first; also after it was deleted."""
        owner_ref = self._view.owner_ref(user_id, agent_id, run_id)
        return history_dicts(await self._lookup.history(owner_ref, memory_id))

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

        Raises ScopeError without ids, and StoreError.
        """
        return await conflicts_in(self._store, self._scope(**ids))
