"""The routes of episodes: listed and searched."""

from __future__ import annotations

from typing import Any

from recollect.memory.api.episodes import DEFAULT, MOST, EpisodeResults
from recollect.memory.operations.fields import Text, about, needed, whole
from recollect.memory.operations.scope import ScopeFields

from .operations import PREFIX, endpoint, operations_of
from .request import ApiRequest

PATH = f"{PREFIX}/episodes"
TAG = "episodes"


class EpisodeFields(ScopeFields):
    """Which episodes; of an agent's user also what no agent has."""

    since: Text | None = about("Only what ended at this time or later: ISO 8601.")
    until: Text | None = about("Only what ended before this time: ISO 8601.")
    limit: int = whole("Most episodes.", high=MOST, default=DEFAULT)


class EpisodesQuery(EpisodeFields):
    """Of a list of episodes."""

    cursor: Text | None = about("The `next` of the page before.")


class EpisodeSearchBody(EpisodeFields):
    """For what happened."""

    query: Text = needed("What happened, in a few words.")


class EpisodeApi:
    """The handlers of `EPISODE_OPERATIONS`."""

    @endpoint("GET", PATH, EpisodeResults, query=EpisodesQuery, tag=TAG)
    async def list_episodes(self, request: ApiRequest) -> Any:
        """What happened, newest first, with the conversations that tell it."""
        asked = request.values.only("since", "until", "limit", "cursor")
        return await request.memory.episodes(**request.ids, **asked)

    @endpoint("POST", f"{PATH}/search", EpisodeResults, body=EpisodeSearchBody, tag=TAG)
    async def search_episodes(self, request: ApiRequest) -> Any:
        """What happened that fits a query, by recency, relevance and importance."""
        asked = request.values.only("query", "since", "until", "limit")
        return await request.memory.episodes(**request.ids, **asked)


EPISODE_OPERATIONS = operations_of(EpisodeApi)
