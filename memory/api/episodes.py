"""The episodes of a scope, listed or searched, for `AsyncMemory`.

An episode tells what happened: in a stretch of conversation (`upkeep.episodes`), or as an event
that was learned or added as such.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Annotated, NotRequired, Unpack, cast

from typing_extensions import TypedDict

from ..model import inputs
from ..model.errors import InvalidInputError
from ..model.filters import Condition, Filter, Operator, both, field_of
from ..model.row_kinds import MemoryKind
from ..model.types import MemoryItem, MemoryType, Scope, utc_now
from ..operations.common import Cursor, OptionalText
from ..operations.declaring import As, field, operation
from ..operations.fields import Text
from ..operations.operation import PREFIX
from ..operations.scope import ScopeIds
from ..query.arguments import MemorySelector
from ..query.filter_json import instant
from ..upkeep.episodes.episode_score import WeighedEpisode, importance_of, recency
from ..upkeep.episodes.stretches import GAP
from .merging import EpisodePart, grouped, merged_dict
from .results import MemoryDict, memory_dict
from .view import TenantView

MOST = 100
DEFAULT = 10
WEIGHED = 200
"""The most relevant episodes, among which recency and importance decide too."""
_DIGITS = 4
_ALL = f"{PREFIX}/episodes"
_SOUGHT = frozenset({"query"})
_LISTED = "What happened, newest first, with the conversations that tell it"
_FOUND = "What happened that fits a query, by recency, relevance and importance"


class SignalsDict(TypedDict):
    """What the score of an episode is the product of, each from 0 to 1."""

    recency: float
    relevance: float
    importance: float


_SIGNALS = tuple(SignalsDict.__annotations__)


class EpisodeDict(MemoryDict):
    """An episode; `conversation_id` and `turn_ids` lead to what was said (see `conversations`)."""

    conversation_id: NotRequired[str]
    turn_ids: list[str]
    signals: NotRequired[SignalsDict]
    """Of a search: `score` is their product."""
    parts: NotRequired[list[EpisodePart]]
    """Of one that is shown for several agents (`upkeep.episode_attribution`): theirs."""


class EpisodeResults(TypedDict):
    """Episodes: of a search the best first, otherwise the newest."""

    results: list[EpisodeDict]
    next: NotRequired[str]
    """Without a query: the cursor of the next page, if there is one."""


class Episodes:
    """What happened, as a chat of a scope would see it."""

    def __init__(self, view: TenantView) -> None:
        self._view = view
        self._engine = view.engine
        self._options = view.engine.options.upkeep

    @operation(f"GET {_ALL}", id="list_episodes", tag="episodes", summary=_LISTED, without=_SOUGHT)
    @operation(
        f"POST {_ALL}/search",
        id="search_episodes",
        tag="episodes",
        summary=_FOUND,
        without=frozenset({"cursor"}),
        needed=_SOUGHT,
    )
    async def episodes(
        self,
        query: Annotated[str | None, As(Text), field("What happened, in a few words.")] = None,
        *,
        since: Annotated[
            datetime | str | None,
            OptionalText,
            field("Only what ended at this time or later: ISO 8601."),
        ] = None,
        until: Annotated[
            datetime | str | None,
            OptionalText,
            field("Only what ended before this time: ISO 8601."),
        ] = None,
        limit: Annotated[int, field("Most episodes.", high=MOST)] = DEFAULT,
        cursor: Cursor = None,
        **ids: Unpack[ScopeIds],
    ) -> EpisodeResults:
        """The episodes of a scope; of an agent's user also those of no agent.

        With a `query` those that fit it, best first: `score` is the product of recency, relevance
        and importance (`signals`). Without one all, newest first, at most `limit` (up to 100) of
        those that ended at or after `since` and before `until`; `next` is the `cursor` of the next
        page.
        """
        where = _happened(since, until)
        scope = self._view.scope(**ids)
        merges = self._options.episode_attribution == "merged" and scope.agent_id is None
        gap = GAP if merges else None
        scope = self._engine.recaller.visible_scope(scope)
        if query is None:
            return await self._listed(scope, where, limit, cursor, gap)
        if cursor is not None:
            raise InvalidInputError("cursor", "goes without a query only")
        inputs.check_query(query)
        return await self._searched(scope, query, where, limit, gap)

    async def _listed(
        self,
        scope: Scope,
        where: Filter,
        limit: int,
        cursor: str | None,
        gap: timedelta | None,
    ) -> EpisodeResults:
        wanted = MemorySelector(
            kinds=frozenset({MemoryKind.MEMORY}), where=where, given=f"episodes {where}"
        )
        page = await self._engine.queries.page(scope, wanted, limit=limit, cursor=cursor)
        shown = [_episode_dict(item) for item in page.items]
        results = EpisodeResults(results=_together(page.items, shown, gap))
        if page.next is not None:
            results["next"] = page.next
        return results

    async def _searched(
        self, scope: Scope, query: str, where: Filter, limit: int, gap: timedelta | None
    ) -> EpisodeResults:
        ranking = await self._engine.recaller.rank(scope, query, most=WEIGHED, where=where)
        now = utc_now()
        found = [
            (hit.item, hit.cosine, _weighed(hit.item, hit.score, now)) for hit in ranking.ranked
        ]
        # Of equal scores the more relevant one, which comes first, stays first.
        found.sort(key=lambda one: -one[2].score)
        shown = [
            _episode_dict(item, weighed, round(cosine, _DIGITS)) for item, cosine, weighed in found
        ]
        together = _together([item for item, _, _ in found], shown, gap)
        return EpisodeResults(results=together[:limit])


def _together(
    items: Sequence[MemoryItem], shown: Sequence[EpisodeDict], gap: timedelta | None
) -> list[EpisodeDict]:
    """As they are shown; with a gap several agents' episodes of one time as one."""
    if gap is None:
        return list(shown)
    told = [cast("dict[str, object]", one) for one in shown]
    return [
        cast("EpisodeDict", merged_dict([told[n] for n in group], [items[n] for n in group]))
        for group in grouped(items, gap)
    ]


def _happened(since: datetime | str | None, until: datetime | str | None) -> Filter:
    """Episodes that ended at or after the one time, and before the other."""
    where: Filter = Condition(field_of("type"), Operator.EQ, MemoryType.EPISODIC.value)
    for name, said, operator in (("since", since, Operator.GTE), ("until", until, Operator.LT)):
        if said is None:
            continue
        ms = instant(said) if isinstance(said, (str, datetime)) else None
        if ms is None:
            raise InvalidInputError(name, "expected a time in ISO 8601")
        where = both(where, Condition(field_of("valid_from"), operator, ms))
    return where


def _weighed(item: MemoryItem, score: float, now: datetime) -> WeighedEpisode:
    return WeighedEpisode(
        recency=recency(item.valid_from or item.created_at, now),
        relevance=min(max(score, 0.0), 1.0),
        importance=importance_of(item.importance),
    )


def _episode_dict(
    item: MemoryItem, weighed: WeighedEpisode | None = None, similarity: float | None = None
) -> EpisodeDict:
    score = None if weighed is None else round(weighed.score, _DIGITS)
    shown = memory_dict(item, score, similarity)
    told = cast("EpisodeDict", {**shown, "turn_ids": list(item.provenance.turn_ids)})
    if item.provenance.conversation_id is not None:
        told["conversation_id"] = item.provenance.conversation_id
    if weighed is not None:
        each = {
            name: round(getattr(weighed, name), _DIGITS) for name in SignalsDict.__annotations__
        }
        told["signals"] = cast("SignalsDict", each)
    return told
