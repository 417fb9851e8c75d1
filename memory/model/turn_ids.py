"""Identifies conversations and turns in resent messages. Pure.

The API is stateless: each request repeats the conversation. A turn's id is a hash over the chain of
user messages up to it, so a retry or a regenerated answer is the same turn and an edited message is
a new one. Answers are not part of the chain: regenerating one must not change later turns.

After an edit both the old and the new turn are kept, and later turns are new because their chain
differs. Reconciliation treats contradictions like any correction by the user.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

from .types import Message, Scope

_ID_CHARS = 32
"""Of a sha256 hex digest: 128 bits."""


def conversation_id_of(scope: Scope, session: str | None, messages: Sequence[Message]) -> str:
    """The conversation of a request, from its session name or else its first user message.

    The scope is part of it, so two users cannot share a conversation by naming the same session.
    """
    first = next((m.content for m in messages if m.role == "user"), "")
    begin = ("session", session) if session else ("begins", first)
    ids = (f"{name}={value}" for name, value in sorted(scope.ids().items()))
    parts = ("conversation", scope.tenant, *ids, *begin)
    return _id_of(hashlib.sha256(b"".join(map(_framed, parts))))


def turn_id_of(conversation_id: str, messages: Sequence[Message], *, after: str = "") -> str:
    """The turn of the last user message.

    `after` stands for earlier turns that the request does not repeat.
    """
    *_, last = _chain(conversation_id, messages, after)
    return last


def turn_ids_of(
    conversation_id: str, messages: Sequence[Message], *, after: str = "", most: int | None = None
) -> list[str]:
    """The turn of each user message, in linear time; `after` as of `turn_id_of`.

    With `most` only of so many newest: an id costs more than to read what it is made of.
    """
    untold = 0
    if most is not None and len(messages) > most:
        untold = max(0, sum(message.role == "user" for message in messages) - most)
    return list(_chain(conversation_id, messages, after, untold=untold))[1:]


def _chain(
    conversation_id: str, messages: Sequence[Message], after: str = "", *, untold: int = 0
) -> Iterator[str]:
    """The id before the first user message, and after each but the `untold` first ones."""
    parts = ("turn", conversation_id, f"after {after}") if after else ("turn", conversation_id)
    digest = hashlib.sha256(b"".join(map(_framed, parts)))
    yield _id_of(digest)
    told = 0
    for message in messages:
        if message.role == "user":
            if message.name:
                # The same words of somebody else are another turn.
                digest.update(_framed(f"name {message.name}"))
            digest.update(_framed(message.content))
            told += 1
            if told > untold:
                yield _id_of(digest)


def _framed(part: str) -> bytes:
    """The bytes behind their length, which keeps ("ab", "c") apart from ("a", "bc")."""
    data = part.encode("utf-8", "surrogatepass")
    return len(data).to_bytes(8, "big") + data


def _id_of(digest: hashlib._Hash) -> str:
    return digest.hexdigest()[:_ID_CHARS]
