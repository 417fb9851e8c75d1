"""The table as the `tools` of OpenAI's two APIs. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..operations.tooling import Tool


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
