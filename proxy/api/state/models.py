"""The models of the queries and bodies of the routes behind the dashboard."""

from __future__ import annotations

from ...chat.recent_chats import MOST_CHATS
from ..fields import whole
from ..models import ScopeFields

DEFAULT_CHATS = 50


class RecentQuery(ScopeFields):
    """Of the last chats."""

    limit: int = whole("Most chats.", high=MOST_CHATS, default=DEFAULT_CHATS)
