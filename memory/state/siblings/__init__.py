"""What processes on the same files need beside them: counters, announcements and locks.

State that a server shares brings its own (`recollect.memory.state.redis`).
"""

from __future__ import annotations

from .locks import SiblingLocks
from .peers import SiblingPeers

__all__ = ["SiblingLocks", "SiblingPeers"]
