"""The parts that forgetting is tried on."""

from __future__ import annotations

import pytest

from tests.memory.forget.parts import Parts


@pytest.fixture
def parts():
    """All parts around memories with hot indexes."""
    return Parts.indexed()
