"""Everybody, with every kind of credential, asks every operation for anybody's memories."""

from __future__ import annotations

import itertools

import pytest

from recollect.memory.blocks.keeper import BlockKeeper
from recollect.memory.blocks.visibility import SeenBlock
from recollect.memory.model.owner import Owner
from recollect.memory.model.types import Scope
from recollect.memory.statements.conversations import IndexingConversations
from recollect.proxy.api.tables import ALL, SERVER_OPERATIONS
from tests.support.budget import examples
from tests.support.folding import rows

from .belongings import endow
from .credentials import NOT_YET, Kept
from .gateway import Gateway, clients
from .requesting import fill
from .wandering import OF_AGENTS, Wanderer

WORLDS = itertools.count(700_001)
SERVER = {"api.mem0_server": True}
FINITE = [each for each in (*ALL, *SERVER_OPERATIONS) if not each.endless]


@rows("mode", ["gateway", "jwt", "header"])
async def test_whoever_asks_crosses_no_border(mode, tmp_path):
    """Nothing of anybody else's is shown, changed or removed, whatever is asked in whatever order."""
    kept = Kept(tmp_path / mode)
    credentials = [each for each in kept.credentials() if each.mode == mode]
    async with Gateway(
        clients(next(WORLDS), ("alice", "bob")), **kept.flags(mode), **SERVER
    ) as gateway:
        for credential in credentials:
            if credential.accepted:
                gateway.accept(credential.tenant)
        await endow(gateway, await fill(gateway))
        wanderer = Wanderer(gateway, FINITE, seed=7)
        for turn in range(examples(120)):
            if turn % 40 == 0:
                await endow(gateway, await fill(gateway, fresh=False))
            credential = credentials[turn % len(credentials)]
            # The model server never answered these, but others with the same keys.
            if credential.name not in NOT_YET:
                await wanderer.step(credential)
        assert {200, 401, 403} <= wanderer.statuses.keys()
        assert {"mcp", "tools"} <= wanderer.done.keys()


def every_block(monkeypatch):
    """Let everybody of a tenant see and change all blocks of the tenant."""

    async def read(self, scope):
        found = await self._blocks.of_owner(scope.tenant)
        return [SeenBlock(block, writable=True, shared=False) for block in found]

    monkeypatch.setattr(BlockKeeper, "_read", read)


def every_conversation(monkeypatch):
    """Let everybody who knows a conversation's id read it."""

    async def read(self, _scope, conversation_id, *, after_seq=0, limit):
        return await self.turns(conversation_id, after_seq, after_seq + limit)

    monkeypatch.setattr(IndexingConversations, "conversation_turns", read)


def no_owner(monkeypatch):
    """Let a credential of one user name every other user of the tenant."""

    def scope(self, user_id=None, agent_id=None, run_id=None):
        named = self.user_id if user_id is None else user_id
        return Scope(tenant=self.tenant, user_id=named, agent_id=agent_id, run_id=run_id)

    monkeypatch.setattr(Owner, "scope", scope)


async def steps(wanderer, credential):
    """Many requests with one credential."""
    for _ in range(300):
        await wanderer.step(credential)


@pytest.mark.parametrize("broken", [every_block, every_conversation, no_owner])
async def test_the_net_of_tools_and_blocks_catches(broken, tmp_path, monkeypatch):
    """Whoever may see too much of what agents have is noticed."""
    broken(monkeypatch)
    kept = Kept(tmp_path)
    [alice] = [each for each in kept.credentials() if each.name == "jwt"]
    async with Gateway(
        clients(next(WORLDS), ("alice", "bob")), **kept.flags("jwt"), **SERVER
    ) as gateway:
        await endow(gateway, await fill(gateway))
        of_agents = [each for each in FINITE if each.tag in OF_AGENTS]
        wanderer = Wanderer(gateway, of_agents, seed=7)
        with pytest.raises(AssertionError):
            await steps(wanderer, alice)
