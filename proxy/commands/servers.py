"""The checks of servers that others run: the upstream, and the model of `learn.llm`."""

from __future__ import annotations

import time

import aiohttp

from recollect.config import Settings
from recollect.memory.learn import LearnOptions
from recollect.memory.llms import OpenAIChatModel, OpenAIChatOptions
from recollect.memory.model.errors import ModelError, ModelSilentError
from recollect.memory.model.types import ChatRequest, Message

from ..transport.unreachable import why
from .api_client import Running
from .findings import CheckFailedError

UPSTREAM_SECONDS = 30.0
PING_TOKENS = 8
_NOT_FOUND = 404
_NOT_THERE = ("upstream_unreachable", "upstream_timeout")
"""Codes of a running proxy's answer if its upstream does not answer."""
_SERVER_ERRORS = 500


async def check_upstream(settings: Settings) -> str:
    """Ask the upstream for its list of models. Without a key a healthy server answers 401."""
    base = settings.upstream.base_url
    try:
        status, _ = await _models(base)
        mend = await _another_path(base) if status == _NOT_FOUND else "see the log of that server"
    except (aiohttp.ClientError, TimeoutError) as error:
        mend = "check upstream.base_url, the network, and that the server runs"
        raise CheckFailedError(f"{base}/models: {why(error)}", mend) from None
    return _judged(f"{base}/models answers {status}", status, mend)


async def check_upstream_of(running: Running, _settings: Settings) -> str:
    """Ask the upstream of a running proxy, through it: these settings may name another one."""
    through = f"asked through {running.address}, the upstream"
    try:
        status, text = await _models(f"http://{running.address}/v1")
    except (aiohttp.ClientError, TimeoutError) as error:
        raise CheckFailedError(f"{through}: {why(error)}", "see the log of the proxy") from None
    if code := next((code for code in _NOT_THERE if f'"{code}"' in text), ""):
        mend = "its log has the address: check upstream.base_url, and that the server runs"
        raise CheckFailedError(f"{through}: {code}", mend)
    mend = "upstream.base_url must be the root of an OpenAI API, which usually ends in /v1"
    mend = mend if status == _NOT_FOUND else "see the log of that server"
    return _judged(f"{through} answers {status}", status, mend)


def _judged(seen: str, status: int, mend: str) -> str:
    if status == _NOT_FOUND or status >= _SERVER_ERRORS:
        raise CheckFailedError(seen, mend)
    return seen


async def _models(base: str) -> tuple[int, str]:
    """The status of the list of models, and the text of a failure."""
    timeout = aiohttp.ClientTimeout(total=UPSTREAM_SECONDS)
    async with (
        aiohttp.ClientSession(timeout=timeout) as session,
        session.get(f"{base}/models", allow_redirects=False) as answer,
    ):
        failed = answer.status >= _SERVER_ERRORS
        return answer.status, await answer.text(errors="replace") if failed else ""


async def _another_path(base: str) -> str:
    """What to do about a 404: usually the path of the API is missing from the address."""
    if base.endswith("/v1"):
        return "nothing of an OpenAI API is there: check the address in upstream.base_url"
    if (await _models(f"{base}/v1"))[0] != _NOT_FOUND:
        return f"set upstream.base_url to {base}/v1, where the API is"
    return "upstream.base_url must be the root of the API, which usually ends in /v1"


async def check_llm(settings: Settings) -> str:
    """Call the model of `learn.llm` with a few tokens."""
    llm, paid = settings.learn.llm, who_pays(settings.learn)
    if llm is None:
        return f"not set: each conversation's own model extracts facts; {paid}"
    where = f"{llm.model} at {llm.base_url or 'OpenAI'}"
    began = time.monotonic()
    try:
        await _ping(llm)
    except ModelError as error:
        raise CheckFailedError(f"{where}: {error.code}, {error}", error.advice) from None
    return f"{where} answers in {time.monotonic() - began:.1f} s; {paid}"


def who_pays(learn: LearnOptions) -> str:
    """Whose key pays for the calls of learning, how many there may be, and how to have none."""
    if not learn.hourly_calls:
        return "learn.calls_per_hour is 0: learning calls no model"
    key = "the client's own key" if learn.llm is None else "the key of learn.llm"
    pictures = ", for pictures that of learn.vision" if learn.vision is not None else ""
    return (
        f"{key} pays{pictures}, at most {learn.hourly_calls} calls an hour for each tenant "
        "(learn.calls_per_hour; 0 makes none)"
    )


async def _ping(llm: OpenAIChatOptions) -> None:
    model = OpenAIChatModel(llm, retries=0)
    message = Message(role="user", content="Say ok.")
    try:
        await model.complete(ChatRequest(messages=[message], holds=(), max_tokens=PING_TOKENS))
    except ModelSilentError:
        return  # a reasoning model spends the few tokens before it says anything
    finally:
        await model.close()
