"""The last chats of each tenant, with what was recalled and why. In memory only, and bounded.

Kept are ids, reasons and figures, never the text of a conversation or of a memory. A chat whose
tenant is not known, because it failed before or its credential was refused, is not kept.
"""

from __future__ import annotations

import secrets
import time
from collections import deque
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from typing_extensions import TypedDict

from recollect.filters import Verdict
from recollect.memory.model.owner import covers, owning_tenant
from recollect.memory.model.times import iso
from recollect.memory.model.types import OwnerRef, Scope
from recollect.memory.recall import Role
from recollect.memory.util.correlation import ID_CHARS
from recollect.memory.util.lru import Lru

from .report import Report

MOST_CHATS = 100
"""Of one tenant; of more the oldest are dropped."""
MOST_TENANTS = 64
"""Those without a chat for the longest time are dropped: 3 KB a chat, 20 MB in all."""
ANSWERS = "answer"
"""The role of what was chosen because it matches the message."""
_MODEL_CHARS = 100
_DIGITS = 2
_WHY = {
    Role.WISH: "says how the user wants to be answered",
    Role.CONSTRAINT: "bears on the topic of the message",
    Role.PROFILE: "the message asks what is known of the user",
    Role.LATER: "may say something newer than what answers the message",
    Role.EARLIER: "was true before what answers the message",
}


class RecalledLineDict(TypedDict):
    """A memory that the model saw because of this chat's recall."""

    id: str
    memory: str
    """Its text as it is now; empty if it is gone, or the store does not answer."""
    status: str
    """Its status now, such as `superseded`; empty without a text."""
    role: str
    """`answer`, or why it was chosen besides: `wish`, `constraint`, `profile`, `fill`, `earlier`.
    """
    why: str


class ChatDict(TypedDict):
    """One chat."""

    id: str
    at: str
    """When its answer ended (UTC)."""
    user_id: str
    """Empty for the memory of an agent or run without a user."""
    conversation: str
    """The beginning of its id, which is a hash."""
    turn: str
    """The same of the turn's."""
    outcome: str
    reason: str
    count: int
    """Memories that the model saw because of this recall."""
    ms: float
    """What memory added before the request went on."""
    tokens: int
    """Of the recalled lines."""
    model: str
    status: int
    """Of the answer; 0 if the client left before there was one."""
    recalled: list[RecalledLineDict]


class _Line(NamedTuple):
    id: str
    role: str
    cosine: float
    coverage: float


class _Chat(NamedTuple):
    number: int
    ended: float
    scope: Scope
    conversation: str
    turn: str
    model: str
    verdict: Verdict
    injected: frozenset[str]
    lines: Sequence[_Line]
    tokens: int
    seconds: float
    status: int | None


class RecentChats:
    """The chats of this process. For one event loop."""

    def __init__(self) -> None:
        self._rings: Lru[str, deque[Any]] = Lru(MOST_TENANTS)
        # Chats are read as `_Chat`s, and kept as plain tuples: every chat pays for what is made.
        self._process = secrets.token_hex(4)
        self._count = 0

    def note(self, report: Report) -> None:
        """Keep a chat that has ended."""
        exchange = report.exchange
        if exchange is None:
            return
        tenant = exchange.scope.tenant
        ring = self._rings.get(tenant)
        if ring is None:
            ring = deque(maxlen=MOST_CHATS)
            self._rings.put(tenant, ring)
        selection, injected = exchange.selection, exchange.injected
        lines: list[tuple[str, str, float, float]] = []
        tokens = 0
        if selection is not None and injected:
            lines = [(hit.item.id, hit.role, hit.cosine, hit.coverage) for hit in selection.chosen]
            tokens = selection.tokens
        self._count += 1
        ring.append((
            self._count, time.time(), exchange.scope, exchange.conversation_id[:ID_CHARS],
            exchange.turn_id[:ID_CHARS], exchange.model[:_MODEL_CHARS], report.verdict, injected,
            lines, tokens, report.recall_seconds, report.status,
        ))  # fmt: skip

    def of(self, owner_ref: OwnerRef, limit: int) -> list[ChatDict]:
        """The owner's last chats, newest first, without the texts of memories."""
        ring = self._rings.get(owning_tenant(owner_ref)) or ()
        kept = (_Chat(*each) for each in reversed(ring))
        own = [chat for chat in kept if covers(owner_ref, chat.scope)]
        return [_chat_dict(self._process, chat) for chat in own[:limit]]

    def emptied(self, owner_ref: OwnerRef) -> None:
        """Drop the chats of an owner of whom everything is forgotten."""
        tenant = owning_tenant(owner_ref)
        ring = self._rings.get(tenant)
        if ring is not None:
            rest = [each for each in ring if not covers(owner_ref, _Chat(*each).scope)]
            self._rings.put(tenant, deque(rest, maxlen=MOST_CHATS))


def _chat_dict(process: str, chat: _Chat) -> ChatDict:
    seen = {version.rpartition(" ")[0] for version in chat.injected}
    lines = [line for line in (_Line(*each) for each in chat.lines) if line.id in seen]
    return ChatDict(
        id=f"{process}-{chat.number}",
        at=iso(datetime.fromtimestamp(chat.ended, UTC)),
        user_id=chat.scope.user_id or "",
        conversation=chat.conversation,
        turn=chat.turn,
        outcome=chat.verdict.outcome.value,
        reason=chat.verdict.reason,
        count=len(chat.injected),
        ms=round(chat.seconds * 1000, 1),
        tokens=chat.tokens,
        model=chat.model,
        status=chat.status or 0,
        recalled=[
            RecalledLineDict(
                id=line.id, memory="", status="", role=line.role or ANSWERS, why=_why(line)
            )
            for line in lines
        ],
    )


def _why(line: _Line) -> str:
    """Why a line was chosen, in plain words."""
    if line.role:
        return _WHY[Role(line.role)]
    near, words = round(line.cosine, _DIGITS), round(line.coverage * 100)
    return f"matches the message: {near} in meaning, {words} % of its words"
