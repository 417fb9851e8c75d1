"""The fallback: when it is asked, when it is not, and when the first one is asked again."""

import logging

import pytest

from recollect.memory.llms import OpenAIChatOptions, guarded_model
from recollect.memory.llms.fallback import FallbackModel
from recollect.memory.model.errors import (
    ModelBusyError,
    ModelRefusedError,
    ModelSilentError,
    ModelTimeoutError,
    ModelUnauthorizedError,
    ModelUnavailableError,
    ServerRestsError,
)
from recollect.memory.model.types import ChatReply, ChatRequest, Message
from tests.support.folding import rows
from tests.support.scripted import ScriptedModel

ASKED = ChatRequest(
    messages=(Message(role="user", content="Hello"),), schema=None, max_tokens=9, temperature=0
)


class Answers:
    """A model that answers with the next of these, or raises it."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.closed = False

    async def complete(self, request):
        del request
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return ChatReply(text=answer, model=answer)

    async def close(self):
        self.closed = True


@rows("error", [ModelUnavailableError, ModelBusyError, ModelTimeoutError])
async def test_while_the_first_is_down_the_other_answers(error, caplog):
    """One line says so, and one that it is back; the answer names the model that gave it."""
    first, other = Answers(error("no"), error("no"), "first"), Answers("other", "other")
    model = FallbackModel(first, other, "learn.llm")
    caplog.clear()
    with caplog.at_level(logging.INFO):
        replies = [(await model.complete(ASKED)).model for _ in range(3)]
    assert replies == ["other", "other", "first"]
    told = [record.message for record in caplog.records]
    assert len(told) == 2
    assert "learn.llm does not answer" in told[0]
    assert "answers again" in told[1]
    await model.close()
    assert first.closed
    assert other.closed


@rows("error", [ModelUnauthorizedError, ModelRefusedError, ModelSilentError])
async def test_a_refusal_is_not_repeated_elsewhere(error):
    """A mistake in the configuration is seen, and nobody else is paid for it."""
    other = Answers("other")
    with pytest.raises(error):
        await FallbackModel(Answers(error("no")), other, "learn.llm").complete(ASKED)
    assert other.answers == ["other"]


@rows("error", [ModelBusyError, ModelTimeoutError, ServerRestsError])
async def test_whether_a_call_was_made_is_told_while_the_other_rests(error):
    """The first was asked, or it rests too: what counts calls sees which of the two."""
    model = FallbackModel(Answers(error("no")), Answers(ServerRestsError("later")), "learn.llm")
    with pytest.raises(error) as raised:
        await model.complete(ASKED)
    assert type(raised.value) is error


async def test_it_is_configured_by_one_section(unused_tcp_port):
    """A real server answers while nobody listens at the first address."""
    async with ScriptedModel("from the other") as server:
        options = OpenAIChatOptions.model_validate(
            {
                "base_url": f"http://127.0.0.1:{unused_tcp_port}/v1",
                "fallback": {"base_url": server.base_url, "model": "second"},
            }
        )
        model = guarded_model(options, setting="learn.llm", retries=0)
        for _ in range(8):
            assert (await model.complete(ASKED)).text == "from the other"
        await model.close()
    assert server.requests[0]["model"] == "second"
