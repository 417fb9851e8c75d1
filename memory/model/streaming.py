"""Calls of language models whose answers are told while they are written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .types import ChatRequest

OnText = Callable[[str], None]
"""Told each piece of a text, in order. Must not block, and not raise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamedRequest(ChatRequest):
    """A call that a model may tell the answer of piece by piece.

    A model that cannot stream answers as it answers a `ChatRequest`, and tells nothing.
    """

    on_text: OnText
