"""The Chat Completions API: POST /v1/chat/completions."""

from __future__ import annotations

from .chat_answer import read_chat_answer
from .chat_body import parse_chat_body
from .dialect import Dialect
from .sse import DoneDetector

CHAT = Dialect(
    path="/v1/chat/completions",
    parse=parse_chat_body,
    read=read_chat_answer,
    end_detector=DoneDetector,
)
