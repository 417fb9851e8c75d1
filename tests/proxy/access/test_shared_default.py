"""When several people seem to share the default user, the log says so, once a day at most."""

import json

import pytest

from recollect.config.server import IdentityOptions
from recollect.memory.model.types import Scope
from recollect.proxy.access.shared_default import (
    CLIENTS,
    CONVERSATIONS,
    MAX_TENANTS,
    WARN_SECONDS,
    SharedDefault,
)
from tests.hostile.facing import Facing
from tests.proxy.wire import request
from tests.support.folding import rows


class Noting:
    """What is noted by a clock of its own."""

    def __init__(self, exchange, **options):
        self.now = 0.0
        self._exchange = exchange
        self.shared = SharedDefault(IdentityOptions(**options), lambda: self.now)

    def chat(self, number, client=0, tenant="local", **headers):
        """A chat of this conversation and client."""
        scope = Scope(tenant=tenant, user_id="default")
        exchange = self._exchange(conversation_id=f"c{number}", scope=scope)
        sent = {"User-Agent": f"program{client}/1.0 x"} | headers
        self.shared.note(exchange, sent, "127.0.0.1")


@pytest.fixture
def noting(exchange):
    return lambda **options: Noting(exchange, **options)


def warnings(caplog):
    return [r.getMessage() for r in caplog.records if "share the memory" in r.getMessage()]


def test_one_person_is_not_warned(noting, caplog):
    """Any number of conversations from a few programs, in any of their versions."""
    noted = noting()
    for number in range(1000):
        noted.chat(number, number % (CLIENTS - 1))
        noted.chat(number, **{"User-Agent": f"program0/1.0 build {number}"})
    assert warnings(caplog) == []


@rows("name", ["Authorization", "api-key", "X-Forwarded-For"])
def test_what_makes_clients_different(noting, caplog, name):
    """Their credential, and their address, also behind another proxy."""
    caplog.clear()
    noted = noting()
    for number in range(CONVERSATIONS):
        noted.chat(number, **{name: f"10.0.0.{number}, 10.1.1.1"})
    assert len(warnings(caplog)) == 1
    assert "10.0.0" not in caplog.text


def test_it_is_said_again_after_a_day(noting, caplog):
    """Not sooner, whatever comes."""
    noted = noting()
    for day in range(3):
        for number in range(5 * CONVERSATIONS):
            noted.chat(number, number % CLIENTS)
        assert len(warnings(caplog)) == day + 1
        noted.now += WARN_SECONDS


def test_what_is_kept_is_bounded(noting):
    """Tenants, and what is known of each: hashes only."""
    noted = noting()
    for number in range(3 * MAX_TENANTS):
        noted.chat(number, tenant=f"t{number}")
    for number in range(1000):
        noted.chat(number, number % 3, "local", **{"x-openwebui-user-id": "ann" * 1000})
    seen = dict(noted.shared._seen.items())
    assert len(seen) <= MAX_TENANTS
    assert len(seen["local"].conversations) <= CONVERSATIONS
    assert all(len(each) == 16 for each in seen["local"].clients | seen["local"].users)


async def test_only_chats_that_name_nobody_count(caplog):
    """Through the product: who names users is not warned, who does not is."""
    async with Facing(listen__allowed_hosts='["proxy.test"]') as facing:
        for named in (True, False):
            for number in range(CONVERSATIONS):
                said = {"messages": [{"role": "user", "content": f"Hello {number}"}], "model": "m"}
                headers = [f"User-Agent: p{number}", *(["x-recollect-user: a"] if named else [])]
                body = json.dumps(said).encode()
                await facing.ask(request("POST", "/v1/chat/completions", body, *headers))
            assert len(warnings(caplog)) == (0 if named else 1)
