"""Conversations that the upstream keeps, as if the client repeated them: so old turns can go. Pure.

With `previous_response_id` the upstream reads the whole chain again for each message. Where every
turn of it is recorded as it was said, the request is sent with the chain's turns in place of that
id, and compression takes out the old ones. Where anything else is in the chain (calls of tools,
pictures, a removed secret, a turn that was not recorded) it goes as it came.
"""

from __future__ import annotations

from collections.abc import Sequence

from recollect.filters.capture import is_as_said, turn_id_of
from recollect.filters.compress.filter import KEEP_TURNS, STEP_TURNS
from recollect.memory.model.types import Message, Turn

from ..dialects.body import RequestBody
from .reader import ParsedRequest
from .threads import messages_of

FEWEST = KEEP_TURNS + STEP_TURNS
"""Turns before the present one, from which any are old."""


def may_repeat(body: RequestBody, turns: Sequence[str]) -> bool:
    """Whether a request continues a chain of text that is long enough to have old turns."""
    plain = not body.tools and not body.may_be_shortened and not body.conversation
    return bool(body.previous_response) and plain and len(turns) > FEWEST


def repeated(
    reading: ParsedRequest, recorded: Sequence[Turn], turns: Sequence[str]
) -> ParsedRequest | None:
    """The request with its chain in place of the answer's id; None where that is not all of it.

    `turns` are those of the chain, oldest first, the present ones last; `recorded` turns of its
    conversation, of which some may be of another chain.
    """
    own = sum(message.role == "user" for message in reading.messages)
    before, known = turns[: len(turns) - own], {turn.id: turn for turn in recorded}
    chain = [known[name] for name in before if name in known]
    if not own or len(chain) < max(1, len(before)) or not _begins(chain[0]):
        return None
    if not all(map(is_as_said, chain)):
        return None
    body = reading.body.continuing(messages_of(chain))
    return None if body is None else ParsedRequest(body.raw, body, body.messages)


def _begins(turn: Turn) -> bool:
    """Whether nothing was said before a turn: its id is a hash over all that was."""
    said = [Message(role="user", content=turn.user_text)]
    return turn_id_of(turn.conversation_id, said) == turn.id
