"""Steps through a conversation: recalled for, injected, captured, learned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from recollect.filters import Answer, Exchange
from recollect.memory.model.types import Message, Scope, ToolCall
from recollect.memory.model.visible_scope import VisibleScope
from recollect.proxy.chat.debug import explain_header
from recollect.proxy.chat.threads import Thread, asked, thread_for

from .api_steps import mood_of, own_text, scopes
from .witness import Reach, ensure

if TYPE_CHECKING:
    from .steps import Step
    from .world import World

CALL = ToolCall("look_up", '{"what": "it"}', "call_1")
SESSIONS = (None, "s", "s/1")
"""Everybody names the same ones."""


@dataclass(frozen=True)
class Said:
    """A request: its messages, and where the client says that it belongs."""

    messages: list[Message]
    session: str | None = None
    previous: str | None = None


async def say(world: World, step: Step) -> None:
    """Something of one's own, which is captured."""
    caller, _ = scopes(world, step)
    text = own_text(world, step)
    messages = [Message(role="user", content=text)]
    if step.number % 4 == 1:
        # The same first message for everybody: a conversation may be known by how it begins.
        messages[:0] = [_user("Hi!"), Message(role="assistant", content="Hello.")]
    await _exchange(world, caller, Said(messages, SESSIONS[step.number % 3]), "say", keeps=text)


async def ask(world: World, step: Step) -> None:
    """About another one, in words that stand in what the other has said."""
    caller, _ = scopes(world, step)
    messages = [_user(world.people.question(step.other, step.number))]
    await _exchange(world, caller, Said(messages, SESSIONS[step.number % 3]), "ask")


async def tools(world: World, step: Step) -> None:
    """A turn with tools, gone on with by its owner, and by another who sends the same bytes."""
    caller, other = scopes(world, step)
    question = _user(world.people.question(step.who, step.number))
    session = SESSIONS[step.number % 3]
    await _exchange(world, caller, Said([question], session), "tools", calls=(CALL,))
    later = [
        question,
        Message(role="assistant", content="", calls=(CALL,)),
        Message(role="tool", content="42", call_id=CALL.id),
    ]
    for who in (other, caller):
        await _exchange(world, who, Said(later, session), "tools")


async def go_on(world: World, step: Step) -> None:
    """From an answer the upstream keeps, which may be another's; with tools alone, too."""
    caller, _ = scopes(world, step)
    if not world.responses:
        return
    previous = world.responses[-1 - step.number % len(world.responses)]
    messages = [_user(world.people.question(step.other, step.number))]
    if step.number % 3 == 0:
        messages = [Message(role="tool", content="42", call_id=CALL.id)]
    await _exchange(world, caller, Said(messages, None, previous), "go_on")


async def learn(world: World, step: Step) -> None:
    """All that one's scope has to teach; the jobs of others may run as well."""
    caller, _ = scopes(world, step)
    if step.number % 2 and world.said:
        caller = world.said[-1][0]
    world.model.mood = mood_of(world, step)
    visible_scope = VisibleScope.of(caller)
    runs = await world.call(
        "learn", visible_scope, world.learning.flush(caller), reach=_held(world)
    )
    ensure(all(caller.admits(run.job.scope) for run in runs or ()), f"{caller} is told of {runs}")
    world.done.update(f"learned {event.value}" for run in runs or () for event in run.events)


async def drain(world: World) -> None:
    """Learn everything that is left."""
    world.model.mood = "honest"
    world.witness.reach = _held(world)
    for run in await world.learning.flush(None):
        world.ears.hear(VisibleScope.of(run.job.scope), run)


async def _exchange(
    world: World,
    scope: Scope,
    said: Said,
    kind: str,
    *,
    keeps: str = "",
    calls: tuple[ToolCall, ...] = (),
) -> None:
    """As the route with memory does it, between the client and the upstream."""
    parent = world.parts.threads.find(scope, said.previous) if said.previous else None
    thread = thread_for(scope, said.session, said.messages, said.previous, parent)
    exchange = Exchange(
        scope=scope,
        messages=said.messages,
        model="m",
        conversation_id=thread.conversation_id,
        turn_id=thread.turn_id,
        asked=thread.asked,
        shown=thread.shown,
    )
    verdict = await world.call(kind, VisibleScope.of(scope), world.pipeline.recall(exchange))
    world.ears.hear(VisibleScope.of(scope), (exchange, explain_header(verdict, exchange)))
    # The assistant tells what it was told.
    told = "As you know: " + "\n".join(each.text for each in exchange.injections)
    response = f"resp_{len(world.responses)}"
    await world.pipeline.capture(exchange, Answer(told, tool_calls=calls, response_id=response))
    kept = Thread(
        exchange.conversation_id,
        exchange.turn_id,
        asked(exchange.messages, exchange.asked),
        exchange.shown | exchange.injected,
    )
    world.parts.threads.note(scope, response, kept)
    world.responses.append(response)
    if keeps:
        world.said.append((scope, exchange.conversation_id, exchange.turn_id, keeps))


def _held(world: World) -> Reach:
    """While it learns: what a job's own scope holds, if that was forgotten meanwhile."""
    return lambda item: world.held(item.scope)


def _user(text: str) -> Message:
    return Message(role="user", content=text)
