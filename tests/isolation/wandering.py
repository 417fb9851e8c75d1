"""Requests of everybody to every operation, in any order, with ids and scopes of everybody."""

from __future__ import annotations

import random
from typing import Any

from recollect.memory.model.types import MemoryItem, Scope
from recollect.proxy.api.operations import Operation

from .credentials import Credential
from .gateway import Gateway
from .requesting import asked

NAMES = ("alice", "bob", "Alice", "*", "%", "", "alice/../bob")


class Wanderer:
    """Takes steps, and looks whether anybody else's memories were shown or changed.

    What comes back is listened to by the gateway; what is stored is compared here.
    """

    def __init__(self, gateway: Gateway, operations: list[Operation], seed: int) -> None:
        self._gateway = gateway
        self._operations = operations
        self._random = random.Random(seed)
        self.steps = 0
        self.statuses: dict[int, int] = {}

    async def step(self, credential: Credential) -> None:
        """One request. Raises LeakError or AssertionError if a border was crossed."""
        before = await self._foreign(credential)
        operation = self._random.choice(self._operations)
        path, more = self._request(operation, before)
        status, _ = await self._gateway.ask_as(
            credential, operation.method, path, sent=tuple(before), **more
        )
        self.steps += 1
        self.statuses[status] = self.statuses.get(status, 0) + 1
        assert status < 500, (credential.name, operation.method, path, more, status)
        after = await self._foreign(credential)
        assert after == before, (credential.name, operation.method, path, more)

    def _request(
        self, operation: Operation, foreign: dict[str, MemoryItem]
    ) -> tuple[str, dict[str, Any]]:
        """Half of the ids and scopes are those of others."""
        choose = self._random.choice
        people = self._gateway.people.scopes
        scope = choose(people)
        if self._random.random() < 0.3:
            name = choose(NAMES) or "x"
            scope = Scope(tenant=scope.tenant, user_id=name)
        known = [*foreign] if foreign and self._random.random() < 0.7 else ["no-such-id"]
        path, more = asked(operation, scope, choose(known))
        body = more.get("json")
        if body is not None and "ids" in operation.in_body:
            body.pop("all", None)
            body["ids"] = known[:5]
        if self._random.random() < 0.2:
            more["headers"] = {"x-recollect-tenant": choose(people).tenant}
        return path, more

    async def _foreign(self, credential: Credential) -> dict[str, MemoryItem]:
        """What is not the caller's, as it is stored."""
        return {
            memory.item.id: memory.item
            for memory in await self._gateway.memories()
            if not credential.may_see(memory.item.scope)
        }
