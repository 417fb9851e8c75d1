"""The conversations of a scope: listed, read, searched and erased, for `AsyncMemory`.

A conversation is what the proxy captured of one session of chats, with the texts that are still
kept (see docs/access.md). What was erased or forgotten is in none of the answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, NotRequired, Unpack

from typing_extensions import TypedDict

from ..conversations.messages import ASSISTANT, USER, ConversationMessage, messages_of
from ..conversations.search import SpokenHit
from ..model import inputs
from ..model.conversations import ConversationMark, ConversationSummary
from ..model.errors import InvalidInputError, NotFoundError
from ..model.times import to_ms
from ..model.types import Scope
from ..operations.common import Cursor, OptionalText
from ..operations.declaring import SEARCHED, field, operation
from ..operations.operation import PREFIX
from ..operations.rights import Right
from ..operations.scope import ScopeIds
from ..operations.told import SaidMessages
from ..operations.tooling import Tier, tool
from ..query.cursor import ListMark, no_cursor, read, written
from ..upkeep.episodes.step import episodes_with
from .showing import shown_as
from .view import TenantView

MOST_LISTED = 100
MOST_MESSAGES = 200
MOST_FOUND = 50
PAGE_CHARS = 200_000
"""A page of messages ends with the one that makes it so long."""
PREVIEW = 120
MAX_CONVERSATION_ID = 512
ERASED_AT_A_TIME = 500


class ConversationDict(TypedDict):
    """A conversation. Only turns whose texts are kept count."""

    id: str
    turns: int
    started_at: str
    last_at: str
    agents: list[str]
    """The agents that took part."""
    preview: str
    """How the user's first message begins."""
    user_id: NotRequired[str]
    agent_id: NotRequired[str]
    run_id: NotRequired[str]


class ConversationResults(TypedDict):
    """Some conversations, the one with the newest turn first."""

    results: list[ConversationDict]
    next: NotRequired[str]
    """The cursor of the next page, if there is one."""


class SpokenDict(TypedDict):
    """A message of a conversation."""

    role: str
    """`user` or `assistant`."""
    content: str
    turn_id: str
    created_at: str
    agent_id: NotRequired[str]


class SpokenResults(TypedDict):
    """Some messages of a conversation, in order."""

    results: list[SpokenDict]
    next: NotRequired[str]
    """The cursor of the next page, if there is one."""


class SpokenHitDict(TypedDict):
    """A message that a search found."""

    conversation_id: str
    turn_id: str
    role: str
    text: str
    """The part of the message that fits best."""
    created_at: str
    score: float
    """How sure it is that it answers, from 0 to 1."""
    hearsay: bool
    """It is only the assistant's word: the user did not say it."""
    agent_id: NotRequired[str]


class SpokenHitResults(TypedDict):
    """What a search found, best first."""

    results: list[SpokenHitDict]


class ErasedDict(TypedDict):
    """What an erasure of a conversation did."""

    erased: int
    """Turns whose texts were erased."""
    receipt: NotRequired[dict[str, Any]]
    """With `memories`: what was erased, in numbers."""


_ALL = f"{PREFIX}/conversations"
_ONE = _ALL + "/{conversation_id}"
ConversationId = Annotated[str, field("The id of the conversation, as listed.")]


class Conversations:
    """The conversations that a program may see.

    Every method needs at least one of `user_id`, `agent_id` and `run_id`, and sees the
    conversations that match all that are given. All raise ScopeError and InvalidInputError before
    anything is done, and StateError.
    """

    def __init__(self, view: TenantView) -> None:
        self._view = view
        self._engine = view.engine

    @operation(f"GET {_ALL}", id="list_conversations")
    async def list(
        self,
        *,
        limit: Annotated[int, field("Most conversations.", high=MOST_LISTED)] = 20,
        cursor: Cursor = None,
        **ids: Unpack[ScopeIds],
    ) -> ConversationResults:
        """The conversations of a scope, the one with the newest turn first.

        At most `limit` (up to 100). `next` is the `cursor` of the next page. No conversation is on
        two pages: one that goes on meanwhile moves to the beginning of the list.
        """
        scope = self._view.scope(**ids)
        given = f"conversations {_named(scope)}"
        after = None if cursor is None else ConversationMark(*read(cursor, given))
        reads = self._engine.parts.state.conversations
        found = await reads.conversations(scope, after=after, limit=limit + 1)
        page = found[:limit]
        results = ConversationResults(results=[_conversation_dict(one) for one in page])
        if len(found) > limit:
            results["next"] = written(ListMark(to_ms(page[-1].last_at), page[-1].id), given)
        return results

    @operation(f"GET {_ONE}/messages", id="conversation_messages")
    async def messages(
        self,
        conversation_id: ConversationId,
        *,
        limit: Annotated[int, field("Most messages.", high=MOST_MESSAGES)] = 50,
        cursor: Cursor = None,
        **ids: Unpack[ScopeIds],
    ) -> SpokenResults:
        """The messages of a conversation, in order.

        At most `limit` (up to 200); secrets are redacted. A page of long messages is shorter.
        `next` is the `cursor` of the next page. Raises NotFoundError if there is no such
        conversation, or nothing of it is left.
        """
        scope = self._view.scope(**ids)
        _check_id(conversation_id)
        given = f"messages {conversation_id} {_named(scope)}"
        after, skipped = (0, 0) if cursor is None else _place(read(cursor, given))
        reads = self._engine.parts.state.conversations
        turns = await reads.conversation_turns(
            scope, conversation_id, after_seq=after, limit=limit + 1
        )
        if not turns and cursor is None:
            raise _unknown(conversation_id)
        said = [one for turn in turns for one in messages_of(turn)]
        if skipped and turns and turns[0].seq == after + 1:  # else it was erased since
            said = said[skipped:]
        page = _bounded(said[:limit])
        results = SpokenResults(results=[_spoken_dict(one) for one in page])
        if len(page) < len(said):
            results["next"] = written(_mark(page[-1]), given)
        return results

    @tool(
        "conversation_search",
        "Search conversations",
        Tier.SESSION,
        description="Find what was said in earlier conversations, word for word, by the user or "
        "the assistant. Call it when it matters what exactly was said, or what you recommended.",
        answer=SaidMessages,
    )
    @operation(f"GET {_ALL}/search", id="search_conversations")
    @operation(
        f"POST {_ALL}/search",
        id="search_conversations_posted",
        summary="The same as JSON",
        body_required=True,
    )
    async def search(
        self,
        query: Annotated[str, SEARCHED, field("What was talked about, in a few words.")],
        *,
        limit: Annotated[int, field("The most messages to return.", high=MOST_FOUND)] = 10,
        assistant: Annotated[
            bool, field("Whether what the assistant said is found too, marked as hearsay.")
        ] = True,
        conversation_id: Annotated[
            str | None,
            OptionalText,
            field("Only this conversation, by the id that a search returned."),
        ] = None,
        **ids: Unpack[ScopeIds],
    ) -> SpokenHitResults:
        """What was said about something, by the user and by the assistant, best first.

        At most `limit` (up to 50), by words and meaning. What the assistant said is `hearsay`;
        without `assistant` it is left out. The newest 600 turns of the scope are searched, or those
        of one conversation. A passage that reads like an order to a model is not among the results.
        Raises EmbeddingError.
        """
        scope = self._view.scope(**ids)
        inputs.check_query(query)
        if conversation_id is not None:
            _check_id(conversation_id)
        hits = await self._engine.conversations.search(
            scope,
            query,
            limit=limit,
            roles=(USER, ASSISTANT) if assistant else (USER,),
            conversation_id=conversation_id,
        )
        return SpokenHitResults(results=[_found_dict(hit) for hit in hits])

    @operation(
        f"DELETE {_ONE}",
        Right.WRITE,
        id="erase_conversation",
        sure="Erase all that was said in {conversation_id}?",
    )
    async def erase(
        self,
        conversation_id: ConversationId,
        *,
        memories: Annotated[
            bool, field("Forget what was learned from it too; the answer has a receipt.")
        ] = False,
        **ids: Unpack[ScopeIds],
    ) -> ErasedDict:
        """Erase all that was said in a conversation, and its episodes; what was learned stays.

        With `memories` the memories that name one of its turns are forgotten too, and the
        result has the receipt. A client that sends the conversation again brings nothing back;
        its new turns are kept as others are. Raises NotFoundError; NotForgottenError and
        StoreError: call it again.
        """
        scope = self._view.scope(**ids)
        _check_id(conversation_id)
        turns = await self._all_turns(scope, conversation_id)
        if not turns:
            await self._engine.forgetter.erase_turns(scope, [])
            raise _unknown(conversation_id)
        turn_ids, own = list(turns), next(iter(turns.values()))
        if not memories:
            return ErasedDict(erased=await self._erased(own, conversation_id, turn_ids))
        receipt = await self._engine.forgetter.forget_turns(own, turn_ids)
        # Threads and other caches of the conversation, which no memory's id tells of.
        await self._engine.bus.announce(own)
        return ErasedDict(erased=receipt.turns, receipt=receipt.as_dict())

    async def _erased(self, scope: Scope, conversation_id: str, turn_ids: Sequence[str]) -> int:
        """Erase turns, and the episodes that tell them; returns how many turns held text."""
        episodes = episodes_with(scope, conversation_id, turn_ids)
        return await self._engine.forgetter.erase_turns(scope, turn_ids, episodes)

    async def _all_turns(self, scope: Scope, conversation_id: str) -> dict[str, Scope]:
        """The turns of a conversation, in order, with their scope; their texts are not kept."""
        reads, found, after = self._engine.parts.state.conversations, dict[str, Scope](), 0
        while page := await reads.conversation_turns(
            scope, conversation_id, after_seq=after, limit=ERASED_AT_A_TIME
        ):
            found |= {turn.id: turn.scope for turn in page}
            after = page[-1].seq
        return found


def _check_id(conversation_id: object) -> None:
    if not isinstance(conversation_id, str) or not conversation_id.strip():
        raise InvalidInputError("conversation_id", "expected the id of a conversation")
    if len(conversation_id) > MAX_CONVERSATION_ID:
        raise InvalidInputError(
            "conversation_id", f"must have at most {MAX_CONVERSATION_ID} characters"
        )
    inputs.check_unicode("conversation_id", conversation_id)


def _unknown(conversation_id: str) -> NotFoundError:
    return NotFoundError(f"there is no conversation {conversation_id!r}")


def _named(scope: Scope) -> str:
    """The scope in a cursor: that of another one is refused."""
    return f"{scope.tenant} {sorted(scope.ids().items())}"


def _place(mark: ListMark) -> tuple[int, int]:
    """The position before the next message's turn, and how many messages of that were shown."""
    if mark.created < 0 or mark.id not in ("0", "1"):
        raise no_cursor()
    return mark.created, int(mark.id)


def _mark(last: ConversationMessage) -> ListMark:
    """Where the page after this message begins."""
    whole = messages_of(last.turn)[-1].role == last.role
    return ListMark(last.turn.seq, "0") if whole else ListMark(last.turn.seq - 1, "1")


def _bounded(said: list[ConversationMessage]) -> list[ConversationMessage]:
    """As many as fit a page, at least one."""
    left, kept = PAGE_CHARS, list[ConversationMessage]()
    for one in said:
        if kept and len(one.text) > left:
            break
        left -= len(one.text)
        kept.append(one)
    return kept


def _conversation_dict(found: ConversationSummary) -> ConversationDict:
    agent = found.scope.agent_id
    begins = " ".join(found.begins.split())
    preview = begins if len(begins) <= PREVIEW else f"{begins[: PREVIEW - 1]}…"
    agents = [] if agent is None else [agent]
    return shown_as(ConversationDict, found, agents=agents, preview=preview, **found.scope.ids())


def _spoken_dict(message: ConversationMessage) -> SpokenDict:
    turn = message.turn
    return shown_as(
        SpokenDict, turn, role=message.role, content=message.text, turn_id=turn.id,
        agent_id=turn.scope.agent_id,
    )  # fmt: skip


def _found_dict(hit: SpokenHit) -> SpokenHitDict:
    message, turn = hit.message, hit.message.turn
    return shown_as(
        SpokenHitDict, turn, turn_id=turn.id, role=message.role, text=hit.passage.text,
        score=hit.score, hearsay=message.hearsay, agent_id=turn.scope.agent_id,
    )  # fmt: skip
