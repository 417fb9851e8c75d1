"""Fields that several operations have: pages, ids and reasons."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from ..model.inputs import MAX_LIMIT, MAX_REASON_CHARS, check_reason
from .declaring import As, field
from .fields import TEXT, judged

MAX_IDS = 10_000
"""Of one request."""
Cursor = Annotated[
    str | None, As(Annotated[str, TEXT] | None), field("The `next` of the page before.")
]
Limit = Annotated[int, field("Most results.", high=MAX_LIMIT)]
MemoryId = Annotated[str, field("The id of the memory.")]
OptionalText = As(Annotated[str, TEXT] | None)


def _reason(_name: str, said: object) -> object:
    check_reason(said)
    return said


Reason = Annotated[
    Annotated[str, Field(max_length=MAX_REASON_CHARS)] | None,
    judged(_reason),
]
