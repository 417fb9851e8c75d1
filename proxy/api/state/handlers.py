"""The handlers of the routes behind the dashboard."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypedDict

from recollect.memory import InvalidInputError, Scope
from recollect.memory.api.map import MapDict, map_of
from recollect.memory.api.results import MemoryDict, memory_dict
from recollect.memory.api.state import StateDict, state_of
from recollect.memory.api.whynot import NearDict, Sought, sought_by_id, sought_by_text
from recollect.memory.engine.engine import Engine
from recollect.memory.model.inputs import check_query
from recollect.memory.operations.scope import ScopeFields

from ...chat.explaining import Explainer
from ...chat.recent_chats import ChatDict, RecentChats
from ..answers import EVENT_STREAM, LINES
from ..following import Followers
from ..operations import PREFIX, endpoint, operations_of
from ..request import ApiRequest
from . import models
from .recent import ChatsEverywhere, ChatStream
from .whynot import STORED, fate_for

_CHAT = "exchange"
"""The name of an event that is a chat."""


class ChatsDict(TypedDict):
    """The last chats, newest first."""

    exchanges: list[ChatDict]


class WhyNotDict(TypedDict):
    """What became of what should have come up."""

    verdict: str
    """`never_stored`, `deleted`, `forgotten`, `withheld`, `archived`, `superseded`; of a memory
    that holds `stored`, or with a message `used`, `below_evidence`, `cut`, `not_asked`,
    `duplicate`, `contradicted`, `told_by_memory`, `private`, `visible`."""
    why: str
    memory: MemoryDict | None
    """The memory that is meant."""
    nearest: list[NearDict]
    """Other memories that are near the text, best first."""


class StateApi:
    """The handlers of `STATE_OPERATIONS`."""

    def __init__(self, engine: Engine, recent: RecentChats, explainer: Explainer) -> None:
        """`recent` has the chats of this process."""
        self._engine = engine
        self._explainer = explainer
        self._chats = ChatsEverywhere(recent, engine.lookup.several, engine.mesh)
        self._followers = Followers()

    def close(self) -> None:
        """End the streams of chats; the server would wait for them."""
        self._followers.close()

    @endpoint("GET", f"{PREFIX}/state", StateDict, query=ScopeFields, tag="state")
    async def state(self, request: ApiRequest) -> Any:
        """How much is known, said and waiting: of a scope, or of all that the caller owns."""
        return await state_of(self._engine.census, request.owner_ref())

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

    @endpoint("GET", f"{PREFIX}/whynot", WhyNotDict, query=models.WhyNotQuery, tag="state")
    async def whynot(self, request: ApiRequest) -> Any:
        """Why a text or a memory did not come up for a message: one word, and why in plain words.

        Without a message: whether it is stored, and still holds.
        """
        scope, message = request.scope(), (request.values["q"] or "").strip()
        sight = self._engine.recaller.sight(scope)
        sought = await self._sought(request, sight)
        fate = sought.fate
        if fate is None:
            fate = STORED
            if sought.item is not None and message:
                explained = await self._explainer.explain(scope, message)
                fate = fate_for(sought.item.id, explained)
        shown = None if sought.item is None else memory_dict(sought.item)
        return WhyNotDict(
            verdict=fate.verdict, why=fate.why, memory=shown, nearest=list(sought.nearest)
        )

    @endpoint("GET", f"{PREFIX}/map", MapDict, query=models.MapQuery, tag="state")
    async def map(self, request: ApiRequest) -> Any:
        """The memories of a scope as points of a plane, near each other if they are alike."""
        return await map_of(self._engine, request.scope(), request.values["limit"])

    async def _sought(self, request: ApiRequest, sight: Scope) -> Sought:
        text, memory_id = (request.values[name] or "" for name in ("text", "memory_id"))
        if bool(text.strip()) == bool(memory_id.strip()):
            raise InvalidInputError("text", "expected one of text and memory_id")
        if text.strip():
            check_query(text)
            return await sought_by_text(self._engine, sight, text)
        of_tenant = request.owner.user_id is None
        return await sought_by_id(self._engine, sight, memory_id, of_tenant=of_tenant)


STATE_OPERATIONS = operations_of(StateApi)
