"""The methods of `AsyncMemory` that find, list, count and tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Unpack

from pydantic import Field, SkipValidation

from ...model import inputs
from ...model.errors import NotFoundError
from ...model.streaming import OnText
from ...operations.common import (
    Conditions,
    Cursor,
    Limit,
    ManyMessages,
    MemoryId,
    MostResults,
    Share,
    StreamFields,
    TopK,
    ZoneFields,
    most_of,
)
from ...operations.declaring import LEFT_OUT, LIBRARY_ONLY, SEARCHED, As, field, operation
from ...operations.fields import TEXT
from ...operations.operation import PREFIX
from ...operations.scope import ScopeIds, scope_apart
from ...operations.told import Conflicts, ProfileFacts
from ...operations.tooling import Tier, tool
from ...query.arguments import ScopedQuery
from ...recall import FusionDict
from ..about_user import Profile, SaidResults, profile_of, said_of
from ..conflicts import conflicts_in
from ..deep_recall import DeepRecallDict, ScopedBounds, bounds_of, deep_recall
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
from ..wordings import MOST_MADE
from .base import MemoryCalls, of_part

ONE = PREFIX + "/{memory_id}"
Wordings = SkipValidation[
    Annotated[list[Annotated[str, Field(min_length=1)]], Field(max_length=inputs.MAX_WORDINGS)]
]
MadeWordings = Annotated[int, Field(ge=0, le=MOST_MADE)]


async def _there(memory: Any, values: Mapping[str, Any], found: object) -> None:
    """Raises NotFoundError for no memory, and for no history if there is no memory either."""
    if not found and await memory.get(**values) is None:
        raise NotFoundError(f"there is no memory {values['memory_id']!r}")


class FindingCalls(MemoryCalls):
    """The methods of `AsyncMemory` that find, list, count and tell."""

    @operation(f"GET {PREFIX}/search", id="search", beside=ZoneFields)
    @operation(
        f"POST {PREFIX}/search",
        id="search_posted",
        beside=ZoneFields,
        summary="The same, with filters as JSON",
        body_required=True,
    )
    async def search(
        self,
        query: Annotated[str, SEARCHED],
        *,
        limit: MostResults = None,
        top_k: TopK = None,
        threshold: Annotated[
            float | None,
            As(SkipValidation[Share]),
            field("Least score of a hit, from 0 to 1; null: `recall.threshold`; 0 lists all."),
        ] = None,
        multi_query: Annotated[
            Sequence[str] | int,
            As(Wordings | SkipValidation[MadeWordings]),
            LEFT_OUT,
            field("Other wordings of the query, or how many of them the model makes."),
        ] = (),
        hyde: Annotated[
            Sequence[str] | bool,
            As(Wordings | SkipValidation[bool]),
            LEFT_OUT,
            field(
                "Possible answers to the query, which are searched for by meaning, or true for one "
                "that the model makes."
            ),
        ] = (),
        fusion: Annotated[
            FusionDict | None,
            As(Conditions),
            field(
                "How this search weighs its signals: `weights` by signal, from 0 to 10, and "
                "`recency`, `importance`, `hearsay`, `neighbours` from 0 to 1."
            ),
        ] = None,
        expand_hops: Annotated[
            int | None,
            field(
                "1, the default: the best hits lead to memories that share a rare name with them; "
                "0: they do not.",
                ge=0,
                le=1,
            ),
        ] = None,
        cursor: Cursor = None,
        **which: Unpack[ScopedQuery],
    ) -> MemoryResults:
        """The memories that match a query, best first.

        What bears on `query` by meaning, words, names and time: at most `limit` (or `top_k`;
        default 100) of those that `which` describes. `score` says how
        probable it is that a memory bears on the query, from 0 to 1, each by itself; none is less
        probable than `threshold` (None: as for a chat, `recall.threshold`, if the embedder was
        measured; 0: all are listed). `similarity` is the cosine to the query. `multi_query` are
        other wordings of the query, or how many the model makes (at most 5); `hyde` possible
        answers to it, or True for one by the model, which are searched for by meaning only.
        `fusion` weighs the signals. With `expand_hops` 1, the default, the best hits lead to
        memories that share a rare name with them; with 0 they do not. If there are more, `next` is
        the `cursor` of the next page, which repeats nothing, also while others write; pages end
        after 500. If other processes write to the store, their writes of the last seconds may be
        missing.
        """
        return await self._searcher.search(
            *self._view.meant(which),
            query,
            multi_query=multi_query,
            hyde=hyde,
            fusion=fusion,
            expand_hops=expand_hops,
            limit=inputs.most(limit, top_k, inputs.DEFAULT_LIMIT),
            threshold=threshold,
            cursor=cursor,
        )

    @operation(
        f"POST {PREFIX}/answer",
        id="answer",
        beside=StreamFields,
        told_live="on_text",
        streamed_as=("text/event-stream",),
        model_failure="{failure}; the model that answers is set in learn.llm",
    )
    async def answer(
        self,
        question: Annotated[str, TEXT, field("What is asked.", title="text")],
        *,
        limit: Annotated[
            int | None,
            most_of(inputs.MAX_LIMIT, inputs.DEFAULT_ANSWERED),
            field("Most memories to answer from."),
        ] = None,
        top_k: TopK = None,
        threshold: Annotated[
            float | None,
            As(SkipValidation[Share] | None),
            field("Least score of a memory to answer from, from 0 to 1; null: `recall.threshold`."),
        ] = 0.2,
        grounded: Annotated[
            bool, field("Whether there is an answer only if memories support it.")
        ] = True,
        conversation: Annotated[
            Sequence[Mapping[str, Any]],
            As(SkipValidation[ManyMessages], ()),
            LEFT_OUT,
            field("What was said before, in which the question is understood."),
        ] = (),
        on_text: Annotated[OnText | None, LIBRARY_ONLY] = None,
        hearsay: Annotated[
            bool,
            field("Whether it may also stand on what the assistant said in earlier conversations."),
        ] = False,
        **which: Unpack[ScopedQuery],
    ) -> AnswerDict:
        """Answer a question from memories, with those it follows from.

        They are those that a chat is given for the `question`: at most `limit` (or `top_k`; default
        10) of those that `which` describes, each of which bears on the question with a probability
        of at least `threshold` (None: as a chat, `recall.threshold`; the model that reads them
        tells which do). Wishes about answers are not among them. `citations` are the memories that
        the answer follows from. If they do not support one, or it has a number that stands in none
        of them, `answer` is None and `reason` says why; with `grounded` false the model answers all
        the same. Without memories no model is asked. The question is understood in the
        `conversation` before it. `on_text` is told the answer while the model writes it: it may end
        as None all the same. With `hearsay` it may also stand on what the assistant said in earlier
        conversations: such a citation begins with "The assistant said".

        Raises ModelError and ExtractionError if the model fails, ConfigError if it needs a key.
        """
        return await self._searcher.answer(
            *self._view.meant(which),
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

    @operation(f"POST {PREFIX}/deep-recall", id="search_deeply")
    async def deep_recall(
        self,
        question: Annotated[str, TEXT, field("What to find memories for.", title="a question")],
        **bounds: Unpack[ScopedBounds],
    ) -> DeepRecallDict:
        """Search, and search for what is missing, until what is found answers a question.

        A simple look-up is one search. A hard `question` is taken apart by its structure, and
        memories that only together answer it are joined by the names they share. A model, if there
        is one, judges what was found and says what to search for next; `bounds` are at most 5
        `max_iterations` (default 3), and the most `tokens` and `seconds` in all. If nothing says
        that the memories are enough, `abstained` is true and `reason` says why: also if the model
        fails. Without a model, how near they are to the question tells. Raises ConfigError if a
        model was chosen and needs a key.
        """
        ids, given = scope_apart(bounds)
        return await deep_recall(self._view, self._scope(**ids), question, bounds_of(**given))

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

    @operation(f"GET {ONE}", id="get", by_id=True, answer=MemoryDict, checked=_there)
    @operation(
        "GET /v1/memory/{memory_id}", id="get_single", by_id=True, answer=MemoryDict, checked=_there
    )
    async def get(self, memory_id: MemoryId, **ids: Unpack[ScopeIds]) -> MemoryDict | None:
        """One memory.

        None if there is none with this id. What was said has an id too (`said:...`).
        """
        item = await self.shares.find(self._view.owner_ref(**ids), memory_id)
        return (await with_usage(self._engine.parts.state.usage, [item]))[0] if item else None

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
        return await self._searcher.get_all(
            *self._view.meant(which),
            limit=inputs.most(limit, top_k, inputs.DEFAULT_LIMIT),
            cursor=cursor,
        )

    @operation(f"GET {PREFIX}/count", id="count")
    async def count(self, **which: Unpack[ScopedQuery]) -> CountDict:
        """How many memories of a scope there are.

        Those that `which` describes.
        """
        return await self._searcher.count(*self._view.meant(which))

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

    @operation(f"GET {ONE}/history", id="history", by_id=True, checked=_there)
    async def history(self, memory_id: MemoryId, **ids: Unpack[ScopeIds]) -> list[HistoryDict]:
        """The history of a memory, oldest first; also after it was removed."""
        owner_ref = self._view.owner_ref(**ids)
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
