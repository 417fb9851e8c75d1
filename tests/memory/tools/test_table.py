"""Which tools there are, and who is offered them."""

from __future__ import annotations

import pytest

from recollect.memory.model.errors import InvalidInputError
from recollect.memory.operations.tooling import Tool, ToolGuard
from recollect.memory.tools.table import TOOLS, is_of_memory, offered
from tests.support.folding import rows


def test_tools_are_chosen_by_name_and_guard() -> None:
    """A name that is none is refused with the nearest; readers get no tool that writes."""
    assert [tool.name for tool in offered(["fact_search"])] == ["fact_search"]
    with pytest.raises(InvalidInputError, match="fact_search"):
        offered(["fact_serch"])
    assert all(tool.guard is ToolGuard.READ for tool in offered(read_only=True))
    names = {tool.name for tool in offered()}
    assert names.isdisjoint({"fact_validate", "fact_invalidate", "fact_revert"})


@rows("tool", TOOLS)
def test_a_guard_fits_what_a_tool_does(tool: Tool) -> None:
    """What only reads is for readers, what changes anything is not."""
    assert (tool.guard is ToolGuard.READ) == tool.effects.read_only
    assert not (tool.effects.read_only and tool.effects.destructive)


@rows(
    "name, expected",
    [
        ("fact_search", True),
        ("mcp__notes__fact_search", True),
        ("notes.fact_search", True),
        ("notes/block_append", True),
        ("mcp_recollect_fact_search", True),
        ("artifact_search", False),
        ("disk_block_read", False),
        ("search", False),
        ("", False),
    ],
)
def test_calls_of_memory_are_known_by_their_names(name: str, *, expected: bool) -> None:
    """Whatever a client writes before the name; another tool's name may end alike."""
    assert is_of_memory(name) is expected
