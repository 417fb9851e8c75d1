"""Conversations that the upstream keeps: a request names the answer it goes on from.

With `previous_response_id` a client sends only what is new, so whose turn it is and what began it
has to be known from the answer that is named. Kept in this process, bounded; an answer nobody
remembers (after a restart, or from another replica) begins a conversation of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from recollect.filters.capture import conversation_id_of, turn_id_of
from recollect.filters.exchange import last_user_index, turn_text
from recollect.filters.turn_cache import concerns
from recollect.memory.lru import Lru
from recollect.memory.messages import shorten
from recollect.memory.types import Message, Scope

MAX_THREADS = 8192
MAX_ASKED_CHARS = 4000
"""Kept of the message that began a turn; with `MAX_THREADS` at most 32 million characters."""


@dataclass(frozen=True, slots=True)
class Thread:
    """Where an answer stands."""

    conversation_id: str
    turn_id: str
    asked: str = ""
    """What the user said to begin the turn."""
    shown: frozenset[str] = frozenset()
    """Which memories stand in blocks that the upstream keeps with the conversation."""


class Threads:
    """Threads by scope and the id of their last answer; nobody finds another scope's."""

    def __init__(self, most: int = MAX_THREADS) -> None:
        self._threads: Lru[tuple[Scope, str], Thread] = Lru(most)

    def find(self, scope: Scope, response_id: str) -> Thread | None:
        """The thread that ends with this answer."""
        return self._threads.get((scope, response_id))

    def note(self, scope: Scope, response_id: str, thread: Thread) -> None:
        """An answer came; the least recently used thread may be forgotten for it."""
        self._threads.put((scope, response_id), thread)

    def forget(self, whose: Scope | str, memory_id: str | None = None) -> None:
        """Forget what a scope or a tenant said; one memory's deletion is no reason to."""
        if memory_id is None:
            self._threads.drop(lambda key: concerns(whose, key[0]))

    def clear(self) -> None:
        """Forget everything."""
        self._threads.drop(lambda _: True)


def place(
    scope: Scope,
    session: str | None,
    messages: Sequence[Message],
    previous: str | None,
    parent: Thread | None,
) -> Thread:
    """Where a request stands that goes on from `parent`, whose last answer is `previous`."""
    if previous is None:
        conversation_id = conversation_id_of(scope, session, messages)
        return Thread(conversation_id, turn_id_of(conversation_id, messages))
    if parent is None:
        conversation_id = conversation_id_of(scope, session or f"response {previous}", messages)
        return Thread(conversation_id, turn_id_of(conversation_id, messages, after=previous))
    if last_user_index(messages) is None:
        # The turn goes on where it began, whatever this request calls the conversation.
        return parent
    conversation_id = conversation_id_of(scope, session, ()) if session else parent.conversation_id
    turn_id = turn_id_of(conversation_id, messages, after=parent.turn_id)
    return Thread(conversation_id, turn_id, shown=parent.shown)


def asked(messages: Sequence[Message], otherwise: str) -> str:
    """What to keep of the message that began a turn."""
    return shorten(turn_text(messages, otherwise), MAX_ASKED_CHARS)
