"""Requests with several credentials, and with tokens of the server in odd places, in any order."""

from __future__ import annotations

import base64
import random
from typing import Any
from urllib.parse import quote

from aiohttp import web
from multidict import CIMultiDict

from recollect.proxy.app import HANDLERS

from .credentials import API_TOKEN, HASHED
from .ears import LeakError
from .gateway import STRANGER, Gateway

REVOKED = STRANGER
"""A key that the model server takes no more; somebody's memories are its tenant's."""
VALID = ("valid-1", "valid-2")
PLACES = (
    "authorization", "authorization", "authorization", "api-key", "x-api-key", "x-goog-api-key",
    "cf-aig-authorization", "?key", "?access_token",
)  # fmt: skip
SCHEMES = ("Bearer {}", "Bearer {}", "bearer  {}", "Token {}", "{}")
ADMIN = "rct_0123456789ab_" + "Zk3-" * 10 + "abc"
TARGETS = (
    "/v1/models?{}", "/v1/models?{}=1", "/v1/models?a={}", "/v1/files/{}", "/v1/{}/x?a=b", "/{}",
    "/v1/chat/completions?{}", "/v1/chat/completions?user={}&b", "/v1/responses/a;{}=1",
)  # fmt: skip
HEADERS = ("Authorization: Bearer {}", "X-A: {}", "Cookie: a=b; c={}", "{}: 1", "api-key: {}")


class Judging(Gateway):
    """A gateway whose model server looks at one place of a request only, which changes."""

    def __init__(self, *given: Any, **flags: Any) -> None:
        super().__init__(*given, **flags)
        self.judged = "authorization"
        self.got: list[str] = []
        """Everything that the model server was sent."""

    def _answer_at(self, router: web.UrlDispatcher) -> None:
        router.add_route("*", "/{path:.*}", self._judge)

    async def _judge(self, request: web.Request) -> web.Response:
        asked = (await request.read()).decode("utf-8", "replace")
        self.got.append(f"{request.raw_path} {request.raw_headers} {asked}")
        if self.judged.startswith("?"):
            given = request.query.getall(self.judged[1:], [])
        else:
            given = request.headers.getall(self.judged, [])
        if not any(value.split()[-1:] == [key] for value in given for key in VALID):
            return web.json_response({"error": {"message": "no"}}, status=401)
        message = {"role": "assistant", "content": f"You told me: {asked}"}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        return web.json_response({"id": "c", "object": "chat.completion", "choices": [choice]})

    async def send(
        self, method: str, path: str, headers: CIMultiDict[str], **more: Any
    ) -> tuple[int, str]:
        """Status and text of an answer to exactly this request."""
        answer = await self._client.request(method, path, headers=headers, **more)
        return answer.status, f"{answer.headers} {await answer.text()}"


class Presenter:
    """Takes steps, and looks whether a revoked key or a token of the server got anywhere."""

    def __init__(self, gateway: Judging, seed: int) -> None:
        self._gateway = gateway
        self._random = random.Random(seed)
        self.statuses: dict[int, int] = {}

    async def present(self) -> None:
        """A chat with some credentials, and the memory API with the same ones or fewer.

        Raises LeakError if the memories of the revoked key are shown to anybody.
        """
        some = self._random.choice
        self._gateway.judged = some(PLACES)
        found = [(some(PLACES), some((REVOKED, REVOKED, *VALID))) for _ in range(some((1, 2, 3)))]
        headers, query = self._written(found)
        said = [{"role": "user", "content": "What do I know about my bicycle and tea?"}]
        body = {"model": "m", "user": "alice", "messages": said}
        await self._ask("POST", f"/v1/chat/completions{query}", headers, json=body)
        again, _ = self._written(found[: some((1, 2, 3))])
        await self._ask("GET", "/v1/memories?user_id=alice", again)
        await self._ask("GET", "/v1/memories/search?user_id=alice&q=bicycle", headers)
        if HASHED in self._gateway.app[HANDLERS].accepted:
            raise LeakError(f"a revoked key was accepted with {found}")

    async def misplace(self) -> None:
        """A request with a token of the server somewhere. Raises LeakError if it goes upstream."""
        some = self._random.choice
        token, path = some((ADMIN, API_TOKEN)), "/v1/chat/completions"
        headers: CIMultiDict[str] = CIMultiDict()
        more: dict[str, Any] = {"json": {"model": "m", "messages": []}}
        kind = some(("target", "header", "body"))
        if kind == "target":
            path = some(TARGETS).format(self._encoded(token, some((1, 2, 3))))
        elif kind == "header":
            text = quote(token, safe="") if " " in token else token
            name, _, value = some(HEADERS).format(text).partition(": ")
            headers.add(name, value)
            if some((True, False)):
                basic = base64.b64encode(f"me:{token}".encode()).decode()
                headers = CIMultiDict({"Authorization": f"Basic {basic}"})
        else:
            path = some((path, "/v1/embeddings", "/v1/files"))
            more["json"]["messages"] = [{"role": "user", "content": f"It is {token}."}]
        count = len(self._gateway.got)
        status, said = await self._ask("POST", path, headers, **more)
        if len(self._gateway.got) > count or status != 401:
            raise LeakError(f"a token went upstream: {kind} {path} {headers}: {status} {said}")

    async def _ask(
        self, method: str, path: str, headers: CIMultiDict[str], **more: Any
    ) -> tuple[int, str]:
        status, said = await self._gateway.send(method, path, headers, **more)
        self.statuses[status] = self.statuses.get(status, 0) + 1
        if status >= 500:
            raise LeakError(f"{method} {path} {headers}: {status} {said}")
        if foreign := self._gateway.people.foreign(said, lambda scope: False):
            raise LeakError(f"{headers} {path} was told {foreign}")
        return status, said

    def _written(self, found: list[tuple[str, str]]) -> tuple[CIMultiDict[str], str]:
        headers: CIMultiDict[str] = CIMultiDict()
        query = []
        for place, key in found:
            if place.startswith("?"):
                query.append(f"{place[1:]}={key}")
            elif place == "authorization":
                headers.add(place, self._random.choice(SCHEMES).format(key))
            else:
                headers.add(place, key)
        return headers, f"?{'&'.join(query)}" if query else ""

    def _encoded(self, token: str, times: int) -> str:
        for _ in range(times):
            token = "".join(
                char if char.isalnum() and self._random.random() < 0.7 else f"%{ord(char):02X}"
                for char in token
            )
        return token
