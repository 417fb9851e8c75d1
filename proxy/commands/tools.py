"""`recollect tools`: the tools that agents are offered, as a table or as OpenAI's schemas."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from .shapes import table
from .terminal import show

if TYPE_CHECKING:
    from recollect.config import Settings

    from .arguments import CommandLine


def fill(parser: CommandLine) -> None:
    """Register ``tools``."""
    parser.set_defaults(asks=True, tenant=None)
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these tools")
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument(
        "--openai", action="store_true", help="as `tools` of a Chat Completions request"
    )
    shape.add_argument("--responses", action="store_true", help="as `tools` of a Responses request")
    shape.add_argument("--json", action="store_true", help="one JSON object per tool, with schemas")


def run(settings: Settings, options: argparse.Namespace) -> int:
    """Show them; 2 for a name that is no tool's."""
    from recollect.memory.tools import offered, openai_tools, responses_tools, tool_dict

    tools = offered(options.names or settings.tools.names, validates=settings.tools.validates)
    if options.openai or options.responses:
        rendered = openai_tools(tools) if options.openai else responses_tools(tools)
        show(json.dumps(rendered, ensure_ascii=False, indent=2))
        return 0
    rows = [tool_dict(tool) for tool in tools]
    first = [{**row, "summary": row["description"].split(". ")[0].rstrip(".")} for row in rows]
    for line in map(json.dumps, rows) if options.json else _TABLE(first):
        show(line)
    return 0


_TABLE = table(tool="name", tier="tier", guard="guard", what_it_does="summary")
