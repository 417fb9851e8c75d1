"""The models of the queries and bodies of the routes behind the dashboard."""

from __future__ import annotations

from recollect.memory.api.map import MAX_POINTS
from recollect.memory.operations.fields import RequestModel, Text, about, whole
from recollect.memory.operations.scope import ScopeFields

from ...chat.recent_chats import MOST_CHATS

DEFAULT_CHATS = 50


class RecentQuery(ScopeFields):
    """Of the last chats."""

    limit: int = whole("Most chats.", high=MOST_CHATS, default=DEFAULT_CHATS)


class WhyNotQuery(ScopeFields):
    """Of what should have come up: one of `text` and `memory_id`."""

    text: Text | None = about("A text that should have come up, in any words.")
    memory_id: Text | None = about("The id of a memory that should have come up.")
    q: Text | None = about("The message for which it did not.")


class MapQuery(ScopeFields):
    """Of memories that are drawn."""

    limit: int = whole("Most points.", high=MAX_POINTS, default=MAX_POINTS)


class SwitchesBody(RequestModel):
    """Of the server; what is left out stays as it is."""

    recall: bool = about("Whether chats get memories.")
    learn: bool = about("Whether turns are captured and learned.")
