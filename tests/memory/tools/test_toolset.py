"""One way to call a tool: every mistake is an answer."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typing_extensions import TypedDict

from recollect.memory.model.errors import StoreError
from recollect.memory.operations.declaring import field
from recollect.memory.operations.tooling import Bound, Tier, tool, tool_of
from recollect.memory.tools.toolset import ToolSet
from tests.support.folding import rows


class Said(TypedDict):
    """What the tool below answers."""

    text: str
    more: NotRequired[str]


@tool("repeat", "Repeat", Tier.SEMANTIC)
async def repeat(
    _: Bound, text: Annotated[str, field("What.")], times: Annotated[int, field("How often.")] = 1
) -> Said:
    """Say it again."""
    if times < 0:
        raise StoreError("the disk is gone")
    return Said(text=text * times)


REPEAT = tool_of(repeat)


@pytest.fixture
def tools() -> ToolSet:
    return ToolSet([REPEAT], Bound(None, {}, None))  # type: ignore[arg-type]


@rows(
    "arguments, said",
    [
        ({}, "text: "),
        ({"text": "a", "who": "bob"}, "who: is no argument"),
        ({"text": 1}, "text: "),
        ({"text": "a", "times": "2"}, "times: "),
        ("not json", "arguments: is not JSON"),
        ("[1]", "arguments: expected a JSON object"),
        ("[" * 100_000, "arguments: is not JSON"),
        ('{"text": "' + "x" * 300_000 + '"}', "arguments: must have at most"),
        ({"text": "a", "times": -1}, "store_unavailable: the disk is gone"),
    ],
)
async def test_a_mistake_is_an_answer(tools: ToolSet, arguments: Any, said: str) -> None:
    """It names the field, or the part that failed."""
    answer = await tools.call("repeat", arguments)
    assert said in (answer.error or "")
    assert answer.is_error
    assert '"error":' in answer.text


@given(st.text())
async def test_any_text_of_a_model_is_answered(text: str) -> None:
    """Nothing that a model writes as arguments raises."""
    await ToolSet([REPEAT], Bound(None, {}, None)).call("repeat", text)  # type: ignore[arg-type]
