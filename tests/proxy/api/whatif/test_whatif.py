"""Which memory changed the answer, asked of the whole product over a scripted model server."""

import asyncio
import json
from types import SimpleNamespace

import pytest
from pydantic import SecretStr

from recollect.memory import InvalidInputError
from recollect.memory.engine import background
from recollect.memory.model.errors import ForbiddenError
from recollect.proxy.access.api_token_guard import ApiTokenGuard
from recollect.proxy.api.whatif.handlers import WhatIfApi
from tests.proxy.api.calling import Calling
from tests.proxy.wire import response
from tests.support.answering_upstream import answering_from
from tests.support.waiting import HANG_SECONDS

TEA, CAT = "Alice likes green tea from Uji", "Alice has green curtains in her kitchen"
QUESTION = "What green tea do I like?"
ASKED = {
    "messages": [{"role": "user", "content": QUESTION}],
    "model": "m",
    "user_id": "alice",
    "max_calls": 8,
}
KEY = "x-recollect-upstream-key: sk-her-own"


class Serving(Calling):
    """The product before a model server that answers with a function of the request's text."""

    def __init__(self, says, **options):
        super().__init__(**options)
        script = says if not callable(says) or hasattr(says, "script") else answering_from(says)
        self._script = script

    def sent(self):
        """The bodies that went upstream."""
        return [json.loads(each.body) for each in self.upstream.requests]

    async def what_if(self, *headers, **changes):
        body = {name: value for name, value in (ASKED | changes).items() if value is not None}
        return await self.call("POST", "whatif", body, *headers)


def of_tea(text):
    """Only the memory of tea changes what is said."""
    return "Green tea from Uji." if "Uji" in text else "I cannot know that."


async def test_the_memory_that_changed_the_answer_is_told():
    """Each call has the chat without one line, at temperature 0; the rest is as in a chat."""
    async with Serving(of_tea, recall__threshold=0) as api:
        tea, cat = await api.remember(TEA, CAT)
        status, told = await api.what_if()
        assert status == 200, told
        chats = api.sent()
        [day] = (await api.get("stats?days=1"))["days"]
    assert (told["base"], told["steady"]) == ("Green tea from Uji.", True)
    assert [one["memory_id"] for one in told["without"]] == [tea, cat]
    first, second = told["without"]
    assert (first["answer"], first["same"], first["memory"]) == ("I cannot know that.", False, TEA)
    assert first["distance"] > second["distance"] == 0
    assert (told["calls"], told["tokens"], told["not_tried"]) == (4, 40, [])
    assert (day["whatif_calls"], day["whatif_tokens"], day["chats"]) == (4, 40, 0)
    assert {(each["temperature"], each["stream"], each["max_tokens"]) for each in chats} == {
        (0, False, 256)
    }
    texts = [each["messages"][0]["content"] for each in chats]
    assert sum(TEA in text for text in texts) == 3
    assert all(text.endswith(QUESTION) for text in texts)


async def test_the_model_sees_what_a_chat_would_send():
    """The base is byte for byte the chat with its memories and blocks, which all others have too."""
    async with Serving(of_tea) as api:
        await api.remember(TEA)
        await api.post("blocks", {"label": "plan", "value": "Buy a pot", "user_id": "alice"})
        await api.what_if()
        base, *others = (each["messages"] for each in api.sent())
        assert all("Buy a pot" in each[0]["content"] for each in (base, *others))
        await api.say(QUESTION)
        assert api.sent()[-1]["messages"] == base


async def test_no_more_is_spent_than_was_allowed():
    """Lines beyond the calls are named; without a number nothing is sent at all."""
    async with Serving(of_tea, recall__threshold=0) as api:
        await api.remember(TEA, CAT)
        _, told = await api.what_if(max_calls=3)
        assert told["calls"] == len(api.sent()) == 3
        assert [(one["memory"], one["why"]) for one in told["not_tried"]] == [(CAT, "max_calls")]
        status, refused = await api.what_if(max_calls=None)
        assert status == 400
        assert "max_calls: expected how many requests" in refused["detail"]
        assert len(api.sent()) == 3


async def test_the_callers_credential_goes_upstream_and_nowhere_else(caplog, tmp_path):
    """In the header only: no log, no audit record, no answer and no refusal has it."""
    caplog.set_level("DEBUG")
    audit = tmp_path / "audit.jsonl"
    async with Serving(of_tea, api__audit_log=audit) as api:
        await api.remember(TEA)
        status, told = await api.what_if(KEY)
        assert status == 200
        assert {tuple(each.values("authorization")) for each in api.upstream.requests} == {
            ("Bearer sk-her-own",)
        }
        assert all(not each.values("x-recollect-upstream-key") for each in api.upstream.requests)
    assert "sk-her-own" not in caplog.text + json.dumps(told) + audit.read_text()
    assert '"whatif"' in audit.read_text()


async def test_a_refusal_of_the_server_is_told_without_the_credential():
    """502 with the status and its words; nothing else is asked then."""
    refusal = json.dumps({"error": {"message": "Incorrect API key: sk-her-own"}}).encode()
    answer = response(refusal, "Content-Type: application/json", status="401 Unauthorized")
    async with Serving(answer) as api:
        await api.remember(TEA)
        status, told = await api.what_if(KEY)
        assert len(api.upstream.requests) == 1
    assert status == 502
    assert (
        "answers 401: Incorrect API key: …; its key goes into x-recollect-upstream-key"
        in (told["detail"])
    )


async def test_a_call_that_fails_names_its_memory():
    """The answers that were had are told; the other one says what the server did."""

    async def script(reader, writer, received):
        text = json.loads(received.body)["messages"][0]["content"]
        says = answering_from(of_tea)
        if "Uji" not in text:
            writer.write(response(b"{}", status="500 Internal Server Error"))
            return
        await says(reader, writer, received)

    script.script = True
    async with Serving(script, recall__threshold=0) as api:
        tea, cat = await api.remember(TEA, CAT)
        status, told = await api.what_if()
    assert (status, [one["memory_id"] for one in told["without"]]) == (200, [cat])
    [failed] = told["not_tried"]
    assert (failed["memory_id"], failed["why"]) == (tea, "the model server answers 500")


async def test_the_seconds_bound_all_calls():
    """A server that says nothing is left, and the answer names the limit."""

    async def script(_reader, _writer, _received):
        await asyncio.Event().wait()

    script.script = True
    async with Serving(script) as api:
        status, told = await api.what_if(seconds=1)
    assert status == 502
    assert "no answer within the seconds" in told["detail"]


async def test_a_token_of_this_server_does_not_go_upstream():
    """Neither as the credential nor in a message."""
    token = "a-long-api-token-of-this-server"
    bearer = f"Authorization: Bearer {token}"
    async with Serving(of_tea, api__token=token) as api:
        for header, text in ((token, "hi"), ("sk", f"my token is {token}")):
            status, told = await api.what_if(
                bearer,
                f"x-recollect-upstream-key: {header}",
                messages=[{"role": "user", "content": text}],
            )
            assert (status, token in told["detail"]) == (400, False)
        assert api.sent() == []


async def test_nothing_is_learned_or_counted(monkeypatch):
    """The memory was not recalled by a chat, and what the user asked was not said in one."""
    monkeypatch.setattr(background, "USAGE_SECONDS", 0.005)
    async with Serving(of_tea) as api:
        [tea] = await api.remember(TEA)
        await api.what_if(messages=[{"role": "user", "content": f"I moved to Uji. {QUESTION}"}])
        await asyncio.sleep(0.05)
        assert "access_count" not in await api.get(tea)
        assert (await api.get("said?user_id=alice"))["results"] == []
        assert (await api.get("recent"))["exchanges"] == []
        await api.say(QUESTION)
        async with asyncio.timeout(HANG_SECONDS):
            while "access_count" not in await api.get(tea):
                await asyncio.sleep(0.01)


async def test_one_tenant_does_not_spend_the_key_of_the_server():
    """Of several tenants only the operator uses it; others bring their own."""
    own = SecretStr("sk-operator")
    api = WhatIfApi(None, own, ApiTokenGuard(), many_tenants=True)
    with pytest.raises(ForbiddenError, match="x-recollect-upstream-key"):
        api._key_of(request_of(administers=False))
    assert api._key_of(request_of(administers=True)) is own
    hers = api._key_of(request_of(administers=False, **{"x-recollect-upstream-key": "sk-hers"}))
    assert hers.get_secret_value() == "sk-hers"
    alone = WhatIfApi(None, own, ApiTokenGuard(), many_tenants=False)
    assert alone._key_of(request_of(administers=False)) is own
    with pytest.raises(InvalidInputError, match="printable ASCII"):
        alone._key_of(request_of(administers=True, **{"x-recollect-upstream-key": "sk-é"}))


def request_of(*, administers, **headers):
    """What the handler reads of a request."""
    return SimpleNamespace(
        http=SimpleNamespace(headers=headers), grant=SimpleNamespace(administers=administers)
    )
