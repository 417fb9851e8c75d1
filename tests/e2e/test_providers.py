"""A provider by name, on a real server of its kind."""

import pytest

from recollect.memory.llms import OpenAIChatModel, OpenAIChatOptions
from recollect.memory.model.types import ChatRequest, Message
from tests.support.llama import LlamaServer

pytestmark = pytest.mark.process


async def test_llamacpp_answers_in_the_form_that_the_table_says(llama: LlamaServer):
    """A schema is accepted at the first call, and the answer tells its tokens."""
    options = OpenAIChatOptions(
        provider="llamacpp", base_url=llama.base_url, model="smollm2", timeout_seconds=300
    )
    model = OpenAIChatModel(options, setting="learn.llm")
    schema = {
        "type": "object",
        "properties": {"word": {"type": "string", "maxLength": 8}},
        "required": ["word"],
        "additionalProperties": False,
    }
    asked = ChatRequest(
        messages=[Message(role="user", content="Say a word.")],
        schema=schema,
        max_tokens=64,
        temperature=0,
    )
    reply = await model.complete(asked)
    await model.close()
    assert reply.text.startswith("{")
    assert reply.prompt_tokens > 0
    assert reply.completion_tokens > 0
    assert model._format == 0
