"""Conversations that the upstream keeps: a request names the answer that it continues.

With `previous_response_id` a client sends only new messages, so the turn and its first message are
looked up by the named answer: in this process, bounded, or among the recorded turns (after a
restart, or from another replica). An answer that neither knows begins a new conversation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from recollect.filters.capture import conversation_id_of, turn_id_of, turn_ids_of
from recollect.filters.exchange import last_user_index, turn_text
from recollect.filters.turn_cache import concerns
from recollect.memory.model.messages import shorten
from recollect.memory.model.types import Message, Scope, Turn
from recollect.memory.util.lru import Lru

from ..access.speakers import speaks_through

MAX_THREADS = 8192
MAX_TURNS = 256
"""Newest turns of a thread that are known; of `MAX_THREADS` full ones 16 megabytes."""
MAX_ASKED_CHARS = 4000
"""Kept of the message that began a turn; `MAX_THREADS` of them are 32 million characters."""


@dataclass(frozen=True, slots=True)
class Thread:
    """The conversation and turn that an answer belongs to."""

    conversation_id: str
    turn_id: str
    asked: str = ""
    """The user message that began the turn."""
    shown: frozenset[str] = frozenset()
    """Ids of memories in blocks that the upstream keeps with the conversation."""
    turns: tuple[str, ...] = ()
    """The turns that the model sees, oldest first, the thread's own last."""


class Threads:
    """Threads by scope and the id of their last answer; a scope finds only its own."""

    def __init__(self, most: int = MAX_THREADS) -> None:
        self._threads: Lru[tuple[Scope, str], Thread] = Lru(most)
        self._owners: Lru[tuple[str, str], Scope] = Lru(most)
        """The owner of each answer, by tenant and id."""

    def find(self, scope: Scope, response_id: str) -> Thread | None:
        """The thread that ends with this answer."""
        return self._threads.get((scope, response_id))

    def speaker(self, scope: Scope, response_id: str) -> Scope:
        """Who spoke through the client of `scope` in the turn that ends with this answer.

        `scope` itself if nobody else did. Only for callers who may name any speaker.
        """
        owner = self._owners.get((scope.tenant, response_id))
        if owner is None or self.find(scope, response_id) is not None:
            return scope
        theirs = replace(owner, user_id=scope.user_id) == scope
        spoke = speaks_through(scope.user_id or "", owner.user_id or "")
        return owner if theirs and spoke else scope

    def note(self, scope: Scope, response_id: str, thread: Thread) -> None:
        """Remember an answer's thread; the least recently used one may be dropped for it."""
        self._threads.put((scope, response_id), thread)
        self._owners.put((scope.tenant, response_id), scope)

    def forget(self, owner_ref: Scope | str, memory_id: str | None = None) -> None:
        """Forget the threads of a scope or a tenant; deleting a single memory drops none."""
        if memory_id is None:
            self._threads.drop(lambda key: concerns(owner_ref, key[0]))
            gone = {key for key, owner in self._owners.items() if concerns(owner_ref, owner)}
            self._owners.drop(gone.__contains__)

    def clear(self) -> None:
        """Forget everything."""
        self._threads.drop(lambda _: True)
        self._owners.drop(lambda _: True)


def thread_for(
    scope: Scope,
    session: str | None,
    messages: Sequence[Message],
    previous: str | None,
    parent: Thread | None,
) -> Thread:
    """The thread of a request that continues `parent`, whose last answer is `previous`."""
    if previous is None:
        return _begun(conversation_id_of(scope, session, messages), messages)
    if parent is None:
        conversation_id = conversation_id_of(scope, session or f"response {previous}", messages)
        return _begun(conversation_id, messages, after=previous)
    if last_user_index(messages) is None:
        # The turn stays in the conversation where it began, even if this request names another.
        return parent
    conversation_id = conversation_id_of(scope, session, ()) if session else parent.conversation_id
    thread = _begun(conversation_id, messages, after=parent.turn_id)
    return replace(thread, shown=parent.shown, turns=(*parent.turns, *thread.turns)[-MAX_TURNS:])


def _begun(conversation_id: str, messages: Sequence[Message], *, after: str = "") -> Thread:
    """A thread with the turns of these messages."""
    turns = turn_ids_of(conversation_id, messages, after=after, most=MAX_TURNS)
    last = turns[-1] if turns else turn_id_of(conversation_id, messages, after=after)
    return Thread(conversation_id, last, turns=tuple(turns))


def thread_of(recorded: Sequence[Turn]) -> Thread | None:
    """The thread of recorded turns of one conversation, whose last one is continued."""
    if not recorded:
        return None
    last = recorded[-1]
    asked = shorten(last.user_text, MAX_ASKED_CHARS)
    return Thread(last.conversation_id, last.id, asked, turns=_chain_of(recorded))


def _chain_of(recorded: Sequence[Turn]) -> tuple[str, ...]:
    """The turns that surely lead to the last one, oldest first.

    Chats that begin alike share a conversation. A turn's id is a hash over the turn before it, so
    that one is known if the text was kept as it was sent; where it was not, the chain ends.
    """
    last, chain = recorded[-1], [recorded[-1].id]
    for turn in reversed(recorded[:-1]):
        said = [Message(role="user", content=last.user_text)]
        if turn_id_of(last.conversation_id, said, after=turn.id) == last.id:
            chain.append(turn.id)
            last = turn
    return tuple(reversed(chain))


def messages_of(recorded: Sequence[Turn]) -> list[Message]:
    """Recorded turns as the messages that a chat completions client would have resent."""
    return [
        Message(role=role, content=text)
        for turn in recorded
        for role, text in (("user", turn.user_text), ("assistant", turn.assistant_text))
        if text
    ]


def asked(messages: Sequence[Message], otherwise: str) -> str:
    """The kept part of the message that began a turn."""
    return shorten(turn_text(messages, otherwise), MAX_ASKED_CHARS)
