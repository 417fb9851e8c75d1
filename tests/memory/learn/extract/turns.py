"""What the tests of this room talk about: turns, and answers of an extractor."""

import json
from dataclasses import replace
from datetime import UTC, datetime

from recollect.memory.learn.extract.answer import Fact
from recollect.memory.learn.extract.transcript import units_of
from recollect.memory.learn.extract.turn_texts import TurnTexts
from recollect.memory.model.types import ChatReply, Scope, ToolStep
from tests.memory.learn.doubles import Says, a_turn

MONDAY = datetime(2026, 3, 2, 23, 40, tzinfo=UTC)
ALICE = Scope(tenant="local", user_id="alice")


def turn(user, assistant="", *, n=1, at=MONDAY, steps=()):
    """Turn number `n`, with tools as (name, result)."""
    return a_turn(
        f"t{n}",
        "c",
        ALICE,
        user,
        assistant,
        at,
        seq=n,
        steps=tuple(ToolStep(name, "{}", result) for name, result in steps),
    )


def talk(*users):
    """Turns of these user messages, in order."""
    return [turn(user, n=n) for n, user in enumerate(users, 1)]


def said(*turns):
    return TurnTexts(units_of(turns))


def fact(text, quote=None, **details):
    return Fact(text=text, quote=quote, **details)


def stated(text, quote, n=1, **details):
    """A fact as a model writes it down."""
    return {"type": "semantic", "turn": n, "quote": quote, "text": text} | details


def answer(*facts):
    return json.dumps({"facts": list(facts)}, ensure_ascii=False)


class Counts(Says):
    """Says its lines, and how many tokens they were."""

    def __init__(self, *lines, tokens):
        super().__init__(*lines)
        self.tokens = tokens

    async def complete(self, request) -> ChatReply:
        return replace(await super().complete(request), completion_tokens=self.tokens)
