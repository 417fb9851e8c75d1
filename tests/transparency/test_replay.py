"""Position `replay` through the whole product: what a provider has cached stays a prefix."""

import json
from itertools import pairwise

from tests.proxy.wire import request
from tests.support.folding import rows

from .whole import CHAT_INJECTED, FACT, JSON, Whole, outcome

ASKED = ("Where do I live?", "Thanks!", "And where did I say I live?", "Is that far from my work?")
REPLAY = {"recall__position": "replay"}


async def converse(whole, texts, *, before=()):
    """Ask one after the other, as a client that repeats the conversation; all that it said."""
    said = list(before)
    for text in texts:
        said.append({"role": "user", "content": text})
        body = json.dumps({"model": "m", "messages": said}).encode()
        seen = await whole.ask(CHAT_INJECTED.ask(body=body))
        assert seen.status == 200
        said.append({"role": "assistant", "content": "I see."})
    return said


def sent(whole):
    """The messages of every chat request that the upstream got."""
    bodies = [r.body for r in whole.upstream.requests if "chat/completions" in r.line]
    return [json.loads(body)["messages"] for body in bodies]


@rows("position", ["replay", "tail"])
async def test_each_request_begins_with_the_one_before(position):
    """With `replay` always, whether memory had to do with a turn or not; with `tail` it does not."""
    async with Whole(recall__position=position) as whole:
        await converse(whole, ASKED)
        requests = sent(whole)
    kept = [later[: len(earlier)] == earlier for earlier, later in pairwise(requests)]
    assert all(kept) is (position == "replay")
    shown = [m["content"] for m in requests[-1] if FACT in m["content"]]
    assert len(shown) == 1


async def test_what_is_forgotten_is_not_repeated():
    """A memory that is deleted is in no later request, though it was shown before."""
    async with Whole(**REPLAY) as whole:
        said = await converse(whole, ASKED[:2])
        assert FACT in json.dumps(sent(whole)[-1])
        forget = request("DELETE", f"/v1/memories/?user_id={whole.named('alice')}", None, JSON)
        seen = await whole.ask(forget.replace(b"proxy.test", b"127.0.0.1", 1))
        assert seen.status == 200
        await converse(whole, ASKED[2:], before=said)
        assert FACT not in json.dumps(sent(whole)[-1])


async def test_a_retry_is_the_same_bytes():
    """The block of a turn is made once."""
    async with Whole(**REPLAY) as whole:
        seen = [await whole.ask(CHAT_INJECTED.ask()) for _ in range(2)]
        first, second = (r.body for r in whole.upstream.requests)
    assert first == second
    assert {outcome(each) for each in seen} == {"injected"}
