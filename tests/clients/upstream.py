"""A model server whose answers show what it was sent: it knows an allotment's number only by memory.

Chat completions and responses, whole or streamed. Offered `get_weather`, it calls it and repeats what
the tool said; offered another tool or a schema, it fills in `number`; asked to extract facts, it finds
the number that the user told.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from aiohttp import web

from recollect.memory.upkeep.episodes.episode_text import PROMPT as EPISODE_PROMPT
from tests.clients.rendering import Call, Reply, as_chat, as_response

UNKNOWN = "I do not know."
TOOL, SEARCH = "get_weather", "fact_search"
INSTRUCTED = ("system", "developer", "user")
"""The roles of messages in which memories may stand."""


def answer_with(number: int) -> str:
    """What it says when it knows."""
    return f"Your allotment has the number {number}."


def fact_of(number: int) -> str:
    """The memory that learning makes of what was told."""
    return f"User's allotment number is {number}"


@dataclass(frozen=True)
class Received:
    """One request, as it came."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]

    @property
    def items(self) -> list[dict[str, Any]]:
        """The messages, or the input of a response."""
        said = self.body.get("messages", self.body.get("input", []))
        return [{"role": "user", "content": said}] if isinstance(said, str) else said

    def texts(self, *roles: str) -> list[str]:
        """What messages of these roles say."""
        return [text_of(i["content"]) for i in self.items if i.get("role") in roles]

    @property
    def said(self) -> str:
        """The last words of the user."""
        return (self.texts("user") or [""])[-1]

    @property
    def known(self) -> int | None:
        """The number that a memory tells, wherever it stands: no client says it in these words."""
        told = "\n".join([*self.texts(*INSTRUCTED), self.body.get("instructions") or ""])
        found = re.search(r"allotment number is (\d+)", told)
        return int(found[1]) if found else None

    @property
    def is_learning(self) -> bool:
        """Whether it comes from the learner, which asks for facts or an episode."""
        asks_for_facts = '"facts"' in json.dumps(self.body.get("response_format"))
        return asks_for_facts or EPISODE_PROMPT in map(text_of, self._contents)

    @property
    def _contents(self) -> list[Any]:
        return [item.get("content") for item in self.items if item.get("content") is not None]

    @property
    def tool_result(self) -> str | None:
        """What a tool answered since the user spoke."""
        last = self.items[-1]
        if last.get("role") == "tool":
            return text_of(last["content"])
        return last["output"] if last.get("type") == "function_call_output" else None

    @property
    def tools(self) -> list[str]:
        """The names of the tools that are offered."""
        return [t.get("function", t)["name"] for t in self.body.get("tools") or []]

    @property
    def wants_schema(self) -> bool:
        """Whether the answer has to be JSON of a schema."""
        chat = self.body.get("response_format") or {}
        response = (self.body.get("text") or {}).get("format") or {}
        return "json_schema" in {chat.get("type"), response.get("type")}


def text_of(content: Any) -> str:
    """A message's text, whether in parts or not."""
    return content if isinstance(content, str) else "".join(p.get("text", "") for p in content)


def reply_to(request: Received) -> Reply:
    """What this model answers."""
    if request.is_learning:
        return Reply(_facts(request.said))
    if (result := request.tool_result) is not None:
        return Reply(result)
    form = json.dumps({"number": request.known or 0})
    if request.tools:
        weather = json.dumps({"place": f"allotment {request.known or 0}"})
        return Reply(
            calls=(Call("call_1", request.tools[0], weather if TOOL in request.tools else form),)
        )
    if request.wants_schema:
        return Reply(form)
    return Reply(answer_with(request.known) if request.known else UNKNOWN)


def _facts(transcript: str) -> str:
    found = re.search(r"my allotment has the number (\d+)", transcript)
    if found is None:
        return json.dumps({"facts": []})
    fact = {"type": "semantic", "turn": 1, "importance": 0.7}
    shape = ("subject", "predicate", "object")
    rest = {"quote": found[0], "text": fact_of(int(found[1])), **dict.fromkeys(shape, "")}
    return json.dumps({"facts": [fact | rest]})


class ScriptedUpstream:
    """Serves on a free port; `received` is every request so far."""

    def __init__(self) -> None:
        self.received: list[Received] = []

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=1 << 24)
        app.router.add_route("*", "/{path:.*}", self._handle)
        self._runner = web.AppRunner(app)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.base_url = f"http://127.0.0.1:{self._runner.addresses[0][1]}/v1"
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._runner.cleanup()

    def reply(self, request: Received) -> Reply:
        """What this model answers to a request."""
        return reply_to(request)

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        body = await request.json() if request.can_read_body else {}
        received = Received(request.path, dict(request.headers), body)
        self.received.append(received)
        match request.path:
            case "/v1/chat/completions":
                return as_chat(received.body, self.reply(received))
            case "/v1/responses":
                return as_response(received.body, self.reply(received))
            case "/v1/models":
                return web.json_response({"object": "list", "data": [{"id": "m"}]})
            case _:
                return web.json_response({"error": {"message": "no such path"}}, status=404)


class ToolUpstream(ScriptedUpstream):
    """Looks the number up by the tool of memory that it is offered, and knows it by the result only."""

    def reply(self, request: Received) -> Reply:
        """The call first, then the answer."""
        if request.is_learning:
            return super().reply(request)
        if (result := request.tool_result) is not None:
            found = re.search(fact_of(0).replace("0", r"(\d+)"), result)
            return Reply(answer_with(int(found[1])) if found else UNKNOWN)
        if SEARCH not in request.tools:
            return Reply(UNKNOWN)
        return Reply(
            calls=(Call("call_1", SEARCH, json.dumps({"query": "number of the allotment"})),)
        )
