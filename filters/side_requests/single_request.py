"""Recognises a side request without any turn: by its shape and by what it asks for.

A client's request asks for data about a conversation, a message or a command: a title, tags, the
prefix of a command. Likeness to such instructions decides only where the shape allows it, and the
stronger the shape, the less likeness is needed. In doubt it is a chat.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from recollect.memory.language import words_of

from ..exchange import Exchange
from .shape import RequestShape

Likeness = Callable[[str], Awaitable[float]]
"""How much more a text asks for data about a conversation than people and their assistants do
(`memory.recall.ClientRequests`)."""


async def never(_text: str) -> float:
    """The likeness where nothing tells meaning."""
    return -1.0


SURE, ABOUT_CHAT = 0.09, 0.05
"""Likeness of instructions, and of such with a conversation that is written out as material."""
ALL = 0.2
"""That of instructions whatever the conversation is: it is only their material."""
QUOTING, FORMED, SHORT, ENCLOSING = 0.03, 0.05, 0.1, 0.2
"""That of a message by what shows that it is a form: a conversation, the form of the answer, an
answer for a program, material in its middle."""
LISTED, MARKED = 0.1, 0.05
"""That of a long message in a chat: of several points, and one that is marked as no person's."""
PROBING = 0.2
"""That of a short message with room for a word."""
_MOST_WORDS = 5
_FEW_CHARS = 80


def may_be_own(exchange: Exchange) -> RequestShape | None:
    """The shape of a request that may be a client's own, as of few chats. Quick, without IO."""
    shape = RequestShape.of(exchange)
    if not shape.asked or shape.asked.isspace():
        return None
    told = bool(shape.system) and not shape.tools
    return shape if told or shape.probes or _least(shape) is not None else None


async def is_own(shape: RequestShape, likeness: Likeness) -> bool:
    """Whether a request of such a shape is a client's own. Raises EmbeddingError."""
    if await _probes(shape, likeness):
        return True
    if shape.system and not shape.tools:
        found = await likeness(shape.system)
        if found >= (ALL if shape.chatting else ABOUT_CHAT if shape.quotes_roles else SURE):
            return True
    least = _least(shape)
    return least is not None and await likeness(shape.asked) >= least


async def _probes(shape: RequestShape, likeness: Likeness) -> bool:
    if not shape.probes or "?" in shape.asked:
        return False
    words = len(words_of(shape.asked[:_FEW_CHARS]).raw)
    return words == 1 or (words <= _MOST_WORDS and await likeness(shape.asked) >= PROBING)


def _least(shape: RequestShape) -> float | None:
    """How alike the message must be; None if its shape is that of any message."""
    if shape.chatting:
        return MARKED if shape.is_marked else LISTED if shape.is_listed else None
    if shape.quotes_roles:
        return QUOTING
    if shape.fills_form:
        return FORMED
    if shape.strong:
        return SHORT
    return ENCLOSING if shape.encloses else None
