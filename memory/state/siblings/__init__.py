"""What processes on the same files need beside them: counters and announcements.

State that a server shares brings its own (`recollect.memory.state.redis`).
"""

from __future__ import annotations

from .peers import SiblingPeers

__all__ = ["SiblingPeers"]
