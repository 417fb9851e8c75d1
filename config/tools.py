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
        description="Whether the proxy adds the tools to chat requests and carries out the calls "
        "itself; the client sees the answer only. A request that has a tool of the same name, or "
        "says which tool is to be called, gets none.",
    )
    names: tuple[str, ...] | None = Field(
        default=None,
        description="The tools that are offered, by their names (`recollect tools`). Default: all.",
    )
    validates: bool = Field(
        default=False,
        description="Whether what needs a person's word is offered too: `fact_validate`, "
        "`fact_invalidate` and `fact_revert`. A model that was talked into calling one would "
        "release the very text that is kept back, or put away what is true.",
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

    def offered(self, *, read_only: bool = False, has_model: bool = True) -> tuple[Tool, ...]:
        """The tools that agents are offered.

        With `read_only` those that write nothing; those that ask a model if there is one.
        """
        from recollect.memory.tools import offered

        return offered(
            self.names, validates=self.validates, read_only=read_only, has_model=has_model
        )
