"""The upstream and the learner's model, as `recollect check` asks them."""

import asyncio
from functools import partial

from aiohttp import web

from recollect.config import load_settings
from recollect.proxy.commands.api_client import Running
from recollect.proxy.commands.findings import found_by
from recollect.proxy.commands.servers import check_llm, check_upstream, check_upstream_of
from recollect.proxy.errors import error_response, upstream_unreachable
from tests.proxy.commands.answering import Upstream
from tests.support.folding import rows
from tests.support.scripted import ScriptedModel


def settings(**environ):
    return load_settings(environ={f"RECOLLECT_{key}": value for key, value in environ.items()})


@rows(
    "status, ok",
    [(200, True), (401, True), (403, True), (429, True), (404, False), (500, False), (503, False)],
)
async def test_what_the_upstream_answers(status, ok):
    """Without a key 401 is healthy; no list of models, or a server that fails, is not."""
    async with Upstream(status) as server:
        found = await found_by(
            "upstream", check_upstream, settings(UPSTREAM__BASE_URL=server.base_url)
        )
    assert (found.ok, str(status) in found.seen) == (ok, True)
    assert ok is not bool(found.mend)


async def test_an_address_without_its_path():
    """The usual mistake: the API is below /v1, and the advice is the right address."""
    async with Upstream(401) as server:
        found = await found_by("upstream", check_upstream, settings(UPSTREAM__BASE_URL=server.root))
        assert not found.ok
        assert f"{server.root}/v1" in found.mend


async def test_whose_key_pays_is_told():
    """The client's own or that of `learn.llm`, how many calls there may be, and how to have none."""
    found = await found_by("learn.llm", check_llm, settings())
    assert "the client's own key pays, at most 300 calls an hour" in found.seen
    assert "(learn.calls_per_hour; 0 makes none)" in found.seen
    assert (
        "calls no model"
        in (await found_by("learn.llm", check_llm, settings(LEARN__CALLS_PER_HOUR="0"))).seen
    )
    async with ScriptedModel("ok") as server:
        llm = {"LEARN__LLM__BASE_URL": server.base_url, "LEARN__VISION__BASE_URL": server.base_url}
        found = await found_by("learn.llm", check_llm, settings(**llm, LEARN__CALLS_PER_HOUR="7"))
    assert "the key of learn.llm pays, for pictures that of learn.vision, at most 7" in found.seen


@rows(
    "reply, word",
    [
        ("ok", ""),
        ({"content": ""}, ""),
        (401, "model_unauthorized"),
        (404, "model_not_found"),
        (400, "model_refused"),
        (503, "model_busy"),
        (lambda _: asyncio.Event().wait(), "model_timeout"),
    ],
)
async def test_the_learners_model_is_called(reply, word):
    """With a few tokens; a failure has its reason word and advice. Thinking silently is alive."""
    async with ScriptedModel(reply) as server:
        found = await found_by(
            "learn.llm",
            check_llm,
            settings(LEARN__LLM__BASE_URL=server.base_url, LEARN__LLM__TIMEOUT_SECONDS="0.5"),
        )
        [asked] = server.requests
    assert asked["max_tokens"] <= 8
    assert (found.ok, word in found.seen, bool(found.mend)) == (not word, True, bool(word))


async def test_a_running_proxy_whose_upstream_is_away(aiohttp_server):
    """The proxy answers in its place, and says so."""

    async def away(_request):
        return error_response(upstream_unreachable())

    app = web.Application()
    app.router.add_get("/v1/models", away)
    running = Running(f"127.0.0.1:{(await aiohttp_server(app)).port}", ours=True)
    found = await found_by("upstream", partial(check_upstream_of, running), settings())
    assert (found.ok, "upstream_unreachable" in found.seen) == (False, True)
    assert "upstream.base_url" in found.mend
