"""Everybody, with every kind of credential, asks every operation for anybody's memories."""

from __future__ import annotations

import itertools

import pytest

from recollect.proxy.api.tables import ALL
from tests.support.budget import examples

from .credentials import NOT_YET, Kept
from .gateway import Gateway, clients
from .requesting import fill
from .wandering import Wanderer

WORLDS = itertools.count(700_001)
FINITE = [each for each in ALL if not each.endless]


@pytest.mark.parametrize("mode", ["gateway", "jwt", "header"])
async def test_whoever_asks_crosses_no_border(mode, tmp_path):
    """Nothing of anybody else's is shown, changed or removed, whatever is asked in whatever order."""
    kept = Kept(tmp_path)
    credentials = [each for each in kept.credentials() if each.mode == mode]
    async with Gateway(clients(next(WORLDS), ("alice", "bob")), **kept.flags(mode)) as gateway:
        for credential in credentials:
            if credential.accepted:
                gateway.accept(credential.tenant)
        await fill(gateway)
        wanderer = Wanderer(gateway, FINITE, seed=7)
        for turn in range(examples(200)):
            if turn % 40 == 0:
                await fill(gateway, fresh=False)
            credential = credentials[turn % len(credentials)]
            # The model server never answered these, but others with the same keys.
            if credential.name not in NOT_YET:
                await wanderer.step(credential)
        assert {200, 401, 403} <= wanderer.statuses.keys()
