"""The tool of sessions: what was said in earlier conversations, and by whom."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import Field
from typing_extensions import TypedDict

from .facts import FOUND, MOST_FOUND
from .surface import Bound
from .tool import READS, Tier, Tool, ToolArguments, ToolGuard


class ConversationSearchArguments(ToolArguments):
    """Of `conversation_search`."""

    query: str = Field(description="What was talked about, in a few words.")
    assistant: bool = Field(
        default=True, description="Whether to search what the assistant said, too."
    )
    conversation_id: str | None = Field(
        None, description="Only this conversation, by the id that a search returned."
    )
    limit: int = Field(FOUND, ge=1, le=MOST_FOUND, description="The most messages to return.")


class SaidMessage(TypedDict):
    """A message of an earlier conversation, or the part of it that fits."""

    conversation_id: str
    role: str
    """`user` or `assistant`."""
    text: str
    at: str
    hearsay: bool
    """Whether only the assistant said it: no evidence that it is true."""
    score: float


class SaidMessages(TypedDict):
    """Messages, best first."""

    messages: list[SaidMessage]


async def _search(bound: Bound, asked: ConversationSearchArguments) -> Mapping[str, Any]:
    found = await bound.memory.conversations.search(
        asked.query,
        limit=asked.limit,
        assistant=asked.assistant,
        conversation_id=asked.conversation_id,
        **bound.ids,
    )
    return SaidMessages(
        messages=[
            SaidMessage(
                conversation_id=each["conversation_id"],
                role=each["role"],
                text=each["text"],
                at=each["created_at"],
                hearsay=each["hearsay"],
                score=round(each["score"], 3),
            )
            for each in found["results"]
        ]
    )


SESSION_TOOLS = (
    Tool(
        name="conversation_search",
        title="Search conversations",
        description="Find what was said in earlier conversations, word for word, by the user or "
        "the assistant. Call it when it matters what exactly was said, or what you recommended.",
        tier=Tier.SESSION,
        guard=ToolGuard.READ,
        effects=READS,
        arguments=ConversationSearchArguments,
        answer=SaidMessages,
        run=_search,
    ),
)
