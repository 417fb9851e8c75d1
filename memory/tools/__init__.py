"""What an agent may do with memory on purpose: one table of tools, and the tools of one scope.

The table names each tool once. MCP, REST, OpenAI's schemas and Python are renderings of it.
"""

from .table import offered
from .tool import Tier, Tool, ToolAnswer, ToolGuard
from .toolset import ToolSet

__all__ = ["Tier", "Tool", "ToolAnswer", "ToolGuard", "ToolSet", "offered"]
