"""The kinds of requests whose costs are counted, in the order of the file.

Each time, a kind asks something that was not asked before, unless its name says so, and what
changes a user's state is asked by a user of its own: no number falls because something is cached,
or rises with what was asked before. Texts differ in their numbers only, because how much is read in
a text depends on its words.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .asking import (
    CALL_OF_CHAT,
    FLAT_TOOLS,
    MEMORIES,
    TOOLS,
    chat,
    conversation,
    question,
    remember,
    respond,
    statement,
    told,
)
from .later import later
from .outside import answer_id
from .product import Composed

USERS = 20

Step = Callable[[Composed, int], str]
"""Asks for the time of this number; returns what came of it."""


@dataclass(frozen=True, slots=True)
class Kind:
    """`count` is counted; `ready`, before it, is not. `begin` comes once, before all of them."""

    name: str
    count: Step
    ready: Step | None = None
    begin: Callable[[Composed], None] | None = None


def kinds() -> list[Kind]:
    return [
        *_passed(),
        *_skipped(),
        *_recalls(),
        *_turns(),
        *_responses(),
        *_api(),
        *(Kind(name, count, ready) for name, count, ready in later()),
    ]


def _passed() -> list[Kind]:
    def models(product: Composed, _number: int) -> str:
        return told(product.outside.ask("GET", "/v1/models"))

    def stream(product: Composed, number: int) -> str:
        body = {"model": "m", "prompt": f"Text {number:03}", "stream": True}
        return told(product.outside.ask("POST", "/v1/completions", body))

    return [Kind("pass-through, models", models), Kind("pass-through, stream", stream)]


def _with_memories(name: str, text: str, *headers: str) -> Kind:
    """Asked by a user with memories who has asked nothing else yet."""
    user = name.replace(",", "").replace(" ", "-")

    def ask(product: Composed, number: int) -> str:
        messages = conversation(f"sample {number:03}", text.format(number))
        return told(chat(product, user, messages, *headers))

    return Kind(name, ask, begin=lambda product: remember(product, user))


def _skipped() -> list[Kind]:
    fact = "What is the atomic mass of element {:03}?"
    return [
        _with_memories("chat, greeting", "hello"),
        _with_memories("chat, general fact", fact),
        _with_memories("chat, task for a tool", "how much is 18% of {:03}"),
        _with_memories("chat, memory off", question(0), "x-recollect-memory: off"),
    ]


def _recalls() -> list[Kind]:
    def asks(user: str) -> Step:
        def ask(product: Composed, number: int) -> str:
            messages = conversation(f"sample {number:03}", question(number))
            return told(chat(product, user.format(number % USERS), messages))

        return ask

    def arrives(product: Composed, number: int) -> str:
        remember(product, f"new{number % USERS}")
        return ""

    def before(product: Composed, number: int) -> str:
        user = f"user{number % USERS}"
        return told(
            chat(product, user, conversation(f"before {number:03}", question(number + 500)))
        )

    def all_users(product: Composed) -> None:
        for number in range(USERS):
            remember(product, f"user{number}")

    again = asks("again")
    nothing = "Which kiln fired my enamel, batch {:03}?"
    return [
        Kind("chat, question without memories", asks("nobody")),
        _with_memories("chat, recall that finds nothing", nothing),
        Kind("chat, recall, 1 user", asks("alice"), begin=lambda p: remember(p, "alice")),
        Kind("chat, recall, 20 users", asks("user{}"), before, all_users),
        Kind("chat, recall, first of a user", asks("new{}"), arrives),
        Kind("chat, recall, the same again", again, again, lambda p: remember(p, "again")),
    ]


def _turns() -> list[Kind]:
    def states(**fields: Any) -> Step:
        def ask(product: Composed, number: int) -> str:
            messages = conversation(f"sample {number:03}", statement(number))
            return told(chat(product, f"stating{number}", messages, **fields))

        return ask

    def asked(number: int) -> list[dict[str, Any]]:
        return conversation(f"sample {number:03}", question(number))

    def begins(product: Composed, number: int) -> str:
        return told(chat(product, "tooled", asked(number), tools=TOOLS))

    def goes_on(product: Composed, number: int) -> str:
        messages = [
            *asked(number),
            {"role": "assistant", "content": None, "tool_calls": [CALL_OF_CHAT]},
            {"role": "tool", "tool_call_id": "call_1", "content": f"Found {number:03}."},
        ]
        return told(chat(product, "tooled", messages, tools=TOOLS))

    return [
        Kind("chat, a statement", states()),
        Kind("chat, a statement, streamed", states(stream=True)),
        Kind("chat, after a tool", goes_on, begins, lambda p: remember(p, "tooled")),
    ]


def _responses() -> list[Kind]:
    answers: dict[int, str] = {}

    def greets(product: Composed, number: int) -> str:
        return told(respond(product, "greeting", conversation(f"sample {number:03}", "hello")))

    def asks(product: Composed, number: int) -> str:
        messages = conversation(f"sample {number:03}", question(number))
        return told(respond(product, "bob", messages))

    def streams(product: Composed, number: int) -> str:
        messages = conversation(f"sample {number:03}", statement(number))
        return told(respond(product, f"responding{number}", messages, stream=True))

    def begins(product: Composed, number: int) -> str:
        seen = respond(product, "respooled", question(number), tools=FLAT_TOOLS)
        answers[number] = answer_id(seen)
        return told(seen)

    def goes_on(product: Composed, number: int) -> str:
        result = {"type": "function_call_output", "call_id": "call_1", "output": f"Is {number:03}."}
        named = {"previous_response_id": answers[number]}
        return told(respond(product, "respooled", [result], tools=FLAT_TOOLS, **named))

    return [
        Kind("responses, greeting", greets, begin=lambda p: remember(p, "greeting")),
        Kind("responses, recall, 1 user", asks, begin=lambda p: remember(p, "bob")),
        Kind("responses, a statement, streamed", streams),
        Kind("responses, after a tool", goes_on, begins, lambda p: remember(p, "respooled")),
    ]


def _api() -> list[Kind]:
    def adds(product: Composed, number: int) -> str:
        messages = [{"role": "user", "content": statement(number)}]
        body = {"user_id": f"adding{number}", "messages": messages, "infer": False}
        return told(product.outside.ask("POST", MEMORIES, body))

    def arrives(product: Composed, number: int) -> str:
        remember(product, f"adding{number}")
        return told(product.outside.ask("GET", f"{MEMORIES}?user_id=adding{number}"))

    def searches(product: Composed, number: int) -> str:
        body = {"user_id": "searching", "query": question(number)}
        return told(product.outside.ask("POST", f"{MEMORIES}search/", body))

    def lists(product: Composed, _number: int) -> str:
        return told(product.outside.ask("GET", f"{MEMORIES}?user_id=listing"))

    return [
        Kind("API, add", adds, arrives),
        Kind("API, search", searches, begin=lambda p: remember(p, "searching")),
        Kind("API, list", lists, begin=lambda p: remember(p, "listing")),
    ]
