"""What an agent may do with memory on purpose: one table of tools, and the tools of one scope.

The table names each tool once. MCP, REST, OpenAI's schemas and Python are renderings of it.
"""

from ..operations.tooling import Tool, ToolGuard
from .rendering import ToolDict, openai_tools, responses_tools, tool_dict
from .table import TOOLS, is_of_memory, offered
from .toolset import ToolAnswer, ToolSet, checked

__all__ = [
    "TOOLS",
    "Tool",
    "ToolAnswer",
    "ToolDict",
    "ToolGuard",
    "ToolSet",
    "checked",
    "is_of_memory",
    "offered",
    "openai_tools",
    "responses_tools",
    "tool_dict",
]
