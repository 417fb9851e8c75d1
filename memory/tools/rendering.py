"""The table as JSON, and as the `tools` of OpenAI's two APIs. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from typing_extensions import TypedDict

from ..api.showing import shown_as
from ..operations.tooling import Tool


class ToolDict(TypedDict):
    """A tool as the table has it."""

    name: str
    title: str
    description: str
    tier: str
    """`working`, `semantic`, `episodic`, `session` or `profile`."""
    guard: str
    """`read`, `write`, or `person`: a person has to say yes."""
    effects: dict[str, bool]
    """`read_only`, `destructive`, `idempotent`."""
    input_schema: dict[str, Any]
    output_schema: dict[str, Any]


def tool_dict(tool: Tool) -> ToolDict:
    """A tool as JSON has it."""
    return shown_as(ToolDict, tool, effects=asdict(tool.effects))


def openai_tools(tools: Iterable[Tool]) -> list[dict[str, Any]]:
    """The `tools` of a request to Chat Completions."""
    return [{"type": "function", "function": _function(tool)} for tool in tools]


def responses_tools(tools: Iterable[Tool]) -> list[dict[str, Any]]:
    """The `tools` of a request to Responses.

    Not strict: OpenAI's strict mode allows no argument that may be left out.
    """
    return [{"type": "function", **_function(tool), "strict": False} for tool in tools]


def _function(tool: Tool) -> dict[str, Any]:
    return {"name": tool.name, "description": tool.description, "parameters": tool.input_schema}
