"""The capture: a turn becomes durable, and perhaps due for learning."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from memory.learn import LearnOptions, job_for, turns_due
from memory.ports import ConversationStore, JobQueue
from memory.types import Turn, utc_now

from ..exchange import Answer, Exchange, turn_text
from .turns import learnable_text


class Capture:
    """Runs on the way back, before the last byte of the answer goes out."""

    name = "capture"

    def __init__(
        self,
        conversations: ConversationStore,
        jobs: JobQueue,
        options: LearnOptions,
        *,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        self._conversations = conversations
        self._jobs = jobs
        self._options = options
        self._clock = clock

    async def response(self, exchange: Exchange, answer: Answer) -> bool:
        """Keep the turn; True if it made its conversation due, so that a worker can be woken.

        Raises:
            StateError: the turn is not kept.
        """
        turn = self._turn(exchange, answer)
        if turn is None:
            return False
        recorded = await self._conversations.record(turn)
        if answer.tool_calls:
            # The turn goes on; learning it now would miss how it ends.
            return False
        if not turns_due(recorded.pending, every=self._options.every_turns):
            return False
        return await self._jobs.put(job_for(turn, recorded.seq, reason="turns"))

    def _turn(self, exchange: Exchange, answer: Answer) -> Turn | None:
        limit = self._options.max_answer_chars
        user_text = learnable_text(turn_text(exchange.messages, exchange.asked), limit)
        if not user_text.strip():
            return None
        return Turn(
            id=exchange.turn_id,
            conversation_id=exchange.conversation_id,
            scope=exchange.scope,
            user_text=user_text,
            assistant_text=learnable_text(answer.text, limit),
            model=exchange.model,
            created_at=self._clock(),
        )
