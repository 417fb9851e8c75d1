"""Changes posted to a server of the operator."""

import json
import logging

import pytest
from aiohttp import web
from pydantic import ValidationError

from recollect.config.server import WebhookOptions
from recollect.proxy.webhook import SIGNATURE, delivering, sign
from tests.memory.api.client_parts import build, keep
from tests.support.clock import Stepped
from tests.support.folding import rows
from tests.support.waiting import until


class Receiver:
    """A server that notes what is posted; `answers` are its next statuses, then 204."""

    def __init__(self):
        self.answers = []
        self.posts = []
        self.tries = 0

    async def post(self, request):
        self.tries += 1
        status = self.answers.pop(0) if self.answers else 204
        if status == 204:
            self.posts.append((dict(request.headers), await request.read()))
        return web.Response(status=status)

    @property
    def changes(self):
        return [change for _, body in self.posts for change in json.loads(body)["changes"]]

    async def until(self, number):
        await until(lambda: len(self.changes) >= number, "the changes")
        return self.changes


@pytest.fixture
def clock():
    return Stepped()


@pytest.fixture
async def receiver(aiohttp_server):
    one = Receiver()
    app = web.Application()
    app.router.add_post("/hook", one.post)
    server = await aiohttp_server(app)
    one.url = str(server.make_url("/hook"))
    return one


async def test_changes_are_posted_in_order(receiver):
    """Of every tenant, with the names of tenant and user; only of the wanted kinds."""
    async with build() as memory, delivering(memory._engine.feed, options(receiver)):
        [one] = await keep(memory, "likes tea")
        await memory.update(one, "likes mate")
        await keep(memory.for_tenant("other"), "owns a boat", user_id="bob")
        changes = await receiver.until(3)
    receiver.posts.clear()
    wanted = options(receiver, events=["DELETE", "FORGET"])
    async with build() as memory, delivering(memory._engine.feed, wanted):
        [one, two] = await keep(memory, "likes tea", "owns a boat")
        await memory.delete(one)
        await memory.forget(two)
        assert [c["event"] for c in await receiver.until(2)] == ["DELETE", "FORGET"]
    assert [(c["tenant"], c["user_id"], c["event"], c["memory"]) for c in changes] == [
        ("local", "alice", "ADD", "likes tea"),
        ("local", "alice", "UPDATE", "likes mate"),
        ("other", "bob", "ADD", "owns a boat"),
    ]


async def test_requests_are_signed(receiver):
    """The signature covers the time and the exact body."""
    secret = "s3cret"
    async with build() as memory, delivering(memory._engine.feed, options(receiver, secret=secret)):
        await keep(memory, "likes tea")
        await receiver.until(1)
    [(headers, body)] = receiver.posts
    told = headers[SIGNATURE]
    at = int(told.split(",")[0].removeprefix("t="))
    assert told == sign(secret, at, body)
    assert told != sign(secret, at, body + b" ")
    assert told != sign("other", at, body)


async def test_a_server_that_fails_is_asked_again(receiver, clock):
    """After a second, then after twice as long each time; nothing is lost and the order stays."""
    receiver.answers = [503, 500, 429]
    async with build() as memory, delivering(memory._engine.feed, options(receiver), clock):
        await keep(memory, "likes tea", "owns a boat")
        for pause in (1, 2, 4):
            await clock.slept(pause)
        changes = await receiver.until(2)
    assert [c["memory"] for c in changes] == ["likes tea", "owns a boat"]
    assert receiver.tries >= 4


@rows(
    "answers, pauses, said",
    [([400], (), "HTTP 400"), ([503] * 8, (1, 2, 4, 8, 16, 32, 60), "HTTP 503")],
)
async def test_what_cannot_be_delivered_is_logged(receiver, clock, caplog, answers, pauses, said):
    """A refusal at once, a failure after two minutes of tries; later changes are delivered."""
    caplog.set_level(logging.WARNING)
    caplog.clear()
    receiver.posts.clear()
    receiver.tries, receiver.answers = 0, list(answers)
    async with build() as memory, delivering(memory._engine.feed, options(receiver), clock):
        await keep(memory, "likes tea")
        for pause in pauses:
            await clock.slept(pause)
        await until(lambda: "lost 1 changes" in caplog.text)
        assert receiver.tries == len(pauses) + 1
        await keep(memory, "owns a boat")
        changes = await receiver.until(1)
    assert [c["memory"] for c in changes] == ["owns a boat"]
    assert f"lost 1 changes: {said}" in caplog.text
    assert "tea" not in caplog.text


async def test_without_a_url_nothing_listens():
    """Then changes take no memory; an address or a kind that cannot be is refused by name."""
    for wrong in ({"url": "example.org"}, {"url": "ftp://x/y"}, {"events": ["added"]}):
        with pytest.raises(ValidationError, match=next(iter(wrong))):
            WebhookOptions(**wrong)
    async with build() as memory, delivering(memory._engine.feed, WebhookOptions()):
        assert not memory._engine.feed._subscribed


def options(receiver, **more):
    return WebhookOptions(url=receiver.url, **more)


async def test_a_repeated_request_has_no_text_of_what_was_forgotten_meanwhile(receiver, clock):
    """Neither has a request that waited behind it; the ids and the kinds are told."""
    receiver.answers = [503]
    async with (
        build() as memory,
        delivering(memory._engine.feed, options(receiver), clock),
    ):
        [tea] = await keep(memory, "likes tea")
        await until(lambda: receiver.tries)
        [boat, chess] = await keep(memory, "owns a boat", "plays chess")
        await memory.forget(tea)
        await memory.forget(boat)
        await clock.slept(1)
        changes = await receiver.until(5)
    assert [(c["event"], c["memory_id"], c.get("memory")) for c in changes] == [
        ("ADD", tea, None),
        ("ADD", boat, None),
        ("ADD", chess, "plays chess"),
        ("FORGET", tea, None),
        ("FORGET", boat, None),
    ]
