"""The methods of `AsyncMemory` that add memories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Unpack

from pydantic import SkipValidation

from ...model.inputs import (
    MAX_METADATA_BYTES,
    MAX_METADATA_LEVELS,
    MAX_REASON_CHARS,
    MAX_TEXT_CHARS,
    checked_type,
)
from ...model.types import MemoryType, Message
from ...model.usage import ReuseOutcome
from ...operations.common import (
    AsTime,
    Conditions,
    Importance,
    ManyMessages,
    MessageFields,
    OptionalText,
    RunMessages,
    Time,
    Timeout,
    ZoneFields,
)
from ...operations.declaring import As, field, operation
from ...operations.fields import judged
from ...operations.operation import PREFIX
from ...operations.rights import Right
from ...operations.scope import ScopeIds
from ..adding import NOT_ADDED, NOT_STORED
from ..results import AddResult
from .base import MemoryCalls

Instructions = Annotated[
    str | None,
    OptionalText,
    field("Instructions for the model; they replace the built-in ones."),
]


class AddingCalls(MemoryCalls):
    """The methods of `AsyncMemory` that add memories."""

    @operation(
        f"POST {PREFIX}",
        Right.WRITE,
        id="add",
        beside=ZoneFields,
        model_failure=NOT_ADDED,
    )
    async def add(
        self,
        messages: Annotated[
            str | Mapping[str, Any] | Sequence[Mapping[str, Any] | Message],
            As(SkipValidation[str | MessageFields | ManyMessages]),
            field(
                "A text of the user, one message, or a conversation. With `infer` false, a message "
                f"of more than {MAX_TEXT_CHARS} characters is stored as several memories.",
                title="a string or a list of messages",
            ),
        ],
        *,
        metadata: Annotated[
            Mapping[str, Any] | None,
            As(Conditions),
            field(
                f"Stored with each memory. At most {MAX_METADATA_BYTES} bytes as JSON and "
                f"{MAX_METADATA_LEVELS} levels."
            ),
        ] = None,
        infer: Annotated[
            bool, field("Whether a model extracts facts; if not, each message is stored unchanged.")
        ] = True,
        dedupe: Annotated[
            bool,
            field(
                "With `infer` false: whether a message is skipped if the scope has a memory with "
                "its text (apart from white space) and metadata."
            ),
        ] = True,
        prompt: Instructions = None,
        template: Annotated[
            str | None,
            OptionalText,
            field(
                "The template for extraction: one of `learn.templates`, `support`, `health` or "
                "`coding`. If not set, `default` of them."
            ),
        ] = None,
        includes: Annotated[
            str | None, OptionalText, field("Of what the model keeps facts only.")
        ] = None,
        excludes: Annotated[
            str | None, OptionalText, field("Of what the model keeps no facts.")
        ] = None,
        filters: Annotated[
            Mapping[str, Any] | None,
            As(Conditions),
            field(
                "Ids, as in the filters of a search. With `infer`, facts are compared only with "
                "the memories that pass the other conditions."
            ),
        ] = None,
        session: Annotated[
            str | None,
            OptionalText,
            field(
                "The conversation that the messages are of, as `x-recollect-session` names it. "
                "Default: the run."
            ),
        ] = None,
        timestamp: Annotated[
            Time,
            AsTime,
            field("Time of the messages: ISO 8601 or seconds since the epoch. Default: now."),
        ] = None,
        type: Annotated[  # noqa: A002 - the field's name
            MemoryType | str | None,
            As(Annotated[MemoryType | None, judged(lambda _, said: checked_type(said))]),
            field("The type of each new memory; by default the model says."),
        ] = None,
        importance: Importance = None,
        timeout: Timeout = None,  # noqa: ASYNC109 - of what the model does, not of the write
        **ids: Unpack[ScopeIds],
    ) -> AddResult:
        """Remember a conversation.

        `messages` is a text of the user, a message, or a list of messages (`role`, `content`). With
        `infer` a model extracts facts and each is reconciled with known memories; without it each
        message is stored as it is, unless the scope has its text already and `dedupe` is on;
        `skipped` lists the messages that are not stored. `metadata` is kept with each new memory,
        without secrets. `prompt` replaces the extraction instructions, or `template` names some;
        `includes` and `excludes` say which facts are wanted. Ids may also stand in `filters`, as of
        a search; its other conditions say which memories the facts are compared with, and what does
        not pass them is neither changed nor confirmed. With a `run_id`, or a `session` that names a
        conversation, what was said is recorded too, as a chat is, under the `conversation_id` of
        the result; messages that are given again are recorded once. `timestamp` is when the
        messages were said (default: now): a `datetime`, ISO 8601, or seconds since the epoch.
        `type` and `importance` (0 to 1) are those of every new memory; by default the model says.

        `timeout` is the longest time in seconds for extracting facts, however often the model is
        asked (default: 120, or `learn.llm.timeout_seconds` if that is longer); a write that has
        begun is finished. Without `infer` only descriptions of pictures are waited for
        (`learn.vision`); a picture of more than 6 MB is refused.

        Raises, and stores nothing: AddTimeoutError if the time is over; ModelError if the model
        fails; ExtractionError if nothing that it answers can be read; ConfigError if the model of
        `AsyncMemory.open` or `Memory` needs a key and has none.
        """
        scope, among = self._view.named(ids, filters)
        addition = await self._adder.addition(
            scope, messages, among=among, metadata=metadata, infer=infer, dedupe=dedupe,
            prompt=prompt, template=template, includes=includes, excludes=excludes,
            session=session, timestamp=timestamp, type=type,
            importance=importance, timeout=timeout,
        )  # fmt: skip
        return await addition.carry_out()

    @operation(
        f"POST {PREFIX}/procedures",
        Right.WRITE,
        id="add_procedure",
        tag="procedures",
        model_failure=NOT_STORED,
    )
    async def add_procedure(
        self,
        messages: RunMessages,
        *,
        metadata: Annotated[
            Mapping[str, Any] | None,
            As(Conditions),
            field("Stored with the procedure; not `run`, which is the record."),
        ] = None,
        success: Annotated[
            str | None,
            OptionalText,
            field(f"How it is known that the task is done. At most {MAX_REASON_CHARS} characters."),
        ] = None,
        outcome: Annotated[
            str | None,
            As(SkipValidation[ReuseOutcome | None]),
            field("How it went; by default its end tells.", title="success or failure"),
        ] = None,
        prompt: Instructions = None,
        timestamp: Annotated[
            Time,
            AsTime,
            field("When it ran: ISO 8601 or seconds since the epoch. Default: now."),
        ] = None,
        timeout: Timeout = None,  # noqa: ASYNC109 - of what the model does, not of the write
        **ids: Unpack[ScopeIds],
    ) -> AddResult:
        """Remember how something is done, from the messages of an agent's run.

        `messages` have the calls of tools (`tool_calls`) and their results (role `tool`). One with
        fewer than two steps teaches nothing (`rejected`). A run that failed, as its last result or
        the `outcome` says, leaves what to go on from: its goal, progress, errors and next step, and
        a record of its first 10 and last 30 steps, shortened. Of one that succeeded the memory is
        the procedure without the values of this run, with a record word for word. Its metadata is
        `metadata` and `run`, the record without secrets: `request`, `steps`, `answer`; `success`
        says how one knows that it is done (see `procedures`). It is quarantined until it is
        activated (`validate`). `prompt` replaces the instructions, `timestamp` is when
        it ran (default: now). `timeout` and what is raised are as of `add`.
        """
        return await self._adder.add_procedure(
            self._view.scope(**ids), messages, metadata=metadata, success=success, outcome=outcome,
            prompt=prompt, timestamp=timestamp, timeout=timeout,
        )  # fmt: skip
