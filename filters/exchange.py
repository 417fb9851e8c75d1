"""One proxied request with what the filters noted about it, and the interface of filters."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar, NamedTuple, Protocol

from recollect.memory.model.daily_sums import Payer
from recollect.memory.model.deeds import DeedLine
from recollect.memory.model.types import MemoryItem, MemoryType, Message, Scope, ToolCall
from recollect.memory.recall import Drop, Query, Selection, Shown
from recollect.memory.util.destinations import Destination, read_by

from .compress.compressed import Compressed


class Outcome(StrEnum):
    """The result of a request's recall: the value of ``x-recollect-memory``."""

    INJECTED = "injected"
    EMPTY = "empty"
    SKIPPED = "skipped"
    DEGRADED = "degraded"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Verdict:
    """An outcome and its reason word, the value of ``x-recollect-reason``."""

    outcome: Outcome
    reason: str


class Place(StrEnum):
    """The place of a block of memories in a request; what a model server accepts differs.

    ``user``: inside a user message, before its text. Every chat template that was tried accepts
    it. ``tail``: a system message before a user message. ``start``: the end of the client's first
    system message, or a first system message. ``tail`` and ``user`` leave the prompt cache valid
    up to the user message.
    """

    TAIL = "tail"
    USER = "user"
    START = "start"


@dataclass(frozen=True, slots=True)
class Injection:
    """A block for the message with this index."""

    index: int
    text: str
    place: Place
    lines: tuple[DeedLine, ...] = field(default=(), compare=False)
    """The memories that the text shows."""


def last_user_index(messages: Sequence[Message]) -> int | None:
    """Index of the last user message: the one a request is about."""
    for index in range(len(messages) - 1, -1, -1):
        if messages[index].role == "user":
            return index
    return None


def turn_text(messages: Sequence[Message], otherwise: str) -> str:
    """The last user message; `otherwise` if the request has none."""
    index = last_user_index(messages)
    return otherwise if index is None else messages[index].content


SYSTEM_CHARS = 200
"""Of the instructions, to tell one set of them from another."""


@dataclass(frozen=True, slots=True)
class Manner:
    """The manner in which a request wants its answer, apart from what it says."""

    stream: bool = False
    limit: int | None = None
    """Most tokens of the answer."""
    tools: bool = False
    forced: bool = False
    """The answer must have a form: JSON, or a call."""
    system: str = ""
    """How the instructions begin, at most `SYSTEM_CHARS`."""
    continues: bool = False
    """It continues a conversation that the upstream keeps."""


@dataclass(slots=True, kw_only=True, weakref_slot=True)
class Exchange:
    """The filters' view of a request, and their notes."""

    scope: Scope
    messages: Sequence[Message]
    """Every message of the request, reduced to role and text, in order."""
    model: str
    conversation_id: str
    turn_id: str
    place: Place = Place.USER
    """Where the model server takes memories."""
    manner: Manner = field(default_factory=Manner)
    zone: str = ""
    """The name of the user's time zone; "" for the server's."""
    instructions: str = ""
    """Those that are no message of the request."""
    is_side_request: bool = False
    """The client asks for itself (a title, a summary): it is no turn of the user."""
    query: Query = field(default_factory=lambda: Query(""))
    """What memory is searched for; set by rewrite."""
    only: MemoryType | None = None
    """The only type of memories that may be recalled; None for all."""
    wishes_only: bool = False
    """Nothing is searched for: only how the user wants to be answered is recalled."""
    working: str = ""
    """The working blocks of the scope as they are injected; "" for none."""
    selection: Selection | None = None
    """What recall chose."""
    injections: Sequence[Injection] = ()
    """Blocks to insert, in the order of their indexes; set by inject. Those with the same index
    are inserted in this order."""
    verdict: Verdict | None = None
    """Set by the filter that ends the recall; the filters after it do not run."""
    may_forget: bool = False
    """Whether what the user asks to forget may be erased: the caller may write."""
    granted: asyncio.Future[bool] | None = None
    """Done when the model server has answered: whether it took the client's credentials. None if
    they are proven without it. Nothing is erased before."""
    unsaid: str | None = None
    """What is kept of the user's message in place of it, if it asks to forget something; "" for
    nothing of the turn."""
    concerns_forgetting: bool | None = None
    """Whether it may ask to forget something or agree to it; None until somebody looked."""
    notice: Sequence[Injection] = ()
    """What the model is told about forgetting; injected whatever else is."""
    asked: str = ""
    """The message that began the turn, if this request has only tool results."""
    earlier: Sequence[Message] = ()
    """Messages before those of the request, if the upstream keeps the conversation; redacted."""
    earlier_turns: Sequence[str] = ()
    """The turns of the user's messages among them, in order."""
    upstream: str = ""
    """The base URL of the model server; "" if that is not known."""
    destination: Destination | None = None
    """Where the request goes, if a policy says what may go there."""
    policy_changes: int = 0
    """How often that policy has changed: what was chosen before is chosen anew."""
    upstream_id: str = ""
    """The id of the conversation that the upstream keeps, if the request names one."""
    turns: tuple[str, ...] = ()
    """The turns that the request repeats or the upstream keeps, oldest first, this one last."""
    understood: Callable[[], Sequence[bool]] | None = None
    """For each message whether it is nothing but text, calls and results; None if no message may
    be taken out."""
    compressed: Compressed | None = None
    """The turns that do not go upstream, and what takes their place; set by compress."""
    visible: frozenset[str] = frozenset()
    """Those of them that the model sees for sure: what they say need not be recalled."""
    shown: frozenset[str] = frozenset()
    """Versions of memories (`memory.blocks.version_of`) in blocks of earlier turns."""
    injected: frozenset[str] = frozenset()
    """Versions of this recall's memories that the model sees in any block; set by inject."""
    request_id: str = ""
    """By which the event log names the request; "" while no memory went upstream with it."""
    payer: Payer = field(init=False)
    """Counts what this recall embeds, until the model server has taken the credentials."""
    notes: dict[str, str] = field(default_factory=dict)
    """For traces; without text of the conversation."""

    def __post_init__(self) -> None:
        self.payer = Payer(self.scope.tenant, proven=False)

    @property
    def reader(self) -> str:
        """Where the request goes, as part of a key (`TurnKey`)."""
        to = self.destination
        return "" if to is None else f"{self.policy_changes} {to.upstream} {to.model}"

    def reading(self) -> AbstractContextManager[None]:
        """Within it, what is read is for the request: nothing that a policy keeps from it."""
        to = self.destination
        return nullcontext() if to is None else read_by(to, scope=self.scope)

    def telling(self) -> AbstractContextManager[None]:
        """The same, also without a policy: what its model writes down was told to it."""
        return read_by(Destination(self.upstream, self.model), scope=self.scope)

    @property
    def withheld(self) -> int:
        """How many lines that bear on the message a policy keeps from the model."""
        dropped = self.selection.dropped if self.selection is not None else ()
        return sum(why is Drop.WITHHELD for _, why in dropped)

    def goes(self, index: int) -> bool:
        """Whether the message with this index goes upstream."""
        return self.compressed is None or not self.compressed.takes(index)

    @property
    def heard(self) -> Sequence[Message]:
        """The conversation as far as it is known: what a chat completions client would resend."""
        return [*self.earlier, *self.messages] if self.earlier else self.messages


class ReportedUsage(NamedTuple):
    """Tokens of a prompt, as the model server reported them."""

    prompt_tokens: int
    cached_tokens: int
    """Those of them that the server had in its cache."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The assistant's message as far as it was sent to the client."""

    text: str
    complete: bool = True
    tool_calls: tuple[ToolCall, ...] = ()
    """With any of these the turn continues: the client runs them and sends the results."""
    response_id: str = ""
    """The id that a later request may continue from."""
    usage: ReportedUsage | None = None
    """None if the server does not tell: of a stream it does if the client asks for it."""


class Recalls(Protocol):
    """The recaller as filters know it: the true one, or one that listens to it (`explain`)."""

    async def recall(
        self,
        scope: Scope,
        query: Query,
        *,
        reserve_tokens: int,
        show: Callable[[MemoryItem], Shown],
        only: MemoryType | None,
    ) -> Selection:
        """The memories for a query. Raises as `Recaller.recall`."""

    async def wishes(
        self,
        scope: Scope,
        *,
        reserve_tokens: int,
        show: Callable[[MemoryItem], Shown],
        visible: frozenset[str],
        conversation: str,
        message: str,
    ) -> Selection:
        """How the user wants to be answered. Raises as `Recaller.wishes`."""


@dataclass(frozen=True, slots=True)
class Improvement:
    """An optional slow call that may improve a filter's result."""

    part: str
    """The name of the called part; each part has its own circuit breaker."""
    seconds: float
    """Longest time of the call, on top of the recall's deadline."""
    run: Callable[[], Awaitable[None]]
    """Makes the call. If it raises RecollectError, the exchange is unchanged."""
    give_up: Callable[[str], None]
    """Called with a reason word (`deadline`, `busy`, `circuit_open`, an error's code) if the call
    was not made or failed. Quick, without IO."""


class RequestFilter(ABC):
    """One step between a request and its memories.

    The pipeline enforces the deadline and handles failures. A filter never sees its bytes.
    """

    name: ClassVar[str]
    """For spans and logs."""

    @abstractmethod
    async def request(self, exchange: Exchange) -> None:
        """Read the exchange and note results in it.

        Runs once per request, unless an earlier filter has set `exchange.verdict`. May be slow and
        may raise.
        """

    def calls_out(self, exchange: Exchange) -> bool:  # noqa: ARG002 - for those that do
        """Whether `request` calls parts that can be slow or down, which the pipeline guards."""
        return False

    def improvement(self, exchange: Exchange) -> Improvement | None:  # noqa: ARG002 - as above
        """An optional slow call to try after `request`, or None."""
        return None

    def settle(self, exchange: Exchange) -> None:  # noqa: B027 - most have no last word
        """Runs last, whatever the verdict is, outside the deadline. Quick, without IO."""
