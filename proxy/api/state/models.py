"""The models of the queries and bodies of the routes behind the dashboard."""

from __future__ import annotations

from recollect.memory.operations.fields import RequestModel, about, whole
from recollect.memory.operations.scope import ScopeFields

from ...chat.recent_chats import MOST_CHATS

DEFAULT_CHATS = 50


class RecentQuery(ScopeFields):
    """Of the last chats."""

    limit: int = whole("Most chats.", high=MOST_CHATS, default=DEFAULT_CHATS)


class SwitchesBody(RequestModel):
    """Of the server; what is left out stays as it is."""

    recall: bool = about("Whether chats get memories.")
    learn: bool = about("Whether turns are captured and learned.")
