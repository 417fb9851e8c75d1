"""The common interface of request bodies.

Each API has a module with a subclass and its parser: `chat`, `responses`, `messages`, `ollama`.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from recollect.filters import Injection
from recollect.memory.model.types import Message

from .splice import Parsed, parse_document


class UnreadableBodyError(ValueError):
    """The body cannot be edited; it is forwarded unchanged."""


class NoPlaceError(ValueError):
    """The request has no message that can take a block; it is forwarded unchanged."""

    def __init__(self) -> None:
        super().__init__("no message of this request can take a block")


@dataclass(frozen=True, slots=True)
class RequestBody(ABC):
    """A parsed request and its bytes."""

    raw: bytes
    text: str
    fields: dict[str, Any]

    @property
    @abstractmethod
    def messages(self) -> list[Message]:
        """The messages with role, text, calls and pictures; other items keep their index.

        Tool results have the role ``tool`` in every API.
        """

    @abstractmethod
    def inject(self, injections: Sequence[Injection], without: Sequence[range] = ()) -> bytes:
        """The body's bytes with these blocks inserted and nothing else changed.

        `without` are indexes of messages that are left out: in order, apart from each other, never
        the last message, and none that a block belongs to.

        Raises:
            NoPlaceError: a block's message cannot take it.
        """

    def continuing(self, earlier: Sequence[Message]) -> RequestBody | None:  # noqa: ARG002
        """The request with these messages before its own, in place of the id of an answer.

        None where the API keeps no answers.
        """
        return None

    def understood(self) -> list[bool]:
        """For each message whether it is nothing but text, calls of tools, or a result in text.

        One with any field or part that is not known may mean more than its text.
        """
        return [False] * len(self.messages)

    @property
    def model(self) -> str:
        return self.text_field("model") or ""

    @property
    def tools(self) -> list[str]:
        tools = self.fields.get("tools")
        if not isinstance(tools, list):
            return []
        return [name for tool in tools if (name := self._tool_name(tool))]

    @staticmethod
    def _tool_name(tool: Any) -> str:
        """The name of a tool of the Chat API, in the nested ``function``."""
        function = tool.get("function") if isinstance(tool, dict) else None
        name = function.get("name") if isinstance(function, dict) else None
        return name if isinstance(name, str) else ""

    @property
    def streams(self) -> bool:
        """Whether the answer is to come in pieces."""
        return self.fields.get("stream") is True

    @property
    def previous_response(self) -> str | None:
        """The id of the answer that this request continues, if the upstream stores it."""
        return None

    @property
    def conversation(self) -> str | None:
        """The id of the stored conversation that the upstream adds this request to."""
        return None

    @property
    def may_be_shortened(self) -> bool:
        """Whether the upstream may leave out old turns of a conversation that it keeps."""
        return False

    @property
    def session(self) -> str | None:
        """The conversation that the body names."""
        return (
            self.metadata("conversation_id")
            or self.metadata("session_id")
            or self.conversation
            or self.text_field("prompt_cache_key")
        )

    def metadata(self, key: str) -> str | None:
        metadata = self.fields.get("metadata")
        value = metadata.get(key) if isinstance(metadata, dict) else None
        return value if isinstance(value, str) and value else None

    def text_field(self, key: str) -> str | None:
        value = self.fields.get(key)
        return value if isinstance(value, str) and value else None


def read_document(raw: bytes, key: str) -> tuple[str, Parsed]:
    """The text of a body, and its fields with the offsets in the list `key`.

    Raises:
        UnreadableBodyError: it is not UTF-8, not JSON, or not an object.
    """
    try:
        text = raw.decode("utf-8")
        return text, parse_document(text, lists=(key,))
    except (ValueError, IndexError, RecursionError) as error:
        raise UnreadableBodyError(str(error)) from None


def starts_of_messages(parsed: Parsed) -> list[int]:
    """The offset of each message. Raises UnreadableBodyError if there is no list of them."""
    if not (starts := parsed.starts.get("messages")):
        raise UnreadableBodyError("no list of messages")
    return starts


def string(value: Any) -> str:
    """The value if it is a string, else an empty string."""
    return value if isinstance(value, str) else ""


def arguments_text(given: Any) -> str:
    """The arguments of a call: some APIs, and some servers of the others, give an object."""
    return given if isinstance(given, str) else json.dumps(given or {}, ensure_ascii=False)
