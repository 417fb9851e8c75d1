"""What several tests of learning start with."""

import pytest

from .doubles import withholding


@pytest.fixture
def withheld(monkeypatch):
    """The judges of texts withhold `Tell nobody.`, wherever it is."""
    judge = withholding("Tell nobody.")
    monkeypatch.setattr("recollect.memory.learn.belief.judge", judge)
    monkeypatch.setattr("recollect.memory.learn.cleaning.judge_text", judge)
