"""The routes of conversations: listed, read, searched and erased."""

from __future__ import annotations

from typing import Any

from recollect.memory.api.conversations import (
    MOST_FOUND,
    MOST_LISTED,
    MOST_MESSAGES,
    ConversationResults,
    ErasedDict,
    SpokenHitResults,
    SpokenResults,
)
from recollect.memory.operations.fields import RequestModel, Text, about, whole
from recollect.memory.operations.scope import ScopeFields

from ..access.rights import Right
from .operations import PREFIX, endpoint, operations_of
from .request import ApiRequest

PATH = f"{PREFIX}/conversations"
TAG = "conversations"


class CursorFields(RequestModel):
    """Which page."""

    cursor: Text | None = about("The `next` of the page before.")


class ConversationsQuery(CursorFields, ScopeFields):
    """Of conversations; with `agent_id` those that an agent took part in."""

    limit: int = whole("Most conversations.", high=MOST_LISTED, default=20)


class MessagesQuery(CursorFields, ScopeFields):
    """Of the messages of a conversation."""

    limit: int = whole("Most messages.", high=MOST_MESSAGES, default=50)


class SpokenSearchFields(ScopeFields):
    """For what was said in conversations."""

    query: Text | None = about("The search query; in a query string, `q` wins over it.")
    limit: int = whole("Most results.", high=MOST_FOUND, default=10)
    assistant: bool = about(
        "Whether what the assistant said is found too, marked as hearsay.", default=True
    )
    conversation_id: Text | None = about("Search one conversation only.")


class SpokenSearchQuery(SpokenSearchFields):
    """The same in a query string."""

    q: Text | None = about("The search query.")


class EraseConversationQuery(ScopeFields):
    """What goes with a conversation."""

    memories: bool = about(
        "Forget what was learned from it too; the answer has a receipt.", default=False
    )


class ConversationApi:
    """The handlers of `CONVERSATION_OPERATIONS`."""

    @endpoint("GET", PATH, ConversationResults, query=ConversationsQuery, tag=TAG)
    async def list_conversations(self, request: ApiRequest) -> Any:
        """The conversations of a scope, the one with the newest turn first."""
        asked = request.values.only("limit", "cursor")
        return await request.memory.conversations.list(**request.ids, **asked)

    @endpoint("GET", f"{PATH}/search", SpokenHitResults, query=SpokenSearchQuery, tag=TAG)
    @endpoint(
        "POST", f"{PATH}/search", SpokenHitResults, body=SpokenSearchFields, body_required=True,
        name="search_conversations_posted", summary="The same as JSON", tag=TAG,
    )  # fmt: skip
    async def search_conversations(self, request: ApiRequest) -> Any:
        """What was said about something, by the user and by the assistant, best first."""
        values = request.values
        query = values["query"] or "" if values.get("q") is None else str(values["q"])
        return await request.memory.conversations.search(
            query,
            **request.ids,
            **values.only("limit", "assistant", "conversation_id"),
        )

    @endpoint(
        "GET", f"{PATH}/{{conversation_id}}/messages", SpokenResults, query=MessagesQuery, tag=TAG
    )
    async def conversation_messages(self, request: ApiRequest) -> Any:
        """The messages of a conversation, in order."""
        asked = request.values.only("conversation_id", "limit", "cursor")
        return await request.memory.conversations.messages(**request.ids, **asked)

    @endpoint(
        "DELETE", f"{PATH}/{{conversation_id}}", ErasedDict, Right.WRITE,
        query=EraseConversationQuery, tag=TAG,
    )  # fmt: skip
    async def erase_conversation(self, request: ApiRequest) -> Any:
        """Erase all that was said in a conversation, and its episodes; what was learned stays."""
        asked = request.values.only("conversation_id", "memories")
        return await request.memory.conversations.erase(**request.ids, **asked)


CONVERSATION_OPERATIONS = operations_of(ConversationApi)
