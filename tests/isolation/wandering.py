"""Requests of everybody to every operation, in any order, with ids and scopes of everybody."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any
from urllib.parse import urlencode

from recollect.memory.model.types import Scope
from recollect.memory.tools import TOOLS
from recollect.proxy.api.operations import Operation
from tests.support.tool_calls import arguments_of

from .belongings import COMMON_LABEL, Foreign, conversation_of, foreign_of, label_of
from .credentials import Credential
from .gateway import Gateway
from .requesting import asked

NAMES = ("alice", "bob", "Alice", "*", "%", "", "alice/../bob")
MCP = "/mcp"
MCP_SHARE = 0.3
"""Of all requests, those to `/mcp`."""
MCP_HEADERS = {
    "Accept": "application/json, text/event-stream",
    "MCP-Protocol-Version": "2025-11-25",
}
OF_AGENTS = frozenset({"blocks", "conversations", "shares", "tools", "entities"})
"""Tags of operations that agents use; a third of all requests is to these."""
OF_AGENTS_SHARE = 0.33
LISTS = ("tools/list", "resources/list", "resources/templates/list", "ping")


class Wanderer:
    """Takes steps, and looks whether anything of anybody else was shown or changed.

    What comes back is listened to by the gateway; what is stored is compared here. What was
    attached to somebody may be read there, and changed if it was attached for that.
    """

    def __init__(self, gateway: Gateway, operations: list[Operation], seed: int) -> None:
        self._gateway = gateway
        self._operations = operations
        self._of_agents = [each for each in operations if each.tag in OF_AGENTS]
        self._random = random.Random(seed)
        self.steps = 0
        self.statuses: Counter[int] = Counter()
        self.kinds: Counter[str] = Counter()
        """Requests by what they are about."""
        self.done: Counter[str] = Counter()
        """Those of them that were answered with what they asked for."""

    async def step(self, credential: Credential) -> None:
        """One request. Raises LeakError or AssertionError if a border was crossed."""
        before = await foreign_of(self._gateway, credential)
        if self._random.random() < MCP_SHARE:
            method, path, more, kind = "POST", *self._mcp(before), "mcp"
        else:
            of_agents = self._random.random() < OF_AGENTS_SHARE / (1 - MCP_SHARE)
            operation = self._random.choice(self._of_agents if of_agents else self._operations)
            method, kind = operation.method, operation.tag
            path, more = self._request(operation, before)
        status, body = await self._gateway.ask_as(
            credential, method, path, given=before.seals, **more
        )
        self.steps += 1
        self.statuses[status] += 1
        self.kinds[kind] += 1
        self.done[kind] += status == 200 and "error" not in (body or "")
        about = (credential.name, method, path, more, status)
        # Without a model, what asks one is 503.
        without = any(word in str(body) for word in ("model_failed", "no_model"))
        assert status < 500 or without, (*about, body)
        before.check(await foreign_of(self._gateway, credential), *about)

    def _request(self, operation: Operation, foreign: Foreign) -> tuple[str, dict[str, Any]]:
        """Half of the ids and scopes are those of others."""
        choose = self._random.choice
        scope, known = self._scope(), self._known(foreign)
        path, more = asked(operation, scope, choose(known), self._named())
        body = more.get("json")
        if body is not None:
            if "ids" in operation.in_body:
                body.pop("all", None)
                body["ids"] = known[:5]
            self._vary(operation, body)
            ends = ("entity", "same_as")
            body |= {name: choose(known) for name in ends if name in operation.in_body}
        if self._random.random() < 0.2:
            tenant = choose(self._gateway.people.scopes).tenant
            more["headers"] = {"x-recollect-tenant": tenant}
        return path, more

    def _vary(self, operation: Operation, body: dict[str, Any]) -> None:
        """Let a body be about anybody's block and conversation, and attach to anybody."""
        choose = self._random.choice
        some = {
            **self._named(),
            "to": choose(self._gateway.people.scopes).ids(),
            "rights": choose(("read", "write")),
        }
        body |= {name: value for name, value in some.items() if name in operation.in_body}
        if "label" in body.get("arguments", {}):
            body["arguments"]["label"] = some["label"]

    def _mcp(self, foreign: Foreign) -> tuple[str, dict[str, Any]]:
        """A request to `/mcp`: a tool, a resource or a list, for anybody."""
        choose = self._random.choice
        tool, label = choose(TOOLS), self._named()["label"]
        uri = choose(("recollect://profile", f"recollect://blocks/{label}"))
        arguments = arguments_of(tool, choose(self._known(foreign)))
        if "label" in arguments:
            arguments["label"] = label
        calls = {
            "tools/call": {"name": tool.name, "arguments": arguments},
            "resources/read": {"uri": uri},
            choose(LISTS): {},
        }
        method = choose((*calls, "tools/call"))
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": calls[method]}
        query = urlencode(self._scope().ids())
        return f"{MCP}?{query}", {"json": body, "headers": MCP_HEADERS}

    def _scope(self) -> Scope:
        scope = self._random.choice(self._gateway.people.scopes)
        if self._random.random() < 0.3:
            return Scope(tenant=scope.tenant, user_id=self._random.choice(NAMES) or "x")
        return scope

    def _known(self, foreign: Foreign) -> list[str]:
        """Ids of memories, blocks, entities and merges to ask about."""
        some = self._random.sample(foreign.entities, min(len(foreign.entities), 5))
        known = [*foreign.memories, *foreign.blocks, *some, *foreign.merges]
        return known if known and self._random.random() < 0.7 else ["no-such-id"]

    def _named(self) -> dict[str, str]:
        """A label and a conversation of somebody."""
        index = self._random.randrange(len(self._gateway.people.scopes))
        label = self._random.choice((COMMON_LABEL, label_of(index)))
        return {"label": label, "conversation_id": conversation_of(index)}
