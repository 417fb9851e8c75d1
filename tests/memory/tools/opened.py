"""A memory for the tests of the tools, and calls that must succeed."""

from __future__ import annotations

from pydantic import TypeAdapter

from recollect.memory.embedders import FakeEmbedderOptions
from recollect.memory.engine.options import MemoryOptions
from recollect.memory.tools import ToolAnswer, ToolSet

OPTIONS = MemoryOptions(embedder=FakeEmbedderOptions())


async def called(tools: ToolSet, name: str, **arguments: object) -> ToolAnswer:
    """A call that succeeds, with an answer of the shape that the table promises."""
    answer = await tools.call(name, arguments)
    assert answer.error is None, answer.error
    tool = tools.get(name)
    assert tool is not None
    TypeAdapter(tool.answer).validate_python(answer.value, strict=True, extra="forbid")
    return answer
