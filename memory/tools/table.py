"""All tools: what is declared as one in the library and here, by tier and name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import regex

from ..api.table import PARTS
from ..model.errors import InvalidInputError
from ..model.suggestions import nearest
from ..operations.tooling import Tier, Tool, ToolGuard, tool_of
from . import functions


def _declared() -> Iterator[Tool]:
    for part, owners in ((None, (functions,)), *PARTS.items()):
        for owner in owners:
            for each in vars(owner).values():
                if (found := tool_of(each)) is not None:
                    yield replace(found, part=part)


_TIERS = [*Tier]
TOOLS: tuple[Tool, ...] = tuple(
    sorted(_declared(), key=lambda tool: (_TIERS.index(tool.tier), tool.name))
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
