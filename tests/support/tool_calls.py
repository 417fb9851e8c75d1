"""Complete arguments for each tool of the table, for tests that call all of them."""

from __future__ import annotations

from typing import Any

from recollect.memory.tools import TOOLS, Tool

_VALUES: dict[str, Any] = {
    "text": "overwritten",
    "query": "bicycle",
    "question": "Which bicycle?",
    "old": "bicycle",
    "new": "overwritten",
    "value": "overwritten",
}
_IDS = ("id", "old_id", "new_id")


def arguments_of(tool: Tool, memory_id: str, *, label: str = "plan") -> dict[str, Any]:
    """Arguments that the tool takes; where it takes an id, that of this memory."""
    schema = tool.input_schema
    taken = {**_VALUES, "label": label, **dict.fromkeys(_IDS, memory_id)}
    # Of `new_id` and `text`, one is needed and the schema requires neither.
    names = [*schema.get("required", ()), *({"text"} & schema["properties"].keys())]
    return {name: taken[name] for name in dict.fromkeys(names)}


def bodies(memory_id: str = "no-such-id", *, label: str = "plan") -> dict[str, dict[str, Any]]:
    """The body of a call over REST by the name of the tool, without the ids of a scope.

    Those of blocks name the block `label`.
    """
    return {tool.name: {"arguments": arguments_of(tool, memory_id, label=label)} for tool in TOOLS}
