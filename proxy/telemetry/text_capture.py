"""Reads the one variable of OpenTelemetry's conventions that its SDK leaves to us."""

from __future__ import annotations

import os

CAPTURE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
"""Whether spans and events of GenAI contain text."""
_IN_SPANS = frozenset({"true", "span_only", "span_and_event"})


def captures_text() -> bool:
    """Whether spans are to contain text. Not a setting: it counts for every instrumentation."""
    return os.environ.get(CAPTURE, "").lower() in _IN_SPANS
