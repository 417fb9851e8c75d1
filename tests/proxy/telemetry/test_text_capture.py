"""The variable that puts text into spans."""

import pytest

from recollect.proxy.telemetry.text_capture import CAPTURE, captures_text


@pytest.mark.parametrize(
    ("value", "captures"), [("true", True), ("SPAN_ONLY", True), ("event_only", False), ("", False)]
)
def test_only_what_the_conventions_say_captures(monkeypatch, value, captures):
    """Any other value leaves text out."""
    monkeypatch.setenv(CAPTURE, value)
    assert captures_text() is captures


def test_nothing_is_captured_by_default(monkeypatch):
    """Without the variable."""
    monkeypatch.delenv(CAPTURE, raising=False)
    assert not captures_text()
