"""What the proxy's tests share: engine parts in memory, and exchanges to try them with."""

from __future__ import annotations

import pytest

from recollect.filters import Exchange
from recollect.memory.model.types import Message, Scope


@pytest.fixture
def exchange():
    """Make an exchange; keyword arguments replace its parts."""

    def make(**changes):
        parts = {
            "scope": Scope(tenant="local", user_id="alice"),
            "messages": [Message(role="user", content="Where do I live?")],
            "model": "m",
            "conversation_id": "c1",
            "turn_id": "t1",
        }
        return Exchange(**(parts | changes))

    return make
