"""The extraction model as an attacker would have it: honest by turns, lying otherwise."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

from recollect.memory.model.types import ChatReply, ChatRequest, Scope
from recollect.memory.model.visible_scope import VisibleScope

from .ears import Ears
from .people import People

TOKENS = 3
"""What each call costs, twice."""
SAID = re.compile(
    r"\b(?:I|My) [^\n\"]{0,80}?[A-J]x[a-j]+x[a-j]+seal|" + 'I live in Oslo and[^\n".]*'
)
STRANGER = "a stranger who has no seal"
"""What a model makes up is kept, for whom it was asked for to see; other people's words it never
hears, so it cannot tell them."""
MOODS = ("honest", "foreign", "borrowed", "ids", "verdicts", "prose")


class Liar:
    """A `ChatModel`. It is asked on behalf of one scope at a time, and told no other's words."""

    def __init__(self, people: People, ears: Ears) -> None:
        self._people = people
        self._ears = ears
        self.mood = "honest"
        self.speaks_for: Callable[[], Scope] | None = None
        """Whose conversation it is asked about."""
        self.ids: list[str] = []
        """Ids of other people's memories that it has got hold of."""
        self._dice = random.Random(0)
        self._asked_for: Counter[str] = Counter()

    async def complete(self, request: ChatRequest) -> ChatReply:
        assert self.speaks_for is not None
        scope = self.speaks_for()
        asked = "\n".join(message.content for message in request.messages)
        self._ears.hear(VisibleScope.of(scope), asked)
        self._asked_for[scope.tenant] += 1
        text = self._answer(request.messages[-1].content)
        return ChatReply(text=text, model="liar", prompt_tokens=TOKENS, completion_tokens=TOKENS)

    async def close(self) -> None:
        """Nothing to release."""

    def cost(self, tenant: str) -> int:
        """Tokens that a tenant's calls have cost so far, of each kind."""
        return TOKENS * self._asked_for[tenant]

    def _answer(self, asked: str) -> str:
        if "New fact 1" in asked:
            return self._verdicts(asked)
        facts = [_fact(said) for said in SAID.findall(asked)]
        if self.mood == "prose":
            return f"I would rather tell you this: {asked[:200]}"
        if self.mood == "foreign":
            facts += [_fact(said) for said in self._made_up()]
        if self.mood == "borrowed":
            # Nobody's words, with evidence that is there.
            own = facts[0]["quote"] if facts else "I"
            facts = [_fact(said, quote=own) for said in self._made_up()]
        if self.mood == "ids":
            facts = [
                fact | {"id": name, "memory_id": name, "user_id": "y", "event": "DELETE"}
                for fact, name in zip(facts, [*self.ids, *("x" for _ in facts)], strict=False)
            ]
        return json.dumps({"facts": facts})

    def _made_up(self) -> list[str]:
        """What nobody said. It is shown only to whom the model was asked for."""
        return [f"I keep my bicycle near lure{n} by {STRANGER}" for n in range(2)]

    def _verdicts(self, asked: str) -> str:
        """About each fact: that it replaces or ends the first one known, or one not offered."""
        events = ("UPDATE", "DELETE", "NONE")
        known: list[Any] = [1, 1, 2, 99, -1, *self.ids[:2]]
        rows = [
            {"fact": n, "event": self._dice.choice(events), "known": self._dice.choice(known)}
            for n in range(1, 1 + asked.count("New fact "))
        ]
        return json.dumps({"decisions": rows if self.mood != "prose" else asked[:100]})


def _fact(said: str, *, quote: str | None = None) -> dict[str, Any]:
    return {"type": "semantic", "turn": 1, "text": said, "quote": quote or said}
