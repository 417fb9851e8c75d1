"""Options of the graph."""

from __future__ import annotations

from pydantic import Field

from ..model.options_base import Options


class GraphOptions(Options):
    """Who and what memories speak of, and how these are connected.

    It is kept in the database.
    """

    enabled: bool = Field(
        default=True,
        description="Keep the entities of memories and their relations. `false`: recall "
        "follows names in the texts only, and what is kept of the graph is deleted at the "
        "start.",
    )
