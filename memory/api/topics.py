"""The topics of memories for `AsyncMemory`: what there is, and what is done with one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Literal, NotRequired, Unpack

from typing_extensions import TypedDict

from ..graph.topics.labels import shortened
from ..graph.topics.topic import MOST_MEMBERS, MemoryTopic, TopicGraph
from ..graph.topics.topic_reader import TopicReader
from ..graph.topics.topic_space import TopicSpace
from ..model.errors import (
    GraphError,
    HourSpentError,
    InvalidInputError,
    NoModelError,
    NotFoundError,
    RecollectError,
    UpkeepBudgetError,
)
from ..model.jobs import JobKind
from ..model.types import MemoryItem, Scope
from ..operations.declaring import As, field, operation
from ..operations.fields import TEXT
from ..operations.operation import PREFIX
from ..operations.rights import Right
from ..operations.scope import ScopeIds
from .graph import EntityGraph
from .graph_results import GraphEntityDict, RelationDict
from .showing import shown_as
from .upkeep import (
    DEFAULT_WAIT,
    MOST_OFFSET,
    DryRun,
    Upkeep,
    UpkeepResults,
    UpkeepRunDict,
    Wait,
)
from .view import TenantView

DEFAULT_TOPICS = 50
MOST_TOPICS = 200
MOST_EDGES = 1_000
"""Edges of a page: the heaviest."""
FEWEST_MEMBERS = 2
ENTITIES = "entities"
"""What may be included."""
TEXT_CHARS = 300
"""Of a member that is told; of a longer one the beginning."""


class TopicMemberDict(TypedDict):
    """A memory of a topic."""

    id: str
    memory: str
    """Its text, of a long one the beginning."""
    at: str
    """When it was made."""
    type: str
    status: str
    """`archived` if the topic's summary stands for it."""


class TopicDict(TypedDict):
    """Memories that are near each other in meaning."""

    id: str
    """It stays while memories are added to the topic."""
    label: str
    """Words of the memory in its middle, or of its summary."""
    size: int
    """How many memories it has: at most 20, unless more of them fall apart nowhere."""
    members: list[TopicMemberDict]
    """All of them, oldest first: what is `member_of` the topic."""
    summary: NotRequired[str]
    """The id of the member that condenses others of them."""


class TopicEdgeDict(TypedDict):
    """A connection of two topics of the page."""

    source: str
    target: str
    kind: str
    """`co_recalled`: memories of both bore on one message. `derived_from`: a summary or a
    conclusion in the first cites memories of the second."""
    weight: int
    """For how many messages; how many memories."""


class TopicGraphDict(TypedDict):
    """The topics of a scope, the largest first, and how they are connected."""

    topics: list[TopicDict]
    edges: list[TopicEdgeDict]
    """Among these topics, the heaviest first, at most 1,000."""
    count: int
    """How many topics there are with so many members."""
    memories: int
    """How many memories the scope has; of very many, how many were read."""
    alone: int
    """How many of these are near no other one."""
    more: bool
    """Whether the scope has more memories than were read."""
    measured: bool
    """Whether thresholds of the embedder are known (`recollect calibrate`); without, every memory
    is alone."""
    entities: NotRequired[list[GraphEntityDict]]
    """If they are included: the hundred that the memories speak of most."""
    relations: NotRequired[list[RelationDict]]
    """Among these entities."""
    missing: NotRequired[str]
    """Why there are no entities though they were asked for: a reason word."""


_ALL = f"{PREFIX}/graph"


class MemoryTopics:
    """`AsyncMemory.topics`: the topics of a scope's memories, and what is done with them.

    Methods take ids of a scope as all methods of `AsyncMemory` do.
    """

    def __init__(self, view: TenantView, upkeep: Upkeep, graph: EntityGraph) -> None:
        self._view = view
        self._graph = graph
        self._upkeep = upkeep

    @operation(f"GET {_ALL}", id="graph", tag="graph")
    async def graph(
        self,
        *,
        limit: Annotated[int, field("Most topics.", high=MOST_TOPICS)] = DEFAULT_TOPICS,
        offset: Annotated[
            int, field("Leave out so many of the largest.", ge=0, le=MOST_OFFSET)
        ] = 0,
        min_members: Annotated[
            int, field("Only topics of so many memories.", high=MOST_MEMBERS)
        ] = FEWEST_MEMBERS,
        include: Annotated[
            str | None,
            As(Literal["entities"] | None),
            field(
                "`entities`: also who and what the memories speak of, and how these are connected."
            ),
        ] = None,
        **ids: Unpack[ScopeIds],
    ) -> TopicGraphDict:
        """The topics of a scope's memories, with their members, and how topics are connected.

        The largest first. At most `limit` (1 to 200) of those with so many members, after the first
        `offset`. Nothing of it is kept: it is made of what is stored and recalled at the time.
        `include` may be `entities`: who and what the memories speak of, and how these are
        connected.
        """
        scope = self._view.scope(**ids)
        told = _graph_dict(await self._read(scope), first=offset, most=limit, least=min_members)
        if include is not None:
            await self._include(told, scope)
        return told

    @operation(
        f"POST {_ALL}/abstract",
        Right.WRITE,
        id="abstract",
        tag="graph",
        model_failure="nothing was changed: {failure}; {advice}",
    )
    async def abstract(
        self,
        topic: Annotated[str, TEXT, field("The id of the topic.", title="the id of a topic")],
        *,
        dry_run: DryRun = False,
        wait: Wait = DEFAULT_WAIT,
        **ids: Unpack[ScopeIds],
    ) -> UpkeepRunDict:
        """Condense the topic with this id into a summary that cites its members, by a model.

        What the summary covers is archived for it; `upkeep.undo` takes it back. Without `changes`
        the model had nothing to condense. `dry_run` and `wait` are as of `upkeep.run`; a dry run
        asks the model too.

        Raises NotFoundError without such a topic, and NoModelError, UpkeepBudgetError
        or HourSpentError if no model may be asked now.
        """
        if not topic:
            raise InvalidInputError("topic", "expected the id of a topic")
        scope = self._view.scope(**ids)
        await self._check_model()
        drawn = await self._read(scope)
        found = next((each for each in drawn.topics if each.id == topic), None)
        if found is None:
            raise NotFoundError(f"there is no topic {topic!r}")
        own, members = of_one_scope(found.members)
        job = self._view.engine.background.calls.condensing(own, [each.id for each in members])
        [run] = await self._upkeep.carried_out([job], dry_run=dry_run, wait=wait)
        return run

    @operation(f"POST {_ALL}/dedupe", Right.WRITE, id="dedupe", tag="graph")
    async def dedupe(
        self,
        *,
        dry_run: DryRun = False,
        wait: Wait = DEFAULT_WAIT,
        **ids: Unpack[ScopeIds],
    ) -> UpkeepResults:
        """Merge what says the same, as `consolidate` does; nothing is erased."""
        return await self._upkeep.run(JobKind.CONSOLIDATE, dry_run=dry_run, wait=wait, **ids)

    async def _read(self, scope: Scope) -> TopicGraph:
        engine = self._view.engine
        parts = engine.parts
        space = TopicSpace.of(parts.embedder.id, parts.embedder.dim, parts.calibration)
        reader = TopicReader(parts.store, parts.state.conversations, space, bulk=engine.bulk.run)
        return await reader.read(scope)

    async def _include(self, told: TopicGraphDict, scope: Scope) -> None:
        """Add the entities. Topics are told also while the graph of entities is off or down."""
        try:
            told["entities"], told["relations"] = await self._graph.pictured(scope)
        except GraphError as error:
            told["missing"] = error.code

    async def _check_model(self) -> None:
        """Raises the reason why no model may be asked."""
        extracting = self._view.engine.background.worker.extracting
        why = await extracting.why_no_model(self._view.owner.tenant, JobKind.CONSOLIDATE)
        if why:
            raise _refusal(why)


def of_one_scope(members: Sequence[MemoryItem]) -> tuple[Scope, list[MemoryItem]]:
    """The members of the scope that has most of them: a summary is of one scope. Pure."""
    counts = Counter(each.scope for each in members)
    own = max(counts, key=lambda scope: (counts[scope], sorted(scope.ids().items())))
    return own, [each for each in members if each.scope == own]


def _refusal(why: str) -> RecollectError:
    match why:
        case UpkeepBudgetError.code:
            return UpkeepBudgetError("the tokens of the day for upkeep are spent")
        case HourSpentError.code:
            return HourSpentError("the calls of the hour are used up")
        case _:
            return NoModelError()


def _graph_dict(drawn: TopicGraph, *, first: int, most: int, least: int) -> TopicGraphDict:
    wanted = [each for each in drawn.topics if len(each.members) >= least]
    page = wanted[first : first + most]
    ids = {each.id for each in page}
    edges = [each for each in drawn.edges if {each.source, each.target} <= ids]
    return TopicGraphDict(
        topics=[_topic_dict(each) for each in page],
        edges=[shown_as(TopicEdgeDict, each) for each in edges[:MOST_EDGES]],
        count=len(wanted),
        memories=drawn.memories,
        alone=sum(len(each.members) == 1 for each in drawn.topics),
        more=drawn.more,
        measured=drawn.measured,
    )


def _topic_dict(topic: MemoryTopic) -> TopicDict:
    members = [_member_dict(each) for each in topic.members]
    return shown_as(TopicDict, topic, size=len(members), members=members)


def _member_dict(item: MemoryItem) -> TopicMemberDict:
    memory = shortened(item.text, TEXT_CHARS)
    return shown_as(TopicMemberDict, item, memory=memory, at=item.created_at)
