"""Bodies that are not what their headers say, or not all of it, through the whole route."""

import gzip

from tests.support.folding import rows

from ..chatting import BODY, COMPLETION, DONE, EVENTS, PATH, SSE, Chatting, said
from ..wire import RawClient, chunk, chunked, request, response

BOM = b"\xef\xbb\xbf"


@rows(
    "answer",
    [
        chunked(*EVENTS, DONE, headers=("Content-Type: application/json",)),
        chunked(*EVENTS, DONE),
        chunked(BOM + EVENTS[0], *EVENTS[1:], DONE, headers=(SSE,)),
        chunked(COMPLETION, headers=(SSE,)),
        response(COMPLETION, "Content-Encoding: gzip"),
        response(BOM + COMPLETION),
    ],
)
async def test_a_wrong_label_loses_no_turn(answer):
    """What the bytes are counts, and they reach the client as they came."""
    async with Chatting(answer) as chatting:
        seen = await chatting.ask()
        [turn] = await chatting.turns()
    assert seen.body
    assert turn.assistant_text == "hello"


async def test_an_answer_nobody_can_read_is_counted(caplog):
    """The client gets it, the turn is not kept, and the first of them is logged."""
    async with Chatting(response(b"<html>busy</html>")) as chatting:
        for _ in range(2):
            assert (await chatting.ask()).body == b"<html>busy</html>"
        assert not await chatting.turns()
    assert caplog.text.count("nothing in the answer of model") == 1


async def test_a_request_in_a_transfer_coding_goes_up_unread():
    """Nobody here undoes it; the upstream gets the bytes, and is told what was done to them."""
    packed = gzip.compress(BODY)
    async with Chatting() as chatting, RawClient(chatting.port) as client:
        head = request("POST", PATH, None, "Transfer-Encoding: gzip, chunked")
        await client.send(head + chunk(packed) + b"0\r\n\r\n")
        seen = await client.answer()
        assert chatting.received.body == packed
        assert chatting.received.values("transfer-encoding") == ["gzip, chunked"]
    assert said(seen)[:2] == ("skipped", "encoded_body")
