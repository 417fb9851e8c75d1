"""Options of digests."""

from __future__ import annotations

from pydantic import Field

from ...model.strict import Options


class CompressOptions(Options):
    """How the old turns of a long conversation are summed up."""

    enabled: bool = Field(
        default=True,
        description="Let a model write the digests that compression uses (see `recall.compress`).",
    )
