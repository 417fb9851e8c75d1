"""All tools, in the order in which they are listed."""

from __future__ import annotations

from collections.abc import Sequence

import regex

from ..model.errors import InvalidInputError
from ..model.suggestions import nearest
from .blocks import BLOCK_TOOLS
from .facts import FACT_TOOLS
from .recalling import RECALL_TOOLS
from .sessions import SESSION_TOOLS
from .tool import Tool, ToolGuard

TOOLS: tuple[Tool, ...] = (*BLOCK_TOOLS, *FACT_TOOLS, *RECALL_TOOLS, *SESSION_TOOLS)

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
