"""Writes the tables of docs/tools.md: each tool with its arguments, and where it is offered.

The table of tools is the truth; a test fails when the page says otherwise. MCP and injected chats
take the set of `AsyncMemory.tools`, so they have each of its tools by the same name.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

from recollect.memory.tools import TOOLS, Tool, ToolGuard, offered, openai_tools
from recollect.proxy.api.tools import TOOL_OPERATIONS

PAGE = Path(__file__).resolve().parent.parent / "docs" / "tools.md"
_MARK = re.compile(r"(<!-- (\w+): .*? -->\n).*?(<!-- end of \2 -->)", re.DOTALL)


def page(text: str) -> str:
    """The page with the tables as they should be."""
    tables = {"tools": tools_table, "surfaces": surfaces_table}
    found = {match[2] for match in _MARK.finditer(text)}
    if found != tables.keys():
        raise ValueError("the page has no place for one of the tables")
    return _MARK.sub(lambda match: f"{match[1]}\n{tables[match[2]]()}\n{match[3]}", text)


def tools_table() -> str:
    """A line for each tool: who may call it, what it changes, what it takes and answers."""
    lines = ["| tool | tier | guard | changes | arguments | answer |", "|---|---|---|---|---|---|"]
    for tool in TOOLS:
        taken, given = _names(tool.input_schema), _names(tool.output_schema)
        cells = (f"`{tool.name}`", tool.tier.value, tool.guard.value, _changes(tool), taken, given)
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def surfaces_table() -> str:
    """A line for each tool: what it is called by on each surface, and when it is offered."""
    named = ("tool", "MCP", "REST, below `/v1/memories`", "Python", "OpenAI's schemas", "injected")
    lines = [f"| {' | '.join((*named, 'offered'))} |", "|---|---|---|---|---|---|---|"]
    posted = {each.id: each.path.removeprefix("/v1/memories") for each in TOOL_OPERATIONS}
    written = {each["function"]["name"] for each in openai_tools(TOOLS)}
    for tool in TOOLS:
        name = tool.name
        rest = f"`POST {posted[name]}`" if name in posted else ""
        shown = "yes" if name in written else ""
        cells = (f"`{name}`", "yes", rest, f'`call("{name}", …)`', shown, "yes", _offered(tool))
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _offered(tool: Tool) -> str:
    if tool.needs_model:
        return "if a model is configured"
    if tool not in offered():
        return "with `tools.validates`"
    return "to writers" if tool.guard is ToolGuard.WRITE else "always"


def _changes(tool: Tool) -> str:
    if tool.effects.read_only:
        return "nothing"
    return "replaces" if tool.effects.destructive else "adds"


def _names(schema: dict[str, Any]) -> str:
    """The members of an object; those that may be left out have a question mark."""
    needed = schema.get("required", ())
    names = [name if name in needed else f"{name}?" for name in schema.get("properties", ())]
    return f"`{', '.join(names)}`" if names else "none"


def main() -> int:
    """Write the page; with --check, only say whether it is as it should be."""
    text = PAGE.read_text("utf-8")
    written = page(text)
    if "--check" in sys.argv:
        if written != text:
            print(f"{PAGE.name} is out of date: run `make docs`")
        return int(written != text)
    PAGE.write_text(written, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
