"""All tools, in the order in which they are listed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import regex

from ..api.blocks import Blocks
from ..api.calls.changing import ChangingCalls
from ..api.calls.curating import CuratingCalls
from ..api.calls.finding import FindingCalls
from ..api.conversations import Conversations
from ..api.table import part_of
from ..model.errors import InvalidInputError
from ..model.suggestions import nearest
from ..operations.tooling import Tool, ToolGuard, tool_of
from . import functions

TOOLS: tuple[Tool, ...] = tuple(
    replace(tool_of(each), part=part_of(each))
    for each in (
        functions.block_read,
        Blocks.append,
        Blocks.replace,
        Blocks.rewrite,
        functions.fact_remember,
        functions.fact_search,
        functions.fact_supersede,
        functions.fact_forget,
        functions.fact_history,
        ChangingCalls.validate,
        CuratingCalls.invalidate,
        CuratingCalls.revert,
        functions.recall_episodes,
        FindingCalls.profile,
        FindingCalls.conflicts,
        functions.memory_answer,
        functions.deep_recall,
        Conversations.search,
    )
)

_NAMES = frozenset(tool.name for tool in TOOLS)
_PARTS = regex.compile(r"__|[./:\-]")


def is_of_memory(name: str) -> bool:
    """Whether a program calls one of these tools so: clients write a server's name before it.

    As ``mcp__notes__fact_search``, ``notes.fact_search`` or ``recollect_fact_search``.
    """
    if _PARTS.split(name)[-1] in _NAMES:
        return True
    return "recollect" in name.lower() and any(name.endswith(f"_{own}") for own in _NAMES)


def offered(
    names: Sequence[str] | None = None,
    *,
    validates: bool = False,
    read_only: bool = False,
    has_model: bool = True,
) -> tuple[Tool, ...]:
    """The tools of these names (default: all) that a caller may be offered, in order.

    Those of `ToolGuard.PERSON` only if it `validates`, those that write only if not `read_only`,
    and those that ask a model only if there is one.

    Raises:
        InvalidInputError: a name is no tool's.
    """
    known = [tool.name for tool in TOOLS]
    for name in names or ():
        if name not in known:
            meant = nearest(name, known)
            hint = f"did you mean {meant!r}?" if meant else f"expected some of {', '.join(known)}"
            raise InvalidInputError("names", f"there is no tool {name!r}; {hint}")
    return tuple(
        tool
        for tool in TOOLS
        if (names is None or tool.name in names)
        and (validates or tool.guard is not ToolGuard.PERSON)
        and (not read_only or tool.guard is ToolGuard.READ)
        and (has_model or not tool.needs_model)
    )
