"""A model server that refuses memories: the client gets its answer all the same."""

import json

from recollect.proxy.dialects.responses import RESPONSES
from tests.proxy.wire import response
from tests.support.folding import rows

from ..chatting import BODY, COMPLETION, Chatting, inject, said

STRICT = b'{"error":{"message":"System message must be at the beginning","code":400}}'
REFUSED = ("degraded", "refused_by_upstream", "0")
INJECTED = ("injected", "personal", "2")


def system_first(received):
    """Whether a request has a system message anywhere but at its beginning."""
    fields = json.loads(received.body)
    roles = [m.get("role") for m in fields.get("messages", fields.get("input"))]
    return "system" in roles[1:] or roles[:1] == ["system"]


def strict(status="400 Bad Request", body=STRICT, answer=COMPLETION, *lines, refuses=system_first):
    """A server that wants no system message of ours."""

    async def script(_reader, writer, received):
        writer.write(
            response(body, "Content-Type: application/json", status=status)
            if refuses(received)
            else response(answer, *lines)
        )

    return script


@rows("status", ["400 Bad Request", "422 U", "500 Internal Server Error", "418 T"])
async def test_a_refusal_because_of_us_is_never_the_clients(status):
    """The request is sent once more as it came, and the next one uses another place."""
    async with Chatting(strict(status), step=inject) as chatting:
        seen = await chatting.ask()
        first, second = chatting.server.requests
        assert (seen.status, seen.body) == (200, COMPLETION)
        assert said(seen) == REFUSED
        assert second.body == BODY != first.body
        assert second.values("content-length") == [str(len(BODY))]
        assert (await chatting.captured()).assistant_text == "hello"

        seen = await chatting.ask()
        assert (seen.status, said(seen)) == (200, INJECTED)
        [third] = chatting.server.requests[2:]
        assert json.loads(third.body)["messages"][0]["content"].startswith("remember\n\nHi")


async def test_a_request_that_is_refused_anyway_is_refused():
    """A server that answers 400 to everything: its own answer, two requests, no loop, no lesson."""
    async with Chatting(strict(refuses=lambda _: True), step=inject) as chatting:
        for number in (1, 2, 3):
            seen = await chatting.ask()
            assert (seen.status, seen.body, said(seen)) == (400, STRICT, REFUSED)
            assert len(chatting.server.requests) == 2 * number
        assert chatting.places.choose("m").value == "tail"
        assert await chatting.turns() == []


async def test_another_template_after_a_swap():
    """A place that was taken for long is left as soon as it is refused."""
    swapped = False
    script = strict(refuses=lambda received: swapped and system_first(received))
    async with Chatting(script, step=inject) as chatting:
        assert said(await chatting.ask()) == INJECTED
        swapped = True
        assert said(await chatting.ask()) == REFUSED
        assert said(await chatting.ask()) == INJECTED
        assert len(chatting.server.requests) == 4


async def test_a_server_that_takes_memory_nowhere_is_left_in_peace():
    """Each place is tried once; then requests go as they came, once each."""
    script = strict(refuses=lambda received: b"remember" in received.body)
    async with Chatting(script, step=inject) as chatting:
        for sent in (2, 4, 6, 7, 8):
            seen = await chatting.ask()
            assert (seen.status, seen.body, said(seen)) == (200, COMPLETION, REFUSED)
            assert len(chatting.server.requests) == sent
        assert chatting.received.body == BODY


async def test_the_log_says_why(caplog):
    """One line for the operator, and the chat's own line with its reason."""
    async with Chatting(strict(), step=inject) as chatting:
        with caplog.at_level("INFO"):
            await chatting.ask()
    lines = [record.getMessage() for record in caplog.records]
    assert sum("refused memories" in line for line in lines) == 1
    assert any("outcome=degraded reason=refused_by_upstream" in line for line in lines)


async def test_no_defect_in_noting_changes_the_answer(monkeypatch, caplog):
    """Whatever fails while a refusal is noted, the answer that is there goes on."""

    def broken(*_args, **_options):
        raise ZeroDivisionError

    async with Chatting(strict(), step=inject) as chatting:
        monkeypatch.setattr(chatting.places, "refused", broken)
        seen = await chatting.ask()
        assert (seen.status, seen.body, said(seen)) == (200, COMPLETION, REFUSED)
    assert "ZeroDivisionError" in caplog.text


@rows("given", ['"Hi"', '[{"role":"user","content":"Hi"}]'])
async def test_responses_are_treated_alike(given):
    """A string or a list of items: the same bytes again, then inside the user's own."""
    body = b'{"model": "m", "input": %s}' % given.encode()
    refuses = lambda received: b'"system"' in received.body  # noqa: E731 - it is an argument
    script = strict(answer=b'{"id":"r1","output":[]}', refuses=refuses)
    async with Chatting(script, step=inject, dialect=RESPONSES) as chatting:
        seen = await chatting.ask(body)
        assert (seen.status, said(seen)) == (200, REFUSED)
        assert chatting.received.body == body
        assert said(await chatting.ask(body)) == INJECTED
        assert b"remember" in chatting.received.body


async def test_a_message_that_can_take_nothing_passes_as_it_came():
    """No content to put a block into: no memory, and the reason says so."""
    body = b'{"model":"m","messages":[{"role":"user","content":null}]}'
    async with Chatting(step=inject, recall={"position": "user"}) as chatting:
        seen = await chatting.ask(body)
        assert said(seen) == ("degraded", "no_place", "0")
        assert chatting.received.body == body
