"""Answers that are not what their headers say, through the whole route."""

import pytest

from .chatting import COMPLETION, DONE, EVENTS, SSE, Chatting
from .wire import chunked, response

BOM = b"\xef\xbb\xbf"


@pytest.mark.parametrize(
    "answer",
    [
        chunked(*EVENTS, DONE, headers=("Content-Type: application/json",)),
        chunked(*EVENTS, DONE),
        chunked(BOM + EVENTS[0], *EVENTS[1:], DONE, headers=(SSE,)),
        chunked(COMPLETION, headers=(SSE,)),
        response(COMPLETION, "Content-Encoding: gzip"),
        response(BOM + COMPLETION),
    ],
    ids=["events as json", "events unlabelled", "bom", "json as events", "not packed", "bom json"],
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
