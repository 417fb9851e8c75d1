"""The handlers of the routes behind the dashboard."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypedDict

from recollect.memory.engine.engine import Engine
from recollect.memory.operations.scope import ScopeFields

from ...chat.recent_chats import ChatDict, RecentChats
from ..answers import EVENT_STREAM, LINES
from ..following import Followers
from ..operations import PREFIX, endpoint, operations_of
from ..request import ApiRequest
from . import models
from .recent import ChatsEverywhere, ChatStream

_CHAT = "exchange"
"""The name of an event that is a chat."""


class ChatsDict(TypedDict):
    """The last chats, newest first."""

    exchanges: list[ChatDict]


class StateApi:
    """The handlers of `STATE_OPERATIONS`."""

    def __init__(self, engine: Engine, recent: RecentChats) -> None:
        """`recent` has the chats of this process."""
        self._chats = ChatsEverywhere(recent, engine.lookup.several, engine.mesh)
        self._followers = Followers()

    def close(self) -> None:
        """End the streams of chats; the server would wait for them."""
        self._followers.close()

    @endpoint("GET", f"{PREFIX}/recent", ChatsDict, query=models.RecentQuery, tag="state")
    async def recent(self, request: ApiRequest) -> Any:
        """The last chats of this server, newest first: what was recalled, why, how long it took.

        Of a scope, or of all that the caller owns. The texts are those of now.
        """
        found = await self._chats.of(request.owner_ref(), limit=request.values["limit"])
        return ChatsDict(exchanges=await self._chats.shown(found, request.owner.owner_ref()))

    @endpoint(
        "GET", f"{PREFIX}/live", ChatDict, query=ScopeFields, endless=True, tag="state",
        streamed_as=(EVENT_STREAM, LINES),
    )  # fmt: skip
    async def live(self, request: ApiRequest) -> Any:
        """The chats of this server as they end, until the client leaves."""
        chats = ChatStream(self._chats, request.owner_ref(), request.owner.owner_ref())
        return self._followers.follow(chats, name=_CHAT)


STATE_OPERATIONS = operations_of(StateApi)
