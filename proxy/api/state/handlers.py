"""The handlers of the last chats: listed, and told as they end."""

from __future__ import annotations

from typing import Annotated, Unpack

from typing_extensions import TypedDict

from recollect.memory.engine.engine import Engine
from recollect.memory.operations.declaring import field
from recollect.memory.operations.scope import ScopeIds

from ...chat.recent_chats import MOST_CHATS, ChatDict, RecentChats
from ..answers import EVENT_STREAM, LINES
from ..following import Followers, Following
from ..operations import PREFIX, handled_in, operation
from ..request import Call
from .recent import ChatsEverywhere, ChatStream

_CHAT = "exchange"
"""The name of an event that is a chat."""
DEFAULT_CHATS = 50


class ChatsDict(TypedDict):
    """The last chats, newest first."""

    exchanges: list[ChatDict]


class StateApi:
    """The handlers of `STATE_OPERATIONS`."""

    def __init__(self, engine: Engine, recent: RecentChats) -> None:
        """`recent` has the chats of this process."""
        self._chats = ChatsEverywhere(recent, engine.lookup.several, engine.sibling_messages)
        self._followers = Followers()

    def close(self) -> None:
        """End the streams of chats; the server would wait for them."""
        self._followers.close()

    @operation(f"GET {PREFIX}/recent", id="recent", tag="state")
    async def recent(
        self,
        call: Call,
        limit: Annotated[int, field("Most chats.", high=MOST_CHATS)] = DEFAULT_CHATS,
        **ids: Unpack[ScopeIds],
    ) -> ChatsDict:
        """The last chats of this server, newest first: what was recalled, why, how long it took.

        Of a scope, or of all that the caller owns. The texts are those of now.
        """
        found = await self._chats.of(call.owner.owner_ref(**ids), limit=limit)
        return ChatsDict(exchanges=await self._chats.shown(found, call.owner.owner_ref()))

    @operation(
        f"GET {PREFIX}/live",
        id="live",
        tag="state",
        answer=ChatDict,
        endless=True,
        streamed_as=(EVENT_STREAM, LINES),
    )
    async def live(self, call: Call, **ids: Unpack[ScopeIds]) -> Following:
        """The chats of this server as they end, until the client leaves."""
        owner = call.owner
        chats = ChatStream(self._chats, owner.owner_ref(**ids), owner.owner_ref())
        return self._followers.follow(chats, name=_CHAT)


STATE_OPERATIONS = handled_in(StateApi)
