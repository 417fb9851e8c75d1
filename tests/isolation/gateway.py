"""The whole application in gateway mode, between clients of several tenants and their upstream."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any, Self

from aiohttp import ClientResponse, web
from aiohttp.test_utils import TestClient, TestServer

from recollect.config import load_settings
from recollect.memory import AsyncMemory
from recollect.memory.engine.engine import Engine
from recollect.memory.model.types import Scope
from recollect.memory.model.visible_scope import VisibleScope
from recollect.proxy.access.identity import hashed_tenant
from recollect.proxy.app import HANDLERS, build_app

from .ears import Ears, LeakError
from .liar import SAID
from .people import People

if TYPE_CHECKING:
    from .credentials import Credential

KEYS = {"acme": "key-a", "emca": "key-b"}
STRANGER = "key-c"
"""A credential nobody has listed: a tenant of its own, which may chat and not use the API."""
SPEAKER = "x-test-speaker"
"""Passes through to the upstream, which so knows whose request it got."""


def clients(world: int, users: tuple[str, str]) -> People:
    """Two users of one tenant, the first one again in two others, and with an agent."""
    one, two = users
    return People(
        world,
        (
            Scope(tenant="acme", user_id=one),
            Scope(tenant="acme", user_id=two),
            Scope(tenant="emca", user_id=one),
            Scope(tenant=hashed_tenant(STRANGER, "h"), user_id=one),
            Scope(tenant="acme", user_id=one, agent_id="a"),
        ),
    )


class Gateway:
    """`ask` is a request; whatever comes back, and whatever the upstream is told, is listened to."""

    def __init__(self, people: People, **flags: Any) -> None:
        self.people = people
        self.scopes: dict[str, Scope] = {}
        self.ears = Ears(people, self.scopes)
        self.responses: list[str] = []
        self.told: list[str] = []
        """Bodies of the chats that the upstream got, with what was injected."""
        self.leaks: list[LeakError] = []
        self.learns = True
        """Whether the learner's model answers in a way that can be read."""
        self._flags = flags

    def meet(self, people: People) -> None:
        """From now on these are there, in the same tenants; everybody of before is a stranger."""
        self.people = self.ears.people = people

    async def __aenter__(self) -> Self:
        self.ears.__enter__()
        self._folder = tempfile.TemporaryDirectory()
        upstream = web.Application()
        self._answer_at(upstream.router)
        self._upstream = TestServer(upstream)
        await self._upstream.start_server()
        self.app = build_app(load_settings(environ={}, flags=self._settings() | self._flags))
        self._client = TestClient(TestServer(self.app))
        await self._client.start_server()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.close()
        await self._upstream.close()
        self._folder.cleanup()
        self.ears.__exit__()

    def _answer_at(self, router: web.UrlDispatcher) -> None:
        """What the model server serves."""
        router.add_post("/v1/chat/completions", self._complete)
        router.add_post("/v1/responses", self._respond)

    def _settings(self) -> dict[str, Any]:
        memory = {"index.backend": "exact", "database.url": ":memory:"}
        return memory | {
            "data_dir": self._folder.name,
            "upstream.base_url": str(self._upstream.make_url("/v1")),
            "telemetry.metrics": "localhost:0",
            "embedder.backend": "fake",
            "identity.mode": "gateway",
            "identity.hash_key": "h",
            "identity.tenants": KEYS,
            "recall.deadline_ms": 5000,
        }

    async def ask(
        self,
        caller: Scope | str,
        method: str,
        path: str,
        *,
        key: str | None = "",
        sent: tuple[str, ...] = (),
        **more: Any,
    ) -> tuple[int, Any]:
        """Status and body of an answer that says nothing its `caller` may not see.

        `key` is another credential than the caller's tenant has.
        """
        headers = dict(more.pop("headers", {}))
        if key is not None:
            headers["Authorization"] = f"Bearer {key or key_of(caller)}"
        answer = await self._client.request(method, path, headers=headers, **more)
        body = await _read(answer)
        for memory in await self.memories():
            self.scopes[memory.item.id] = memory.item.scope
        self.ears.hear(caller, body, sent)
        self.ears.hear(caller, str(answer.headers), sent)
        self.ears.overhear()
        if self.leaks:
            raise self.leaks[0]
        return answer.status, body

    async def ask_as(
        self,
        credential: Credential,
        method: str,
        path: str,
        *,
        sent: tuple[str, ...] = (),
        given: AbstractSet[str] = frozenset(),
        **more: Any,
    ) -> tuple[int, Any]:
        """The same for somebody with another kind of credential, who may read the words `given`."""
        headers = {**more.pop("headers", {}), **credential.headers}
        answer = await self._client.request(method, path, headers=headers, **more)
        body = await _read(answer)
        for text in (str(body), str(answer.headers)):
            if foreign := set(self.people.foreign(text, credential.may_see)) - given:
                raise LeakError(f"{credential.name} was told {foreign} by {method} {path}")
        return answer.status, body

    @property
    def engine(self) -> Engine:
        """The server's."""
        return self.app[HANDLERS].api.engine

    def view(self, tenant: str) -> AsyncMemory:
        """A tenant's memories, for what a test has to prepare."""
        return AsyncMemory(self.engine, tenant=tenant)

    def accept(self, tenant: str) -> None:
        """The model server has answered a chat of this tenant."""
        self.app[HANDLERS].accepted.note(tenant, 200)

    async def chat(self, caller: Scope, path: str, body: dict[str, Any]) -> tuple[int, Any]:
        """A request of a user: named in the body, the agent in a header, and asking why."""
        index = str(self.people.scopes.index(caller))
        headers = {SPEAKER: index, "x-recollect-debug": "explain"}
        if caller.agent_id is not None:
            headers["x-recollect-agent"] = caller.agent_id
        named = {"model": "m", "user": caller.user_id, **body}
        return await self.ask(VisibleScope.of(caller), "POST", path, json=named, headers=headers)

    async def memories(self) -> list[Any]:
        """Everything that is stored, whoever has it."""
        return list(await self.engine.parts.store.scan(after=None, limit=100_000))

    async def _complete(self, request: web.Request) -> web.Response:
        body = await request.json()
        asked = json.dumps(body, ensure_ascii=False)
        self._hear(request, asked)
        text = f"You told me: {asked}"
        if SPEAKER not in request.headers and self.learns:
            text = _learned(asked)
        message = {"role": "assistant", "content": text}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        return web.json_response({"id": "c", "object": "chat.completion", "choices": [choice]})

    async def _respond(self, request: web.Request) -> web.Response:
        body = await request.json()
        self._hear(request, json.dumps(body, ensure_ascii=False))
        name = f"resp_{len(self.responses)}"
        self.responses.append(name)
        text = {"type": "output_text", "text": "Noted.", "annotations": []}
        item = {"type": "message", "role": "assistant", "status": "completed", "content": [text]}
        answer = {"id": name, "object": "response", "status": "completed", "output": [item]}
        return web.json_response(answer)

    def _hear(self, request: web.Request, asked: str) -> None:
        """A user's request holds what that user may see; a learner's, one scope's words."""
        index = request.headers.get(SPEAKER)
        if "Authorization" not in request.headers:
            return  # A what-if without a key: its answer has this text, and is read where it arrives.
        tenant = request.headers["Authorization"].removeprefix("Bearer ")
        of_tenant = [s for s in self.people.scopes if key_of(s) == tenant]
        scopes = of_tenant if index is None else [self.people.scopes[int(index)]]
        if index is not None:
            self.told.append(asked)
        if all(self.people.foreign(asked, VisibleScope.of(scope).admits) for scope in scopes):
            self.leaks.append(LeakError(f"the upstream of {tenant} was told {asked[:2000]}"))


def key_of(caller: Scope | str) -> str:
    """The credential of a tenant."""
    tenant = caller.tenant if isinstance(caller, Scope) else caller
    return KEYS.get(tenant, STRANGER)


async def _read(answer: ClientResponse) -> Any:
    text = await answer.text()
    try:
        return json.loads(text)
    except ValueError:
        return text


def _learned(asked: str) -> str:
    facts = [{"type": "semantic", "text": said, "quote": said} for said in SAID.findall(asked)]
    return json.dumps({"facts": facts})
