"""Writes the table of docs/agents.md: each tool with its arguments, and when it is offered.

The table of tools is the truth; a test fails when the page says otherwise. Every surface takes the
set of `AsyncMemory.tools`, so it has each of its tools by the same name.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

from recollect.memory.tools import TOOLS, Tool, ToolGuard, offered

PAGE = Path(__file__).resolve().parent.parent / "docs" / "agents.md"
_MARK = re.compile(r"(<!-- tools: .*? -->\n).*?(<!-- end of tools -->)", re.DOTALL)


def page(text: str) -> str:
    """The page with the table as it should be."""
    if not _MARK.search(text):
        raise ValueError("the page has no place for the table")
    return _MARK.sub(lambda match: f"{match[1]}\n{table()}\n{match[2]}", text)


def table() -> str:
    """A line for each tool: who may call it, what it takes and answers, when it is offered."""
    lines = [
        "| tool | guard | arguments | answer | offered |",
        "|---|---|---|---|---|",
    ]
    for tool in TOOLS:
        taken, given = _names(tool.input_schema), _names(tool.output_schema)
        cells = (f"`{tool.name}`", tool.guard.value, taken, given, _offered(tool))
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _offered(tool: Tool) -> str:
    if tool.needs_model:
        return "if a model is configured"
    if tool not in offered():
        return "if `tools.names` has it"
    return "to writers" if tool.guard is ToolGuard.WRITE else "always"


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
