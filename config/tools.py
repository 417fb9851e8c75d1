"""Options of the tools that agents use memory with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field, field_validator

from recollect.memory import InvalidInputError
from recollect.memory.model.options_base import Options

if TYPE_CHECKING:
    from recollect.memory.tools import Tool


class ToolOptions(Options):
    """Which tools are offered to agents, and whether the proxy gives them to every chat."""

    inject: bool = Field(
        default=False,
        description="Whether the proxy adds the tools to chats and carries out the calls "
        "itself; the client sees the answer only.",
    )
    names: tuple[str, ...] | None = Field(
        default=None,
        description="The tools that are offered, by their names (`recollect tools`). Default: all "
        "but `fact_validate`, `fact_invalidate` and `fact_revert`: a model that was talked into "
        "calling one would release what is kept back.",
    )

    @field_validator("names")
    @classmethod
    def _known(cls, values: tuple[str, ...] | None) -> tuple[str, ...] | None:
        from recollect.memory.tools import offered  # it takes the whole library

        try:
            offered(values)
        except InvalidInputError as error:
            raise ValueError(error.expected) from None
        return values

    @property
    def validates(self) -> bool:
        """Whether tools are named that need a person's yes."""
        from recollect.memory.tools import TOOLS, ToolGuard

        named = set(self.names or ())
        return any(tool.guard is ToolGuard.PERSON for tool in TOOLS if tool.name in named)

    def offered(self, *, read_only: bool = False, has_model: bool = True) -> tuple[Tool, ...]:
        """The tools that agents are offered.

        With `read_only` those that write nothing; those that ask a model if there is one.
        """
        from recollect.memory.tools import offered

        return offered(
            self.names, validates=self.validates, read_only=read_only, has_model=has_model
        )
