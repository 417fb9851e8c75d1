"""The model of a crash run: it answers from a script, and fails at first if it is to."""

from __future__ import annotations

import asyncio
import json

from recollect.memory.model.errors import ModelUnavailableError
from recollect.memory.model.types import ChatReply, ChatRequest
from recollect.memory.upkeep.reflect.questions import QUESTIONS_PROMPT
from tests.crash.failpoints import Journal
from tests.support.waiting import FOREVER_SECONDS

SAYS = "I want you to know: "
FACTS = (
    "plays the oboe", "collects stamps", "speaks Finnish", "is allergic to walnuts",
    "lives in Bergen", "drives a Volvo", "works as a nurse", "has a parrot named Koko",
    "was born in March", "hates coriander", "votes by mail", "studies law", "sails on weekends",
    "owns a bakery", "is vegetarian", "runs marathons", "paints watercolours", "fears spiders",
)  # fmt: skip
INSIGHT = "User plays, practises and teaches the oboe in Bergen"
EPISODE = "User plays the oboe in an orchestra and decided to move to Bergen in May.\nImportance: 8"


class Scripted:
    """A `ChatModel`."""

    def __init__(self, failures: list[str], journal: Journal) -> None:
        self._failures = failures
        self._journal = journal

    async def complete(self, request: ChatRequest) -> ChatReply:
        return await self._journal.around("model", lambda _: self._complete(request))

    async def _complete(self, request: ChatRequest) -> ChatReply:
        failure = self._failures.pop(0) if self._failures else ""
        if failure == "llm_500":
            raise ModelUnavailableError("InternalServerError (HTTP 500)")
        if failure == "llm_timeout":
            await asyncio.sleep(FOREVER_SECONDS)
        garbage = "<html>502 Bad Gateway</html>"
        return ChatReply(text=garbage if failure else _answer(request), model="m")

    async def close(self) -> None:
        """Nothing to release."""


def _answer(request: ChatRequest) -> str:
    heard = request.messages[-1].content
    said = [fact for fact in FACTS if f"{SAYS}{fact}" in heard]
    fields = set((request.schema or {}).get("properties", {}))
    if said:
        facts = [
            {"type": "semantic", "text": f"User {fact}", "quote": f"{SAYS}{fact}"} for fact in said
        ]
        return json.dumps({"facts": facts})
    if "points" in fields:
        return json.dumps({"points": [{"text": "User plays the oboe in Bergen", "notes": [1]}]})
    if request.messages[0].content == QUESTIONS_PROMPT:
        return "1. Where in Bergen does the user play the oboe in an orchestra?"
    if "insight" in fields:
        return json.dumps({"insight": INSIGHT, "notes": [1, 2]})
    if "decisions" in fields:
        return json.dumps({"decisions": []})
    return json.dumps({}) if fields else EPISODE
