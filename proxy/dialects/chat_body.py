"""The body of a chat completion request. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from recollect.filters import Injection
from recollect.memory.model.messages import read_message
from recollect.memory.model.types import Message

from .blocks import MessageShape, insertion
from .body import RequestBody, UnreadableBodyError
from .splice import insert, parse_document

_SHAPE = MessageShape(fields={}, part="text")


@dataclass(frozen=True, slots=True)
class ChatBody(RequestBody):
    """A parsed chat request with the offsets of its messages."""

    starts: list[int]
    """Offset in `text` of each message."""

    @property
    def messages(self) -> list[Message]:
        return [read_message(item) for item in self.fields["messages"]]

    def inject(self, injections: Sequence[Injection]) -> bytes:
        insertions = (insertion(_SHAPE, self.text, self.starts[i.index], i) for i in injections)
        return insert(self.raw, self.text, insertions)


def parse_chat_body(raw: bytes) -> ChatBody:
    """Read a body.

    Raises:
        UnreadableBodyError: it is not UTF-8, not JSON, not an object, or has no list of messages.
    """
    try:
        text = raw.decode("utf-8")
        parsed = parse_document(text, lists=("messages",))
    except (ValueError, IndexError, RecursionError) as error:
        raise UnreadableBodyError(str(error)) from None
    starts = parsed.starts.get("messages")
    if not starts:
        raise UnreadableBodyError("no list of messages")
    return ChatBody(raw, text, parsed.values, starts)
