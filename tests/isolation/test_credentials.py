"""Everybody, with every kind of credential, asks every operation for anybody's memories."""

from __future__ import annotations

import itertools

import pytest

from recollect.memory.model.owner import Owner
from recollect.memory.model.types import Scope
from recollect.proxy.api.tables import ALL, SERVER_OPERATIONS
from tests.support.budget import examples
from tests.support.folding import rows

from .belongings import endow
from .credentials import NOT_YET, Kept
from .gateway import Gateway, clients
from .requesting import fill
from .wandering import OF_AGENTS, Wanderer

WORLDS = itertools.count(700_001)
FINITE = [each for each in (*ALL, *SERVER_OPERATIONS) if not each.endless]


@rows("mode", ["gateway", "jwt", "header"])
async def test_whoever_asks_crosses_no_border(mode, tmp_path):
    """Nothing of anybody else's is shown, changed or removed, whatever is asked in whatever order."""
    kept = Kept(tmp_path / mode)
    credentials = [each for each in kept.credentials() if each.mode == mode]
    async with Gateway(clients(next(WORLDS), ("alice", "bob")), **kept.flags(mode)) as gateway:
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


def no_owner(monkeypatch):
    """Let a credential of one user name every other user of the tenant."""

    def scope(self, user_id=None, agent_id=None, run_id=None):
        named = self.user_id if user_id is None else user_id
        return Scope(tenant=self.tenant, user_id=named, agent_id=agent_id, run_id=run_id)

    monkeypatch.setattr(Owner, "scope", scope)


async def test_the_net_catches(tmp_path, monkeypatch):
    """Whoever may name every other user of the tenant is noticed."""
    no_owner(monkeypatch)
    kept = Kept(tmp_path)
    [alice] = [each for each in kept.credentials() if each.name == "jwt"]
    async with Gateway(clients(next(WORLDS), ("alice", "bob")), **kept.flags("jwt")) as gateway:
        await endow(gateway, await fill(gateway))
        of_agents = [each for each in FINITE if each.tag in OF_AGENTS]
        wanderer = Wanderer(gateway, of_agents, seed=7)

        async def many():
            for _ in range(300):
                await wanderer.step(alice)

        with pytest.raises(AssertionError):
            await many()
