"""What is answered if the model of an addition fails."""

from __future__ import annotations

from collections.abc import Awaitable

from aiohttp import web

from recollect.memory import ExtractionError, ModelError
from recollect.memory.api.results import AddResult
from recollect.memory.model.errors import ModelTimeoutError

from .answers import detail

FAILURES = (ModelError, ExtractionError)
"""Of the model: nothing was stored."""


async def added_or_refused(adding: Awaitable[AddResult]) -> AddResult | web.Response:
    """The result of an addition, or the answer to a failure of its model."""
    try:
        return await adding
    except FAILURES as error:
        return failed(error)


def failed(error: ModelError | ExtractionError) -> web.Response:
    """503 with the cause and the setting; 504 if it took too long. Never an empty success."""
    status = 504 if isinstance(error, ModelTimeoutError) else 503
    return detail(
        status,
        f"nothing was stored: {error.code}: {error}; the model that extracts facts is set in "
        "learn.llm, and `infer` false stores the messages as they are",
    )
