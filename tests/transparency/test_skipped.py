"""What the gate skips goes upstream as the client sent it, byte for byte, whatever memory has.

The product recalls everything here (`recall.threshold` is 0), so that a line which slips through is
seen. Only a lasting wish about answers is added, and only if there is one.
"""

from __future__ import annotations

import json

from tests.proxy.wire import RawClient, request
from tests.support.folding import rows

from .whole import FACT, JSON, ROUTES, Whole, outcome, take_ours

SKIPPED = [
    ("greeting", "hey there :)"),
    ("greeting", "Vielen Dank, das hilft mir sehr"),
    ("tool", "Convert 5 miles to kilometres"),
    ("tool", "把下面这句话翻译成英文：我妹妹住在我们家。"),
    ("fact", "What is the boiling point of water?"),
    ("fact", "¿Quién pintó Las Meninas?"),
]
WISH = "From now on, always answer me in French."
OTHERS = (
    "User works at Globex as a data scientist",
    "User is allergic to peanuts",
    "User believes that kindness matters",
    "Grandma wishes that her letters were longer",
    "User converts miles to kilometres for the running club",
)
"""What is no wish about answers: facts, a constraint, a value, somebody else's wish, a habit."""
MEMORY = [route for route in ROUTES if route.injects]


async def keep(whole: Whole, *texts: str) -> None:
    for text in texts:
        fields = {"messages": text, "user_id": whole.named("alice"), "infer": False}
        told = request("POST", "/v1/memories/", json.dumps(fields).encode(), JSON)
        assert (await whole.ask(told.replace(b"proxy.test", b"127.0.0.1", 1))).status == 200


def body_of(route, message: str) -> bytes:
    """As no serializer writes it: with tabs, odd numbers and escapes."""
    return route.template % json.dumps(message)[1:-1].encode()


@rows("route", MEMORY)
async def test_what_the_gate_skips_goes_upstream_as_it_came(route):
    """Facts, constraints, values and other people's wishes add nothing to it."""
    async with Whole() as whole:
        await keep(whole, *OTHERS)
        for reason, message in SKIPPED:
            body = body_of(route, message)
            seen = await whole.ask(route.ask(body=body))
            assert outcome(seen) == "skipped", (message, whole.received.body.decode())
            assert seen.head.values("x-recollect-reason") == [reason], message
            assert whole.received.body == body, message


@rows("route", MEMORY)
async def test_only_a_wish_is_added_to_what_the_gate_skips(route):
    """One block with the wish and no other line; without it the request is the client's."""
    async with Whole() as whole:
        await keep(whole, *OTHERS, WISH)
        for _, message in SKIPPED:
            body = body_of(route, message)
            seen = await whole.ask(route.ask(body=body))
            assert outcome(seen) == "injected", message
            fields = json.loads(whole.received.body)
            [block] = take_ours(fields)
            assert fields == json.loads(body), message
            assert WISH in block
            assert not [one for one in (FACT, *OTHERS) if one in block], block


async def test_a_chunked_body_that_is_skipped_is_the_same():
    """Also if its length is not told beforehand."""
    route = MEMORY[0]
    body = body_of(route, "hey there :)")
    async with Whole() as whole, RawClient(whole.port) as client:
        await keep(whole, *OTHERS)
        head = f"POST {route.path} HTTP/1.1\r\nHost: proxy.test\r\n{JSON}\r\n"
        head += f"x-recollect-user: {route.user}\r\nTransfer-Encoding: chunked\r\n\r\n"
        parts = [body[:40], body[40:]]
        sent = b"".join(f"{len(one):x}\r\n".encode() + one + b"\r\n" for one in parts)
        await client.send(head.encode() + sent + b"0\r\n\r\n")
        seen = await client.answer()
        assert outcome(seen) == "skipped"
        assert whole.received.body == body
