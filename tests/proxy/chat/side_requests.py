"""A chat client in short: turns, then one more request; whether that is taken for a turn."""

from __future__ import annotations

import json

from recollect.filters import Answer, Capture, Exchange
from recollect.filters.capture import conversation_id_of, turn_id_of
from recollect.filters.side_requests import LastTurns
from recollect.memory.learn import LearnOptions
from recollect.memory.model.types import Scope
from recollect.proxy.chat.answer_manner import manner_of
from recollect.proxy.dialects.chat import parse_chat_body
from tests.support.state import InMemoryConversations, InMemoryJobs

ALICE = Scope(tenant="local", user_id="alice")
PEOPLE = 20.0
"""Seconds in which a person reads an answer and writes."""
AT_ONCE = 0.2


def user(text):
    return {"role": "user", "content": text}


def assistant(text):
    return {"role": "assistant", "content": text}


def system(text):
    return {"role": "system", "content": text}


TOOL = {"type": "function", "function": {"name": "shell"}}
CHAT = {"stream": True}
"""The fields of an ordinary chat."""


class Client:
    """One client's requests, one after the other, on a clock of its own."""

    def __init__(self):
        self.now = 1000.0
        self.conversations = InMemoryConversations()
        self.capture = Capture(self.conversations, InMemoryJobs(), LearnOptions())
        self.last_turns = self.capture.last_turns = LastTurns(clock=lambda: self.now)

    def begin(self, messages, scope=ALICE, *, learns=True, **fields):
        """Send a request; the exchange, marked if it is no turn."""
        body = parse_chat_body(json.dumps({"model": "m", "messages": messages, **fields}).encode())
        read = body.messages
        conversation_id = conversation_id_of(scope, None, read)
        exchange = Exchange(
            scope=scope,
            messages=read,
            model="m",
            conversation_id=conversation_id,
            turn_id=turn_id_of(conversation_id, read),
            manner=manner_of(body, read),
        )
        self.capture.notice(exchange, learns=learns)
        return exchange

    async def end(self, exchange, text, seconds=3.0):
        """Answer it after so many seconds."""
        self.now += seconds
        await self.capture.response(exchange, Answer(text))

    async def stored(self):
        """The user's texts of the last turn of each conversation."""
        turns = await self.conversations.pending(idle_since=None, scope=None)
        return [turn.user_text for turn in turns]

    async def chat(self, *turns, before=(), **fields):
        """Turns of (message, answer), each with those before it; the messages in the end."""
        messages = list(before)
        for said, answer in turns:
            messages.append(user(said))
            exchange = self.begin(messages, **(CHAT | fields))
            assert not exchange.is_side_request
            await self.end(exchange, answer)
            messages.append(assistant(answer))
            self.now += PEOPLE
        self.now -= PEOPLE
        return messages


async def is_side_request(turns, messages, *, after, chatting, asking):
    """Whether `messages`, sent so many seconds after the turns, are taken for no turn.

    A function as `messages` is given the conversation so far; `after` None means that the last turn
    is not answered yet.
    """
    client = Client()
    chatting = dict(chatting)
    before = chatting.pop("before", ())
    if after is None:
        *done, (said, _) = turns
        history = await client.chat(*done, before=before, **chatting)
        history = [*history, user(said)]
        client.now += PEOPLE
        client.begin(history, **(CHAT | chatting))
        client.now += AT_ONCE
    else:
        history = await client.chat(*turns, before=before, **chatting)
        client.now += after
    sent = messages(history) if callable(messages) else messages
    return client.begin(sent, **asking).is_side_request
