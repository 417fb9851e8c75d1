"""The methods of `AsyncMemory` that take what somebody says of a memory, and take it back."""

from __future__ import annotations

from typing import Annotated, Unpack

from pydantic import Field

from ...model import inputs
from ...model.endings import ended_by_a_person
from ...model.errors import ConflictError, InvalidInputError
from ...model.types import MemoryItem, OwnerRef, utc_now
from ...model.usage import UNUSED, Feedback
from ...operations.common import MemoryId, Reason
from ...operations.declaring import As, field, operation
from ...operations.fields import judged
from ...operations.operation import PREFIX
from ...operations.rights import Right
from ...operations.scope import ScopeIds
from ..changing import FEEDBACK, feedback_reason
from ..judging import given_as
from ..results import FeedbackDict
from .base import MemoryCalls

_ONE = PREFIX + "/{memory_id}"
_NO_QUESTION = (
    "expected the message for which it is not wanted, or the `conversation` or turn in which it "
    "was given"
)


def _judged(_name: str, said: object) -> str:
    return inputs.checked_feedback(said).value


class JudgingCalls(MemoryCalls):
    """The methods of `AsyncMemory` that take what somebody says of a memory, and take it back."""

    @operation(f"POST {_ONE}/feedback", Right.WRITE, id="feedback", by_id=True, ids_twice=True)
    async def feedback(
        self,
        memory_id: MemoryId,
        feedback: Annotated[
            str,
            judged(_judged),
            field(
                "Whether the memory is right, wrong, outdated, or not wanted for such a question; "
                "or only useful or not, where `very_negative` counts as three.",
                json_schema_extra={"enum": [*inputs.FEEDBACK]},
            ),
        ],
        *,
        question: Annotated[
            str | None,
            As(Annotated[str, Field(max_length=inputs.MAX_TEXT_CHARS)] | None),
            field("With `not_now`: the message for which it is not wanted."),
        ] = None,
        conversation: Annotated[
            str | None,
            As(Annotated[str, Field(min_length=8, max_length=inputs.MAX_ID_CHARS)] | None),
            field(
                "With `not_now`, in place of the question: the turn that was given it, or its "
                "conversation for the newest such, as `recent` and `x-recollect-explain` name them."
            ),
        ] = None,
        reason: Annotated[
            str | None, As(Reason), field("Why, for the history of the memory.")
        ] = None,
        **ids: Unpack[ScopeIds],
    ) -> FeedbackDict:
        """Say that a memory is right, wrong, outdated or not wanted now; or useful or not.

        `feedback` is the word. `right` counts as if the user said it again. `wrong` quarantines it,
        `outdated` ends it as of now; neither erases. `not_now` keeps it from chats that ask what
        the `question` asks, or what was asked in the turn or `conversation`. `positive`, `negative`
        and `very_negative` (counts as three) only rank it. `undo_feedback` takes each back. The
        `reason` is kept in its history. Only its owner's feedback reaches a memory. What was said,
        and a working block, take none: InvalidInputError, NotFoundError.
        """
        told, why = Feedback(feedback), self._engine.redact(reason or "")
        owner_ref = self._view.owner_ref(**ids)
        item = await self._lookup.existing(owner_ref, memory_id)
        if told is not Feedback.NOT_NOW and (question or conversation):
            field = "question" if question else "conversation"
            raise InvalidInputError(field, "expected only with the feedback `not_now`")
        match told:
            case Feedback.WRONG:
                async with self._engine.bus.announce_after(self.tenant, memory_id):
                    item, name = await self._judging.doubt(item, why)
                    await self._denier.deny(item)
                    await self._retelling.leave_out(item)
            case Feedback.OUTDATED:
                item, name = await self._outdated(item, feedback_reason(told, why))
            case Feedback.NOT_NOW:
                asked = await self._asked(owner_ref, memory_id, question, conversation)
                item, name = await self._judging.put_off(item, asked, why)
            case _:
                _, name = await self._changes.feedback(item, told, why)
        return await self._said_of(item, name)

    @operation(
        f"POST {_ONE}/feedback/undo", Right.WRITE, id="undo_feedback", by_id=True, ids_twice=True
    )
    async def undo_feedback(
        self,
        memory_id: MemoryId,
        feedback_id: Annotated[str, field("The `feedback_id` that `feedback` gave.")],
        **ids: Unpack[ScopeIds],
    ) -> FeedbackDict:
        """Take a feedback back, by its `feedback_id`: the memory is as it was before.

        Raises NotFoundError, and ConflictError if it is undone already, if a later `wrong` or
        `outdated` has to be undone first, or if somebody changed the memory otherwise.
        """
        item = await self._lookup.existing(self._view.owner_ref(**ids), memory_id)
        records = await self._engine.parts.history.of(item.scope.tenant, item.id)
        told = given_as(item, records, feedback_id)
        async with self._engine.bus.announce_after(self.tenant, memory_id):
            match told:
                case Feedback.WRONG:
                    before, item = item, await self._judging.believe(item, feedback_id)
                    await self._tell_again(before)
                case Feedback.OUTDATED:
                    if not ended_by_a_person(item):
                        raise ConflictError("it holds again already: nothing is to be undone")
                    before, item = item, await self._retelling.revert(item)
                    await self._judging.uncount(item, told, feedback_id)
                    await self._tell_again(before)
                case Feedback.NOT_NOW:
                    item = await self._judging.put_back(item, feedback_id)
                case _:
                    await self._judging.uncount(item, told, feedback_id)
        return await self._said_of(item, feedback_id)

    async def _outdated(self, item: MemoryItem, feedback: str) -> tuple[MemoryItem, str]:
        async with self._engine.bus.announce_after(self.tenant, item.id):
            ended = await self._retelling.invalidate(item, feedback, utc_now(), feedback=feedback)
            await self._denier.deny(ended)
        records = await self._engine.parts.history.of(item.scope.tenant, item.id)
        told = (
            one.id for one in reversed(records) if (one.stage, one.reason) == (FEEDBACK, feedback)
        )
        return ended, next(told)

    async def _asked(
        self, owner_ref: OwnerRef, memory_id: str, question: str | None, conversation: str | None
    ) -> str:
        """The message for which a memory is not wanted."""
        if question:
            inputs.check_text("question", question)
            return question
        if not conversation:
            raise InvalidInputError("question", _NO_QUESTION)
        turns = self._engine.parts.state.conversations
        for turn in await turns.begun_with(owner_ref, conversation):
            if memory_id in turn.recalled:
                return turn.user_text
        raise InvalidInputError(
            "conversation", "expected one in which a chat was given it and was kept: name the "
            "question instead"
        )  # fmt: skip

    async def _said_of(self, item: MemoryItem, feedback_id: str) -> FeedbackDict:
        """What everybody said of it so far, which ranks it from now on."""
        used = await self._engine.parts.state.usage.of(item.scope.tenant, [item.id])
        usage = used.get(item.id, UNUSED)
        self._engine.recaller.indexes.note_usage(item.scope, {item.id: usage})
        return FeedbackDict(
            id=item.id,
            feedback_id=feedback_id,
            status=item.status.value,
            positive=usage.positive,
            negative=usage.negative,
            rating=round(usage.rating, 4),
        )
