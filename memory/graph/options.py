"""Options of the graph."""

from __future__ import annotations

from pydantic import Field

from ..model.strict import Options


class GraphOptions(Options):
    """Who and what memories speak of, and how these are connected.

    It is kept where the history is: in `graph.db` beside its file, or in its PostgreSQL database.
    """

    enabled: bool = Field(
        default=True,
        description="Keep the entities of memories and their relations. `false`: recall follows "
        "names in the texts only, and the calls about entities answer that the graph is off; "
        "`graph.db` is removed at the start.",
    )
