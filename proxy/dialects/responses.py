"""The Responses API: POST /v1/responses."""

from __future__ import annotations

from .dialect import Dialect
from .responses_answer import read_responses_answer
from .responses_body import parse_responses_body
from .sse import ResponseEndDetector

RESPONSES = Dialect(
    path="/v1/responses",
    parse=parse_responses_body,
    read=read_responses_answer,
    end_detector=ResponseEndDetector,
    keeps_conversations=True,
)
